//! Resources whose values arguments of other resources can have.
//!
//! An argument may need what only another resource of the provider makes: an ID, a name, a key. It then refers to
//! that resource, as a user would write it. In a configuration that is built a mark stands for such a value; from
//! the marks of a scenario come its references and the blocks that they refer to (`chain`).

use std::collections::BTreeMap;
use std::sync::Arc;

use super::model::{Form, NodeId, Presence, SchemaModel};
use super::ranking::Offers;
use super::supplier::{Mark, Supplier, marks};
use crate::schema::Schema;
use crate::value::{Type, Value};

/// The most suppliers one behind the other.
pub const LONGEST: usize = 3;

/// A resource type of which an object can be created.
#[derive(Clone, Debug, PartialEq)]
pub struct Supply {
    /// The configuration that was applied, with marks where it refers to other suppliers.
    pub config: Value,
    /// How many suppliers stand one behind the other, with this one.
    length: usize,
}

/// The types that others can refer to, by name. No chain of them has a cycle.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Suppliers(Arc<Known>);

#[derive(Clone, Debug, Default, PartialEq)]
struct Known {
    supplies: BTreeMap<String, Supply>,
    offers: Offers,
}

impl Suppliers {
    /// Adds a type with the configuration that was applied; whether it can be used. It may only refer to types that
    /// are there already, and what was added once stays as it is.
    pub fn add(&mut self, type_name: &str, schema: &Schema, config: &Value) -> bool {
        let behind = marks(config).into_iter().map(|mark| self.get(&mark.supplier.type_name));
        let behind: Option<usize> =
            behind.map(|supply| Some(supply?.length)).try_fold(0, |most, length| Some(most.max(length?)));
        let Some(length) = behind.map(|behind| behind + 1).filter(|length| *length <= LONGEST) else {
            return false;
        };
        if self.get(type_name).is_some() {
            return false;
        }
        let known = Arc::make_mut(&mut self.0);
        known.supplies.insert(type_name.to_owned(), Supply { config: config.clone(), length });
        for attribute in offered(schema, Some(config)) {
            known.offers.add(Supplier { type_name: type_name.to_owned(), attribute });
        }
        let is_mark =
            |name: &str| config.member(name).as_str().is_some_and(|text| Mark::parse(text).is_some());
        for attribute in schema.block.attributes.iter().filter(|attribute| is_mark(&attribute.name)) {
            let attribute = attribute.name.clone();
            known.offers.add_passed(Supplier { type_name: type_name.to_owned(), attribute });
        }
        true
    }

    pub fn get(&self, type_name: &str) -> Option<&Supply> {
        self.0.supplies.get(type_name)
    }

    pub fn is_empty(&self) -> bool {
        self.0.supplies.is_empty()
    }

    /// Everything that can be referred to.
    pub fn offers(&self) -> &Offers {
        &self.0.offers
    }

    /// The values of a node that refers to a supplier; `None` if it cannot.
    ///
    /// The second one refers to a second object, if nothing in the configuration of the type must be unique and is
    /// not.
    pub(super) fn marked(
        &self,
        supplier: &Supplier,
        model: &SchemaModel<'_>,
        id: NodeId,
    ) -> Option<Vec<Value>> {
        let supply = self.get(&supplier.type_name)?;
        let n_objects = if supply.has_twin() { 2 } else { 1 };
        let marks = (0..n_objects).map(|nth| Mark { supplier: supplier.clone(), nth }.value());
        let ty = &model.node(id).ty;
        can_refer(model, id).then(|| {
            let value = |mark| match ty {
                Type::List(inner) => Value::list(Type::clone(inner), vec![mark]),
                Type::Set(inner) => Value::set(Type::clone(inner), vec![mark]),
                _ => mark,
            };
            marks.map(value).collect()
        })
    }
}

impl Supply {
    /// Whether there can be two objects with this configuration that differ only in their words.
    fn has_twin(&self) -> bool {
        let (mut n_texts, mut has_word) = (0, false);
        self.config.walk(&mut |_, value| {
            if let Some(text) = value.as_str().filter(|text| Mark::parse(text).is_none()) {
                n_texts += 1;
                has_word |= crate::scenario::words::of_text(text).next().is_some();
            }
            true
        });
        has_word || n_texts == 0
    }
}

/// The attributes of a type that are texts once it was applied: what the provider computes, and what the
/// configuration sets.
pub fn offered(schema: &Schema, config: Option<&Value>) -> Vec<String> {
    let is_set = |name: &str| {
        let value = config.map(|config| config.member(name));
        value.is_some_and(|value| value.as_str().is_some_and(|text| Mark::parse(text).is_none()))
    };
    let attributes = schema.block.attributes.iter().filter(|attribute| {
        attribute.ty() == Type::String
            && !attribute.write_only
            && !attribute.deprecated
            && (attribute.computed || is_set(&attribute.name))
    });
    attributes.map(|attribute| attribute.name.clone()).collect()
}

/// Whether a node can have the value of another resource: a text, or a list or set of texts.
pub fn can_refer(model: &SchemaModel<'_>, id: NodeId) -> bool {
    let node = model.node(id);
    let is_text = match &node.ty {
        Type::List(inner) | Type::Set(inner) => **inner == Type::String,
        ty => *ty == Type::String,
    };
    matches!(node.form, Form::Leaf)
        && node.presence != Presence::Never
        && (node.write_only || !node.steady)
        && is_text
}

#[cfg(test)]
mod tests {
    use proptest::prelude::*;

    use super::*;
    use crate::generate::ranking::Argument;
    use crate::schema::{Attribute, Block};

    fn schema() -> Schema {
        let attributes = vec![
            Attribute::typed("id", Type::String).computed(),
            Attribute::typed("size", Type::Number).computed(),
            Attribute::typed("name", Type::String).optional(),
            Attribute::typed("other", Type::String).optional(),
            Attribute::typed("secret", Type::String).optional().computed().write_only(),
        ];
        Schema { version: 0, block: Block::new(attributes, vec![]) }
    }

    fn mark(type_name: &str) -> Mark {
        let supplier = Supplier { type_name: type_name.to_owned(), attribute: "id".to_owned() };
        Mark { supplier, nth: 0 }
    }

    fn config(other: &str) -> Value {
        schema().empty_value().with_attribute("other", Value::string(other))
    }

    #[test]
    fn a_type_offers_the_texts_that_its_objects_have() {
        let named = schema().empty_value().with_attribute("name", Value::string("tfcabcdef"));
        assert_eq!(offered(&schema(), None), ["id"]);
        assert_eq!(offered(&schema(), Some(&named)), ["id", "name"]);
        // What it only passes on is the value of another type.
        assert_eq!(offered(&schema(), Some(&config(&mark("acme_network").to_string()))), ["id"]);
    }

    #[test]
    fn what_a_type_passes_on_is_offered_to_who_knows_of_it() {
        let mut suppliers = Suppliers::default();
        let passing = config(&mark("acme_network").to_string());
        assert!(suppliers.add("acme_network", &schema(), &schema().empty_value()));
        assert!(suppliers.add("acme_subnet", &schema(), &passing));
        let passed = Supplier { type_name: "acme_subnet".to_owned(), attribute: "other".to_owned() };
        assert!(suppliers.offers().has(&passed));
        let argument = Argument { name: "subnet", reads: None };
        let ranked = suppliers.offers().ranked(argument, "acme_subnet other");
        assert!(ranked.iter().all(|(_, supplier)| **supplier != passed), "{ranked:?}");
    }

    #[test]
    fn a_second_object_needs_a_name_of_its_own() {
        let twins = |config: Value| {
            let mut suppliers = Suppliers::default();
            assert!(suppliers.add("acme_network", &schema(), &config));
            let schema = schema();
            let model = SchemaModel::new(&schema);
            let id = model.ids().find(|id| model.node(*id).path == "other").unwrap();
            suppliers.marked(&mark("acme_network").supplier, &model, id).unwrap().len()
        };
        assert_eq!(twins(config("tfcabcdef")), 2);
        assert_eq!(twins(schema().empty_value()), 2);
        assert_eq!(twins(config("10.0.0.0/16")), 1);
    }

    proptest! {
        /// Whatever types refer to each other, and in whatever order they come: no chain is too long or a cycle.
        #[test]
        fn a_chain_has_an_end(added in proptest::collection::vec((0..8_u8, proptest::option::of(0..8_u8)), 0..40)) {
            let mut suppliers = Suppliers::default();
            for (own, other) in added {
                let other = other.map_or_else(|| "tfcabcdef".to_owned(), |other| mark(&format!("acme_{other}")).to_string());
                suppliers.add(&format!("acme_{own}"), &schema(), &config(&other));
            }
            for own in 0..8 {
                let behind = |name: &String| {
                    let config = &suppliers.get(name)?.config;
                    marks(config).first().map(|mark| mark.supplier.type_name.clone())
                };
                let chain = std::iter::successors(Some(format!("acme_{own}")), behind);
                prop_assert!(chain.take(LONGEST + 1).count() <= LONGEST);
            }
        }
    }
}
