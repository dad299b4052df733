//! The documents of the rules in Markdown, one for each group: a test writes and compares them.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::path::Path;

use super::facts::{FOLDER, anchor, example, facts, pointers};
use super::related::related;
use crate::rule::Rule;
use crate::rules::CATALOGUE;

/// The document of a group.
fn document(group: &str, rules: &[&'static Rule]) -> String {
    let mut out = format!(
        "# Rules of `{group}`\n\nWritten from the rules by `UPDATE_GENERATED=1 cargo test --lib explain`. \
         `tfconform explain {group}` prints the list, `tfconform explain RULE` one of them.\n\n\
         | Rule | Level | What must hold |\n| --- | --- | --- |\n"
    );
    for rule in rules {
        let _ = writeln!(
            out,
            "| [`{}`](#{}) | {} | {} |",
            rule.id,
            anchor(rule),
            rule.level,
            cell(rule.headline())
        );
    }
    rules.iter().for_each(|rule| out.push_str(&section(rule)));
    out
}

fn section(rule: &'static Rule) -> String {
    let mut out = format!("\n## {}\n\n`{}`, {}\n", anchor(rule), rule.id, rule.level);
    let text = rule.text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
    let _ = writeln!(out, "\n{}\n", text.collect::<Vec<_>>().join("\n").trim());
    for (label, said) in facts(rule) {
        let _ = writeln!(out, "- {label}: {said}");
    }
    for (label, lines) in example(rule) {
        // The fault and the control are described, and values follow.
        let (said, values) =
            if label == "conforms" { (None, &lines[..]) } else { (lines.first(), &lines[1..]) };
        let said = said.map(|said| format!(" {said}")).unwrap_or_default();
        let _ = writeln!(out, "- {label}:{said}");
        if !values.is_empty() {
            let values: String = values.iter().map(|line| format!("  {line}\n")).collect();
            let _ = writeln!(out, "\n  ```text\n{values}  ```\n");
        }
    }
    let links: Vec<String> = related(rule).into_iter().map(link).collect();
    for (label, said) in pointers(rule) {
        let said = match label {
            "related" => links.join(", "),
            "try it" => format!("`{said}`"),
            "docs" => continue,
            _ => said,
        };
        if !said.is_empty() {
            let _ = writeln!(out, "- {label}: {said}");
        }
    }
    out
}

fn link(rule: &'static Rule) -> String {
    format!("[`{}`]({}.md#{})", rule.id, rule.group(), anchor(rule))
}

fn cell(text: &str) -> String {
    text.replace('|', "\\|")
}

#[test]
fn the_documents_of_the_rules_are_current() {
    let folder = Path::new(env!("CARGO_MANIFEST_DIR")).join(FOLDER);
    let groups: BTreeSet<&str> = CATALOGUE.iter().map(|rule| rule.group()).collect();
    for group in &groups {
        let rules: Vec<_> = CATALOGUE.iter().copied().filter(|rule| rule.group() == *group).collect();
        crate::files::assert_current(&format!("{FOLDER}/{group}.md"), &document(group, &rules));
    }
    let files = folder.read_dir().unwrap().map(|entry| entry.unwrap().path());
    let stems: Vec<String> =
        files.map(|file| file.file_stem().unwrap().to_string_lossy().into_owned()).collect();
    assert!(stems.iter().all(|stem| groups.contains(stem.as_str())), "a document of no group: {stems:?}");
}
