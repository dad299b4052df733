//! `reproduce`: a kept finding under the real engine, or as a test.

use std::path::PathBuf;

use super::case_args::{AsTest, Reproduce};
use super::{Failed, Outcome, case, print};
use crate::report::Exit;
use crate::report::foreign::shown as shown_text;
use crate::reproduction::{Verdict, verdict};
use crate::session::{self, Case, Reproduction};

/// Looked for if no engine is named, in this order.
const ENGINES: [&str; 2] = ["terraform", "tofu"];

pub(super) fn reproduce(reproduce: &Reproduce) -> Outcome {
    let case = case::read(&reproduce.case)?;
    match reproduce.as_test {
        Some(kind) => print(&as_test(kind, &case)?),
        None => under_an_engine(reproduce, &case),
    }
}

fn under_an_engine(reproduce: &Reproduce, case: &Case) -> Outcome {
    let suite = case::suite(case, &reproduce.case)?;
    let sought = case.sought()?;
    let rule = sought.rule;
    let engine = engine(reproduce)?;
    let folder = case.folder();
    let shown = session::reproduce(
        &suite,
        &Reproduction {
            subject: case.subject(),
            scenario: &case.scenario,
            applied: case.origin.applied,
            about: &format!("{}: {}.\nExpected: {}.", rule.id, rule.headline(), sought.told()),
            folder: &folder,
            engine: engine.as_deref(),
            limit: reproduce.limit,
        },
    )?;
    let written = format!("written to {}, with run.sh\n", folder.display());
    let Some(shown) = shown else {
        print(&shown_text(&format!("{written}not run: there is neither terraform nor tofu on PATH\n")))?;
        return Ok(Exit::Conforms);
    };
    let verdict = verdict(&sought, &shown);
    let engine = shown.engine().unwrap_or_else(|| "the engine".to_owned());
    let told = shown_text(&format!("{}: {}\n", rule.id, verdict.told(&engine)));
    session::store_verdict(&folder, &told)?;
    print(&shown_text(&format!("{written}{told}")))?;
    Ok(match verdict {
        Verdict::Confirmed(_) | Verdict::Silent => Exit::Conforms,
        Verdict::NotConfirmed { .. } => Exit::Violates,
    })
}

/// The case as a test in an author's own language.
fn as_test(kind: AsTest, case: &Case) -> Result<String, Failed> {
    Ok(match kind {
        AsTest::Go => session::go_test(case)?,
        AsTest::Rust => session::rust_test(case),
    })
}

/// The engine that was asked for, or the first that is there.
fn engine(reproduce: &Reproduce) -> Result<Option<PathBuf>, Failed> {
    let Some(name) = &reproduce.with else {
        return Ok(ENGINES.into_iter().find_map(session::engine));
    };
    let missing = || Failed { exit: Exit::Unusable, message: format!("no such program: {name}") };
    session::engine(name).map(Some).ok_or_else(missing)
}
