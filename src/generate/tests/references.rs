//! Arguments that have the values of other resources.

use std::collections::{BTreeMap, BTreeSet};

use super::facts::{Constraint, Fact, ValueFacts};
use super::model::{NodeId, ROOT, SchemaModel};
use super::store::StoreSnapshot;
use super::supplier::{Supplier, marks};
use super::suppliers::can_refer;
use super::*;
use crate::scenario::{EngineRun, InstanceAddress, Source};

const SUPPLIER: &str = "acme_network";

/// The options for the example, of which arguments refer to a network.
fn referring(cases: Cases) -> Options {
    let schema = example_thing();
    let mut suppliers = Suppliers::default();
    let network = schema.empty_value().with_attribute("name", Value::string("tfcabcdef"));
    assert!(suppliers.add(SUPPLIER, &schema, &network));
    let references = ["name", "note"].map(|path| (path.to_owned(), id_of_network())).into();
    let facts = Facts { references, ..Facts::default() };
    Options { facts, suppliers, cases, ..applied(1) }
}

fn id_of_network() -> Supplier {
    Supplier { type_name: SUPPLIER.to_owned(), attribute: "id".to_owned() }
}

/// The places at which the first block of a run refers to others, each with the name of the block.
fn places(run: &EngineRun) -> Vec<(String, String)> {
    let references = run.blocks[0].arguments.references().iter();
    let place = references.map(|reference| {
        let Source::Attribute { of, path } = &reference.source else { panic!("it is to a block") };
        assert_eq!((of.resource.type_name.as_str(), path.to_string().as_str()), (SUPPLIER, "id"));
        (reference.at.to_string(), of.resource.name.clone())
    });
    place.collect()
}

#[test]
fn an_argument_refers_wherever_it_is_set_and_its_supplier_is_there() {
    let schema = example_thing();
    let all = managed(&schema, &referring(Cases::Auto));
    let (mut n_notes, mut n_runs) = (0, 0);
    // Behaviours have several blocks of the type.
    for scenario in all.iter().filter(|scenario| scenario.label.kind == "lifecycle") {
        let about = &scenario.label.about;
        let others: Vec<_> = scenario.runs[0].blocks[1..].to_vec();
        assert!(!others.is_empty(), "{about}");
        for run in scenario.runs.iter().filter(|run| !run.blocks.is_empty()) {
            assert_eq!(run.blocks[1..], others, "{about}");
            let places = places(run);
            let named: Vec<&str> = places.iter().map(|(at, _)| at.as_str()).collect();
            assert!(named.contains(&"name"), "{about}: {named:?}");
            n_notes += usize::from(named.contains(&"note"));
            n_runs += 1;
            assert!(
                places.iter().all(|(_, name)| others.iter().any(|block| block.address.name == *name)),
                "{about}"
            );
            // Marks are no values.
            for block in &run.blocks {
                for config in [block.arguments.resolved(), block.arguments.unresolved()] {
                    assert!(marks(config).is_empty(), "{about}: {config}");
                    let is_left =
                        |at: &str| config.at(&at.parse().unwrap()).is_none_or(|value| value.is_null());
                    assert!(named.iter().all(|at| block.address.name != "a" || is_left(at)), "{about}");
                }
            }
        }
    }
    assert!(n_notes > 0 && n_notes < n_runs, "{n_notes} of {n_runs}");
    let again = managed(&schema, &referring(Cases::Auto));
    assert!(all.iter().zip(&again).all(|(one, other)| one.runs == other.runs));
}

#[test]
fn a_changed_argument_refers_to_a_second_object() {
    let schema = example_thing();
    let all = managed(&schema, &referring(Cases::Auto));
    let changed = all.iter().find(|scenario| {
        scenario.label.about.contains("note") && scenario.label.about.ends_with(": to another value and back")
    });
    let changed = changed.expect("it is changed");
    let of_note =
        |run: &EngineRun| places(run).into_iter().find(|(at, _)| at == "note").map(|(_, name)| name);
    let names: Vec<String> = changed.runs.iter().filter_map(of_note).collect();
    let moved = names.windows(3).any(|names| names[0] == names[2] && names[0] != names[1]);
    assert!(moved, "{names:?}");
}

#[test]
fn what_the_user_chose_refers_to_nothing() {
    let schema = example_thing();
    let mut options = referring(Cases::Number(24));
    options.pins.values.insert("name".to_owned(), vec![serde_json::json!("mine")]);
    for scenario in managed(&schema, &options) {
        for run in scenario.runs.iter().filter(|run| !run.blocks.is_empty()) {
            assert!(places(run).iter().all(|(at, _)| at != "name"));
            assert_eq!(run.blocks[0].arguments.resolved().member("name").as_str(), Some("mine"));
        }
    }
}

#[test]
fn what_is_in_a_set_refers_while_anything_else_in_it_is_unknown() {
    let schema = example_thing();
    let model = SchemaModel::new(&schema);
    let is_in_set = |id: &NodeId| {
        let mut around = std::iter::successors(Some(*id), |id| Some(model.node(*id).parent));
        around
            .by_ref()
            .take_while(|id| *id != ROOT)
            .any(|id| model.node(id).form.nesting() == Some(Nesting::Set))
    };
    let of_sets = model.ids().filter(|id| can_refer(&model, *id) && is_in_set(id));
    let references: BTreeMap<String, Supplier> =
        of_sets.map(|id| (model.node(id).path.clone(), id_of_network())).collect();
    let mut options = referring(Cases::Number(60));
    options.facts.references = references.clone();
    let id = |name: &str| Value::string(&format!("n-{name}"));
    let (mut n_referred, mut n_open) = (0, 0);
    for scenario in managed(&schema, &options) {
        let arguments = scenario.runs.iter().flat_map(|run| run.blocks.first()).map(|block| &block.arguments);
        for arguments in arguments {
            let created =
                |of: &InstanceAddress| Some(schema.empty_value().with_attribute("id", id(&of.resource.name)));
            let used: BTreeSet<&str> =
                arguments.used_instances().map(|of| of.resource.name.as_str()).collect();
            for resolved in [true, false] {
                let (mut found, mut lost) = (BTreeSet::new(), BTreeSet::new());
                let value = arguments.evaluate(resolved, None, &created);
                value.walk(&mut |at, value| {
                    if let Some(name) = value.as_str().and_then(|text| text.strip_prefix("n-")) {
                        assert!(references.contains_key(&at.schema_path().to_string()), "{at}");
                        found.insert(name.to_owned());
                    } else if value.is_unknown() {
                        lost.insert(at.schema_path().to_string());
                    }
                    true
                });
                n_referred += found.len();
                n_open += usize::from(!found.is_empty() && !lost.is_empty());
                // All of it may be unknown.
                let is_all = used.iter().all(|name| found.contains(*name));
                assert!(is_all || !lost.is_empty(), "{}: {value}", scenario.label.about);
                assert!(!resolved || is_all, "{}: {value}", scenario.label.about);
            }
        }
    }
    assert!(n_referred > 20 && n_open > 0, "{n_referred} and {n_open}");
}

#[test]
fn a_write_only_argument_has_the_values_of_the_one_that_is_kept() {
    let optional = |name: &str| Attribute::typed(name, Type::String).optional();
    let attributes = vec![
        optional("name"),
        optional("secret"),
        optional("secret_wo").write_only(),
        optional("mode"),
        optional("mode_wo").write_only(),
        // Neither is a pair.
        optional("mode_two"),
        optional("mode_two_wo"),
        optional("other_wo").write_only(),
    ];
    let schema = Schema { version: 0, block: Block::new(attributes, vec![]) };
    let model = SchemaModel::new(&schema);
    let find = |path: &str| model.ids().find(|id| model.node(*id).path == path).expect(path);
    let mut options = referring(Cases::Auto);
    options.facts.references = [("secret".to_owned(), id_of_network())].into();
    let mut known = ValueFacts::default();
    known.facts.push(Fact::of_user(Constraint::OneOf(vec!["fast".to_owned()])));
    options.facts.values =
        [("mode", known.clone()), ("mode_two", known)].map(|(path, facts)| (path.to_owned(), facts)).into();
    let store = StoreSnapshot::new(&model, &options, true);
    for (path, refers) in [("secret", true), ("secret_wo", true), ("other_wo", false), ("mode_wo", false)] {
        assert_eq!(store.is_reference(find(path)), refers, "{path}");
    }
    for (path, text) in [("mode", Some("fast")), ("mode_wo", Some("fast")), ("mode_two_wo", None)] {
        assert_eq!(store.usual_text(&model, find(path)).as_deref(), text, "{path}");
    }
    assert_eq!(model.node(find("other_wo")).plain_name(), "other");
}
