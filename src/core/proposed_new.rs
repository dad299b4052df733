//! The object an engine offers a provider as a starting point for planning.
//!
//! Source: contract section 4.3.

use super::declaration::{Declaration, with_children};
use super::members::{element_at, member};
use super::valid_prior::{optional_value_not_computable, valid_prior_from_config};
use crate::engine::Engine;
use crate::schema::{Attribute, Block, NestedAttributes, NestedBlock, Nesting};
use crate::value::{PathStep, Type, Value};

/// Merges the configuration with what the provider decided earlier.
///
/// Takes each attribute from `config`; if that is null and the schema marks the attribute computed,
/// from `prior`. Elements of lists are merged by index, of maps by key, of sets by a greedy guess.
/// `prior` is null for an object that does not exist yet, otherwise wholly known; `config` may
/// contain unknowns and is what the provider is sent: after ignore_changes and
/// [`prepare_computed_blocks`]. If both are null the result is null; engines do not call it for a
/// destroy.
///
/// Source: contract section 4.3; resource instance change lifecycle, "Proposed New State".
pub fn proposed_new(block: &Block, prior: &Value, config: &Value, engine: Engine) -> Value {
    Merge { engine }.instance(block, prior, config)
}

/// The placeholder for an object whose provider cannot be called yet: computed attributes without
/// configuration are unknown.
///
/// Inside sets they stay null, and in OpenTofu inside maps too.
///
/// Source: contract section 4.3.9.
pub fn placeholder_object(block: &Block, config: &Value, engine: Engine) -> Value {
    Merge { engine }.object(block, &Value::unknown(block.implied_type().clone()), config)
}

/// Turns the collections of computed nested blocks that the configuration leaves empty into nulls,
/// at any depth, as an engine that supports computed blocks does with every configuration it sends.
///
/// Source: contract section 4.3.8.
pub fn prepare_computed_blocks(block: &Block, config: &Value, engine: Engine) -> Value {
    if !engine.knows_computed_blocks() {
        return config.clone();
    }
    Declaration::Block(block).transform(config, &mut |place, value| match place {
        // An empty list of blocks with dynamic attributes is an empty tuple, and its null keeps that type.
        Declaration::Blocks(nested) if is_unset_computed(nested, &value) => Value::null(value.ty().clone()),
        _ => value,
    })
}

fn is_unset_computed(nested: &NestedBlock, value: &Value) -> bool {
    let is_collection = matches!(nested.nesting, Nesting::List | Nesting::Set | Nesting::Map);
    is_collection && nested.block.computed && value.is_set() && value.children().is_empty()
}

struct Merge {
    engine: Engine,
}

/// What the elements of a collection are.
#[derive(Clone, Copy)]
enum Element<'s> {
    Block(&'s Block),
    Nested(&'s NestedAttributes),
}

impl<'s> Element<'s> {
    fn ty(self) -> Type {
        match self {
            Element::Block(block) => block.implied_type().clone(),
            Element::Nested(nested) => nested.element_type(),
        }
    }

    fn place(self) -> Declaration<'s> {
        match self {
            Element::Block(block) => Declaration::Block(block),
            Element::Nested(nested) => Declaration::Attributes(&nested.attributes),
        }
    }
}

impl Merge {
    fn instance(&self, block: &Block, prior: &Value, config: &Value) -> Value {
        match (prior.is_null(), config.is_null()) {
            (true, true) => prior.clone(),
            (true, false) => self.object(block, &block.empty_value(), config),
            (false, _) => self.object(block, prior, config),
        }
    }

    fn object(&self, block: &Block, prior: &Value, config: &Value) -> Value {
        if !config.is_set() {
            return prior.clone();
        }
        let place = Declaration::Block(block);
        self.members(place, block.implied_type(), prior, config)
    }

    /// Every attribute and nested block type of an object, in the order of its type.
    fn members(&self, place: Declaration<'_>, ty: &Type, prior: &Value, config: &Value) -> Value {
        let Some(object) = ty.as_object() else { return config.clone() };
        let merged = object.attributes().iter().map(|(name, ty)| {
            let (prior, config) = (member(prior, name, ty), member(config, name, ty));
            match place.step(&PathStep::Attribute(name.to_string())) {
                Declaration::Attribute(attribute) => self.attribute(attribute, prior, config),
                Declaration::Blocks(nested) => self.nested_block(nested, &prior, config),
                Declaration::Block(_) | Declaration::Attributes(_) | Declaration::Plain => config,
            }
        });
        Value::object_of(ty, merged.collect())
    }

    fn attribute(&self, attribute: &Attribute, prior: Value, config: Value) -> Value {
        if attribute.computed && config.is_null() {
            return if optional_value_not_computable(attribute, &prior) { config } else { prior };
        }
        let Some(nested) = attribute.nested_attributes() else { return config };
        if config.is_unknown() {
            return config;
        }
        let element = Element::Nested(nested);
        match nested.nesting {
            Nesting::Single | Nesting::Group => self.element(element, &prior, &config),
            Nesting::List => self.list(element, &prior, &config),
            Nesting::Map => self.map(element, &prior, &config),
            Nesting::Set => self.set(element, &prior, &config),
            Nesting::Invalid(_) => config,
        }
    }

    fn nested_block(&self, nested: &NestedBlock, prior: &Value, config: Value) -> Value {
        if config.is_unknown() {
            return config;
        }
        let element = Element::Block(&nested.block);
        match nested.nesting {
            Nesting::Single if config.is_null() => config,
            Nesting::Single | Nesting::Group => self.instance(&nested.block, prior, &config),
            Nesting::List => self.list(element, prior, &config),
            Nesting::Map => self.map(element, prior, &config),
            Nesting::Set => self.set(element, prior, &config),
            Nesting::Invalid(_) => config,
        }
    }

    fn element(&self, element: Element<'_>, prior: &Value, config: &Value) -> Value {
        match element {
            Element::Block(block) => self.instance(block, prior, config),
            Element::Nested(_) if config.is_null() => config.clone(),
            Element::Nested(_) => self.members(element.place(), &element.ty(), prior, config),
        }
    }

    fn list(&self, element: Element<'_>, prior: &Value, config: &Value) -> Value {
        let Some(elements) = config.elements() else { return config.clone() };
        let ty = element.ty();
        let merged = elements.iter().enumerate().map(|(idx, config)| match element_at(prior, idx, &ty) {
            Some(prior) => self.element(element, &prior, config),
            None => config.clone(),
        });
        with_children(config, merged.collect())
    }

    fn map(&self, element: Element<'_>, prior: &Value, config: &Value) -> Value {
        let ty = element.ty();
        let merged = config.keyed().into_iter().map(|(key, config)| match prior.entry(key) {
            Some(prior) => self.element(element, prior, config),
            None if self.engine.keeps_new_map_elements_as_configured() => config.clone(),
            None if prior.is_unknown() => self.element(element, &Value::unknown(ty.clone()), config),
            None => self.element(element, &Value::null(ty.clone()), config),
        });
        with_children(config, merged.collect())
    }

    /// Each configured element takes the first free prior one, in canonical order, that could have
    /// come from it. A heuristic: order decides between equally good matches.
    fn set(&self, element: Element<'_>, prior: &Value, config: &Value) -> Value {
        let Some(elements) = config.elements() else { return config.clone() };
        let mut free: Vec<&Value> = prior.elements().unwrap_or_default().iter().collect();
        let merged = elements.iter().map(|config| {
            match free.iter().position(|prior| valid_prior_from_config(element.place(), prior, config)) {
                Some(idx) => self.element(element, free.remove(idx), config),
                None => self.element(element, &Value::null(element.ty()), config),
            }
        });
        with_children(config, merged.collect())
    }
}
