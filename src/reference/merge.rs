//! Prior state and configuration, merged: where every plan starts.
//!
//! An engine proposes such a union too, which a provider may use or ignore
//! (contract PLAN-049). This one ignores it because the engine pairs set elements
//! greedily: two elements that could come from the same prior one may become one.
//! The pairing in this module is a maximum matching.

use super::definition::Definition;
use super::modify::{Change, planned_value};
use crate::core::{maximum_matching, optional_value_not_computable};
use crate::schema::{Attribute, Block, NestedAttributes, NestedBlock, Nesting};
use crate::value::{PathStep, SchemaPath, Type, Value};

/// How computed attributes that the configuration leaves out are treated.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Mode {
    /// They keep their values: the object if nothing changes.
    Keep,
    /// They are unknown unless their chain decides otherwise: the object when something changes.
    Renew,
}

/// The union of a prior object (or null) and a configuration.
pub fn merge(definition: &Definition, block: &Block, mode: Mode, prior: &Value, config: &Value) -> Value {
    Merge { definition, mode }.object(block, prior, config, &SchemaPath::root())
}

#[derive(Clone, Copy)]
struct Merge<'d> {
    definition: &'d Definition,
    mode: Mode,
}

impl Merge<'_> {
    fn with(self, mode: Mode) -> Self {
        Merge { mode, ..self }
    }

    fn object(self, block: &Block, prior: &Value, config: &Value, at: &SchemaPath) -> Value {
        if config.is_unknown() {
            return config.clone();
        }
        let ty = block.implied_type();
        let values = members(ty).map(|(name, ty)| {
            let (prior, config, at) = (prior.member(name), config.member(name), at.child(name));
            match (block.attribute(name), block.block_type(name)) {
                (Some(attribute), _) => self.attribute(attribute, &prior, &config, &at),
                (None, Some(nested)) => self.blocks(nested, &prior, &config, &at),
                (None, None) => Value::null(ty.clone()),
            }
        });
        Value::object_of(ty, values.collect())
    }

    fn attribute(self, attribute: &Attribute, prior: &Value, config: &Value, at: &SchemaPath) -> Value {
        let ty = attribute.ty();
        if attribute.write_only {
            return Value::null(ty);
        }
        let absent = Value::null(ty.clone());
        let config = if attribute.is_configurable() { config } else { &absent };
        let prior =
            if config.is_null() && optional_value_not_computable(attribute, prior) { &absent } else { prior };
        let value = match attribute.nested_attributes() {
            _ if config.is_null() => match self.mode {
                _ if !attribute.computed => Value::null(ty),
                Mode::Renew => Value::unknown(ty),
                Mode::Keep if prior.is_null() => Value::null(ty),
                Mode::Keep => prior.clone(),
            },
            _ if config.is_unknown() => config.clone(),
            Some(nested) => self.nested(nested, prior, config, at),
            None => self.spelt(at, prior, config),
        };
        planned_value(self.definition.chain(at), Change { prior, config }, value)
    }

    /// The prior string where the configuration only spells it differently.
    fn spelt(self, at: &SchemaPath, prior: &Value, config: &Value) -> Value {
        match (self.definition.spellings.get(at), prior.as_str(), config.as_str()) {
            (Some(spelling), Some(before), Some(now)) if spelling.same(before, now) => prior.clone(),
            _ => config.clone(),
        }
    }

    fn nested(self, nested: &NestedAttributes, prior: &Value, config: &Value, at: &SchemaPath) -> Value {
        let element = nested.element_type();
        let object = move |merge: Self, prior: &Value, config: &Value| {
            if !config.is_set() {
                return config.clone();
            }
            let values = members(&element).map(|(name, ty)| match nested.attribute(name) {
                Some(inner) => {
                    merge.attribute(inner, &prior.member(name), &config.member(name), &at.child(name))
                }
                None => Value::null(ty.clone()),
            });
            Value::object_of(&element, values.collect())
        };
        match nested.nesting {
            Nesting::Single | Nesting::Group | Nesting::Invalid(_) => object(self, prior, config),
            Nesting::List | Nesting::Map => self.collection(prior, config, &object),
            Nesting::Set => self.set(prior, config, &object),
        }
    }

    fn blocks(self, nested: &NestedBlock, prior: &Value, config: &Value, at: &SchemaPath) -> Value {
        if config.is_unknown() {
            return config.clone();
        }
        let object =
            |merge: Self, prior: &Value, config: &Value| merge.object(&nested.block, prior, config, at);
        match nested.nesting {
            Nesting::Single if config.is_null() => config.clone(),
            Nesting::Group if config.is_null() => object(self, prior, &nested.empty_value()),
            Nesting::Single | Nesting::Group | Nesting::Invalid(_) => object(self, prior, config),
            _ if config.is_null() => nested.empty_value(),
            Nesting::List | Nesting::Map => self.collection(prior, config, &object),
            Nesting::Set => self.set(prior, config, &object),
        }
    }

    /// A list or map, by index or key.
    fn collection(
        self,
        prior: &Value,
        config: &Value,
        object: &dyn Fn(Self, &Value, &Value) -> Value,
    ) -> Value {
        let merged = |before: Option<&Value>, now: &Value| {
            let absent = Value::null(now.ty().clone());
            object(self, before.unwrap_or(&absent), now)
        };
        let merged = config.children().into_iter().map(|(step, now)| match step {
            PathStep::Index(idx) => merged(prior.elements().and_then(|before| before.get(idx as usize)), now),
            PathStep::Key(key) => merged(prior.entries().and_then(|before| before.get(key.as_str())), now),
            PathStep::Attribute(key) => merged(prior.attribute(&key), now),
            PathStep::Element(_) => now.clone(),
        });
        rebuild(config, merged.collect())
    }

    /// A set: each configured element is paired with a prior one if possible, all others are new.
    fn set(self, prior: &Value, config: &Value, object: &dyn Fn(Self, &Value, &Value) -> Value) -> Value {
        let Some(configured) = config.elements() else { return config.clone() };
        let (keep, renew) = (self.with(Mode::Keep), self.with(Mode::Renew));
        // The pairing may change once everything is known, and what is planned now must hold then: so
        // nothing is taken from prior elements.
        let before = prior.elements().filter(|_| config.is_wholly_known()).unwrap_or_default();
        let standing: Vec<Vec<usize>> = configured
            .iter()
            .map(|now| {
                let stands =
                    |idx: &usize| before[*idx].is_set() && object(keep, &before[*idx], now) == before[*idx];
                (0..before.len()).filter(stands).collect()
            })
            .collect();
        // An element that is configured completely can match only one prior element, and must get
        // that one: otherwise two configured elements would be the same.
        let certain =
            |now: &Value, idx: usize| object(keep, &Value::null(now.ty().clone()), now) == before[idx];
        let mut order: Vec<usize> = (0..configured.len()).collect();
        order.sort_by_key(|idx| !standing[*idx].iter().any(|prior| certain(&configured[*idx], *prior)));
        let paired = maximum_matching(&order, before.len(), &|_| None, &mut |left, right| {
            standing[left].contains(&right)
        });
        let elements = configured
            .iter()
            .zip(paired)
            .map(|(now, partner)| match partner {
                Some(idx) => before[idx].clone(),
                None => object(renew, &Value::null(now.ty().clone()), now),
            })
            .collect();
        rebuild(config, elements)
    }
}

/// `like` with other children; `like` itself if they do not have the same type.
fn rebuild(like: &Value, children: Vec<Value>) -> Value {
    like.with_children(children).unwrap_or_else(|| like.clone())
}

fn members(ty: &Type) -> impl Iterator<Item = (&str, &Type)> {
    ty.as_object()
        .map(|object| object.attributes())
        .unwrap_or_default()
        .iter()
        .map(|(name, ty)| (name.as_ref(), ty))
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value;

    fn definition() -> Definition {
        let rule = Block::new(
            vec![
                Attribute::typed("port", Type::Number).required(),
                Attribute::typed("path", Type::String).optional().computed(),
                Attribute::typed("id", Type::String).computed(),
            ],
            vec![],
        );
        Definition::new(
            vec![Attribute::typed("id", Type::String).computed()],
            vec![NestedBlock::new("rule", Nesting::Set, rule)],
        )
    }

    #[track_caller]
    fn assert_merges(mode: Mode, prior: value::Literal, config: value::Literal, want: value::Literal) {
        let definition = definition();
        let ty = definition.schema.implied_type().clone();
        let block = &definition.schema.block;
        assert_eq!(merge(&definition, block, mode, &prior.of(&ty), &config.of(&ty)), want.of(&ty));
    }

    #[test]
    fn set_elements_find_their_prior_by_what_is_configured() {
        let prior =
            value!({ id: "i", rule: [{ port: 1, path: "p", id: "a" }, { port: 2, path: "q", id: "b" }] });
        let config = value!({ rule: [{ port: 1 }, { port: 2, path: "q" }] });
        assert_merges(Mode::Keep, prior.clone(), config.clone(), prior.clone());
        assert_merges(Mode::Renew, prior.clone(), config, prior);
    }

    #[test]
    fn two_configured_elements_never_become_one() {
        // Either could match the first prior element if the second did not need it.
        let prior = value!({ rule: [{ port: 1, path: "p", id: "a" }, { port: 1, path: "q", id: "b" }] });
        let config = value!({ rule: [{ port: 1 }, { port: 1, path: "p" }] });
        assert_merges(Mode::Keep, prior.clone(), config.clone(), prior);
        let lone = value!({ rule: [{ port: 1, path: "p", id: "a" }] });
        let definition = definition();
        let ty = definition.schema.implied_type();
        let merged = merge(&definition, &definition.schema.block, Mode::Keep, &lone.of(ty), &config.of(ty));
        assert_eq!(merged.member("rule").elements().unwrap().len(), 2);
    }

    #[test]
    fn nothing_is_taken_for_granted_while_an_element_is_unknown() {
        // Once the second element's path is known to be "p", the first can only be the other one.
        assert_merges(
            Mode::Renew,
            value!({ id: "i", rule: [{ port: 1, path: "p", id: "a" }, { port: 1, path: "q", id: "b" }] }),
            value!({ rule: [{ port: 1 }, { port: 1, path: unknown }] }),
            value!({ id: "i", rule: [{ port: 1, path: unknown, id: unknown }, { port: 1, path: unknown, id: unknown }] }),
        );
    }

    #[test]
    fn new_elements_wait_for_apply() {
        assert_merges(
            Mode::Keep,
            value!({ rule: [{ port: 1, path: "p", id: "a" }] }),
            value!({ rule: [{ port: 1 }, { port: 3 }] }),
            value!({ rule: [{ port: 1, path: "p", id: "a" }, { port: 3, path: unknown, id: unknown }] }),
        );
    }

    #[test]
    fn unknown_blocks_stay_exactly_as_they_are() {
        let definition = definition();
        let ty = definition.schema.implied_type();
        let refined = Value::refined(
            ty.as_object().unwrap().get("rule").unwrap().clone(),
            crate::value::Refinements::with_length(Some(1), None),
        );
        let config = definition.schema.empty_value().with_attribute("rule", refined.clone());
        let null = definition.schema.null();
        let merged = merge(&definition, &definition.schema.block, Mode::Renew, &null, &config);
        assert_eq!(merged.member("rule"), refined);
    }
}
