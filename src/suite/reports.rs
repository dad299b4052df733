//! Reports in files: of which kind, and where.

use std::fmt;
use std::path::PathBuf;
use std::str::FromStr;

use serde::Deserialize;

/// What a report is for, which decides how it is written. The one table of kinds.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ReportKind {
    Human,
    Json,
    Junit,
    Sarif,
    Html,
    Markdown,
}

impl ReportKind {
    pub const ALL: [ReportKind; 6] = [
        ReportKind::Human,
        ReportKind::Json,
        ReportKind::Junit,
        ReportKind::Sarif,
        ReportKind::Html,
        ReportKind::Markdown,
    ];

    pub fn name(self) -> &'static str {
        match self {
            ReportKind::Human => "human",
            ReportKind::Json => "json",
            ReportKind::Junit => "junit",
            ReportKind::Sarif => "sarif",
            ReportKind::Html => "html",
            ReportKind::Markdown => "markdown",
        }
    }

    /// What it is for, for the help.
    pub fn about(self) -> &'static str {
        match self {
            ReportKind::Human => "For people",
            ReportKind::Json => {
                "For programs, and for `report merge`: one JSON object per line (`run`, `finding`, `snapshot`, \
                 `coverage`, `report`, `summary`)"
            }
            ReportKind::Junit => "For CI servers: JUnit XML",
            ReportKind::Sarif => "For code scanning: SARIF 2.1.0",
            ReportKind::Html => "For browsers: one file that loads nothing else",
            ReportKind::Markdown => "For pull requests and job summaries, in short",
        }
    }
}

impl FromStr for ReportKind {
    type Err = String;

    fn from_str(text: &str) -> Result<ReportKind, String> {
        ReportKind::ALL.into_iter().find(|kind| kind.name() == text).ok_or_else(|| {
            format!(
                "there is no kind of report `{text}`, only {}",
                ReportKind::ALL.map(ReportKind::name).join(", ")
            )
        })
    }
}

/// A report in a file, as text `KIND=FILE`.
#[derive(Clone, Debug, PartialEq, Eq, Deserialize)]
#[serde(try_from = "String")]
pub struct ReportFile {
    pub kind: ReportKind,
    pub file: PathBuf,
}

impl FromStr for ReportFile {
    type Err = String;

    fn from_str(text: &str) -> Result<ReportFile, String> {
        let Some((kind, file)) = text.split_once('=').filter(|(_, file)| !file.is_empty()) else {
            return Err(format!("`{text}` is not KIND=FILE, such as `html=report.html`"));
        };
        Ok(ReportFile { kind: kind.parse()?, file: file.into() })
    }
}

impl TryFrom<String> for ReportFile {
    type Error = String;

    fn try_from(text: String) -> Result<ReportFile, String> {
        text.parse()
    }
}

impl fmt::Display for ReportFile {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}={}", self.kind.name(), self.file.display())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_report_file_is_named_by_its_kind_and_its_path() {
        for kind in ReportKind::ALL {
            let text = format!("{}=out/a=b", kind.name());
            let file: ReportFile = text.parse().unwrap();
            assert_eq!((file.kind, file.file.to_str()), (kind, Some("out/a=b")));
            assert_eq!(file.to_string(), text);
        }
        for (text, problem) in [
            ("html", "`html` is not KIND=FILE, such as `html=report.html`"),
            ("html=", "`html=` is not KIND=FILE, such as `html=report.html`"),
            ("pdf=a", "there is no kind of report `pdf`, only human, json, junit, sarif, html, markdown"),
        ] {
            assert_eq!(text.parse::<ReportFile>().unwrap_err(), problem);
        }
    }
}
