//! Graphs of 100, 1,000 and 10,000 instances, planned, applied and destroyed on the reference provider in
//! memory: time and memory for an instance should not depend on how many there are.
//!
//! Each size is played in a process of its own, whose peak memory is then its own, too. A process plays as many
//! graphs as make ten thousand instances, one after the other: a hundred alone are over in 40 ms, and figures for them
//! differ by half from one process to the next.

mod support;

use std::process::Command;
use std::sync::Arc;

use support::table::Goal;
use support::{PROCESSES, ROUNDS, Spread, Table, block_on, own_times};
use tfconform::engine::Engine;
use tfconform::lifecycle::{self, End, Played};
use tfconform::process::Usage;
use tfconform::provider::client::Client;
use tfconform::provider::pool::{Member, NoProcess, Pool};
use tfconform::reference::Offered;
use tfconform::reference::schema::world::{ATTACHMENT, DISK, KEY, MACHINE, NETWORK, SUBNET};
use tfconform::reference::serve::{Behaviour, in_memory, store_below};
use tfconform::scenario::{
    Arguments, Block, EngineRun, InstanceAddress, InstanceKey, Operation, Repetition, ResourceAddress,
    Scenario, Source,
};
use tfconform::schema::{Kind, ProviderSchema};
use tfconform::transcript::{ScenarioLabel, Subject};
use tfconform::value::{AttributePath, Value};

const SIZES: [usize; 3] = [100, 1_000, LARGEST];
const LARGEST: usize = 10_000;

/// Tells a process what to play: the name of a shape and a number of instances.
const PART: &str = "TFCONFORM_GRAPH_PART";

/// How the instances of a graph depend on each other.
struct Shape {
    name: &'static str,
    about: &'static str,
    blocks: fn(&ProviderSchema, usize) -> Vec<Block>,
}

const SHAPES: [Shape; 2] = [
    Shape { name: "clusters", about: "many blocks, with up to four instances each", blocks: clusters },
    Shape {
        name: "chain",
        about: "five blocks with many instances, each depending on the one before",
        blocks: chain,
    },
];

fn main() {
    match std::env::var(PART) {
        Ok(part) => measure(&part),
        Err(_) => SHAPES.iter().for_each(compare),
    }
}

/// What one process measured, for one of its graphs.
struct Measured {
    n_calls: f64,
    user_ms: f64,
    /// In the kernel: for the provider's files, and for memory that was never used before. Both depend more on
    /// the machine than on us.
    system_ms: f64,
    memory_kib: f64,
}

/// What is shown, its unit, and the size that the largest one is compared with.
type Row = (&'static str, &'static str, fn(&Measured) -> f64, Option<usize>);

fn compare(shape: &Shape) {
    let mut table = Table::new(format!(
        "graph: {}, planned, applied and destroyed in memory, the middle of {ROUNDS} rounds",
        shape.about
    ));
    let measured = SIZES.map(|size| (0..ROUNDS).map(|_| in_own_process(shape, size)).collect::<Vec<_>>());
    let of = |idx: usize, value: fn(&Measured) -> f64| {
        Spread::of(measured[idx].iter().map(move |measured| value(measured) / SIZES[idx] as f64))
    };
    for (idx, size) in SIZES.iter().enumerate() {
        table.row(
            &format!("{size} instances"),
            of(idx, |measured| measured.n_calls),
            "calls/instance",
            Goal::None,
        );
    }
    // What a hundred instances take is too little memory to compare with.
    let rows: [Row; 3] = [
        ("user time", "ms/instance", |measured| measured.user_ms, Some(0)),
        ("system time", "ms/instance", |measured| measured.system_ms, None),
        ("memory", "KiB/instance", |measured| measured.memory_kib, Some(1)),
    ];
    let last = SIZES.len() - 1;
    for (what, unit, value, least) in rows {
        for (idx, size) in SIZES.iter().enumerate() {
            table.row(&format!("{what}, {size} instances"), of(idx, value), unit, Goal::None);
        }
        if let Some(least) = least {
            // Other processes make some rounds slower, and none faster.
            let growth = Spread::of([of(last, value).least / of(least, value).least]);
            let name = format!("{what}, {} instances / {}", SIZES[last], SIZES[least]);
            table.row(&name, growth, "", Goal::AtMost(1.2));
        }
    }
    table.print();
}

fn in_own_process(shape: &Shape, size: usize) -> Measured {
    let program = std::env::current_exe().expect("a process knows its program");
    let output = Command::new(program).env(PART, format!("{} {size}", shape.name)).output();
    let output = output.expect("the program starts again");
    let text = String::from_utf8_lossy(&output.stdout);
    let numbers: Vec<f64> = text.split_whitespace().filter_map(|word| word.parse().ok()).collect();
    let [n_calls, user_ms, system_ms, memory_kib] = numbers[..] else {
        panic!("{text}{}", String::from_utf8_lossy(&output.stderr))
    };
    Measured { n_calls, user_ms, system_ms, memory_kib }
}

fn measure(part: &str) {
    let (name, size) = part.split_once(' ').expect("a shape and a size");
    let shape = SHAPES.iter().find(|shape| shape.name == name).expect("one of the shapes");
    let size = size.parse().expect("a number of instances");
    let scratch = tempfile::tempdir().expect("a folder can be made");
    let (store, types) = (store_below(scratch.path()), Offered::World);
    let behaviour = Behaviour { protocol: 6, seed: 1, store, faults: Vec::new(), types, log: None };
    let schema = Arc::new(types.provider(6, &types.definitions(6)));
    let scenario = |size| {
        let label = ScenarioLabel { type_name: MACHINE.to_owned(), ..ScenarioLabel::default() };
        Scenario::new(label, vec![EngineRun::new(Operation::Apply, (shape.blocks)(&schema, size))])
    };
    // What is done only once is done before.
    play(&scenario(10), &behaviour, &schema);
    let scenario = scenario(size);
    let n_graphs = LARGEST / size;
    let mut n_calls = 0;
    let (cpu_before, before) = (own_times(), Usage::own());
    for _ in 0..n_graphs {
        let played = play(&scenario, &behaviour, &schema);
        assert_eq!(played.end, End::Done);
        assert!(played.state.is_empty(), "everything is destroyed at the end");
        n_calls = played.transcript.exchanges.len();
    }
    let (cpu, after) = (own_times(), Usage::own());
    let [user_ms, system_ms] =
        [0, 1].map(|idx| (cpu[idx] - cpu_before[idx]).as_secs_f64() * 1e3 / n_graphs as f64);
    let memory = after.peak_memory.zip(before.peak_memory).map_or(0, |(after, before)| after - before);
    println!("{n_calls} {user_ms} {system_ms} {}", memory as f64 / 1024.0);
}

fn play(scenario: &Scenario, behaviour: &Behaviour, schema: &Arc<ProviderSchema>) -> Played {
    let subject = Arc::new(Subject {
        name: "reference".to_owned(),
        protocol: 6,
        engine: Engine::default(),
        schema: Arc::clone(schema),
        config: None,
    });
    let behaviour = behaviour.clone();
    let pool: Pool<String> = Pool::new(
        PROCESSES,
        Box::new(move |number| {
            let behaviour = behaviour.clone();
            Box::pin(async move {
                let client = Client::new(in_memory(&behaviour)?);
                Ok(Member { number, client, handle: Box::new(NoProcess) })
            })
        }),
    );
    let options = lifecycle::Options::new(true);
    block_on(lifecycle::play(scenario, &subject, &pool, None, &options, 0))
}

/// Ten instances of four blocks, again and again.
fn clusters(schema: &ProviderSchema, size: usize) -> Vec<Block> {
    let of_cluster = |nth: usize| {
        let block = |type_name, name: &str, arguments: &[(&str, &str)]| {
            block(schema, type_name, &format!("{name}_{nth}"), arguments)
        };
        let name = format!("network {nth}");
        let network = block(NETWORK, "network", &[("name", &name), ("cidr", "10.0.0.0/8")]);
        let mut subnets = block(SUBNET, "subnet", &[("name", "a"), ("cidr", "10.1.0.0/16")]);
        subnets.meta.repetition = Repetition::Count(4);
        let subnets = using(subnets, "network_id", &network.address.instance(None));
        let mut machines = block(MACHINE, "machine", &[("name", "web"), ("image", "v1")]);
        machines.meta.repetition = Repetition::ForEach(["a", "b", "c", "d"].map(str::to_owned).into());
        let machines = using(machines, "subnet_id", &first(&subnets));
        let mut key = block(KEY, "key", &[("name", &name), ("public_key", "ssh-ed25519 A")]);
        key.meta.depends_on.insert(machines.address.clone());
        [network, subnets, machines, key]
    };
    (0..size / 10).flat_map(of_cluster).collect()
}

/// Five blocks with a fifth of the instances each, all of which use the first instance of others.
fn chain(schema: &ProviderSchema, size: usize) -> Vec<Block> {
    let block = |type_name, arguments: &[(&str, &str)]| {
        let mut block = block(schema, type_name, "main", arguments);
        block.meta.repetition = Repetition::Count(size as u64 / 5);
        block
    };
    let mut networks = block(NETWORK, &[("cidr", "10.0.0.0/8")]);
    networks.arguments = networks.arguments.refer(attribute("name"), Source::key());
    let subnets = block(SUBNET, &[("name", "a"), ("cidr", "10.1.0.0/16")]);
    let subnets = using(subnets, "network_id", &first(&networks));
    let machines = block(MACHINE, &[("name", "web"), ("image", "v1")]);
    let machines = using(machines, "subnet_id", &first(&subnets));
    let mut disks = block(DISK, &[("name", "data")]);
    disks.arguments = disks.arguments.map(|value| value.with_attribute("size", Value::number(10)));
    let attachments = using(block(ATTACHMENT, &[]), "machine_id", &first(&machines));
    let attachments = using(attachments, "disk_id", &first(&disks));
    vec![networks, subnets, machines, disks, attachments]
}

fn block(schema: &ProviderSchema, type_name: &str, name: &str, arguments: &[(&str, &str)]) -> Block {
    let of_type = schema.get(Kind::Resource, type_name).expect("the type is declared");
    let set = |object: Value, (name, text): &(&str, &str)| object.with_attribute(name, Value::string(text));
    let arguments = Arguments::known(arguments.iter().fold(of_type.empty_value(), set));
    Block::new(ResourceAddress::new(Kind::Resource, type_name, name), arguments)
}

fn attribute(name: &str) -> AttributePath {
    AttributePath::root().attribute(name)
}

fn first(block: &Block) -> InstanceAddress {
    block.address.instance(Some(InstanceKey::Index(0)))
}

/// The block with the ID of another object as an argument.
fn using(block: Block, argument: &str, of: &InstanceAddress) -> Block {
    let source = Source::Attribute { of: of.clone(), path: attribute("id") };
    Block { arguments: block.arguments.clone().refer(attribute(argument), source), ..block }
}
