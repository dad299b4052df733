//! All obligations of a type.

use std::sync::Arc;

use super::Options;
use super::behaviour;
use super::model::{NodeId, Presence, ROOT};
use super::obligation::{Obligation, ObligationKind, Universe};
use super::spec::{ConfigSpec, TypeGenerator};
use super::target::{Target, is_for_new_objects, is_ordered, room};
use super::value_class::ValueClass;
use crate::schema::{Kind, Schema};
use crate::transcript::DriftKind;

/// The obligations of a type, in order: the position of each is its ID.
pub fn obligations(schema: &Schema, kind: Kind, type_name: &str, options: &Options) -> Vec<Obligation> {
    of(&TypeGenerator::new(schema, kind, type_name, options)).list
}

/// What cannot be met, besides the obligations of a type, and why.
pub fn infeasible(
    schema: &Schema,
    kind: Kind,
    type_name: &str,
    options: &Options,
) -> Vec<(Obligation, &'static str)> {
    const DECIDED: &str = "it is never set: the suite says so, or it would run programs here";
    const RULED_OUT: &str = "the provider's own words rule it out";
    let at = TypeGenerator::new(schema, kind, type_name, options);
    let decided = decided_against(&at).into_iter().map(|obligation| (obligation, DECIDED));
    let ruled_out = at.pairs().ruled_out.iter().map(|pair| (pair.clone(), RULED_OUT));
    let optional = at.targets().optional.iter().filter(|id| at.store.rules.demand(**id));
    let demanded = optional.map(|id| (of_node(&at, *id, ObligationKind::Unset), RULED_OUT));
    let is_managed = kind == Kind::Resource;
    let demanded = demanded.filter(|_| is_managed);
    let behaviours = behaviour::infeasible(&at).filter(|_| is_managed && options.apply);
    decided.chain(ruled_out).chain(demanded).chain(behaviours).collect()
}

impl TypeGenerator<'_> {
    /// The obligations of the type.
    pub(super) fn universe(&self) -> &Universe {
        self.universe.get_or_init(|| of(self))
    }
}

/// Every obligation of a type, those that a provider refuses least first.
fn of(at: &TypeGenerator<'_>) -> Universe {
    let target = |place: &usize| &at.targets().places[*place];
    let drifted =
        at.drifting().iter().map(|place| Obligation::of(&target(place).schema_path, ObligationKind::Drifted));
    let listed = whole(at).into_iter().chain(presence(at)).chain(unknowns(at)).chain(sizes(at));
    let listed = listed.chain(drifted);
    let pairs = at.targets().pairs.iter().flat_map(|group| group.all(&at.model));
    let pairs = pairs.filter(|pair| !at.pairs().ruled_out.contains(pair));
    let all = listed.chain(classes(at)).chain(pairs).chain(limits(at));
    let is_data = at.kind == Kind::DataSource;
    Universe::new(all.filter(|obligation| !is_data || !obligation.kind.needs_object()))
}

/// What the user decided that is never set, or never may be.
fn decided_against(at: &TypeGenerator<'_>) -> Vec<Obligation> {
    let (model, store) = (&at.model, &at.store);
    let is_closed = |id: &NodeId| {
        let node = model.node(*id);
        let is_outermost = node.parent == ROOT || store.is_open(node.parent);
        let is_decided = store.pinned(node.parent).is_some();
        !store.is_open(*id) && node.presence != Presence::Never && is_outermost && !is_decided
    };
    model.ids().filter(is_closed).map(|id| of_node(at, id, ObligationKind::Set)).collect()
}

pub(super) fn of_node(at: &TypeGenerator<'_>, id: NodeId, kind: ObligationKind) -> Obligation {
    Obligation { path: Arc::from(at.model.node(id).path.as_str()), kind }
}

fn whole(at: &TypeGenerator<'_>) -> Vec<Obligation> {
    let mut kinds = vec![ObligationKind::Required, ObligationKind::AllUnknown];
    kinds.extend(at.more_than_minimal().map(|_| ObligationKind::Everything));
    kinds.push(ObligationKind::Again);
    kinds.extend(DriftKind::ALL.map(ObligationKind::Drift));
    kinds.extend(behaviour::feasible(at).map(|behaviour| ObligationKind::Behaviour(behaviour.name)));
    kinds.into_iter().map(Obligation::whole).collect()
}

fn presence(at: &TypeGenerator<'_>) -> Vec<Obligation> {
    let targets = at.targets();
    let set = targets.optional.iter().map(|id| of_node(at, *id, ObligationKind::Set));
    let free = targets.optional.iter().filter(|id| at.store.may_unset(**id));
    let unset = free.map(|id| of_node(at, *id, ObligationKind::Unset));
    let changed = targets.changeable.iter().flat_map(|place| {
        let path = &targets.places[*place].schema_path;
        [ObligationKind::Changed, ObligationKind::ChangedBack].map(|kind| Obligation::of(path, kind))
    });
    set.chain(changed).chain(unset).collect()
}

/// Whatever can be unknown in the largest configuration.
fn unknowns(at: &TypeGenerator<'_>) -> Vec<Obligation> {
    let config = at.config(1, &ConfigSpec::plain(at.everything().clone()));
    let (leaves, wholes) = (at.leaves(&config), at.wholes(&config));
    let targets = at.targets();
    let changed = targets.changeable.iter().map(|place| &targets.places[*place].schema_path);
    let changed = changed.filter(|path| leaves.iter().any(|leaf| **leaf == *path.trim_end_matches("[]")));
    let at_update = changed.map(|path| Obligation::of(path, ObligationKind::UnknownAtUpdate));
    let at_create =
        leaves.iter().chain(&wholes).map(|path| Obligation::of(path, ObligationKind::UnknownAtCreate));
    at_create.chain(at_update).collect()
}

fn sizes(at: &TypeGenerator<'_>) -> Vec<Obligation> {
    let targets = at.targets();
    let all = targets.sequences.iter().chain(&targets.maps).chain(&targets.blocks);
    let mut sizes: Vec<Obligation> = all
        .flat_map(|id| {
            let grows = has_room(at, *id).then_some([ObligationKind::Grown, ObligationKind::Shrunk]);
            let moves = (grows.is_some() && is_ordered(&at.model, *id)).then_some(ObligationKind::Reordered);
            let kinds = grows.into_iter().flatten().chain(moves);
            kinds.map(|kind| of_node(at, *id, kind)).collect::<Vec<_>>()
        })
        .collect();
    sizes.extend(targets.permutable.iter().map(|(id, _)| of_node(at, *id, ObligationKind::Reordered)));
    for (id, _) in &targets.emptiable {
        let nulled = at.store.may_unset(*id).then_some(ObligationKind::Nulled);
        let kinds = [ObligationKind::Emptied].into_iter().chain(nulled);
        sizes.extend(kinds.map(|kind| of_node(at, *id, kind)));
    }
    sizes
}

fn limits(at: &TypeGenerator<'_>) -> Vec<Obligation> {
    let values = at.targets().limits.iter().map(|limit| of_limit(at, *limit));
    values.chain(at.contested().iter().map(|contested| contested.obligation.clone())).collect()
}

/// The obligation of one of [`Targets::limits`](super::target::Targets::limits).
pub(super) fn of_limit(at: &TypeGenerator<'_>, (place, limit): (usize, usize)) -> Obligation {
    let target = &at.targets().places[place];
    Obligation::of(&target.schema_path, ObligationKind::Limit(target.limits[limit].clone()))
}

/// Whether one more element or block is allowed. For optional blocks the first one counts, too.
pub(super) fn has_room(at: &TypeGenerator<'_>, id: NodeId) -> bool {
    let is_required = at.model.node(id).presence == Presence::Required;
    room(&at.model, id) > usize::from(!is_required)
}

fn classes(at: &TypeGenerator<'_>) -> Vec<Obligation> {
    let targets = at.targets();
    let everywhere = targets.unusual_classes().into_iter();
    let everywhere = everywhere.map(|class| Obligation::whole(ObligationKind::Everywhere(class)));
    let places = targets.values.iter().chain(targets.containers.iter().flatten());
    let places = places.map(|place| &targets.places[*place]);
    let classes = places.flat_map(|target| target.unusual().map(move |idx| (target, target.classes[idx])));
    let classes: Vec<(&Target, ValueClass)> = classes.collect();
    let is_created = |(_, class): &(&Target, ValueClass)| is_for_new_objects(*class);
    let created = classes.clone().into_iter().filter(is_created);
    let of = |kind: fn(ValueClass) -> ObligationKind| {
        move |(target, class): (&Target, ValueClass)| Obligation::of(&target.schema_path, kind(class))
    };
    let created = created.map(of(ObligationKind::Created));
    everywhere.chain(classes.into_iter().map(of(ObligationKind::Class))).chain(created).collect()
}
