//! What the runs of a behaviour are made of: blocks of one type with two configurations.

use std::collections::BTreeSet;

use crate::generate::Successor;
use crate::generate::chain::reworded;
use crate::generate::choices::{Seeded, scenario_seed};
use crate::generate::digit;
use crate::generate::spec::{ConfigSpec, TypeGenerator};
use crate::generate::supplier::marks;
use crate::generate::witness::{self, Nth};
use crate::scenario::{
    Arguments, Block, EngineRun, ImportBy, InstanceAddress, MetaArguments, Operation, Repetition,
    ResourceAddress, Source, words,
};
use crate::schema::{Attribute, AttributeKind, Schema};
use crate::value::{AttributePath, Data, PathStep, Type, Value};

/// Keys of instances: enough to keep as many calls in flight as an engine makes at once.
const LETTERS: [&str; 10] = ["a", "b", "c", "d", "e", "f", "g", "h", "i", "j"];
const DIGITS: [&str; 10] = ["0", "1", "2", "3", "4", "5", "6", "7", "8", "9"];

const CHOSEN: &str = "a value that the user chose would be in two objects at once";
const UNCHANGEABLE: &str = "none of its arguments can be changed";

/// The type that a behaviour is played with.
pub struct Setting<'a> {
    at: &'a TypeGenerator<'a>,
    number: u64,
}

impl<'a> Setting<'a> {
    /// For the scenario with that number, counted from 1.
    pub fn new(at: &'a TypeGenerator<'a>, number: u64) -> Setting<'a> {
        Setting { at, number }
    }

    fn block_named(&self, name: &str, config: &Value) -> Block {
        let address = ResourceAddress::new(self.at.kind, &self.at.type_name, name);
        Block::new(address, Arguments::known(config.clone()))
    }

    /// The block that the behaviour is about.
    pub fn block(&self, config: &Value) -> Block {
        self.block_named("a", config)
    }

    /// Another block of the type.
    pub fn other(&self, config: &Value) -> Block {
        self.block_named("other", config)
    }

    /// The only instance of [`Setting::block`].
    pub fn instance(&self) -> InstanceAddress {
        ResourceAddress::new(self.at.kind, &self.at.type_name, "a").instance(None)
    }

    /// The configuration to begin with.
    pub fn config(&self) -> Value {
        self.at.config(self.number, &self.spec())
    }

    /// The configuration with everything set.
    pub fn full_config(&self) -> Value {
        self.at.config(self.number, &ConfigSpec::plain(self.at.everything().clone()))
    }

    /// How it is imported where either will do.
    pub fn import_by(&self) -> Result<ImportBy, &'static str> {
        match (self.has_id(), self.has_identity()) {
            (true, _) => Ok(ImportBy::Id),
            (false, true) => Ok(ImportBy::Identity),
            (false, false) => Err("it has no attribute id and no identity to import it by"),
        }
    }

    /// The same with another value of one argument.
    pub fn changed(&self) -> Result<Value, &'static str> {
        let place = *self.at.targets().changeable.first().ok_or(UNCHANGEABLE)?;
        let path = &self.at.targets().places[place].path;
        Ok(self.at.config(self.number, &self.spec().with_class(path, 1)))
    }

    /// The same with another value of one argument, for each of the first few that can be changed.
    pub fn changes(&self, most: usize) -> Result<Vec<Value>, &'static str> {
        let changed = self.at.targets().changeable.iter().take(most).map(|place| {
            let path = &self.at.targets().places[*place].path;
            self.at.config(self.number, &self.spec().with_class(path, 1))
        });
        let changed: Vec<Value> = changed.filter(|config| *config != self.config()).collect();
        if changed.is_empty() { Err(UNCHANGEABLE) } else { Ok(changed) }
    }

    /// The outermost attribute or block that [`Setting::changed`] changes.
    pub fn changed_argument(&self) -> Result<AttributePath, &'static str> {
        let place = *self.at.targets().changeable.first().ok_or(UNCHANGEABLE)?;
        let path = &self.at.targets().places[place].path;
        let name = path.split(['.', '[']).next().unwrap_or(path);
        Ok(AttributePath::root().attribute(name))
    }

    /// The configuration with only what is required.
    pub fn least_config(&self) -> Value {
        self.at.config(self.number, &ConfigSpec::plain(self.at.minimal.clone()))
    }

    /// The optional attributes of the root block that a configuration leaves out. Of an object that exists `id` was there
    /// in every release: terraform-plugin-sdk declares it as optional and finds the object by it.
    pub fn left_out(&self, config: &Value) -> Result<BTreeSet<String>, &'static str> {
        let attributes = self.at.model.schema.block.attributes.iter();
        let is_left_out = |attribute: &&Attribute| {
            let is_option = attribute.optional && !attribute.write_only && attribute.name != "id";
            is_option && config.member(&attribute.name).is_null()
        };
        let left_out: BTreeSet<String> =
            attributes.filter(is_left_out).map(|attribute| attribute.name.clone()).collect();
        if left_out.is_empty() { Err("no attribute of it can be left out") } else { Ok(left_out) }
    }

    pub fn has_id(&self) -> bool {
        let id = self.at.model.schema.block.attribute("id");
        id.is_some_and(|id| matches!(id.kind, AttributeKind::Typed(Type::String)))
    }

    pub fn has_identity(&self) -> bool {
        self.at.has_identity
    }

    pub fn walk_length(&self) -> usize {
        self.at.walk_length
    }

    /// A block of another type that may stand for the same objects, with the same arguments.
    pub fn successor(&self, config: &Value) -> Result<Block, &'static str> {
        let successors =
            self.at.successors.as_ref().ok_or("the provider does not declare that it moves objects")?;
        let of = |successor: &Successor| {
            let config = self.taken_over(config, &successor.schema)?;
            let address = ResourceAddress::new(self.at.kind, &successor.type_name, "other");
            Some(Block::new(address, Arguments::known(config)))
        };
        successors.iter().find_map(of).ok_or("no other type resembles it")
    }

    /// The same arguments for another type, as far as it has them; `None` if it requires others.
    fn taken_over(&self, config: &Value, other: &Schema) -> Option<Value> {
        let own = self.at.model.schema.implied_type().as_object()?;
        let theirs = other.implied_type().as_object()?;
        let is_settable = |name: &str| {
            other.block.block_type(name).is_some()
                || other.block.attribute(name).is_some_and(Attribute::is_configurable)
        };
        let mut taken = other.empty_value();
        for (name, ty) in own.attributes() {
            let is_same = theirs.attributes().iter().any(|(their, theirs)| their == name && theirs == ty);
            if let Some(value) = config.attribute(name).filter(|value| value.is_set())
                && is_same
                && is_settable(name)
            {
                taken = taken.with_attribute(name, value.clone());
            }
        }
        let is_set = |name: &str| taken.attribute(name).is_some_and(Value::is_set);
        let mut required = other.block.attributes.iter().filter(|attribute| attribute.required);
        let mut blocks = other.block.block_types.iter().filter(|nested| nested.min_items > 0);
        let has_block = |name: &str| taken.attribute(name).is_some_and(|value| !value.children().is_empty());
        let has_all = required.all(|attribute| is_set(&attribute.name));
        (has_all && blocks.all(|nested| has_block(&nested.name))).then_some(taken)
    }

    pub fn is_reattached(&self) -> bool {
        self.at.is_reattached
    }

    /// The decisions of the scenario.
    pub fn choices(&self) -> Seeded {
        self.at.choices(self.number, &self.spec())
    }

    fn spec(&self) -> ConfigSpec {
        let first = self.at.targets().changeable.first();
        let shape = first.map(|place| self.at.with(self.at.targets().places[*place].id));
        ConfigSpec::plain(shape.unwrap_or_else(|| self.at.minimal.clone()))
    }

    /// The same configuration for another object: with other words wherever a text may name the object.
    ///
    /// Any text that the user chose may name it, too, and is the same for both.
    pub fn renamed(&self, config: &Value) -> Result<Value, &'static str> {
        self.can_be_told_apart(config)?;
        let salt = scenario_seed(self.at.seed, &self.at.type_name, self.number);
        let new = |word: &str| witness::word(&format!("another {word}"), salt, Nth::new(0, 0));
        let pinned = self.pinned();
        let renumbered = reworded(config, &new).transform(&mut |path, value| match value.data() {
            Data::String(text) if !pinned.contains(path) && words::of_text(text).next().is_none() => {
                digit::place(text)
                    .map_or(value.clone(), |place| Value::string(&digit::with_another(text, place)))
            }
            _ => value,
        });
        Ok(renumbered)
    }

    /// The places of values that the user chose.
    fn pinned(&self) -> Vec<AttributePath> {
        let (model, store) = (&self.at.model, &self.at.store);
        model.ids().filter(|id| store.pinned(*id).is_some()).map(|id| model.value_path(id)).collect()
    }

    /// Keys of instances: letters, or digits where a text takes nothing else.
    pub fn keys<const N: usize>(&self) -> [&'static str; N] {
        let mut takes_digits = false;
        let pinned = self.pinned();
        self.config().walk(&mut |path, value| {
            if let Data::String(text) = value.data() {
                takes_digits |= !pinned.contains(path) && digit::place(text).is_some();
            }
            true
        });
        let keys = if takes_digits { DIGITS } else { LETTERS };
        std::array::from_fn(|idx| keys[idx])
    }

    fn can_be_told_apart(&self, config: &Value) -> Result<(), &'static str> {
        let (model, store) = (&self.at.model, &self.at.store);
        let is_shared = |id| {
            let value = config.at(&model.value_path(id)).filter(|_| store.pinned(id).is_some());
            value.as_ref().and_then(Value::as_str).is_some_and(|text| words::of_text(text).next().is_none())
        };
        if model.ids().any(is_shared) { Err(CHOSEN) } else { Ok(()) }
    }

    /// A block with several instances; the key of each follows the words that may name the object.
    ///
    /// A text without a word has the key in place of a digit, if its format allows any. Elements of sets stay as they are:
    /// a reference cannot name them.
    pub fn repeated(&self, config: &Value, repetition: Repetition) -> Result<Block, &'static str> {
        self.can_be_told_apart(config)?;
        let mut block = self.block(config);
        let (mut keyed, pinned) = (Vec::new(), self.pinned());
        config.walk(&mut |path, value| {
            let Data::String(text) = value.data() else { return true };
            let is_in_set = path.steps().iter().any(|step| matches!(step, PathStep::Element(_)));
            if is_in_set || !marks(value).is_empty() {
                return true;
            }
            let around = match words::of_text(text).next() {
                Some(word) => text.split_once(word).map(|(before, after)| (format!("{before}{word}"), after)),
                None => digit::place(text)
                    .filter(|_| !pinned.contains(path))
                    .map(|place| (text[..place].to_owned(), &text[place + 1..])),
            };
            if let Some((before, after)) = around {
                keyed.push((path.clone(), Source::InstanceKey { before, after: after.to_owned() }));
            }
            true
        });
        for (path, source) in keyed {
            block.arguments = block.arguments.refer(path, source);
        }
        block.meta.repetition = repetition;
        Ok(block)
    }
}

/// A run that applies these blocks.
pub fn apply(blocks: impl IntoIterator<Item = Block>) -> EngineRun {
    EngineRun::new(Operation::Apply, blocks.into_iter().collect())
}

/// The block with another lifecycle.
pub fn with(mut block: Block, change: impl FnOnce(&mut MetaArguments)) -> Block {
    change(&mut block.meta);
    block
}

/// The block, with instances that are created before the ones that they replace are destroyed.
pub fn create_first(block: Block) -> Block {
    with(block, |meta| meta.lifecycle.create_before_destroy = true)
}

/// An instance for each of these keys.
pub fn each(keys: &[&str]) -> Repetition {
    Repetition::ForEach(keys.iter().map(|key| (*key).to_owned()).collect())
}
