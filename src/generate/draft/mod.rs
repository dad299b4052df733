//! The topics of scenarios, and what each scenario of a topic does.

mod arranged;
mod changes;
mod drawn;
mod limits;
mod mix;
mod retry;
mod sizes;
mod unknowns;
mod values;

use super::behaviour::{self, Behaviour};
use super::model::NodeId;
use super::obligation::{Obligation, ObligationKind};
use super::spec::{ConfigSpec, Mask, TypeGenerator};
use crate::schema::Kind;
use crate::transcript::{DriftKind, OptionalArgument};

pub(super) use changes::changed;
pub(super) use drawn::drawn;
pub(super) use values::Scope;

/// What a scenario is about. Taking one of each in turn keeps every prefix diverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Topic {
    Required,
    AllUnknown,
    Everything,
    /// Arguments, each set, changed, changed back and unset.
    Changes,
    /// Arguments without another value, each set and unset.
    Presence,
    /// Single values through their classes, all at once.
    Values(Scope),
    /// Single values, collections and objects through their classes, each time in a new object.
    Created,
    /// One class in all places that can have it, if values are tried one by one.
    Everywhere,
    /// Collections and objects through their classes, all of a depth at once.
    Containers,
    Emptied,
    Sizes,
    EachUnknown,
    WholesUnknown,
    Again,
    Drift(DriftKind),
    /// Arguments, each changed behind the provider's back.
    Drifted,
    Behaviours,
    Pairs,
    /// What the provider is expected to refuse, one value or argument in each scenario.
    Limits,
    /// Endless: random combinations of everything above.
    Mix,
}

/// In the order in which they alternate, the simplest first. What has most scenarios has several turns.
pub(super) const MANAGED: &[Topic] = &[
    Topic::Required,
    Topic::AllUnknown,
    Topic::Everything,
    Topic::Changes,
    Topic::Values(Scope::All),
    Topic::Presence,
    Topic::Emptied,
    Topic::Sizes,
    Topic::Containers,
    Topic::EachUnknown,
    Topic::Values(Scope::All),
    Topic::WholesUnknown,
    Topic::Again,
    Topic::Changes,
    Topic::Drift(DriftKind::Change),
    Topic::Drift(DriftKind::Vanish),
    Topic::Drift(DriftKind::AddElement),
    Topic::Drift(DriftKind::Respell),
    Topic::Behaviours,
    Topic::Values(Scope::Optional),
    Topic::Created,
    Topic::Pairs,
    Topic::Everywhere,
    Topic::Drifted,
];

pub(super) const DATA: &[Topic] = &[
    Topic::Required,
    Topic::AllUnknown,
    Topic::Everything,
    Topic::Presence,
    Topic::Values(Scope::All),
    Topic::EachUnknown,
    Topic::WholesUnknown,
    Topic::Containers,
    Topic::Pairs,
    Topic::Everywhere,
];

/// The topics of a kind, in the order of their turns.
pub(super) fn turns(kind: Kind) -> &'static [Topic] {
    if kind == Kind::DataSource { DATA } else { MANAGED }
}

/// How many scenarios of other topics come before the first about a pair.
pub fn turns_before_pairs(kind: Kind) -> usize {
    turns(kind).iter().position(|topic| *topic == Topic::Pairs).expect("pairs have a turn")
}

/// What a scenario does.
#[derive(Clone)]
pub(super) struct ScenarioDraft {
    pub about: String,
    pub steps: Vec<DraftStep>,
    /// Whether the provider is expected to refuse it.
    pub is_at_limit: bool,
    /// The optional argument whose flag it tests.
    pub optional: Option<OptionalArgument>,
}

#[derive(Clone)]
pub(super) struct DraftStep {
    pub act: Act,
    pub meets: Meets,
    /// What to try by itself if the provider refuses the step: nodes, and what each meets.
    pub parts: Vec<(NodeId, Vec<Obligation>)>,
}

#[derive(Clone)]
pub(super) enum Act {
    /// Validate and plan with some places unknown.
    Sweep(ConfigSpec, Mask),
    /// Create or update, all known from the start.
    Reach(ConfigSpec),
    /// Create, after what there is was destroyed.
    Create(ConfigSpec),
    /// The same, with these places unknown at first.
    ReachAfter(ConfigSpec, Mask),
    /// The same, with something unknown at first if the seed says so.
    ReachAfterUnknown(ConfigSpec),
    Drift(DriftKind),
    /// This argument gets another typical value in the remote system.
    DriftAt(usize),
    /// All runs of a behaviour.
    Behave(&'static Behaviour),
}

/// The obligations that a step meets; see [`Aims`](crate::scenario::Aims).
#[derive(Clone, Default)]
pub(super) struct Meets {
    pub config: Vec<Obligation>,
    pub change: Vec<Obligation>,
    pub together: Vec<Obligation>,
}

impl Act {
    fn step(self) -> DraftStep {
        DraftStep { act: self, meets: Meets::default(), parts: Vec::new() }
    }
}

impl DraftStep {
    fn reach(spec: ConfigSpec) -> DraftStep {
        Act::Reach(spec).step()
    }

    /// With something unknown at first if the seed says so.
    fn reach_after_unknown(spec: ConfigSpec) -> DraftStep {
        Act::ReachAfterUnknown(spec).step()
    }

    fn config(mut self, met: impl IntoIterator<Item = Obligation>) -> DraftStep {
        self.meets.config.extend(met);
        self
    }

    fn change(mut self, met: impl IntoIterator<Item = Obligation>) -> DraftStep {
        self.meets.change.extend(met);
        self
    }

    fn together(mut self, met: impl IntoIterator<Item = Obligation>) -> DraftStep {
        self.meets.together.extend(met);
        self
    }
}

impl Topic {
    /// The n-th of the topic, counted from 0. `number` is the scenario's, counted from 1.
    pub fn nth(self, n: usize, number: u64, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
        match self {
            Topic::Required if n == 0 => {
                let step = DraftStep::reach(ConfigSpec::plain(at.minimal.clone()));
                let met = Obligation::whole(ObligationKind::Required);
                Some(draft("only required", [step.config([met])]))
            }
            Topic::Everything if n == 0 => Some(draft("everything on", [everything(at)?])),
            Topic::Required | Topic::Everything => None,
            Topic::AllUnknown => unknowns::all(n, at),
            Topic::EachUnknown => unknowns::each(n, number, at),
            Topic::WholesUnknown => unknowns::wholes(n, number, at),
            Topic::Changes => changes::changes(n, at),
            Topic::Presence => changes::presence(n, at),
            Topic::Pairs => changes::pairs(n, at),
            Topic::Values(scope) => values::values(scope, n, at),
            Topic::Everywhere => values::everywhere(n, at),
            Topic::Containers => values::containers(n, at),
            Topic::Created => values::created(n, at),
            Topic::Emptied => sizes::emptied(n, at),
            Topic::Sizes => sizes::sizes(n, at),
            Topic::Again => {
                let (about, spec) = base(n, at, false)?;
                let again = DraftStep::reach(spec.clone());
                let again = again.change([Obligation::whole(ObligationKind::Again)]);
                Some(draft(&format!("{about}, applied twice"), [DraftStep::reach_after_unknown(spec), again]))
            }
            Topic::Drift(kind) => {
                let (about, spec) = match (kind, at.targets().collection()) {
                    (DriftKind::AddElement, Some(id)) if n == 0 => {
                        let about = format!("{} alone", at.model.first_path(id));
                        (about, ConfigSpec::plain(at.with(id)))
                    }
                    _ => base(n, at, kind == DriftKind::Respell)
                        .map(|(about, spec)| (about.to_owned(), spec))?,
                };
                let drift = Act::Drift(kind).step();
                let drift = drift.change([Obligation::whole(ObligationKind::Drift(kind))]);
                let steps = [DraftStep::reach(spec.clone()), drift, DraftStep::reach(spec)];
                Some(draft(&format!("drift: {}, {about}", kind.name()), steps))
            }
            Topic::Drifted => changes::drifted(n, at),
            Topic::Behaviours => {
                let behaviour = behaviour::nth(n, at)?;
                let step = Act::Behave(behaviour).step().change([behaviour.obligation()]);
                Some(draft(behaviour.about, [step]))
            }
            Topic::Limits => limits::at_limit(n, at),
            Topic::Mix => Some(mix::mix(number, at)),
        }
    }
}

fn draft(about: &str, steps: impl IntoIterator<Item = DraftStep>) -> ScenarioDraft {
    let (about, steps) = (about.to_owned(), steps.into_iter().collect());
    ScenarioDraft { about, steps, is_at_limit: false, optional: None }
}

/// How many places a label names.
const NAMED: usize = 3;

/// Some places of a scenario, for its label.
fn names<'p>(paths: impl IntoIterator<Item = &'p str>) -> String {
    let mut paths: Vec<&str> = paths.into_iter().collect();
    paths.dedup();
    let more = paths.len().saturating_sub(NAMED);
    paths.truncate(NAMED);
    let named = paths.join(", ");
    if more == 0 { named } else { format!("{named} and {more} more") }
}

/// The n-th of the pieces that scenarios are about.
fn chunk<T>(all: &[T], n: usize, size: usize) -> Option<&[T]> {
    all.chunks(size).nth(n)
}

fn everything(at: &TypeGenerator<'_>) -> Option<DraftStep> {
    let shape = at.more_than_minimal()?;
    let is_on = |id: &NodeId| shape.has(&at.model, &at.store, *id);
    let set = at.targets().optional.iter().copied().filter(is_on);
    let set: Vec<_> = set.map(|id| super::universe::of_node(at, id, ObligationKind::Set)).collect();
    let step = DraftStep::reach_after_unknown(ConfigSpec::plain(shape));
    Some(step.config([Obligation::whole(ObligationKind::Everything)]).together(set))
}

/// The two configurations used by scenarios that are not about a particular place.
fn base(n: usize, at: &TypeGenerator<'_>, much_first: bool) -> Option<(&'static str, ConfigSpec)> {
    let minimal = ("only required", ConfigSpec::plain(at.minimal.clone()));
    let everything = at.more_than_minimal().map(|shape| ("everything on", ConfigSpec::plain(shape)));
    match (everything, n) {
        (None, 0) => Some(minimal),
        (Some(everything), 0 | 1) => Some(if (n == 0) == much_first { everything } else { minimal }),
        _ => None,
    }
}
