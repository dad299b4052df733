//! What every rule must satisfy, each checked by a loop over the catalogue.

mod levels;
mod one_finding;
mod shown;

use std::collections::BTreeSet;

use super::CATALOGUE;
use crate::judge::{Settings, judge};
use crate::rule::{Fault, FaultContext, Injection, Memory, Rule, example};
use crate::schema::ProviderSchema;
use crate::transcript::{AnyCall, Transcript};

/// Arms a fault in the example: every exchange it can corrupt is corrupted.
pub(super) fn armed(fault: &Fault) -> Option<Transcript> {
    let mut provider = example::schema();
    if let Injection::Schema(change) = fault.injection {
        return change(&mut provider).then(|| example::lifecycle_of(provider, 6, Default::default()));
    }
    let mut transcript = example::lifecycle();
    let mut memory = Memory::default();
    let mut corrupted = false;
    for exchange in &mut transcript.exchanges {
        let type_name = exchange.call.type_name().map(str::to_owned);
        let schema = type_name
            .and_then(|name| provider.resources.get(&name).or(provider.data_sources.get(&name)))
            .cloned();
        let mut context =
            FaultContext { schema: schema.as_deref(), provider: &provider, memory: &mut memory };
        corrupted |= match fault.injection {
            Injection::Answer(act) => act(exchange, &mut context),
            Injection::Call(_, answer) => answer(exchange, &mut context),
            Injection::Process(act) => match act(exchange, &mut context) {
                Some(act) => act.fail(exchange),
                None => false,
            },
            Injection::Schema(_) | Injection::Message(_) | Injection::Start(_) | Injection::Nothing(_) => {
                return None;
            }
        };
        decode(&mut exchange.call, &provider);
    }
    corrupted.then_some(transcript)
}

fn decode(call: &mut AnyCall, provider: &ProviderSchema) {
    call.decode(provider);
}

fn fired(rule: &'static Rule, transcript: &Transcript) -> Vec<String> {
    let judgement = judge(&[rule], transcript, &Settings::default());
    judgement
        .findings
        .iter()
        .map(|judged| format!("{} {}: {}", judged.phase, judged.finding.path, judged.finding.message))
        .collect()
}

#[test]
fn every_rule_passes_the_example() {
    let transcript = example::lifecycle();
    for rule in CATALOGUE.iter().copied() {
        let judgement = judge(&[rule], &transcript, &Settings::default());
        assert_eq!(fired(rule, &transcript), Vec::<String>::new(), "{}", rule.id);
        assert!(
            judgement.tallies.iter().any(|(_, tally)| tally.pass > 0),
            "{} has nothing to say about the example",
            rule.id
        );
    }
}

#[test]
fn every_rule_catches_its_fault_in_the_example() {
    for rule in CATALOGUE.iter().copied() {
        match armed(&rule.fault) {
            Some(transcript) => {
                assert!(!fired(rule, &transcript).is_empty(), "{} misses {}", rule.id, rule.fault.name)
            }
            None => assert!(
                matches!(rule.fault.injection, Injection::Message(_) | Injection::Start(_)),
                "{}: the fault finds nothing in the example to act on (src/rule/example): see “How to add a rule” in src/lib.rs",
                rule.fault.name
            ),
        }
    }
}

#[test]
fn no_rule_reports_its_control() {
    for rule in CATALOGUE.iter().copied() {
        if let Some(transcript) = armed(&rule.control) {
            assert_eq!(
                fired(rule, &transcript),
                Vec::<String>::new(),
                "{} on {}",
                rule.id,
                rule.control.name
            );
        }
    }
}

#[test]
fn every_behaviour_that_a_rule_names_exists() {
    for rule in CATALOGUE {
        let unknown = rule.behaviours.iter().find(|name| crate::generate::behaviour::of_name(name).is_none());
        assert_eq!(unknown, None, "{}", rule.id);
    }
}

fn file_of(rule: &Rule) -> String {
    format!("{}/src/rules/{}.rs", env!("CARGO_MANIFEST_DIR"), rule.id.replace('-', "_"))
}

#[test]
fn every_rule_is_in_the_file_its_id_names() {
    for rule in CATALOGUE {
        let file = file_of(rule);
        let text = std::fs::read_to_string(&file).unwrap_or_else(|error| panic!("{file}: {error}"));
        assert!(text.contains(&format!("\"{}\"", rule.id)), "{file} holds another rule");
    }
}

#[test]
fn every_file_of_a_group_is_listed() {
    let folder = std::path::Path::new(env!("CARGO_MANIFEST_DIR")).join("src/rules");
    let listed: BTreeSet<String> = CATALOGUE.iter().map(|rule| rule.id.replace('-', "_")).collect();
    for group in CATALOGUE.iter().map(|rule| rule.group()).collect::<BTreeSet<_>>() {
        for entry in folder.join(group).read_dir().unwrap() {
            let file = entry.unwrap().path();
            let name = file.file_stem().unwrap().to_str().unwrap();
            assert!(
                name == "mod" || listed.contains(&format!("{group}/{name}")),
                "{} is not listed in the mod.rs of its group",
                file.display()
            );
        }
    }
}

#[test]
fn every_rule_explains_and_cites_itself() {
    for rule in CATALOGUE {
        let source = std::fs::read_to_string(file_of(rule)).unwrap();
        assert!(!source.contains("TODO"), "{}: something is left to do where its file says TODO", rule.id);
        let names_no_cause =
            "a cause that is a whole message differs from object to object: see `failed::cause`";
        let dense: String = source.chars().filter(|c| !c.is_whitespace()).collect();
        let messages =
            ["caused_by(&error.", "caused_by(error.", "caused_by(&diagnostic.", "caused_by(diagnostic."];
        assert!(!messages.iter().any(|message| dense.contains(message)), "{}: {names_no_cause}", rule.id);
        let (first, rest) = rule
            .text
            .split_once("\n\n")
            .unwrap_or_else(|| panic!("{}: a doc comment is a sentence, a blank line, and advice", rule.id));
        assert!(
            first.trim().ends_with('.') && !rest.trim().is_empty(),
            "{}: the first paragraph of the doc comment ends with a full stop, and advice follows it",
            rule.id
        );
        assert!(!rule.cites.words.is_empty(), "{}: `cites:` names no words of the document", rule.id);
        assert!(!rule.covers.is_empty(), "{}: `covers:` names no entry of the contract", rule.id);
    }
}

#[test]
fn every_rule_says_what_to_do() {
    for rule in CATALOGUE {
        let fix = rule.fix.in_general();
        let length = fix.chars().count();
        assert!(length <= 90, "{}: `fix:` has {length} characters, at most 90: {fix}", rule.id);
        assert!(!fix.contains(['{', '}']), "{}: `fix:` has a place that no finding fills: {fix}", rule.id);
        for said in [Some(fix.as_str()), rule.framework, rule.sdkv2].into_iter().flatten() {
            assert!(
                said.starts_with(char::is_lowercase) && !said.ends_with('.'),
                "{}: advice starts in lower case and has no full stop: {said}",
                rule.id
            );
            assert!(said.chars().count() <= 110, "{}: at most 110 characters: {said}", rule.id);
        }
    }
}

#[test]
fn identities_and_names_are_unique() {
    let ids: BTreeSet<&str> = CATALOGUE.iter().map(|rule| rule.id).collect();
    assert_eq!(ids.len(), CATALOGUE.len());
    let names: BTreeSet<&str> =
        CATALOGUE.iter().flat_map(|rule| [rule.fault.name, rule.control.name]).collect();
    assert_eq!(names.len(), 2 * CATALOGUE.len());
}
