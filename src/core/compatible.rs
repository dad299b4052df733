//! Whether a result is allowed by its plan.
//!
//! Source: contract sections 3.10 and 4.5.

use super::equal_elements::equal_elements;
use super::members::{element_at, member};
use super::problem::{MAX_PAIRS, Problem, mark_sensitive};
use crate::engine::Engine;
use crate::schema::{Block, NestedBlock, Nesting};
use crate::value::{Answer, AttributePath, PathStep, Type, Value, includes};

/// Every place at which `actual` is not what `planned` allows.
///
/// What was known stays, what was unknown becomes any value of its type within its refinements.
/// `actual` is the result of an apply, or a later plan, which may contain unknowns. An engine
/// reports all problems of a sensitive attribute as one; here each is reported and marked.
///
/// Source: contract section 4.5.
pub fn assert_object_compatible(
    block: &Block,
    planned: &Value,
    actual: &Value,
    engine: Engine,
) -> Vec<Problem> {
    let mut comparison = Comparison::new(engine);
    comparison.object(block, planned, actual, &AttributePath::root());
    mark_sensitive(block, comparison.found)
}

/// As [`assert_object_compatible`], for the value of one attribute, which no schema describes further.
pub fn assert_value_compatible(planned: &Value, actual: &Value) -> Vec<Problem> {
    let mut comparison = Comparison::new(Engine::default());
    comparison.value(planned, actual, &AttributePath::root());
    comparison.found
}

struct Comparison {
    engine: Engine,
    found: Vec<Problem>,
}

impl Comparison {
    fn new(engine: Engine) -> Comparison {
        Comparison { engine, found: Vec::new() }
    }

    fn add(
        &mut self,
        at: &AttributePath,
        covers: &'static str,
        message: &str,
        planned: &Value,
        actual: &Value,
    ) {
        let problem =
            Problem::new(at, covers, message).with("planned state", planned).with("new state", actual);
        self.found.push(problem);
    }

    fn object(&mut self, block: &Block, planned: &Value, actual: &Value, at: &AttributePath) {
        match (planned.is_null(), actual.is_null()) {
            (true, false) => return self.add(at, "APPLY-010", "was absent, is now present", planned, actual),
            (false, true) => return self.add(at, "APPLY-010", "was present, is now absent", planned, actual),
            (true, true) => return,
            (false, false) => {}
        }
        if !actual.ty().conforms(block.implied_type()) {
            return self.add(at, "APPLY-019", "the type is not that of the schema", planned, actual);
        }
        for attribute in &block.attributes {
            let ty = attribute.ty();
            let (planned, actual) =
                (member(planned, &attribute.name, &ty), member(actual, &attribute.name, &ty));
            // Equal values need no path.
            if planned != actual || !planned.is_wholly_known() {
                self.value(&planned, &actual, &at.attribute(&attribute.name));
            }
        }
        for nested in &block.block_types {
            let ty = nested.implied_type();
            let (planned, actual) = (member(planned, &nested.name, &ty), member(actual, &nested.name, &ty));
            self.nested_block(nested, &planned, &actual, &at.attribute(&nested.name));
        }
    }

    /// All nested blocks of one type.
    fn nested_block(&mut self, nested: &NestedBlock, planned: &Value, actual: &Value, at: &AttributePath) {
        if nested.block.computed && self.engine.knows_computed_blocks() {
            if actual.is_null() && nested.nesting != Nesting::Single {
                return self.add(at, "APPLY-022", "nested blocks became null", planned, actual);
            }
            if planned.is_unknown() {
                return self.computed_blocks(planned, actual, at);
            }
        }
        if matches!(nested.nesting, Nesting::Single | Nesting::Group) {
            // The placeholder of a dynamic block may turn out to be no block at all.
            if !(planned.is_unknown() && actual.is_null()) {
                self.object(&nested.block, planned, actual, at);
            }
            return;
        }
        if !planned.is_set() || actual.is_null() {
            return;
        }
        match nested.nesting {
            Nesting::List if actual.is_set() => self.block_list(&nested.block, planned, actual, at),
            Nesting::Set if actual.is_set() => self.block_set(&nested.block, planned, actual, at),
            Nesting::Map => self.block_map(&nested.block, planned, actual, at),
            _ => {}
        }
    }

    /// Computed blocks that were planned as unknown are compared like any value.
    fn computed_blocks(&mut self, planned: &Value, actual: &Value, at: &AttributePath) {
        let before = self.found.len();
        self.value(planned, actual, at);
        for problem in &mut self.found[before..] {
            problem.covers = "APPLY-023";
        }
    }

    fn block_list(&mut self, block: &Block, planned: &Value, actual: &Value, at: &AttributePath) {
        let (Some(was), Some(is)) = (planned.elements(), actual.elements()) else {
            return self.add(at, "APPLY-019", "the value is not a list of nested blocks", planned, actual);
        };
        if was.len() != is.len() {
            return self.add(at, "APPLY-021", "the number of nested blocks changed", planned, actual);
        }
        for (idx, (was, is)) in was.iter().zip(is).enumerate() {
            self.object(block, was, is, &at.index(idx));
        }
    }

    fn block_map(&mut self, block: &Block, planned: &Value, actual: &Value, at: &AttributePath) {
        let (was, is) = (planned.keyed(), actual.keyed());
        // With dynamic members inside, the blocks form an object, whose keys are part of its type.
        if matches!(planned.ty(), Type::Object(_)) {
            self.object_keys(planned, actual, at);
        } else if actual.is_set() && was.len() != is.len() {
            return self.add(at, "APPLY-021", "the number of nested blocks changed", planned, actual);
        }
        for (key, was) in was {
            if let Some(is) = actual.entry(key) {
                self.object(block, was, is, &at.key(key));
            }
        }
    }

    fn object_keys(&mut self, planned: &Value, actual: &Value, at: &AttributePath) {
        if actual.is_unknown() {
            return self.add(at, "APPLY-021", "nested blocks became unknown", planned, actual);
        }
        for (key, _) in planned.keyed() {
            if actual.entry(key).is_none() {
                let message = format!("nested block {key:?} is missing");
                self.add(at, "APPLY-021", &message, planned, actual);
            }
        }
        for (key, _) in actual.keyed() {
            if planned.entry(key).is_none() {
                let message = format!("nested block {key:?} was not planned");
                self.add(at, "APPLY-021", &message, planned, actual);
            }
        }
    }

    fn block_set(&mut self, block: &Block, planned: &Value, actual: &Value, at: &AttributePath) {
        let engine = self.engine;
        self.correlate(planned, actual, at, &mut |was, is| {
            is_sound(&assert_object_compatible(block, was, is, engine))
        });
    }

    /// The value of an attribute, or a value inside it.
    fn value(&mut self, planned: &Value, actual: &Value, at: &AttributePath) {
        if *planned.ty() == Type::Dynamic {
            return;
        }
        if !actual.ty().conforms(planned.ty()) {
            return self.add(at, "APPLY-019", "the type differs from the planned one", planned, actual);
        }
        if planned.is_unknown() {
            if includes(planned, actual) == Answer::False {
                self.add(at, "APPLY-012", "the value breaks a promise of the plan", planned, actual);
            }
            return;
        }
        match (planned.is_null(), actual.is_null()) {
            (true, true) => return,
            (true, false) => return self.add(at, "APPLY-011", "was null, is now set", planned, actual),
            (false, true) => return self.add(at, "APPLY-011", "was set, is now null", planned, actual),
            (false, false) => {}
        }
        if actual.is_unknown() {
            return self.add(at, "APPLY-011", "was known, is now unknown", planned, actual);
        }
        match planned.ty() {
            Type::List(_) | Type::Tuple(_) | Type::Map(_) => self.elements(planned, actual, at),
            Type::Object(_) => {
                for (name, was) in planned.attributes() {
                    self.value(was, &member(actual, name, was.ty()), &at.attribute(name));
                }
            }
            Type::Set(_) => self.correlate(planned, actual, at, &mut |was, is| {
                // What is known of one type is compatible if it is equal, and those were found before.
                let is_decided = was.ty() == is.ty() && was.is_wholly_known() && is.is_wholly_known();
                if is_decided { was == is } else { is_sound(&assert_value_compatible(was, is)) }
            }),
            Type::String | Type::Number | Type::Bool | Type::Dynamic => {
                if !planned.equals(actual).is_true() {
                    self.add(at, "APPLY-011", "the value changed", planned, actual);
                }
            }
        }
    }

    /// Elements of a list, tuple or map, which keep their places.
    fn elements(&mut self, planned: &Value, actual: &Value, at: &AttributePath) {
        for (step, was) in planned.children() {
            match child(actual, &step) {
                Some(is) => self.value(was, &is, &at.with(step)),
                None => {
                    let message = format!("element {} is missing", AttributePath::new([step]));
                    self.add(at, "APPLY-017", &message, planned, actual);
                }
            }
        }
        for (step, _) in actual.children() {
            if child(planned, &step).is_none() {
                let message = format!("element {} was not planned", AttributePath::new([step]));
                self.add(at, "APPLY-017", &message, planned, actual);
            }
        }
    }

    /// Elements of a set: each must match at least one on the other side, and there must not be more.
    fn correlate(
        &mut self,
        planned: &Value,
        actual: &Value,
        at: &AttributePath,
        matches: &mut dyn FnMut(&Value, &Value) -> bool,
    ) {
        let (was, is) = (planned.elements().unwrap_or_default(), actual.elements().unwrap_or_default());
        let mut was_found = vec![false; was.len()];
        let mut is_found = vec![false; is.len()];
        for (idx, equal) in equal_elements(was, is).into_iter().enumerate() {
            if let Some(other_idx) = equal.filter(|other_idx| matches(&was[idx], &is[*other_idx])) {
                (was_found[idx], is_found[other_idx]) = (true, true);
            }
        }
        let count = |found: &[bool]| found.iter().filter(|found| !**found).count();
        let n_pairs = count(&was_found) * is.len() + count(&is_found) * was.len();
        if n_pairs > MAX_PAIRS {
            return self.found.push(Problem::unjudged(at, n_pairs));
        }
        let all: Vec<usize> = (0..is.len()).collect();
        let missing: Vec<usize> = all.iter().copied().filter(|idx| !is_found[*idx]).collect();
        for (idx, element) in was.iter().enumerate() {
            // One that has a partner may still be the partner of another.
            for other_idx in if was_found[idx] { &missing } else { &all } {
                if !(was_found[idx] && is_found[*other_idx]) && matches(element, &is[*other_idx]) {
                    (was_found[idx], is_found[*other_idx]) = (true, true);
                }
            }
        }
        let lost: Vec<&Value> = unmarked(was, &was_found);
        for element in &lost {
            let message = "a planned set element corresponds to none in the result";
            self.add(&at.with(PathStep::Element((*element).clone())), "APPLY-020", message, element, actual);
        }
        if lost.is_empty() {
            for element in unmarked(is, &is_found) {
                let message = "a set element in the result corresponds to no planned one";
                self.add(
                    &at.with(PathStep::Element(element.clone())),
                    "APPLY-020",
                    message,
                    planned,
                    element,
                );
            }
        }
        if is.len() > was.len() {
            self.add(at, "APPLY-020", "the set has grown", planned, actual);
        }
    }
}

fn child(collection: &Value, step: &PathStep) -> Option<Value> {
    match step {
        PathStep::Index(idx) => {
            usize::try_from(*idx).ok().and_then(|idx| element_at(collection, idx, &Type::Dynamic))
        }
        PathStep::Key(key) | PathStep::Attribute(key) => collection.entry(key).cloned(),
        PathStep::Element(_) => None,
    }
}

/// Whether nothing is wrong, as far as it was compared.
fn is_sound(problems: &[Problem]) -> bool {
    problems.iter().all(Problem::is_unjudged)
}

fn unmarked<'v>(elements: &'v [Value], found: &[bool]) -> Vec<&'v Value> {
    elements.iter().zip(found).filter(|(_, found)| !**found).map(|(element, _)| element).collect()
}
