//! The resources that the resource under test is built on: from marks to references and blocks.

use std::collections::BTreeMap;

use super::choices::scenario_seed;
use super::supplier::{Mark, marks};
use super::suppliers::Suppliers;
use super::witness::{self, Nth};
use crate::scenario::{Arguments, Block, EngineRun, ResourceAddress, Scenario, Source, words};
use crate::schema::Kind;
use crate::value::{AttributePath, Data, PathStep, Value};

/// Replaces the marks in a scenario by references, and adds the blocks that they refer to, to every run.
///
/// All objects of the chain are there from the first run to the last, so that an update can go from one to another.
pub(crate) fn complete(scenario: &mut Scenario, suppliers: &Suppliers) {
    if suppliers.is_empty() {
        return;
    }
    let label = &scenario.label;
    let salt = scenario_seed(label.seed, &label.type_name, u64::from(label.number));
    let mut chain = Chain { suppliers, salt, named: BTreeMap::new(), blocks: Vec::new() };
    for block in scenario.runs.iter_mut().flat_map(|run| &mut run.blocks) {
        block.arguments = chain.referring(&block.arguments);
    }
    // An object that is forgotten has no block, and needs the chain all the same.
    let is_built_on =
        |run: &&mut EngineRun| !(run.blocks.is_empty() && run.removed.is_empty() && run.imports.is_empty());
    for run in scenario.runs.iter_mut().filter(is_built_on) {
        run.blocks.extend(chain.blocks.iter().cloned());
    }
}

struct Chain<'c> {
    suppliers: &'c Suppliers,
    /// Distinguishes the words of the blocks from those of other scenarios.
    salt: u64,
    /// The blocks by type and number.
    named: BTreeMap<(String, usize), ResourceAddress>,
    /// Those that others refer to come first.
    blocks: Vec<Block>,
}

impl Chain<'_> {
    /// The arguments with references in place of marks.
    fn referring(&mut self, arguments: &Arguments) -> Arguments {
        let mut places: Vec<(AttributePath, Mark)> = Vec::new();
        // What is in a block of a set has another path while something else in the block is unknown.
        for value in [arguments.resolved(), arguments.unresolved()] {
            value.walk(&mut |path, value| {
                let found = value.as_str().and_then(Mark::parse).map(|mark| (unmarked_path(path), mark));
                places.extend(found.filter(|found| !places.contains(found)));
                true
            });
        }
        places.iter().fold(arguments.map(unmarked), |arguments, (at, mark)| {
            let Some(of) = self.block(mark) else { return arguments };
            let path = AttributePath::root().attribute(&mark.supplier.attribute);
            arguments.refer(at.clone(), Source::Attribute { of: of.instance(None), path })
        })
    }

    /// The block of a supplier, with those that it refers to.
    fn block(&mut self, mark: &Mark) -> Option<ResourceAddress> {
        let key = (mark.supplier.type_name.clone(), mark.nth);
        if let Some(address) = self.named.get(&key) {
            return Some(address.clone());
        }
        let supply = self.suppliers.get(&key.0)?;
        // The block under test is `a`.
        let letter = char::from(b'b' + u8::try_from(self.named.len()).ok().filter(|n| *n < 25)?);
        let address = ResourceAddress::new(Kind::Resource, &key.0, &letter.to_string());
        self.named.insert(key, address.clone());
        let nth = Nth::new(0, mark.nth as u64);
        let new = |word: &str| witness::word(&format!("{}: {word}", address.type_name), self.salt, nth);
        let config = reworded(&supply.config, &new);
        let arguments = self.referring(&Arguments::known(config));
        self.blocks.push(Block::new(address.clone(), arguments));
        Some(address)
    }
}

/// A value with null in place of marks.
fn unmarked(value: &Value) -> Value {
    if marks(value).is_empty() {
        return value.clone();
    }
    value.transform(&mut |_, value| match value.as_str().and_then(Mark::parse) {
        Some(_) => Value::null(value.ty().clone()),
        None => value,
    })
}

/// The path of a place after that: an element of a set is named by its value.
fn unmarked_path(path: &AttributePath) -> AttributePath {
    AttributePath::new(path.steps().iter().map(|step| match step {
        PathStep::Element(value) => PathStep::Element(unmarked(value)),
        step => step.clone(),
    }))
}

/// A configuration with other words in place of its own; `new` makes one of each.
pub(super) fn reworded(config: &Value, new: &dyn Fn(&str) -> String) -> Value {
    config.transform(&mut |_, value| match value.data() {
        Data::String(text) if words::of_text(text).next().is_some() => {
            let found: Vec<&str> = words::of_text(text).collect();
            let text = found.into_iter().fold(text.to_string(), |text, word| {
                text.replace(word, &in_case_of(word, &new(&word.to_ascii_lowercase())))
            });
            Value::string(&text)
        }
        _ => value,
    })
}

/// A word with its letters in the case of another word's.
fn in_case_of(other: &str, word: &str) -> String {
    let cased = |(other, letter): (char, char)| match other.is_ascii_uppercase() {
        true => letter.to_ascii_uppercase(),
        false => letter,
    };
    other.chars().zip(word.chars()).map(cased).collect()
}

#[cfg(test)]
mod tests {
    use std::collections::BTreeSet;

    use super::super::supplier::Supplier;
    use super::*;
    use crate::scenario::Operation;
    use crate::schema::{Attribute, Schema};
    use crate::transcript::ScenarioLabel;
    use crate::value::Type;

    fn schema() -> Schema {
        let optional = |name: &str| Attribute::typed(name, Type::String).optional();
        let attributes = vec![
            Attribute::typed("id", Type::String).computed(),
            optional("name"),
            optional("network_id"),
            optional("subnet_id"),
            Attribute::typed("subnet_ids", Type::set(Type::String)).optional(),
        ];
        Schema { version: 0, block: crate::schema::Block::new(attributes, vec![]) }
    }

    fn mark(type_name: &str, nth: usize) -> String {
        let supplier = Supplier { type_name: type_name.to_owned(), attribute: "id".to_owned() };
        Mark { supplier, nth }.to_string()
    }

    fn config(members: &[(&str, &str)]) -> Value {
        let set =
            |config: Value, (name, text): &(&str, &str)| config.with_attribute(name, Value::string(text));
        members.iter().fold(schema().empty_value(), set)
    }

    fn suppliers() -> Suppliers {
        let mut suppliers = Suppliers::default();
        assert!(suppliers.add("acme_network", &schema(), &config(&[("name", "net-TFCabcdef")])));
        let subnet = config(&[("name", "tfcabcdef"), ("network_id", &mark("acme_network", 0))]);
        assert!(suppliers.add("acme_subnet", &schema(), &subnet));
        suppliers
    }

    fn completed(configs: &[Value], number: u32) -> Scenario {
        completed_with(configs, number, Vec::new())
    }

    /// The scenario of some configurations, and more runs after theirs.
    fn completed_with(configs: &[Value], number: u32, more: Vec<EngineRun>) -> Scenario {
        let own = ResourceAddress::new(Kind::Resource, "acme_instance", "a");
        let run = |config: &Value| {
            let block = Block::new(own.clone(), Arguments::known(config.clone()));
            EngineRun::new(Operation::Apply, vec![block])
        };
        let label =
            ScenarioLabel { type_name: "acme_instance".to_owned(), number, ..ScenarioLabel::default() };
        let mut scenario = Scenario::new(label, configs.iter().map(run).chain(more).collect());
        complete(&mut scenario, &suppliers());
        scenario
    }

    /// What each block of a run refers to: `acme_subnet.b: network_id = acme_network.c.id`.
    fn references(run: &EngineRun) -> Vec<String> {
        let of_block = |block: &Block| {
            let shown = |source: &Source| match source {
                Source::Attribute { of, path } => format!("{of}.{path}"),
                Source::Template { .. } | Source::InstanceKey { .. } => String::new(),
            };
            let references = block.arguments.references().iter();
            references
                .map(|reference| {
                    format!("{}: {} = {}", block.address, reference.at, shown(&reference.source))
                })
                .collect::<Vec<_>>()
        };
        run.blocks.iter().flat_map(of_block).collect()
    }

    #[test]
    fn a_chain_is_in_every_run_and_each_object_in_it_once() {
        let both =
            config(&[("subnet_id", &mark("acme_subnet", 0)), ("network_id", &mark("acme_network", 0))]);
        let other = both.with_attribute("subnet_id", Value::string(&mark("acme_subnet", 1)));
        let scenario = completed(&[both, other], 1);
        for run in &scenario.runs {
            let names: Vec<String> = run.blocks.iter().map(|block| block.address.to_string()).collect();
            assert_eq!(names, ["acme_instance.a", "acme_network.b", "acme_subnet.c", "acme_subnet.d"]);
        }
        assert_eq!(
            references(&scenario.runs[1]),
            [
                "acme_instance.a: network_id = acme_network.b.id",
                "acme_instance.a: subnet_id = acme_subnet.d.id",
                "acme_subnet.c: network_id = acme_network.b.id",
                "acme_subnet.d: network_id = acme_network.b.id",
            ]
        );
        let own = scenario.runs[0].blocks[0].arguments.resolved();
        assert!(own.member("subnet_id").is_null() && own.member("network_id").is_null());
    }

    #[test]
    fn the_chain_stays_when_an_engine_forgets_the_object() {
        let removed = vec![ResourceAddress::new(Kind::Resource, "acme_instance", "a")];
        let forgets = EngineRun { removed, ..EngineRun::new(Operation::Apply, Vec::new()) };
        let destroys = EngineRun::new(Operation::Apply, Vec::new());
        let built_on = config(&[("network_id", &mark("acme_network", 0))]);
        let scenario = completed_with(&[built_on], 1, vec![forgets, destroys]);
        let n_blocks: Vec<usize> = scenario.runs.iter().map(|run| run.blocks.len()).collect();
        assert_eq!(n_blocks, [2, 1, 0]);
    }

    #[test]
    fn an_element_of_a_set_refers_too() {
        let one = Value::set(Type::String, vec![Value::string(&mark("acme_network", 0))]);
        let scenario = completed(&[schema().empty_value().with_attribute("subnet_ids", one)], 1);
        let arguments = &scenario.runs[0].blocks[0].arguments;
        let created = config(&[]).with_attribute("id", Value::string("n-1"));
        let evaluated = arguments.evaluate(true, None, &|_| Some(created.clone()));
        assert_eq!(evaluated.member("subnet_ids"), Value::set(Type::String, vec![Value::string("n-1")]));
    }

    #[test]
    fn every_object_of_every_scenario_has_words_of_its_own() {
        let two = [mark("acme_subnet", 0), mark("acme_subnet", 1)];
        let configs = two.map(|mark| config(&[("subnet_id", &mark)]));
        let mut seen = BTreeSet::new();
        let mut n_texts = 0;
        for number in 1..=3 {
            let scenario = completed(&configs, number);
            for block in &scenario.runs[0].blocks[1..] {
                let name = block.arguments.resolved().member("name").as_str().unwrap().to_owned();
                let word = words::of_text(&name).next().expect("it keeps a word").to_owned();
                assert_eq!(block.address.type_name == "acme_network", name.starts_with("net-TFC"), "{name}");
                n_texts += 1;
                seen.insert(word.to_ascii_lowercase());
            }
        }
        assert_eq!((n_texts, seen.len()), (9, 9));
        assert_eq!(completed(&configs, 1).runs, completed(&configs, 1).runs);
    }

    #[test]
    fn without_marks_a_scenario_stays_as_it_is() {
        let scenario = completed(&[config(&[("name", "tfcabcdef")])], 1);
        assert_eq!(scenario.runs[0].blocks.len(), 1);
        assert!(references(&scenario.runs[0]).is_empty());
    }
}
