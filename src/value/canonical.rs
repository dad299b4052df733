//! The canonical order of set elements, and the coalescing of duplicates.
//!
//! Primitive elements have a natural order; all others are ordered by a canonical text. Nothing in
//! the contract depends on that text apart from the greedy matching of set elements, but producing
//! the same bytes as Core needs it.
//!
//! Source: contract section 2.5, wire section 4.8.

use std::cmp::Ordering;
use std::fmt::Write as _;

use super::{Data, Number, Value};

/// Sorts into canonical order and drops duplicates; elements that contain an unknown are never duplicates.
pub(super) fn canonical_set(elements: Vec<Value>) -> Vec<Value> {
    if elements.len() < 2 {
        return elements;
    }
    let mut keyed: Vec<(Key, Value)> = elements.into_iter().map(|value| (Key::of(&value), value)).collect();
    // The canonical text is coarse (ten digits, no refinements): on a tie the whole value decides.
    keyed.sort_by(|(a, x), (b, y)| a.compare(b).then_with(|| format!("{x:?}").cmp(&format!("{y:?}"))));
    let mut kept: Vec<(Key, Value)> = Vec::with_capacity(keyed.len());
    for (key, value) in keyed {
        let duplicate = value.is_wholly_known()
            && kept
                .iter()
                .rev()
                .take_while(|(other, _)| {
                    other.compare(&key) == Ordering::Equal
                        || matches!(key, Key::Number(_)) && same_number(other, &key)
                })
                .any(|(_, other)| *other == value);
        if !duplicate {
            kept.push((key, value));
        }
    }
    kept.into_iter().map(|(_, value)| value).collect()
}

/// Numbers may be equal (same text) but not the same binary value.
fn same_number(a: &Key, b: &Key) -> bool {
    matches!((a, b), (Key::Number(a), Key::Number(b)) if a == b)
}

/// What an element is ordered by. Known before unknown, null last.
enum Key {
    Bool(bool),
    Number(Number),
    String(std::sync::Arc<str>),
    Text(String),
    Unknown,
    Null,
}

impl Key {
    fn of(value: &Value) -> Key {
        match &value.data {
            Data::Null => Key::Null,
            Data::Unknown(_) => Key::Unknown,
            Data::Bool(value) => Key::Bool(*value),
            Data::Number(number) => Key::Number(number.clone()),
            Data::String(text) => Key::String(text.clone()),
            Data::Elements(_) | Data::Map(_) | Data::Object(_) => {
                let mut text = String::new();
                write_text(value, &mut text);
                Key::Text(text)
            }
        }
    }

    fn rank(&self) -> u8 {
        match self {
            Key::Bool(_) | Key::Number(_) | Key::String(_) | Key::Text(_) => 0,
            Key::Unknown => 1,
            Key::Null => 2,
        }
    }

    fn compare(&self, other: &Key) -> Ordering {
        match (self, other) {
            (Key::Bool(a), Key::Bool(b)) => a.cmp(b),
            (Key::Number(a), Key::Number(b)) => a.compare_value(b),
            (Key::String(a), Key::String(b)) => a.as_bytes().cmp(b.as_bytes()),
            (Key::Text(a), Key::Text(b)) => a.as_bytes().cmp(b.as_bytes()),
            (a, b) => a.rank().cmp(&b.rank()),
        }
    }
}

fn write_text(value: &Value, out: &mut String) {
    match &value.data {
        Data::Null => out.push('~'),
        Data::Unknown(_) => out.push('?'),
        Data::Bool(value) => out.push(if *value { 'T' } else { 'F' }),
        Data::Number(number) => out.push_str(&general_format(number)),
        Data::String(text) => write_quoted(text, out),
        Data::Elements(elements) if matches!(value.ty, super::Type::Tuple(_)) => {
            write_all(elements, '<', '>', out)
        }
        Data::Elements(elements) => write_all(elements, '[', ']', out),
        Data::Object(values) => write_all(values, '<', '>', out),
        Data::Map(entries) => {
            out.push('{');
            for (key, value) in entries.iter() {
                write_quoted(key, out);
                out.push(':');
                write_text(value, out);
                out.push(';');
            }
            out.push('}');
        }
    }
}

fn write_all(values: &[Value], open: char, close: char, out: &mut String) {
    out.push(open);
    for value in values {
        write_text(value, out);
        out.push(';');
    }
    out.push(close);
}

/// As Go quotes a string: short escapes, `\x` for other control characters, `\u` for what does not print.
fn write_quoted(text: &str, out: &mut String) {
    out.push('"');
    for c in text.chars() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\x07' => out.push_str("\\a"),
            '\x08' => out.push_str("\\b"),
            '\x0c' => out.push_str("\\f"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '\x0b' => out.push_str("\\v"),
            c if (c as u32) < 0x20 || c as u32 == 0x7f => {
                let _ = write!(out, "\\x{:02x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}

/// Ten significant digits, with an exponent from 10^21 on or below 10^-4, as in Go's `%g`-like formats.
fn general_format(number: &Number) -> String {
    let text = number.to_string();
    let (sign, digits) = text.strip_prefix('-').map_or(("", text.as_str()), |rest| ("-", rest));
    if number.is_infinite() {
        return text;
    }
    let (whole, fraction) = digits.split_once('.').unwrap_or((digits, ""));
    let all = format!("{whole}{fraction}");
    let leading = all.len() - all.trim_start_matches('0').len();
    let significant = all[leading..].trim_end_matches('0');
    if significant.is_empty() {
        return format!("{sign}0");
    }
    let mut exponent = whole.len() as i64 - leading as i64 - 1;
    let mut kept: Vec<u8> = significant.bytes().take(10).collect();
    if significant.len() > 10 && rounds_up(significant.as_bytes()) {
        while kept.last() == Some(&b'9') {
            kept.pop();
        }
        match kept.last_mut() {
            Some(last) => *last += 1,
            None => {
                kept.push(b'1');
                exponent += 1;
            }
        }
    }
    while kept.len() > 1 && kept.last() == Some(&b'0') {
        kept.pop();
    }
    let kept = String::from_utf8(kept).expect("digits are ASCII");
    if !(-4..10).contains(&exponent) {
        let (first, rest) = kept.split_at(1);
        let point = if rest.is_empty() { "" } else { "." };
        let mark = if exponent < 0 { '-' } else { '+' };
        return format!("{sign}{first}{point}{rest}e{mark}{:02}", exponent.abs());
    }
    if exponent < 0 {
        return format!("{sign}0.{}{kept}", "0".repeat((-exponent - 1) as usize));
    }
    let before = exponent as usize + 1;
    if kept.len() <= before {
        format!("{sign}{kept}{}", "0".repeat(before - kept.len()))
    } else {
        format!("{sign}{}.{}", &kept[..before], &kept[before..])
    }
}

fn rounds_up(digits: &[u8]) -> bool {
    match digits[10] {
        b'5' if digits.len() == 11 => (digits[9] - b'0') % 2 == 1,
        next => next >= b'5',
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn general_format_is_that_of_go() {
        for (input, expected) in [
            ("1234567890123", "1.23456789e+12"),
            ("12345678912", "1.234567891e+10"),
            ("10", "10"),
            ("0.5", "0.5"),
            ("-1", "-1"),
            ("0.00001", "1e-05"),
            ("9999999999.9", "1e+10"),
            ("0", "0"),
            ("0.0001", "0.0001"),
        ] {
            assert_eq!(general_format(&Number::parse(input).unwrap()), expected, "{input}");
        }
    }
}
