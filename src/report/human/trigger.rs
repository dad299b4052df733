//! What a user wrote, and changed, until something broke.

use std::collections::BTreeSet;

use crate::record::Trigger;
use crate::transcript::Phase;
use crate::value::tree::Tree;

const NOT_SET: &str = "(not set)";
const UNKNOWN: &str = "(known after apply)";

/// The label of a step, in the column of labels: that of the apply for what is read directly after it.
pub(in crate::report) fn label(trigger: &Trigger, phase: Phase) -> &'static str {
    match trigger.applied_in.unwrap_or(phase) {
        Phase::PlanUnknown => "plan",
        Phase::Data => "read",
        Phase::OldState => "upgrade",
        other => other.name(),
    }
}

/// What changed, place by place; what is set, if there was nothing before or nothing changed.
pub(in crate::report) fn items(trigger: &Trigger) -> Vec<String> {
    let shown: Vec<&Tree> = trigger.before.iter().chain(&trigger.now).collect();
    let (Some(first), Some(last)) = (shown.first(), shown.last()) else { return Vec::new() };
    let mut places = BTreeSet::new();
    for pair in shown.windows(2) {
        differ(pair[0], pair[1], &mut Vec::new(), &mut places);
    }
    // What is unknown as a whole has no places inside.
    let is_inside = |place: &Vec<String>| (1..place.len()).any(|end| places.contains(&place[..end]));
    let changed: Vec<&Vec<String>> = places.iter().filter(|place| !is_inside(place)).collect();
    if trigger.before.is_some() && !changed.is_empty() {
        return changed.into_iter().map(|place| change(trigger, first, place)).collect();
    }
    arguments(trigger, last, &changed)
}

/// Whether an item is about the argument or block that a schema path begins with.
pub(super) fn is_about(item: &str, path: &str) -> bool {
    let name = path.split('.').next().unwrap_or_default();
    let rest = item.strip_prefix(name).filter(|_| !name.is_empty());
    rest.is_some_and(|rest| rest.starts_with([' ', ':', '.', '[']))
}

/// `size: 7 → (known after apply), then 1`.
fn change(trigger: &Trigger, before: &Tree, place: &[String]) -> String {
    let mut text = format!("{}: {}", name(place), at(before, place));
    let mut last = at(before, place);
    let mut arrow = " → ";
    for value in trigger.now.iter().map(|tree| at(tree, place)) {
        if value != last || trigger.now.len() > 1 && arrow == " → " {
            text.push_str(&format!("{arrow}{value}"));
            arrow = ", then ";
        }
        last = value;
    }
    text
}

/// `size = 7`, `disk { label = "a" }`; what was unknown at first, `size = (known after apply), then 1`.
fn arguments(trigger: &Trigger, config: &Tree, unknown: &[&Vec<String>]) -> Vec<String> {
    let Tree::Object(members) = config else { return Vec::new() };
    let of_member = |(name, tree): &(String, Tree)| -> Vec<String> {
        let later = unknown.iter().filter(|place| place.first() == Some(name));
        let early = later.filter_map(|place| {
            let early = at(trigger.now.first()?, place);
            Some(format!("{} = {early}, then {}", self::name(place), at(config, place)))
        });
        let early: Vec<String> = early.collect();
        match tree {
            _ if !early.is_empty() => early,
            _ if trigger.blocks.contains(name) => blocks(name, tree),
            tree => vec![format!("{name} = {}", value(tree))],
        }
    };
    members.iter().flat_map(of_member).collect()
}

fn blocks(name: &str, tree: &Tree) -> Vec<String> {
    match tree {
        Tree::List(blocks) | Tree::Set(blocks) => {
            blocks.iter().map(|block| format!("{name} {block}")).collect()
        }
        Tree::Map(blocks) => blocks.iter().map(|(key, block)| format!("{name} {key} {block}")).collect(),
        block => vec![format!("{name} {block}")],
    }
}

/// The smallest places at which two values differ. Elements of sets have no place.
fn differ(one: &Tree, other: &Tree, at: &mut Vec<String>, places: &mut BTreeSet<Vec<String>>) {
    let mut inside = |step: String, one: &Tree, other: &Tree| {
        at.push(step);
        differ(one, other, at, places);
        at.pop();
    };
    let unset = Tree::leaf(NOT_SET);
    match (one, other) {
        _ if one == other => {}
        (Tree::Object(one), Tree::Object(other)) | (Tree::Map(one), Tree::Map(other)) => {
            let names: BTreeSet<&String> = one.iter().chain(other).map(|(name, _)| name).collect();
            for name in names {
                let of = |members: &'_ [(String, Tree)]| {
                    members
                        .iter()
                        .find(|(own, _)| own == name)
                        .map_or(unset.clone(), |(_, tree)| tree.clone())
                };
                inside(name.clone(), &of(one), &of(other));
            }
        }
        (Tree::List(one), Tree::List(other)) if one.len() == other.len() => {
            for (idx, (one, other)) in one.iter().zip(other).enumerate() {
                inside(format!("[{idx}]"), one, other);
            }
        }
        _ => drop(places.insert(at.clone())),
    }
}

/// What is at a place, or the leaf that contains it.
fn at(tree: &Tree, place: &[String]) -> String {
    let Some((step, rest)) = place.split_first() else { return value(tree) };
    let inside = match tree {
        Tree::Leaf(_) => return value(tree),
        Tree::Object(members) | Tree::Map(members) => {
            members.iter().find(|(name, _)| name == step).map(|(_, tree)| tree)
        }
        Tree::List(elements) | Tree::Set(elements) => {
            step.trim_matches(['[', ']']).parse().ok().and_then(|idx: usize| elements.get(idx))
        }
    };
    inside.map_or_else(|| NOT_SET.to_owned(), |tree| at(tree, rest))
}

/// A value; what it will be is of no interest where it is not known yet.
fn value(tree: &Tree) -> String {
    let text = tree.to_string();
    if text.starts_with(&UNKNOWN[..UNKNOWN.len() - 1]) { UNKNOWN.to_owned() } else { text }
}

/// A place as users write it: `disk[0].size`, `tags["a"]`.
fn name(place: &[String]) -> String {
    let mut name = String::new();
    for step in place {
        match step.chars().next() {
            Some('[') => name.push_str(step),
            Some('"') => name.push_str(&format!("[{step}]")),
            _ if name.is_empty() => name.push_str(step),
            _ => name.push_str(&format!(".{step}")),
        }
    }
    name
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::tree;
    use crate::value;
    use crate::value::Literal;

    fn shown(before: Option<Literal>, now: Vec<Literal>) -> Vec<String> {
        let blocks = ["disk".to_owned()].into();
        items(&Trigger {
            before: before.map(tree),
            now: now.into_iter().map(tree).collect(),
            blocks,
            drift: None,
            applied_in: None,
        })
    }

    #[test]
    fn a_change_is_shown_from_before_through_what_was_unknown() {
        let before = value!({ "size": 7, "name": "a", "tags": { "x": 1 } });
        let planned = value!({ "size": unknown, "name": "a", "tags": { "x": 1 } });
        let applied = value!({ "size": 1, "name": "a", "tags": { "x": 1 } });
        assert_eq!(
            shown(Some(before.clone()), vec![planned.clone(), applied.clone()]),
            ["size: 7 → (known after apply), then 1"]
        );
        assert_eq!(shown(Some(before.clone()), vec![applied]), ["size: 7 → 1"]);
        assert_eq!(
            shown(Some(before.clone()), vec![planned, before.clone()]),
            ["size: 7 → (known after apply), then 7"]
        );
        let less = value!({ "name": "b", "disk": [{ "size": 1 }] });
        let expected = [
            "disk: (not set) → [{ size = 1 }]",
            "name: \"a\" → \"b\"",
            "size: 7 → (not set)",
            "tags: { x = 1 } → (not set)",
        ];
        assert_eq!(shown(Some(before), vec![less]), expected);
    }

    #[test]
    fn what_is_set_is_shown_where_nothing_changed() {
        let config = value!({ "size": 7, "disk": [{ "label": "a" }, { "label": "b" }] });
        let expected = ["disk { label = \"a\" }", "disk { label = \"b\" }", "size = 7"];
        assert_eq!(shown(None, vec![config.clone()]), expected);
        assert_eq!(shown(Some(config.clone()), vec![config.clone()]), expected);
        assert_eq!(shown(Some(config.clone()), vec![]), expected);
        let early = value!({ "size": unknown, "disk": [{ "label": "a" }, { "label": unknown }] });
        let expected =
            ["disk[1].label = (known after apply), then \"b\"", "size = (known after apply), then 7"];
        assert_eq!(shown(None, vec![early, config]), expected);
        assert_eq!(shown(None, vec![]), [""; 0]);
    }
}
