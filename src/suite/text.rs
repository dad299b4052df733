//! Errors a suite's author can put right: file, line, key, and a suggestion.

use std::path::{Path, PathBuf};

/// What is wrong with a suite. Every variant names the file, and the line where there is one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SuiteError {
    #[error("{}: {error}", .file.display())]
    Read { file: PathBuf, error: String },
    #[error("{}:{line}: {problem}", .file.display())]
    Syntax { file: PathBuf, line: usize, problem: String },
    #[error("{}: known finding `{rule}` ({reason}) matches nothing any more; remove it", .file.display())]
    Stale { file: PathBuf, rule: String, reason: String },
}

impl SuiteError {
    pub(super) fn syntax(file: &Path, text: &str, error: &toml::de::Error) -> SuiteError {
        let line = error.span().map_or(1, |span| line_of(text, span.start));
        SuiteError::Syntax { file: file.to_owned(), line, problem: suggest(error.message()) }
    }

    /// An error at the first line that holds a key.
    pub(super) fn at_key(file: &Path, text: &str, key: &str, problem: impl Into<String>) -> SuiteError {
        let line = text.find(key).map_or(1, |at| line_of(text, at));
        SuiteError::Syntax { file: file.to_owned(), line, problem: problem.into() }
    }

    /// An error found once the provider's schema is known: at the last of `keys`, each looked for behind the one before.
    pub(super) fn in_file(file: &Path, keys: &[&str], problem: impl Into<String>) -> SuiteError {
        let text = std::fs::read_to_string(file).unwrap_or_default();
        let at = keys.iter().fold(0, |at, key| text[at..].find(key).map_or(at, |found| at + found));
        SuiteError::Syntax { file: file.to_owned(), line: line_of(&text, at), problem: problem.into() }
    }
}

fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// Adds the nearest name to the parser's "unknown field `x`, expected one of …".
fn suggest(message: &str) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    match (message.starts_with("unknown field"), quoted.next()) {
        (true, Some(given)) => format!("unknown key `{given}`{}", nearest(given, quoted)),
        _ => message.to_owned(),
    }
}

/// A hint that names what was probably meant; empty where nothing is near.
pub(crate) fn nearest<'a>(given: &str, candidates: impl Iterator<Item = &'a str>) -> String {
    candidates
        .map(|candidate| (strsim::jaro_winkler(candidate, given), candidate))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(likeness, _)| *likeness > 0.75)
        .map_or_else(String::new, |(_, candidate)| format!(", is it `{candidate}`?"))
}
