//! Text that others wrote (a provider, a file), made harmless and visible for a terminal.

use std::borrow::Cow;
use std::iter::Peekable;
use std::path::PathBuf;
use std::str::Chars;

use serde::Serialize;
use serde::de::DeserializeOwned;
use serde_json::{Map, Value as Json};

use super::Report;
use crate::rules::CATALOGUE;
use crate::value::is_invisible;

/// The text without escape sequences and controls; characters that cannot be seen are named, as `<U+202E>`.
/// Lines stay lines, a tab is two blanks. What a job of GitHub Actions would obey has a blank in it.
pub fn shown(text: &str) -> String {
    without_commands(&legible_text(text))
}

/// The text with a blank in what GitHub Actions takes for a command: `::error::` at the start of a line, where a line may
/// have been wrapped, and `##[error]` anywhere.
///
/// Source: GitHub's documentation, "Workflow commands for GitHub Actions".
fn without_commands(text: &str) -> String {
    if !text.contains("::") && !text.contains("##[") {
        return text.to_owned();
    }
    let text = text.replace("##[", "## [");
    let mut out = String::with_capacity(text.len());
    let mut rest = text.as_str();
    while let Some(at) = rest.find("::") {
        let (before, command) = rest.split_at(at);
        out.push_str(before);
        let begins = out.chars().next_back().is_none_or(char::is_whitespace);
        let word = command[2..].find(|c: char| !c.is_ascii_alphabetic() && c != '-').unwrap_or(0);
        let line = command[2..].lines().next().unwrap_or_default();
        let after = &line[word.min(line.len())..];
        let is_ended = after.starts_with("::") || (after.starts_with(' ') && after.contains("::"));
        let is_command = begins && word > 0 && is_ended;
        out.push_str(if is_command { ": :" } else { "::" });
        rest = &command[2..];
    }
    out + rest
}

fn legible_text(text: &str) -> String {
    let mut out = String::with_capacity(text.len());
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '\t' => out.push_str("  "),
            '\n' => out.push('\n'),
            '\u{1b}' => skip_sequence(&mut chars),
            c if c.is_control() => {}
            c if is_invisible(c, out.chars().next_back()) => {
                out.push_str(&format!("<U+{:04X}>", u32::from(c)))
            }
            c => out.push(c),
        }
    }
    out
}

/// Skips the rest of an escape sequence.
fn skip_sequence(chars: &mut Peekable<Chars<'_>>) {
    match chars.peek() {
        // Cursor, colours and modes: up to a letter.
        Some('[') => {
            chars.next();
            while chars.next().is_some_and(|c| !('@'..='~').contains(&c)) {}
        }
        // Titles, links, the clipboard and device strings: up to their terminator.
        Some(']' | 'P' | 'X' | '^' | '_') => {
            while let Some(c) = chars.next() {
                let ends = c == '\u{7}' || c == '\u{9c}' || (c == '\u{1b}' && chars.peek() == Some(&'\\'));
                if ends {
                    chars.next_if_eq(&'\\');
                    return;
                }
            }
        }
        _ => {}
    }
}

/// JSON with an escape for every character that cannot be seen: it means the same.
pub fn escaped_json(json: &str) -> String {
    let mut out = String::with_capacity(json.len());
    for c in json.chars() {
        if c != '\n' && is_invisible(c, out.chars().next_back()) {
            let mut units = [0; 2];
            c.encode_utf16(&mut units).iter().for_each(|unit| out.push_str(&format!("\\u{unit:04x}")));
        } else {
            out.push(c);
        }
    }
    out
}

impl Report {
    /// The same with paths that are text, for JSON; a path may have bytes that are none.
    pub(super) fn with_text_paths(&self) -> Cow<'_, Report> {
        let Some(snapshots) = &self.snapshots else { return Cow::Borrowed(self) };
        let text = |file: &PathBuf| PathBuf::from(file.to_string_lossy().into_owned());
        let mut snapshots = snapshots.clone();
        snapshots.unchanged = snapshots.unchanged.iter().map(text).collect();
        snapshots.changes.iter_mut().for_each(|change| change.file = text(&change.file));
        Cow::Owned(Report { snapshots: Some(snapshots), ..self.clone() })
    }

    /// The same with every text as [`shown`], for whoever prints it.
    #[must_use]
    pub(super) fn legible(&self) -> Report {
        let mut report = self.with_text_paths().into_owned();
        // Rules are ours; those of samples would not be found when the report is read back.
        let rules: Vec<_> = report.groups.iter().map(|group| group.rule).collect();
        report.groups.iter_mut().for_each(|group| group.rule = CATALOGUE[0]);
        let mut report = legible(&report);
        report.groups.iter_mut().zip(rules).for_each(|(group, rule)| group.rule = rule);
        report
    }
}

/// The same with every text as [`shown`]; something that can be written as JSON and read back.
pub fn legible<T: Serialize + DeserializeOwned>(written: &T) -> T {
    let json = serde_json::to_value(written).expect("it has only texts as keys");
    serde_json::from_value(legible_json(json)).expect("it can be read back")
}

fn legible_json(json: Json) -> Json {
    match json {
        Json::String(text) => Json::String(shown(&text)),
        Json::Array(items) => Json::Array(items.into_iter().map(legible_json).collect()),
        Json::Object(members) => {
            let members = members.into_iter().map(|(name, value)| (shown(&name), legible_json(value)));
            Json::Object(members.collect::<Map<_, _>>())
        }
        other => other,
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn nothing_reaches_a_terminal_that_it_would_obey() {
        assert_eq!(shown("\u{1b}[31mred\u{1b}[0m\tx\u{7}\r\n\u{1b}"), "red  x\n");
        assert_eq!(shown("\u{1b}]0;title\u{7}a\u{1b}]8;;http://x\u{1b}\\b\u{1b}Pq\u{9c}c"), "abc");
        assert_eq!(shown("\u{1b}]52;c;never ended"), "");
        assert_eq!(shown("\u{9b}31mx\u{85}"), "31mx");
    }

    #[test]
    fn nothing_is_a_command_of_a_job() {
        let hostile =
            "acme\n::error::gone\n  ::set-output name=a::b\n##[error]x\nwrapped ::warning file=a::b";
        let harmless = shown(hostile);
        assert!(!harmless.contains("##["), "{harmless}");
        assert!(!harmless.split_whitespace().any(|word| word.starts_with("::")), "{harmless}");
        for text in
            ["::1", "std::string", "at main::run::Thing", "::ffff:10.0.0.1 and ::", "a::b::c", "fe80::/64"]
        {
            assert_eq!(shown(text), text);
        }
    }

    #[test]
    fn what_cannot_be_seen_is_named() {
        assert_eq!(shown("a\u{202e}b\u{200b}"), "a<U+202E>b<U+200B>");
        assert_eq!(shown("\u{1f469}\u{200d}\u{1f680}"), "\u{1f469}\u{200d}\u{1f680}");
    }

    #[test]
    fn escaped_json_means_the_same() {
        let text = "a\u{202e}\u{e0041}\u{7f}\u{1f469}\u{200d}\u{1f680}";
        let json = escaped_json(&serde_json::to_string(text).unwrap());
        assert!(json.contains("\\u202e\\udb40\\udc41\\u007f"), "{json}");
        assert_eq!(serde_json::from_str::<String>(&json).unwrap(), text);
    }
}
