//! Null in place of an empty value, or the other way round.

use super::{Applied, Context};
use crate::core::Problem;
use crate::transcript::{Exchange, Purpose};
use crate::value::{AttributePath, Data, Value};

/// Whether two values differ only in that one has null where the other is empty: a collection without
/// elements, an empty text, zero or false, at any depth.
fn is_emptiness(a: &Value, b: &Value) -> bool {
    a != b && emptied(a) == emptied(b)
}

/// With null in place of everything that is empty.
fn emptied(value: &Value) -> Value {
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

impl Context<'_> {
    /// Whether a difference at a place of an answer is of this kind, and the next plan, made where
    /// nothing may change, leaves the place alone. Without such a plan nothing came of it either.
    pub fn is_harmless_emptiness(&self, path: &AttributePath, was: &Value, is: &Value) -> bool {
        is_emptiness(was, is) && !self.is_planned_anew(path)
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

    fn is_planned_anew(&self, path: &AttributePath) -> bool {
        let later = self.transcript.after(self.exchange.id, &self.exchange.instance);
        let mut plans = later
            .filter(|exchange| matches!(exchange.purpose, Purpose::NothingChanged { .. }))
            .map(|exchange| Context::new(self.transcript, exchange, self.engine, self.volatile))
            .filter_map(|context| context.planned().ok());
        plans.next().is_some_and(|plan| {
            let (prior, planned) = (plan.prior.at(path), plan.planned.at(path));
            let is_required = plan.response.requires_replace.iter().any(|of| of.to_path() == *path);
            is_required || prior.zip(planned).is_none_or(|(prior, planned)| !planned.equals(&prior).is_true())
        })
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
