//! One thing less after the other.

use std::collections::BTreeSet;
use std::ops::Range;

use super::arguments::{
    Place, long, spare, unchanged, unusual, with_arguments, with_few, with_usual, without,
};
use super::size::changes;
use super::{About, smaller};
use crate::scenario::{Block, MetaArguments, Operation, RunOptions, Scenario};
use crate::schema::Kind;

/// Scenarios with less of something, the boldest first: fewer runs, fewer arguments, nothing unknown, simpler values.
pub fn candidates<'a>(scenario: &'a Scenario, about: &'a About<'a>) -> impl Iterator<Item = Scenario> + 'a {
    // Two runs are there for a reason if the finding is about a change: what else there is goes first.
    let is_change = scenario.runs.len() == 2 && about.clue.needs_object();
    let runs_if = move |now: bool| now.then(|| fewer_runs(scenario)).into_iter().flatten();
    let made = runs_if(!is_change)
        .chain(plain_runs(scenario))
        .chain(lowered(scenario, about))
        .chain(fewer_old_states(scenario))
        .chain(fewer_arguments(scenario, about, true))
        .chain(fewer_unknowns(scenario))
        .chain(fewer_changes(scenario))
        .chain(fewer_elements(scenario, about))
        .chain(usual_values(scenario, about))
        .chain(fewer_arguments(scenario, about, false))
        .chain(runs_if(is_change));
    smaller(scenario, about, made)
}

/// The parts of a list: the whole of it, its halves, their halves, and so on to single ones.
fn halves(length: usize) -> impl Iterator<Item = Range<usize>> {
    let sizes = std::iter::successors(Some(length), |size| (*size > 1).then(|| size.div_ceil(2)));
    let sizes = sizes.filter(|size| *size > 0);
    sizes.flat_map(move |size| (0..length).step_by(size).map(move |start| start..(start + size).min(length)))
}

fn fewer_runs(scenario: &Scenario) -> impl Iterator<Item = Scenario> + '_ {
    let n_runs = scenario.runs.len();
    let first = (1..n_runs).map(|n| 0..n);
    let last = (1..n_runs).rev().map(move |n| n..n_runs);
    let parts =
        first.chain(last).map(|range| Scenario { runs: scenario.runs[range].to_vec(), ..scenario.clone() });
    let but_one = (1..n_runs.saturating_sub(1)).map(|idx| {
        let mut scenario = scenario.clone();
        scenario.runs.remove(idx);
        scenario
    });
    parts.chain(but_one)
}

/// Nothing happens to the world, no options and no meta-arguments: nowhere, or not in one run.
fn plain_runs(scenario: &Scenario) -> impl Iterator<Item = Scenario> + '_ {
    let n_runs = scenario.runs.len();
    let each = (0..n_runs).map(|idx| idx..idx + 1);
    std::iter::once(0..n_runs).chain(each).map(|range| {
        let mut scenario = scenario.clone();
        for run in &mut scenario.runs[range] {
            run.before.clear();
            run.parts.clear();
            (run.moved, run.removed, run.imports) = Default::default();
            let (operation, mode) = (run.options.operation, run.options.mode);
            run.options = RunOptions { operation, mode, ..RunOptions::default() };
            run.blocks.iter_mut().for_each(|block| block.meta = MetaArguments::default());
        }
        scenario
    })
}

/// The last run only plans, or only validates.
pub(super) fn lowered<'a>(
    scenario: &Scenario,
    about: &About<'_>,
) -> impl Iterator<Item = Scenario> + use<'a> {
    let (planned, validated) = (about.clue.rpc.starts_with("Plan"), about.clue.rpc.starts_with("Validate"));
    let operation = match about.kind {
        _ if validated => Some(Operation::Validate),
        Kind::Resource if planned => Some(Operation::Plan),
        _ => None,
    };
    let last = scenario.runs.last().filter(|run| run.options.operation != Operation::Upgrade);
    let lowered = operation.zip(last).map(|(operation, _)| {
        let mut scenario = scenario.clone();
        if let Some(last) = scenario.runs.last_mut() {
            last.options.operation = operation.min(last.options.operation);
        }
        scenario
    });
    lowered.into_iter()
}

fn fewer_old_states(scenario: &Scenario) -> impl Iterator<Item = Scenario> + '_ {
    (0..scenario.runs.len()).flat_map(move |run| {
        let n_states = scenario.runs[run].old_states.len();
        halves(n_states).filter(move |part| part.len() < n_states).map(move |part| {
            let mut scenario = scenario.clone();
            scenario.runs[run].old_states.drain(part);
            scenario
        })
    })
}

/// Of the type under test, or of what it refers to.
fn fewer_arguments<'a>(
    scenario: &'a Scenario,
    about: &'a About<'a>,
    is_own: bool,
) -> impl Iterator<Item = Scenario> + 'a {
    let spare = spare(scenario, about, |block| about.is_of_type(&block.address) == is_own);
    halves(spare.len()).map(move |part| {
        let gone: BTreeSet<Place> = spare[part].iter().cloned().collect();
        without(scenario, about, &gone)
    })
}

fn fewer_unknowns(scenario: &Scenario) -> impl Iterator<Item = Scenario> + '_ {
    let known = with_arguments(scenario, |block| block.arguments.without_upstream());
    let places = scenario.runs.iter().enumerate().flat_map(|(run, of_run)| {
        let blocks = of_run.blocks.iter().enumerate();
        blocks.flat_map(move |(block, of_block): (usize, &Block)| {
            of_block.arguments.upstream().into_iter().map(move |upstream| (run, block, upstream))
        })
    });
    let each = places.map(|(run, block, upstream)| {
        let mut scenario = scenario.clone();
        let block = &mut scenario.runs[run].blocks[block];
        block.arguments = block.arguments.knowing(&upstream);
        scenario
    });
    std::iter::once(known).chain(each)
}

/// Arguments that stay as they are from one run to the next.
fn fewer_changes(scenario: &Scenario) -> impl Iterator<Item = Scenario> + '_ {
    (1..scenario.runs.len()).flat_map(move |run| {
        let changes = changes(&scenario.runs[run - 1], &scenario.runs[run]);
        halves(changes.len()).map(move |part| unchanged(scenario, run, &changes[part]))
    })
}

fn fewer_elements<'a>(scenario: &'a Scenario, about: &'a About<'a>) -> impl Iterator<Item = Scenario> + 'a {
    let long = long(scenario, about);
    halves(long.len())
        .map(move |part| with_few(scenario, about, &|path| long[part.clone()].iter().any(|own| own == path)))
}

fn usual_values<'a>(scenario: &'a Scenario, about: &'a About<'a>) -> impl Iterator<Item = Scenario> + 'a {
    let unusual = unusual(scenario, about);
    halves(unusual.len()).map(move |part| {
        with_usual(scenario, about, &|path| unusual[part.clone()].iter().any(|own| own == path))
    })
}
