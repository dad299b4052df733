//! Arguments as expressions of the configuration language.

use super::upstream::Upstream;
use crate::scenario::{InstanceAddress, InstanceKey, Reference, Repetition, Source, TemplatePart};
use crate::schema::{Attribute, AttributeKind, NestedAttributes, Nesting};
use crate::value::{AttributePath, Data, PathStep, Type, Value};

/// Writes the arguments of one block.
pub(super) struct Expressions<'a> {
    pub references: &'a [Reference],
    pub repetition: &'a Repetition,
    pub upstream: &'a mut Upstream,
}

impl Expressions<'_> {
    /// What an attribute is set to: `now` while the run is planned, and `later` when it is applied.
    pub fn attribute(
        &mut self,
        attribute: &Attribute,
        now: &Value,
        later: &Value,
        at: &AttributePath,
    ) -> String {
        match &attribute.kind {
            AttributeKind::Typed(ty) => self.typed(now, later, ty, at),
            AttributeKind::Nested(nested) => self.nested(now, later, nested, at),
            AttributeKind::Invalid(_) => self.typed(now, later, &Type::Dynamic, at),
        }
    }

    /// The reference at a place, if there is one.
    pub fn reference(&self, at: &AttributePath) -> Option<String> {
        self.references_at(at).into_iter().next()
    }

    fn references_at(&self, at: &AttributePath) -> Vec<String> {
        let here = self.references.iter().filter(|reference| reference.at == *at);
        let written = |reference: &Reference| match &reference.source {
            Source::Attribute { of, path } => format!("{}{}", instance(of), steps(path)),
            Source::InstanceKey { before, after } => self.key(before, after),
            Source::Template { parts } => template(parts),
        };
        here.map(written).collect()
    }

    /// The key of an instance between two texts.
    fn key(&self, before: &str, after: &str) -> String {
        let key = match self.repetition {
            Repetition::None => return "null".to_owned(),
            Repetition::Count(_) => "count.index",
            Repetition::ForEach(_) => "each.key",
        };
        if before.is_empty() && after.is_empty() {
            return key.to_owned();
        }
        format!("\"{}${{{key}}}{}\"", in_quotes(before), in_quotes(after))
    }

    /// A nested attribute: an object leaves out what is null.
    fn nested(
        &mut self,
        now: &Value,
        later: &Value,
        nested: &NestedAttributes,
        at: &AttributePath,
    ) -> String {
        let is_one = matches!(nested.nesting, Nesting::Single | Nesting::Group | Nesting::Invalid(_));
        if !now.is_set() || self.reference(at).is_some() {
            return self.typed(now, later, nested.implied_type(), at);
        }
        if is_one {
            return self.nested_object(now, later, nested, at);
        }
        match now.data() {
            Data::Map(_) | Data::Object(_) => {
                let entries = now.children().into_iter().map(|(step, element)| {
                    let at = at.with(step.clone());
                    let later = after(later, &step, element);
                    (key_of(&step), self.nested_element(element, &later, nested, &at))
                });
                braces(entries.collect())
            }
            _ => {
                let elements = pairs(now, later).into_iter().enumerate().map(|(idx, (element, later))| {
                    self.nested_element(element, later, nested, &place_of_element(at, now, idx, element))
                });
                brackets(elements.collect())
            }
        }
    }

    fn nested_element(
        &mut self,
        now: &Value,
        later: &Value,
        nested: &NestedAttributes,
        at: &AttributePath,
    ) -> String {
        if now.is_set() {
            self.nested_object(now, later, nested, at)
        } else {
            self.typed(now, later, now.ty(), at)
        }
    }

    fn nested_object(
        &mut self,
        now: &Value,
        later: &Value,
        nested: &NestedAttributes,
        at: &AttributePath,
    ) -> String {
        let mut members = Vec::new();
        for attribute in &nested.attributes {
            let at = at.attribute(&attribute.name);
            let (now, later) = (now.member(&attribute.name), later.member(&attribute.name));
            if !now.is_null() || self.reference(&at).is_some() {
                members.push((attribute.name.clone(), self.attribute(attribute, &now, &later, &at)));
            }
        }
        braces(members)
    }

    /// A plain value that becomes one of type `ty` by itself.
    pub fn typed(&mut self, now: &Value, later: &Value, ty: &Type, at: &AttributePath) -> String {
        if let Some(reference) = self.reference(at) {
            return reference;
        }
        match now.data() {
            Data::Null => "null".to_owned(),
            Data::Unknown(_) if later.is_unknown() => "null".to_owned(),
            // The outputs of a resource have types even before they are known, and those of what is parsed
            // have none. An engine mistakes one for the other in the plan.
            Data::Unknown(_) if now.ty().has_dynamic() => {
                let result = format!("jsonencode({})", literal(later, ty));
                format!("jsondecode({})", self.upstream.result(result))
            }
            Data::Unknown(_) => self.upstream.result(collection(later, ty)),
            Data::Bool(_) | Data::Number(_) | Data::String(_) => now.to_string(),
            Data::Elements(_) => {
                let elements = pairs(now, later).into_iter().enumerate();
                let elements = elements.flat_map(|(idx, (element, later))| {
                    let at = place_of_element(at, now, idx, element);
                    // Several references of a set have one place.
                    match self.references_at(&at) {
                        all if all.is_empty() => vec![self.typed(element, later, element_type(ty, idx), &at)],
                        all => all,
                    }
                });
                let list = brackets(elements.collect());
                match (ty, now.ty()) {
                    (Type::Dynamic, Type::List(_)) => format!("tolist({list})"),
                    (Type::Dynamic, Type::Set(_)) => format!("toset({list})"),
                    _ => list,
                }
            }
            Data::Map(_) | Data::Object(_) => {
                let entries = now.children().into_iter().map(|(step, element)| {
                    let at = at.with(step.clone());
                    let later = after(later, &step, element);
                    (key_of(&step), self.typed(element, &later, member_type(ty, &step), &at))
                });
                let object = braces(entries.collect());
                match (ty, now.ty()) {
                    (Type::Dynamic, Type::Map(_)) => format!("tomap({object})"),
                    _ => object,
                }
            }
        }
    }
}

/// A known value.
pub(super) fn literal(value: &Value, ty: &Type) -> String {
    let mut upstream = Upstream::none();
    let mut known = Expressions { references: &[], repetition: &Repetition::None, upstream: &mut upstream };
    known.typed(value, value, ty, &AttributePath::root())
}

/// A known value as an expression of its own: a list in brackets would be a tuple, whose length is known even
/// while its elements are not.
fn collection(value: &Value, ty: &Type) -> String {
    let literal = literal(value, ty);
    match ty {
        _ if value.is_null() => literal,
        Type::List(_) => format!("tolist({literal})"),
        Type::Set(_) => format!("toset({literal})"),
        Type::Map(_) => format!("tomap({literal})"),
        _ => literal,
    }
}

/// What is at a step of the result; `now` if there is nothing.
pub(super) fn after(later: &Value, step: &PathStep, now: &Value) -> Value {
    later.at(&AttributePath::new([step.clone()])).unwrap_or_else(|| now.clone())
}

/// The place of an element of a collection: in a set it is named by its value.
pub(super) fn place_of_element(
    at: &AttributePath,
    collection: &Value,
    idx: usize,
    element: &Value,
) -> AttributePath {
    match collection.ty() {
        Type::Set(_) => at.with(PathStep::Element(element.clone())),
        _ => at.index(idx),
    }
}

/// Each element, and what it will be.
///
/// Unknown elements of a set have no names: they become what the set has besides the known ones, in order.
pub(super) fn pairs<'v>(now: &'v Value, later: &'v Value) -> Vec<(&'v Value, &'v Value)> {
    let (elements, results) = (now.elements().unwrap_or_default(), later.elements().unwrap_or_default());
    if !matches!(now.ty(), Type::Set(_)) {
        let result = |(idx, element): (usize, &'v Value)| (element, results.get(idx).unwrap_or(element));
        return elements.iter().enumerate().map(result).collect();
    }
    let mut new = results.iter().filter(|result| !elements.contains(result));
    let mut last = results.first();
    let pair = |element: &'v Value| {
        if element.is_wholly_known() {
            return (element, element);
        }
        last = new.next().or(last);
        (element, last.unwrap_or(element))
    };
    elements.iter().map(pair).collect()
}

fn element_type(ty: &Type, idx: usize) -> &Type {
    match ty {
        Type::Tuple(tuple) => tuple.elements().get(idx).unwrap_or(&Type::Dynamic),
        other => other.element().unwrap_or(&Type::Dynamic),
    }
}

fn member_type<'t>(ty: &'t Type, step: &PathStep) -> &'t Type {
    match (ty, step) {
        (Type::Object(object), PathStep::Attribute(name)) => object.get(name).unwrap_or(&Type::Dynamic),
        (other, _) => other.element().unwrap_or(&Type::Dynamic),
    }
}

/// The key or attribute name that a step into a map or object names.
pub(super) fn name(step: &PathStep) -> String {
    match step {
        PathStep::Attribute(name) | PathStep::Key(name) => name.clone(),
        PathStep::Index(index) => index.to_string(),
        PathStep::Element(value) => value.to_string(),
    }
}

/// A step as the key of an object expression: in quotes unless it is an identifier.
fn key_of(step: &PathStep) -> String {
    let name = name(step);
    let is_plain = name.chars().all(|c| c.is_ascii_alphanumeric() || c == '_')
        && name.starts_with(|c: char| c.is_ascii_alphabetic())
        && name != "for";
    if is_plain { name } else { quoted(&name) }
}

pub(super) fn quoted(text: &str) -> String {
    Value::string(text).to_string()
}

/// A text as it stands between quotes.
fn in_quotes(text: &str) -> String {
    let quoted = quoted(text);
    quoted[1..quoted.len() - 1].to_owned()
}

fn template(parts: &[TemplatePart]) -> String {
    let parts = parts.iter().map(|part| match part {
        TemplatePart::Literal(text) => in_quotes(text),
        TemplatePart::Interpolation { of, path } => format!("${{{}{}}}", instance(of), steps(path)),
    });
    format!("\"{}\"", parts.collect::<String>())
}

pub(super) fn brackets(elements: Vec<String>) -> String {
    format!("[{}]", elements.join(", "))
}

pub(super) fn braces(members: Vec<(String, String)>) -> String {
    if members.is_empty() {
        return "{}".to_owned();
    }
    let members: Vec<String> = members.into_iter().map(|(name, value)| format!("{name} = {value}")).collect();
    format!("{{ {} }}", members.join(", "))
}

/// An instance, as configurations and options name it.
pub(super) fn instance(address: &InstanceAddress) -> String {
    let key = match &address.key {
        None => String::new(),
        Some(InstanceKey::Index(index)) => format!("[{index}]"),
        Some(InstanceKey::Key(key)) => format!("[{}]", quoted(key)),
    };
    format!("{}{key}", address.resource)
}

/// The steps from an object to a place in it: `.rule[0].name`.
pub(super) fn steps(path: &AttributePath) -> String {
    path.steps().iter().map(step_text).collect()
}

fn step_text(step: &PathStep) -> String {
    match step {
        PathStep::Attribute(name) => format!(".{name}"),
        PathStep::Key(key) => format!("[{}]", quoted(key)),
        PathStep::Index(index) => format!("[{index}]"),
        // Paths of references and of ignored changes have none.
        PathStep::Element(value) => format!("[{value}]"),
    }
}
