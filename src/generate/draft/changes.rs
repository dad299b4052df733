//! Arguments that are set, changed, changed back and unset, one at a time and in pairs.

use super::{Act, DraftStep, ScenarioDraft, chunk, draft, names};
use crate::generate::model::{NodeId, Presence};
use crate::generate::obligation::{Obligation, ObligationKind};
use crate::generate::spec::{ConfigSpec, Mask, TypeGenerator};
use crate::generate::universe::of_node;
use crate::schema::Kind;

/// Arguments of one scenario: each takes three or four steps.
const ARGUMENTS: usize = 2;

pub(super) fn changes(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let places = chunk(&at.targets().changeable, n, at.at_once(ARGUMENTS))?;
    let paths = places.iter().map(|place| at.targets().places[*place].path.as_str());
    let about = format!("{}: to another value and back", names(paths));
    let steps = places.iter().flat_map(|place| {
        let mut steps = to_another_value_and_back(*place, at);
        let id = at.targets().places[*place].id;
        steps.extend(unset(id, at));
        steps
    });
    Some(draft(&about, steps.collect::<Vec<_>>()))
}

/// Arguments that change behind the provider's back in one scenario: each takes one step.
const DRIFTS: usize = 8;

pub(super) fn drifted(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let places = chunk(at.drifting(), n, at.at_once(DRIFTS))?;
    let target = |place: &usize| &at.targets().places[*place];
    let paths = places.iter().map(|place| target(place).path.as_str());
    let about = format!("{}: changed in the remote system", names(paths));
    let created = DraftStep::reach(ConfigSpec::plain(at.everything().clone()));
    let steps = places.iter().map(|place| {
        let met = Obligation::of(&target(place).schema_path, ObligationKind::Drifted);
        Act::DriftAt(*place).step().change([met])
    });
    Some(draft(&about, std::iter::once(created).chain(steps)))
}

/// One argument to another value and back.
pub(in crate::generate) fn changed(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let place = *at.targets().changeable.get(n)?;
    let about = format!("{}: to another value", at.targets().places[place].path);
    Some(draft(&about, to_another_value_and_back(place, at)))
}

fn to_another_value_and_back(place: usize, at: &TypeGenerator<'_>) -> Vec<DraftStep> {
    let target = &at.targets().places[place];
    let met = |kind| Obligation::of(&target.schema_path, kind);
    let before = ConfigSpec::plain(at.with(target.id));
    let after = before.with_class(&target.path, 1);
    let changed = Act::ReachAfter(after, Mask::Target(place)).step();
    vec![
        DraftStep::reach(before.clone()).config([of_node(at, target.id, ObligationKind::Set)]),
        changed.change([ObligationKind::Changed, ObligationKind::UnknownAtUpdate].map(met)),
        DraftStep::reach_after_unknown(before).change([met(ObligationKind::ChangedBack)]),
    ]
}

/// Back to null, or to no blocks; `None` if it is always set.
fn unset(id: NodeId, at: &TypeGenerator<'_>) -> Option<DraftStep> {
    let is_optional = at.model.node(id).presence == Presence::Optional;
    let without = ConfigSpec::plain(at.with(id).without(id));
    let step = DraftStep::reach(without).change([of_node(at, id, ObligationKind::Unset)]);
    (is_optional && at.store.may_unset(id)).then_some(step)
}

/// Nodes of one scenario, each of which takes two steps.
const NODES: usize = 5;

pub(super) fn presence(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let targets = at.targets();
    // Changes have set all others.
    let is_changed = |id: &NodeId| targets.changeable.iter().any(|place| targets.places[*place].id == *id);
    let is_wanted = |id: &NodeId| at.kind == Kind::DataSource || !is_changed(id);
    let nodes: Vec<NodeId> = targets.optional.iter().copied().filter(is_wanted).collect();
    let nodes = chunk(&nodes, n, at.at_once(NODES))?;
    let paths: Vec<String> = nodes.iter().map(|id| at.model.first_path(*id)).collect();
    let about = format!("{}: null to value and back", names(paths.iter().map(String::as_str)));
    let steps = nodes.iter().flat_map(|id| {
        let set = DraftStep::reach_after_unknown(ConfigSpec::plain(at.with(*id)));
        [set.config([of_node(at, *id, ObligationKind::Set)])].into_iter().chain(unset(*id, at))
    });
    Some(draft(&about, steps.collect::<Vec<_>>()))
}

/// Rows of one scenario.
const ROWS: usize = 4;

/// A few shapes with pairs of optional arguments.
pub(super) fn pairs(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let (rows, at_once) = (&at.pairs().rows, at.at_once(ROWS));
    let steps = chunk(rows, n, at_once)?.iter();
    let steps =
        steps.map(|(shape, met)| DraftStep::reach(ConfigSpec::plain(shape.clone())).together(met.clone()));
    let (from, to) = (n * at_once + 1, (n * at_once + at_once).min(rows.len()));
    Some(draft(&format!("pairs of arguments, rows {from} to {to} of {}", rows.len()), steps))
}
