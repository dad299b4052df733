//! `issue`: a kept finding as a bug report.

use std::path::Path;

use super::case_args::Issue;
use super::{Failed, Outcome, case, print};
use crate::report::issue::{self, Circumstances};
use crate::reproduction;
use crate::run::{self, judge::Replaced};
use crate::session::{self, Case, EngineVerdict};

pub(super) fn issue(issue: &Issue) -> Outcome {
    let case = case::read(&issue.case)?;
    let program = issue.case.path.as_deref().or(case.origin.program.as_deref());
    let played = session::stored_verdicts(&case);
    let mut around = Circumstances {
        versions: versions(&case, program, &played),
        configurations: session::configurations(&case).map_err(|error| error.to_string()),
        steps: reproduction::steps(&case.scenario, case.origin.applied),
        changes: reproduction::changes_outside(&case.scenario),
        said: Vec::new(),
        check: String::new(),
        case: case.file.file_name().unwrap_or_default().to_string_lossy().into_owned(),
        verdicts: played.into_iter().map(|played| played.told).collect(),
    };
    let Case { file, recorded, kept_for, origin, .. } = case;
    let files = [(file, recorded)];
    let report = run::judge::judge(&files, &Replaced::NOTHING);
    let [(file, recorded)] = &files;
    let at = issue::of_case(&report, &kept_for).ok_or_else(|| {
        let rule = &kept_for.rule;
        Failed::usage(format!("{}: {rule} is not found in it any more: the rule has changed", file.display()))
    })?;
    let (engine, seed) = (recorded.transcript.subject.engine, recorded.transcript.scenario.seed);
    let address = report.groups[at].address();
    around.check = run::rerun_command::check_type(&origin, engine, seed, &address);
    let exchange = (report.groups[at].first.exchange as usize).checked_sub(1);
    if let Some(exchange) = exchange.and_then(|idx| recorded.transcript.exchanges.get(idx)) {
        around.said = exchange.call.diagnostics().into_iter().cloned().collect();
    }
    print(&issue::print(&report, at, &around))
}

/// What was run, each with its version where that is known.
fn versions(case: &Case, program: Option<&Path>, played: &[EngineVerdict]) -> Vec<(&'static str, String)> {
    let subject = case.subject();
    let provider = match program.and_then(Path::file_name) {
        Some(program) => format!("{} ({})", subject.name, program.to_string_lossy()),
        None => subject.name.clone(),
    };
    let engines: Vec<&str> = played.iter().map(|played| played.engine.as_str()).collect();
    let engine = match engines.is_empty() {
        true => format!("{}, imitated", subject.engine.name()),
        false => engines.join(", "),
    };
    vec![
        ("Provider", provider),
        ("Protocol", subject.protocol.to_string()),
        ("Engine", engine),
        ("tfconform", env!("CARGO_PKG_VERSION").to_owned()),
    ]
}
