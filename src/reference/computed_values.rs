//! Values that a remote system would generate: IDs, times, whatever a plan left unknown.
//!
//! Everything is a hash of the seed, the object's handle and the place, so that
//! equal requests in equal stores give equal answers.

use sha2::{Digest, Sha256};

use crate::schema::{Attribute, Block};
use crate::value::{Answer, AttributePath, Number, Refinements, Type, Value};

/// The first 64 bits of a hash over texts, each with its length.
pub fn hash(parts: &[&str]) -> u64 {
    let mut hasher = Sha256::new();
    for part in parts {
        hasher.update((part.len() as u64).to_le_bytes());
        hasher.update(part);
    }
    u64::from_le_bytes(hasher.finalize()[..8].try_into().expect("a hash has more than eight bytes"))
}

/// Generates values for one apply of one object.
pub struct ComputedValues<'a> {
    pub seed: u64,
    /// What distinguishes the object from every other.
    pub handle: &'a str,
    /// How often the object was written, including this time.
    pub revision: u64,
}

impl ComputedValues<'_> {
    /// Replaces every unknown: with the value in `creation` where that is known (it is what the
    /// configuration alone would have planned), else with a generated one.
    pub fn fill(&self, block: &Block, planned: &Value, creation: &Value) -> Value {
        if planned.is_wholly_known() {
            return planned.clone();
        }
        let mut n_filled = 0;
        planned.transform(&mut |path, value| {
            if !value.is_unknown() {
                return value;
            }
            n_filled += 1;
            if let Some(configured) = creation.at(path).filter(Value::is_set) {
                return configured.transform(&mut |at, inner| match inner.is_unknown() {
                    true => self.value(&inner, &format!("{path}/{at}"), n_filled),
                    false => inner,
                });
            }
            match block.attribute_at(path) {
                Some(attribute) => self.attribute(attribute, &value, path, n_filled),
                None => self.value(&value, &path.to_string(), n_filled),
            }
        })
    }

    fn attribute(&self, attribute: &Attribute, unknown: &Value, path: &AttributePath, nth: u64) -> Value {
        if attribute.nested_attributes().is_some() {
            return self.structure(attribute, unknown, &path.to_string(), nth);
        }
        let made = match path.schema_path().to_string().as_str() {
            "id" if attribute.ty() == Type::String => Value::string(self.handle),
            "revision" if attribute.ty() == Type::Number => Value::number(self.revision as i64),
            "created_at" if attribute.ty() == Type::String => Value::string(&self.time(1)),
            // Accented letters, which have two encodings.
            "caption" if attribute.ty() == Type::String => {
                Value::string(&format!("Caf\u{e9} {:x}", self.number("caption", 0)))
            }
            "updated_at" if attribute.ty() == Type::String => Value::string(&self.time(self.revision)),
            _ => return self.value(unknown, &path.to_string(), nth),
        };
        if unknown.equals(&made) == Answer::False {
            self.value(unknown, &path.to_string(), nth)
        } else {
            made
        }
    }

    /// A nested attribute that the provider generates sets only what is computed in it: what only
    /// a user may set stays null, or the next plan would take it for something that was
    /// configured once.
    fn structure(&self, attribute: &Attribute, unknown: &Value, path: &str, nth: u64) -> Value {
        let made = self.value(unknown, path, nth);
        let Some(nested) = attribute.nested_attributes() else { return made };
        made.transform(&mut |at, value| {
            let mut names = at.names();
            let mut found = names.next().and_then(|name| nested.attribute(name));
            for name in names {
                found = found.and_then(Attribute::nested_attributes).and_then(|inner| inner.attribute(name));
            }
            match found {
                Some(inner) if !inner.computed => Value::null(inner.ty()),
                _ => value,
            }
        })
    }

    fn number(&self, what: &str, nth: u64) -> u64 {
        hash(&[&self.seed.to_string(), self.handle, &self.revision.to_string(), what, &nth.to_string()])
    }

    /// A value of an unknown's type that satisfies its refinements.
    pub fn value(&self, unknown: &Value, what: &str, nth: u64) -> Value {
        let none = Refinements::default();
        let promised = unknown.refinements().unwrap_or(&none);
        let chance = self.number(what, nth);
        let inner =
            |ty: &Type, idx: usize| self.value(&Value::unknown(ty.clone()), &format!("{what}/{idx}"), nth);
        let fewest = promised.min_length.unwrap_or(0);
        // More than one, where that is allowed, so that order can go wrong.
        let n_elements = promised.max_length.map_or(2, |most| most.min(2)).max(fewest) as usize;
        match unknown.ty() {
            Type::String | Type::Dynamic => {
                Value::string(&format!("{}{chance:016x}", promised.prefix.as_deref().unwrap_or_default()))
            }
            Type::Bool => Value::bool(chance.is_multiple_of(2)),
            Type::Number => {
                let mut candidates = vec![Number::from_u64(chance % 1_000_000)];
                for bound in [&promised.lower, &promised.upper].into_iter().flatten() {
                    candidates.push(bound.value.clone());
                    if let Some(number) = bound.value.to_i64() {
                        candidates.extend([number + 1, number - 1].map(Number::from_i64));
                    }
                }
                let made = candidates.into_iter().map(Value::number);
                made.clone()
                    .find(|value| unknown.equals(value) != Answer::False)
                    .or_else(|| made.clone().next())
                    .unwrap_or_else(|| Value::number(0))
            }
            Type::List(element) | Type::Set(element) => {
                let elements = (0..n_elements).map(|idx| inner(element, idx)).collect();
                Value::of_elements(unknown.ty(), elements).expect(ALIKE)
            }
            Type::Map(element) => {
                let entries = (0..n_elements).map(|idx| (format!("k{idx}"), inner(element, idx)));
                Value::of_entries(unknown.ty(), entries).expect(ALIKE)
            }
            Type::Tuple(tuple) => {
                Value::tuple(tuple.elements().iter().enumerate().map(|(idx, ty)| inner(ty, idx)).collect())
            }
            Type::Object(object) => Value::object_of(
                unknown.ty(),
                object.attributes().iter().enumerate().map(|(idx, (_, ty))| inner(ty, idx)).collect(),
            ),
        }
    }

    /// A time in 2024, the same for the same object and revision.
    fn time(&self, revision: u64) -> String {
        let started = hash(&[&self.seed.to_string(), self.handle, "time"]) % (300 * 86_400);
        let second = started + revision * 60;
        let (days, rest) = (second / 86_400, second % 86_400);
        let lengths = [31, 29, 31, 30, 31, 30, 31, 31, 30, 31, 30, 31];
        let (mut month, mut day) = (0, days % 366);
        while day >= lengths[month] {
            day -= lengths[month];
            month += 1;
        }
        format!(
            "2024-{:02}-{:02}T{:02}:{:02}:{:02}Z",
            month + 1,
            day + 1,
            rest / 3600,
            rest / 60 % 60,
            rest % 60
        )
    }
}

const ALIKE: &str = "elements of one collection are made alike";

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Bound;

    const MINT: ComputedValues<'static> = ComputedValues { seed: 1, handle: "plain-0", revision: 1 };

    #[test]
    fn made_values_keep_what_was_promised() {
        let bound = |value: i64| Some(Bound { value: Number::from_i64(value), inclusive: false });
        for (ty, refinements) in [
            (Type::String, Refinements::with_prefix("ref-")),
            (Type::Number, Refinements { lower: bound(5), upper: bound(7), ..Refinements::default() }),
            (Type::Number, Refinements { upper: bound(-7), ..Refinements::default() }),
            (Type::list(Type::Bool), Refinements::with_length(Some(3), Some(3))),
            (Type::map(Type::String), Refinements::with_length(None, Some(0))),
            (Type::set(Type::Number), Refinements::with_length(Some(2), None)),
        ] {
            let unknown = Value::refined(ty, refinements);
            let made = MINT.value(&unknown, "x", 0);
            assert!(
                made.is_wholly_known() && unknown.equals(&made) != Answer::False,
                "{unknown:?} became {made}"
            );
        }
    }

    #[test]
    fn equal_places_of_equal_objects_get_equal_values() {
        let unknown = Value::unknown(Type::String);
        assert_eq!(MINT.value(&unknown, "x", 0), MINT.value(&unknown, "x", 0));
        assert_ne!(MINT.value(&unknown, "x", 0), MINT.value(&unknown, "x", 1));
        assert_ne!(MINT.value(&unknown, "x", 0), ComputedValues { seed: 2, ..MINT }.value(&unknown, "x", 0));
    }
}
