//! The objects of an exchange side by side, where they disagree.
//!
//! Every object comes as text in HCL notation. The texts are read back into trees,
//! the trees aligned member by member, and only what differs around the place of the
//! finding is shown, each value with the objects that hold it.

use similar::{Algorithm, DiffOp, capture_diff_slices};

use super::Style;
use super::text::{Tone, elide_together, width};

/// Lines for one finding, and with [`Style::verbose`].
const MOST: usize = 16;
const MOST_VERBOSE: usize = 80;

/// Whose word was right and whose was not, by role.
#[derive(Clone, Copy, Debug, Default)]
pub(super) struct Sides<'a> {
    pub allowed: &'a [&'a str],
    pub actual: &'a [&'a str],
}

/// A value as it was printed: a leaf, or a collection with members.
#[derive(Clone, Debug, PartialEq)]
struct Tree {
    /// The attribute name or quoted key; empty for an element.
    label: String,
    /// On one line, without the label.
    text: String,
    members: Option<Vec<Tree>>,
}

/// A place, and what each object holds there.
#[derive(Debug)]
struct Row<'a> {
    cells: Vec<Option<&'a Tree>>,
    members: Vec<Row<'a>>,
}

/// One line of the result.
struct Line {
    /// Which objects say so; empty where all do.
    roles: Vec<usize>,
    indent: usize,
    label: String,
    value: String,
}

/// Writes where the objects disagree at or around `path`; nothing where they do not.
pub(super) fn write(
    out: &mut String,
    style: &Style,
    objects: &[(String, String)],
    path: &str,
    sides: Sides<'_>,
) {
    let present: Vec<(&str, Tree)> = objects
        .iter()
        .filter(|(_, text)| text.trim() != "null")
        .map(|(role, text)| (short(role), parse(text)))
        .collect();
    if present.len() < 2 {
        return;
    }
    let root = align(present.iter().map(|(_, tree)| Some(tree)).collect());
    let all: Vec<usize> = (0..present.len()).collect();
    let mut chain = descend(&root, path, present.len() - 1);
    if style.verbose {
        chain.truncate(1);
    }
    // The innermost place around the finding at which there is something to see.
    let Some(at) = (0..chain.len()).rev().find(|idx| !chain[*idx].1.agrees(&chain[*idx].1.holders(&all)))
    else {
        return;
    };
    let (place, row) = &chain[at];
    let holders = chain[..at].last().map_or_else(|| all.clone(), |(_, parent)| parent.holders(&all));
    let mut lines = Vec::new();
    collect(row, place, 0, &holders, &mut lines);
    let roles: Vec<&str> = present.iter().map(|(role, _)| *role).collect();
    write_lines(out, style, &roles, &lines, &sides);
    for (role, _) in objects.iter().filter(|(_, text)| text.trim() == "null") {
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
        other => other,
    }
}

fn write_lines(out: &mut String, style: &Style, roles: &[&str], lines: &[Line], sides: &Sides<'_>) {
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
            let any = |side: &[&str]| {
                line.roles.iter().any(|idx| side.iter().any(|role| short(role) == roles[*idx]))
            };
            let tone = match () {
                () if any(sides.actual) => Tone::Bad,
                () if any(sides.allowed) => Tone::Good,
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

/// One line for each different value, with those who hold it.
fn collect_values(row: &Row<'_>, label: &str, indent: usize, holders: &[usize], lines: &mut Vec<Line>) {
    let mut values: Vec<(Option<&str>, Vec<usize>)> = Vec::new();
    for idx in holders {
        let text = row.cells[*idx].map(|tree| tree.text.as_str());
        match values.iter_mut().find(|(known, _)| *known == text) {
            Some((_, who)) => who.push(*idx),
            None => values.push((text, vec![*idx])),
        }
    }
    let label = if label.is_empty() { String::new() } else { format!("{label} = ") };
    for (text, roles) in values {
        let value = text.unwrap_or("(not there)").to_owned();
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

impl<'a> Row<'a> {
    /// Those of `among` that have something here.
    fn holders(&self, among: &[usize]) -> Vec<usize> {
        among.iter().copied().filter(|idx| self.cells[*idx].is_some()).collect()
    }

    /// Whether all of `holders` say the same.
    fn agrees(&self, holders: &[usize]) -> bool {
        let text = |idx: &usize| self.cells[*idx].map(|tree| tree.text.as_str());
        holders.windows(2).all(|pair| text(&pair[0]) == text(&pair[1]))
    }

    fn is_collection(&self, idx: usize) -> bool {
        self.cells[idx].is_some_and(|tree| tree.members.is_some())
    }

    /// The members with their names as a path has them.
    fn labelled(&self) -> impl Iterator<Item = (String, &Row<'a>)> {
        self.members.iter().enumerate().map(|(idx, member)| {
            let label = member.cells.iter().flatten().next().map_or("", |tree| tree.label.as_str());
            let name = match label {
                "" => format!("[{idx}]"),
                key if key.starts_with('"') => format!("[{key}]"),
                name => name.to_owned(),
            };
            (name, member)
        })
    }
}

/// The places from the root down to `path`, as far as the objects have it.
fn descend<'r, 'a>(root: &'r Row<'a>, path: &str, actual: usize) -> Vec<(String, &'r Row<'a>)> {
    let mut chain = vec![(String::new(), root)];
    for step in steps(path) {
        let (place, row) = &chain[chain.len() - 1];
        let next =
            match step.strip_prefix('[').and_then(|step| step.trim_end_matches(']').parse::<usize>().ok()) {
                // Indexes are those of the answer that is judged.
                Some(idx) => row.labelled().filter(|(_, member)| member.cells[actual].is_some()).nth(idx),
                None => row.labelled().find(|(name, _)| *name == step),
            };
        let Some((name, member)) = next else { break };
        chain.push((join(place, &name), member));
    }
    chain
}

/// `disk[0].tags["a.b"]` to `disk`, `[0]`, `tags`, `["a.b"]`; ends at what cannot be told, such as an element of a set.
fn steps(path: &str) -> Vec<String> {
    let mut steps = Vec::new();
    let mut rest = path;
    while !rest.is_empty() && rest != "(root)" {
        if let Some(inner) = rest.strip_prefix('[') {
            let length = if inner.starts_with('"') { quoted(inner) } else { inner.find(']') };
            let Some(length) = length.filter(|length| inner[*length..].starts_with(']')) else { break };
            steps.push(rest[..length + 2].to_owned());
            rest = &rest[length + 2..];
        } else {
            let name = rest.strip_prefix('.').unwrap_or(rest);
            let end = name.find(['.', '[']).unwrap_or(name.len());
            steps.push(name[..end].to_owned());
            rest = &name[end..];
            if end == 0 {
                break;
            }
        }
    }
    steps
}

/// The length in bytes of the quoted text that `text` starts with, its quotes included.
fn quoted(text: &str) -> Option<usize> {
    let mut escaped = false;
    text.char_indices().skip(1).find_map(|(idx, c)| {
        let end = c == '"' && !escaped;
        escaped = c == '\\' && !escaped;
        end.then_some(idx + 1)
    })
}

/// Reads a value back from the lines it was printed in. Total: what it does not understand is a leaf.
fn parse(text: &str) -> Tree {
    let mut lines = text.lines().map(str::trim).filter(|line| !line.is_empty());
    let first = lines.next().unwrap_or_default();
    parse_line(first, &mut lines, 0)
}

/// Deeper than any value that can be decoded.
const DEEPEST: usize = 512;

fn parse_line<'t>(line: &'t str, rest: &mut impl Iterator<Item = &'t str>, depth: usize) -> Tree {
    let (label, value) = split_label(line);
    let value = value.trim_end_matches(',');
    let label = label.to_owned();
    let close = match value {
        "{" => "}",
        "[" => "]",
        _ => return Tree { label, text: value.to_owned(), members: None },
    };
    let mut members = Vec::new();
    loop {
        match rest.next().filter(|_| depth < DEEPEST) {
            None => break,
            Some(line) if line.trim_end_matches(',') == close => break,
            Some(line) => members.push(parse_line(line, rest, depth + 1)),
        }
    }
    let inner: Vec<String> = members.iter().map(|member| labelled(&member.label, &member.text)).collect();
    let text =
        if value == "{" { format!("{{ {} }}", inner.join(", ")) } else { format!("[{}]", inner.join(", ")) };
    Tree { label, text, members: Some(members) }
}

fn labelled(label: &str, text: &str) -> String {
    if label.is_empty() { text.to_owned() } else { format!("{label} = {text}") }
}

fn split_label(line: &str) -> (&str, &str) {
    let end = if line.starts_with('"') {
        quoted(line)
    } else {
        line.find(|c: char| !(c.is_alphanumeric() || c == '_' || c == '-')).filter(|end| *end > 0)
    };
    match end.and_then(|end| line[end..].strip_prefix(" = ").map(|value| (&line[..end], value))) {
        Some(found) => found,
        None => ("", line),
    }
}

fn align(cells: Vec<Option<&Tree>>) -> Row<'_> {
    let mut merged: Vec<Vec<Option<&Tree>>> = Vec::new();
    for (idx, cell) in cells.iter().enumerate() {
        if let Some(Tree { members: Some(members), .. }) = cell {
            merged = merge(merged, members, idx, cells.len());
        }
    }
    Row { members: merged.into_iter().map(align).collect(), cells }
}

/// Adds the members of one more object to those aligned so far: named ones by their name,
/// elements where they are equal, and what lies between equal elements in order.
fn merge<'a>(
    merged: Vec<Vec<Option<&'a Tree>>>,
    members: &'a [Tree],
    object: usize,
    n_objects: usize,
) -> Vec<Vec<Option<&'a Tree>>> {
    let known: Vec<&str> =
        merged.iter().map(|cells| key(cells.iter().flatten().last().expect("held by one"))).collect();
    let new: Vec<&str> = members.iter().map(key).collect();
    let mut out = Vec::new();
    let mut place = |cells: Option<usize>, member: Option<usize>| {
        let mut cells = cells.map_or_else(|| vec![None; n_objects], |idx| merged[idx].clone());
        if let Some(member) = member {
            cells[object] = Some(&members[member]);
        }
        out.push(cells);
    };
    for op in capture_diff_slices(Algorithm::Myers, &known, &new) {
        match op {
            DiffOp::Equal { old_index, new_index, len } => {
                (0..len).for_each(|idx| place(Some(old_index + idx), Some(new_index + idx)));
            }
            DiffOp::Delete { old_index, old_len, .. } => {
                (0..old_len).for_each(|idx| place(Some(old_index + idx), None));
            }
            DiffOp::Insert { new_index, new_len, .. } => {
                (0..new_len).for_each(|idx| place(None, Some(new_index + idx)));
            }
            DiffOp::Replace { old_index, old_len, new_index, new_len } => {
                let elements =
                    members[new_index..new_index + new_len].iter().all(|tree| tree.label.is_empty());
                let paired = if elements { old_len.min(new_len) } else { 0 };
                (0..paired).for_each(|idx| place(Some(old_index + idx), Some(new_index + idx)));
                (paired..old_len).for_each(|idx| place(Some(old_index + idx), None));
                (paired..new_len).for_each(|idx| place(None, Some(new_index + idx)));
            }
        }
    }
    out
}

fn key(tree: &Tree) -> &str {
    if tree.label.is_empty() { &tree.text } else { &tree.label }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::report::samples::hcl;
    use crate::value;
    use crate::value::Literal;

    fn shown(objects: &[(&str, Literal)], path: &str) -> String {
        let objects: Vec<(String, String)> =
            objects.iter().map(|(role, literal)| ((*role).to_owned(), hcl(literal.clone()))).collect();
        let mut out = String::new();
        write(&mut out, &Style::default(), &objects, path, Sides::default());
        out
    }

    #[test]
    fn steps_split_a_path_and_stop_at_elements_of_sets() {
        assert_eq!(
            steps("disk[0].tags[\"a.b]\\\"c\"].x"),
            ["disk", "[0]", "tags", "[\"a.b]\\\"c\"]", ".x".trim_start_matches('.')]
        );
        assert_eq!(steps("rule[{ port = 1 }].port"), ["rule", "[{ port = 1 }]", "port"]);
        assert!(steps("(root)").is_empty());
    }

    #[test]
    fn parse_is_total() {
        for text in ["", "}", "[", "{\n{\n[", "a = {", "\"", "\"a\\", "= 1", "a = ]\n}"] {
            parse(text);
        }
    }

    #[test]
    fn a_value_with_quotes_and_brackets_survives_the_round_trip() {
        let tree = parse(&hcl(value!({ "text": "a \" = { [", "list": ["x", "{"] })));
        let members = tree.members.expect("an object");
        assert_eq!(members[0].text, "[\"x\", \"{\"]");
        assert_eq!(members[1].text, "\"a \\\" = { [\"");
    }

    #[test]
    fn only_what_differs_at_the_path_is_shown() {
        let config = value!({ "name": "a", "note": "x", "disk": [{ "size": 1, "path": null }] });
        let planned = value!({ "name": "b", "note": "x", "disk": [{ "size": 1, "path": "/x" }] });
        let objects =
            [("configuration", config.clone()), ("proposed new state", config), ("planned state", planned)];
        assert_eq!(
            shown(&objects, "disk[0].path"),
            "    config, proposed  disk[0].path = null\n    planned           disk[0].path = \"/x\"\n"
        );
        assert_eq!(
            shown(&objects, "note"),
            "    config, proposed  disk[0].path = null\n    planned           disk[0].path = \"/x\"\n    \
             config, proposed  name = \"a\"\n    planned           name = \"b\"\n"
        );
    }

    #[test]
    fn an_element_added_in_front_is_the_only_difference() {
        let before = value!({ "disk": [{ "size": 1 }, { "size": 2 }] });
        let after = value!({ "disk": [{ "size": 9 }, { "size": 1 }, { "size": 2 }] });
        assert_eq!(
            shown(&[("prior state", before), ("planned state", after)], "disk"),
            "    prior    disk[0] = (not there)\n    planned  disk[0] = { size = 9 }\n"
        );
    }

    #[test]
    fn equal_objects_show_nothing() {
        let value = value!({ "name": "a" });
        assert_eq!(shown(&[("configuration", value.clone()), ("planned state", value)], "name"), "");
    }
}
