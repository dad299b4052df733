//! The classes of scenarios, and what each of a class is about.

use super::choices::{ChoiceKey, ChoiceMap, Choices, Facet, Mood, Purpose};
use super::model::{NodeId, Presence};
use super::recipe::{Mask, Recipe, Workshop};
use super::shape::Shape;
use super::target::{is_ordered, room};
use crate::transcript::DriftKind;

/// A class of scenarios. Taking one of each in turn makes every prefix diverse.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Class {
    Required,
    AllUnknown,
    Everything,
    Alone,
    Unusual,
    Change,
    SetAndUnset,
    NullAndEmpty,
    Elements,
    Keys,
    Blocks,
    EachUnknown,
    WholesUnknown,
    Twice,
    Drift(DriftKind),
    /// Without end: whatever the seed makes of everything above.
    Mix,
}

/// In the order in which they take turns, the simplest first.
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
];

pub(super) const DATA: &[Class] = &[
    Class::Required,
    Class::AllUnknown,
    Class::Everything,
    Class::Alone,
    Class::Unusual,
    Class::EachUnknown,
    Class::WholesUnknown,
];

/// What a scenario does.
pub(super) struct Draft {
    pub about: String,
    pub acts: Vec<Act>,
}

pub(super) enum Act {
    /// Validate and plan with some places unknown.
    Sweep(Recipe, Mask),
    /// Known from the start.
    Reach(Recipe),
    /// Perhaps with something unknown at first, as the seed has it.
    ReachAfterUnknown(Recipe),
    Drift(DriftKind),
}

/// How many places one scenario makes unknown in turn.
const SWEEP: usize = 24;

impl Class {
    /// The n-th of the class, counted from 0. `number` is the scenario's, counted from 1.
    pub fn nth(self, n: usize, number: u64, at: &Workshop<'_>) -> Option<Draft> {
        let minimal = || Recipe::plain(at.minimal.clone());
        let everything = || at.more_than_minimal().map(Recipe::plain);
        let targets = || at.targets();
        match self {
            Class::Required => (n == 0).then(|| draft("only required", [Act::Reach(minimal())])),
            Class::Everything if n == 0 => {
                Some(draft("everything on", [Act::ReachAfterUnknown(everything()?)]))
            }
            Class::Everything => None,
            Class::Twice => {
                let (about, recipe) = base(n, at, false)?;
                let acts = [Act::ReachAfterUnknown(recipe.clone()), Act::Reach(recipe)];
                Some(draft(&format!("{about}, applied twice"), acts))
            }
            Class::AllUnknown => {
                let (about, recipe) = base(n, at, false)?;
                let sweep = |mask| Act::Sweep(recipe.clone(), mask);
                let acts = [sweep(Mask::All), sweep(Mask::Blocks), Act::ReachAfterUnknown(recipe.clone())];
                Some(draft(&format!("all unknown, {about}"), acts))
            }
            Class::EachUnknown => {
                each_unknown(n, number, at, "each leaf", |at, config| at.n_leaves(config), Mask::Leaf)
            }
            Class::WholesUnknown => {
                each_unknown(n, number, at, "whole blocks", |at, config| at.n_wholes(config), Mask::Whole)
            }
            Class::Alone => {
                let id = *targets().optional.get(n)?;
                let recipe = Recipe::plain(at.with(id));
                Some(draft(&format!("{} alone", at.model.first_path(id)), [Act::ReachAfterUnknown(recipe)]))
            }
            Class::Unusual => {
                let (place, class) = targets().unusual.get(n)?;
                let target = &targets().places[*place];
                let typical = Recipe::plain(at.with(target.id));
                let unusual = typical.with_class(&target.path, *class);
                let about = format!("{} = {}", target.path, target.classes[*class as usize].about());
                Some(draft(&about, [Act::ReachAfterUnknown(unusual), Act::Reach(typical)]))
            }
            Class::Change => {
                let target = &targets().places[*targets().changeable.get(n)?];
                let before = Recipe::plain(at.with(target.id));
                let after = before.with_class(&target.path, 1);
                let about = format!("{}: to another value", target.path);
                Some(draft(&about, [Act::Reach(before), Act::ReachAfterUnknown(after)]))
            }
            Class::SetAndUnset => {
                let id = *targets().nullable.get(n)?;
                let set = Recipe::plain(at.with(id));
                let unset = set.shaped(set.shape.without(id));
                let about = format!("{}: null to value and back", at.model.first_path(id));
                let acts = [Act::Reach(unset.clone()), Act::ReachAfterUnknown(set), Act::Reach(unset)];
                Some(draft(&about, acts))
            }
            Class::NullAndEmpty => {
                let (id, class) = *targets().emptiable.get(n)?;
                let path = at.model.first_path(id);
                let empty = Recipe::plain(at.with(id)).with_class(&path, class);
                let null = empty.shaped(empty.shape.without(id));
                let acts = [Act::Reach(null.clone()), Act::Reach(empty), Act::Reach(null)];
                Some(draft(&format!("{path}: null to empty and back"), acts))
            }
            Class::Elements => Some(more_and_fewer(*targets().sequences.get(n)?, "element", at)),
            Class::Keys => Some(more_and_fewer(*targets().maps.get(n)?, "key", at)),
            Class::Blocks => Some(more_and_fewer(*targets().blocks.get(n)?, "block", at)),
            Class::Drift(kind) => {
                let (about, recipe) = match (kind, targets().collection()) {
                    (DriftKind::AddElement, Some(id)) if n == 0 => {
                        let about = format!("{} alone", at.model.first_path(id));
                        (about, Recipe::plain(at.with(id)))
                    }
                    _ => base(n, at, kind == DriftKind::Respell)
                        .map(|(about, recipe)| (about.to_owned(), recipe))?,
                };
                let again = Act::Reach(recipe.clone());
                let acts = [Act::Reach(recipe), Act::Drift(kind), again];
                Some(draft(&format!("drift: {}, {about}", kind.name()), acts))
            }
            Class::Mix => Some(mix(number, at)),
        }
    }
}

fn draft(about: &str, acts: impl IntoIterator<Item = Act>) -> Draft {
    Draft { about: about.to_owned(), acts: acts.into_iter().collect() }
}

/// The two configurations that scenarios about no place in particular are played with.
fn base(n: usize, at: &Workshop<'_>, much_first: bool) -> Option<(&'static str, Recipe)> {
    let minimal = ("only required", Recipe::plain(at.minimal.clone()));
    let everything = at.more_than_minimal().map(|shape| ("everything on", Recipe::plain(shape)));
    match (everything, n) {
        (None, 0) => Some(minimal),
        (Some(everything), 0 | 1) => Some(if (n == 0) == much_first { everything } else { minimal }),
        _ => None,
    }
}

fn each_unknown(
    n: usize,
    number: u64,
    at: &Workshop<'_>,
    what: &str,
    count: fn(&Workshop<'_>, &crate::value::Value) -> usize,
    mask: fn(usize) -> Mask,
) -> Option<Draft> {
    let recipe = Recipe::plain(at.everything().clone());
    let total = count(at, &at.config(number, &recipe));
    let first = n * SWEEP;
    let end = (first + SWEEP).min(total);
    if first >= end {
        return None;
    }
    let sweeps = (first..end).map(|idx| Act::Sweep(recipe.clone(), mask(idx)));
    let acts = sweeps.chain([Act::ReachAfterUnknown(recipe.clone())]);
    let about = if total > SWEEP {
        format!("{what} unknown, {} to {end} of {total}", first + 1)
    } else {
        format!("{what} unknown")
    };
    Some(draft(&about, acts))
}

/// One more, in another order, and one fewer; where it may be absent, from and to that as well.
fn more_and_fewer(id: NodeId, what: &str, at: &Workshop<'_>) -> Draft {
    let path = at.model.first_path(id);
    let few = Recipe::plain(at.with(id));
    let is_block = what == "block";
    let mut recipes = vec![few.clone()];
    let mut changes = vec!["added"];
    // Of optional blocks the first counts against the room, too.
    let required = at.model.node(id).presence == Presence::Required;
    if room(&at.model, id) > usize::from(!required) {
        let more = few.with_extra(&path, 1);
        recipes.push(more.clone());
        if is_ordered(&at.model, id) {
            recipes.push(more.reversed(&path));
            changes.push("moved");
        }
        recipes.push(few.clone());
    }
    changes.push("removed");
    if is_block && !required {
        let none = few.shaped(few.shape.without(id));
        recipes.insert(0, none.clone());
        recipes.push(none);
    }
    let last = recipes.len() - 1;
    let acts = recipes
        .into_iter()
        .enumerate()
        .map(|(idx, recipe)| if idx == last { Act::ReachAfterUnknown(recipe) } else { Act::Reach(recipe) });
    draft(&format!("{path}: {what} {}", changes.join(", ")), acts)
}

fn mix(number: u64, at: &Workshop<'_>) -> Draft {
    let mixed = Recipe { shape: at.minimal.clone(), map: ChoiceMap::default(), mood: Mood::Mixed };
    let mut choices = at.choices(number, &mixed);
    let recipe = mixed.shaped(Shape::some(&at.model, &at.store, &mut choices));
    let n_optional = recipe.shape.n_on();

    let (model, store, targets) = (&at.model, &at.store, at.targets());
    let toggles: Vec<NodeId> = targets
        .optional
        .iter()
        .copied()
        .filter(|id| !model.node(*id).deprecated && recipe.shape.has(model, store, model.node(*id).parent))
        .collect();
    let changeable: Vec<usize> = targets
        .changeable
        .iter()
        .copied()
        .filter(|place| recipe.shape.has(model, store, targets.places[*place].id))
        .collect();
    let n_candidates = toggles.len() + changeable.len();
    let mut acts = vec![Act::ReachAfterUnknown(recipe.clone())];
    if n_candidates == 0 {
        return draft(&format!("mix of {n_optional} optional"), acts);
    }
    let n_changes = 1 + choices.pick(&of_scenario("changes", Purpose::Variant), n_candidates.min(2) as u64);
    let mut after = recipe;
    for change in 0..n_changes {
        let key = format!("change[{change}]");
        let chosen = choices.pick(&of_scenario(&key, Purpose::Target), n_candidates as u64) as usize;
        after = match chosen.checked_sub(toggles.len()) {
            None if after.shape.is_on(toggles[chosen]) => after.shaped(after.shape.without(toggles[chosen])),
            None => after.shaped(after.shape.with(model, toggles[chosen])),
            Some(chosen) => {
                let target = &targets.places[changeable[chosen]];
                let key = ChoiceKey { facet: Facet::Value, path: &target.path, purpose: Purpose::Class };
                let class = choices.pick(&key, target.classes.len() as u64);
                after.with_class(&target.path, u64::from(class != 1))
            }
        };
    }
    acts.push(Act::ReachAfterUnknown(after));
    let s = if n_changes == 1 { "" } else { "s" };
    draft(&format!("mix of {n_optional} optional, then {n_changes} change{s}"), acts)
}

fn of_scenario(path: &str, purpose: Purpose) -> ChoiceKey<'_> {
    ChoiceKey { facet: Facet::Scenario, path, purpose }
}
