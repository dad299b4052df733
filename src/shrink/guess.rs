//! Guesses at what a finding needs: all that seems not to matter is left out at once.

use std::collections::BTreeSet;

use super::arguments::{Place, prefixes, spare, touches, with_arguments, with_usual, without};
use super::reduce::lowered;
use super::{About, Clue, smaller};
use crate::scenario::{Block, Scenario};
use crate::transcript::Phase;

/// Unknown places that a guess keeps because of the finding; with more of them it is not known which matter.
const FEW: usize = 3;

/// Scenarios that may show the finding, the boldest first.
pub fn guesses<'a>(scenario: &'a Scenario, about: &'a About<'a>) -> impl Iterator<Item = Scenario> + 'a {
    let mut cuts = cuts(scenario, &about.clue).into_iter();
    let nearest = cuts.next().into_iter().flat_map(|cut| {
        let cut = only_runs(scenario, &about.clue, &cut);
        let (first, second) = with_and_without_unknowns(&cut, &about.clue);
        let bare = bare(&first, about);
        let usual = with_usual(&bare, about, &|path| !is_guilty(about, path));
        let mut made = Vec::new();
        if is_planned(&about.clue) {
            made.extend(lowered(&usual, about));
        }
        made.extend([usual, bare, self::bare(&second, about), cut]);
        made
    });
    let wider = cuts.flat_map(|cut| {
        let cut = only_runs(scenario, &about.clue, &cut);
        [bare(&cut, about), cut]
    });
    smaller(scenario, about, nearest.chain(wider))
}

/// The runs that may suffice, the likeliest first: the one in which it was found, with the one before it, or with all
/// before it.
fn cuts(scenario: &Scenario, clue: &Clue) -> Vec<Vec<usize>> {
    let last = scenario.runs.len().saturating_sub(1);
    let at = clue.run.unwrap_or(last).min(last);
    let pair: Vec<usize> = (at.saturating_sub(1)..=at).collect();
    let mut cuts = if clue.needs_object() { vec![pair, vec![at]] } else { vec![vec![at], pair] };
    cuts.push((0..=at).collect());
    let mut seen = BTreeSet::new();
    cuts.retain(|cut| seen.insert(cut.clone()));
    cuts
}

fn only_runs(scenario: &Scenario, clue: &Clue, cut: &[usize]) -> Scenario {
    let mut runs: Vec<_> = cut.iter().filter_map(|idx| scenario.runs.get(*idx)).cloned().collect();
    for run in &mut runs {
        run.parts.clear();
        if let Some(altered) = &clue.altered
            && run.old_states.iter().any(|state| state.to_string() == *altered)
        {
            run.old_states.retain(|state| state.to_string() == *altered);
        }
    }
    Scenario { runs, ..scenario.clone() }
}

/// The likelier one first.
fn with_and_without_unknowns(scenario: &Scenario, clue: &Clue) -> (Scenario, Scenario) {
    let known = with_arguments(scenario, |block| block.arguments.without_upstream());
    if clue.has_unknowns { (scenario.clone(), known) } else { (known, scenario.clone()) }
}

/// Without arguments that are neither demanded nor near the finding.
fn bare(scenario: &Scenario, about: &About<'_>) -> Scenario {
    let unknown = unknown(scenario);
    let kept: BTreeSet<String> = if unknown.len() <= FEW { unknown } else { BTreeSet::new() };
    let spare = spare(scenario, about, |block| about.is_of_type(&block.address));
    let is_near = |place: &Place| {
        is_guilty(about, &place.path) || kept.iter().any(|kept| prefixes(kept).any(|path| path == place.path))
    };
    let gone: BTreeSet<Place> = spare.into_iter().filter(|place| !is_near(place)).collect();
    without(scenario, about, &gone)
}

/// Whether a place is one of the finding's, or around one.
fn is_guilty(about: &About<'_>, path: &str) -> bool {
    about.clue.paths.iter().any(|guilty| !guilty.is_empty() && touches(guilty, path))
}

fn unknown(scenario: &Scenario) -> BTreeSet<String> {
    let upstream = scenario.blocks().flat_map(|block: &Block| block.arguments.upstream());
    upstream.map(|upstream| upstream.at.schema_path().to_string()).collect()
}

/// Whether a plan without an apply may show it.
fn is_planned(clue: &Clue) -> bool {
    let is_plan = ["Validate", "Plan"].iter().any(|rpc| clue.rpc.starts_with(rpc));
    is_plan && !clue.needs_object() && clue.phase != Some(Phase::Destroy)
}
