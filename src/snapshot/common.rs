//! Finds what two showings have in common.

use crate::value::tree::Tree;

/// The placeholder for a value that differs between two showings.
pub const VOLATILE: &str = "[volatile]";

/// The smallest places at which two showings differ are volatile.
pub fn common(one: &Tree, other: &Tree) -> Tree {
    match (one, other) {
        (one, other) if one == other => one.clone(),
        (Tree::List(one), Tree::List(other)) if one.len() == other.len() => {
            Tree::List(one.iter().zip(other).map(|(one, other)| common(one, other)).collect())
        }
        (Tree::Set(one), Tree::Set(other)) if one.len() == other.len() => Tree::Set(paired(one, other)),
        (Tree::Object(one), Tree::Object(other)) if have_one_shape(one, other) => {
            Tree::Object(without_calendar(one, members(one, other)))
        }
        (Tree::Map(one), Tree::Map(other)) if have_one_shape(one, other) => Tree::Map(members(one, other)),
        _ => Tree::leaf(VOLATILE),
    }
}

fn is_volatile(tree: &Tree) -> bool {
    matches!(tree, Tree::Leaf(text) if text == VOLATILE)
}

/// How many places are volatile.
fn n_volatile(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf(_) => usize::from(is_volatile(tree)),
        Tree::List(elements) | Tree::Set(elements) => elements.iter().map(n_volatile).sum(),
        Tree::Object(members) | Tree::Map(members) => members.iter().map(|(_, tree)| n_volatile(tree)).sum(),
    }
}

fn have_one_shape(one: &[(String, Tree)], other: &[(String, Tree)]) -> bool {
    one.len() == other.len() && one.iter().zip(other).all(|((one, _), (other, _))| one == other)
}

fn members(one: &[(String, Tree)], other: &[(String, Tree)]) -> Vec<(String, Tree)> {
    one.iter().zip(other).map(|((label, one), (_, other))| (label.clone(), common(one, other))).collect()
}

/// Pairs elements of sets: equal ones first, then those that have most in common.
fn paired(one: &[Tree], other: &[Tree]) -> Vec<Tree> {
    let mut rest: Vec<&Tree> = other.iter().collect();
    let mut both = Vec::new();
    let mut alone = Vec::new();
    for element in one {
        match rest.iter().position(|partner| *partner == element) {
            Some(at) => {
                rest.swap_remove(at);
                both.push(element.clone());
            }
            None => alone.push(element),
        }
    }
    for element in alone {
        let pairs = rest.iter().enumerate().map(|(idx, partner)| (idx, common(element, partner)));
        // An element that is volatile as a whole has nothing in common with its partner.
        let best = pairs.min_by_key(|(idx, pair)| (is_volatile(pair), n_volatile(pair), *idx));
        let (idx, pair) = best.expect("both sets have as many elements");
        rest.remove(idx);
        both.push(pair);
    }
    both
}

/// Parts of a time that are coarser than a second. Two showings a second apart mostly agree on
/// them, but two a day apart do not.
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

/// Makes attributes named after a part of a time volatile too, if they are next to a volatile time.
fn without_calendar(one: &[(String, Tree)], mut common: Vec<(String, Tree)>) -> Vec<(String, Tree)> {
    let is_time = |((_, one), (_, common)): (&(String, Tree), &(String, Tree))| match one {
        Tree::Leaf(text) => is_volatile(common) && holds_a_time(text),
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

#[cfg(test)]
mod tests {
    use super::*;
    use crate::record::Masker;
    use crate::snapshot::hidden::Hidden;
    use crate::snapshot::print::text;
    use crate::transcript::Transcript;
    use crate::value;
    use crate::value::{Type, Value};

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
        assert_eq!(text(&common(&one, &other), 0), expected);
        assert_eq!(text(&common(&other, &one), 0), expected, "the other way round");
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
        let both = common(&ids([(1, "a"), (2, "b")]), &ids([(8, "b"), (9, "a")]));
        let element = |name| format!("  {{\n    id = [volatile]\n    name = {name}\n  }},\n");
        assert_eq!(text(&both, 0), format!("[\n{}{}]", element("a"), element("b")));
        // The order of a set does not matter.
        assert_eq!(text(&ids([(1, "a"), (2, "b")]), 0), text(&ids([(2, "b"), (1, "a")]), 0));
    }

    #[test]
    fn parts_of_a_volatile_time_are_volatile_for_more_than_a_second() {
        assert_common(
            value!({ at: "2026-11-21T15:04:05Z", hour: 15, days: 3 }),
            value!({ at: "2026-11-21T15:04:07Z", hour: 15, days: 3 }),
            "{\n  at = [volatile]\n  days = 3\n  hour = [volatile]\n}",
        );
        // If no time differs, an hour is a number like any other.
        assert_common(
            value!({ at: "15:04:05", hour: 15, id: "a" }),
            value!({ at: "15:04:05", hour: 15, id: "b" }),
            "{\n  at = \"15:04:05\"\n  hour = 15\n  id = [volatile]\n}",
        );
    }

    #[test]
    fn the_scratch_folder_has_its_own_name() {
        assert_eq!(shown(value!({ file: "/tmp/scratch-1/tmp/a" })), "{\n  file = \"[scratch]/tmp/a\"\n}");
    }
}
