//! Which object waits for which.

use std::collections::BTreeSet;

use petgraph::algo::toposort;

use super::*;
use crate::scenario::{Arguments, Block, InstanceKey, Source};
use crate::schema::Kind;
use crate::value::{AttributePath, Type, Value};

fn thing(name: &str) -> ResourceAddress {
    ResourceAddress::new(Kind::Resource, "acme_thing", name)
}

fn things(names: &[&str]) -> Blocks {
    Arc::new(names.iter().map(|name| thing(name)).collect())
}

fn block(name: &str, needs: &[&str]) -> Block {
    let null = Value::object([("other", Value::null(Type::String))]);
    let other = AttributePath::root().attribute("other");
    let arguments = needs.iter().fold(Arguments::known(null), |arguments, name| {
        let (of, path) = (thing(name).instance(None), AttributePath::root().attribute("id"));
        arguments.refer(other.clone(), Source::Attribute { of, path })
    });
    Block::new(thing(name), arguments)
}

/// A change of an object that exists, with the same dependencies as its configuration.
fn changed(name: &str, change: Change, needs: &[&str]) -> Vertex {
    let create_before_destroy = change == Change::DestroyReplaced;
    Vertex {
        address: thing(name).instance(None),
        change,
        dependencies: things(needs),
        recorded: things(needs),
        create_before_destroy,
        provider: None,
        is_provisioned: false,
    }
}

fn with_key(index: u64, vertex: Vertex) -> Vertex {
    let address = vertex.address.resource.instance(Some(InstanceKey::Index(index)));
    Vertex { address, ..vertex }
}

/// The objects of a graph in the order of a walk, without the type of their blocks.
fn order(graph: &Graph<Node>) -> Vec<String> {
    let order = toposort(graph, None).expect("there is no cycle");
    let objects = order.iter().filter(|node| graph[**node].has_action());
    objects.map(|node| graph[*node].to_string().replace("acme_thing.", "")).collect()
}

/// The edges between objects and groups, without the type of their blocks.
fn edges(graph: &Graph<Node>) -> BTreeSet<String> {
    let is_inner = |node| matches!(node, &Node::Object(_) | &Node::Group { .. });
    graph
        .raw_edges()
        .iter()
        .map(|edge| (&graph[edge.source()], &graph[edge.target()]))
        .filter(|(first, second)| is_inner(first) && is_inner(second))
        .map(|(first, second)| format!("{first} -> {second}").replace("acme_thing.", ""))
        .collect()
}

fn set(texts: &[&str]) -> BTreeSet<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

#[test]
fn dependencies_reach_through_others() {
    let dependencies = Dependencies::of_blocks(&[block("c", &["b"]), block("b", &["a"]), block("a", &[])]);
    assert_eq!(dependencies.unwrap().of(&thing("c")), things(&["a", "b"]));
}

#[test]
fn a_cycle_is_refused_with_its_blocks() {
    let cycle = Dependencies::of_blocks(&[block("a", &["b"]), block("b", &["a"]), block("c", &[])]);
    assert_eq!(cycle.unwrap_err().to_string(), "acme_thing.a, acme_thing.b");
    let own = Dependencies::of_blocks(&[block("a", &["a"])]);
    assert_eq!(own.unwrap_err().to_string(), "acme_thing.a");
}

#[test]
fn what_is_needed_by_a_block_is_created_first_as_well() {
    let mut blocks = ["a", "b", "c", "d"].map(|name| block(name, &[]));
    blocks[1] = block("b", &["a"]);
    blocks[2] = block("c", &["b"]);
    blocks[1].meta.lifecycle.create_before_destroy = true;
    let dependencies = Dependencies::of_blocks(&blocks).unwrap();
    let found = dependencies.created_first(blocks.iter());
    assert_eq!(found.blocks, [thing("a"), thing("b")].into());
    assert_eq!((found.whole, found.instances), ([thing("b")].into(), [thing("a").instance(None)].into()));
}

#[test]
fn of_a_block_of_which_one_instance_is_used_only_that_one_is_created_first() {
    let mut blocks = ["a", "b", "c"].map(|name| block(name, &[]));
    let used = thing("a").instance(Some(InstanceKey::Index(1)));
    let source = Source::Attribute { of: used.clone(), path: AttributePath::root().attribute("id") };
    blocks[1].arguments = blocks[1].arguments.clone().refer(AttributePath::root().attribute("note"), source);
    blocks[2] = block("c", &["b"]);
    blocks[2].meta.lifecycle.create_before_destroy = true;
    let found = Dependencies::of_blocks(&blocks).unwrap().created_first(blocks.iter());
    assert_eq!(found.blocks, [thing("a"), thing("b"), thing("c")].into());
    let instances = [used, thing("b").instance(None)].into();
    assert_eq!((found.whole, found.instances), ([thing("c")].into(), instances));
}

#[test]
fn dependents_are_destroyed_first_and_created_last() {
    let graph = of_changes(vec![
        changed("a", Change::Apply, &[]),
        changed("a", Change::Destroy(None), &[]),
        changed("b", Change::Destroy(None), &["a"]),
        changed("b", Change::Apply, &["a"]),
    ]);
    assert_eq!(order(&graph.unwrap()), ["b (destroy)", "a (destroy)", "a", "b"]);
}

#[test]
fn a_replaced_object_goes_when_no_dependent_holds_on_to_it() {
    let graph = of_changes(vec![
        changed("a", Change::DestroyReplaced, &[]),
        changed("b", Change::Apply, &["a"]),
        changed("a", Change::Apply, &[]),
    ]);
    assert_eq!(order(&graph.unwrap()), ["a", "b", "a (destroy)"]);
}

#[test]
fn what_is_new_is_there_before_the_replaced_object_goes() {
    let graph = of_changes(vec![
        changed("a", Change::DestroyReplaced, &[]),
        changed("a", Change::Apply, &[]),
        changed("b", Change::Apply, &["a"]),
    ]);
    assert_eq!(edges(&graph.unwrap()), set(&["a -> a (destroy)", "a -> b", "b -> a (destroy)"]));
}

#[test]
fn an_instance_too_many_goes_before_what_uses_the_others() {
    let graph = of_changes(vec![
        with_key(0, changed("a", Change::Destroy(None), &[])),
        with_key(0, changed("a", Change::Apply, &[])),
        with_key(1, changed("a", Change::Destroy(None), &[])),
        with_key(0, changed("b", Change::Apply, &["a"])),
        with_key(1, changed("b", Change::Destroy(None), &["a"])),
    ]);
    let expected = [
        "b[1] (destroy) -> a[0] (destroy)",
        "b[1] (destroy) -> a[1] (destroy)",
        "b[1] (destroy) -> a[0]",
        "a[0] (destroy) -> a[0]",
        "a[0] (destroy) -> a (all, destroy)",
        "a[1] (destroy) -> a (all, destroy)",
        "a[0] -> b[0]",
        "a (all, destroy) -> b[0]",
    ];
    assert_eq!(edges(&graph.unwrap()), set(&expected));
}

#[test]
fn what_is_removed_goes_before_what_it_used_changes() {
    let removed = changed("b", Change::Destroy(None), &["a"]);
    let graph = of_changes(vec![changed("a", Change::Apply, &[]), removed.clone()]);
    assert_eq!(order(&graph.unwrap()), ["b (destroy)", "a"]);
    // Unless it was to be destroyed last.
    let last = Vertex { create_before_destroy: true, ..removed };
    let graph = of_changes(vec![changed("a", Change::Apply, &[]), last]);
    assert_eq!(order(&graph.unwrap()), ["a", "b (destroy)"]);
}

#[test]
fn a_deposed_object_goes_after_the_change_of_what_took_its_place() {
    let deposed = changed("a", Change::Destroy(Some(DeposedKey(1))), &[]);
    let graph = of_changes(vec![deposed, changed("a", Change::Apply, &[])]);
    assert_eq!(order(&graph.unwrap()), ["a", "a (destroy deposed 00000001)"]);
}

#[test]
fn changes_that_wait_for_each_other_are_refused() {
    let graph = of_changes(vec![
        Vertex { dependencies: Blocks::default(), ..changed("a", Change::Destroy(None), &["b"]) },
        Vertex { dependencies: Blocks::default(), ..changed("b", Change::Destroy(None), &["a"]) },
    ]);
    assert_eq!(graph.unwrap_err().to_string(), "acme_thing.a (destroy), acme_thing.b (destroy)");
}

#[test]
fn several_objects_are_waited_for_at_one_node() {
    let several = |name: &str, needs: &'static [&'static str]| {
        let of = changed(name, Change::Apply, needs);
        (0..3).map(move |index| with_key(index, of.clone()))
    };
    let vertices =
        several("a", &[]).chain(several("b", &["a"])).chain([changed("c", Change::Apply, &["a", "b"])]);
    let graph = in_order(vertices.collect()).unwrap();
    let mut expected = set(&["b (all) -> c"]);
    for index in 0..3 {
        expected.extend(set(&[
            &format!("a[{index}] -> a (all)"),
            &format!("a (all) -> b[{index}]"),
            &format!("b[{index}] -> b (all)"),
        ]));
    }
    assert_eq!(edges(&graph), expected);
}

#[test]
fn the_provider_is_there_before_the_first_object_and_until_the_last() {
    let graph =
        in_order(vec![changed("a", Change::Apply, &[]), changed("b", Change::Apply, &["a"])]).unwrap();
    let order: Vec<String> =
        toposort(&graph, None).unwrap().into_iter().map(|node| graph[node].to_string()).collect();
    assert_eq!(order, ["provider", "acme_thing.a", "acme_thing.b", "provider (close)", "root"]);
    assert_eq!(graph.edge_count(), 4);
}

#[test]
fn each_provider_configuration_surrounds_the_objects_that_it_serves() {
    let of_second = |vertex: Vertex| Vertex { provider: Some("second".to_owned()), ..vertex };
    let graph = in_order(vec![
        changed("a", Change::Apply, &[]),
        of_second(changed("b", Change::Apply, &["a"])),
        changed("c", Change::Apply, &["b"]),
    ])
    .unwrap();
    let edges: BTreeSet<String> = graph
        .raw_edges()
        .iter()
        .map(|edge| {
            format!("{} -> {}", graph[edge.source()], graph[edge.target()]).replace("acme_thing.", "")
        })
        .collect();
    for edge in [
        "provider -> a",
        "provider.second -> b",
        "b -> provider.second (close)",
        "c -> provider (close)",
        "provider (close) -> root",
        "provider.second (close) -> root",
    ] {
        assert!(edges.contains(edge), "{edge} is missing: {edges:?}");
    }
    assert!(!edges.contains("provider -> b") && !edges.contains("b -> provider (close)"), "{edges:?}");
}

/// The changes that create first because of what is destroyed, without the type of their blocks.
fn forced(changes: &[Vertex]) -> BTreeSet<String> {
    let forced = force_created_first(changes);
    forced.iter().map(|idx| changes[*idx].to_string().replace("acme_thing.", "")).collect()
}

#[test]
fn what_waits_for_something_that_is_destroyed_last_is_created_first() {
    let removed = Vertex { create_before_destroy: true, ..changed("b", Change::Destroy(None), &["a"]) };
    let replaced = [changed("a", Change::Destroy(None), &[]), changed("a", Change::Apply, &[])];
    let [old, new] = replaced.clone();
    assert_eq!(forced(&[old, new, removed.clone()]), set(&["a", "a (destroy)"]));
    // Without it nothing is.
    assert_eq!(forced(&replaced), set(&[]));
    let usual = Vertex { create_before_destroy: false, ..removed };
    let [old, new] = replaced;
    assert_eq!(forced(&[old, new, usual]), set(&[]));
}

#[test]
fn a_replaced_object_is_created_first_if_what_it_uses_is() {
    let used = [changed("a", Change::Apply, &[]), changed("a", Change::DestroyReplaced, &[])];
    let user = [changed("b", Change::Destroy(None), &["a"]), changed("b", Change::Apply, &["a"])];
    let changes = [used, user].concat();
    let new = &changes[3];
    assert_eq!(forced(&changes), set(&["a", "b", "b (destroy)"]));
    assert_eq!(defect_of_the_order(new, &changes).id, "replaced-with-what-it-uses");
    let updated = Vertex { create_before_destroy: true, ..changed("a", Change::Apply, &[]) };
    assert_eq!(defect_of_the_order(new, &[updated, new.clone()]).id, "replaced-while-what-it-uses-changes");
    assert_eq!(defect_of_the_order(new, std::slice::from_ref(new)).id, "replaced-under-a-removed-dependent");
}
