//! What is unknown when an object is planned to be created, or data to be read.

use std::sync::Arc;

use super::{Act, DraftStep, ScenarioDraft, base, draft};
use crate::generate::obligation::{Obligation, ObligationKind};
use crate::generate::spec::{ConfigSpec, Mask, TypeGenerator};
use crate::value::Value;

/// How many places one scenario makes unknown in turn.
const SWEEP: usize = 24;

pub(super) fn all(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let (about, spec) = base(n, at, false)?;
    let met = || [Obligation::whole(ObligationKind::AllUnknown)];
    let sweep = |mask| Act::Sweep(spec.clone(), mask).step().config(met());
    let steps = [sweep(Mask::All), sweep(Mask::Blocks), Act::ReachAfter(spec.clone(), Mask::Blocks).step()];
    Some(draft(&format!("all unknown, {about}"), steps))
}

pub(super) fn each(n: usize, number: u64, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let places = |config: &Value| at.leaves(config);
    swept(n, number, at, "each leaf", places, Mask::Leaf, DraftStep::reach_after_unknown)
}

pub(super) fn wholes(n: usize, number: u64, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let last = |spec| Act::ReachAfter(spec, Mask::Wholes).step();
    swept(n, number, at, "whole blocks", |config| at.wholes(config), Mask::Whole, last)
}

fn swept(
    n: usize,
    number: u64,
    at: &TypeGenerator<'_>,
    what: &str,
    places: impl Fn(&Value) -> Vec<Arc<str>>,
    mask: fn(usize) -> Mask,
    last: fn(ConfigSpec) -> DraftStep,
) -> Option<ScenarioDraft> {
    let spec = ConfigSpec::plain(at.everything().clone());
    let places = places(&at.config(number, &spec));
    let at_once = at.at_once(SWEEP);
    let (first, total) = (n * at_once, places.len());
    let end = (first + at_once).min(total);
    if first >= end {
        return None;
    }
    let sweeps = (first..end).map(|idx| {
        let met = Obligation::of(&places[idx], ObligationKind::UnknownAtCreate);
        Act::Sweep(spec.clone(), mask(idx)).step().config([met])
    });
    let steps = sweeps.chain([last(spec.clone())]);
    let about = if total > at_once {
        format!("{what} unknown, {} to {end} of {total}", first + 1)
    } else {
        format!("{what} unknown")
    };
    Some(draft(&about, steps))
}
