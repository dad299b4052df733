//! Each fault against each rule: what fires, and why, if it is not the fault's own rule.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::sync::Arc;

use super::CATALOGUE;
use super::tests::armed;
use crate::engine::Engine;
use crate::judge::{Settings, judge};
use crate::rule::{Fault, Level, RuleId, Volatile, example};
use crate::transcript::{
    AnyCall, Call, Diagnostic, DriftKind, Encoded, Exchange, ExchangeId, PlanResourceChangeResponse, Purpose,
    Transcript, WirePath,
};
use crate::value::{AttributePath, SchemaPath, Type, Value};

/// Rules that report another rule's fault, and the reason.
const COMPANIONS: &[(&str, &[RuleId], &str)] = &[
    (
        "plan/empties-unknown-blocks",
        &["plan/final-plan-agrees"],
        "blocks that are known in the final plan contradict the empty initial one",
    ),
    ("plan/counts-calls", &["plan/final-plan-agrees"], "the final plan is one more call"),
    ("apply/claims-what-it-refuses", &["apply/updates-in-place"], "every update is refused"),
    (
        "read/counts-reads",
        &["read/keeps-the-form"],
        "an object that is changed and changed back has a state that was read before",
    ),
    ("rpc/wears-out", &["import/updates-as-before"], "the update after the import comes too late"),
    ("read/loses-the-object", &["move/keeps-the-object"], "the read after a move finds nothing either"),
];

/// The rules that find something with a fault armed in the example; `None` where it cannot be armed.
fn fired(fault: &Fault) -> Option<BTreeSet<RuleId>> {
    let judgement = judge(CATALOGUE, &armed(fault)?, &Settings::default());
    Some(judgement.findings.iter().map(|judged| judged.rule.id).collect())
}

#[test]
fn a_fault_breaks_its_own_rule_and_known_companions() {
    for rule in CATALOGUE {
        let Some(fired) = fired(&rule.fault) else { continue };
        let companions = COMPANIONS.iter().find(|(fault, ..)| *fault == rule.fault.name);
        let companions = companions.map_or(&[][..], |(_, rules, _)| rules);
        let expected: BTreeSet<RuleId> = companions.iter().copied().chain([rule.id]).collect();
        let hint =
            "change the fault, or name the companion in COMPANIONS of src/rules/matrix.rs with its reason";
        assert_eq!(fired, expected, "{} broke the rules on the left: {hint}", rule.fault.name);
    }
}

#[test]
fn companions_are_of_faults_that_exist() {
    for (fault, rules, reason) in COMPANIONS {
        assert!(CATALOGUE.iter().any(|rule| rule.fault.name == *fault), "{fault}");
        assert!(rules.iter().all(|id| super::find(id).is_some()) && !reason.is_empty(), "{fault}");
    }
}

#[test]
fn a_control_breaks_no_rule_at_all() {
    for rule in CATALOGUE {
        assert_eq!(fired(&rule.control).unwrap_or_default(), BTreeSet::new(), "{}", rule.control.name);
    }
}

#[test]
fn no_rule_reports_the_example_for_any_engine() {
    for engine in Engine::ALL {
        let transcript = example::lifecycle_of(example::schema(), 6, engine);
        let judgement = judge(CATALOGUE, &transcript, &Settings { engine, ..Settings::default() });
        let found: Vec<(RuleId, &str)> = judgement
            .findings
            .iter()
            .map(|judged| (judged.rule.id, judged.finding.message.as_str()))
            .collect();
        assert_eq!(found, vec![], "{engine}");
        assert!(judgement.inconclusive.is_empty(), "{engine}: {:?}", judgement.inconclusive.len());
    }
}

#[test]
fn the_legacy_flag_excuses_what_engines_forgive() {
    for (id, expected) in [("plan/stays-null", Level::Tolerated), ("plan/replace-paths-exist", Level::Must)] {
        let rule = super::find(id).expect("the rule exists");
        let mut transcript = armed(&rule.fault).expect("the example has something to corrupt");
        for exchange in &mut transcript.exchanges {
            if let AnyCall::PlanResourceChange(Call { outcome: Ok(response), .. }) = &mut exchange.call {
                response.legacy_type_system = true;
            }
        }
        let judgement = judge(&[rule], &transcript, &Settings::default());
        assert!(judgement.findings.iter().all(|judged| judged.level == expected), "{id}");
        assert!(!judgement.findings.is_empty(), "{id}");
    }
}

#[test]
fn volatile_attributes_may_change_on_their_own() {
    let volatile =
        |path: &str| Volatile([(example::THING.to_owned(), vec![SchemaPath::named_by(path)])].into());
    let settings = |path| Settings { volatile: volatile(path), ..Settings::default() };
    let rule = super::find("read/repeats-itself").expect("the rule exists");
    let transcript = armed(&rule.fault).expect("the example has something to corrupt");
    assert!(judge(&[rule], &transcript, &settings("revision")).findings.is_empty());
    assert!(!judge(&[rule], &transcript, &settings("size")).findings.is_empty());
}

/// The example, with a change to each answer of one kind.
fn changed(change: impl Fn(&mut Exchange) -> bool) -> Transcript {
    let mut transcript = example::lifecycle();
    let provider = Arc::clone(&transcript.subject.schema);
    let mut n_changed = 0;
    for exchange in &mut transcript.exchanges {
        n_changed += usize::from(change(exchange));
        exchange.call.decode(&provider);
    }
    assert!(n_changed > 0, "the example has something to change");
    transcript
}

/// What a rule finds in a transcript, with one place of the example's type volatile; an empty string means none.
fn found(rule: RuleId, transcript: &Transcript, volatile: &str) -> Vec<(Level, String)> {
    let rule = super::find(rule).expect("the rule exists");
    let listed = Some(SchemaPath::named_by(volatile)).filter(|place| !place.is_root());
    let volatile = Volatile([(example::THING.to_owned(), Vec::from_iter(listed))].into());
    let settings = Settings { volatile, ..Settings::default() };
    let judgement = judge(&[rule], transcript, &settings);
    judgement.findings.iter().map(|judged| (judged.level, judged.finding.message.clone())).collect()
}

#[test]
fn volatile_attributes_in_set_elements_do_not_change_the_set() {
    let transcript = changed(|exchange| {
        let is_again = matches!(exchange.purpose, Purpose::Repeat { .. });
        let AnyCall::ReadResource(call) = &mut exchange.call else { return false };
        let Ok(response) = &mut call.outcome else { return false };
        let Some(new) = response.new_state.value().filter(|_| is_again) else { return false };
        let renewed = new.transform(&mut |path, value| match path.schema_path().to_string().as_str() {
            "rule.id" => Value::string("another"),
            _ => value,
        });
        let differs = renewed != *new;
        response.new_state = Encoded::of(renewed, &new.ty().clone());
        differs
    });
    assert_eq!(found("read/repeats-itself", &transcript, "rule.id"), []);
    assert!(!found("read/repeats-itself", &transcript, "rule.note").is_empty());
}

/// The example, with a change to each repeated plan.
fn planned_again(change: impl Fn(&mut PlanResourceChangeResponse) -> bool) -> Transcript {
    changed(|exchange| {
        let is_again = matches!(exchange.purpose, Purpose::Repeat { .. });
        let AnyCall::PlanResourceChange(call) = &mut exchange.call else { return false };
        is_again && call.outcome.as_mut().is_ok_and(&change)
    })
}

#[test]
fn an_unknown_planned_identity_stops_opentofu_and_not_terraform() {
    let rule = super::find("plan/identity-is-known").expect("the rule exists");
    let transcript = armed(&rule.fault).expect("the example has something to corrupt");
    let levels = |engine| {
        let judgement = judge(&[rule], &transcript, &Settings { engine, ..Settings::default() });
        judgement.findings.iter().map(|judged| judged.level).collect::<BTreeSet<_>>()
    };
    assert_eq!(levels(Engine::Terraform), BTreeSet::from([Level::Advice]));
    assert_eq!(levels(Engine::OpenTofu), BTreeSet::from([Level::Must]));
}

#[test]
fn a_different_identity_the_second_time_is_found_unless_it_is_volatile() {
    let transcript = planned_again(|response| {
        let identity = response.planned_identity.as_ref().and_then(|identity| identity.value().cloned());
        let Some(identity) = identity else { return false };
        let other = identity.with_attribute("id", Value::string("another"));
        response.planned_identity = Some(Encoded::of(other, identity.ty()));
        true
    });
    assert_eq!(found("plan/repeats-itself", &transcript, "id"), []);
    let [(level, message)] = &found("plan/repeats-itself", &transcript, "note")[..] else {
        panic!("one plan")
    };
    assert!(*level == Level::Must && message.contains("a different identity"), "{message}");
}

#[test]
fn another_path_that_requires_replacement_is_found_unless_it_is_volatile() {
    let transcript = planned_again(|response| {
        response.requires_replace.push(WirePath::of(&AttributePath::root().attribute("revision")));
        true
    });
    assert_eq!(found("plan/repeats-itself", &transcript, "revision"), []);
    assert!(!found("plan/repeats-itself", &transcript, "note").is_empty());
}

#[test]
fn what_follows_a_respelling_without_a_place_is_not_a_change_of_form() {
    let respelt = |name: &str| {
        changed(|exchange| {
            let Purpose::AfterDrift(drift) = &mut exchange.purpose else { return false };
            let AnyCall::ReadResource(call) = &mut exchange.call else { return false };
            let Ok(response) = &mut call.outcome else { return false };
            let Some(new) = response.new_state.value().filter(|_| drift.kind == DriftKind::Respell) else {
                return false;
            };
            drift.path.clear();
            let other = match new.member(name).ty() {
                Type::String => Value::string("ANOTHER"),
                _ => Value::number(99),
            };
            response.new_state = Encoded::of(new.with_attribute(name, other), new.ty());
            true
        })
    };
    assert_eq!(found("read/keeps-the-form", &respelt("revision"), ""), []);
    assert!(!found("read/keeps-the-form", &respelt("note"), "").is_empty());
}

#[test]
fn drift_of_what_is_volatile_is_shown_when_it_is_read() {
    let transcript = example::lifecycle();
    let places = transcript.exchanges.iter().filter_map(|exchange| match &exchange.purpose {
        Purpose::AfterDrift(drift) => Some(SchemaPath::named_by(&drift.path)),
        _ => None,
    });
    let places: Vec<SchemaPath> = places.collect();
    assert!(!places.is_empty());
    for place in places {
        assert_eq!(found("read/reports-drift", &transcript, &place.to_string()), [], "{place}");
    }
}

#[test]
fn an_update_that_worked_only_once_before_an_import_may_be_refused_after_it() {
    let rule = "import/updates-as-before";
    let armed =
        armed(&super::find(rule).expect("the rule exists").fault).expect("it has something to act on");
    let is_update = |exchange: &Exchange| {
        let AnyCall::ApplyResourceChange(call) = &exchange.call else { return false };
        let request = &call.request;
        let states = [&request.prior_state, &request.planned_state];
        states.iter().all(|state| state.value().is_some_and(Value::is_set))
    };
    let import = armed.exchanges.iter().position(|of| matches!(of.call, AnyCall::ImportResourceState(_)));
    let updates = |of: &Transcript| -> Vec<usize> {
        let before = of.exchanges.iter().enumerate().take(import.expect("the example imports"));
        before.filter(|(_, exchange)| is_update(exchange)).map(|(idx, _)| idx).collect()
    };
    // The later updates fail, more of them each time.
    let mut levels: Vec<Option<Level>> = Vec::new();
    for n_failed in 0..=updates(&armed).len() {
        let mut transcript = armed.clone();
        for idx in updates(&armed).into_iter().rev().take(n_failed) {
            let said = transcript.exchanges[idx].call.diagnostics_mut().expect("it is answered");
            said.push(Diagnostic::error("Failed", ""));
        }
        levels.push(found(rule, &transcript, "").into_iter().map(|(level, _)| level).max());
    }
    levels.dedup();
    assert_eq!(levels, [Some(Level::Must), Some(Level::Should), None]);
}

#[test]
fn an_error_where_the_same_succeeded_before_is_found_at_every_call() {
    let error = || Diagnostic::error("Too late", "");
    let again = |wanted: fn(&AnyCall) -> bool| {
        changed(move |exchange| {
            let is_again = !matches!(exchange.purpose, Purpose::Ordinary) && wanted(&exchange.call);
            let diagnostics = exchange.call.diagnostics_mut().filter(|_| is_again);
            diagnostics.map(|said| said.push(error())).is_some()
        })
    };
    let levels = |transcript: &Transcript| {
        let found = found("rpc/succeeds-again", transcript, "");
        found.into_iter().map(|(level, _)| level).collect::<BTreeSet<Level>>()
    };
    // A read after a failed read is not a repetition.
    assert_eq!(
        levels(&again(|call| matches!(call, AnyCall::ReadResource(_)))),
        BTreeSet::from([Level::Must])
    );
    assert_eq!(
        levels(&again(|call| matches!(call, AnyCall::ReadDataSource(_)))),
        BTreeSet::from([Level::Should])
    );
    assert_eq!(
        levels(&again(|call| matches!(call, AnyCall::UpgradeResourceState(_)))),
        BTreeSet::from([Level::Should])
    );
    assert_eq!(
        levels(&again(|call| matches!(call, AnyCall::PlanResourceChange(_)))),
        BTreeSet::from([Level::Must])
    );
    let mut transcript = example::lifecycle();
    let is_validation = |exchange: &&Exchange| matches!(exchange.call, AnyCall::ValidateResourceConfig(_));
    let mut last = transcript.exchanges.iter().rfind(is_validation).expect("the example validates").clone();
    last.id = ExchangeId(transcript.exchanges.len() as u32);
    last.call.diagnostics_mut().expect("it is answered").push(error());
    transcript.exchanges.push(last);
    assert_eq!(levels(&transcript), BTreeSet::from([Level::Should]));
}

#[test]
fn values_of_sensitive_places_are_marked() {
    let rule = super::find("plan/keeps-configured-values").expect("the rule exists");
    let transcript = armed(&rule.fault).expect("the example has something to corrupt");
    for judged in judge(&[rule], &transcript, &Settings::default()).findings {
        let is_secret = judged.finding.path.schema_path().to_string() == "secret";
        assert_eq!(judged.finding.sensitive, is_secret, "{}", judged.finding.path);
    }
}

#[test]
fn fault_matrix() {
    let mut matrix = String::new();
    for rule in CATALOGUE {
        let fired = fired(&rule.fault).map_or_else(
            || "(not in the example)".to_owned(),
            |fired| fired.into_iter().collect::<Vec<_>>().join(", "),
        );
        writeln!(matrix, "{}: {fired}", rule.fault.name).expect("a string takes all text");
    }
    insta::assert_snapshot!(matrix);
}
