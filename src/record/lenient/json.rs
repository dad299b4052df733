//! Objects in JSON, or in something like it.

use super::{Open, Parts, Rewritten};
use crate::schema::Place;
use crate::value::Number;

/// Rewrites the parts of an object at a place.
pub(in crate::record) fn json(bytes: &[u8], root: Place<'_>, parts: &mut dyn Parts) -> Rewritten {
    let mut out = Vec::with_capacity(bytes.len());
    let mut dropped_from = None;
    let mut stack: Vec<Open<'_>> = Vec::new();
    let mut at = 0;
    while let Some(&byte) = bytes.get(at) {
        let from = at;
        at += 1;
        match byte {
            b'{' | b'[' => {
                let place = stack.last_mut().map_or(root, Open::take);
                stack.push(if byte == b'{' { Open::map(place) } else { Open::array(place) });
            }
            b'}' | b']' => drop(stack.pop()),
            b'"' => {
                at = end_of_string(bytes, from);
                let text = text_of(&bytes[from..at]);
                let new = match stack.last_mut() {
                    Some(top) if top.awaits_key() => top.key(&text, parts),
                    top => parts.text(top.map_or(root, Open::take).plain(), &text),
                };
                match new {
                    Some(new) => out.extend_from_slice(serde_json::Value::from(new).to_string().as_bytes()),
                    None => out.extend_from_slice(&bytes[from..at]),
                }
                continue;
            }
            _ if is_between(byte) => {}
            _ => {
                let length = bytes[from..].iter().position(|byte| ends_literal(*byte));
                at = length.map_or(bytes.len(), |length| from + length);
                let place = stack.last_mut().map_or(root, Open::take).plain();
                let literal = String::from_utf8_lossy(&bytes[from..at]);
                match replaced(&literal, place, parts) {
                    Literal::Kept => out.extend_from_slice(&bytes[from..at]),
                    Literal::New(text) => out.extend_from_slice(text.as_bytes()),
                    Literal::Dropped => {
                        dropped_from = dropped_from.or(Some(from));
                        out.extend_from_slice(b"null");
                    }
                }
                continue;
            }
        }
        out.push(byte);
    }
    Rewritten { bytes: out, dropped_from }
}

enum Literal {
    Kept,
    New(String),
    Dropped,
}

/// A number, a bool, or whatever is written without quotes.
fn replaced(literal: &str, place: Place<'_>, parts: &mut dyn Parts) -> Literal {
    let new = match (literal, Number::parse(literal)) {
        ("null", _) => None,
        ("true" | "false", _) => parts.bool(place, literal == "true").map(|value| value.to_string()),
        (_, Ok(number)) => parts.number(place, &number).map(|number| number.to_string()),
        (_, Err(_)) if place.is_secret() => return Literal::Dropped,
        (_, Err(_)) => parts.text(place, literal),
    };
    new.map_or(Literal::Kept, Literal::New)
}

/// The position after the closing quote of the string that begins at `from`, or the end.
fn end_of_string(bytes: &[u8], from: usize) -> usize {
    let mut at = from + 1;
    while let Some(byte) = bytes.get(at) {
        match byte {
            b'"' => return at + 1,
            b'\\' => at += 2,
            _ => at += 1,
        }
    }
    bytes.len()
}

/// The text of a string; of one that is not valid, its bytes without the quotes.
fn text_of(raw: &[u8]) -> String {
    serde_json::from_slice(raw).unwrap_or_else(|_| {
        let inner = raw.strip_prefix(b"\"").unwrap_or(raw);
        String::from_utf8_lossy(inner.strip_suffix(b"\"").unwrap_or(inner)).into_owned()
    })
}

fn is_between(byte: u8) -> bool {
    byte.is_ascii_whitespace() || matches!(byte, b',' | b':')
}

fn ends_literal(byte: u8) -> bool {
    is_between(byte) || matches!(byte, b'{' | b'}' | b'[' | b']' | b'"')
}
