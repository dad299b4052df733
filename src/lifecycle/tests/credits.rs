//! What becomes of the obligations of runs.

use std::collections::BTreeMap;

use super::Stage;
use super::failures::{apply, apply_unknown, config, play};
use crate::calls::Rpc;
use crate::lifecycle::credits::refused;
use crate::lifecycle::{Credit, End, Met, Played};
use crate::scenario::{Aims, EngineRun, NewValue, ObligationId, Operation, Part, WorldChange};
use crate::transcript::{Diagnostic, DriftKind, Exchange, Phase, Purpose};
use crate::value::AttributePath;

const NAME: (&str, &str) = ("name", "web");
/// The provider refuses a user's value for it.
const REFUSED: (&str, &str) = ("id", "by the user");

fn ids(ids: &[u32]) -> Vec<ObligationId> {
    ids.iter().copied().map(ObligationId).collect()
}

fn part(name: &str, aim: u32) -> Part {
    Part { at: AttributePath::root().attribute(name), aims: ids(&[aim]) }
}

fn became(played: &Played) -> BTreeMap<u32, Met> {
    let each = |credit: &Credit| {
        let met = credit.met;
        credit.ids.iter().map(move |id| (id.0, met)).collect::<Vec<_>>()
    };
    let credits: Vec<(u32, Met)> = played.credits.iter().flat_map(each).collect();
    let became: BTreeMap<u32, Met> = credits.iter().copied().collect();
    assert_eq!(became.len(), credits.len(), "each is credited once: {credits:?}");
    became
}

#[test]
fn of_a_refused_run_only_the_part_that_is_refused_alone_is_refused() {
    let stage = Stage::new();
    let minimal = apply(config(&stage, &[NAME]));
    let arguments = [NAME, ("absent", "option"), REFUSED, ("choice", "red"), ("kind", "large")];
    let full = EngineRun {
        parts: vec![part("absent", 1), part("id", 2), part("choice", 3), part("kind", 4)],
        aims: Aims { config: ids(&[0]), ..Aims::default() },
        ..apply(config(&stage, &arguments))
    };
    let played = play(&stage, vec![minimal, full]);
    let (refused, exercised) = (Met::Refused, Met::Exercised);
    let expected = [(0, refused), (1, exercised), (2, refused), (3, exercised), (4, exercised)];
    assert_eq!(became(&played), BTreeMap::from(expected));
    assert!(played.state.is_empty());
    // By its parts it shows the same: the refused run, and what was accepted of it.
    let by_parts = played.by_parts.expect("a run was played by parts");
    let set = |run: &EngineRun| {
        let set = run.blocks[0].arguments.set();
        let names = set.attributes().filter(|(_, value)| value.is_set()).map(|(name, _)| name.to_owned());
        names.filter(|name| arguments.iter().any(|(of, _)| of == name)).collect::<Vec<_>>().join(" ")
    };
    let runs: Vec<String> = by_parts.runs.iter().map(set).collect();
    assert_eq!(runs, ["name", "absent choice id kind name", "absent name", "absent choice kind name"]);
    assert!(by_parts.runs.iter().all(|run| run.parts.is_empty()));
}

#[test]
fn a_part_whose_object_is_gone_leaves_the_others_their_turn() {
    let stage = Stage::with(&["read/loses-the-object"]);
    let mut planned = apply(config(&stage, &[NAME]));
    planned.options.operation = Operation::Plan;
    let arguments = [NAME, ("absent", "option"), REFUSED, ("choice", "red"), ("kind", "large")];
    let full = EngineRun {
        parts: vec![part("absent", 1), part("id", 2), part("choice", 3), part("kind", 4)],
        ..apply(config(&stage, &arguments))
    };
    let played = play(&stage, vec![planned, full]);
    let (refused, exercised) = (Met::Refused, Met::Exercised);
    assert_eq!(
        became(&played),
        BTreeMap::from([(1, exercised), (2, refused), (3, exercised), (4, exercised)])
    );
}

#[test]
fn a_run_that_is_accepted_meets_its_parts_too() {
    let stage = Stage::new();
    let parts = vec![part("absent", 1), part("kind", 2)];
    let full = EngineRun { parts, ..apply(config(&stage, &[NAME, ("absent", "option"), ("kind", "large")])) };
    let played = play(&stage, vec![apply(config(&stage, &[NAME])), full]);
    assert_eq!(became(&played), BTreeMap::from([(1, Met::Exercised), (2, Met::Exercised)]));
}

#[test]
fn a_change_is_met_only_if_the_run_before_was_accepted() {
    let stage = Stage::new();
    let changing = |aim, arguments: &[(&str, &str)]| EngineRun {
        aims: Aims { change: ids(&[aim]), together: ids(&[aim + 10]), ..Aims::default() },
        ..apply(config(&stage, arguments))
    };
    let runs = vec![
        changing(0, &[NAME]),
        changing(1, &[NAME, REFUSED]),
        changing(2, &[NAME, ("absent", "option")]),
        changing(3, &[NAME]),
    ];
    let (exercised, refused) = (Met::Exercised, Met::Refused);
    let expected = [
        (0, exercised),
        (10, exercised),
        (1, refused),
        (11, Met::Blocked),
        (2, refused),
        (12, exercised),
        (3, exercised),
        (13, exercised),
    ];
    assert_eq!(became(&play(&stage, runs)), BTreeMap::from(expected));
}

#[test]
fn a_refusal_of_unknown_values_says_nothing_of_which_arguments_are_set() {
    let became_of = |mode| {
        let stage = Stage::with(&["plan/refuses-unknowns"]);
        let config = config(&stage, &[NAME, ("absent", "option")]);
        let mut unknown = apply_unknown(config.clone(), "absent");
        unknown.options.operation = mode;
        unknown.aims = Aims { config: ids(&[0]), together: ids(&[1]), ..Aims::default() };
        // This run is refused for another reason: what was accepted before does not count for it.
        let other = EngineRun {
            aims: Aims { together: ids(&[2]), ..Aims::default() },
            ..apply(self::config(&stage, &[NAME, REFUSED]))
        };
        became(&play(&stage, vec![unknown, other]))
    };
    let expected = BTreeMap::from([(0, Met::Refused), (1, Met::Exercised), (2, Met::Blocked)]);
    for mode in [Operation::Apply, Operation::Plan] {
        assert_eq!(became_of(mode), expected, "{mode:?}");
    }
}

#[test]
fn a_drift_that_nothing_can_cause_is_infeasible() {
    let stage = Stage::new();
    let run = apply(config(&stage, &[NAME]));
    let of = run.blocks[0].address.instance(None);
    let drift = run.clone().after(vec![WorldChange::Drift { of, kind: DriftKind::Respell, to: None }]);
    let drift = EngineRun { aims: Aims { change: ids(&[0]), ..Aims::default() }, ..drift };
    let played = play(&stage, vec![run, drift]);
    assert_eq!(became(&played), BTreeMap::from([(0, Met::Infeasible)]));
}

#[test]
fn what_cannot_change_does_not_keep_others_from_it() {
    let stage = Stage::new();
    let run = apply(config(&stage, &[NAME, ("absent", "option")]));
    let drift = |aim, path: &str| {
        let to = Some(NewValue { path: path.to_owned(), value: "b".into() });
        let of = run.blocks[0].address.instance(None);
        let drift = run.clone().after(vec![WorldChange::Drift { of, kind: DriftKind::Change, to }]);
        EngineRun { aims: Aims { change: ids(&[aim]), ..Aims::default() }, ..drift }
    };
    let played = play(&stage, vec![run.clone(), drift(0, "nowhere"), drift(1, "absent")]);
    assert_eq!(became(&played), BTreeMap::from([(0, Met::Infeasible), (1, Met::Exercised)]));
    assert_eq!(played.impossible, [], "the obligation says it");
    let older = Stage { knows_paths: false, ..stage };
    let played = play(&older, vec![run.clone(), drift(0, "id")]);
    assert_eq!(became(&played), BTreeMap::from([(0, Met::Infeasible)]));
    assert!(played.impossible[0].1.contains("does not say that it changed the `path`"));
    let is_read = |exchange: &Exchange| matches!(exchange.purpose, Purpose::AfterDrift(_));
    assert!(played.transcript.exchanges.iter().any(is_read), "what it did change is judged");
}

#[test]
fn what_was_not_played_is_blocked() {
    let stage = Stage::with(&["apply/rewrites-planned-values"]);
    let aimed = |aim, absent: &str| EngineRun {
        aims: Aims { config: ids(&[aim]), ..Aims::default() },
        ..apply(config(&stage, &[NAME, ("absent", absent)]))
    };
    let played = play(&stage, vec![aimed(0, "a"), aimed(1, "b")]);
    assert_eq!(became(&played), BTreeMap::from([(0, Met::Exercised), (1, Met::Blocked)]));
}

#[test]
fn a_failed_connection_is_not_a_refusal() {
    let refused = |words: &str| {
        let diagnostics = vec![Diagnostic::error("Error creating", words)];
        let (phase, rpc) = (Phase::Create, Rpc::ApplyResourceChange);
        refused(&End::Refused { phase, rpc, diagnostics, has_unknowns: false }).0
    };
    assert_eq!(
        refused("Post \"https://api.example\": dial tcp 10.0.0.1:443: connection refused"),
        Met::Blocked
    );
    assert_eq!(refused("the name is taken"), Met::Refused);
}
