//! Values for people to read: in the configuration language's notation.

use std::fmt::{self, Write as _};

use super::{Data, Value, is_invisible};

/// On one line. An unknown has no form in the language; it is written as `(known after apply)`,
/// which does not parse.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        write_value(self, &mut out);
        f.write_str(&out)
    }
}

/// Like [`fmt::Display`], with the type if the text does not show it.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.data() {
            Data::Null | Data::Unknown(_) => write!(f, "{self} as {}", self.ty()),
            _ => fmt::Display::fmt(self, f),
        }
    }
}

fn write_value(value: &Value, out: &mut String) {
    match value.data() {
        Data::Null => out.push_str("null"),
        Data::Unknown(refinements) => {
            out.push_str("(known after apply");
            if let Some(refinements) = refinements {
                write_refinements(refinements, out);
            }
            out.push(')');
        }
        Data::Bool(value) => {
            let _ = write!(out, "{value}");
        }
        Data::Number(number) => {
            let _ = write!(out, "{number}");
        }
        Data::String(text) => write_string(text, out),
        // A set is written as a list: the language has no notation for sets.
        Data::Elements(elements) => {
            out.push('[');
            for (idx, element) in elements.iter().enumerate() {
                out.push_str(if idx == 0 { "" } else { ", " });
                write_value(element, out);
            }
            out.push(']');
        }
        Data::Map(entries) => {
            let label = |key: &str, out: &mut String| write_string(key, out);
            write_members(entries.iter().map(|(key, element)| (&**key, element)), label, out);
        }
        Data::Object(_) => write_members(value.attributes(), |name, out| out.push_str(name), out),
    }
}

fn write_members<'v>(
    members: impl Iterator<Item = (&'v str, &'v Value)>,
    write_label: impl Fn(&str, &mut String),
    out: &mut String,
) {
    out.push('{');
    let mut is_empty = true;
    for (label, member) in members {
        out.push_str(if is_empty { " " } else { ", " });
        is_empty = false;
        write_label(label, out);
        out.push_str(" = ");
        write_value(member, out);
    }
    out.push_str(if is_empty { "}" } else { " }" });
}

fn write_refinements(refinements: &super::Refinements, out: &mut String) {
    if refinements.not_null {
        out.push_str(", not null");
    }
    if let Some(prefix) = &refinements.prefix {
        let _ = write!(out, ", starts with {prefix:?}");
    }
    if let Some(bound) = &refinements.lower {
        let _ = write!(out, ", {} {}", if bound.inclusive { "≥" } else { ">" }, bound.value);
    }
    if let Some(bound) = &refinements.upper {
        let _ = write!(out, ", {} {}", if bound.inclusive { "≤" } else { "<" }, bound.value);
    }
    if let Some(min) = refinements.min_length {
        let _ = write!(out, ", at least {min} elements");
    }
    if let Some(max) = refinements.max_length {
        let _ = write!(out, ", at most {max} elements");
    }
}

/// A quoted template without interpolation.
pub(crate) fn write_string(text: &str, out: &mut String) {
    out.push('"');
    let mut chars = text.chars().peekable();
    while let Some(c) = chars.next() {
        match c {
            '"' => out.push_str("\\\""),
            '\\' => out.push_str("\\\\"),
            '\n' => out.push_str("\\n"),
            '\r' => out.push_str("\\r"),
            '\t' => out.push_str("\\t"),
            '$' | '%' if chars.peek() == Some(&'{') => {
                out.push(c);
                out.push(c);
            }
            c if is_invisible(c, out.chars().next_back()) => {
                let code = u32::from(c);
                let _ =
                    if code > 0xffff { write!(out, "\\U{code:08x}") } else { write!(out, "\\u{code:04x}") };
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
