//! `judge`: judges recorded transcripts again, without a provider.

use super::args::Judge;
use super::{Failed, Outcome, output};
use crate::record;
use crate::report::Exit;
use crate::report::events::Event;
use crate::rule::Level;
use crate::run;

pub(super) fn judge(judge: &Judge) -> Outcome {
    let read = |file: &std::path::PathBuf| {
        let recorded = record::read(file).map_err(|error| Failed::usage(error.to_string()))?;
        Ok((file.clone(), recorded))
    };
    let files: Vec<_> = judge.files.iter().map(read).collect::<Result<_, Failed>>()?;
    let fail_on = judge.strict.then_some(Level::Advice);
    let report = run::judge::judge(&files, judge.engine, fail_on);
    let fails = report.at_least(report.run.fail_on) > 0;
    let exit = if fails { Exit::Violates } else { Exit::Conforms };
    let printer = output::printer(judge.format, judge.strict || judge.verbose, false);
    printer.consume(Event::RunStarted { run: &report.run, n_scenarios: None });
    printer.consume(Event::RunEnded(&report));
    printer.consume(Event::Concluded { report: &report, exit });
    output::printed(printer.as_ref(), exit)
}
