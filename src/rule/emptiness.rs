//! Null in place of an empty value, or the other way round.

use super::{Applied, Context, Planned};
use crate::core::Problem;
use crate::transcript::{Exchange, Purpose};
use crate::value::{AttributePath, Data, Value};

/// Whether two values differ only in that one has null where the other is empty: a collection without
/// elements, an empty text, zero or false, at any depth.
fn is_emptiness(a: &Value, b: &Value) -> bool {
    a != b && emptied(a) == emptied(b)
}

/// With null in place of everything that is empty.
pub fn emptied(value: &Value) -> Value {
    value.transform(&mut |_, value| {
        let is_empty = match value.data() {
            Data::String(text) => text.is_empty(),
            Data::Bool(truth) => !truth,
            Data::Number(number) => number.to_i64() == Some(0),
            Data::Elements(elements) => elements.is_empty(),
            Data::Map(entries) => entries.is_empty(),
            Data::Object(_) | Data::Null | Data::Unknown(_) => false,
        };
        if is_empty { Value::null(value.ty().clone()) } else { value }
    })
}

impl<'t> Context<'t> {
    /// Whether a difference at a place of an answer is of this kind, and the next plan, made where
    /// nothing may change, leaves the place alone. Without such a plan nothing came of it either.
    pub fn is_harmless_emptiness(&self, path: &AttributePath, was: &Value, is: &Value) -> bool {
        is_emptiness(was, is) && !self.next_plan().is_some_and(|plan| plan.changes(path))
    }

    /// What an apply returns so, where the legacy flag makes the engine accept it.
    pub fn forgiven_emptiness(&self, applied: &Applied<'_>) -> Vec<&Problem> {
        if !applied.response.legacy_type_system {
            return Vec::new();
        }
        let is_forgiven = |problem: &&Problem| match problem.values.as_slice() {
            [(_, planned), (_, new)] if problem.covers == "APPLY-011" => {
                self.is_harmless_emptiness(&problem.path, planned, new)
            }
            _ => false,
        };
        self.result_problems(applied).iter().filter(is_forgiven).collect()
    }

    /// The next plan for the instance that is made where nothing may change.
    pub fn next_plan(&self) -> Option<Planned<'t>> {
        let later = self.transcript.after(self.exchange.id, &self.exchange.instance);
        later
            .filter(|exchange| matches!(exchange.purpose, Purpose::NothingChanged { .. }))
            .map(|exchange| Context::new(self.transcript, exchange, self.engine, self.volatile))
            .find_map(|context| context.planned().ok())
    }

    /// Whether any answer for the instance carries the flag of the legacy type system. Reads have none of
    /// their own.
    pub fn is_of_the_legacy_sdk(&self) -> bool {
        let of_instance = |exchange: &&Exchange| exchange.instance == self.exchange.instance;
        self.transcript
            .exchanges
            .iter()
            .filter(of_instance)
            .any(|exchange| exchange.call.legacy_type_system())
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;
    use crate::value::Type;

    #[test]
    fn null_and_empty_differ_in_emptiness_alone_at_any_depth() {
        let ty = Type::object([
            ("zones", Type::list(Type::String)),
            ("rules", Type::set(Type::object([("note", Type::String), ("port", Type::Number)]))),
        ]);
        let of = |literal: crate::value::Literal| literal.of(&ty);
        let nulls = of(value!({ zones: null, rules: [{ note: null, port: 80 }] }));
        let empties = of(value!({ zones: [], rules: [{ note: "", port: 80 }] }));
        assert!(is_emptiness(&nulls, &empties) && is_emptiness(&empties, &nulls));
        assert!(!is_emptiness(&nulls, &nulls));
        assert!(!is_emptiness(&nulls, &of(value!({ zones: ["a"], rules: [{ note: null, port: 80 }] }))));
        assert!(!is_emptiness(&nulls, &of(value!({ zones: null, rules: [{ note: "", port: 81 }] }))));
    }
}
