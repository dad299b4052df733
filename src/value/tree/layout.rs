//! Trees in the notation of the configuration language, on one line or several.

use std::fmt;

use super::Tree;

/// On one line, as the value itself is displayed.
impl fmt::Display for Tree {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let mut out = String::new();
        write(self, None, &mut out);
        f.write_str(&out)
    }
}

impl Tree {
    /// Over several lines, each member on its own; lists of leaves stay on one.
    pub fn lines(&self) -> String {
        let mut out = String::new();
        write(self, Some(0), &mut out);
        out
    }

    /// Whether it takes several lines there: a list of leaves and anything empty takes one.
    pub fn has_lines(&self) -> bool {
        match self {
            Tree::Leaf(_) => false,
            Tree::List(elements) | Tree::Set(elements) => {
                !elements.iter().all(|element| matches!(element, Tree::Leaf(_)))
            }
            Tree::Object(members) | Tree::Map(members) => !members.is_empty(),
        }
    }
}

/// `level` is the depth of the tree in a layout over several lines; `None` for one line.
fn write(tree: &Tree, level: Option<usize>, out: &mut String) {
    let level = level.filter(|_| tree.has_lines());
    match tree {
        Tree::Leaf(text) => out.push_str(text),
        // The language has no notation for sets.
        Tree::List(elements) | Tree::Set(elements) => write_elements(elements, level, out),
        Tree::Object(members) | Tree::Map(members) => write_members(members, level, out),
    }
}

fn write_elements(elements: &[Tree], level: Option<usize>, out: &mut String) {
    out.push('[');
    for (idx, element) in elements.iter().enumerate() {
        match level {
            Some(level) => {
                new_line(level + 1, out);
                write(element, Some(level + 1), out);
                out.push(',');
            }
            None => {
                out.push_str(if idx == 0 { "" } else { ", " });
                write(element, None, out);
            }
        }
    }
    if let Some(level) = level {
        new_line(level, out);
    }
    out.push(']');
}

fn write_members(members: &[(String, Tree)], level: Option<usize>, out: &mut String) {
    out.push('{');
    for (idx, (label, member)) in members.iter().enumerate() {
        match level {
            Some(level) => new_line(level + 1, out),
            None => out.push_str(if idx == 0 { " " } else { ", " }),
        }
        out.push_str(label);
        out.push_str(" = ");
        write(member, level.map(|level| level + 1), out);
    }
    match level {
        _ if members.is_empty() => {}
        Some(level) => new_line(level, out),
        None => out.push(' '),
    }
    out.push('}');
}

fn new_line(level: usize, out: &mut String) {
    out.push('\n');
    out.push_str(&"  ".repeat(level));
}
