//! The objects of an exchange side by side, where they disagree.
//!
//! The trees are aligned member by member, and only what differs around the place of the
//! finding is shown, each value with the objects that hold it.

use super::super::align::Row;
use super::Style;
use super::text::{Tone, elide_together, width};
use crate::record::Evidence;
use crate::value::tree::{Tree, TreePath, TreeStep};

/// Lines for one finding, and with [`Style::verbose`].
const MOST: usize = 16;
const MOST_VERBOSE: usize = 80;

/// One line of the result.
struct Line {
    /// The objects that have it; empty if all do.
    roles: Vec<usize>,
    indent: usize,
    label: String,
    value: String,
}

/// Writes where the objects disagree at or around the place of the finding; nothing if they agree.
pub(super) fn write(out: &mut String, style: &Style, evidence: &Evidence) {
    let (absent, present): (Vec<_>, Vec<_>) =
        evidence.objects.iter().partition(|(_, tree)| *tree == Tree::leaf("null"));
    if present.len() < 2 {
        return;
    }
    let root = Row::of(present.iter().map(|(_, tree)| tree));
    let all: Vec<usize> = (0..present.len()).collect();
    let mut chain = descend(&root, &evidence.path, present.len() - 1);
    if style.verbose {
        chain.truncate(1);
    }
    // The innermost place around the finding with a difference.
    let Some(at) = (0..chain.len()).rev().find(|idx| !chain[*idx].1.agrees(&chain[*idx].1.holders(&all)))
    else {
        return;
    };
    let (place, row) = &chain[at];
    let holders = chain[..at].last().map_or_else(|| all.clone(), |(_, parent)| parent.holders(&all));
    let mut lines = Vec::new();
    collect(row, place, 0, &holders, &mut lines);
    let roles: Vec<&str> = present.iter().map(|(role, _)| short(role)).collect();
    write_lines(out, style, &roles, &lines, evidence);
    for (role, _) in absent {
        out.push_str(&format!("    {}\n", style.paint(Tone::Dim, &format!("({} is null)", short(role)))));
    }
}

/// The role in one word.
fn short(role: &str) -> &str {
    match role {
        "prior state" => "prior",
        "configuration" => "config",
        "proposed new state" => "proposed",
        "planned state" => "planned",
        "new state" => "new",
        "prepared_config" => "prepared",
        other => other,
    }
}

fn write_lines(out: &mut String, style: &Style, roles: &[&str], lines: &[Line], evidence: &Evidence) {
    let allowed: Vec<&str> = evidence.allowed.iter().map(|(role, _)| short(role)).collect();
    let actual: Vec<&str> = evidence.actual.iter().map(|(role, _)| short(role)).collect();
    let name = |line: &Line| line.roles.iter().map(|idx| roles[*idx]).collect::<Vec<_>>().join(", ");
    let most = if style.verbose { MOST_VERBOSE } else { MOST };
    let shown = &lines[..lines.len().min(most)];
    let gutter = shown.iter().map(|line| width(&name(line))).max().unwrap_or(0);
    for chunk in shown.chunk_by(|a, b| a.label == b.label && a.indent == b.indent && !a.roles.is_empty()) {
        let lead = 4 + gutter + 2 + 2 * chunk[0].indent + width(&chunk[0].label);
        let texts: Vec<&str> = chunk.iter().map(|line| line.value.as_str()).collect();
        let values = elide_together(&texts, style.width.saturating_sub(lead).max(24));
        for (line, value) in chunk.iter().zip(values) {
            let who = name(line);
            let any = |side: &[&str]| line.roles.iter().any(|idx| side.contains(&roles[*idx]));
            let tone = match () {
                () if any(&actual) => Tone::Bad,
                () if any(&allowed) => Tone::Good,
                () => Tone::Plain,
            };
            let indent = "  ".repeat(line.indent);
            let text = style.paint(tone, &format!("{}{value}", line.label));
            out.push_str(&format!(
                "    {}  {indent}{text}\n",
                style.paint(Tone::Dim, &format!("{who:gutter$}"))
            ));
        }
    }
    if lines.len() > most {
        let rest = format!("({} more lines; --verbose shows them)", lines.len() - most);
        out.push_str(&format!("    {}\n", style.paint(Tone::Dim, &rest)));
    }
}

/// The lines of a place at which the objects that hold its parent disagree.
fn collect(row: &Row<'_>, label: &str, indent: usize, holders: &[usize], lines: &mut Vec<Line>) {
    let inner = row.holders(holders);
    let comparable = inner.len() == holders.len() && inner.iter().all(|idx| row.is_collection(*idx));
    if !comparable {
        collect_values(row, label, indent, holders, lines);
        return;
    }
    let differing: Vec<(String, &Row<'_>)> =
        row.labelled().filter(|(_, member)| !member.agrees(&inner)).collect();
    if let [(only, member)] = differing.as_slice() {
        collect(member, &join(label, only), indent, &inner, lines);
        return;
    }
    let deeper = if label.is_empty() { indent } else { indent + 1 };
    if !label.is_empty() {
        lines.push(Line { roles: Vec::new(), indent, label: format!("{label}:"), value: String::new() });
    }
    for (name, member) in differing {
        collect(member, &name, deeper, &inner, lines);
    }
}

/// One line for each different value, with the objects that hold it.
fn collect_values(row: &Row<'_>, label: &str, indent: usize, holders: &[usize], lines: &mut Vec<Line>) {
    let mut values: Vec<(Option<&Tree>, Vec<usize>)> = Vec::new();
    for idx in holders {
        let tree = row.tree(*idx);
        match values.iter_mut().find(|(known, _)| *known == tree) {
            Some((_, who)) => who.push(*idx),
            None => values.push((tree, vec![*idx])),
        }
    }
    let label = if label.is_empty() { String::new() } else { format!("{label} = ") };
    for (tree, roles) in values {
        let value = tree.map_or_else(|| "(not there)".to_owned(), Tree::to_string);
        lines.push(Line { roles, indent, label: label.clone(), value });
    }
}

/// `disk` and `[0]` to `disk[0]`, `disk[0]` and `size` to `disk[0].size`.
fn join(place: &str, name: &str) -> String {
    if place.is_empty() || name.starts_with('[') {
        format!("{place}{name}")
    } else {
        format!("{place}.{name}")
    }
}

/// The places from the root down to `path`, as far as the objects have it; an element of a set is not looked for.
fn descend<'r, 'a>(root: &'r Row<'a>, path: &TreePath, actual: usize) -> Vec<(String, &'r Row<'a>)> {
    let mut chain = vec![(String::new(), root)];
    for step in path.steps() {
        let (place, row) = &chain[chain.len() - 1];
        let next = match step {
            // Indexes are those of the answer that is judged.
            TreeStep::Index(index) => usize::try_from(*index)
                .ok()
                .and_then(|idx| row.labelled().filter(|(_, member)| member.cells[actual].is_some()).nth(idx)),
            _ => row.labelled().find(|(_, member)| step.names(member.label())),
        };
        let Some((name, member)) = next else { break };
        chain.push((join(place, &name), member));
    }
    chain
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::tree;
    use crate::value;
    use crate::value::tree::Nothing;
    use crate::value::{AttributePath, Literal, PathStep, Type, Value};

    fn shown(objects: &[(&str, Literal)], path: AttributePath) -> String {
        let objects = objects.iter().map(|(role, literal)| ((*role).to_owned(), tree(literal.clone())));
        let path = TreePath::of(&path, &Nothing);
        let evidence = Evidence { path, objects: objects.collect(), ..Evidence::default() };
        let mut out = String::new();
        write(&mut out, &Style::default(), &evidence);
        out
    }

    #[test]
    fn a_place_is_found_by_its_keys_and_not_behind_elements_of_sets() {
        let at = AttributePath::root().attribute("tags").key("a.b]\"c");
        let before = value!({ "tags": { "a.b]\"c": 1, "d": 2 }, "n": 1 });
        let after = value!({ "tags": { "a.b]\"c": 2, "d": 3 }, "n": 1 });
        let maps = |literal: Literal| {
            let ty = Type::object([("tags", Type::map(Type::Number)), ("n", Type::Number)]);
            Tree::of(&literal.of(&ty), &Nothing)
        };
        let objects = [("prior", maps(before)), ("new", maps(after))];
        let objects = objects.map(|(role, tree)| (role.to_owned(), tree)).to_vec();
        let shown = |path: &AttributePath| {
            let path = TreePath::of(path, &Nothing);
            let mut out = String::new();
            let evidence = Evidence { path, objects: objects.clone().into(), ..Evidence::default() };
            write(&mut out, &Style::default(), &evidence);
            out
        };
        let one = "    prior  tags[\"a.b]\\\"c\"] = 1\n    new    tags[\"a.b]\\\"c\"] = 2\n";
        assert_eq!(shown(&at), one);
        let element = AttributePath::root().attribute("tags").with(PathStep::Element(Value::number(1)));
        assert_eq!(shown(&element).lines().count(), 5);
    }

    #[test]
    fn only_what_differs_at_the_path_is_shown() {
        let config = value!({ "name": "a", "note": "x", "disk": [{ "size": 1, "path": null }] });
        let planned = value!({ "name": "b", "note": "x", "disk": [{ "size": 1, "path": "/x" }] });
        let objects =
            [("configuration", config.clone()), ("proposed new state", config), ("planned state", planned)];
        assert_eq!(
            shown(&objects, AttributePath::root().attribute("disk").index(0).attribute("path")),
            "    config, proposed  disk[0].path = null\n    planned           disk[0].path = \"/x\"\n"
        );
        assert_eq!(
            shown(&objects, AttributePath::root().attribute("note")),
            "    config, proposed  disk[0].path = null\n    planned           disk[0].path = \"/x\"\n    \
             config, proposed  name = \"a\"\n    planned           name = \"b\"\n"
        );
    }

    #[test]
    fn an_element_added_in_front_is_the_only_difference() {
        let before = value!({ "disk": [{ "size": 1 }, { "size": 2 }] });
        let after = value!({ "disk": [{ "size": 9 }, { "size": 1 }, { "size": 2 }] });
        assert_eq!(
            shown(
                &[("prior state", before), ("planned state", after)],
                AttributePath::root().attribute("disk")
            ),
            "    prior    disk[0] = (not there)\n    planned  disk[0] = { size = 9 }\n"
        );
    }

    #[test]
    fn equal_objects_show_nothing() {
        let value = value!({ "name": "a" });
        let objects = [("configuration", value.clone()), ("planned state", value)];
        assert_eq!(shown(&objects, AttributePath::root().attribute("name")), "");
    }
}
