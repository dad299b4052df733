//! Which optional arguments are set, so that the rules a provider has about them hold.
//!
//! The rules are solved as a set: each of them is reported once for every member, and following one
//! diagnostic after the other goes in circles.

use std::collections::{BTreeMap, BTreeSet};

use super::group_rules::{Rule, RuleKind, Rules};
use super::model::{Form, NodeId, Presence, ROOT, SchemaModel};
use super::shape::Shape;
use super::store::StoreSnapshot;
use crate::value::Type;

/// How many combinations are looked at before rules count as contradictory.
const MAX_STATES: usize = 3_000;

/// What it costs to change an argument that a scenario is about.
const PROTECTED: u32 = 40;

/// What it costs to leave out a value that another resource made.
const REFERENCE: u32 = 12;

/// No choice of arguments satisfies all rules.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Contradictory;

/// What a problem is solved for.
pub struct Problem<'p, 's> {
    pub model: &'p SchemaModel<'s>,
    pub store: &'p StoreSnapshot,
    pub rules: &'p Rules,
    /// Arguments that are changed only if nothing else helps.
    pub protected: &'p dyn Fn(NodeId) -> bool,
    /// Arguments that were refused before.
    pub avoided: &'p BTreeSet<NodeId>,
}

/// Arguments that are set or unset, against the shape that is solved.
type Changes = BTreeMap<NodeId, bool>;

impl Problem<'_, '_> {
    /// The shape nearest to `shape` in which all rules hold; of equally near ones, always the same.
    pub fn solve(&self, shape: &Shape) -> Result<Shape, Contradictory> {
        let mut open = BTreeSet::from([(0_u32, Vec::new())]);
        let mut seen = BTreeSet::new();
        while let Some((_, changes)) = open.pop_first() {
            let changes: Changes = changes.into_iter().collect();
            let tried = self.changed(shape, &changes);
            let Some(repairs) = self.repairs(&tried) else { return Ok(tried) };
            if seen.len() > MAX_STATES {
                break;
            }
            for repair in repairs {
                // What was decided on the way here stays decided.
                if repair.iter().any(|(id, on)| changes.get(id).is_some_and(|decided| decided != on)) {
                    continue;
                }
                let mut next = changes.clone();
                next.extend(repair);
                let listed: Vec<(NodeId, bool)> = next.iter().map(|(id, on)| (*id, *on)).collect();
                if seen.insert(listed.clone()) {
                    open.insert((self.cost(&next), listed));
                }
            }
        }
        Err(Contradictory)
    }

    /// Whether all rules hold already.
    pub fn holds(&self, shape: &Shape) -> bool {
        self.repairs(shape).is_none()
    }

    fn changed(&self, shape: &Shape, changes: &Changes) -> Shape {
        let mut shape = shape.clone();
        for (id, on) in changes {
            shape = if *on { shape.with(self.model, *id) } else { shape.without(*id) };
        }
        shape
    }

    /// The ways to make the first broken rule hold; `None` if all hold.
    fn repairs(&self, shape: &Shape) -> Option<Vec<Changes>> {
        self.rules.0.iter().find_map(|rule| self.repairs_of(rule, shape))
    }

    fn repairs_of(&self, rule: &Rule, shape: &Shape) -> Option<Vec<Changes>> {
        let is_set = |id: NodeId| shape.has(self.model, self.store, id);
        if rule.scope != ROOT && !is_set(rule.scope) {
            return None;
        }
        let on = |id: NodeId| Changes::from([(id, true)]);
        let off = |id: NodeId| Changes::from([(id, false)]);
        let repairs = match &rule.kind {
            RuleKind::Required(id) if !is_set(*id) => vec![on(*id)],
            RuleKind::Forbidden(id) if is_set(*id) => vec![off(*id)],
            RuleKind::AtMostOne(ids) => {
                let set: Vec<NodeId> = ids.iter().copied().filter(|id| is_set(*id)).collect();
                if set.len() < 2 {
                    return None;
                }
                let all_but = |kept: &NodeId| {
                    set.iter().filter(|id| *id != kept).map(|id| (*id, false)).collect::<Changes>()
                };
                set.iter().map(all_but).collect()
            }
            RuleKind::AtLeastOne(ids) if !ids.iter().any(|id| is_set(*id)) => {
                ids.iter().map(|id| on(*id)).collect()
            }
            RuleKind::Together(id, others) if is_set(*id) => {
                let missing: Changes =
                    others.iter().filter(|other| !is_set(**other)).map(|other| (*other, true)).collect();
                if missing.is_empty() {
                    return None;
                }
                vec![missing, off(*id)]
            }
            RuleKind::When { node, is, then } => {
                if !is_set(*node) || self.store.usual_text(self.model, *node).as_deref() != Some(is) {
                    return None;
                }
                let mut repairs = self.repairs_of(then, shape)?;
                repairs.push(off(*node));
                repairs
            }
            _ => return None,
        };
        let may = |changes: &Changes| changes.iter().all(|(id, on)| self.may(*id, *on));
        Some(repairs.into_iter().filter(may).collect())
    }

    /// Whether a node can be set or left out at all.
    fn may(&self, id: NodeId, on: bool) -> bool {
        match self.model.node(id).presence {
            Presence::Optional => !on || (self.store.may_set(id) && self.store.is_open(id)),
            // It comes with its parent.
            Presence::Required | Presence::Member => on && self.store.is_open(id),
            Presence::Never => false,
        }
    }

    fn cost(&self, changes: &Changes) -> u32 {
        let cost = |(id, on): (&NodeId, &bool)| {
            let protection = if (self.protected)(*id) { PROTECTED } else { 0 };
            protection + if *on { 1 + self.size(*id) + self.doubt(*id) } else { self.loss(*id) }
        };
        changes.iter().map(cost).sum()
    }

    /// What a configuration loses without an argument. A value that another resource made is hard to replace, and
    /// less can be seen of one that is write-only.
    fn loss(&self, id: NodeId) -> u32 {
        let node = self.model.node(id);
        let reference = if self.store.is_reference(id) { REFERENCE } else { 0 };
        reference + if node.steady { 0 } else { 1 + self.size(id) }
    }

    /// How much an argument brings with it.
    fn size(&self, id: NodeId) -> u32 {
        let node = self.model.node(id);
        let by_type = match (&node.form, &node.ty) {
            (Form::Block(_), _) => {
                let is_required = |child: &&NodeId| self.model.node(**child).presence == Presence::Required;
                4 + node.children.iter().filter(is_required).count() as u32
            }
            (Form::Leaf, Type::String | Type::Number) => 0,
            (Form::Leaf, Type::Bool) => 1,
            _ => 2,
        };
        let names_another = ["_arn", "_id", "_prefix"].iter().any(|end| node.name.ends_with(end));
        by_type + u32::from(names_another)
    }

    /// Why an argument is rather not set.
    fn doubt(&self, id: NodeId) -> u32 {
        let node = self.model.node(id);
        (if node.steady { 6 } else { 0 })
            + if node.deprecated { 20 } else { 0 }
            + if self.avoided.contains(&id) { 50 } else { 0 }
    }
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::generate::facts::{Facts, PresenceRule};
    use crate::generate::supplier::Supplier;
    use crate::generate::{Options, Suppliers};
    use crate::schema::{Attribute, Block, NestedBlock, Nesting, Schema};

    const NAMES: [&str; 8] = ["a", "b", "c", "d", "e", "f", "g", "h"];

    fn schema() -> Schema {
        let leaves = |names: &[&str]| {
            names.iter().map(|name| Attribute::typed(name, Type::String).optional()).collect::<Vec<_>>()
        };
        let nested = NestedBlock::new("n", Nesting::List, Block::new(leaves(&["x", "y"]), vec![]));
        Schema { version: 0, block: Block::new(leaves(&NAMES), vec![nested]) }
    }

    fn set(paths: &[&str]) -> BTreeSet<String> {
        paths.iter().map(|path| (*path).to_owned()).collect()
    }

    /// The arguments set after solving, starting from some.
    fn solved(rules: &[PresenceRule], start: &[&str], protected: &[&str]) -> Option<Vec<String>> {
        solved_with(&Options::default(), rules, start, protected)
    }

    fn solved_with(
        options: &Options,
        rules: &[PresenceRule],
        start: &[&str],
        protected: &[&str],
    ) -> Option<Vec<String>> {
        let schema = schema();
        let model = SchemaModel::new(&schema);
        let store = StoreSnapshot::new(&model, options, false);
        let id = |path: &str| model.ids().find(|id| model.node(*id).path == path).unwrap();
        let shape =
            start.iter().fold(Shape::required(&model, &store), |shape, path| shape.with(&model, id(path)));
        let protected: Vec<NodeId> = protected.iter().map(|path| id(path)).collect();
        let rules = Rules::new(&model, rules);
        let problem = Problem {
            model: &model,
            store: &store,
            rules: &rules,
            protected: &|id| protected.contains(&id),
            avoided: &BTreeSet::new(),
        };
        let solved = problem.solve(&shape).ok()?;
        let on = model.ids().filter(|id| solved.is_on(*id)).map(|id| model.node(id).path.clone());
        Some(on.collect())
    }

    #[test]
    fn what_a_scenario_is_about_stays() {
        let one_of = PresenceRule::exactly_one(&set(&["a", "b"]));
        assert_eq!(solved(&one_of, &[], &[]).unwrap(), ["a"]);
        assert_eq!(solved(&one_of, &["a", "b"], &["b"]).unwrap(), ["b"]);
        assert_eq!(solved(&one_of, &["b"], &[]).unwrap(), ["b"]);
    }

    #[test]
    fn a_value_of_another_resource_stays_rather_than_one_of_ours() {
        let at_most_one = [PresenceRule::AtMostOne(set(&["a", "b"]))];
        let supplier = Supplier { type_name: "acme_key".to_owned(), attribute: "pem".to_owned() };
        let pem = Attribute::typed("pem", Type::String).computed();
        let key = Schema { version: 0, block: Block::new(vec![pem], vec![]) };
        let mut suppliers = Suppliers::default();
        assert!(suppliers.add("acme_key", &key, &key.empty_value()));
        for path in ["a", "b"] {
            let references = [(path.to_owned(), supplier.clone())].into();
            let facts = Facts { references, ..Facts::default() };
            let options = Options { facts, suppliers: suppliers.clone(), ..Options::default() };
            assert_eq!(solved_with(&options, &at_most_one, &["a", "b"], &[]).unwrap(), [path]);
        }
    }

    #[test]
    fn one_rule_brings_the_next() {
        let rules = [
            PresenceRule::Together("a".to_owned(), set(&["b"])),
            PresenceRule::AtMostOne(set(&["b", "c"])),
            PresenceRule::AtLeastOne(set(&["c", "d"])),
        ];
        assert_eq!(solved(&rules, &["a", "c"], &["a"]).unwrap(), ["a", "b", "d"]);
    }

    #[test]
    fn rules_of_members_wait_for_their_block() {
        let rules = [PresenceRule::AtLeastOne(set(&["n.x", "n.y"]))];
        assert_eq!(solved(&rules, &[], &[]).unwrap(), Vec::<String>::new());
        assert_eq!(solved(&rules, &["n"], &[]).unwrap(), ["n", "n.x"]);
    }

    #[test]
    fn rules_may_contradict() {
        let rules = [PresenceRule::Required("a".to_owned()), PresenceRule::Forbidden("a".to_owned())];
        assert_eq!(solved(&rules, &[], &[]), None);
    }

    fn a_rule() -> impl Strategy<Value = PresenceRule> {
        let name = || (0..6_usize).prop_map(|idx| NAMES[idx].to_owned());
        let names = || prop::collection::btree_set(name(), 1..4);
        prop_oneof![
            name().prop_map(PresenceRule::Required),
            name().prop_map(PresenceRule::Forbidden),
            names().prop_map(PresenceRule::AtMostOne),
            names().prop_map(PresenceRule::AtLeastOne),
            (name(), names()).prop_map(|(path, others)| PresenceRule::Together(path, others)),
        ]
    }

    fn holds(rule: &PresenceRule, on: &BTreeSet<String>) -> bool {
        match rule {
            PresenceRule::Required(path) => on.contains(path),
            PresenceRule::Forbidden(path) => !on.contains(path),
            PresenceRule::AtMostOne(paths) => paths.intersection(on).count() <= 1,
            PresenceRule::AtLeastOne(paths) => paths.intersection(on).count() >= 1,
            PresenceRule::Together(path, others) => !on.contains(path) || others.is_subset(on),
            PresenceRule::When { .. } => true,
        }
    }

    proptest! {
        #[test]
        fn a_solution_is_found_if_there_is_one(rules in prop::collection::vec(a_rule(), 0..6)) {
            let possible = (0..1_u32 << 6).any(|mask| {
                let on: BTreeSet<String> =
                    (0..6).filter(|bit| mask & (1 << bit) != 0).map(|bit| NAMES[bit].to_owned()).collect();
                rules.iter().all(|rule| holds(rule, &on))
            });
            let solved = solved(&rules, &["a", "b", "c"], &["b"]);
            prop_assert_eq!(solved.is_some(), possible);
            if let Some(on) = solved {
                let on: BTreeSet<String> = on.into_iter().collect();
                prop_assert!(rules.iter().all(|rule| holds(rule, &on)));
            }
        }
    }
}
