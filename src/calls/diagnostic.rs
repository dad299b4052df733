//! Diagnostics and their attribute paths.

use serde::{Deserialize, Serialize};

use crate::value::{AttributePath, PathStep, nfc};

/// A message for the user, as the protocol carries it.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Diagnostic {
    /// The number on the wire: 1 is an error, 2 a warning, anything else neither.
    pub severity: i32,
    pub summary: String,
    #[serde(default, skip_serializing_if = "String::is_empty")]
    pub detail: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub attribute: Option<WirePath>,
}

/// An attribute path as sent: a step without a selector is possible, and `None` here.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct WirePath(pub Vec<Option<WireStep>>);

#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum WireStep {
    Attribute(String),
    Key(String),
    Index(i64),
}

impl WirePath {
    /// As Core reads it: steps without a selector are dropped, and strings are normalised as always.
    pub fn to_path(&self) -> AttributePath {
        AttributePath::new(self.0.iter().flatten().map(|step| match step {
            WireStep::Attribute(name) => PathStep::Attribute(nfc(name).to_string()),
            WireStep::Key(key) => PathStep::Key(nfc(key).to_string()),
            WireStep::Index(index) => PathStep::Index(*index),
        }))
    }

    /// The path as it is written on the wire; cut off before a set element.
    pub fn of(path: &AttributePath) -> WirePath {
        let steps = path.steps().iter().map_while(|step| match step {
            PathStep::Attribute(name) => Some(Some(WireStep::Attribute(name.clone()))),
            PathStep::Key(key) => Some(Some(WireStep::Key(key.clone()))),
            PathStep::Index(index) => Some(Some(WireStep::Index(*index))),
            PathStep::Element(_) => None,
        });
        WirePath(steps.collect())
    }
}

/// What terraform-plugin-framework writes before it tells what is wrong with a provider.
const REPORT: &str = "Please report the following to the provider developer:\n";

/// How many diagnostics of an answer are read: comparing more takes longer than it is worth.
pub const MOST_DIAGNOSTICS: usize = 1_000;

/// How much of a diagnostic's text is read, in bytes.
pub const LONGEST_TEXT: usize = 64 << 10;

/// How many paths of a plan's `requires_replace` are read: more than a change has arguments.
pub const MOST_PATHS: usize = 10_000;

/// What comes before what was left out.
const LEFT_OUT: &str = " … tfconform left out ";

impl Diagnostic {
    pub const ERROR: i32 = 1;
    pub const WARNING: i32 = 2;

    pub fn error(summary: &str, detail: &str) -> Diagnostic {
        Diagnostic {
            severity: Diagnostic::ERROR,
            summary: summary.to_owned(),
            detail: detail.to_owned(),
            attribute: None,
        }
    }

    #[must_use]
    pub fn at(mut self, path: &AttributePath) -> Diagnostic {
        self.attribute = Some(WirePath::of(path));
        self
    }

    /// Says in the detail that something was too much to be read.
    pub(super) fn leave_out(&mut self, what: &str) {
        self.detail.push_str(&format!("{LEFT_OUT}{what}"));
    }

    /// Whether something was too much to be read: the text's end, or diagnostics after this one.
    pub fn is_cut(&self) -> bool {
        self.detail.contains(LEFT_OUT)
    }

    pub fn is_error(&self) -> bool {
        self.severity == Diagnostic::ERROR
    }

    /// The summary and the first line of the detail.
    pub fn heading(&self) -> String {
        joined(first_line(&self.summary), first_line(&self.detail))
    }

    /// The same, for people: if the detail asks to report what follows, that is here in place of the request.
    pub fn line(&self) -> String {
        match self.detail.split_once(REPORT) {
            Some((_, told)) if !told.trim().is_empty() => {
                let told = told.split_whitespace().collect::<Vec<_>>().join(" ");
                joined(first_line(&self.summary), told)
            }
            _ => self.heading(),
        }
    }
}

fn first_line(text: &str) -> String {
    text.trim().lines().next().unwrap_or_default().trim().to_owned()
}

fn joined(summary: String, detail: String) -> String {
    match (summary, detail) {
        (summary, detail) if detail.is_empty() || detail == summary => summary,
        (summary, detail) if summary.is_empty() => detail,
        (summary, detail) => format!("{summary}: {detail}"),
    }
}

/// Whether a response reports an error, which invalidates the rest of it.
pub fn has_errors<'d>(diagnostics: impl IntoIterator<Item = &'d Diagnostic>) -> bool {
    diagnostics.into_iter().any(Diagnostic::is_error)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_line_tells_what_is_to_be_reported() {
        let report =
            "This is always an error in the provider. Please report the following to the provider developer:";
        let line = |detail: &str| Diagnostic::error("Value Conversion Error", detail).line();
        let told = line(&format!("{report}\n\nReceived null value.\n\nTarget Type: int64"));
        assert_eq!(told, "Value Conversion Error: Received null value. Target Type: int64");
        assert_eq!(line(report), format!("Value Conversion Error: {report}"));
        assert_eq!(line("It is wrong.\nMore of it."), "Value Conversion Error: It is wrong.");
    }

    #[test]
    fn a_path_s_letters_are_composed_as_those_of_values() {
        let steps = [WireStep::Attribute("cafe\u{301}".to_owned()), WireStep::Key("e\u{301}".to_owned())];
        let path = WirePath(steps.into_iter().map(Some).chain([None]).collect()).to_path();
        assert_eq!(path, AttributePath::root().attribute("caf\u{e9}").key("\u{e9}"));
    }
}
