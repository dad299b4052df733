//! Configurations at which an engine does not stop.

use super::*;

/// The rules with which an engine does not stop, if any were found, and how many questions that took.
fn avoiding(schema: &Schema, is_right: fn(&Value) -> bool) -> (Option<Vec<PresenceRule>>, u32) {
    let options = Options { seed: 1, apply: true, ..Options::default() };
    let of = Subject { schema, kind: Kind::Resource, type_name: "acme_thing", options: &options };
    let stopped = Answer::Broken("an engine stops here".to_owned());
    let mut engine = Gate { is_right, otherwise: stopped, asked: Vec::new() };
    let learned = now(avoid_stop(of, &mut engine));
    (learned.reached.map(|_| learned.facts.rules.into_iter().collect()), engine.asked.len() as u32)
}

fn required(names: &[&str]) -> Option<Vec<PresenceRule>> {
    Some(names.iter().map(|name| PresenceRule::Required((*name).to_owned())).collect())
}

/// With twenty optional arguments and a block.
fn wide() -> Schema {
    let arguments = (0..20).map(|n| text(&format!("a{n:02}")).optional());
    let members = Block::new(vec![text("path").optional(), text("port").optional()], vec![]);
    let check = NestedBlock {
        name: "check".to_owned(),
        block: members,
        nesting: Nesting::List,
        min_items: 0,
        max_items: 1,
    };
    schema([text("name").required()].into_iter().chain(arguments).collect(), vec![check])
}

#[test]
fn the_fewest_arguments_that_help_are_set() {
    let (rules, n_asked) = avoiding(&wide(), |config| is_set(config, "a07"));
    assert_eq!(rules, required(&["a07"]));
    assert!(n_asked <= 14, "{n_asked} questions");
    let (rules, _) = avoiding(&wide(), |config| is_set(config, "a03") && is_set(config, "a19"));
    assert_eq!(rules, required(&["a03", "a19"]));
}

#[test]
fn a_block_that_helps_is_there() {
    let has_check =
        |config: &Value| config.member("check").elements().is_some_and(|blocks| !blocks.is_empty());
    let (rules, _) = avoiding(&wide(), has_check);
    assert_eq!(rules, required(&["check"]));
}

#[test]
fn one_argument_that_an_engine_stops_at_is_left_out() {
    let is_right = |config: &Value| is_set(config, "a07") && !is_set(config, "a11");
    let (rules, _) = avoiding(&wide(), is_right);
    let forbidden = PresenceRule::Forbidden("a11".to_owned());
    assert_eq!(rules, required(&["a07"]).map(|rules| rules.into_iter().chain([forbidden]).collect()));
}

#[test]
fn nothing_is_learned_where_nothing_helps_or_nothing_is_wrong() {
    assert_eq!(avoiding(&wide(), |_| true), (None, 1));
    let (rules, n_asked) = avoiding(&wide(), |_| false);
    assert_eq!(rules, None);
    assert!(n_asked <= 40, "{n_asked} questions");
}
