//! The arguments of a block: values, and references to values from elsewhere.

use serde::{Deserialize, Serialize};

use super::{InstanceAddress, InstanceKey};
use crate::value::{AttributePath, Data, PathStep, Refinements, Type, Value};

/// What a user wrote into a block. Every value has the schema's implied type.
///
/// An argument may be a result of something outside the scenario, such as a `terraform_data` next
/// to the block ([`Upstream`]): it is unknown while the run is planned and known when it is
/// applied. Or it refers to another block of the run ([`Reference`]).
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Arguments {
    /// With every upstream result; null in place of references.
    #[serde(with = "crate::value::typed")]
    resolved: Value,
    /// Without the upstream results; `None` if there are none.
    #[serde(default, skip_serializing_if = "Option::is_none", with = "crate::value::typed::optional")]
    unresolved: Option<Value>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    references: Vec<Reference>,
}

/// An argument set from another block of the run, or from the key of the instance.
///
/// An element of a set is named by its value, with null in place of what is referred to: several such elements have
/// one place.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Reference {
    #[serde(with = "super::stored::path")]
    pub at: AttributePath,
    pub source: Source,
}

/// What a reference refers to. It has the type of the argument.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Source {
    /// An attribute of an instance of another block.
    Attribute {
        of: InstanceAddress,
        #[serde(with = "super::stored::path")]
        path: AttributePath,
    },
    /// A text with attributes of other blocks in it.
    Template { parts: Vec<TemplatePart> },
    /// `count.index` or `each.key`, between two texts.
    InstanceKey {
        #[serde(default, skip_serializing_if = "String::is_empty")]
        before: String,
        #[serde(default, skip_serializing_if = "String::is_empty")]
        after: String,
    },
}

/// A part of a template.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum TemplatePart {
    Literal(String),
    /// An attribute of an instance of another block. Nothing stands in the text for null, which an engine refuses.
    Interpolation {
        of: InstanceAddress,
        #[serde(with = "super::stored::path")]
        path: AttributePath,
    },
}

/// A place that contains the result of something outside the scenario.
#[derive(Clone, Debug, PartialEq)]
pub struct Upstream {
    /// Never the path of a set element: if one comes from upstream, so does the whole set.
    pub at: AttributePath,
    /// What is known while planning: unknown, or with unknowns inside.
    pub planned: Value,
    pub result: Value,
}

impl Arguments {
    /// Arguments without any reference. Unknowns in them stay unknown: such a run can only be planned.
    pub fn known(value: Value) -> Arguments {
        Arguments { resolved: value, unresolved: None, references: Vec::new() }
    }

    /// Arguments of which some come from upstream: `unresolved` while planning, `resolved` afterwards.
    pub fn with_upstream(unresolved: Value, resolved: Value) -> Arguments {
        let unresolved = Some(unresolved).filter(|unresolved| *unresolved != resolved);
        Arguments { resolved, unresolved, references: Vec::new() }
    }

    /// These arguments with one replaced by a reference. Of blocks of a set that are one without their references the
    /// first is kept.
    #[must_use]
    pub fn refer(mut self, at: AttributePath, source: Source) -> Arguments {
        let is_element = matches!(at.steps().last(), Some(PathStep::Element(_)));
        if is_element || self.references.iter().all(|known| known.at != at) {
            self.references.push(Reference { at, source });
        }
        self
    }

    pub fn references(&self) -> &[Reference] {
        &self.references
    }

    /// The instances of other blocks that are referred to.
    pub fn used_instances(&self) -> impl Iterator<Item = &InstanceAddress> {
        self.references.iter().flat_map(|reference| reference.source.used_instances())
    }

    /// The values with every upstream result, null in place of references.
    pub fn resolved(&self) -> &Value {
        &self.resolved
    }

    /// The values without the upstream results.
    pub fn unresolved(&self) -> &Value {
        self.unresolved.as_ref().unwrap_or(&self.resolved)
    }

    /// Whether any of it comes from upstream.
    pub fn has_upstream(&self) -> bool {
        self.unresolved.is_some()
    }

    /// The places of upstream results, outermost first.
    pub fn upstream(&self) -> Vec<Upstream> {
        let mut found = Vec::new();
        if let Some(unresolved) = &self.unresolved {
            differ(unresolved, &self.resolved, &AttributePath::root(), &mut found);
        }
        found
    }

    /// The same with other values: `change` is applied to each of its values.
    #[must_use]
    pub fn map(&self, change: impl Fn(&Value) -> Value) -> Arguments {
        let resolved = change(&self.resolved);
        let unresolved = self.unresolved.as_ref().map(&change).filter(|unresolved| *unresolved != resolved);
        Arguments { resolved, unresolved, references: self.references.clone() }
    }

    /// The configuration of one instance while a run is planned or, if `resolved`, afterwards.
    ///
    /// `result` is what is known about another instance's object; `None` makes the argument unknown.
    pub fn evaluate(
        &self,
        resolved: bool,
        key: Option<&InstanceKey>,
        result: &dyn Fn(&InstanceAddress) -> Option<Value>,
    ) -> Value {
        let start = if resolved { &self.resolved } else { self.unresolved() };
        if self.references.is_empty() {
            return start.clone();
        }
        let results = |at: &AttributePath, ty: &Type| -> Vec<Value> {
            let here = self.references.iter().filter(|reference| reference.at == *at);
            here.map(|reference| reference.source.value(ty, key, result)).collect()
        };
        // All at once: an element of a set is named by its value, which a reference inside it changes.
        start.transform(&mut |at, written| match results(at, written.ty()).into_iter().next() {
            Some(result) => result,
            None => with_more(written, |null| results(&at.with(PathStep::Element(null.clone())), null.ty())),
        })
    }

    /// These arguments with what others have at a place, or at the smallest place around it that both have. All
    /// upstream results are known.
    #[must_use]
    pub(super) fn grafted(&self, others: &Arguments, at: &AttributePath) -> Arguments {
        let (base, full) = (&self.resolved, &others.resolved);
        let around =
            (0..=at.steps().len()).rev().map(|n| AttributePath::new(at.steps()[..n].iter().cloned()));
        let shared = around.into_iter().find_map(|place| {
            base.at(&place)?;
            let new = full.at(&place)?;
            Some((place, new))
        });
        let Some((place, new)) = shared else { return others.without_upstream() };
        let is_inside = |reference: &&Reference| reference.at.steps().starts_with(place.steps());
        let kept = self.references.iter().filter(|reference| !is_inside(reference));
        let references = kept.chain(others.references.iter().filter(is_inside)).cloned().collect();
        Arguments { resolved: base.with_at(&place, new), unresolved: None, references }
    }

    /// The same for a run that starts with every upstream result.
    #[must_use]
    pub fn without_upstream(&self) -> Arguments {
        Arguments { unresolved: None, ..self.clone() }
    }

    /// The same for a run that starts with the upstream result at one place.
    #[must_use]
    pub fn knowing(&self, upstream: &Upstream) -> Arguments {
        let unresolved = self.unresolved().with_at(&upstream.at, upstream.result.clone());
        let references = self.references.clone();
        Arguments { references, ..Arguments::with_upstream(unresolved, self.resolved.clone()) }
    }

    /// The same with only some of the references; the others are left as null.
    #[must_use]
    pub fn with_references(&self, keeps: impl Fn(&Reference) -> bool) -> Arguments {
        let references = self.references.iter().filter(|reference| keeps(reference)).cloned().collect();
        Arguments { references, ..self.clone() }
    }

    /// What is set, whatever it is: unknown in place of references and of upstream results.
    pub fn set(&self) -> Value {
        self.evaluate(false, None, &|_| None)
    }
}

impl Source {
    /// `count.index` or `each.key` alone.
    pub fn key() -> Source {
        Source::InstanceKey { before: String::new(), after: String::new() }
    }

    /// The instances of other blocks that are referred to.
    pub fn used_instances(&self) -> Vec<&InstanceAddress> {
        match self {
            Source::Attribute { of, .. } => vec![of],
            Source::Template { parts } => {
                let of = parts.iter().filter_map(|part| match part {
                    TemplatePart::Interpolation { of, .. } => Some(of),
                    TemplatePart::Literal(_) => None,
                });
                of.collect()
            }
            Source::InstanceKey { .. } => Vec::new(),
        }
    }

    fn value(
        &self,
        ty: &Type,
        key: Option<&InstanceKey>,
        result: &dyn Fn(&InstanceAddress) -> Option<Value>,
    ) -> Value {
        match self {
            Source::InstanceKey { before, after } => match key {
                None => Value::null(ty.clone()),
                Some(InstanceKey::Index(index)) if *ty != Type::String => Value::number(*index as i64),
                Some(key) => Value::string(&format!("{before}{}{after}", key.text())),
            },
            Source::Attribute { of, path } => {
                result(of).and_then(|object| object.at(path)).unwrap_or_else(|| Value::unknown(ty.clone()))
            }
            Source::Template { parts } => {
                let values = parts.iter().map(|part| match part {
                    TemplatePart::Literal(text) => Value::string(text),
                    TemplatePart::Interpolation { of, path } => {
                        let found = result(of).and_then(|object| object.at(path));
                        found.unwrap_or_else(|| Value::unknown(Type::String))
                    }
                });
                rendered(&values.collect::<Vec<_>>())
            }
        }
    }
}

/// The text of a template: of an unknown one an engine knows how it begins.
fn rendered(parts: &[Value]) -> Value {
    let known: String =
        parts.iter().take_while(|part| !part.is_unknown()).filter_map(Value::as_text).collect();
    match parts.iter().any(Value::is_unknown) {
        false => Value::string(&known),
        true => {
            let refinements = Refinements { not_null: true, ..Refinements::of_template(&known) };
            Value::refined(Type::String, refinements)
        }
    }
}

/// A set with all that `results` finds in place of a null, the first of which is there already.
fn with_more(written: Value, results: impl Fn(&Value) -> Vec<Value>) -> Value {
    let (Type::Set(element), Some(elements)) = (written.ty(), written.elements()) else { return written };
    let more = results(&Value::null(Type::clone(element)));
    if more.len() < 2 {
        return written;
    }
    Value::set(Type::clone(element), elements.iter().cloned().chain(more.into_iter().skip(1)).collect())
}

/// The smallest places at which two values differ, without going into sets: their elements have no names.
fn differ(planned: &Value, result: &Value, at: &AttributePath, found: &mut Vec<Upstream>) {
    if planned == result && planned.refinements() == result.refinements() {
        return;
    }
    let is_open = matches!(
        (planned.ty(), planned.data(), result.data()),
        (Type::List(_) | Type::Tuple(_), Data::Elements(_), Data::Elements(_))
            | (_, Data::Map(_), Data::Map(_))
            | (_, Data::Object(_), Data::Object(_))
    );
    let (inside, results) = (planned.children(), result.children());
    let is_same_shape =
        inside.len() == results.len() && inside.iter().zip(&results).all(|((a, _), (b, _))| a == b);
    if is_open && is_same_shape && !inside.is_empty() {
        for ((step, planned), (_, result)) in inside.iter().zip(&results) {
            differ(planned, result, &at.with(step.clone()), found);
        }
    } else {
        found.push(Upstream { at: at.clone(), planned: planned.clone(), result: result.clone() });
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::ResourceAddress;
    use crate::schema::Kind;

    #[test]
    fn upstream_results_stand_at_the_smallest_places_outside_of_sets() {
        let text = |text: &str| Value::string(text);
        let unknown = || Value::unknown(Type::String);
        let object = |name: Value, tags: Vec<Value>, zones: Vec<Value>| {
            let (tags, zones) = (Value::list(Type::String, tags), Value::set(Type::String, zones));
            Value::object([("name", name), ("tags", tags), ("zones", zones), ("size", Value::number(3))])
        };
        let resolved = object(text("web"), vec![text("a"), text("b")], vec![text("x"), text("y")]);
        let unresolved = object(unknown(), vec![text("a"), unknown()], vec![unknown(), text("y")]);
        let arguments = Arguments::with_upstream(unresolved, resolved.clone());
        let found = arguments.upstream();
        let places: Vec<String> = found.iter().map(|upstream| upstream.at.to_string()).collect();
        assert_eq!(places, ["name", "tags[1]", "zones"]);
        assert_eq!(found[0].result, Value::string("web"));
        assert_eq!(arguments.evaluate(true, None, &|_| None), resolved);
    }

    #[test]
    fn several_references_are_elements_of_one_set() {
        let network = |name: &str| ResourceAddress::new(Kind::Resource, "acme_network", name).instance(None);
        let null = || Value::null(Type::String);
        let ids = |values: Vec<Value>| Value::object([("ids", Value::set(Type::String, values))]);
        let at = AttributePath::root().attribute("ids").with(PathStep::Element(null()));
        let source =
            |name| Source::Attribute { of: network(name), path: AttributePath::root().attribute("id") };
        let arguments = Arguments::known(ids(vec![null(), Value::string("own")]))
            .refer(at.clone(), source("a"))
            .refer(at, source("b"));
        let id = |of: &InstanceAddress| {
            Some(Value::object([("id", Value::string(&format!("n-{}", of.resource.name)))]))
        };
        let all = ["n-a", "n-b", "own"].map(Value::string);
        assert_eq!(arguments.evaluate(true, None, &id), ids(all.to_vec()));
        let planned = arguments.evaluate(true, None, &|of| id(of).filter(|_| of.resource.name == "a"));
        let known = Value::unknown(Type::String);
        assert_eq!(planned, ids(vec![Value::string("n-a"), Value::string("own"), known]));
    }

    #[test]
    fn a_reference_is_unknown_until_the_other_object_is_there() {
        let network = ResourceAddress::new(Kind::Resource, "acme_network", "a").instance(None);
        let null = Value::null(Type::String);
        let arguments = Arguments::known(Value::object([("network", null)])).refer(
            AttributePath::root().attribute("network"),
            Source::Attribute { of: network.clone(), path: AttributePath::root().attribute("id") },
        );
        let planned = arguments.evaluate(false, None, &|_| None);
        assert!(planned.member("network").is_unknown());
        let created = Value::object([("id", Value::string("n-1"))]);
        let applied = arguments.evaluate(true, None, &|of| (*of == network).then(|| created.clone()));
        assert_eq!(applied.member("network"), Value::string("n-1"));
    }
}
