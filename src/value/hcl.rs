//! Values as a person reads them: in the configuration language's own notation.

use std::fmt::{self, Write as _};

use super::{AttributePath, Data, PathStep, Type, Value};

/// A value in HCL notation over several lines, unknowns marked as a plan shows them.
///
/// An unknown has no HCL form; `(known after apply)` stands for it, which does not parse.
pub fn to_hcl(value: &Value) -> String {
    let mut out = String::new();
    write_value(value, Some(0), &mut AttributePath::root(), &mut |_| false, &mut out);
    out
}

/// As [`to_hcl`], with `(sensitive value)` in place of what `hidden` names.
pub(crate) fn to_hcl_masked(value: &Value, hidden: &mut dyn FnMut(&AttributePath) -> bool) -> String {
    let mut out = String::new();
    write_value(value, Some(0), &mut AttributePath::root(), hidden, &mut out);
    out
}

/// On one line.
impl fmt::Display for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        write_value(self, None, &mut AttributePath::root(), &mut |_| false, &mut out);
        f.write_str(&out)
    }
}

/// As [`fmt::Display`], with the type where it cannot be told from the text.
impl fmt::Debug for Value {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.data() {
            Data::Null | Data::Unknown(_) => write!(f, "{self} as {}", self.ty()),
            _ => fmt::Display::fmt(self, f),
        }
    }
}

type Hidden<'a> = &'a mut dyn FnMut(&AttributePath) -> bool;

/// `indent` is the nesting level of a layout over several lines, `None` for one line.
fn write_value(
    value: &Value,
    indent: Option<usize>,
    path: &mut AttributePath,
    hidden: Hidden<'_>,
    out: &mut String,
) {
    if hidden(path) {
        out.push_str("(sensitive value)");
        return;
    }
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
        Data::Elements(elements) => {
            // A set is written as a list: the language has no notation of its own for it.
            let is_set = matches!(value.ty(), Type::Set(_));
            let items: Vec<(String, PathStep, &Value)> = elements
                .iter()
                .enumerate()
                .map(|(idx, element)| {
                    let step =
                        if is_set { PathStep::Element(element.clone()) } else { PathStep::Index(idx as i64) };
                    (String::new(), step, element)
                })
                .collect();
            write_group('[', ']', &items, ",", indent, path, hidden, out);
        }
        Data::Map(entries) => {
            let items: Vec<(String, PathStep, &Value)> = entries
                .iter()
                .map(|(key, element)| {
                    let mut label = String::new();
                    write_string(key, &mut label);
                    label.push_str(" = ");
                    (label, PathStep::Key(key.to_string()), element)
                })
                .collect();
            write_group('{', '}', &items, if indent.is_some() { "" } else { "," }, indent, path, hidden, out);
        }
        Data::Object(_) => {
            let items: Vec<(String, PathStep, &Value)> = value
                .attributes()
                .map(|(name, element)| (format!("{name} = "), PathStep::Attribute(name.to_owned()), element))
                .collect();
            write_group('{', '}', &items, if indent.is_some() { "" } else { "," }, indent, path, hidden, out);
        }
    }
}

#[expect(clippy::too_many_arguments, reason = "one private helper shared by three kinds of collection")]
fn write_group(
    open: char,
    close: char,
    items: &[(String, PathStep, &Value)],
    separator: &str,
    indent: Option<usize>,
    path: &mut AttributePath,
    hidden: Hidden<'_>,
    out: &mut String,
) {
    out.push(open);
    // Short lists of plain values read better on one line.
    let inline =
        indent.is_none() || (open == '[' && items.iter().all(|(_, _, value)| value.ty().is_primitive()));
    let inner = if inline { None } else { indent.map(|level| level + 1) };
    for (idx, (label, step, element)) in items.iter().enumerate() {
        match inner {
            Some(level) => {
                out.push('\n');
                out.push_str(&"  ".repeat(level));
            }
            None if idx > 0 => out.push(' '),
            None if open == '{' => out.push(' '),
            None => {}
        }
        out.push_str(label);
        path.push(step.clone());
        write_value(element, inner, path, hidden, out);
        path.pop();
        let last = idx + 1 == items.len();
        if !last || (inner.is_some() && open == '[') {
            out.push_str(if inner.is_none() { "," } else { separator });
        }
    }
    if let (Some(level), false) = (indent.filter(|_| !inline), items.is_empty()) {
        out.push('\n');
        out.push_str(&"  ".repeat(level));
    } else if open == '{' && !items.is_empty() {
        out.push(' ');
    }
    out.push(close);
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
            c if c.is_control() => {
                let _ = write!(out, "\\u{:04x}", c as u32);
            }
            c => out.push(c),
        }
    }
    out.push('"');
}
