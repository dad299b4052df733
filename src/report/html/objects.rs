//! The objects of an exchange next to each other, where they differ.

use std::collections::BTreeSet;

use maud::{Markup, html};

use crate::report::Group;
use crate::report::align::Row;
use crate::value::tree::Tree;

/// Rows of one table; more are cut off.
const MOST: usize = 400;

/// One place, and what each object holds there.
struct Line<'a> {
    place: String,
    cells: Vec<Option<&'a Tree>>,
    differs: bool,
}

/// Tables with a column for each object that there is: where they differ, and, folded, where they are alike. What is
/// shown value by value as found is left out.
pub(super) fn diff(group: &Group) -> Markup {
    let (absent, present): (Vec<_>, Vec<_>) =
        group.first.evidence.objects.iter().partition(|(_, tree)| *tree == Tree::leaf("null"));
    if present.is_empty() {
        return html! {};
    }
    let root = Row::of(present.iter().map(|(_, tree)| tree));
    let mut lines = Vec::new();
    collect(&root, String::new(), present.len(), &mut lines);
    let shown = group.attributes.values().filter(|broken| broken.has_values());
    let shown: BTreeSet<String> = shown.map(|broken| broken.evidence.path.to_string()).collect();
    lines.retain(|line| !shown.contains(&line.place));
    if lines.is_empty() {
        return html! {};
    }
    let (differing, alike): (Vec<&Line<'_>>, Vec<&Line<'_>>) = lines.iter().partition(|line| line.differs);
    let broken = group.attributes.values().filter(|broken| broken.is_in(&group.first));
    let broken: BTreeSet<String> = broken.map(|broken| broken.evidence.path.to_string()).collect();
    let roles: Vec<&str> = present.iter().map(|(role, _)| role.as_str()).collect();
    let absent: Vec<&str> = absent.iter().map(|(role, _)| role.as_str()).collect();
    html! {
        details.inner open[!differing.is_empty()] {
            summary { "Objects of the call" }
            @if !absent.is_empty() { p { small { "Null: " (absent.join(", ")) } } }
            @if !differing.is_empty() { (table(&roles, &differing, &broken)) }
            @if !alike.is_empty() {
                details.inner {
                    summary { "Where they are alike" }
                    (table(&roles, &alike, &broken))
                }
            }
        }
    }
}

fn table(roles: &[&str], lines: &[&Line<'_>], broken: &BTreeSet<String>) -> Markup {
    html! {
        div.scroll {
            table.objects {
                thead { tr { th {} @for role in roles { th { (role) } } } }
                tbody { @for line in lines.iter().take(MOST) { (row(line, broken)) } }
            }
        }
        @if lines.len() > MOST { p { small { "The table is cut off: the case has all of it." } } }
    }
}

fn row(line: &Line<'_>, broken: &BTreeSet<String>) -> Markup {
    let is_inside = |outer: &str| {
        line.place.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with(['.', '[']))
    };
    let is_here = line.differs && broken.iter().any(|path| is_inside(path));
    // The last one is the answer that is judged.
    let answer = line.cells.last().copied().flatten();
    html! {
        tr.here[is_here] {
            th { code { @if line.place.is_empty() { "(all)" } @else { (line.place) } } }
            @for cell in &line.cells {
                td.answer[*cell == answer] {
                    @if let Some(tree) = cell { code { (tree) } } @else { span.missing { "not there" } }
                }
            }
        }
    }
}

/// The innermost places: a collection that only some of the objects hold is one place.
fn collect<'a>(row: &Row<'a>, place: String, n_objects: usize, lines: &mut Vec<Line<'a>>) {
    let all: Vec<usize> = (0..n_objects).collect();
    let holders = row.holders(&all);
    let collections = holders.iter().filter(|idx| row.is_collection(**idx)).count();
    // A null beside objects has no members, and is shown as such in each of them.
    if collections > 0 && (collections == holders.len() || place.is_empty()) {
        for (name, member) in row.labelled() {
            let inner = match (place.is_empty(), name.starts_with('[')) {
                (true, _) => name,
                (false, true) => format!("{place}{name}"),
                (false, false) => format!("{place}.{name}"),
            };
            collect(member, inner, n_objects, lines);
        }
        return;
    }
    let cells: Vec<Option<&Tree>> = all.iter().map(|idx| row.tree(*idx)).collect();
    let differs = cells.windows(2).any(|pair| pair[0] != pair[1]);
    lines.push(Line { place, cells, differs });
}
