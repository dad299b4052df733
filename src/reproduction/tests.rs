use std::collections::BTreeSet;
use std::sync::Arc;

use super::*;
use crate::core::Ignored;
use crate::scenario::{
    Arguments, Block, EngineRun, InstanceKey, Lifecycle, MetaArguments, Operation, Repetition,
    ResourceAddress, Source, TemplatePart,
};
use crate::schema::{self, Attribute, Kind, NestedBlock, Nesting, Schema};
use crate::transcript::{DriftKind, ScenarioLabel};
use crate::value::{AttributePath, Type};

fn thing() -> Schema {
    let rule = schema::Block::new(
        vec![
            Attribute::typed("port", Type::Number).optional(),
            Attribute::typed("id", Type::String).computed(),
        ],
        vec![NestedBlock::new(
            "tag",
            Nesting::Map,
            schema::Block::new(vec![Attribute::typed("v", Type::String).optional()], vec![]),
        )],
    );
    let block = schema::Block::new(
        vec![
            Attribute::typed("name", Type::String).required(),
            Attribute::typed("zones", Type::set(Type::String)).optional(),
            Attribute::typed("any", Type::Dynamic).optional(),
            Attribute::nested(
                "size",
                Nesting::List,
                vec![
                    Attribute::typed("cpu", Type::Number).optional(),
                    Attribute::typed("ram", Type::Number).optional(),
                ],
            )
            .optional(),
            Attribute::typed("other", Type::String).optional(),
        ],
        vec![NestedBlock::new("rule", Nesting::List, rule)],
    );
    Schema { version: 0, block }
}

fn provider() -> ProviderSchema {
    let mut provider = ProviderSchema::default();
    provider.resources.insert("acme_thing".to_owned(), Arc::new(thing()));
    provider
}

fn setup(schema: &ProviderSchema) -> Setup<'_> {
    let launch = Launch { command: vec!["/bin/my acme".to_owned()], ..Launch::default() };
    Setup { name: "acme", launch, schema, config: None, applied: true }
}

/// A configuration with a value of each kind, and what of it is unknown at first.
fn arguments(schema: &Schema) -> Arguments {
    let text = |text: &str| Value::string(text);
    let size = |cpu: i64| Value::object([("cpu", Value::number(cpu)), ("ram", Value::null(Type::Number))]);
    let rule_block = &schema.block.block_types[0];
    let tag = Value::object([("v", text("x"))]);
    let tags = Value::map(tag.ty().clone(), [("k \"${q}\"", tag)]);
    let rule = Value::object([("port", Value::number(80)), ("id", Value::null(Type::String)), ("tag", tags)]);
    let zones = |values: Vec<Value>| Value::set(Type::String, values);
    let later = schema
        .empty_value()
        .with_attribute("name", text("a \"b\"\n${c}"))
        .with_attribute("zones", zones(vec![text("x"), text("y")]))
        .with_attribute("any", Value::list(Type::Number, vec![Value::number(1)]))
        .with_attribute("size", Value::list(size(1).ty().clone(), vec![size(1), size(2)]))
        .with_attribute("rule", Value::list(rule.ty().clone(), vec![rule]));
    let now = later
        .with_attribute("zones", zones(vec![text("x"), Value::unknown(Type::String)]))
        .with_attribute("rule", Value::unknown(rule_block.implied_type()));
    Arguments::with_upstream(now, later)
}

fn text_of<'f>(files: &'f [File], name: &str) -> &'f str {
    &files.iter().find(|file| file.name == name).unwrap_or_else(|| panic!("no file {name}")).text
}

#[test]
fn a_configuration_says_what_the_scenario_says() {
    let schema = provider();
    let address = ResourceAddress::new(Kind::Resource, "acme_thing", "a");
    let mut run = EngineRun::new(Operation::Apply, vec![Block::new(address.clone(), arguments(&thing()))]);
    run.blocks[0].meta.lifecycle = Lifecycle {
        create_before_destroy: true,
        ignore_changes: Some(Ignored::Paths(vec![AttributePath::root().attribute("size").index(0)])),
        ..Lifecycle::default()
    };
    let of = address.instance(None);
    let name = AttributePath::root().attribute("name");
    let other = AttributePath::root().attribute("other");
    let known = Arguments::known(thing().empty_value().with_attribute("name", Value::string("b")))
        .refer(other, Source::Attribute { of, path: name.clone() })
        .refer(name, Source::key());
    let mut block = Block::new(ResourceAddress::new(Kind::Resource, "acme_thing", "b"), known);
    block.meta = MetaArguments {
        repetition: Repetition::ForEach(BTreeSet::from(["k".to_owned()])),
        depends_on: BTreeSet::from([address]),
        ..MetaArguments::default()
    };
    run.blocks.push(block);
    let scenario = Scenario::new(ScenarioLabel::default(), vec![run]);
    let files = files(&scenario, &setup(&schema), "").unwrap();
    let text = text_of(&files, "main.tf");
    hcl::parse(text).expect("it is HCL");
    insta::assert_snapshot!(text);
}

#[test]
fn every_block_that_another_refers_to_is_written() {
    let schema = provider();
    let address = |name: &str| ResourceAddress::new(Kind::Resource, "acme_thing", name);
    let null = Value::null(Type::String);
    let config = thing().empty_value().with_attribute("zones", Value::set(Type::String, vec![null.clone()]));
    let source = |of: &str| Source::Attribute {
        of: address(of).instance(None),
        path: AttributePath::root().attribute("name"),
    };
    let zone = AttributePath::root().attribute("zones").with(crate::value::PathStep::Element(null));
    let interpolation = TemplatePart::Interpolation {
        of: address("b").instance(None),
        path: AttributePath::root().attribute("name"),
    };
    let parts = vec![TemplatePart::Literal("of \"".to_owned()), interpolation];
    let own = Arguments::known(config)
        .refer(zone.clone(), source("b"))
        .refer(zone, source("c"))
        .refer(AttributePath::root().attribute("name"), source("c"))
        .refer(AttributePath::root().attribute("other"), Source::Template { parts });
    let named =
        |name: &str| Arguments::known(thing().empty_value().with_attribute("name", Value::string(name)));
    let second = named("two").refer(AttributePath::root().attribute("other"), source("c"));
    let blocks = [("a", own), ("c", named("one")), ("b", second)];
    let blocks = blocks.map(|(name, arguments)| Block::new(address(name), arguments)).to_vec();
    let run = EngineRun::new(Operation::Apply, blocks);
    let scenario = Scenario::new(ScenarioLabel::default(), vec![run]);
    let files = files(&scenario, &setup(&schema), "").unwrap();
    let text = text_of(&files, "main.tf");
    hcl::parse(text).expect("it is HCL");
    insta::assert_snapshot!(text);
}

#[test]
fn a_script_plays_every_run_and_destroys_what_is_left() {
    let schema = provider();
    let address = ResourceAddress::new(Kind::Resource, "acme_thing", "a");
    let block = || Block::new(address.clone(), Arguments::known(thing().empty_value()));
    let mut second = EngineRun::new(Operation::Apply, vec![block()]);
    second.options.replace = vec![address.instance(Some(InstanceKey::Key("it's".to_owned())))];
    let runs = vec![
        EngineRun::new(Operation::Validate, vec![block()]),
        EngineRun::new(Operation::Plan, vec![block()]),
        second,
        EngineRun::destroy(),
    ];
    let scenario = Scenario::new(ScenarioLabel::default(), runs);
    let files = files(&scenario, &setup(&schema), "plan/sample: it holds.\nExpected: nothing.").unwrap();
    insta::assert_snapshot!(text_of(&files, "run.sh"));
    assert_eq!(text_of(&files, "plugins/terraform-provider-acme"), "#!/bin/sh\nexec '/bin/my acme' \"$@\"\n");
    assert!(text_of(&files, "terraform.rc").contains("\"tfconform/acme\" = \"../plugins\""));
}

#[test]
fn drift_cannot_be_written_into_a_configuration() {
    let of = ResourceAddress::new(Kind::Resource, "acme_thing", "a").instance(None);
    let drift = WorldChange::Drift { of, kind: DriftKind::Change, to: None };
    let run = EngineRun::default().after(vec![drift]);
    let scenario = Scenario::new(ScenarioLabel::default(), vec![run]);
    let refused = files(&scenario, &setup(&provider()), "").unwrap_err();
    assert_eq!(refused, Unsupported::Drift("acme_thing.a".to_owned()));
}

#[test]
fn an_engine_deletes_what_somebody_else_deletes_and_is_given_its_state_back() {
    let schema = provider();
    let scenario = with_plan_of_what_is_gone(&two_runs(), Some(0));
    let of: InstanceAddress = "acme_thing.a".parse().unwrap();
    assert_eq!(scenario.runs.len(), two_runs().runs.len() + 1);
    assert_eq!(
        scenario.runs[1].before,
        [WorldChange::Drift { of: of.clone(), kind: DriftKind::Vanish, to: None }]
    );
    assert!(scenario.runs[1].only_looks());
    let lines = "cp terraform.tfstate kept.tfstate\n\
                 step destroy -auto-approve -input=false -target=acme_thing.a\n\
                 cp kept.tfstate terraform.tfstate\n\
                 step plan -input=false\n";
    let files = files(&scenario, &setup(&schema), "").unwrap();
    let script = text_of(&files, "run.sh");
    assert!(script.contains(lines), "{script}");
    // With it an engine would destroy what refers to it.
    let mut used = scenario;
    let path = AttributePath::root().attribute("name");
    let source = Source::Attribute { of, path: path.clone() };
    let address = ResourceAddress::new(Kind::Resource, "acme_thing", "b");
    let arguments = Arguments::known(thing().empty_value()).refer(path, source);
    used.runs[0].blocks.push(Block::new(address, arguments));
    assert_eq!(can_be_played(&used), Err(Unsupported::Drift("acme_thing.a".to_owned())));
}

/// A case in which a plan right after an apply has changes, in its second run.
fn two_runs() -> Scenario {
    let address = ResourceAddress::new(Kind::Resource, "acme_thing", "a");
    let run = |name: &str| {
        let config = thing().empty_value().with_attribute("name", Value::string(name));
        EngineRun::new(Operation::Apply, vec![Block::new(address.clone(), Arguments::known(config))])
    };
    Scenario::new(ScenarioLabel::default(), vec![run("one"), run("a `quoted` two"), EngineRun::destroy()])
}

fn sought(rule: &str) -> Sought<'static> {
    Sought::anywhere(crate::rules::find(rule).expect("the rule exists"))
}

fn go_test_of(scenario: &Scenario, setup: &Setup<'_>, sought: &Sought<'_>) -> Result<String, Unsupported> {
    go_test(scenario, setup, sought, &BTreeSet::new(), (6, "plan-changes-1b71"))
}

#[test]
fn a_go_test_has_a_step_for_each_run() {
    let schema = provider();
    let sought = sought("plan/changes-nothing-needlessly");
    let test = go_test_of(&two_runs(), &setup(&schema), &sought).unwrap();
    insta::assert_snapshot!(test);
    let unapplied = Setup { applied: false, ..setup(&schema) };
    let test = go_test(&two_runs(), &unapplied, &sought, &BTreeSet::new(), (5, "x")).unwrap();
    assert!(test.contains("ProtoV5ProviderFactories: testAccProtoV5ProviderFactories"), "{test}");
    assert_eq!(test.matches("PlanOnly: true,\n\t\t\t\tExpectNonEmptyPlan: true,").count(), 2, "{test}");
}

#[test]
fn a_go_test_of_drift_leaves_the_change_to_the_author_and_wants_it_in_the_plan() {
    let (schema, mut scenario) = (provider(), two_runs());
    let of = ResourceAddress::new(Kind::Resource, "acme_thing", "a").instance(None);
    let to = NewValue { path: "name".to_owned(), value: "other".into() };
    scenario.runs[1] = scenario.runs[0].clone().after(vec![WorldChange::Drift {
        of,
        kind: DriftKind::Change,
        to: Some(to),
    }]);
    let test = go_test_of(&scenario, &setup(&schema), &sought("read/reports-drift")).unwrap();
    let change = r#"PreConfig: func() { changeOutside(t, "change name of acme_thing.a to \"other\" outside of Terraform") },"#;
    assert!(test.contains(change), "{test}");
    assert_eq!(test.matches("ExpectNonEmptyPlan: true,").count(), 1, "{test}");
    assert!(test.contains("func changeOutside(t *testing.T, what string) {"), "{test}");
}

#[test]
fn there_is_no_go_test_of_what_terraform_does_not_show() {
    let schema = provider();
    let refused = |rule: &str| go_test_of(&two_runs(), &setup(&schema), &sought(rule)).unwrap_err();
    assert_eq!(refused("plan/repeats-itself"), Unsupported::Silent);
    // OpenTofu alone shows it.
    assert_eq!(refused("plan/identity-is-known"), Unsupported::Silent);
    let mut targeted = two_runs();
    let of = ResourceAddress::new(Kind::Resource, "acme_thing", "a").instance(None);
    targeted.runs[1].options.targets = vec![of];
    let refused = go_test_of(&targeted, &setup(&schema), &sought("plan/stays-null")).unwrap_err();
    assert_eq!(refused, Unsupported::Options);
}

#[test]
fn a_go_test_has_only_the_runs_that_lead_to_the_finding() {
    let (schema, scenario) = (provider(), two_runs());
    let steps = |runs: Runs, failed: &[usize], said: &[String]| {
        let sought = Sought { runs, said, ..sought("apply/updates-in-place") };
        let failed = failed.iter().copied().collect();
        let test = go_test(&scenario, &setup(&schema), &sought, &failed, (6, "x")).unwrap();
        test.matches("Config: `").count()
    };
    let said = ["Not implemented".to_owned()];
    let in_run = |run| Runs::of(&scenario, Some(run), crate::transcript::Phase::Update);
    assert_eq!(steps(Runs::ALL, &[], &said), 3);
    assert_eq!(steps(in_run(0), &[], &said), 1);
    assert_eq!(steps(in_run(1), &[1], &said), 2, "it fails as the finding says");
    assert_eq!(steps(in_run(1), &[0, 1], &said), 1, "what fails before is left out");
    assert_eq!(steps(in_run(1), &[1], &[]), 1);
}

#[test]
fn a_rust_test_replays_the_case() {
    let file = std::path::Path::new("cases/plan-stays-null-1b717882.jsonl");
    insta::assert_snapshot!(rust_test("plan/stays-null", file));
}
