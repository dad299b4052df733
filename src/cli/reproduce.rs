//! `reproduce`: a kept finding under the real engine.

use std::path::PathBuf;

use super::args::Reproduce;
use super::{Failed, Outcome, case, print};
use crate::record;
use crate::report::Exit;
use crate::report::foreign::shown as shown_text;
use crate::reproduction::{Verdict, verdict};
use crate::rules;
use crate::session::{self, Reproduction};

/// Looked for if no engine is named, in this order.
const ENGINES: [&str; 2] = ["terraform", "tofu"];

pub(super) fn reproduce(reproduce: &Reproduce) -> Outcome {
    let case = case::read(&reproduce.case)?;
    let mut suite = case.suite(&reproduce.case)?;
    suite.run.seed = case.seed;
    let rule = rules::find(&case.kept_for.rule)
        .ok_or_else(|| Failed::usage(format!("there is no rule {} any more", case.kept_for.rule)))?;
    let engine = engine(reproduce)?;
    let folder = record::file_of(&reproduce.case.case).with_extension("");
    let shown = session::reproduce(
        &suite,
        &Reproduction {
            subject: &case.subject,
            scenario: &case.scenario,
            applied: case.origin.applied,
            about: &format!("{}: {}.\nExpected: {}.", rule.id, rule.headline(), rule.shows),
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
    let verdict = verdict(rule, &shown);
    let engine = shown.engine().unwrap_or_else(|| "the engine".to_owned());
    print(&shown_text(&format!("{written}{}: {}\n", rule.id, verdict.told(&engine))))?;
    Ok(match verdict {
        Verdict::Confirmed(_) | Verdict::Silent => Exit::Conforms,
        Verdict::NotConfirmed { .. } => Exit::Violates,
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
