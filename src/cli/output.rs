//! What is written to standard output.

use std::io::{self, IsTerminal as _};

use super::args::Format;
use super::{Failed, Outcome};
use crate::report::{self, AtTheEnd, Exit, Printer, human, human::Style, json, junit};

/// Prints a report in a format, as much as possible while the run goes on.
pub(super) fn printer(format: Format, verbose: bool, coverage: bool) -> Box<dyn Printer> {
    let out = anstream::stdout();
    let style = Style {
        colour: io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        verbose,
        coverage,
        ..Style::default()
    };
    match format {
        Format::Human => Box::new(AtTheEnd::new(out, move |report, exit| human::print(report, exit, &style))),
        Format::Json => Box::new(json::Lines::new(out)),
        Format::Junit => Box::new(AtTheEnd::new(out, junit::print)),
    }
}

/// The exit code of a report that was printed: the run's, unless the report could not be written.
pub(super) fn printed(printer: &dyn Printer, exit: Exit) -> Outcome {
    printer.written().map(|()| exit).map_err(|error| {
        let keeps = exit == Exit::OurBug || exit.is_early();
        Failed {
            exit: if keeps { exit } else { Exit::NotWritten },
            message: format!("failed to write the report: {error}"),
        }
    })
}

/// Writes a text to standard output.
pub(super) fn print(text: &str) -> Outcome {
    let written = report::print(anstream::stdout().lock(), text);
    written.map(|()| Exit::Conforms).map_err(|error| not_written(&error))
}

/// Standard output could not be written to.
pub(super) fn not_written(error: &io::Error) -> Failed {
    Failed { exit: Exit::NotWritten, message: format!("failed to write to standard output: {error}") }
}
