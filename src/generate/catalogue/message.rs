//! Entries of the catalogue.

use std::collections::BTreeSet;

use regex::{Captures, Regex};
use serde::Deserialize;

use crate::generate::witness::Format;

/// A kind of message that providers send, and what it teaches.
#[derive(Debug)]
pub struct Message {
    pub id: String,
    pub tier: Tier,
    /// Matched against the summary and, on lines of its own, the detail, without values of the request.
    pub expression: Regex,
    pub teaches: Teaching,
    /// A text that it matches.
    pub example: String,
}

/// How much a match says, and which other entries still count.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Tier {
    /// The words of an SDK: the first match is all that counts.
    Sdk,
    /// Words with one meaning, of a scope that is not known.
    Family,
    Prose,
    /// Counts only if nothing else matches.
    Characters,
}

/// What a match teaches, of the argument that the message is about unless it says otherwise.
///
/// The parts come from named groups of the expression: `key` and `other` are arguments, `list` is a list of
/// values or arguments, `min`, `max`, `size` (both ends), `above` and `below` (not included) are numbers, `pattern` is a regular expression,
/// `text` is anything else. A group of another branch has a digit after its name: `min2`.
#[derive(Clone, Debug, PartialEq, Deserialize)]
#[serde(tag = "teaches", rename_all = "kebab-case", deny_unknown_fields)]
pub enum Teaching {
    /// The argument `key`, or else the one that the message is about, must be set.
    Required {},
    /// The same must not be set.
    Forbidden {},
    /// `key` must be set where `other` is `text`.
    RequiredWhen {},
    ForbiddenWhen {},
    /// At least one of the arguments that the text mentions and that are not set.
    Mentioned {},
    /// Those in `list`, or `key` and `other`. With `with_path`: and the one that the message is about.
    AtMostOne {
        #[serde(default)]
        with_path: bool,
    },
    AtLeastOne {
        #[serde(default)]
        with_path: bool,
    },
    ExactlyOne {
        #[serde(default)]
        with_path: bool,
    },
    /// With `key`, the others; without one, all in `list`.
    Together {},
    SetIfUnset {},
    /// One of the arguments in `list` must be true.
    OneTrue {},
    /// `bound` is "at least", "at most", a comparative or "equal", `text` is "sum" or "product" of those in `list`.
    Relation {},
    OneOf {},
    NoneOf {},
    Bytes {
        min: Option<i64>,
        max: Option<i64>,
        #[serde(default)]
        of: Of,
    },
    Chars {},
    Range {
        min: Option<i64>,
        max: Option<i64>,
    },
    /// A range of a number, a length of a text, a count of blocks.
    Size {},
    DivisibleBy {},
    Pattern {
        #[serde(default)]
        of: Of,
    },
    NotPattern {},
    NoneOfChars {},
    Count {},
    Unique {},
    NoNullElements {},
    Whole {},
    Format {
        /// Without it the group `format` names one.
        format: Option<Format>,
    },
    /// The group `text`, or else always the same text.
    Literal {
        #[serde(default)]
        text: Option<String>,
    },
    Prefix {},
    Suffix {},
    Contains {},
    Layout {},
    Characters {},
    UrlSchemes {},
    PrefixLength {},
    /// The value that was sent is the name of no file.
    MissingFile {},
    /// The value that was sent lacks the path segment `text`.
    NextSegment {},
    /// The value that was sent lacks the value of its last path segment.
    PadSegment {},
    /// `text` is prose; nothing else in the message is.
    Prose {},
}

/// What in a map a message is about.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Of {
    /// It does not say.
    #[default]
    Either,
    Keys,
    Values,
}

/// Why a text is no list of messages.
#[derive(Debug, thiserror::Error)]
pub enum MessageError {
    #[error(transparent)]
    Toml(#[from] toml::de::Error),
    #[error("message {entry}: {problem}")]
    Entry {
        /// Its id, or its position counted from 1 if it has none.
        entry: String,
        problem: String,
    },
}

/// What is common to all entries; the rest is a [`Teaching`].
#[derive(Deserialize)]
struct Head {
    id: String,
    tier: u8,
    matches: String,
    example: String,
}

#[derive(Deserialize)]
#[serde(deny_unknown_fields)]
struct File {
    #[serde(default)]
    message: Vec<toml::Table>,
}

/// Reads `[[message]]` tables; every entry has its own id and matches its own example.
pub fn parse(text: &str) -> Result<Vec<Message>, MessageError> {
    let file: File = toml::from_str(text)?;
    let mut ids = BTreeSet::new();
    let mut messages = Vec::new();
    for (idx, table) in file.message.into_iter().enumerate() {
        let id = table.get("id").and_then(|id| id.as_str()).map(str::to_owned);
        let entry = id.unwrap_or_else(|| format!("number {}", idx + 1));
        let read = Message::read(table).and_then(|message| match ids.insert(message.id.clone()) {
            true => Ok(message),
            false => Err("its id is taken".to_owned()),
        });
        messages.push(read.map_err(|problem| MessageError::Entry { entry, problem })?);
    }
    Ok(messages)
}

impl Message {
    fn read(mut table: toml::Table) -> Result<Message, String> {
        let mut common = toml::Table::new();
        for key in ["id", "tier", "matches", "example"] {
            common.extend(table.remove(key).map(|value| (key.to_owned(), value)));
        }
        let head: Head = common.try_into().map_err(|error: toml::de::Error| error.message().to_owned())?;
        let teaches: Teaching =
            table.try_into().map_err(|error: toml::de::Error| error.message().to_owned())?;
        let expression = Regex::new(&head.matches).map_err(|error| error.to_string())?;
        let groups: Vec<&str> = expression.capture_names().flatten().map(base).collect();
        let missing = teaches.groups().iter().find(|options| !options.iter().any(|one| groups.contains(one)));
        if let Some(options) = missing {
            return Err(format!("its expression has no group named {}", options.join(" or ")));
        }
        if !expression.is_match(&head.example) {
            return Err("its expression does not match its example".to_owned());
        }
        let tier = match head.tier {
            1 => Tier::Sdk,
            2 => Tier::Family,
            3 => Tier::Prose,
            4 => Tier::Characters,
            other => return Err(format!("there is no tier {other}, only 1 to 4")),
        };
        Ok(Message { id: head.id, tier, expression, teaches, example: head.example })
    }

    pub(super) fn matched<'t>(&self, text: &'t str) -> Option<Matched<'t>> {
        self.expression.captures(text).map(Matched)
    }
}

/// The words that an expression matched.
pub(super) struct Matched<'t>(Captures<'t>);

impl<'t> Matched<'t> {
    pub fn words(&self) -> &'t str {
        self.0.get_match().as_str()
    }

    /// What a group matched, in whichever branch.
    pub fn group(&self, name: &str) -> Option<&'t str> {
        let branches = ["", "2", "3"].iter().find_map(|branch| self.0.name(&format!("{name}{branch}")));
        branches.map(|found| found.as_str())
    }
}

fn base(group: &str) -> &str {
    group.trim_end_matches(|c: char| c.is_ascii_digit())
}

impl Teaching {
    /// The groups that an expression must have: one of each list.
    fn groups(&self) -> &'static [&'static [&'static str]] {
        match self {
            Teaching::RequiredWhen {} | Teaching::ForbiddenWhen {} => &[&["key"], &["other"], &["text"]],
            Teaching::AtMostOne { .. } | Teaching::AtLeastOne { .. } | Teaching::ExactlyOne { .. } => {
                &[&["list", "other"]]
            }
            Teaching::Together {} => &[&["list", "other"]],
            Teaching::OneTrue {} | Teaching::OneOf {} | Teaching::NoneOf {} | Teaching::UrlSchemes {} => {
                &[&["list"]]
            }
            Teaching::Relation {} => &[&["bound"], &["list"]],
            Teaching::Bytes { min: None, max: None, .. }
            | Teaching::Range { min: None, max: None }
            | Teaching::Chars {}
            | Teaching::Size {}
            | Teaching::Count {}
            | Teaching::PrefixLength {} => &[&["min", "max", "size", "above", "below"]],
            Teaching::DivisibleBy {} => &[&["size"]],
            Teaching::Pattern { .. } | Teaching::NotPattern {} | Teaching::NoneOfChars {} => &[&["pattern"]],
            Teaching::Format { format: None } => &[&["format"]],
            Teaching::Literal { text: None }
            | Teaching::Prefix {}
            | Teaching::Suffix {}
            | Teaching::Contains {}
            | Teaching::Layout {}
            | Teaching::NextSegment {}
            | Teaching::Prose {} => &[&["text"]],
            Teaching::Literal { text: Some(_) }
            | Teaching::Required {}
            | Teaching::Forbidden {}
            | Teaching::Mentioned {}
            | Teaching::SetIfUnset {}
            | Teaching::Bytes { .. }
            | Teaching::Range { .. }
            | Teaching::Unique {}
            | Teaching::NoNullElements {}
            | Teaching::Whole {}
            | Teaching::Format { .. }
            | Teaching::Characters {}
            | Teaching::MissingFile {}
            | Teaching::PadSegment {} => &[],
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn problem(entry: &str) -> String {
        parse(&format!("[[message]]\n{entry}")).expect_err("it is refused").to_string()
    }

    #[test]
    fn an_entry_that_cannot_be_used_is_named() {
        let head = "id = \"X1\"\ntier = 3\nmatches = 'a (?P<text>b)'\nexample = 'a b'\n";
        assert!(parse(&format!("[[message]]\n{head}teaches = \"literal\"")).is_ok());
        for (entry, part) in [
            (format!("{head}teaches = \"litteral\""), "message X1: unknown variant `litteral`"),
            (format!("{head}teaches = \"one-of\""), "message X1: its expression has no group named list"),
            (format!("{head}teaches = \"literal\"\nmin = 3"), "message X1: unknown field `min`"),
            (head.replace("a b", "c") + "teaches = \"literal\"", "does not match its example"),
            (head.replace("b)", "b") + "teaches = \"literal\"", "message X1: regex parse error"),
            (head.replace("3", "7") + "teaches = \"literal\"", "message X1: there is no tier 7"),
            ("tier = 1".to_owned(), "message number 1: missing field `id`"),
        ] {
            let found = problem(&entry);
            assert!(found.contains(part), "{found}");
        }
    }

    #[test]
    fn an_id_is_given_once() {
        let entry =
            "[[message]]\nid = \"X1\"\ntier = 1\nmatches = 'a'\nexample = 'a'\nteaches = \"unique\"\n";
        let error = parse(&entry.repeat(2)).expect_err("it is refused").to_string();
        assert_eq!(error, "message X1: its id is taken");
    }
}
