//! What is counted, and that neither the order of scenarios nor a division of the run matters.

use super::*;
use crate::generate::obligation::ObligationKind;
use crate::scenario::ObligationId;

fn obligations() -> Vec<Obligation> {
    let of = |path: &str, kind| Obligation { path: path.into(), kind };
    vec![
        of("name", ObligationKind::Set),
        of("size", ObligationKind::Set),
        of("name", ObligationKind::Class(ValueClass::Emoji)),
        of("name", ObligationKind::Changed),
        of("name", ObligationKind::Unset),
    ]
}

fn earned(ids: &[u32], met: Met, why: &str) -> Earned {
    Earned { ids: ids.iter().copied().map(ObligationId).collect(), met, why: why.to_owned(), obstacle: None }
}

fn closed<'e>(all: impl IntoIterator<Item = &'e [Earned]>) -> TypeCoverage {
    let command = Obligation { path: "command".into(), kind: ObligationKind::Set };
    let infeasible = vec![(command, "it would run programs".to_owned())];
    let mut ledger = Ledger::new(obligations(), infeasible, None);
    all.into_iter().for_each(|earned| ledger.enter(earned, "acme_thing"));
    ledger.close(Kind::Resource, "acme_thing".to_owned()).0
}

#[test]
fn the_best_that_became_of_an_obligation_counts() {
    let scenarios = [
        vec![earned(&[0, 2], Met::Refused, "acme_thing: \"x\" is too long")],
        vec![earned(&[0], Met::Exercised, ""), earned(&[3], Met::Blocked, "the create failed")],
        vec![earned(&[2], Met::Blocked, "the create failed"), earned(&[1], Met::Infeasible, "it is fixed")],
    ];
    let ty = closed(scenarios.iter().map(Vec::as_slice));
    assert_eq!(ty, closed(scenarios.iter().rev().map(Vec::as_slice)), "the order does not matter");
    let expected = Counts { accepted: 1, refused: 1, infeasible: 2, blocked: 1, unplayed: 1 };
    assert_eq!(ty.total(), expected);
    assert_eq!((ty.total().met(), ty.total().feasible()), (2, 4));
    let set = Counts { accepted: 1, infeasible: 2, ..Counts::default() };
    assert_eq!(ty.themes[&Theme::Set], set);
    let refused = ty.unmet.iter().find(|unmet| unmet.outcome == Outcome::Refused).expect("one was refused");
    assert_eq!(refused.reason, "…: \"…\" is too long");
    assert_eq!(refused.obligations, ["name: emoji"]);
}

#[test]
fn kinds_of_values_that_nothing_met_are_named() {
    let ledger = |earned: &[Earned]| {
        let mut ledger = Ledger::new(obligations(), Vec::new(), None);
        ledger.enter(earned, "acme_thing");
        BTreeMap::from([((Kind::Resource, "acme_thing".to_owned()), ledger)])
    };
    let about = ValueClass::Emoji.about();
    assert!(of(ledger(&[])).never_met.contains(about));
    assert!(of(ledger(&[earned(&[2], Met::Blocked, "the create failed")])).never_met.contains(about));
    assert!(!of(ledger(&[earned(&[2], Met::Refused, "no")])).never_met.contains(about));
    assert_eq!(of(BTreeMap::new()), Coverage::default(), "nothing was to be met");
}

#[test]
fn of_a_type_in_two_parts_of_a_run_the_better_one_counts() {
    let (better, worse) = (vec![earned(&[0, 1], Met::Exercised, "")], vec![earned(&[0], Met::Exercised, "")]);
    let part = |earned: &[Earned]| Coverage { types: vec![closed([earned])], never_met: BTreeSet::new() };
    let merged = part(&worse).merge(part(&better));
    assert_eq!(merged, part(&better).merge(part(&worse)));
    assert_eq!(merged.total().accepted, 2);
}

#[test]
fn what_is_refused_counts_as_unreached_beside_what_is_blocked() {
    let behaviour = Obligation { path: "".into(), kind: ObligationKind::Behaviour("walk/random") };
    let of = |kind: ObligationKind| Obligation { path: "note".into(), kind };
    let all =
        vec![of(ObligationKind::Set), of(ObligationKind::Unset), behaviour, of(ObligationKind::Changed)];
    let refused = |ids: &[u32], met| Earned { obstacle: Some(Obstacle::Refusal), ..earned(ids, met, "no") };
    let mut ledger = Ledger::new(all, Vec::new(), None);
    let unreached = |ledger: &Ledger, obstacle| -> Vec<u32> {
        ledger.unreached(obstacle).into_iter().map(|(_, id)| id.0).collect()
    };
    ledger.enter(&[refused(&[2, 3], Met::Refused)], "acme_thing");
    assert!(unreached(&ledger, Obstacle::Refusal).is_empty(), "nothing was prevented");
    ledger.enter(&[refused(&[1], Met::Blocked)], "acme_thing");
    assert_eq!(unreached(&ledger, Obstacle::Refusal), [1, 2]);
    assert!(unreached(&ledger, Obstacle::Stop).is_empty());
    ledger.enter(&[earned(&[1, 2], Met::Exercised, "")], "acme_thing");
    assert!(unreached(&ledger, Obstacle::Refusal).is_empty());
}
