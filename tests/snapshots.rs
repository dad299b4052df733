//! What the reference provider and the test providers show, as the snapshots in `snapshots/`.
//!
//! Trials whose provider is not on the machine are ignored, with the reason as their kind. Each also
//! proves that two runs show the same: the files were written on another day, elsewhere.

use std::collections::BTreeSet;
use std::fs;
use std::panic::catch_unwind;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};

use libtest_mimic::{Arguments, Failed, Trial};

fn main() -> ExitCode {
    let mut trials = vec![reference(5), reference(6)];
    trials.extend(["time", "fwfix", "sdkfix", "muxfix"].map(of_provider));
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}

fn reference(protocol: u8) -> Trial {
    Trial::test(format!("reference{protocol}"), move || {
        compare(&format!("reference{protocol}"), &["--protocol", &protocol.to_string()])
    })
}

fn of_provider(name: &'static str) -> Trial {
    let file = format!("terraform-provider-{name}");
    let named = std::env::var_os("TFCONFORM_PROVIDERS").unwrap_or_default();
    let mut folders = std::env::split_paths(&named).chain([repository().join("target/providers")]);
    match folders.find_map(|folder| Some(folder.join(&file)).filter(|path| path.is_file())) {
        Some(path) => Trial::test(name, move || compare(name, &[&path.to_string_lossy()])),
        None => {
            let why = format!("needs {file} in $TFCONFORM_PROVIDERS");
            let told = why.clone();
            Trial::test(name, move || Err(told.into())).with_kind(why).with_ignored_flag(true)
        }
    }
}

fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// Compares every file that `check` writes with the one in the repository.
fn compare(name: &str, args: &[&str]) -> Result<(), Failed> {
    let shown = shown(args)?;
    let kept = repository().join("snapshots").join(name);
    let mut problems = Vec::new();
    let mut names = BTreeSet::new();
    for file in &shown.files {
        let text = insta::Snapshot::from_file(file).map_err(|error| error.to_string())?;
        let text = text.as_text().expect("it is no binary one").to_string();
        let name = file.file_stem().unwrap().to_str().unwrap();
        names.insert(format!("{name}.snap"));
        let asserted = catch_unwind(|| {
            insta::with_settings!({
                snapshot_path => &kept,
                prepend_module_to_snapshot => false,
                omit_expression => true,
            }, {
                insta::assert_snapshot!(name, text);
            });
        });
        problems.extend(asserted.err().map(|_| format!("{name} is not what is kept; see above")));
    }
    for entry in fs::read_dir(&kept)? {
        let file = entry?.file_name().to_string_lossy().into_owned();
        if file.ends_with(".snap") && !names.contains(&file) {
            problems.push(format!("{file} is about nothing that was shown"));
        }
    }
    if problems.is_empty() { Ok(()) } else { Err(problems.join("\n").into()) }
}

/// Files, and the folder that they lie in.
struct Shown {
    files: Vec<PathBuf>,
    _folder: tempfile::TempDir,
}

fn shown(args: &[&str]) -> Result<Shown, Failed> {
    let folder = tempfile::tempdir()?;
    let out = folder.path().join("shown");
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfconform"));
    command.arg("check").args(args).args([
        "--cases",
        "1",
        "--quiet",
        "--no-cases",
        "--accept",
        "--snapshots",
    ]);
    let ran = command.arg(&out).current_dir(folder.path()).env_remove("TFCONFORM_SCRATCH").output()?;
    let said = format!("{}{}", String::from_utf8_lossy(&ran.stdout), String::from_utf8_lossy(&ran.stderr));
    if !ran.status.success() {
        return Err(said.into());
    }
    let files = fs::read_dir(&out)?.map(|entry| Ok(entry?.path())).collect::<std::io::Result<Vec<_>>>()?;
    Ok(Shown { files, _folder: folder })
}
