//! Which scenarios are generated, and in which order.

use std::collections::BTreeSet;

use super::*;
use crate::generate::facts::PresenceRule;
use crate::generate::obligation::{Obligation, ObligationKind};
use crate::generate::strategy::tiny;
use crate::generate::universe::obligations;
use crate::scenario::{EngineRun, ObligationId};

fn every_obligation(options: &Options) -> Options {
    Options { cases: Cases::Auto, ..options.clone() }
}

/// Every obligation that a scenario is to meet.
fn aimed_at(scenarios: &[Scenario]) -> BTreeSet<ObligationId> {
    let runs = scenarios.iter().flat_map(|scenario| &scenario.runs);
    runs.flat_map(EngineRun::obligations).collect()
}

#[track_caller]
fn assert_all_aimed_at(schema: &Schema, kind: Kind, options: &Options) {
    let all = obligations(schema, kind, "acme_thing", options);
    let scenarios: Vec<Scenario> = scenarios(schema, kind, "acme_thing", options).collect();
    let aimed_at = aimed_at(&scenarios);
    let missing: Vec<String> = (0..)
        .zip(&all)
        .filter(|(id, _)| !aimed_at.contains(&ObligationId(*id)))
        .map(|(_, obligation)| obligation.to_string())
        .collect();
    assert_eq!(missing, [""; 0]);
}

#[test]
fn scenarios_of_a_huge_schema_are_short() {
    let longest = |n_arguments: usize| {
        let argument = |n| Attribute::typed(&format!("argument{n}"), Type::String).optional();
        let block = Block::new((0..n_arguments).map(argument).collect(), vec![]);
        let scenarios = managed(&Schema { version: 0, block }, &applied(21));
        scenarios.iter().map(|scenario| scenario.runs.len()).max().expect("there are scenarios")
    };
    assert!(longest(20) > 20, "{}", longest(20));
    // An argument that is set, changed, changed back and unset takes four.
    assert!(longest(2_000) <= 7, "{}", longest(2_000));
}

#[test]
fn every_obligation_of_the_example_has_its_turn() {
    let schema = example_thing();
    for kind in [Kind::Resource, Kind::DataSource] {
        assert_all_aimed_at(&schema, kind, &every_obligation(&applied(1)));
    }
}

#[test]
fn the_obligations_are_the_same_for_every_seed() {
    let schema = example_thing();
    let of = |seed| obligations(&schema, Kind::Resource, "acme_thing", &Options { seed, ..applied(1) });
    assert_eq!(of(7), of(8));
    let texts: Vec<String> = of(7).iter().map(ToString::to_string).collect();
    let distinct: BTreeSet<&String> = texts.iter().collect();
    assert_eq!(texts.len(), distinct.len());
}

#[test]
fn the_obligations_of_every_shape() {
    let attribute = |name: &str, ty| Attribute::typed(name, ty).optional();
    let attributes = vec![
        Attribute::typed("enabled", Type::Bool).required(),
        Attribute { deprecated: true, ..attribute("old", Type::Bool) },
        attribute("flags", Type::list(Type::Bool)),
        attribute("switches", Type::map(Type::set(Type::Bool))),
        Attribute::nested("one", Nesting::Single, vec![attribute("on", Type::Bool)]).optional(),
    ];
    let inner = || Block::new(vec![attribute("up", Type::Bool), attribute("down", Type::Bool)], vec![]);
    let blocks = vec![
        NestedBlock::new("disk", Nesting::List, inner()).items(0, 3),
        NestedBlock::new(
            "timeouts",
            Nesting::Single,
            Block::new(vec![attribute("create", Type::String)], vec![]),
        ),
    ];
    let schema = Schema { version: 0, block: Block::new(attributes, blocks) };
    let texts: Vec<String> = obligations(&schema, Kind::Resource, "acme_thing", &applied(1))
        .iter()
        .filter(|obligation| {
            !matches!(obligation.kind, ObligationKind::Pair { .. }) || obligation.path.starts_with("disk.")
        })
        .map(ToString::to_string)
        .collect();
    insta::assert_snapshot!(texts.join("\n"), @"
    only required arguments set
    every argument unknown
    every argument set
    applied again
    drift: change
    drift: vanish
    drift: add-element
    drift: respell
    replace/forced
    replace/create-before-destroy
    replace/inherited-order
    replace/triggered
    replace/prevented
    replace/not-destroyed
    state/tainted
    state/tainted-create-before-destroy
    state/provisioner-fails
    state/untainted
    state/deposed
    state/stored-without
    state/recreated
    run/refresh-only
    run/refresh-only-after-drift
    run/without-refresh
    run/interrupted
    run/killed
    run/targeted
    run/orphaned
    run/dependents-first
    ignore/argument
    ignore/all
    ignore/drift
    instances/at-once
    instances/two-configurations
    instances/counted
    instances/not-destroyed
    instances/keyed
    instances/count-added
    instances/key-moved
    instances/moved
    import/forgotten
    walk/random
    walk/two-roads
    walk/schedules
    disk: set
    flags: set
    one: set
    switches: set
    timeouts: set
    disk.down: set
    disk.up: set
    one.on: set
    old: set
    enabled: changed
    enabled: changed back
    flags[]: changed
    flags[]: changed back
    disk.down: changed
    disk.down: changed back
    disk.up: changed
    disk.up: changed back
    one.on: changed
    one.on: changed back
    timeouts.create: changed
    timeouts.create: changed back
    old: changed
    old: changed back
    disk: unset
    flags: unset
    one: unset
    switches: unset
    timeouts: unset
    disk.down: unset
    disk.up: unset
    one.on: unset
    old: unset
    disk.down: unknown at create
    disk.up: unknown at create
    enabled: unknown at create
    flags: unknown at create
    one.on: unknown at create
    switches: unknown at create
    disk: unknown at create
    one: unknown at create
    enabled: unknown at update, then known
    flags[]: unknown at update, then known
    disk.down: unknown at update, then known
    disk.up: unknown at update, then known
    one.on: unknown at update, then known
    flags: grown
    flags: shrunk
    flags: reordered
    switches: grown
    switches: shrunk
    disk: grown
    disk: shrunk
    disk: reordered
    switches: emptied
    switches: from empty to null
    flags: emptied
    flags: from empty to null
    disk: two elements
    disk: optional members null
    disk: many elements
    flags: two elements
    flags: empty
    flags: equal elements
    flags: descending order
    flags: many elements
    flags: a null element
    one: members partly null
    one: optional members null
    switches: two elements
    switches: empty
    switches: a key with a dot
    switches: many elements
    switches: a key with é
    switches: a key with a blank
    switches: a null element
    switches: an empty element
    timeouts: optional members null
    switches[]: two elements
    switches[]: empty
    switches[]: many elements
    disk: two elements, at create
    disk: optional members null, at create
    disk: many elements, at create
    flags: two elements, at create
    flags: empty, at create
    flags: equal elements, at create
    flags: descending order, at create
    flags: many elements, at create
    flags: a null element, at create
    one: members partly null, at create
    one: optional members null, at create
    switches: two elements, at create
    switches: empty, at create
    switches: a key with a dot, at create
    switches: many elements, at create
    switches: a key with é, at create
    switches: a key with a blank, at create
    switches: a null element, at create
    switches: an empty element, at create
    timeouts: optional members null, at create
    switches[]: two elements, at create
    switches[]: empty, at create
    switches[]: many elements, at create
    disk.down set, disk.up set
    disk.down set, disk.up null
    disk.down null, disk.up set
    disk.down null, disk.up null
    ");
}

#[test]
fn the_scenarios_of_the_example_are_packed() {
    let schema = example_thing();
    let scenarios = managed(&schema, &every_obligation(&applied(1)));
    insta::assert_snapshot!(abouts(&scenarios).join("\n"), @"
    only required
    all unknown, only required
    everything on
    absent, name: to another value and back
    every argument: values 1 to 5 of 32
    chosen, disk, group and 2 more: null to value and back
    zones, tags: null to empty and back
    chosen, mapped: elements added, moved, removed
    every collection and object: values 1 to 5 of 8
    each leaf unknown, 1 to 24 of 37
    every argument: values 6 to 10 of 32
    whole blocks unknown
    only required, applied twice
    any, disk[0].size: to another value and back
    drift: change, only required
    drift: vanish, only required
    drift: add-element, chosen alone
    drift: respell, everything on
    the user asks for a replacement (`-replace`): the object is destroyed, then created again
    every optional argument: values 1 to 5 of 32
    every argument of a new object: values 1 to 5 of 32
    pairs of arguments, rows 1 to 4 of 18
    all unknown, everything on
    enabled, rule[0].port: to another value and back
    every argument: values 11 to 15 of 32
    mapped, one, rule and 2 more: null to value and back
    ports, mapped: null to empty and back
    disk, keyed: elements added, moved, removed
    every collection and object: values 1 to 3 of 3
    each leaf unknown, 25 to 37 of 37
    every argument: values 16 to 20 of 32
    everything on, applied twice
    ports[0], choice: to another value and back
    drift: change, everything on
    drift: vanish, everything on
    drift: add-element, everything on
    drift: respell, only required
    an object is replaced, and the new one is created before the old one is destroyed
    every argument of a new object: values 1 to 5 of 8
    pairs of arguments, rows 5 to 8 of 18
    mixed[0], disk[0].path: to another value and back
    every argument: values 21 to 25 of 32
    disk[0].tag, listed, token and 1 more: null to value and back
    listed, chosen: null to empty and back
    tags, layer: elements added, moved, removed
    every collection and object: values 6 to 8 of 8
    every argument: values 26 to 30 of 32
    size, labels[0]: to another value and back
    a block that a create_before_destroy block depends on is replaced: it inherits that order
    every argument of a new object: values 1 to 3 of 3
    pairs of arguments, rows 9 to 12 of 18
    layer[0].any, chosen[0].level: to another value and back
    every argument: values 31 to 32 of 32
    labels, mixed: null to empty and back
    labels, rule: elements added, moved, removed
    note, listed[0].level: to another value and back
    an instance is replaced because another one changes (`replace_triggered_by`)
    every argument of a new object: values 6 to 10 of 32
    pairs of arguments, rows 13 to 16 of 18
    secret, mapped[0].level: to another value and back
    keyed: null to empty and back
    mixed, zone: elements added, moved, removed
    tags[0], zones[0]: to another value and back
    an instance that must not be destroyed (`prevent_destroy`) would be replaced: the engine refuses
    every argument of a new object: values 6 to 8 of 8
    pairs of arguments, rows 17 to 18 of 18
    single.level, chosen[0].mode: to another value and back
    secret, note, choice and 7 more: null to empty and back
    listed, disk[0].tag: elements added, moved, removed
    group.name, keyed[0].label: to another value and back
    a tainted instance is replaced, and its block says `destroy = false`: the engine forgets the old object
    every argument of a new object: values 11 to 15 of 32
    listed[0].mode, mapped[0].mode: to another value and back
    keyed[0].label, group.name, chosen[0].mode and 1 more: null to empty and back
    zones, ports: elements added, moved, removed
    one.name, rule[0].note: to another value and back
    an instance is tainted: it is planned as if it did not exist, then destroyed and created again
    every argument of a new object: values 16 to 20 of 32
    single.mode, zone[0].name: to another value and back
    disk[0].tag[0].key: to another value and back
    an instance is tainted, and the new object is created before the old one is destroyed
    every argument of a new object: values 21 to 25 of 32
    a provisioner fails after an instance is created: it is tainted, and replaced when it is applied again
    every argument of a new object: values 26 to 30 of 32
    an instance is tainted and then untainted: nothing is left to do
    every argument of a new object: values 31 to 32 of 32
    a replacement stopped halfway: a new object is created, and the deposed one is destroyed
    an older release stored the object, without the arguments that the configuration leaves out
    everything is destroyed, and the same configuration is applied again
    a run only reads what exists (`-refresh-only`); nothing has changed
    a run only reads an object that changed outside the engine, and the next run changes it back
    a change is planned with the state as it is (`-refresh=false`)
    the user interrupts a change: the provider is told to stop, and the next run goes on
    the provider is killed during a change, and the next run makes it
    of two changes the user applies one (`-target`), then the other
    a block is removed from the configuration: its instance is destroyed
    a block depends on another one: it is created after it, and destroyed before it
    an argument changes that `ignore_changes` lists: nothing is left to do
    arguments change under `ignore_changes = all`: nothing is left to do
    the object changes outside the engine under `ignore_changes = all`: it stays as it is
    ten instances are created at once, and all of them are changed at once
    two instances, each of a provider configuration of its own (`alias`), are created and changed at once
    the number of instances (`count`) grows from one to three, and shrinks to one
    one of two instances (`count`) goes, and their block says `destroy = false`: the engine forgets it
    of the instances with keys (`for_each`) one is removed and one is added
    a block gets `count = 1` and loses it again: its instance is the same, and nothing is left to do
    an instance gets another key (`moved`), and with it another name
    a block gets another name (`moved`): its instance is the same, and nothing is left to do
    the engine forgets an instance without destroying it (`removed` with `destroy = false`)
    an object that exists is imported by its `id`, with the configuration that it was created with
    an object with every argument set is imported, with the configuration that it was created with
    an object's arguments are changed, one after the other, and once more after it was imported
    an object that exists is to be imported, and the engine writes its configuration (`-generate-config-out`)
    runs in random order: changes, replacements, taints, refreshes, and destroying and creating everything
    objects are created with a configuration, and another one is updated to it: they are the same
    four instances are created one by one in runs of their own, all at once, and in one run one after the other
    ");
    let n_runs: usize = scenarios.iter().map(|scenario| scenario.runs.len()).sum();
    let n_obligations = obligations(&schema, Kind::Resource, "acme_thing", &applied(1)).len();
    assert!(n_obligations > 3 * n_runs, "{n_obligations} in {n_runs} runs");
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(48))]

    #[test]
    fn every_obligation_of_every_schema_has_its_turn(schema in schemas(), apply: bool) {
        // Without objects nothing can change.
        let options = Options { apply, safe_to_run: true, ..every_obligation(&applied(1)) };
        let kind = if apply { Kind::Resource } else { Kind::DataSource };
        assert_all_aimed_at(&schema, kind, &options);
    }
}

#[test]
fn the_default_cases_of_the_example_touch_every_class() {
    let schema = example_thing();
    let scenarios = managed(&schema, &applied(24));
    insta::assert_snapshot!(abouts(&scenarios).join("\n"), @"
    only required
    all unknown, only required
    everything on
    absent, name: to another value and back
    every argument: values 1 to 5 of 32
    chosen, disk, group and 2 more: null to value and back
    zones, tags: null to empty and back
    chosen, mapped: elements added, moved, removed
    every collection and object: values 1 to 5 of 8
    each leaf unknown, 1 to 24 of 37
    every argument: values 6 to 10 of 32
    whole blocks unknown
    only required, applied twice
    any, disk[0].size: to another value and back
    drift: change, only required
    drift: vanish, only required
    drift: add-element, chosen alone
    drift: respell, everything on
    the user asks for a replacement (`-replace`): the object is destroyed, then created again
    every optional argument: values 1 to 5 of 32
    every argument of a new object: values 1 to 5 of 32
    pairs of arguments, rows 1 to 4 of 18
    all unknown, everything on
    enabled, rule[0].port: to another value and back
    ");
}

#[test]
fn a_tiny_schema_has_scenarios_enough_and_no_two_objects_of_one_name() {
    let schema = tiny();
    let scenarios = managed(&schema, &applied(24));
    insta::assert_snapshot!(abouts(&scenarios).join("\n"), @"
    only required
    all unknown, only required
    name: to another value and back
    every argument: values 1 to 5 of 32
    each leaf unknown
    every argument: values 6 to 10 of 32
    only required, applied twice
    drift: change, only required
    drift: vanish, only required
    drift: add-element, only required
    drift: respell, only required
    the user asks for a replacement (`-replace`): the object is destroyed, then created again
    every argument of a new object: values 1 to 5 of 32
    every argument: values 11 to 15 of 32
    every argument: values 16 to 20 of 32
    an object is replaced, and the new one is created before the old one is destroyed
    every argument of a new object: values 6 to 10 of 32
    every argument: values 21 to 25 of 32
    every argument: values 26 to 30 of 32
    a block that a create_before_destroy block depends on is replaced: it inherits that order
    every argument of a new object: values 11 to 15 of 32
    every argument: values 31 to 32 of 32
    an instance is replaced because another one changes (`replace_triggered_by`)
    every argument of a new object: values 16 to 20 of 32
    ");
    let typical: Vec<String> = scenarios
        .iter()
        .filter_map(|scenario| configs(scenario).last().map(|config| config.member("name").to_string()))
        .collect();
    let distinct: BTreeSet<&String> = typical.iter().collect();
    assert_eq!(typical.len(), distinct.len(), "{typical:?}");
}

#[test]
fn other_seeds_give_other_strings_and_the_same_classes() {
    let schema = example_thing();
    let (first, second) =
        (managed(&schema, &applied(24)), managed(&schema, &Options { seed: 8, ..applied(24) }));
    assert_eq!(abouts(&first), abouts(&second));
    assert_ne!(bytes(&schema, &first), bytes(&schema, &second));
}

#[test]
fn fewer_cases_are_a_prefix() {
    let schema = example_thing();
    let (all, few) = (managed(&schema, &applied(50)), managed(&schema, &applied(10)));
    assert_eq!(bytes(&schema, &all[..10]), bytes(&schema, &few));
}

/// Where a provider may plan otherwise because it does not know how many blocks there will be, or what is in
/// them, only the plan made while applying shows it.
#[test]
fn the_blocks_of_every_type_are_unknown_before_an_apply() {
    let schema = example_thing();
    let scenarios = managed(&schema, &applied(24));
    let applied = scenarios.iter().flat_map(|scenario| &scenario.runs).filter(|run| !run.only_looks());
    let arguments: Vec<_> = applied.flat_map(|run| &run.blocks).map(|block| &block.arguments).collect();
    for nested in &schema.block.block_types {
        let name = &nested.name;
        let is_unknown = |before: &Value| match nested.nesting {
            Nesting::List | Nesting::Set => before.member(name).is_unknown(),
            _ => !before.member(name).is_wholly_known(),
        };
        assert!(arguments.iter().any(|given| is_unknown(given.unresolved())), "{name}");
    }
}

#[test]
fn what_the_provider_demands_is_never_unset() {
    let text = |name: &str| Attribute::typed(name, Type::String).optional();
    let schema = Schema { version: 0, block: Block::new(vec![text("note"), text("size")], vec![]) };
    let mut options = every_obligation(&applied(1));
    options.facts.rules.insert(PresenceRule::Required("note".to_owned()));
    let id = |path: &str, kind| Obligation { path: path.into(), kind };
    let all = obligations(&schema, Kind::Resource, "acme_thing", &options);
    for kind in [ObligationKind::Unset, ObligationKind::Nulled] {
        assert!(all.contains(&id("size", kind.clone())));
        assert!(!all.contains(&id("note", kind)));
    }
    let infeasible = infeasible(&schema, Kind::Resource, "acme_thing", &options);
    assert!(infeasible.iter().any(|(obligation, _)| *obligation == id("note", ObligationKind::Unset)));
    assert_all_aimed_at(&schema, Kind::Resource, &options);
}
