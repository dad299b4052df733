//! Plan modification: what a provider may do to a plan besides carrying values over.
//!
//! Each attribute, at any depth, has a chain of modifiers. Those that change the
//! planned value run in order while the plan is made; those that force replacement
//! are asked once it is complete. A resource type may also modify the whole plan.
//! Conditions are closures over the prior and the planned value and compose freely.

use std::sync::Arc;

use crate::value::{Answer, AttributePath, Refinements, Value};

/// Whether going from the first value (prior) to the second (planned) satisfies something.
pub type Condition = Arc<dyn Fn(&Value, &Value) -> bool + Send + Sync>;

/// One link of an attribute's chain.
#[derive(Clone)]
pub enum Modifier {
    /// A change that satisfies the condition needs a new object.
    RequiresReplaceIf(Condition),
    /// A computed attribute left out of the configuration keeps its prior value, if it has one.
    UseStateForUnknown,
    /// The default: what is planned where the configuration is null.
    Default(Value),
    /// A refinement of a value that only apply will know.
    Promise(Refinements),
}

/// Any change needs a new object.
pub fn requires_replace() -> Modifier {
    Modifier::RequiresReplaceIf(Arc::new(|_, _| true))
}

pub fn requires_replace_if(condition: Condition) -> Modifier {
    Modifier::RequiresReplaceIf(condition)
}

pub fn use_state_for_unknown() -> Modifier {
    Modifier::UseStateForUnknown
}

pub fn default(value: Value) -> Modifier {
    Modifier::Default(value)
}

/// A condition from a plain function.
pub fn when(holds: impl Fn(&Value, &Value) -> bool + Send + Sync + 'static) -> Condition {
    Arc::new(holds)
}

/// All of them; each one is evaluated.
pub fn all(conditions: Vec<Condition>) -> Condition {
    Arc::new(move |prior, planned| {
        let held: Vec<bool> = conditions.iter().map(|condition| condition(prior, planned)).collect();
        held.into_iter().all(|held| held)
    })
}

/// All of them; stops at the first that does not hold, so a later one may rely on an earlier one.
pub fn sequence(conditions: Vec<Condition>) -> Condition {
    Arc::new(move |prior, planned| conditions.iter().all(|condition| condition(prior, planned)))
}

/// At least one of them.
pub fn any(conditions: Vec<Condition>) -> Condition {
    Arc::new(move |prior, planned| conditions.iter().any(|condition| condition(prior, planned)))
}

/// `condition`, evaluated only if both values are set and known; otherwise it does not hold.
pub fn if_set(condition: Condition) -> Condition {
    Arc::new(move |prior, planned| prior.is_set() && planned.is_set() && condition(prior, planned))
}

/// There was a value before.
pub fn existed() -> Condition {
    Arc::new(|prior, _| !prior.is_null())
}

/// The planned value is not known yet.
///
/// A plan made before the value is known must already require a replacement that the
/// value might cause: an engine does not let an update become one later.
pub fn undecided() -> Condition {
    Arc::new(|_, planned| !planned.is_wholly_known())
}

/// What the value-changing links of a chain look at.
#[derive(Clone, Copy)]
pub struct Change<'a> {
    pub prior: &'a Value,
    pub config: &'a Value,
}

/// Takes a planned value through a chain.
pub fn planned_value(chain: &[Modifier], change: Change<'_>, planned: Value) -> Value {
    chain.iter().fold(planned, |planned, modifier| match modifier {
        Modifier::RequiresReplaceIf(_) => planned,
        _ if !change.config.is_null() => planned,
        Modifier::UseStateForUnknown if planned.is_unknown() && !change.prior.is_null() => {
            change.prior.clone()
        }
        Modifier::Default(value) if value.ty().conforms(planned.ty()) => value.clone(),
        Modifier::Promise(refinements) if planned.is_unknown() => {
            Value::refined(planned.ty().clone(), refinements.clone())
        }
        _ => planned,
    })
}

/// Whether a chain requires replacement for this change; without a change it never does.
pub fn wants_replacement(chain: &[Modifier], prior: &Value, planned: &Value) -> bool {
    planned.equals(prior) != Answer::True
        && chain.iter().any(|modifier| match modifier {
            Modifier::RequiresReplaceIf(condition) => condition(prior, planned),
            _ => false,
        })
}

/// A whole plan under construction.
pub struct Whole<'a> {
    /// Null on create.
    pub prior: &'a Value,
    pub config: &'a Value,
    pub planned: Value,
    pub requires_replace: Vec<AttributePath>,
}

/// Modifies a whole plan, on create and update, not on destroy.
pub type ModifyPlan = fn(&mut Whole<'_>);

impl Whole<'_> {
    /// Plans another value for a root attribute.
    pub fn set(&mut self, name: &str, value: Value) {
        self.planned = self.planned.with_attribute(name, value);
    }

    /// Requires replacement for a root attribute, if that changes.
    pub fn replace_because_of(&mut self, name: &str) {
        let changes = self.planned.member(name).equals(&self.prior.member(name)) != Answer::True;
        if !self.prior.is_null() && changes {
            self.requires_replace.push(AttributePath::root().attribute(name));
        }
    }
}

#[cfg(test)]
mod tests {
    use std::sync::atomic::{AtomicUsize, Ordering};

    use super::*;
    use crate::value::Type;

    fn counted(holds: bool, asked: &Arc<AtomicUsize>) -> Condition {
        let asked = asked.clone();
        when(move |_, _| {
            asked.fetch_add(1, Ordering::Relaxed);
            holds
        })
    }

    #[track_caller]
    fn assert_holds(condition: &Condition, prior: Value, planned: Value, want: bool) {
        assert_eq!(condition(&prior, &planned), want);
    }

    #[test]
    fn all_evaluates_every_condition_and_sequence_stops() {
        for (combine, want_asked) in [(all as fn(Vec<Condition>) -> Condition, 3), (sequence, 2)] {
            let asked = Arc::new(AtomicUsize::new(0));
            let condition =
                combine(vec![counted(true, &asked), counted(false, &asked), counted(true, &asked)]);
            assert_holds(&condition, Value::bool(true), Value::bool(false), false);
            assert_eq!(asked.load(Ordering::Relaxed), want_asked);
        }
    }

    #[test]
    fn any_holds_with_one_and_not_with_none() {
        let (yes, no) = (when(|_, _| true), when(|_, _| false));
        assert_holds(&any(vec![no.clone(), yes]), Value::bool(true), Value::bool(true), true);
        assert_holds(&any(vec![no]), Value::bool(true), Value::bool(true), false);
    }

    #[test]
    fn if_set_shields_its_condition_from_null_and_unknown() {
        let condition = if_set(when(|_, _| true));
        assert_holds(&condition, Value::number(1), Value::number(2), true);
        assert_holds(&condition, Value::null(Type::Number), Value::number(2), false);
        assert_holds(&condition, Value::number(1), Value::unknown(Type::Number), false);
    }

    #[test]
    fn nothing_is_replaced_without_a_change() {
        let chain = [requires_replace()];
        assert!(wants_replacement(&chain, &Value::string("a"), &Value::string("b")));
        assert!(wants_replacement(&chain, &Value::string("a"), &Value::unknown(Type::String)));
        assert!(!wants_replacement(&chain, &Value::string("a"), &Value::string("a")));
        assert!(!wants_replacement(&[], &Value::string("a"), &Value::string("b")));
    }

    #[test]
    fn chains_change_only_what_the_configuration_leaves_out() {
        let chain = [use_state_for_unknown(), default(Value::string("d"))];
        let (null, unknown) = (Value::null(Type::String), Value::unknown(Type::String));
        let (prior, set) = (Value::string("p"), Value::string("c"));
        let plan = |chain, prior, config, planned: &Value| {
            planned_value(chain, Change { prior, config }, planned.clone())
        };
        assert_eq!(plan(&chain[..1], &prior, &null, &unknown), prior);
        assert_eq!(plan(&chain[..1], &null, &null, &unknown), unknown);
        assert_eq!(plan(&chain, &prior, &null, &unknown), Value::string("d"));
        assert_eq!(plan(&chain, &prior, &set, &set), set);
        assert_eq!(plan(&chain, &prior, &unknown, &unknown), unknown);
    }

    #[test]
    fn whole_plans_are_replaced_only_where_something_changes() {
        let prior = Value::object([("a", Value::string("x")), ("b", Value::number(1))]);
        let mut whole =
            Whole { prior: &prior, config: &prior, planned: prior.clone(), requires_replace: Vec::new() };
        whole.replace_because_of("a");
        assert!(whole.requires_replace.is_empty());
        whole.set("a", Value::string("y"));
        whole.replace_because_of("a");
        assert_eq!(whole.requires_replace, [AttributePath::root().attribute("a")]);
    }
}
