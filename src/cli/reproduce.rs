//! `reproduce`: a kept finding under real engines, or as a test.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};

use super::case_args::{AsTest, Reproduce};
use super::{Failed, Outcome, case, print};
use crate::report::Exit;
use crate::report::foreign::shown as shown_text;
use crate::reproduction::{Shown, Verdict, verdict};
use crate::session::{self, Case, EngineVerdict, Reproduction};

/// Looked for if no engine is named, in this order.
const ENGINES: [&str; 2] = ["terraform", "tofu"];

pub(super) fn reproduce(reproduce: &Reproduce) -> Outcome {
    let case = case::read(&reproduce.case)?;
    match reproduce.as_test {
        Some(kind) => print(&as_test(kind, &case)?),
        None => under_engines(reproduce, &case),
    }
}

fn under_engines(reproduce: &Reproduce, case: &Case) -> Outcome {
    let engines = engines(reproduce)?;
    let folder = case.folder();
    let written = format!("written to {}, with run.sh\n", folder.display());
    if engines.is_empty() {
        play(reproduce, case, None, session::PRINTED)?;
        print(&shown_text(&format!("{written}not run: there is neither terraform nor tofu on PATH\n")))?;
        return Ok(Exit::Conforms);
    }
    let (mut verdicts, mut told) = (Vec::new(), Vec::new());
    for (engine, output) in engines.iter().zip(outputs(&engines)) {
        let said = play(reproduce, case, Some(engine), &output)?;
        if *engine == engines[0] {
            print(&shown_text(&written))?;
        }
        match said {
            Some(Ok((verdict, words))) => {
                print(&format!("{}\n", words.told))?;
                verdicts.push(verdict);
                told.push(words);
            }
            Some(Err(why)) => {
                let text = format!("{}: no verdict: {why}; {output} has what it printed\n", engine.display());
                print(&shown_text(&text))?;
            }
            None => {}
        }
    }
    session::store_verdicts(&folder, &told)?;
    if verdicts.len() > 1 {
        print(&shown_text(&format!("{}\n", summary(&verdicts, &told))))?;
    }
    let is_confirmed = verdicts.iter().any(|verdict| matches!(verdict, Verdict::Confirmed(_)));
    let is_contradicted = verdicts.iter().any(|verdict| matches!(verdict, Verdict::NotConfirmed { .. }));
    Ok(match verdicts.is_empty() {
        true => Exit::Unusable,
        false if is_contradicted && !is_confirmed => Exit::Violates,
        false => Exit::Conforms,
    })
}

/// The oldest release of either engine that can play a case.
const OLDEST: u16 = 5;

/// The name and version of the engine that printed this.
///
/// Fails if that is no engine, or one that is too old.
fn engine_of(shown: &Shown) -> Result<String, String> {
    let is_known = |engine: &String| ENGINES.iter().any(|name| engine.starts_with(&format!("{name} ")));
    let Some(engine) = shown.engine().filter(is_known) else {
        return Err("it does not say that it is Terraform or OpenTofu".to_owned());
    };
    let minor = engine.split(['.', '-']).nth(1).and_then(|minor| minor.parse::<u16>().ok());
    match minor {
        Some(minor)
            if engine.split_once(' ').is_some_and(|(_, version)| version.starts_with("0."))
                || minor < OLDEST =>
        {
            Err(format!("{engine} is too old: 1.{OLDEST} is needed"))
        }
        _ => Ok(engine),
    }
}

/// What an engine says of a case, or why it says nothing.
type Said = Result<(Verdict, EngineVerdict), String>;

/// Writes the case, and has an engine play it.
fn play(
    reproduce: &Reproduce,
    case: &Case,
    engine: Option<&Path>,
    output: &str,
) -> Result<Option<Said>, Failed> {
    let suite = case::suite(case, &reproduce.case)?;
    let sought = case.sought()?;
    let rule = sought.rule;
    let shown = session::reproduce(
        &suite,
        &Reproduction {
            subject: case.subject(),
            scenario: &case.for_engines(),
            applied: case.origin.applied,
            about: &format!("{}: {}.\nExpected: {}.", rule.id, rule.headline(), sought.told()),
            folder: &case.folder(),
            engine,
            limit: reproduce.limit,
            output,
        },
    )?;
    let judged = |shown: Shown| {
        let engine = engine_of(&shown)?;
        let verdict = verdict(&sought, &shown);
        let told = shown_text(&format!("{}: {}", rule.id, verdict.told(&engine, rule.enforced)));
        Ok((verdict, EngineVerdict { engine, told }))
    };
    Ok(shown.map(judged))
}

/// Which engines show the finding, as in `shown by terraform 1.11.4, tofu 1.12.6; not by terraform 1.5.7`.
fn summary(verdicts: &[Verdict], told: &[EngineVerdict]) -> String {
    let named = |is_confirmed: bool| {
        let of = verdicts.iter().zip(told);
        let of = of.filter(|(verdict, _)| matches!(verdict, Verdict::Confirmed(_)) == is_confirmed);
        of.map(|(_, told)| told.engine.as_str()).collect::<Vec<_>>().join(", ")
    };
    match (named(true), named(false)) {
        (by, none) if none.is_empty() => format!("shown by {by}"),
        (none, by) if none.is_empty() => format!("not shown by {by}"),
        (by, not) => format!("shown by {by}; not by {not}"),
    }
}

/// The case as a test in an author's own language.
fn as_test(kind: AsTest, case: &Case) -> Result<String, Failed> {
    Ok(match kind {
        AsTest::Go => session::go_test(case)?,
        AsTest::Rust => session::rust_test(case),
    })
}

/// The engines that were asked for, or the first that is there.
fn engines(reproduce: &Reproduce) -> Result<Vec<PathBuf>, Failed> {
    if reproduce.with.is_empty() {
        return Ok(ENGINES.into_iter().find_map(session::engine).into_iter().collect());
    }
    let mut engines = Vec::new();
    for name in &reproduce.with {
        let found = session::engines(name);
        if found.is_empty() {
            return Err(Failed { exit: Exit::Unusable, message: format!("no such program: {name}") });
        }
        engines.extend(found.into_iter().filter(|path| !engines.contains(path)).collect::<Vec<_>>());
    }
    Ok(engines)
}

/// The names of the files with what each engine prints.
fn outputs(engines: &[PathBuf]) -> Vec<String> {
    if engines.len() == 1 {
        return vec![session::PRINTED.to_owned()];
    }
    let names: Vec<_> = engines.iter().map(|path| path.file_name().unwrap_or_default()).collect();
    let name = |(idx, name): (usize, &&OsStr)| {
        let n_before = names[..idx].iter().filter(|other| other == &name).count();
        let number = if n_before == 0 { String::new() } else { format!("-{}", n_before + 1) };
        format!("output-{}{number}.txt", name.to_string_lossy())
    };
    names.iter().enumerate().map(name).collect()
}
