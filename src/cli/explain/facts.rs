//! What is known about a rule, as labelled sentences.

use super::examples::Example;
use super::played::played;
use super::related::related;
use crate::engine::Engine;
use crate::rule::{Check, Enforced, Legacy, Presumes, Rule, Says, Shows};
use crate::transcript::PriorOrigin;

/// The folder of the documents, below the project's.
pub(super) const FOLDER: &str = "docs/rules";

/// Labelled sentences about a rule, in reading order.
pub(super) fn facts(rule: &Rule) -> Vec<(&'static str, String)> {
    let cites = &rule.cites;
    let users_see = match rule.shows {
        Shows { says: Says::Title(title), crashes: [], .. } => title.to_owned(),
        Shows::NOTHING => "nothing at once: no engine checks it".to_owned(),
        shows => shows.to_string(),
    };
    let mut facts = vec![
        ("says", format!("{}, {}: \"{}\"", cites.document, cites.section, cites.words)),
        ("fix", rule.fix.in_general()),
    ];
    facts.extend(rule.framework.map(|how| ("framework", how.to_owned())));
    facts.extend(rule.sdkv2.map(|how| ("sdkv2", how.to_owned())));
    facts.push(("users see", users_see));
    facts.extend(played(rule).map(|how| ("its fault", how)));
    if rule.enforced != Enforced::ALWAYS {
        let engines: Vec<&str> = rule.enforced.engines().into_iter().map(Engine::name).collect();
        facts.push(("engines", format!("{} (--engine {})", rule.enforced, engines.join(", "))));
    }
    if rule.legacy == Legacy::Excused {
        let why = "with the legacy type system flag engines only write to their log";
        facts.push(("legacy", why.to_owned()));
    }
    let on_synthesised = rule.level.min(rule.most_on(PriorOrigin::Synthesised));
    if sees_synthesised(rule) && on_synthesised != rule.level {
        let text = format!("{on_synthesised}, where the prior state was made up from a plan");
        facts.push(("synthesised", text));
    }
    if !rule.behaviours.is_empty() {
        facts.push(("played in", rule.behaviours.join(", ")));
    }
    facts
}

/// An example that breaks a rule and one that does not.
pub(super) fn example(rule: &Rule) -> Vec<(&'static str, Vec<String>)> {
    let Example { breaks, conforms } = Example::of(rule);
    let breaks = [rule.fault.about.to_owned()].into_iter().chain(breaks).collect();
    let mut parts = vec![("breaks it", breaks), ("conforms", conforms)];
    parts.push(("fine too", vec![rule.control.about.to_owned()]));
    parts.retain(|(_, lines)| !lines.is_empty());
    parts
}

/// Where else to look.
pub(super) fn pointers(rule: &'static Rule) -> Vec<(&'static str, String)> {
    let related: Vec<&str> = related(rule).into_iter().map(|rule| rule.id).collect();
    vec![
        ("related", related.join(", ")),
        ("covers", rule.covers.join(", ")),
        ("try it", format!("tfconform check --fault {}", rule.fault.name)),
        ("docs", format!("{}#{}", document_of(rule.group()), anchor(rule))),
    ]
}

/// Where the rules of a group are documented: a URL if the project has one, or else a path in it.
pub(super) fn document_of(group: &str) -> String {
    let path = format!("{FOLDER}/{group}.md");
    match env!("CARGO_PKG_REPOSITORY") {
        "" => path,
        repository => format!("{}/blob/main/{path}", repository.trim_end_matches('/')),
    }
}

/// The name of its heading in the document.
pub(super) fn anchor(rule: &Rule) -> &'static str {
    rule.id.split('/').nth(1).unwrap_or_default()
}

/// Whether the rule is about calls that are made with synthesised states: none of them applies or reads.
fn sees_synthesised(rule: &Rule) -> bool {
    match rule.check {
        Check::Plan(_) | Check::DestroyPlan(_) | Check::Upgrade(_) => true,
        Check::Asked(_) => rule.presumes == Presumes::Applied,
        Check::Schema(_) | Check::EverySchema(_) | Check::Apply(_) => false,
        Check::Read(_) | Check::Move(_) | Check::DataRead(_) => false,
    }
}
