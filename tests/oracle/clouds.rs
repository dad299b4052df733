//! Sequences of runs over the small world: networks, machines, and what belongs to them.
//!
//! What an object uses exists before it and cannot be destroyed before it, so an order that is wrong shows as an
//! error, too.

use std::collections::BTreeSet;

use tfconform::scenario::{
    Arguments, Block, EngineRun, InstanceAddress, InstanceKey, Lifecycle, MetaArguments, Operation,
    PlanningMode, Repetition, ResourceAddress, RunOptions, Scenario, Source, WorldChange,
};
use tfconform::schema::{Kind, ProviderSchema};
use tfconform::transcript::ScenarioLabel;
use tfconform::value::{AttributePath, Type, Value};

use super::dice::Dice;

/// How many runs change something.
const EDITS: usize = 8;

/// `n` clouds, which have nothing to do with each other, and what is done to all of them at once.
pub fn sequence(schema: &ProviderSchema, seed: u64, n: usize) -> Scenario {
    let mut dice = Dice::of(seed);
    let mut clouds: Vec<Cloud> = (1..=n).map(|number| Cloud::new(&mut dice, number)).collect();
    let mut runs = vec![apply(&clouds, schema, RunOptions::default())];
    for _ in 0..EDITS {
        let mut options = RunOptions::default();
        let mut before = Vec::new();
        let machines = || clouds.iter().map(|cloud| cloud.machine(0)).collect::<Vec<_>>();
        match dice.below(8) {
            0 => options.mode = PlanningMode::RefreshOnly,
            1 => options.replace = machines(),
            2 => before.extend(machines().into_iter().map(|of| WorldChange::Taint { of })),
            3 => options.without_refresh = true,
            4 => options.targets = machines(),
            _ => {}
        }
        match (options.mode, options.targets.is_empty()) {
            (PlanningMode::Normal, true) => clouds.iter_mut().for_each(|cloud| cloud.edit(&mut dice)),
            // What uses a machine would stay and hold on to it.
            (PlanningMode::Normal, false) => clouds.iter_mut().for_each(|cloud| cloud.disk_size += 1),
            _ => {}
        }
        runs.push(apply(&clouds, schema, options).after(before));
    }
    runs.push(EngineRun::destroy());
    Scenario::new(ScenarioLabel::default(), runs)
}

fn apply(clouds: &[Cloud], schema: &ProviderSchema, options: RunOptions) -> EngineRun {
    let blocks = clouds.iter().flat_map(|cloud| cloud.blocks(schema)).collect();
    EngineRun { options, ..EngineRun::new(Operation::Apply, blocks) }
}

/// One network with all that uses it.
struct Cloud {
    /// Tells its names from those of others.
    number: usize,
    cidr: usize,
    n_subnets: u64,
    machines: BTreeSet<usize>,
    image: usize,
    has_key: bool,
    disk_size: i64,
    /// Whether a new disk is created before the one that it replaces is destroyed.
    disk_first: bool,
    is_attached: bool,
    has_certificate: bool,
    has_record: bool,
    ttl: i64,
    has_data: bool,
}

impl Cloud {
    fn new(dice: &mut Dice, number: usize) -> Cloud {
        Cloud {
            number,
            cidr: 0,
            n_subnets: 1 + dice.below(3) as u64,
            machines: (0..1 + dice.below(3)).collect(),
            image: 0,
            has_key: dice.chance(5),
            disk_size: 10,
            disk_first: dice.chance(3),
            is_attached: dice.chance(7),
            has_certificate: dice.chance(5),
            has_record: dice.chance(7),
            ttl: 60,
            has_data: dice.chance(5),
        }
    }

    /// Does one thing that a user does. The first subnet and the first machine stay.
    fn edit(&mut self, dice: &mut Dice) {
        match dice.below(12) {
            0 => self.cidr += 1,
            1 => self.n_subnets = 1 + dice.below(3) as u64,
            2 => self.machines.extend([1 + dice.below(4)]),
            3 => self.machines.retain(|key| *key == 0 || dice.chance(5)),
            4 => self.image += 1,
            5 => self.has_key = !self.has_key,
            6 => self.disk_size += 5,
            7 => self.disk_size -= 1,
            8 => self.is_attached = !self.is_attached,
            9 => {
                self.has_certificate = !self.has_certificate;
                // An engine destroys a certificate before it changes the record that it is taken from.
                self.has_record &= self.has_certificate;
            }
            10 => self.has_record = !self.has_record,
            _ => self.ttl += 1,
        }
    }

    fn machine(&self, key: usize) -> InstanceAddress {
        self.address("reference_machine").instance(Some(InstanceKey::Key(key.to_string())))
    }

    fn address(&self, type_name: &str) -> ResourceAddress {
        ResourceAddress::new(Kind::Resource, type_name, &format!("c{}", self.number))
    }

    fn blocks(&self, schema: &ProviderSchema) -> Vec<Block> {
        let number = self.number;
        let one = |type_name: &str| self.address(type_name).instance(None);
        let text = |text: String| Value::string(&text);
        let build = |type_name: &str| Builder::new(schema, self.address(type_name));
        let mut blocks = vec![
            build("reference_network")
                .set("name", text(format!("network-{number}")))
                .set("cidr", text(format!("10.{}.0.0/16", self.cidr)))
                .block,
            build("reference_subnet")
                .keyed("name", &format!("subnet-{number}-"), Repetition::Count(self.n_subnets))
                .set("cidr", text(format!("10.{}.1.0/24", self.cidr)))
                .refer("network_id", one("reference_network"), "id")
                .block,
            build("reference_key")
                .set("name", text(format!("key-{number}")))
                .set("public_key", text("ssh-ed25519 AAAA".to_owned()))
                .block,
            build("reference_disk")
                .set("name", text(format!("disk-{number}")))
                .set("size", Value::number(self.disk_size))
                .created_first(self.disk_first)
                .block,
        ];
        let keys = Repetition::ForEach(self.machines.iter().map(usize::to_string).collect());
        let subnet = self.address("reference_subnet").instance(Some(InstanceKey::Index(0)));
        let mut machine = build("reference_machine")
            .keyed("name", &format!("machine-{number}-"), keys)
            .set("image", text(format!("image {}", self.image)))
            .refer("subnet_id", subnet, "id");
        if self.has_key {
            machine = machine.refer("key_id", one("reference_key"), "id");
        }
        blocks.push(machine.block);
        if self.is_attached {
            let attachment = build("reference_attachment")
                .set("device", text(format!("device-{number}")))
                .refer("machine_id", self.machine(0), "id")
                .refer("disk_id", one("reference_disk"), "id");
            blocks.push(attachment.block);
        }
        if self.has_certificate {
            let certificate = build("reference_certificate")
                .set("domain", text(format!("domain-{number}")))
                .refer("key_id", one("reference_key"), "id");
            blocks.push(certificate.block);
        }
        if self.has_record {
            let mut record = build("reference_dns_record")
                .set("name", text(format!("record-{number}")))
                .set("addresses", Value::set(Type::String, vec![text("10.0.0.1".to_owned())]))
                .set("ttl", Value::number(self.ttl));
            if self.has_certificate {
                record = record.refer("certificate_id", one("reference_certificate"), "id");
            }
            blocks.push(record.block);
        }
        if self.has_data {
            let address = ResourceAddress::new(Kind::DataSource, "reference_network", &format!("c{number}"));
            let mut data = Builder::new(schema, address).set("name", text(format!("network-{number}")));
            data.block.meta.depends_on.insert(self.address("reference_network"));
            blocks.push(data.block);
        }
        blocks
    }
}

/// A block that is built argument by argument.
struct Builder {
    block: Block,
}

impl Builder {
    fn new(schema: &ProviderSchema, address: ResourceAddress) -> Builder {
        let of_type = schema.get(address.kind, &address.type_name).expect("the type is declared");
        Builder { block: Block::new(address, Arguments::known(of_type.empty_value())) }
    }

    fn set(mut self, name: &str, value: Value) -> Builder {
        self.block.arguments = self.block.arguments.map(|config| config.with_attribute(name, value.clone()));
        self
    }

    fn refer(mut self, name: &str, of: InstanceAddress, path: &str) -> Builder {
        let at = |name: &str| AttributePath::root().attribute(name);
        let source = Source::Attribute { of, path: at(path) };
        self.block.arguments = self.block.arguments.refer(at(name), source);
        self
    }

    /// Several instances, each with its key in this argument.
    fn keyed(mut self, name: &str, before: &str, repetition: Repetition) -> Builder {
        let source = Source::InstanceKey { before: before.to_owned(), after: String::new() };
        self.block.arguments = self.block.arguments.refer(AttributePath::root().attribute(name), source);
        self.block.meta = MetaArguments { repetition, ..MetaArguments::default() };
        self
    }

    fn created_first(mut self, create_before_destroy: bool) -> Builder {
        self.block.meta.lifecycle = Lifecycle { create_before_destroy, ..Lifecycle::default() };
        self
    }
}
