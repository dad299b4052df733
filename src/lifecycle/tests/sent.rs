//! The calls made for each kind of scenario, in order, so that changes show in review.

use std::fmt::Write as _;

use super::{Played, Stage};
use crate::generate;
use crate::schema::Kind;
use crate::transcript::{Exchange, PriorOrigin, Purpose};

/// Enough for one of each kind of scenario about a type.
const CASES: generate::Cases = generate::Cases::Number(24);

/// The calls of a scenario: one line each, or one line for those that repeat to its end.
fn log(played: &Played) -> String {
    let mut log = String::new();
    let _ = writeln!(log, "{}", played.transcript.scenario.about);
    for exchange in &played.transcript.exchanges {
        let _ = writeln!(log, "  {:>3}  {}", exchange.id.0, line(exchange));
    }
    log
}

fn line(exchange: &Exchange) -> String {
    let purpose = match &exchange.purpose {
        Purpose::Ordinary => String::new(),
        Purpose::Repeat { of } => format!("  again, as {}", of.0),
        Purpose::FinalPlan { initial } => format!("  final plan, after {}", initial.0),
        Purpose::ReplaceCreate { first } => format!("  create half of {}", first.0),
        Purpose::NothingChanged { after } => format!("  nothing changed after {}", after.0),
        Purpose::RoundTrip { of } => format!("  round trip of {}", of.0),
        Purpose::AfterDrift(drift) => format!("  after drift ({})", drift.kind.name()),
        Purpose::Imported { by } => format!("  imported by {}", by.0),
        Purpose::Generated { from } => format!("  generated from {}", from.0),
        Purpose::Moved { by } => format!("  moved by {}", by.0),
        Purpose::Gone => "  of what is gone".to_owned(),
        Purpose::UpgradeOf(old) => format!("  {old}"),
    };
    let prior = match exchange.prior {
        PriorOrigin::None | PriorOrigin::Applied => "",
        PriorOrigin::Failed => "  after a failed apply",
        PriorOrigin::Synthesised => "  on a synthesised state",
        PriorOrigin::Injected => "  on an altered state",
        PriorOrigin::Imported => "  on an imported state",
    };
    let (phase, rpc, process) = (exchange.phase.name(), exchange.call.rpc_name(), exchange.process);
    format!("process {process}  {phase:<18}  {rpc:<26}{purpose}{prior}").trim_end().to_owned()
}

fn sent(kind: Kind, type_name: &str, apply: bool) -> String {
    let stage = Stage::new();
    let schema = stage.schema.get(kind, type_name).expect("the type is declared").clone();
    let options = generate::Options { seed: 1, cases: CASES, apply, ..generate::Options::default() };
    let play = if apply { Stage::play } else { Stage::plan };
    let mut all = String::new();
    let mut kinds = std::collections::BTreeSet::new();
    for scenario in generate::scenarios(&schema, kind, type_name, &options) {
        let log = log(&play(&stage, &scenario));
        let (_, calls) = log.split_once('\n').unwrap_or_default();
        // Of scenarios with the same calls only the first is shown.
        if kinds.insert(calls.to_owned()) {
            all.push_str(&log);
        }
    }
    all
}

/// The calls of every behaviour.
fn behaviours(type_name: &str, of: impl Fn(&str) -> bool) -> String {
    let stage = Stage::new();
    let schema = stage.schema.get(Kind::Resource, type_name).expect("the type is declared").clone();
    let options = generate::Options {
        seed: 1,
        apply: true,
        has_identity: true,
        successors: generate::successors(&stage.schema, type_name),
        ..generate::Options::default()
    };
    let scenarios = generate::scenarios(&schema, Kind::Resource, type_name, &options);
    let about = scenarios.filter(|scenario| generate::behaviour::of_name(&scenario.label.kind).is_some());
    let about = about.filter(|scenario| of(&scenario.label.kind));
    let told = about.map(|scenario| {
        let played = stage.play(&scenario);
        assert_eq!(played.end, crate::lifecycle::End::Done, "{}", scenario.label.kind);
        assert!(played.state.is_empty() && !played.leaves_something, "{}", scenario.label.kind);
        format!("{}: {}", scenario.label.kind, log(&played))
    });
    told.collect()
}

#[test]
fn a_provider_that_was_already_running_is_neither_stopped_nor_killed() {
    let stage = Stage::new();
    let (kind, type_name) = (Kind::Resource, "reference_plain");
    let schema = stage.schema.get(kind, type_name).expect("the type is declared").clone();
    let n_mishaps = |is_reattached| {
        let options = generate::Options { apply: true, is_reattached, ..generate::Options::default() };
        let scenarios = generate::scenarios(&schema, kind, type_name, &options);
        scenarios.filter(|scenario| scenario.has_mishap()).count()
    };
    assert_eq!((n_mishaps(false), n_mishaps(true)), (2, 0));
}

/// The upgrades of states that no version stored.
fn old_states(type_name: &str) -> String {
    let stage = Stage::new();
    let schema = stage.schema.get(Kind::Resource, type_name).expect("the type is declared").clone();
    let options = generate::Options { seed: 1, cases: CASES, ..generate::Options::default() };
    let scenarios = generate::old_states(&schema, type_name, &options);
    scenarios.iter().map(|scenario| log(&stage.plan(scenario))).collect()
}

#[test]
fn calls_of_every_kind_of_scenario() {
    let mut settings = insta::Settings::clone_current();
    settings.set_snapshot_path("sent");
    settings.set_prepend_module_to_snapshot(false);
    settings.bind(|| {
        insta::assert_snapshot!("resource", sent(Kind::Resource, "reference_everything", true));
        insta::assert_snapshot!("legacy", sent(Kind::Resource, "reference_legacy", true));
        insta::assert_snapshot!("planned-only", sent(Kind::Resource, "reference_everything", false));
        insta::assert_snapshot!("legacy-planned-only", sent(Kind::Resource, "reference_legacy", false));
        insta::assert_snapshot!("old-states", old_states("reference_versioned"));
        insta::assert_snapshot!("behaviours", behaviours("reference_everything", |_| true));
        let moves = |kind: &str| kind == "instances/moved-across-types";
        insta::assert_snapshot!("moves", behaviours("reference_safe", moves));
        insta::assert_snapshot!("data-source", sent(Kind::DataSource, "reference_lookup", true));
    });
}
