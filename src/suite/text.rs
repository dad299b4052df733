//! Errors a suite's author can put right: file, line, key, and a suggestion.

use std::path::{Path, PathBuf};

use toml::de::{DeTable, DeValue};

use crate::files;

/// What is wrong with a suite. Every variant names the file, and the line where there is one.
#[derive(Debug, Clone, PartialEq, thiserror::Error)]
pub enum SuiteError {
    #[error("{}: {error}", .file.display())]
    Read { file: PathBuf, error: String },
    #[error("{}:{line}: {problem}", .file.display())]
    Syntax { file: PathBuf, line: usize, problem: String },
    #[error("{}: known finding `{rule}` ({reason}) no longer matches anything; remove it", .file.display())]
    Stale { file: PathBuf, rule: String, reason: String },
}

impl SuiteError {
    pub(super) fn syntax(file: &Path, text: &str, error: &toml::de::Error) -> SuiteError {
        let at = error.span().map_or(0, |span| span.start);
        let problem = spoken(error.message(), key_at(text, at));
        SuiteError::Syntax { file: file.to_owned(), line: line_of(text, at), problem }
    }

    /// An error at the last of `keys` that the text has, each below the one before; an item of an array
    /// goes by its number, counted from 0.
    pub(super) fn at(file: &Path, text: &str, keys: &[&str], problem: impl Into<String>) -> SuiteError {
        let line = line_of(text, offset(text, keys));
        SuiteError::Syntax { file: file.to_owned(), line, problem: problem.into() }
    }

    /// As [`SuiteError::at`], for what is found after the file was read.
    pub(crate) fn in_file(file: &Path, keys: &[&str], problem: impl Into<String>) -> SuiteError {
        let text = files::read_text(file).unwrap_or_default();
        SuiteError::at(file, &text, keys, problem)
    }
}

/// The line of an offset, counted from 1.
pub(crate) fn line_of(text: &str, at: usize) -> usize {
    text.as_bytes()[..at.min(text.len())].iter().filter(|byte| **byte == b'\n').count() + 1
}

/// Where the last existing one of `keys` begins.
fn offset(text: &str, keys: &[&str]) -> usize {
    let Ok(root) = DeTable::parse(text) else { return 0 };
    let root = DeValue::Table(root.into_inner());
    let (mut at, mut here) = (0, &root);
    for key in keys {
        let next = match here {
            DeValue::Table(members) => {
                let member = members.iter().find(|(name, _)| name.get_ref() == key);
                member.map(|(name, value)| (name.span(), value))
            }
            DeValue::Array(items) => {
                let item = key.parse().ok().and_then(|idx: usize| items.get(idx));
                item.map(|item| (item.span(), item))
            }
            _ => None,
        };
        let Some((span, value)) = next else { break };
        (at, here) = (span.start, value.get_ref());
    }
    at
}

/// The key whose name or value holds an offset of the text, such as `run.engine`.
fn key_at(text: &str, at: usize) -> Option<String> {
    fn within(value: &DeValue<'_>, at: usize) -> Option<Vec<String>> {
        match value {
            DeValue::Table(members) => members.iter().find_map(|(name, value)| {
                let is_here = name.span().contains(&at) || value.span().contains(&at);
                let below = within(value.get_ref(), at).or_else(|| is_here.then(Vec::new))?;
                Some([vec![name.get_ref().to_string()], below].concat())
            }),
            DeValue::Array(items) => items.iter().find_map(|item| within(item.get_ref(), at)),
            _ => None,
        }
    }
    let root = DeTable::parse(text).ok()?.into_inner();
    within(&DeValue::Table(root), at).map(|keys| keys.join("."))
}

/// The parser's message, with the key that it is about and the nearest name.
fn spoken(message: &str, key: Option<String>) -> String {
    let mut quoted = message.split('`').skip(1).step_by(2);
    let given = quoted.next().unwrap_or_default();
    let named = key.map(|key| format!("`{key}`: ")).unwrap_or_default();
    if message.starts_with("unknown field") {
        format!("unknown key `{given}`{}", nearest(given, quoted))
    } else if message.starts_with("unknown variant") {
        let known: Vec<String> = quoted.clone().map(|name| format!("`{name}`")).collect();
        format!("{named}`{given}` is not one of {}{}", known.join(", "), nearest(given, quoted))
    } else if message.starts_with("cannot recurse further") {
        format!("{named}arrays and tables are nested too deeply")
    } else {
        format!("{named}{message}")
    }
}

/// A hint that names what was probably meant; empty if nothing is similar.
pub(crate) fn nearest<'a>(given: &str, candidates: impl Iterator<Item = &'a str> + Clone) -> String {
    // A part of one name means that one, or the longer names that begin with it.
    let mut longer = candidates.clone().filter(|candidate| given.len() > 2 && candidate.contains(given));
    if let Some(first) = longer.next()
        && longer.all(|other| other.starts_with(first))
    {
        return format!(", did you mean `{first}`?");
    }
    candidates
        .map(|candidate| (strsim::jaro_winkler(candidate, given), candidate))
        .max_by(|a, b| a.0.total_cmp(&b.0))
        .filter(|(likeness, _)| *likeness > 0.75)
        .map_or_else(String::new, |(_, candidate)| format!(", did you mean `{candidate}`?"))
}
