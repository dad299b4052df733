//! What is written to standard output.

use std::io::{IsTerminal as _, Write};

use super::args::Format;
use crate::report::events::Consumer;
use crate::report::human::{self, Style};
use crate::report::{AtTheEnd, json, junit};

/// Prints a report in a format, as much as possible while the run goes on.
pub(super) fn printer(format: Format, verbose: bool) -> Box<dyn Consumer> {
    let out = anstream::stdout();
    let style = Style {
        colour: std::io::stdout().is_terminal() && std::env::var_os("NO_COLOR").is_none(),
        verbose,
        ..Style::default()
    };
    match format {
        Format::Human => Box::new(AtTheEnd::new(out, move |report, exit| human::print(report, exit, &style))),
        Format::Json => Box::new(json::Lines::new(out)),
        Format::Junit => Box::new(AtTheEnd::new(out, junit::print)),
    }
}

/// Writes a text; a reader that has closed is not a failure.
pub(super) fn print(text: &str) {
    let mut out = anstream::stdout().lock();
    let _ = out.write_all(text.as_bytes());
    let _ = out.flush();
}
