//! A printer for each kind of report, to a stream or a file.

use std::fs::File;
use std::io::{self, Write};
use std::path::{Path, PathBuf};
use std::time::SystemTime;

use super::human::Style;
use super::{AtTheEnd, Printer, html, human, json, junit, markdown, sarif};
use crate::files;
use crate::suite::{ReportFile, ReportKind};

/// Prints a report as a kind, as much as possible while the run goes on; `style` is for people.
pub fn printer(kind: ReportKind, stream: impl Write + 'static, style: Style) -> Box<dyn Printer> {
    match kind {
        ReportKind::Human => {
            Box::new(AtTheEnd::new(stream, move |report, exit| human::print(report, exit, &style)))
        }
        ReportKind::Json => Box::new(json::Lines::new(stream)),
        ReportKind::Junit => Box::new(AtTheEnd::new(stream, junit::print)),
        ReportKind::Sarif => Box::new(AtTheEnd::new(stream, sarif::print)),
        ReportKind::Html => {
            let print = |report: &_, exit| html::print(report, exit, SystemTime::now());
            Box::new(AtTheEnd::new(stream, print))
        }
        ReportKind::Markdown => Box::new(AtTheEnd::new(stream, markdown::print)),
    }
}

/// Writes a report to a file; its folder is created. JSON Lines are written as they come, so that a run that is
/// killed leaves what it has found; everything else is written in one piece, at the end.
///
/// Fails at once if it can be told that the file cannot be written.
pub fn in_file(report: &ReportFile, style: Style) -> io::Result<Box<dyn Printer>> {
    let ReportFile { kind, file } = report;
    files::can_be_replaced(file)?;
    Ok(match kind {
        ReportKind::Json => printer(*kind, File::create(file)?, style),
        _ => printer(*kind, WholeFile::new(file), style),
    })
}

/// A file that is replaced by what was written whenever that is flushed.
struct WholeFile {
    file: PathBuf,
    text: Vec<u8>,
}

impl WholeFile {
    fn new(file: &Path) -> WholeFile {
        WholeFile { file: file.to_owned(), text: Vec::new() }
    }
}

impl Write for WholeFile {
    fn write(&mut self, bytes: &[u8]) -> io::Result<usize> {
        self.text.write(bytes)
    }

    fn flush(&mut self) -> io::Result<()> {
        files::replace(&self.file, &self.text)
    }
}

#[cfg(test)]
mod tests {
    use super::super::events::{Event, Expected};
    use super::super::{Exit, samples};
    use super::*;

    #[test]
    fn every_kind_is_written_to_its_file_once_it_is_complete() {
        let folder = tempfile::tempdir().unwrap();
        let report = samples::everything();
        for kind in ReportKind::ALL {
            let file = folder.path().join(format!("new/{}", kind.name()));
            let printer = in_file(&ReportFile { kind, file: file.clone() }, Style::default()).unwrap();
            printer.consume(Event::RunStarted { run: &report.run, expected: Expected::default() });
            let streams = kind == ReportKind::Json;
            assert_eq!(file.exists(), streams, "{}", kind.name());
            printer.consume(Event::RunEnded(&report));
            printer.consume(Event::Concluded { report: &report, exit: Exit::Violates });
            printer.written().unwrap();
            let text = std::fs::read_to_string(&file).unwrap();
            assert!(text.contains("plan/preserves-sample"), "{}: {text}", kind.name());
        }
    }

    #[test]
    fn a_file_that_cannot_be_written_is_an_error() {
        let to = |kind, file: &str| ReportFile { kind, file: file.into() };
        for kind in ReportKind::ALL {
            assert!(in_file(&to(kind, "/dev/null/report"), Style::default()).is_err());
            let printer = in_file(&to(kind, "/dev/full"), Style::default()).unwrap();
            let report = samples::everything();
            printer.consume(Event::RunEnded(&report));
            printer.consume(Event::Concluded { report: &report, exit: Exit::Violates });
            assert_eq!(printer.written().unwrap_err().kind(), io::ErrorKind::StorageFull);
        }
    }
}
