//! How small the cases of findings become, measured.
//!
//! Each fault is found twice: with the tries that a run makes by default to find a smaller case, and with as many
//! as it takes. What only the second one leaves out did not matter. A few faults are measured by default, those of all
//! rules with `TFCONFORM_SHRINK=all`; `--nocapture` shows the table.

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[expect(dead_code, reason = "the live matrix uses the rest of it")]
#[path = "matrix/mod.rs"]
mod matrix;

use matrix::play::{PROTOCOLS, Place, play_and_shrink};
use matrix::tables::is_absent;
use tfconform::record::Trigger;
use tfconform::report::{Effort, Group};
use tfconform::rule::{Injection, Rule};
use tfconform::rules::CATALOGUE;
use tfconform::suite::Run;
use tfconform::value::tree::Tree;

/// Measured by default: a plan, an apply and an unknown.
const FEW: [&str; 3] =
    ["plan/keeps-configured-values", "apply/keeps-planned-values", "plan/final-plan-agrees"];

/// More tries than any case takes.
const ENOUGH: usize = 600;

/// The goals: the median of arguments that need not be set, and of tries.
const SPARE: usize = 0;
const TRIES: usize = 40;

/// How small the case of one fault became.
struct Measured {
    rule: &'static str,
    /// The arguments that are set at most, and how many of them did not matter.
    n_set: usize,
    n_spare: usize,
    /// `None` if the case is as it was found.
    effort: Option<Effort>,
}

/// The arguments in the larger of the configurations.
fn n_set(trigger: &Trigger) -> usize {
    trigger.before.iter().chain(&trigger.now).map(arguments).max().unwrap_or(0)
}

fn arguments(tree: &Tree) -> usize {
    match tree {
        Tree::Leaf(_) => 0,
        Tree::Object(members) => members.iter().map(|(_, inside)| arguments(inside).max(1)).sum(),
        Tree::List(elements) | Tree::Set(elements) => elements.iter().map(arguments).sum(),
        Tree::Map(entries) => entries.iter().map(|(_, inside)| arguments(inside)).sum(),
    }
}

/// The first finding of a rule that has a scenario, with so many tries for its case.
fn found(rule: &'static Rule, protocol: u8, n_tries: usize) -> Option<Group> {
    let report = play_and_shrink(protocol, 0, Some((&rule.fault, Place::Everywhere)), None, n_tries);
    let groups = report.unwrap_or_else(|why| panic!("{}: {why}", rule.id)).groups.into_iter();
    let mut of_rule = groups.filter(|group| group.rule.id == rule.id && group.first.scenario.number > 0);
    of_rule.next()
}

fn measured(rule: &'static Rule) -> Option<Measured> {
    let protocol = PROTOCOLS.into_iter().find(|protocol| !is_absent(&rule.fault, *protocol))?;
    let (usual, least) = (found(rule, protocol, Run::default().shrink)?, found(rule, protocol, ENOUGH)?);
    let [usual_set, least_set] = [&usual, &least].map(|group| n_set(&group.first.evidence.trigger));
    Some(Measured {
        rule: rule.id,
        n_set: usual_set,
        n_spare: usual_set.saturating_sub(least_set),
        effort: usual.shrunk_in,
    })
}

fn median(mut figures: Vec<usize>) -> usize {
    figures.sort_unstable();
    figures[figures.len() / 2]
}

#[test]
fn cases_are_as_small_as_their_findings_allow() {
    let all = std::env::var_os("TFCONFORM_SHRINK").is_some_and(|what| what == "all");
    // Their findings fail a run only if they are `must`; the others are not made smaller by default.
    let is_meant = |rule: &&&'static Rule| {
        let has_scenario = !matches!(rule.fault.injection, Injection::Schema(_) | Injection::Start(_));
        has_scenario && rule.level == tfconform::rule::Level::Must && (all || FEW.contains(&rule.id))
    };
    let measured = CATALOGUE.iter().filter(is_meant).filter_map(|rule| measured(rule));
    let told = |measured: &Measured| {
        let Measured { rule, n_set, n_spare, effort } = measured;
        let said = |effort: &Effort| format!("{} tries, {} calls", effort.tries, effort.calls);
        let effort = effort.as_ref().map_or("as found".to_owned(), said);
        println!("{rule:48} {n_set:3} set, {n_spare:3} of them spare, {effort}");
    };
    let measured: Vec<Measured> = measured.inspect(told).collect();
    assert!(!measured.is_empty());
    let spare = median(measured.iter().map(|of_rule| of_rule.n_spare).collect());
    let efforts: Vec<Effort> = measured.iter().filter_map(|of_rule| of_rule.effort).collect();
    assert!(!efforts.is_empty(), "no case is smaller than it was found");
    let tries = median(efforts.iter().map(|effort| effort.tries).collect());
    let calls = median(efforts.iter().map(|effort| effort.calls).collect());
    println!(
        "median of {}: {spare} spare (goal {SPARE}), {tries} tries (goal {TRIES}), {calls} calls",
        measured.len()
    );
    assert!(spare == SPARE && tries <= TRIES, "a median is above its goal");
}
