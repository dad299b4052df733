//! Arguments that require others.

use super::*;
use crate::generate::spec::TypeGenerator;

fn certificate() -> Schema {
    let names = ["ca", "key_id", "max_path", "note", "serial"];
    let mut arguments = vec![text("name").required()];
    arguments.extend(names.map(|name| text(name).optional()));
    let subject = NestedBlock {
        name: "subject".to_owned(),
        block: Block::new(vec![text("common_name").optional(), text("country").optional()], vec![]),
        nesting: Nesting::List,
        min_items: 0,
        max_items: 1,
    };
    schema(arguments, vec![subject])
}

/// Facts after the search, if anything was found, and how many questions that took.
fn found(is_right: fn(&Value) -> bool) -> (Option<Facts>, u32) {
    let (schema, options) = (certificate(), Options { seed: 1, apply: true, ..Options::default() });
    let of = Subject { schema: &schema, kind: Kind::Resource, type_name: "acme_cert", options: &options };
    let refused = Answer::Refused { at: Operation::Apply, diagnostics: Vec::new() };
    let mut remote = Gate { is_right, otherwise: refused, asked: Vec::new() };
    let learned = now(find_required_with(of, &mut remote));
    // A finding names its question by this number, and scenarios and earlier questions have others.
    assert!(remote.asked.iter().all(|number| *number > 2_000_000), "{:?}", remote.asked);
    (learned.reached.map(|_| learned.facts), remote.asked.len() as u32)
}

fn together(path: &str, others: &[&str]) -> PresenceRule {
    PresenceRule::Together(path.to_owned(), others.iter().map(|other| (*other).to_owned()).collect())
}

fn has_name(config: &Value) -> bool {
    let blocks = config.member("subject");
    blocks.elements().is_some_and(|blocks| blocks.iter().any(|block| is_set(block, "common_name")))
}

#[test]
fn an_argument_is_set_with_those_that_it_needs() {
    let (facts, n_asked) = found(|config| {
        (!is_set(config, "max_path") || is_set(config, "ca")) && (!is_set(config, "ca") || has_name(config))
    });
    let facts = facts.expect("it is found");
    // The second one follows from the first.
    let expected = [together("ca", &["subject.common_name"]), together("max_path", &["ca"])];
    assert!(facts.rules.iter().eq(&expected), "{:?}", facts.rules);
    assert!(n_asked <= 40, "{n_asked} questions");

    // The next configurations are made by them.
    let options = Options { seed: 1, apply: true, facts, ..Options::default() };
    let schema = certificate();
    let generator = TypeGenerator::new(&schema, Kind::Resource, "acme_cert", &options);
    let id =
        |path: &str| generator.model.ids().find(|id| generator.model.node(*id).path == path).expect(path);
    let shape =
        generator.repaired_around(&generator.with(id("max_path")), &[id("max_path")]).expect("it can be");
    assert!(["max_path", "ca", "subject", "subject.common_name"].iter().all(|path| shape.is_on(id(path))));
}

#[test]
fn nothing_is_said_of_an_argument_that_is_refused_whatever_else_is_set() {
    assert_eq!(found(|config| !is_set(config, "note")).0, None);
    assert_eq!(found(|_| true).0, None);
    // It needs most of the others.
    let (facts, _) = found(|config| {
        let names = ["ca", "key_id", "max_path", "serial"];
        !is_set(config, "note") || names.iter().all(|name| is_set(config, name)) && has_name(config)
    });
    assert_eq!(facts, None);
}
