//! What is written to standard output.

use std::io;
use std::ops::RangeInclusive;

use anstream::{AutoStream, ColorChoice};
use terminal_size::Width;

use super::args::Format;
use super::{Failed, Outcome};
use crate::report::{self, AtTheEnd, Exit, Printer, human, human::Style, json, junit};

/// Prints a report in a format, as much as possible while the run goes on.
pub(super) fn printer(format: Format, verbose: bool, coverage: bool) -> Box<dyn Printer> {
    let out = anstream::stdout();
    let style = Style {
        colour: is_coloured(),
        width: terminal_width().unwrap_or(Style::default().width),
        verbose,
        coverage,
    };
    match format {
        Format::Human => Box::new(AtTheEnd::new(out, move |report, exit| human::print(report, exit, &style))),
        Format::Json => Box::new(json::Lines::new(out)),
        Format::Junit => Box::new(AtTheEnd::new(out, junit::print)),
    }
}

/// As `NO_COLOR`, `CLICOLOR_FORCE` and the terminal say.
fn is_coloured() -> bool {
    AutoStream::choice(&io::stdout()) != ColorChoice::Never
}

/// The narrowest and the widest layout.
const WIDTHS: RangeInclusive<usize> = 60..=160;

/// The columns of the terminal, if the report goes to one.
fn terminal_width() -> Option<usize> {
    let (Width(columns), _) = terminal_size::terminal_size_of(io::stdout())?;
    Some(usize::from(columns).clamp(*WIDTHS.start(), *WIDTHS.end()))
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
