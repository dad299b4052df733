//! The line that holds the whole report, and reading it back.

use std::borrow::Cow;
use std::io::{self, BufRead};

use serde::{Deserialize, Serialize};

use super::{FORMAT, VERSION};
use crate::report::{Exit, Report};

/// The whole report.
#[derive(Debug, Serialize)]
pub(super) struct Stored<'a> {
    format: u32,
    tfconform: &'static str,
    exit_code: u8,
    report: Cow<'a, Report>,
}

impl<'a> Stored<'a> {
    pub(super) fn of(report: &'a Report, exit: Exit) -> Stored<'a> {
        Stored {
            format: FORMAT,
            tfconform: VERSION,
            exit_code: exit.code(),
            report: report.with_text_paths(),
        }
    }
}

/// Why a report cannot be read back.
#[derive(Debug, thiserror::Error)]
pub enum ReadError {
    #[error("{0}")]
    Io(#[from] io::Error),
    #[error("line {0} is not an event of a report in JSON")]
    NoEvent(usize),
    #[error("line {0} has a format that this version does not know")]
    Format(usize),
    #[error("it was written by tfconform {0}; only that version can read it back")]
    Version(String),
    #[error("line {line}: {error}")]
    Report { line: usize, error: serde_json::Error },
    #[error("it is incomplete: the run ended before it was written, or lines are missing")]
    Incomplete,
}

/// What every line has.
#[derive(Deserialize)]
struct Head<'a> {
    #[serde(borrow)]
    event: Cow<'a, str>,
    format: u32,
    #[serde(default)]
    tfconform: Option<String>,
}

/// What is read back of the line with the report.
#[derive(Deserialize)]
struct Body {
    exit_code: u8,
    report: Report,
}

/// Reads a report back from its JSON Lines, with its exit code.
pub fn read(lines: impl BufRead) -> Result<(Report, Exit), ReadError> {
    for (idx, text) in lines.lines().enumerate() {
        let (text, line) = (text?, idx + 1);
        let Head { event, format, tfconform } =
            serde_json::from_str(&text).map_err(|_| ReadError::NoEvent(line))?;
        if format != FORMAT {
            return Err(ReadError::Format(line));
        }
        if event != "report" {
            continue;
        }
        // What the model holds changes from version to version.
        if let Some(other) = tfconform.filter(|version| version != VERSION) {
            return Err(ReadError::Version(other));
        }
        let body: Body = serde_json::from_str(&text).map_err(|error| ReadError::Report { line, error })?;
        let exit = Exit::of(body.exit_code).ok_or(ReadError::Incomplete)?;
        return Ok((body.report, exit));
    }
    Err(ReadError::Incomplete)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::{Group, samples};
    use crate::rules::CATALOGUE;
    use crate::value::tree::Tree;

    /// A report of rules that exist.
    fn report() -> Report {
        let mut report = samples::everything();
        report.groups.iter_mut().for_each(|group| group.rule = CATALOGUE[0]);
        report
    }

    fn written(report: &Report) -> String {
        super::super::line(&super::super::Event::Report(Box::new(Stored::of(report, Exit::Violates))))
    }

    fn problem(text: &str) -> String {
        read(text.as_bytes()).unwrap_err().to_string()
    }

    #[test]
    fn a_written_report_is_read_back() {
        let report = report();
        let text = format!("{{\"event\":\"run\",\"format\":1}}\n{}", written(&report));
        let (again, exit) = read(text.as_bytes()).unwrap();
        assert_eq!((again, exit), (report, Exit::Violates));
    }

    #[test]
    fn the_deepest_value_is_read_back() {
        let mut tree = Tree::leaf("1");
        for _ in 0..32 {
            tree = Tree::Object(vec![("inner".to_owned(), tree)]);
        }
        let mut finding = samples::plan_finding();
        let mut evidence = (*finding.first.evidence).clone();
        evidence.objects = vec![("planned state".to_owned(), tree)].into();
        finding.first.evidence = crate::record::Masked::sample(evidence);
        let report = samples::report(vec![Group { rule: CATALOGUE[0], ..finding }]);
        assert_eq!(read(written(&report).as_bytes()).unwrap().0, report);
    }

    #[test]
    fn what_cannot_be_read_back_says_why() {
        let text = written(&report());
        assert_eq!(problem(""), problem("{\"event\":\"run\",\"format\":1}\n"));
        assert!(problem("").starts_with("it is incomplete"));
        assert_eq!(problem("<xml>"), "line 1 is not an event of a report in JSON");
        assert!(problem("{\"event\":\"run\",\"format\":9}").contains("line 1 has a format"));
        let older = text.replace(&format!("\"tfconform\":\"{VERSION}\""), "\"tfconform\":\"0.0.1\"");
        assert_eq!(problem(&older), "it was written by tfconform 0.0.1; only that version can read it back");
        let odd = text.replace(CATALOGUE[0].id, "plan/gone");
        assert!(problem(&odd).contains("there is no rule `plan/gone`"), "{}", problem(&odd));
    }
}
