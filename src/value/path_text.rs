//! Paths as a user writes them.

use std::str::FromStr;

use serde::{Deserialize, Deserializer, Serialize, Serializer};

use super::{AttributePath, PathStep, SchemaPath, nfc};

/// Why a text is not a path, with the offset in bytes at which it stops being one.
#[derive(Debug, Clone, PartialEq, Eq, thiserror::Error)]
#[error("{text:?} is not an attribute path: {problem} at byte {offset}")]
pub struct PathError {
    pub text: String,
    pub offset: usize,
    pub problem: &'static str,
}

/// A path such as `rule[0].ports["http"].number`, or `rule.0.ports` in the older spelling; not the root.
///
/// Keys are in double quotes with the escapes of JSON.
impl FromStr for AttributePath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<AttributePath, PathError> {
        let mut path = AttributePath::root();
        let mut rest = text;
        while !rest.is_empty() || path.is_root() {
            let taken = next_step(rest, path.is_root());
            let (step, length) = taken.map_err(|problem| PathError {
                text: text.to_owned(),
                offset: text.len() - rest.len(),
                problem,
            })?;
            path.push(step);
            rest = &rest[length..];
        }
        Ok(path)
    }
}

/// Names joined by dots, as [`SchemaPath`] prints them; the empty text is the root.
impl FromStr for SchemaPath {
    type Err = PathError;

    fn from_str(text: &str) -> Result<SchemaPath, PathError> {
        if text.is_empty() {
            return Ok(SchemaPath::root());
        }
        let path: AttributePath = text.parse()?;
        let is_name = |step: &PathStep| matches!(step, PathStep::Attribute(_));
        if path.steps().iter().all(is_name) {
            return Ok(path.schema_path());
        }
        let problem = "a path into a schema has no keys and indices";
        Err(PathError { text: text.to_owned(), offset: 0, problem })
    }
}

/// Serialized as the text that users know.
impl Serialize for SchemaPath {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        serializer.collect_str(self)
    }
}

impl<'de> Deserialize<'de> for SchemaPath {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<SchemaPath, D::Error> {
        String::deserialize(deserializer)?.parse().map_err(serde::de::Error::custom)
    }
}

/// The first step of a text, and how many bytes it takes.
fn next_step(text: &str, is_first: bool) -> Result<(PathStep, usize), &'static str> {
    if let Some(inside) = text.strip_prefix('[') {
        let (step, length) = index(inside)?;
        return match inside[length..].starts_with(']') {
            true => Ok((step, length + 2)),
            false => Err("a closing bracket is missing"),
        };
    }
    let name = match (is_first, text.strip_prefix('.')) {
        (true, None) => text,
        (false, Some(name)) => name,
        (true, Some(_)) => return Err("a name is missing"),
        (false, None) => return Err("a dot or a bracket is missing"),
    };
    let length = name.find(['.', '[']).unwrap_or(name.len());
    let before = text.len() - name.len();
    let name = &name[..length];
    if name.is_empty() {
        return Err("a name is missing");
    }
    if name.contains(|c: char| c.is_whitespace() || c == ']' || c == '"' || c == '*') {
        return Err("a name contains a character that names cannot have");
    }
    let step = match name.parse() {
        Ok(index) if !is_first && name.bytes().all(|byte| byte.is_ascii_digit()) => PathStep::Index(index),
        _ => PathStep::Attribute(nfc(name).to_string()),
    };
    Ok((step, before + length))
}

fn index(inside: &str) -> Result<(PathStep, usize), &'static str> {
    if inside.starts_with('"') {
        let mut keys = serde_json::Deserializer::from_str(inside).into_iter::<String>();
        return match keys.next() {
            Some(Ok(key)) => Ok((PathStep::Key(nfc(&key).to_string()), keys.byte_offset())),
            _ => Err("a key is not in well-formed quotes"),
        };
    }
    let length = inside.find(|c: char| !c.is_ascii_digit()).unwrap_or(inside.len());
    let index = inside[..length].parse().map_err(|_| "an index or a quoted key is missing")?;
    Ok((PathStep::Index(index), length))
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn paths_read_back_as_they_print() {
        for text in ["name", "rule[0].ports[\"http\"].number", "tags[\"a.b \\\"c\\\" [0]\"]", "a[0][1]"] {
            assert_eq!(parse_path(text).map(|path| path.to_string()).as_deref(), Ok(text));
        }
        assert_eq!(parse_path("rule.0.port"), parse_path("rule[0].port"));
    }

    fn parse_path(text: &str) -> Result<AttributePath, PathError> {
        text.parse()
    }

    #[test]
    fn a_path_into_a_schema_has_names_only() {
        for text in ["", "name", "rule.ports.number"] {
            assert_eq!(text.parse().map(|path: SchemaPath| path.to_string()).as_deref(), Ok(text));
        }
        for text in ["rule[0]", "rule.0", "tags[\"a\"]", "rule..port"] {
            assert!(text.parse::<SchemaPath>().is_err(), "{text}");
        }
    }

    #[test]
    fn letters_are_composed_as_in_values() {
        assert_eq!(parse_path("cafe\u{301}[\"e\u{301}\"]"), parse_path("caf\u{e9}[\"\u{e9}\"]"));
        assert!(parse_path("caf\u{e9}").is_ok());
    }

    #[test]
    fn what_is_no_path_is_refused_with_its_offset() {
        for (text, offset) in [
            ("", 0),
            (".a", 0),
            ("a.", 1),
            ("a..b", 1),
            ("a[", 1),
            ("a[x]", 1),
            ("a[\"k]", 1),
            ("a[0]b", 4),
            ("a[*]", 1),
            ("a b", 0),
            ("a[99999999999999999999]", 1),
        ] {
            assert_eq!(parse_path(text).map_err(|error| error.offset), Err(offset), "{text}");
        }
    }
}
