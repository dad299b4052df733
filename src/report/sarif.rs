//! For code scanning: SARIF 2.1.0.
//!
//! A result for each group of findings, with the key of its cause as fingerprint. A provider has no source
//! here: results are located at a type and its attributes, and at the line of a panic if it is known.
//!
//! Source: OASIS, "Static Analysis Results Interchange Format (SARIF) Version 2.1.0".

use std::collections::BTreeMap;

use serde_json::{Map, Value as Json, json};

use super::foreign::escaped_json;
use super::{Exit, Group, Report};
use crate::rule::{Level, Rule, RuleId};

const SCHEMA: &str = "https://json.schemastore.org/sarif-2.1.0.json";

/// The name of our fingerprint, and the version of how it is computed.
const FINGERPRINT: &str = "tfconformKey/v1";

/// The whole report as one document.
pub fn print(report: &Report, exit: Exit) -> String {
    let report = &report.legible();
    let rules: BTreeMap<RuleId, &Rule> =
        report.groups.iter().map(|group| (group.rule.id, group.rule)).collect();
    let ids: Vec<RuleId> = rules.keys().copied().collect();
    let run = &report.run;
    let document = json!({
        "$schema": SCHEMA,
        "version": "2.1.0",
        "runs": [{
            "tool": { "driver": {
                "name": "tfconform",
                "semanticVersion": env!("CARGO_PKG_VERSION"),
                "rules": rules.into_values().map(descriptor).collect::<Vec<_>>(),
            } },
            "automationDetails": { "id": format!("tfconform/{}/{}", run.provider, run.engine) },
            "columnKind": "unicodeCodePoints",
            "invocations": [invocation(report, exit)],
            "results": report.groups.iter().map(|group| result(group, &ids, report)).collect::<Vec<_>>(),
            "properties": {
                "provider": run.provider,
                "protocol": run.protocol,
                "engine": run.engine,
                "seed": run.seed.to_string(),
                "applied": run.applied,
                "scenarios": report.totals.scenarios,
                "calls": report.totals.exchanges,
            },
        }],
    });
    escaped_json(&format!("{document:#}\n"))
}

/// What a rule requires.
fn descriptor(rule: &Rule) -> Json {
    let lines = rule.text.lines().map(|line| line.strip_prefix(' ').unwrap_or(line));
    let advice = lines.collect::<Vec<_>>().join("\n");
    let says = format!("{}, {}: “{}”", rule.cites.document, rule.cites.section, rule.cites.words);
    let help = format!("{}\n\n{says}\n\nMore: tfconform explain {}", advice.trim(), rule.id);
    json!({
        "id": rule.id,
        "shortDescription": { "text": message(rule.headline()) },
        "fullDescription": { "text": message(advice.trim()) },
        "help": { "text": message(&help) },
        "defaultConfiguration": { "level": level(rule.level) },
        "properties": { "tags": [rule.group()], "level": rule.level, "covers": rule.covers },
    })
}

fn level(level: Level) -> &'static str {
    match level {
        Level::Must => "error",
        Level::Tolerated | Level::Should => "warning",
        Level::Advice => "note",
    }
}

/// What became of the run as a whole.
fn invocation(report: &Report, exit: Exit) -> Json {
    let note = |note: String| json!({ "level": "note", "message": { "text": message(&note) } });
    json!({
        // A run that finds something is a success.
        "executionSuccessful": matches!(exit, Exit::Conforms | Exit::Violates | Exit::SnapshotChanged),
        "exitCode": exit.code(),
        "exitCodeDescription": exit.meaning(),
        "toolExecutionNotifications": report.notes.lines().into_iter().map(note).collect::<Vec<_>>(),
    })
}

fn result(group: &Group, rules: &[RuleId], report: &Report) -> Json {
    let first = &group.first;
    let found = super::human::messages(group).join("; ");
    let mut text = format!("{}: {found}", group.rule.headline());
    if !first.rerun.is_empty() {
        text.push_str(&format!(" (again: {})", first.rerun));
    }
    let mut result = json!({
        "ruleId": group.rule.id,
        "ruleIndex": rules.iter().position(|id| *id == group.rule.id),
        "level": level(group.level),
        "message": { "text": message(&text) },
        "locations": [location(group, report)],
        "occurrenceCount": group.count.max(1),
        "fingerprints": { FINGERPRINT: group.key() },
        // What code scanning compares.
        "partialFingerprints": { FINGERPRINT: group.key() },
        "properties": {
            "level": group.level,
            "fails": group.fails(report.run.fail_on),
            "cause": group.cause_text(),
            "users see": group.shows(),
        },
    });
    let suppression = |why: &str| json!([{ "kind": "external", "justification": why }]);
    if let Some(reason) = group.reason() {
        result["suppressions"] = suppression(&reason.text());
    } else if group.is_allowed() {
        result["suppressions"] = suppression("allowed by the user");
    }
    if let Some(handling) = group.handling() {
        result["properties"]["handling"] = handling.name().into();
    }
    if let Some(replays) = group.replays {
        result["properties"]["replays"] = replays.to_string().into();
    }
    result
}

/// The type and the attributes that broke; the provider's own line if a panic names it.
fn location(group: &Group, report: &Report) -> Json {
    let mut location = Map::new();
    if let Some(physical) = physical(group, report) {
        location.insert("physicalLocation".to_owned(), physical);
    }
    let address = group.address();
    let whole = (!address.is_empty())
        .then(|| json!({ "name": address, "fullyQualifiedName": address, "kind": "type" }));
    let attribute = |path: &String| {
        let name = path.rsplit('.').next().unwrap_or(path);
        let full = if address.is_empty() { path.clone() } else { format!("{address}.{path}") };
        json!({ "name": name, "fullyQualifiedName": full, "kind": "member" })
    };
    let attributes = group.attributes.keys().filter(|path| !path.is_empty()).map(attribute);
    let logical: Vec<Json> = whole.into_iter().chain(attributes).collect();
    if !logical.is_empty() {
        location.insert("logicalLocations".to_owned(), logical.into());
    }
    location.into()
}

/// A line of source code, or else the provider's program: code scanning wants a file.
fn physical(group: &Group, report: &Report) -> Option<Json> {
    let at_line = group.site.rsplit_once(':').and_then(|(file, line)| {
        let line: u64 = line.parse().ok().filter(|line| *line > 0)?;
        Some(json!({ "artifactLocation": { "uri": uri(file)? }, "region": { "startLine": line } }))
    });
    at_line.or_else(|| Some(json!({ "artifactLocation": { "uri": uri(&report.run.program)? } })))
}

/// A path as a URI; `None` if it is empty.
fn uri(path: &str) -> Option<String> {
    let path = path.trim_start_matches("./");
    let is_plain = |byte: u8| byte.is_ascii_alphanumeric() || b"-._~/".contains(&byte);
    let escape =
        |byte: u8| if is_plain(byte) { char::from(byte).to_string() } else { format!("%{byte:02X}") };
    let escaped: String = path.bytes().map(escape).collect();
    let scheme = if path.starts_with('/') { "file://" } else { "" };
    (!path.is_empty()).then(|| format!("{scheme}{escaped}"))
}

/// A text as SARIF writes it: braces are placeholders unless doubled, and `[…](…)` is a link.
fn message(text: &str) -> String {
    text.replace('{', "{{").replace('}', "}}").replace("](", "] (")
}

#[cfg(test)]
mod tests;
