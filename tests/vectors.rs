//! Runs the vectors: one case of one pure function in each line of each file.
//!
//! The project's own are `tests/vectors/*.jsonl`; others are read from the folder named by
//! `TFCONFORM_VECTORS`. Each is a trial named by its id, so filters work as with any test. The last
//! line printed is `N passed, N failed`; a line that is not a vector counts as failed, whatever the
//! filter.
//!
//! The project's own files are generated from `tests/vectors/source/*.hcl`, which people read and
//! write; `TFCONFORM_WRITE_VECTORS=1` regenerates them, and a trial for each checks that they
//! match.

#[path = "vectors/case.rs"]
mod case;
#[path = "vectors/expression.rs"]
mod expression;
#[path = "vectors/json.rs"]
mod json;
#[path = "vectors/run.rs"]
mod run;
#[path = "vectors/source.rs"]
mod source;

use std::collections::BTreeSet;
use std::env;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};

use case::Case;

fn main() -> ExitCode {
    let args = Arguments::from_args();
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/vectors");
    let mut found = Found::default();
    found.add_sources(&own.join("source"), &own);
    found.add_folder(&own, Some("jsonl"));
    found.check_ids();
    if let Some(theirs) = env::var_os("TFCONFORM_VECTORS").filter(|folder| !folder.is_empty()) {
        found.add_folder(Path::new(&theirs), None);
    }
    let conclusion = libtest_mimic::run(&args, found.trials);
    for error in &found.errors {
        eprintln!("error: {error}");
    }
    let n_failed = conclusion.num_failed + found.errors.len() as u64;
    if !args.list {
        println!("{} passed, {n_failed} failed", conclusion.num_passed);
    }
    if n_failed == 0 { ExitCode::SUCCESS } else { ExitCode::from(101) }
}

#[derive(Default)]
struct Found {
    trials: Vec<Trial>,
    /// Lines that are not vectors, with file and line number.
    errors: Vec<String>,
}

impl Found {
    /// Adds the files in a folder, all or those with an extension.
    fn add_folder(&mut self, folder: &Path, extension: Option<&str>) {
        match files(folder, extension) {
            Ok(files) => files.iter().for_each(|file| self.add_file(file)),
            Err(error) => self.errors.push(format!("{}: {error}", folder.display())),
        }
    }

    fn add_file(&mut self, file: &Path) {
        let text = match fs::read_to_string(file) {
            Ok(text) => text,
            Err(error) => return self.errors.push(format!("{}: {error}", file.display())),
        };
        for (idx, line) in text.lines().enumerate().filter(|(_, line)| !line.trim().is_empty()) {
            let place = format!("{}:{}", file.display(), idx + 1);
            match Case::parse(line) {
                Err(problem) => self.errors.push(format!("{place}: {problem}")),
                Ok(case) => self.add(case, place),
            }
        }
    }

    /// Ids are the names of trials, and must be unique.
    fn check_ids(&mut self) {
        let mut ids = BTreeSet::new();
        for trial in &self.trials {
            if !ids.insert(trial.name()) {
                self.errors.push(format!("there are two vectors {:?}", trial.name()));
            }
        }
    }

    fn add(&mut self, case: Case, place: String) {
        self.trials.push(Trial::test(case.id.clone(), move || {
            run::run(&case).map_err(|problem| Failed::from(format!("{place}: {problem}")))
        }));
    }

    /// Checks, or generates, the file of vectors for each file in `sources`.
    fn add_sources(&mut self, sources: &Path, vectors: &Path) {
        let files = match files(sources, Some("hcl")) {
            Ok(files) => files,
            Err(error) => return self.errors.push(format!("{}: {error}", sources.display())),
        };
        let write = env::var_os("TFCONFORM_WRITE_VECTORS").is_some_and(|value| value == "1");
        for file in files {
            let name = file.file_stem().unwrap_or_default().to_string_lossy().into_owned();
            let target = vectors.join(format!("{name}.jsonl"));
            let compiled = fs::read_to_string(&file)
                .map_err(|error| error.to_string())
                .and_then(|text| source::compile(&text))
                .map_err(|problem| format!("{}: {problem}", file.display()));
            let outcome =
                compiled.and_then(|text| if write { store(&target, &text) } else { same(&target, &text) });
            self.trials.push(Trial::test(format!("source/{name}"), || outcome.map_err(Failed::from)));
        }
    }
}

fn files(folder: &Path, extension: Option<&str>) -> std::io::Result<Vec<PathBuf>> {
    let mut files = Vec::new();
    for entry in fs::read_dir(folder)? {
        let path = entry?.path();
        let is_wanted = extension.is_none_or(|wanted| path.extension().is_some_and(|found| found == wanted));
        if is_wanted && path.is_file() {
            files.push(path);
        }
    }
    files.sort();
    Ok(files)
}

fn store(target: &Path, text: &str) -> Result<(), String> {
    fs::write(target, text).map_err(|error| format!("{}: {error}", target.display()))
}

fn same(target: &Path, text: &str) -> Result<(), String> {
    let stored = fs::read_to_string(target).map_err(|error| format!("{}: {error}", target.display()))?;
    let differs = text.lines().zip(stored.lines()).position(|(made, stored)| made != stored);
    match differs.or((text != stored).then_some(text.lines().count())) {
        None => Ok(()),
        Some(idx) => Err(format!(
            "{}:{}: does not match its source; TFCONFORM_WRITE_VECTORS=1 regenerates the file",
            target.display(),
            idx + 1
        )),
    }
}
