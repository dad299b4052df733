//! A few blocks that refer to each other, and what a user does to them.

use std::collections::{BTreeMap, BTreeSet};

use tfconform::scenario::{
    Arguments, Block, InstanceAddress, InstanceKey, Lifecycle, MetaArguments, Repetition, ResourceAddress,
    Source, TemplatePart,
};
use tfconform::schema::{Kind, ProviderSchema};
use tfconform::value::{AttributePath, Value};

use super::asked::mark_of;
use super::dice::Dice;

/// What can be done with a type.
struct Sort {
    kind: Kind,
    type_name: &'static str,
    /// What must be set besides the mark.
    required: Option<(&'static str, &'static str)>,
    /// A text that can be changed in place.
    changes: &'static str,
    /// A text whose change needs a new object.
    replaces: Option<&'static str>,
    /// Texts that others can refer to: for the life of an object, and new with every change.
    gives: &'static [&'static str],
}

const SORTS: [Sort; 8] = [
    Sort { gives: &["id"], ..resource("reference_plain", "absent") },
    Sort {
        replaces: Some("kind"),
        gives: &["id", "updated_at"],
        ..resource("reference_everything", "absent")
    },
    Sort {
        required: Some(("body", "{}")),
        gives: &["id", "checksum"],
        ..resource("reference_document", "choice")
    },
    Sort {
        required: Some(("region", "north")),
        replaces: Some("region"),
        gives: &["id", "address"],
        ..resource("reference_placement", "tier")
    },
    Sort { gives: &["id"], ..resource("reference_secret", "secret") },
    Sort {
        replaces: Some("kind"),
        gives: &["id", "updated_at"],
        ..resource("reference_versioned", "choice")
    },
    Sort { replaces: Some("kind"), gives: &["id"], ..resource("reference_legacy", "comment") },
    Sort { kind: Kind::DataSource, gives: &["alias"], ..resource("reference_echo", "absent") },
];

const fn resource(type_name: &'static str, changes: &'static str) -> Sort {
    Sort { kind: Kind::Resource, type_name, required: None, changes, replaces: None, gives: &[] }
}

/// A block.
#[derive(Clone)]
struct Node {
    sort: usize,
    number: usize,
    /// How often it was changed, in place and otherwise.
    n_changes: usize,
    n_replacements: usize,
    create_before_destroy: bool,
    /// The argument that refers to another block, that block, and the attribute.
    reference: Option<(&'static str, usize, &'static str)>,
    depends_on: BTreeSet<usize>,
    /// How many instances it has, each with a key; none for one without a key.
    n_keys: Option<usize>,
}

/// Blocks by their numbers. A block refers only to those with lower numbers.
#[derive(Clone)]
pub struct World {
    nodes: BTreeMap<usize, Node>,
    /// The number of the next block.
    next: usize,
}

impl Node {
    fn sort(&self) -> &'static Sort {
        &SORTS[self.sort]
    }

    /// Blocks come in another order than they depend on each other.
    fn address(&self) -> ResourceAddress {
        let name = format!("n{:04}", 9999 - self.number);
        ResourceAddress::new(self.sort().kind, self.sort().type_name, &name)
    }

    /// Every other block has its instances by `count`.
    fn is_counted(&self) -> bool {
        self.number.is_multiple_of(2)
    }

    /// The instance that others refer to. It is never the one that goes.
    fn first(&self) -> InstanceAddress {
        let key = if self.is_counted() { InstanceKey::Index(0) } else { InstanceKey::Key(key(0)) };
        self.address().instance(self.n_keys.map(|_| key))
    }

    fn block(&self, schema: &ProviderSchema, others: &BTreeMap<usize, Node>) -> Block {
        let sort = self.sort();
        let of_type = schema.get(sort.kind, sort.type_name).expect("the type is declared");
        let mark = mark_of(sort.kind, sort.type_name);
        let text = |text: String| Value::string(&text);
        let mut config = of_type.empty_value();
        config = config.with_attribute(mark, text(format!("mark-{}", self.number)));
        config = config.with_attribute(sort.changes, text(format!("change {}", self.n_changes)));
        if let Some((name, value)) = sort.required {
            config = config.with_attribute(name, text(value.to_owned()));
        }
        if let Some(name) = sort.replaces {
            config = config.with_attribute(name, text(format!("replacement {}", self.n_replacements)));
        }
        let at = |name: &str| AttributePath::root().attribute(name);
        let mut references = Vec::new();
        if let Some((to, of, path)) = self.reference {
            let (of, path) = (others[&of].first(), at(path));
            // Some have it between texts; what is known of such a text ends before its last letter, or after a sign.
            let between = |before: &str| {
                let texts = [before, " end"].map(|text| TemplatePart::Literal(text.to_owned()));
                let [before, after] = texts;
                let interpolation = TemplatePart::Interpolation { of: of.clone(), path: path.clone() };
                Source::Template { parts: vec![before, interpolation, after] }
            };
            references.push((
                to,
                match self.number % 6 {
                    0 => between("of-"),
                    3 => between("été"),
                    _ => Source::Attribute { of, path },
                },
            ));
        }
        if self.n_keys.is_some() {
            let before = format!("mark-{}-", self.number);
            references.push((mark, Source::InstanceKey { before, after: String::new() }));
        }
        let null = |config: Value, name: &str| {
            let ty = config.member(name).ty().clone();
            config.with_attribute(name, Value::null(ty))
        };
        let config = references.iter().fold(config, |config, (name, _)| null(config, name));
        let arguments = Arguments::known(config);
        let arguments = references
            .into_iter()
            .fold(arguments, |arguments, (name, source)| arguments.refer(at(name), source));
        let repetition = match self.n_keys {
            None => Repetition::None,
            Some(n) if self.is_counted() => Repetition::Count(n as u64),
            Some(n) => Repetition::ForEach((0..n).map(key).collect()),
        };
        let depends_on = self.depends_on.iter().map(|number| others[number].address()).collect();
        let lifecycle =
            Lifecycle { create_before_destroy: self.create_before_destroy, ..Lifecycle::default() };
        Block {
            address: self.address(),
            arguments,
            meta: MetaArguments { repetition, depends_on, lifecycle, ..MetaArguments::default() },
        }
    }
}

/// The key of an instance by `for_each`.
fn key(idx: usize) -> String {
    format!("key {idx}")
}

impl World {
    /// Two to ten blocks; `first` is the number of the first one.
    pub fn new(dice: &mut Dice, first: usize) -> World {
        let mut world = World { nodes: BTreeMap::new(), next: first };
        for _ in 0..2 + dice.below(9) {
            world.add(dice);
        }
        world
    }

    pub fn blocks(&self, schema: &ProviderSchema) -> Vec<Block> {
        self.nodes.values().map(|node| node.block(schema, &self.nodes)).collect()
    }

    /// One of the managed instances.
    pub fn some_instance(&self, dice: &mut Dice) -> Option<InstanceAddress> {
        let managed: Vec<&Node> =
            self.nodes.values().filter(|node| node.sort().kind == Kind::Resource).collect();
        dice.one_of(&managed).map(|node| node.first())
    }

    /// Does one thing that a user does.
    pub fn edit(&mut self, dice: &mut Dice) {
        let numbers: Vec<usize> = self.nodes.keys().copied().collect();
        let Some(&number) = dice.one_of(&numbers) else { return self.add(dice) };
        let earlier: Vec<usize> = self.nodes.range(..number).map(|(number, _)| *number).collect();
        let node = self.nodes.get_mut(&number).expect("it is one of them");
        match dice.below(8) {
            0 | 1 => node.n_changes += 1,
            2 | 3 if node.sort().replaces.is_some() => node.n_replacements += 1,
            2 | 3 => node.n_changes += 1,
            4 => self.add(dice),
            5 => self.remove(number),
            6 => match &mut node.n_keys {
                Some(n) if *n > 1 && dice.chance(5) => *n -= 1,
                Some(n) => *n += 1,
                None => node.n_changes += 1,
            },
            _ => match dice.one_of(&earlier) {
                Some(other) if !node.depends_on.remove(other) => {
                    node.depends_on.insert(*other);
                }
                _ => node.reference = None,
            },
        }
    }

    fn add(&mut self, dice: &mut Dice) {
        let sort = dice.below(SORTS.len());
        let sinks: Vec<&'static str> = ["note"].into_iter().chain(SORTS[sort].replaces).collect();
        let others: Vec<&Node> = self.nodes.values().collect();
        let reference = dice.one_of(&others).filter(|_| dice.chance(7)).and_then(|other| {
            let sink = if dice.chance(7) { sinks.first() } else { sinks.last() };
            Some((*sink?, other.number, *dice.one_of(other.sort().gives)?))
        });
        let needed = dice.one_of(&others).filter(|_| dice.chance(3)).map(|other| other.number);
        let node = Node {
            sort,
            number: self.next,
            n_changes: 0,
            n_replacements: 0,
            create_before_destroy: SORTS[sort].kind == Kind::Resource && dice.chance(3),
            reference,
            depends_on: needed.into_iter().collect(),
            n_keys: dice.chance(2).then(|| 1 + dice.below(3)),
        };
        self.nodes.insert(self.next, node);
        self.next += 1;
    }

    /// Removes a block; nothing refers to it any more.
    fn remove(&mut self, number: usize) {
        self.nodes.remove(&number);
        for node in self.nodes.values_mut() {
            node.depends_on.remove(&number);
            node.reference = node.reference.filter(|(_, of, _)| *of != number);
        }
    }
}
