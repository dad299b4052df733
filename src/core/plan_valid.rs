//! Whether a planned state follows from the configuration.
//!
//! Source: contract sections 3.9 and 4.4.

use super::plan_values::PlanValues;
use super::problem::{Problem, mark_sensitive};
use crate::engine::Engine;
use crate::schema::{Attribute, Block, NestedAttributes, NestedBlock, Nesting};
use crate::value::{AttributePath, LengthRange, PathStep, Type, Value};

/// Every place at which `engine` would call a plan invalid.
///
/// `config` is what the provider was sent. Values must conform to the block's implied type; what
/// does not is reported as PLAN-002 and not checked further. A wholly unknown planned object counts
/// as one with unknown members, as in the engines; they do not enforce PLAN-006, which forbids it.
///
/// Source: contract section 4.4.
pub fn assert_plan_valid(
    block: &Block,
    prior: &Value,
    config: &Value,
    planned: &Value,
    engine: Engine,
) -> Vec<Problem> {
    let mut checker = Checker::new(engine, Sets::BySize);
    checker.block(block, &PlanValues::new(prior, config, planned), &AttributePath::root());
    mark_sensitive(block, checker.found)
}

/// How the elements of sets are compared.
#[derive(Clone, Copy)]
pub(super) enum Sets {
    /// As the engines do: without pairing them.
    BySize,
    /// As the documentation requires: each planned element matches one configured element.
    Paired {
        attribute: fn(&mut Checker, &NestedAttributes, &PlanValues, &AttributePath),
        blocks: fn(&mut Checker, &NestedBlock, &PlanValues, &AttributePath),
    },
}

/// One walk over a planned state.
pub(super) struct Checker {
    pub(super) engine: Engine,
    pub(super) sets: Sets,
    pub(super) found: Vec<Problem>,
}

impl Checker {
    pub(super) fn new(engine: Engine, sets: Sets) -> Checker {
        Checker { engine, sets, found: Vec::new() }
    }

    pub(super) fn add(&mut self, problem: Problem) {
        self.found.push(problem);
    }

    /// One object of a block.
    pub(super) fn block(&mut self, block: &Block, values: &PlanValues, at: &AttributePath) {
        let mut report = |covers, message| self.add(values.problem(at, covers, message));
        match (values.config.is_null(), values.planned.is_null()) {
            (false, true) => return report("PLAN-004", "planned as absent, but configured"),
            (true, false) => return report("PLAN-005", "planned as present, but not configured"),
            (true, true) => return,
            (false, false) => {}
        }
        if !values.planned.ty().conforms(block.implied_type()) {
            return report("PLAN-002", "planned with a type that is not that of the schema");
        }
        self.attributes(&block.attributes, values, at);
        for nested in &block.block_types {
            let values = values.member(&nested.name, &nested.implied_type());
            self.nested_block(nested, &values, &at.attribute(&nested.name));
        }
    }

    /// Every attribute of one object.
    pub(super) fn attributes(&mut self, attributes: &[Attribute], values: &PlanValues, at: &AttributePath) {
        for attribute in attributes {
            let values = values.member(&attribute.name, &attribute.ty());
            // The first rung of the ladder, before a path is built: nearly every attribute ends here.
            if values.planned != values.config {
                self.attribute(attribute, &values, &at.attribute(&attribute.name));
            }
        }
    }

    /// The ladder: the first rung that applies decides.
    fn attribute(&mut self, attribute: &Attribute, values: &PlanValues, at: &AttributePath) {
        let PlanValues { prior, config, planned } = values;
        let plain = planned.unrefined();
        if plain == config.unrefined() {
            return;
        }
        if !prior.is_null() && !config.is_null() && plain == prior.unrefined() {
            return;
        }
        if attribute.write_only && self.engine.plan_checks_write_only() {
            if !planned.is_null() {
                self.add(values.problem(at, "PLAN-012", "a write-only attribute is planned with a value"));
            }
            return;
        }
        if attribute.computed && (!attribute.optional || config.is_null()) {
            return;
        }
        if config.is_null() && !planned.is_null() {
            let message = "planned with a value, but neither configured nor computed";
            return self.add(values.problem(at, "PLAN-013", message));
        }
        if attribute.write_only && planned.is_null() && !config.is_null() {
            return;
        }
        match attribute.nested_attributes() {
            Some(nested) => self.nested_attribute(nested, values, at),
            None if prior.is_null() => {
                self.add(values.problem(at, "PLAN-014", "planned value differs from the configuration"));
            }
            None => {
                let message = "planned value is neither the configured nor the prior one";
                self.add(values.problem(at, "PLAN-014", message));
            }
        }
    }

    fn nested_attribute(&mut self, nested: &NestedAttributes, values: &PlanValues, at: &AttributePath) {
        let PlanValues { config, planned, .. } = values;
        if planned.is_null() {
            if !config.is_null() {
                self.add(values.problem(at, "PLAN-015", "planned as absent, but configured"));
            }
            return;
        }
        if planned.is_unknown() && !config.is_null() {
            return self.add(values.problem(at, "PLAN-016", "planned as unknown, but configured"));
        }
        match nested.nesting {
            Nesting::Single | Nesting::Group => self.attributes(&nested.attributes, values, at),
            Nesting::List => self.nested_list(nested, values, at),
            Nesting::Map => self.nested_map(nested, values, at),
            Nesting::Set => match self.sets {
                Sets::Paired { attribute, .. } => attribute(self, nested, values, at),
                Sets::BySize => {
                    if !length_of(planned).overlaps(length_of(config)) {
                        let message = "planned and configured number of elements differ";
                        self.add(values.problem(at, "PLAN-020", message));
                    }
                }
            },
            Nesting::Invalid(_) => {}
        }
    }

    fn nested_list(&mut self, nested: &NestedAttributes, values: &PlanValues, at: &AttributePath) {
        if !self.same_length(values, at, "PLAN-018") {
            return;
        }
        let ty = nested.element_type();
        for idx in 0..values.planned.elements().map_or(0, <[Value]>::len) {
            self.nested_element(nested, &values.index(idx, &ty), &at.index(idx), "PLAN-018");
        }
    }

    fn nested_map(&mut self, nested: &NestedAttributes, values: &PlanValues, at: &AttributePath) {
        if !self.same_length(values, at, "PLAN-019") {
            return;
        }
        let ty = nested.element_type();
        for key in self.shared_keys(values, at, "PLAN-019") {
            self.nested_element(nested, &values.key(&key, &ty), &at.key(&key), "PLAN-019");
        }
    }

    /// A null element counts as an object of nulls, unless it would crash the engine.
    fn nested_element(
        &mut self,
        nested: &NestedAttributes,
        values: &PlanValues,
        at: &AttributePath,
        covers: &'static str,
    ) {
        let vanished = values.planned.is_null() && !values.config.is_null();
        if vanished && self.engine.panics_on_null_nested_elements() {
            return self.add(values.problem(at, covers, "planned element is null, but configured"));
        }
        self.attributes(&nested.attributes, values, at);
    }

    /// Whether the lists or maps of a nested attribute may be compared element by element.
    fn same_length(&mut self, values: &PlanValues, at: &AttributePath, covers: &'static str) -> bool {
        let (planned, config) = (length_of(&values.planned), length_of(&values.config));
        if !planned.is_known() && !config.is_known() {
            return false;
        }
        let equal = planned.is_known() && planned == config;
        if !equal {
            self.add(values.problem(at, covers, "planned and configured number of elements differ"));
        }
        equal
    }

    /// Reports the keys that only one side has. A key that is not configured is reported at its
    /// place in the planned state, one that is missing there at the whole collection.
    fn shared_keys(&mut self, values: &PlanValues, at: &AttributePath, covers: &'static str) -> Vec<String> {
        let (planned, config) = (keys_of(&values.planned), keys_of(&values.config));
        if values.config.is_unknown() {
            return planned;
        }
        for key in planned.iter().filter(|key| !config.contains(key)) {
            let message = format!("key {key:?} is planned, but not configured");
            self.add(values.problem(&at.key(key), covers, &message));
        }
        for key in config.iter().filter(|key| !planned.contains(key)) {
            let message = format!("key {key:?} is configured, but not planned");
            self.add(values.problem(at, covers, &message));
        }
        planned.into_iter().filter(|key| config.contains(key)).collect()
    }

    /// All nested blocks of one type.
    fn nested_block(&mut self, nested: &NestedBlock, values: &PlanValues, at: &AttributePath) {
        let PlanValues { config, planned, .. } = values;
        let null_is_wrong = !matches!(nested.nesting, Nesting::Single | Nesting::Invalid(_));
        if null_is_wrong && planned.is_null() && self.engine.refuses_null_blocks_outright() {
            return self.add(values.problem(at, "PLAN-025", NULL_BLOCKS));
        }
        if planned == config {
            return;
        }
        if config.is_unknown() {
            let message = "nested blocks that are not known yet are planned as something else";
            return self.add(values.problem(at, "PLAN-026", message));
        }
        if self.engine.knows_computed_blocks() && nested.block.computed && config.is_null() {
            return;
        }
        if planned.is_unknown() {
            return self.add(values.problem(at, "PLAN-028", "nested blocks are planned as unknown"));
        }
        match nested.nesting {
            Nesting::Single | Nesting::Group => self.block(&nested.block, values, at),
            Nesting::Invalid(_) => {}
            Nesting::List | Nesting::Map | Nesting::Set if planned.is_null() => {
                self.add(values.problem(at, "PLAN-025", NULL_BLOCKS));
            }
            Nesting::List => self.block_list(nested, values, at),
            Nesting::Map => self.block_map(nested, values, at),
            Nesting::Set => match self.sets {
                Sets::Paired { blocks, .. } => blocks(self, nested, values, at),
                Sets::BySize => {
                    for element in values.planned.elements().unwrap_or_default() {
                        let at = at.with(PathStep::Element(element.clone()));
                        self.known_element(element, values, &at, "PLAN-031");
                    }
                }
            },
        }
    }

    fn block_list(&mut self, nested: &NestedBlock, values: &PlanValues, at: &AttributePath) {
        let Some(planned) = values.planned.elements() else {
            return self.add(values.problem(at, "PLAN-002", "planned value is not a list of nested blocks"));
        };
        // A configuration has no null here; ignore_changes may have restored one from malformed state.
        if planned.len() != values.config.elements().map_or(0, <[Value]>::len) {
            return self.add(values.problem(at, "PLAN-030", BLOCK_COUNT));
        }
        let ty = nested.block.implied_type();
        for (idx, element) in planned.iter().enumerate() {
            let at = at.index(idx);
            if self.known_element(element, values, &at, "PLAN-030") {
                self.block(&nested.block, &values.index(idx, ty), &at);
            }
        }
    }

    fn block_map(&mut self, nested: &NestedBlock, values: &PlanValues, at: &AttributePath) {
        let is_object = matches!(values.planned.ty(), Type::Object(_));
        if !is_object && values.planned.entries().is_none() {
            return self.add(values.problem(at, "PLAN-002", "planned value is not a map of nested blocks"));
        }
        if !is_object && keys_of(&values.planned).len() != keys_of(&values.config).len() {
            return self.add(values.problem(at, "PLAN-032", BLOCK_COUNT));
        }
        let ty = nested.block.implied_type();
        for key in self.shared_keys(values, at, "PLAN-032") {
            let (element, at) = (values.key(&key, ty), at.key(&key));
            if self.known_element(&element.planned, values, &at, "PLAN-032") {
                self.block(&nested.block, &element, &at);
            }
        }
    }

    fn known_element(
        &mut self,
        element: &Value,
        values: &PlanValues,
        at: &AttributePath,
        covers: &'static str,
    ) -> bool {
        if element.is_unknown() {
            self.add(values.problem(at, covers, "a nested block is planned as unknown"));
        }
        !element.is_unknown()
    }
}

const NULL_BLOCKS: &str = "nested blocks are planned as null; an empty collection means no blocks";
const BLOCK_COUNT: &str = "planned and configured number of nested blocks differ";

/// The length of a nested attribute's collection; null counts as empty.
fn length_of(value: &Value) -> LengthRange {
    value.length().unwrap_or(LengthRange::exactly(0))
}

fn keys_of(map: &Value) -> Vec<String> {
    map.keyed().into_iter().map(|(key, _)| key.to_owned()).collect()
}
