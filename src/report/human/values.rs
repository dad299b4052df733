//! What was expected and what came back, at the attributes that broke in one exchange.

use super::super::{Broken, Group};
use super::Style;
use super::text::{FIELD, Tone, elide_together, fill_from};
use crate::value::tree::{Tree, TreePath};

/// What one role held, place by place.
struct Side<'g> {
    role: &'g str,
    tone: Tone,
    values: Vec<(String, String)>,
}

pub(super) fn write(out: &mut String, group: &Group, style: &Style) {
    let in_first = group.attributes.values().filter(|broken| broken.is_in(&group.first));
    let broken: Vec<&Broken> = in_first.collect();
    let mut sides: Vec<Side<'_>> = Vec::new();
    let expected = broken
        .iter()
        .flat_map(|broken| broken.evidence.allowed.iter().map(|said| (*broken, Tone::Good, said)));
    let actual =
        broken.iter().flat_map(|broken| broken.evidence.actual.iter().map(|said| (*broken, Tone::Bad, said)));
    for (broken, tone, (role, tree)) in expected.chain(actual) {
        let values = values(&broken.evidence.path, tree);
        match sides.iter_mut().find(|side| side.role == role && side.tone == tone) {
            Some(side) => side.values.extend(values),
            None => sides.push(Side { role, tone, values }),
        }
    }
    shorten(&mut sides, style);
    // What differs is shown, wherever the lines end.
    let alike = |idx: usize| sides.iter().all(|side| side.values.get(idx) == sides[0].values.get(idx));
    let longest = sides.iter().map(|side| side.values.len()).max().unwrap_or(0);
    let from = (0..longest).find(|idx| !alike(*idx)).unwrap_or(0);
    for side in &sides {
        let items: Vec<String> = side.values.iter().map(|(path, value)| item(path, value)).collect();
        let lines = if style.verbose { usize::MAX } else { 1 };
        let shown = fill_from(&items, from, style.columns(), lines);
        let shown: Vec<String> = shown.iter().map(|line| style.paint(side.tone, line)).collect();
        style.lines(out, label(side.role), &shown);
    }
}

/// Whether what was expected is shown next to what came back.
pub(super) fn are_compared(group: &Group) -> bool {
    let in_first = group.attributes.values().filter(|broken| broken.is_in(&group.first));
    let mut evidence = in_first.map(|broken| &broken.evidence);
    evidence.any(|evidence| !evidence.allowed.is_empty() && evidence.actual.is_some())
}

/// The value at a place; of a whole object, what is set in it.
fn values(path: &TreePath, tree: &Tree) -> Vec<(String, String)> {
    match tree {
        Tree::Object(members) if path.is_root() => {
            let set = members.iter().filter(|(_, member)| *member != Tree::leaf("null"));
            set.map(|(name, member)| (name.clone(), member.to_string())).collect()
        }
        tree => vec![(path.to_string(), tree.to_string())],
    }
}

fn item(path: &str, value: &str) -> String {
    if path == "(root)" { value.to_owned() } else { format!("{path} = {value}") }
}

/// Cuts long values, those of one place alike.
fn shorten(sides: &mut [Side<'_>], style: &Style) {
    let mut places: Vec<String> =
        sides.iter().flat_map(|side| &side.values).map(|(path, _)| path.clone()).collect();
    places.sort();
    places.dedup();
    for place in places {
        let columns = style.columns().saturating_sub(place.chars().count() + 4).max(24);
        let held: Vec<&str> = sides
            .iter()
            .flat_map(|side| side.values.iter().filter(|(path, _)| *path == place))
            .map(|(_, value)| value.as_str())
            .collect();
        let mut short = elide_together(&held, columns).into_iter();
        for (path, value) in sides.iter_mut().flat_map(|side| &mut side.values) {
            if *path == place {
                *value = short.next().expect("there is one for each");
            }
        }
    }
}

/// The role in the column of labels.
fn label(role: &str) -> &str {
    match role {
        "configuration" => "configured",
        "initial planned state" | "planned state" => "planned",
        "final planned state" => "final",
        "prior state" => "before",
        "current state" => "stored",
        "new state" => "returned",
        "upgraded state" => "upgraded",
        long if long.len() >= FIELD => long.split(' ').next().unwrap_or(long),
        other => other,
    }
}
