//! `judge`: judges recorded transcripts again, without a provider.

use super::args::Judge;
use super::output::Outputs;
use super::{Failed, Outcome};
use crate::record;
use crate::report::Exit;
use crate::rule::Level;
use crate::run;
use crate::run::judge::Replaced;
use crate::suite::Handling;

pub(super) fn judge(judge: &Judge) -> Outcome {
    let read = |file: &std::path::PathBuf| {
        let recorded = record::read(file).map_err(|error| Failed::usage(error.to_string()))?;
        Ok((file.clone(), recorded))
    };
    let files: Vec<_> = judge.files.iter().map(read).collect::<Result<_, Failed>>()?;
    let replaced = Replaced {
        engine: judge.engine,
        shows_calls: judge.output.shows_calls(),
        fail_on: judge.strict.then_some(Level::Advice),
        decisions: [
            (Handling::Deny, judge.deny.as_slice()),
            (Handling::Warn, judge.warn.as_slice()),
            (Handling::Allow, judge.allow.as_slice()),
        ],
    };
    let report = run::judge::judge(&files, &replaced);
    let fails = report.at_least(report.run.fail_on) > 0;
    let exit = if fails { Exit::Violates } else { Exit::Conforms };
    let verbose = judge.strict || judge.output.is_verbose();
    Outputs::open(&judge.output, verbose, false, &judge.report)?.print(&report, exit)
}
