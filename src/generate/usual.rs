//! What the arguments of a type usually are, for those who make a scenario smaller.

use std::collections::{BTreeMap, BTreeSet};

use super::Options;
use super::facts::PresenceRule;
use super::model::{Form, SchemaModel};
use super::spec::{ConfigSpec, TypeGenerator};
use super::supplier::marks;
use crate::schema::{Kind, Schema};
use crate::value::{PathStep, Value};

/// The usual arguments of a type, by schema path.
#[derive(Clone, Debug, Default)]
pub struct Usual {
    /// The optional arguments of the smallest configuration: those that the user pinned, and those that the
    /// provider is known to demand.
    pub demanded: BTreeSet<String>,
    /// Which arguments may, must or must not be set together.
    pub rules: BTreeSet<PresenceRule>,
    /// The simplest value of each argument, without those that are values of other resources.
    pub values: BTreeMap<String, Value>,
}

impl Usual {
    /// `number` is that of the scenario whose words the values have.
    pub fn of(schema: &Schema, kind: Kind, type_name: &str, options: &Options, number: u32) -> Usual {
        let generator = TypeGenerator::new(schema, kind, type_name, options);
        let everything = ConfigSpec::plain(generator.everything().clone());
        let config = generator.config(u64::from(number), &everything);
        let leaves = leaves(&generator.model);
        let mut values = BTreeMap::new();
        config.walk(&mut |at, value| {
            let path = at.schema_path().to_string();
            let is_leaf = matches!(at.steps().last(), Some(PathStep::Attribute(_))) && leaves.contains(&path);
            if is_leaf && value.is_set() && marks(value).is_empty() {
                values.entry(path).or_insert_with(|| value.clone());
            }
            !is_leaf
        });
        Usual {
            demanded: generator.minimal.paths(&generator.model),
            rules: generator.facts.rules.clone(),
            values,
        }
    }
}

fn leaves(model: &SchemaModel<'_>) -> BTreeSet<String> {
    let is_leaf = |id: &usize| matches!(model.node(*id).form, Form::Leaf);
    model.ids().filter(is_leaf).map(|id| model.node(id).path.clone()).collect()
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::Pins;
    use crate::rule::example;
    use crate::value::Type;

    #[test]
    fn pinned_arguments_are_demanded_and_have_the_value_that_was_chosen() {
        let schema = example::schema().resources[example::THING].clone();
        let mut pins = Pins::default();
        pins.values.insert("note".to_owned(), vec![serde_json::json!("chosen")]);
        let options = Options { pins, ..Options::default() };
        let usual = Usual::of(&schema, Kind::Resource, example::THING, &options, 1);
        assert!(usual.demanded.contains("note"));
        assert_eq!(usual.values["note"], Value::string("chosen"));
        assert_eq!(usual.values["name"].ty(), &Type::String);
        assert!(!usual.values.contains_key("disk"), "a block is no value: {:?}", usual.values.keys());
    }
}
