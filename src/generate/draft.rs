//! The classes of scenarios, and what each scenario of a class tests.

use super::choices::{ChoiceKey, ChoiceMap, ChoicePurpose, Choices, Facet, Variation};
use super::model::{NodeId, Presence};
use super::shape::Shape;
use super::spec::{ConfigSpec, Mask, TypeGenerator};
use super::target::{Target, is_ordered, room};
use super::value_class::{TEXTS, ValueClass};
use crate::transcript::DriftKind;
use crate::value::Value;

/// A class of scenarios. Taking one of each in turn keeps every prefix diverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Required,
    AllUnknown,
    Everything,
    Alone,
    Unusual,
    Change,
    /// What a free text must survive, of one of the groups, in all of them at once.
    Texts(usize),
    /// The same in one of them: another may refuse what this one accepts.
    Text,
    SetAndUnset,
    NullAndEmpty,
    Elements,
    Keys,
    Blocks,
    EachUnknown,
    WholesUnknown,
    Twice,
    Drift(DriftKind),
    /// Endless: random combinations of everything above.
    Mix,
}

/// In the order in which they alternate, the simplest first.
pub(super) const MANAGED: &[Class] = &[
    Class::Required,
    Class::AllUnknown,
    Class::Everything,
    Class::Change,
    Class::Alone,
    Class::Unusual,
    Class::SetAndUnset,
    Class::NullAndEmpty,
    Class::Elements,
    Class::Keys,
    Class::Blocks,
    Class::EachUnknown,
    Class::WholesUnknown,
    Class::Twice,
    Class::Drift(DriftKind::Change),
    Class::Drift(DriftKind::Vanish),
    Class::Drift(DriftKind::AddElement),
    Class::Drift(DriftKind::Respell),
    Class::Texts(0),
    Class::Texts(1),
    Class::Texts(2),
    Class::Text,
];

pub(super) const DATA: &[Class] = &[
    Class::Required,
    Class::AllUnknown,
    Class::Everything,
    Class::Alone,
    Class::Unusual,
    Class::EachUnknown,
    Class::WholesUnknown,
    Class::Texts(0),
    Class::Texts(1),
    Class::Texts(2),
];

/// What a scenario does.
pub(super) struct ScenarioDraft {
    pub about: String,
    pub steps: Vec<DraftStep>,
}

pub(super) enum DraftStep {
    /// Validate and plan with some places unknown.
    Sweep(ConfigSpec, Mask),
    /// Create or update, all known from the start.
    Reach(ConfigSpec),
    /// The same, with these places unknown at first.
    ReachAfter(ConfigSpec, Mask),
    /// The same, with something unknown at first if the seed says so.
    ReachAfterUnknown(ConfigSpec),
    Drift(DriftKind),
}

/// How many places one scenario makes unknown in turn.
const SWEEP: usize = 24;

impl Class {
    /// The n-th of the class, counted from 0. `number` is the scenario's, counted from 1.
    pub fn nth(self, n: usize, number: u64, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
        let minimal = || ConfigSpec::plain(at.minimal.clone());
        let everything = || at.more_than_minimal().map(ConfigSpec::plain);
        let targets = || at.targets();
        match self {
            Class::Required => (n == 0).then(|| draft("only required", [DraftStep::Reach(minimal())])),
            Class::Everything if n == 0 => {
                Some(draft("everything on", [DraftStep::ReachAfterUnknown(everything()?)]))
            }
            Class::Everything => None,
            Class::Twice => {
                let (about, spec) = base(n, at, false)?;
                let steps = [DraftStep::ReachAfterUnknown(spec.clone()), DraftStep::Reach(spec)];
                Some(draft(&format!("{about}, applied twice"), steps))
            }
            Class::AllUnknown => {
                let (about, spec) = base(n, at, false)?;
                let sweep = |mask| DraftStep::Sweep(spec.clone(), mask);
                let reach = DraftStep::ReachAfter(spec.clone(), Mask::Blocks);
                let steps = [sweep(Mask::All), sweep(Mask::Blocks), reach];
                Some(draft(&format!("all unknown, {about}"), steps))
            }
            Class::EachUnknown => {
                let last = DraftStep::ReachAfterUnknown;
                each_unknown(n, number, at, "each leaf", |at, config| at.n_leaves(config), Mask::Leaf, last)
            }
            Class::WholesUnknown => {
                let last = |spec| DraftStep::ReachAfter(spec, Mask::Wholes);
                let count = |at: &TypeGenerator<'_>, config: &Value| at.n_wholes(config);
                each_unknown(n, number, at, "whole blocks", count, Mask::Whole, last)
            }
            Class::Alone => {
                let id = *targets().optional.get(n)?;
                let spec = ConfigSpec::plain(at.with(id));
                Some(draft(
                    &format!("{} alone", at.model.first_path(id)),
                    [DraftStep::ReachAfterUnknown(spec)],
                ))
            }
            Class::Unusual => {
                let (place, class) = targets().unusual.get(n)?;
                let target = &targets().places[*place];
                let typical = ConfigSpec::plain(at.with(target.id));
                let unusual = typical.with_class(&target.path, *class);
                let about = format!("{} = {}", target.path, target.classes[*class as usize].about());
                Some(draft(&about, [DraftStep::ReachAfterUnknown(unusual), DraftStep::Reach(typical)]))
            }
            Class::Change => {
                let place = *targets().changeable.get(n)?;
                let target = &targets().places[place];
                let before = ConfigSpec::plain(at.with(target.id));
                let after = before.with_class(&target.path, 1);
                let about = format!("{}: to another value", target.path);
                let steps = [
                    DraftStep::Reach(before.clone()),
                    DraftStep::ReachAfter(after, Mask::Target(place)),
                    DraftStep::ReachAfterUnknown(before),
                ];
                Some(draft(&about, steps))
            }
            Class::Texts(group) => {
                let places = &targets().texts;
                let is_due = n == 0 && !places.is_empty();
                is_due.then(|| through_texts("every free text", places, TEXTS[group], at))
            }
            // A single one was part of all.
            Class::Text if targets().texts.len() < 2 => None,
            Class::Text => {
                let places = &targets().texts;
                let (place, group) = (places[n % places.len()], TEXTS.get(n / places.len())?);
                Some(through_texts(&targets().places[place].path, &[place], group, at))
            }
            Class::SetAndUnset => {
                let id = *targets().nullable.get(n)?;
                let set = ConfigSpec::plain(at.with(id));
                let unset = set.shaped(set.shape.without(id));
                let about = format!("{}: null to value and back", at.model.first_path(id));
                let steps = [
                    DraftStep::Reach(unset.clone()),
                    DraftStep::ReachAfterUnknown(set),
                    DraftStep::Reach(unset),
                ];
                Some(draft(&about, steps))
            }
            Class::NullAndEmpty => {
                let (id, class) = *targets().emptiable.get(n)?;
                let path = at.model.first_path(id);
                let empty = ConfigSpec::plain(at.with(id)).with_class(&path, class);
                let null = empty.shaped(empty.shape.without(id));
                let steps = [DraftStep::Reach(null.clone()), DraftStep::Reach(empty), DraftStep::Reach(null)];
                Some(draft(&format!("{path}: null to empty and back"), steps))
            }
            Class::Elements => match n.checked_sub(targets().permutable.len()) {
                None => Some(moved(targets().permutable[n], at)),
                Some(n) => Some(more_and_fewer(*targets().sequences.get(n)?, "element", at)),
            },
            Class::Keys => Some(more_and_fewer(*targets().maps.get(n)?, "key", at)),
            Class::Blocks => Some(more_and_fewer(*targets().blocks.get(n)?, "block", at)),
            Class::Drift(kind) => {
                let (about, spec) = match (kind, targets().collection()) {
                    (DriftKind::AddElement, Some(id)) if n == 0 => {
                        let about = format!("{} alone", at.model.first_path(id));
                        (about, ConfigSpec::plain(at.with(id)))
                    }
                    _ => base(n, at, kind == DriftKind::Respell)
                        .map(|(about, spec)| (about.to_owned(), spec))?,
                };
                let again = DraftStep::Reach(spec.clone());
                let steps = [DraftStep::Reach(spec), DraftStep::Drift(kind), again];
                Some(draft(&format!("drift: {}, {about}", kind.name()), steps))
            }
            Class::Mix => Some(mix(number, at)),
        }
    }
}

fn draft(about: &str, steps: impl IntoIterator<Item = DraftStep>) -> ScenarioDraft {
    ScenarioDraft { about: about.to_owned(), steps: steps.into_iter().collect() }
}

/// Some texts through some classes, one after the other.
fn through_texts(
    about: &str,
    places: &[usize],
    classes: &[ValueClass],
    at: &TypeGenerator<'_>,
) -> ScenarioDraft {
    let texts = || places.iter().map(|place| &at.targets().places[*place]);
    let shape = texts().fold(at.minimal.clone(), |shape, text| shape.with(&at.model, text.id));
    let plain = ConfigSpec::plain(shape);
    let steps = classes.iter().map(|class| {
        let with_class = |spec: ConfigSpec, text: &Target| {
            let idx = text.classes.iter().position(|other| other == class);
            spec.with_class(&text.path, idx.expect("a free text has every class of texts") as u64)
        };
        DraftStep::Reach(texts().fold(plain.clone(), with_class))
    });
    let about =
        format!("{about}: {}", classes.iter().map(|class| class.about()).collect::<Vec<_>>().join(", "));
    draft(&about, steps)
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

fn each_unknown(
    n: usize,
    number: u64,
    at: &TypeGenerator<'_>,
    what: &str,
    count: fn(&TypeGenerator<'_>, &Value) -> usize,
    mask: fn(usize) -> Mask,
    last: fn(ConfigSpec) -> DraftStep,
) -> Option<ScenarioDraft> {
    let spec = ConfigSpec::plain(at.everything().clone());
    let total = count(at, &at.config(number, &spec));
    let first = n * SWEEP;
    let end = (first + SWEEP).min(total);
    if first >= end {
        return None;
    }
    let sweeps = (first..end).map(|idx| DraftStep::Sweep(spec.clone(), mask(idx)));
    let steps = sweeps.chain([last(spec.clone())]);
    let about = if total > SWEEP {
        format!("{what} unknown, {} to {end} of {total}", first + 1)
    } else {
        format!("{what} unknown")
    };
    Some(draft(&about, steps))
}

/// One more, in another order, and one fewer; if it may be absent, also from and to absent.
fn more_and_fewer(id: NodeId, what: &str, at: &TypeGenerator<'_>) -> ScenarioDraft {
    let path = at.model.first_path(id);
    let few = ConfigSpec::plain(at.with(id));
    let is_block = what == "block";
    let mut specs = vec![few.clone()];
    let mut changes = vec!["added"];
    // For optional blocks the first one counts towards the maximum, too.
    let required = at.model.node(id).presence == Presence::Required;
    if room(&at.model, id) > usize::from(!required) {
        let more = few.with_extra(&path, 1);
        specs.push(more.clone());
        if is_ordered(&at.model, id) {
            specs.push(more.reversed(&path));
            changes.push("moved");
        }
        specs.push(few.clone());
    }
    changes.push("removed");
    if is_block && !required {
        let none = few.shaped(few.shape.without(id));
        specs.insert(0, none.clone());
        specs.push(none);
    }
    let last = specs.len() - 1;
    let steps = specs.into_iter().enumerate().map(|(idx, spec)| match idx == last {
        true if is_block => DraftStep::ReachAfter(spec, Mask::Wholes),
        true => DraftStep::ReachAfterUnknown(spec),
        false => DraftStep::Reach(spec),
    });
    draft(&format!("{path}: {what} {}", changes.join(", ")), steps)
}

/// A list that the user chose, in another order and back.
fn moved((id, class): (NodeId, u64), at: &TypeGenerator<'_>) -> ScenarioDraft {
    let path = at.model.first_path(id);
    let chosen = ConfigSpec::plain(at.with(id));
    let moved = chosen.with_class(&path, class);
    let steps =
        [DraftStep::Reach(chosen.clone()), DraftStep::Reach(moved), DraftStep::ReachAfterUnknown(chosen)];
    draft(&format!("{path}: elements moved"), steps)
}

fn mix(number: u64, at: &TypeGenerator<'_>) -> ScenarioDraft {
    let mixed =
        ConfigSpec { shape: at.minimal.clone(), map: ChoiceMap::default(), variation: Variation::Mixed };
    let mut choices = at.choices(number, &mixed);
    let spec = mixed.shaped(Shape::some(&at.model, &at.store, &mut choices));
    let n_optional = spec.shape.n_on();

    let (model, store, targets) = (&at.model, &at.store, at.targets());
    let toggles: Vec<NodeId> = targets
        .optional
        .iter()
        .copied()
        .filter(|id| !model.node(*id).deprecated && spec.shape.has(model, store, model.node(*id).parent))
        .collect();
    let changeable: Vec<usize> = targets
        .changeable
        .iter()
        .copied()
        .filter(|place| spec.shape.has(model, store, targets.places[*place].id))
        .collect();
    let n_candidates = toggles.len() + changeable.len();
    let mut steps = vec![DraftStep::ReachAfterUnknown(spec.clone())];
    if n_candidates == 0 {
        return draft(&format!("mix of {n_optional} optional"), steps);
    }
    let n_changes =
        1 + choices.pick(&of_scenario("changes", ChoicePurpose::Variant), n_candidates.min(2) as u64);
    let mut after = spec;
    for change in 0..n_changes {
        let key = format!("change[{change}]");
        let chosen = choices.pick(&of_scenario(&key, ChoicePurpose::Target), n_candidates as u64) as usize;
        after = match chosen.checked_sub(toggles.len()) {
            None if after.shape.is_on(toggles[chosen]) => after.shaped(after.shape.without(toggles[chosen])),
            None => after.shaped(after.shape.with(model, toggles[chosen])),
            Some(chosen) => {
                let target = &targets.places[changeable[chosen]];
                let key =
                    ChoiceKey { facet: Facet::Value, path: &target.path, purpose: ChoicePurpose::Class };
                let class = choices.pick(&key, target.classes.len() as u64);
                after.with_class(&target.path, u64::from(class != 1))
            }
        };
    }
    steps.push(DraftStep::ReachAfterUnknown(after));
    let s = if n_changes == 1 { "" } else { "s" };
    draft(&format!("mix of {n_optional} optional, then {n_changes} change{s}"), steps)
}

fn of_scenario(path: &str, purpose: ChoicePurpose) -> ChoiceKey<'_> {
    ChoiceKey { facet: Facet::Scenario, path, purpose }
}
