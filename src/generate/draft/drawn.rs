//! Any scenario, as bytes decide.

use super::{Act, ScenarioDraft, draft};
use crate::generate::behaviour;
use crate::generate::choices::Drawn;
use crate::generate::shape::Shape;
use crate::generate::spec::{ConfigSpec, Mask, TypeGenerator};
use crate::schema::Kind;
use crate::transcript::DriftKind;

/// Most steps of a scenario.
const MOST_STEPS: usize = 4;
/// Most decisions that a step makes anew.
const MOST_CHANGES: usize = 3;

/// The scenario that the source describes: if it decides nothing, the smallest configuration, applied.
///
/// Every step but the first keeps the decisions of the one before it, except for a few.
pub(in crate::generate) fn drawn(choices: &mut Drawn<'_>, at: &TypeGenerator<'_>) -> ScenarioDraft {
    let n_steps = 1 + choices.once("steps", MOST_STEPS);
    let mut steps = Vec::new();
    for step in 0..n_steps {
        choices.begin_step(step);
        let n_changes = if step == 0 { 0 } else { choices.once("changes", MOST_CHANGES + 1) };
        for change in 1..=n_changes {
            let n = choices.once(&format!("change {change}"), choices.map.n_decisions());
            choices.map.forget(n);
        }
        steps.push(act(choices, at).step());
    }
    let s = if n_steps == 1 { "" } else { "s" };
    draft(&format!("{n_steps} step{s} as the bytes say"), steps)
}

fn act(choices: &mut Drawn<'_>, at: &TypeGenerator<'_>) -> Act {
    let mask = |choices: &mut Drawn<'_>| match choices.once("mask", 4) {
        0 => Mask::Some,
        1 => Mask::All,
        2 => Mask::Blocks,
        _ => Mask::Wholes,
    };
    match choices.once("act", 8) {
        4 | 5 => {
            let mask = mask(choices);
            Act::ReachAfter(spec(choices, at, Some(mask)), mask)
        }
        6 => {
            let mask = mask(choices);
            Act::Sweep(spec(choices, at, Some(mask)), mask)
        }
        7 if at.kind == Kind::Resource => match choices.once("without configuration", 2) {
            0 => Act::Drift(DriftKind::ALL[choices.once("drift", DriftKind::ALL.len())]),
            _ => {
                let behaviours: Vec<_> = behaviour::all().collect();
                Act::Behave(behaviours[choices.once("behaviour", behaviours.len())])
            }
        },
        _ => Act::Reach(spec(choices, at, None)),
    }
}

/// A configuration, with all that was decided to build it.
fn spec(choices: &mut Drawn<'_>, at: &TypeGenerator<'_>, mask: Option<Mask>) -> ConfigSpec {
    let shape = at.repaired(&Shape::some(&at.model, &at.store, choices));
    let config = at.built(&shape, choices);
    if let Some(mask) = mask {
        at.unknown(&config, mask, choices);
    }
    ConfigSpec { map: choices.map.clone(), ..ConfigSpec::plain(shape) }
}
