//! What was shown at each place, and where two showings agree.

use crate::record::Secrets;
use crate::schema::Block;
use crate::value::{AttributePath, Data, PathStep, Type, Value};

/// What stands for a value that differs between two showings.
pub const VOLATILE: &str = "[volatile]";
/// What stands for the scratch folder in texts.
const SCRATCH: &str = "[scratch]";
/// What stands for a sensitive or write-only value.
pub const SENSITIVE: &str = "(sensitive value)";

/// A value as it is shown, without secrets.
#[derive(Clone, Debug, PartialEq)]
pub enum Tree {
    /// On one line, as it is printed.
    Leaf(String),
    List(Vec<Tree>),
    /// Without an order of its own: printed by its elements' text.
    Set(Vec<Tree>),
    /// By label, in the order they are printed. A member that is null is not printed: the schema names it.
    Object(Vec<(String, Tree)>),
    /// As an object, with quoted keys; nulls are printed.
    Map(Vec<(String, Tree)>),
}

/// What must not be shown.
pub struct Hidden<'h> {
    pub secrets: &'h Secrets<'h>,
    /// The scratch folder as text; empty where there is none.
    pub scratch: &'h str,
}

impl Hidden<'_> {
    /// A text without secrets and without the scratch folder.
    pub fn text(&self, text: &str) -> String {
        let text = self.secrets.covered(text, SENSITIVE);
        if self.scratch.is_empty() { text } else { text.replace(self.scratch, SCRATCH) }
    }

    /// A value; `block` tells what is sensitive in it.
    pub fn value(&self, value: &Value, block: Option<&Block>) -> Tree {
        self.at(value, block, &mut AttributePath::root())
    }

    fn at(&self, value: &Value, block: Option<&Block>, path: &mut AttributePath) -> Tree {
        let is_sensitive = block.is_some_and(|block| block.is_sensitive(path));
        let mut inner = |step: PathStep, value: &Value| {
            path.push(step);
            let tree = self.at(value, block, path);
            path.pop();
            tree
        };
        match value.data() {
            Data::Null => Tree::leaf("null"),
            // A refinement would tell how the secret begins.
            Data::Unknown(_) if is_sensitive => Tree::leaf("(known after apply)"),
            _ if is_sensitive => Tree::leaf(SENSITIVE),
            Data::Unknown(_) => Tree::Leaf(self.text(&value.to_string())),
            Data::Bool(_) | Data::Number(_) => Tree::Leaf(value.to_string()),
            Data::String(text) => Tree::Leaf(quoted(&self.text(text))),
            Data::Elements(elements) if matches!(value.ty(), Type::Set(_)) => {
                let elements = elements.iter();
                Tree::Set(
                    elements.map(|element| inner(PathStep::Element(element.clone()), element)).collect(),
                )
            }
            Data::Elements(elements) => {
                let elements = elements.iter().enumerate();
                Tree::List(
                    elements.map(|(idx, element)| inner(PathStep::Index(idx as i64), element)).collect(),
                )
            }
            Data::Map(entries) => {
                let entry = |(key, element): (&std::sync::Arc<str>, &Value)| {
                    (quoted(&self.text(key)), inner(PathStep::Key(key.to_string()), element))
                };
                Tree::Map(entries.iter().map(entry).collect())
            }
            Data::Object(_) => {
                let member = |(name, element): (&str, &Value)| {
                    (name.to_owned(), inner(PathStep::Attribute(name.to_owned()), element))
                };
                Tree::Object(value.attributes().map(member).collect())
            }
        }
    }
}

fn quoted(text: &str) -> String {
    Value::string(text).to_string()
}

impl Tree {
    pub fn leaf(text: &str) -> Tree {
        Tree::Leaf(text.to_owned())
    }

    fn is_volatile(&self) -> bool {
        matches!(self, Tree::Leaf(text) if text == VOLATILE)
    }

    /// What two showings have in common: the smallest places at which they differ are volatile.
    pub fn common(&self, other: &Tree) -> Tree {
        match (self, other) {
            (one, other) if one == other => one.clone(),
            (Tree::List(one), Tree::List(other)) if one.len() == other.len() => {
                Tree::List(one.iter().zip(other).map(|(one, other)| one.common(other)).collect())
            }
            (Tree::Set(one), Tree::Set(other)) if one.len() == other.len() => Tree::Set(paired(one, other)),
            (Tree::Object(one), Tree::Object(other)) if have_one_shape(one, other) => {
                Tree::Object(without_calendar(one, members(one, other)))
            }
            (Tree::Map(one), Tree::Map(other)) if have_one_shape(one, other) => {
                Tree::Map(members(one, other))
            }
            _ => Tree::leaf(VOLATILE),
        }
    }

    /// How many places are volatile.
    fn n_volatile(&self) -> usize {
        match self {
            Tree::Leaf(_) => usize::from(self.is_volatile()),
            Tree::List(elements) | Tree::Set(elements) => elements.iter().map(Tree::n_volatile).sum(),
            Tree::Object(members) | Tree::Map(members) => {
                members.iter().map(|(_, tree)| tree.n_volatile()).sum()
            }
        }
    }
}

fn have_one_shape(one: &[(String, Tree)], other: &[(String, Tree)]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|((one, _), (other, _))| one == other)
}

fn members(one: &[(String, Tree)], other: &[(String, Tree)]) -> Vec<(String, Tree)> {
    one.iter().zip(other).map(|((label, one), (_, other))| (label.clone(), one.common(other))).collect()
}

/// Elements of sets: equal ones belong together, and of the others those that have most in common.
fn paired(one: &[Tree], other: &[Tree]) -> Vec<Tree> {
    let mut rest: Vec<&Tree> = other.iter().collect();
    let mut common = Vec::new();
    let mut alone = Vec::new();
    for element in one {
        match rest.iter().position(|partner| *partner == element) {
            Some(at) => {
                rest.swap_remove(at);
                common.push(element.clone());
            }
            None => alone.push(element),
        }
    }
    for element in alone {
        let pairs = rest.iter().enumerate().map(|(idx, partner)| (idx, element.common(partner)));
        // A whole element that is volatile has nothing in common with its partner.
        let best = pairs.min_by_key(|(idx, pair)| (pair.is_volatile(), pair.n_volatile(), *idx));
        let (idx, pair) = best.expect("both sets have as many elements");
        rest.remove(idx);
        common.push(pair);
    }
    common
}

/// What a clock shows in parts coarser than a second. Two showings a second apart mostly agree
/// on them, and two a day apart do not.
const CALENDAR: [&str; 13] = [
    "year",
    "iso_year",
    "month",
    "month_name",
    "week",
    "iso_week",
    "day",
    "weekday",
    "weekday_name",
    "date",
    "hour",
    "minute",
    "second",
];

/// Makes what is named after a part of a time volatile too, where it stands beside a time that is.
fn without_calendar(one: &[(String, Tree)], mut common: Vec<(String, Tree)>) -> Vec<(String, Tree)> {
    let is_time = |((_, one), (_, common)): (&(String, Tree), &(String, Tree))| match one {
        Tree::Leaf(text) => common.is_volatile() && holds_a_time(text),
        Tree::List(_) | Tree::Set(_) | Tree::Object(_) | Tree::Map(_) => false,
    };
    if !one.iter().zip(&common).any(is_time) {
        return common;
    }
    for (label, tree) in &mut common {
        let is_set =
            matches!(tree, Tree::Leaf(text) if text.starts_with(|c: char| c.is_ascii_digit() || c == '"'));
        if is_set && CALENDAR.contains(&label.as_str()) {
            *tree = Tree::leaf(VOLATILE);
        }
    }
    common
}

/// Whether a text holds something like `15:04:05`.
fn holds_a_time(text: &str) -> bool {
    text.as_bytes().windows(8).any(|window| {
        window.iter().enumerate().all(|(idx, byte)| match idx {
            2 | 5 => *byte == b':',
            _ => byte.is_ascii_digit(),
        })
    })
}

/// Prints a tree where the current line is at; further lines are indented by `indent` blanks.
pub fn print(tree: &Tree, indent: usize, out: &mut String) {
    match tree {
        Tree::Leaf(text) => out.push_str(text),
        Tree::List(elements) => {
            print_elements(elements.iter().map(|element| text(element, indent + 2)), indent, out)
        }
        Tree::Set(elements) => {
            let mut texts: Vec<String> = elements.iter().map(|element| text(element, indent + 2)).collect();
            texts.sort();
            print_elements(texts.into_iter(), indent, out);
        }
        Tree::Object(members) => {
            print_members(members.iter().filter(|(_, tree)| *tree != Tree::leaf("null")), indent, out);
        }
        Tree::Map(members) => print_members(members.iter(), indent, out),
    }
}

fn text(tree: &Tree, indent: usize) -> String {
    let mut out = String::new();
    print(tree, indent, &mut out);
    out
}

/// Columns in which a list stays on one line.
const WIDTH: usize = 80;

fn print_elements(texts: impl Iterator<Item = String>, indent: usize, out: &mut String) {
    let texts: Vec<String> = texts.collect();
    let width = indent + texts.iter().map(|text| text.chars().count() + 2).sum::<usize>();
    if width <= WIDTH && texts.iter().all(|text| !text.contains('\n')) {
        out.push_str(&format!("[{}]", texts.join(", ")));
        return;
    }
    let margin = " ".repeat(indent);
    out.push_str("[\n");
    for text in texts {
        out.push_str(&format!("{margin}  {text},\n"));
    }
    out.push_str(&format!("{margin}]"));
}

fn print_members<'t>(members: impl Iterator<Item = &'t (String, Tree)>, indent: usize, out: &mut String) {
    let mut members = members.peekable();
    if members.peek().is_none() {
        out.push_str("{}");
        return;
    }
    out.push_str("{\n");
    for (label, tree) in members {
        out.push_str(&format!("{:1$}{label} = ", "", indent + 2));
        print(tree, indent + 2, out);
        out.push('\n');
    }
    out.push_str(&format!("{:indent$}}}", ""));
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Masker;
    use crate::transcript::Transcript;
    use crate::value;

    fn tree(value: &Value) -> Tree {
        let transcript = Transcript { exchanges: Vec::new(), ..crate::rule::example::lifecycle() };
        let masker = Masker::new(Vec::new());
        Hidden { secrets: &masker.secrets(&transcript), scratch: "/tmp/scratch-1" }.value(value, None)
    }

    fn shown(literal: value::Literal) -> String {
        text(&tree(&literal.of(&Type::Dynamic)), 0)
    }

    #[track_caller]
    fn assert_common(one: value::Literal, other: value::Literal, expected: &str) {
        let (one, other) = (tree(&one.of(&Type::Dynamic)), tree(&other.of(&Type::Dynamic)));
        assert_eq!(text(&one.common(&other), 0), expected);
        assert_eq!(text(&other.common(&one), 0), expected, "the other way round");
    }

    fn ids(elements: [(i64, &str); 2]) -> Tree {
        let leaf = |number: i64| Tree::Leaf(number.to_string());
        let element = |(id, name): (i64, &str)| {
            Tree::Object(vec![("id".to_owned(), leaf(id)), ("name".to_owned(), Tree::leaf(name))])
        };
        Tree::Set(elements.map(element).to_vec())
    }

    #[test]
    fn values_are_shown_as_a_user_would_write_them() {
        let value = value!({ name: "a\"b", size: 3, on: true, id: unknown, none: null, tags: ["x", null] });
        assert_eq!(
            shown(value),
            "{\n  id = (known after apply)\n  name = \"a\\\"b\"\n  on = true\n  size = 3\n  tags = [\"x\", null]\n}"
        );
    }

    #[test]
    fn only_what_differs_is_volatile() {
        assert_common(
            value!({ a: 1, b: { c: ["x", "y"], d: 2 } }),
            value!({ a: 1, b: { c: ["x", "z"], d: 2 } }),
            "{\n  a = 1\n  b = {\n    c = [\"x\", [volatile]]\n    d = 2\n  }\n}",
        );
        assert_common(value!({ a: [1, 2] }), value!({ a: [1] }), "{\n  a = [volatile]\n}");
        assert_common(value!({ a: null }), value!({ a: 1 }), "{\n  a = [volatile]\n}");
        assert_common(value!({ a: 1 }), value!({ b: 1 }), VOLATILE);
    }

    #[test]
    fn elements_of_sets_are_paired_by_what_they_have_in_common() {
        let common = ids([(1, "a"), (2, "b")]).common(&ids([(8, "b"), (9, "a")]));
        let element = |name| format!("  {{\n    id = [volatile]\n    name = {name}\n  }},\n");
        assert_eq!(text(&common, 0), format!("[\n{}{}]", element("a"), element("b")));
        // The order of a set in one showing leaves no trace.
        assert_eq!(text(&ids([(1, "a"), (2, "b")]), 0), text(&ids([(2, "b"), (1, "a")]), 0));
    }

    #[test]
    fn parts_of_a_volatile_time_are_volatile_for_more_than_a_second() {
        assert_common(
            value!({ at: "2026-11-21T15:04:05Z", hour: 15, days: 3 }),
            value!({ at: "2026-11-21T15:04:07Z", hour: 15, days: 3 }),
            "{\n  at = [volatile]\n  days = 3\n  hour = [volatile]\n}",
        );
        // Where no time differs an hour is a number like any other.
        assert_common(
            value!({ at: "15:04:05", hour: 15, id: "a" }),
            value!({ at: "15:04:05", hour: 15, id: "b" }),
            "{\n  at = \"15:04:05\"\n  hour = 15\n  id = [volatile]\n}",
        );
    }

    #[test]
    fn the_scratch_folder_has_a_name_of_its_own() {
        assert_eq!(shown(value!({ file: "/tmp/scratch-1/tmp/a" })), "{\n  file = \"[scratch]/tmp/a\"\n}");
    }
}
