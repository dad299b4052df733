//! What a configuration is built from, and the generator that builds it.

use std::cell::OnceCell;
use std::collections::BTreeSet;
use std::sync::Arc;

use super::build::{AtLimit, VALUES, build};
use super::choices::{ChoiceKey, ChoiceMap, ChoicePurpose, Choices, Facet, Seeded, Variation, scenario_seed};
use super::contested::{Contested, Known};
use super::facts::Facts;
use super::limit::Limit;
use super::model::{NodeId, ROOT, SchemaModel};
use super::obligation::Universe;
use super::pairs::PairPlan;
use super::presence::Problem;
use super::shape::Shape;
use super::store::StoreSnapshot;
use super::target::Targets;
use super::unknown::{Place, PlaceKind, relax};
use super::{Options, Successor, Suppliers};
use crate::scenario::NewValue;
use crate::schema::{Kind, Schema};
use crate::value::{AttributePath, Value, state_json};

/// How many times shorter the scenarios of a huge schema are.
const SHORTER: usize = 5;

/// Everything about a configuration but the seed.
#[derive(Clone, Debug)]
pub(crate) struct ConfigSpec {
    pub shape: Shape,
    pub map: ChoiceMap,
    pub variation: Variation,
    /// The one value that is at a limit, if any is.
    pub limit: Option<AtLimit>,
    /// Whether its shape stays as it is, although it breaks a rule that was learned.
    pub is_contrary: bool,
}

impl ConfigSpec {
    pub fn plain(shape: Shape) -> ConfigSpec {
        let (map, variation) = (ChoiceMap::default(), Variation::Typical);
        ConfigSpec { shape, map, variation, limit: None, is_contrary: false }
    }

    pub fn contrary(shape: Shape) -> ConfigSpec {
        ConfigSpec { is_contrary: true, ..ConfigSpec::plain(shape) }
    }

    #[must_use]
    pub fn shaped(&self, shape: Shape) -> ConfigSpec {
        ConfigSpec { shape, ..self.clone() }
    }

    #[must_use]
    pub fn with_class(&self, path: &str, class: u64) -> ConfigSpec {
        self.decided(Facet::Value, path, ChoicePurpose::Class, class)
    }

    /// With the class at each of some paths.
    #[must_use]
    pub fn with_classes<'p>(&self, classes: impl IntoIterator<Item = (&'p str, u64)>) -> ConfigSpec {
        let mut spec = self.clone();
        for (path, class) in classes {
            spec.map.set(&ChoiceKey { facet: Facet::Value, path, purpose: ChoicePurpose::Class }, class);
        }
        spec
    }

    /// With a value at a limit.
    #[must_use]
    pub fn at_limit(&self, path: &str, limit: &Limit) -> ConfigSpec {
        let at = AtLimit { path: path.to_owned(), limit: limit.clone() };
        ConfigSpec { limit: Some(at), ..self.clone() }
    }

    /// With this many elements beyond the fewest.
    #[must_use]
    pub fn with_extra(&self, path: &str, extra: u64) -> ConfigSpec {
        self.decided(Facet::Count, path, ChoicePurpose::Extra, extra)
    }

    #[must_use]
    pub fn reversed(&self, path: &str) -> ConfigSpec {
        self.decided(Facet::Count, path, ChoicePurpose::Order, 1)
    }

    fn decided(&self, facet: Facet, path: &str, purpose: ChoicePurpose, choice: u64) -> ConfigSpec {
        let mut spec = self.clone();
        spec.map.set(&ChoiceKey { facet, path, purpose }, choice);
        spec
    }
}

/// Which places of a configuration become unknown.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(crate) enum Mask {
    /// Every attribute that is set.
    All,
    /// All blocks of every type, and every attribute outside of blocks.
    Blocks,
    /// One place: the n-th of the plain ones.
    Leaf(usize),
    /// One place: the n-th whole nested attribute or block type.
    Whole(usize),
    /// Every whole nested attribute and block type, and no attribute besides.
    Wholes,
    /// One place: the target with this index.
    Target(usize),
    /// About half of everything.
    Some,
}

/// The type that scenarios are generated for, and what is computed about it once.
pub(crate) struct TypeGenerator<'s> {
    pub model: SchemaModel<'s>,
    pub store: StoreSnapshot,
    pub kind: Kind,
    pub type_name: String,
    pub seed: u64,
    pub minimal: Shape,
    /// What is known about the type.
    pub facts: Facts,
    /// The types that it can refer to.
    pub suppliers: Suppliers,
    /// Whether the type declares an identity.
    pub has_identity: bool,
    /// The types that its objects may be moved to; `None` if the provider declares no moves.
    pub successors: Option<Vec<Successor>>,
    /// Whether the provider was already running.
    pub is_reattached: bool,
    /// Whether something can change remote objects.
    drifts: bool,
    /// Runs of a random walk after its first.
    pub walk_length: usize,
    /// Whether a step tries one value or one class only, where it tries several at once otherwise.
    pub is_one_by_one: bool,
    everything: OnceCell<Shape>,
    targets: OnceCell<Targets>,
    drifting: OnceCell<Vec<usize>>,
    pub(super) universe: OnceCell<Universe>,
    pub(super) pairs: OnceCell<PairPlan>,
    contested: OnceCell<Vec<Contested>>,
}

impl<'s> TypeGenerator<'s> {
    pub fn new(schema: &'s Schema, kind: Kind, type_name: &str, options: &Options) -> TypeGenerator<'s> {
        let model = SchemaModel::new(schema);
        let store = StoreSnapshot::new(&model, options, options.apply);
        let facts = options.facts.clone();
        let minimal = match &facts.minimal {
            Some(paths) => Shape::of(&model, &store, paths),
            None => Shape::required(&model, &store),
        };
        let mut generator = TypeGenerator {
            model,
            store,
            kind,
            type_name: type_name.to_owned(),
            seed: options.seed,
            minimal,
            facts,
            suppliers: options.suppliers.clone(),
            has_identity: options.has_identity,
            successors: options.successors.clone(),
            is_reattached: options.is_reattached,
            drifts: options.drifts && options.apply && kind == Kind::Resource,
            walk_length: options.walk_length,
            is_one_by_one: false,
            everything: OnceCell::new(),
            targets: OnceCell::new(),
            drifting: OnceCell::new(),
            universe: OnceCell::new(),
            pairs: OnceCell::new(),
            contested: OnceCell::new(),
        };
        generator.minimal = generator.repaired(&generator.minimal);
        generator
    }

    /// Builds from other facts from then on.
    pub fn relearn(&mut self, options: &Options) {
        self.store = self.store.updated(&self.model, options);
        self.facts = options.facts.clone();
        if let Some(paths) = &self.facts.minimal {
            self.minimal = Shape::of(&self.model, &self.store, paths);
        }
        self.minimal = self.repaired(&self.minimal);
        (self.everything, self.targets, self.universe) = Default::default();
        (self.pairs, self.contested, self.drifting) = Default::default();
    }

    /// The places that can change in the remote system: what it tells nobody, and what is no property of the object, is
    /// left out.
    pub fn drifting(&self) -> &[usize] {
        self.drifting.get_or_init(|| {
            let can = |place: &usize| {
                let id = self.targets().places[*place].id;
                let mut around =
                    std::iter::successors(Some(id), |id| (*id != ROOT).then(|| self.model.node(*id).parent));
                let is_open = around.all(|id| !self.model.node(id).is_secret && !self.model.node(id).steady);
                is_open && self.drifted(1, *place).is_some()
            };
            match self.drifts {
                true => self.targets().changeable.iter().copied().filter(can).collect(),
                false => Vec::new(),
            }
        })
    }

    /// Another value at a place of the largest configuration; `None` if it has nothing there, or no path leads to it.
    pub fn drifted(&self, number: u64, place: usize) -> Option<NewValue> {
        let target = &self.targets().places[place];
        if self.store.is_reference(target.id) {
            return None;
        }
        let path: AttributePath = target.path.parse().ok()?;
        let spec = ConfigSpec::plain(self.everything().clone());
        let before = self.config(number, &spec).at(&path)?;
        let after = self.config(number, &spec.with_class(&target.path, 1)).at(&path)?;
        let value = state_json::encode(&after, after.ty()).ok()?;
        let value = serde_json::from_str(&value).ok()?;
        (before != after).then_some(NewValue { path: target.path.clone(), value })
    }

    pub fn everything(&self) -> &Shape {
        self.everything.get_or_init(|| match &self.facts.everything {
            Some(paths) => Shape::of(&self.model, &self.store, paths),
            // Where the rules demand a choice, less can be seen of what is write-only.
            None => {
                self.nearest(&Shape::everything(&self.model, &self.store), &|id| !self.model.node(id).steady)
            }
        })
    }

    /// The nearest shape in which the provider's rules about arguments hold; the same one if there is none. What
    /// distinguishes it from the minimal shape is kept as far as possible.
    pub fn repaired(&self, shape: &Shape) -> Shape {
        self.nearest(shape, &|_| true)
    }

    /// As `repaired`, but only what is `wanted` is kept as far as possible.
    fn nearest(&self, shape: &Shape, wanted: &dyn Fn(NodeId) -> bool) -> Shape {
        if self.store.rules.is_empty() {
            return shape.clone();
        }
        let is_kept = |id| shape.is_on(id) != self.minimal.is_on(id) && wanted(id);
        self.solved(shape, &is_kept).unwrap_or_else(|| shape.clone())
    }

    /// The nearest shape in which the rules hold, with these nodes as they are if that is possible; nothing if the
    /// rules contradict each other.
    pub fn repaired_around(&self, shape: &Shape, nodes: &[NodeId]) -> Option<Shape> {
        self.solved(shape, &|id| nodes.contains(&id))
    }

    fn solved(&self, shape: &Shape, protected: &dyn Fn(NodeId) -> bool) -> Option<Shape> {
        let (model, store) = (&self.model, &self.store);
        let problem = Problem { model, store, rules: &store.rules, protected, avoided: &BTreeSet::new() };
        problem.solve(shape).ok()
    }

    /// The optional arguments that the provider seems to demand or to refuse.
    pub fn contested(&self) -> &[Contested] {
        self.contested.get_or_init(|| {
            let TypeGenerator { model, store, facts, minimal, .. } = self;
            Known { model, store, facts, minimal, everything: self.everything() }.contested()
        })
    }

    /// The shape with everything on, if that is more than the minimal one.
    pub fn more_than_minimal(&self) -> Option<Shape> {
        Some(self.everything()).filter(|shape| **shape != self.minimal).cloned()
    }

    pub fn targets(&self) -> &Targets {
        self.targets.get_or_init(|| Targets::of(&self.model, &self.store, &self.minimal))
    }

    /// The minimal shape plus a node.
    pub fn with(&self, id: NodeId) -> Shape {
        self.minimal.with(&self.model, id)
    }

    /// How many arguments, values or rows one scenario is about, where `usual` is the number for most schemas. Scenarios
    /// of a huge schema are shorter: each step takes seconds, and all of them are played again if the process ends.
    pub fn at_once(&self, usual: usize) -> usize {
        if self.model.is_huge() { usual.div_ceil(SHORTER) } else { usual }
    }

    /// How many values one step tries at once, where `usual` is the number otherwise.
    pub fn joint(&self, usual: usize) -> usize {
        if self.is_one_by_one { 1 } else { usual }
    }

    /// The choices of a scenario, counted from 1.
    pub fn choices(&self, number: u64, spec: &ConfigSpec) -> Seeded {
        let seed = scenario_seed(self.seed, &self.type_name, number);
        let mut map = spec.map.clone();
        // Of several values that the user chose, each scenario begins with the next one.
        let key = ChoiceKey { facet: Facet::Scenario, path: VALUES, purpose: ChoicePurpose::Variant };
        map.set(&key, number.saturating_sub(1));
        Seeded { seed, map, variation: spec.variation }
    }

    pub fn config(&self, number: u64, spec: &ConfigSpec) -> Value {
        let shape = if spec.is_contrary { spec.shape.clone() } else { self.repaired(&spec.shape) };
        build(&self.model, &self.store, &shape, spec.limit.as_ref(), &mut self.choices(number, spec))
    }

    /// A configuration of a shape in which the provider's rules hold.
    pub fn built(&self, shape: &Shape, choices: &mut dyn Choices) -> Value {
        build(&self.model, &self.store, shape, None, choices)
    }

    /// The schema paths of the plain places that could be unknown, in order.
    pub fn leaves(&self, config: &Value) -> Vec<Arc<str>> {
        self.places(config, is_leaf)
    }

    /// Those of whole nested attributes and block types.
    pub fn wholes(&self, config: &Value) -> Vec<Arc<str>> {
        self.places(config, is_whole)
    }

    fn places(&self, config: &Value, counts: fn(PlaceKind) -> bool) -> Vec<Arc<str>> {
        let mut paths = Vec::new();
        relax(&self.model, &self.store, config, &mut |place| {
            if counts(place.kind) {
                paths.push(Arc::from(without_indexes(place.path)));
            }
            None
        });
        paths
    }

    /// The configuration with some places unknown, refined or not.
    pub fn unknown(&self, config: &Value, mask: Mask, choices: &mut dyn Choices) -> Value {
        let mut seen = 0;
        let mut nth = |counts: bool, wanted: usize| {
            seen += usize::from(counts);
            counts && seen == wanted + 1
        };
        relax(&self.model, &self.store, config, &mut |place| {
            let chosen = match mask {
                Mask::All => place.kind == PlaceKind::Attribute,
                Mask::Blocks => matches!(place.kind, PlaceKind::Attribute | PlaceKind::Block),
                Mask::Leaf(wanted) => nth(is_leaf(place.kind), wanted),
                Mask::Whole(wanted) => nth(is_whole(place.kind), wanted),
                Mask::Wholes => is_whole(place.kind),
                Mask::Target(target) => place.path == self.targets().places[target].path,
                Mask::Some => half(place, choices),
            };
            // Sweeps leave refinements out: a provider that mishandles unknowns shows it with a plain one.
            chosen.then(|| if mask == Mask::Some { place.refined(choices) } else { place.unknown() })
        })
    }
}

fn without_indexes(path: &str) -> String {
    path.split('[').map(|part| part.split_once(']').map_or(part, |(_, rest)| rest)).collect()
}

fn is_leaf(kind: PlaceKind) -> bool {
    matches!(kind, PlaceKind::Attribute | PlaceKind::Element)
}

fn is_whole(kind: PlaceKind) -> bool {
    matches!(kind, PlaceKind::Structure | PlaceKind::Block)
}

/// Every second attribute, and now and then something else.
fn half(place: &Place<'_>, choices: &mut dyn Choices) -> bool {
    let domain = match place.kind {
        PlaceKind::Attribute => 2,
        PlaceKind::Element => 4,
        PlaceKind::Structure | PlaceKind::Block | PlaceKind::Absent => 8,
    };
    let key = ChoiceKey { facet: Facet::Unknown, path: place.path, purpose: ChoicePurpose::Mask };
    choices.pick(&key, domain) == domain - 1
}
