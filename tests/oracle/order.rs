//! In which order objects are changed that depend on each other.
//!
//! Only a partial order is prescribed: objects that have nothing to do with each other change in any order.

use std::collections::{BTreeMap, BTreeSet};

use tfconform::scenario::{
    Block, EngineRun, InstanceAddress, InstanceKey, PlanningMode, ResourceAddress, Source,
};
use tfconform::transcript::Rpc;
use tfconform::value::Value;

use super::asked::{Asked, label, mark_of};

type Blocks = BTreeSet<ResourceAddress>;

/// Which configuration says what depends on what.
#[derive(Clone, Copy)]
enum Since {
    /// That of the run.
    Now,
    /// That of an earlier one.
    Before,
}

/// What each object depends on, from run to run.
#[derive(Default)]
pub struct Order {
    block_of: BTreeMap<String, ResourceAddress>,
    /// By the configuration of the run.
    needs: BTreeMap<ResourceAddress, Blocks>,
    /// The same by object: of a block with several instances only the one that is referred to is waited for.
    waits_for: BTreeMap<ResourceAddress, BTreeSet<String>>,
    /// By the configuration with which the object was planned last.
    needed: BTreeMap<String, Blocks>,
    /// Whether the run destroys, and an engine plans as usual before that.
    replans: bool,
}

impl Order {
    /// Goes on to the next run.
    pub fn go_on(&mut self, run: &EngineRun) {
        self.needs = run.blocks.iter().map(|block| (block.address.clone(), block.dependencies())).collect();
        // Blocks refer to each other without cycles, so this ends.
        loop {
            let further = |needs: &Blocks| -> Blocks {
                needs.iter().filter_map(|of| self.needs.get(of)).flatten().cloned().collect()
            };
            let all: BTreeMap<ResourceAddress, Blocks> =
                self.needs.iter().map(|(of, needs)| (of.clone(), needs | &further(needs))).collect();
            if all == self.needs {
                break;
            }
            self.needs = all;
        }
        self.replans = run.options.mode == PlanningMode::Destroy && !run.options.without_refresh;
        for block in &run.blocks {
            for object in objects(block) {
                self.block_of.insert(object, block.address.clone());
            }
        }
        self.waits_for.clear();
        for block in &run.blocks {
            let waits_for = waits_for(block, &run.blocks);
            self.waits_for.insert(block.address.clone(), waits_for);
        }
    }

    /// Goes on after the run: what was planned depends on what it refers to now, changed or not.
    pub fn settle(&mut self, planned: &[Asked]) {
        for asked in planned.iter().filter(|asked| asked.rpc == Rpc::PlanResourceChange) {
            let needs = self.block_of.get(&asked.object).and_then(|block| self.needs.get(block));
            self.needed.insert(asked.object.clone(), needs.cloned().unwrap_or_default());
        }
    }

    /// What was done too early when the run was applied, in words.
    pub fn broken(&self, applied: &[Asked]) -> Vec<String> {
        let is_made = |asked: &&Asked| {
            let is_apply = asked.rpc == Rpc::ApplyResourceChange && asked.used_for != "(delete)";
            is_apply || asked.rpc == Rpc::ReadDataSource
        };
        let is_deleted =
            |asked: &&Asked| asked.rpc == Rpc::ApplyResourceChange && asked.used_for == "(delete)";
        let made: Vec<&Asked> = applied.iter().filter(is_made).collect();
        let deleted: Vec<&Asked> = applied.iter().filter(is_deleted).collect();
        let mut broken = Vec::new();
        let mut check = |first: &Asked, then: &Asked| {
            if first.span.1 >= then.span.0 {
                let [first, then] =
                    [first, then].map(|asked| format!("{} of {}", asked.name(), asked.object));
                broken.push(format!("{then} comes before {first}"));
            }
        };
        for dependent in &made {
            let needs = |of: &&&Asked| self.is_needed(&dependent.object, &of.object, Since::Now);
            let is_awaited = |of: &&&Asked| self.is_awaited(&dependent.object, &of.object);
            made.iter().filter(is_awaited).for_each(|needed| check(needed, dependent));
            // An object that is replaced first goes when nothing uses it any more.
            for old in deleted.iter().filter(needs) {
                if made.iter().any(|new| new.object == old.object && new.span.1 < old.span.0) {
                    check(dependent, old);
                }
            }
        }
        for dependent in &deleted {
            let needed =
                deleted.iter().filter(|of| self.is_needed(&dependent.object, &of.object, Since::Before));
            needed.for_each(|needed| check(dependent, needed));
        }
        broken
    }

    /// Whether an object is made only when another one is.
    fn is_awaited(&self, dependent: &str, of: &str) -> bool {
        let awaited = self.block_of.get(dependent).and_then(|own| self.waits_for.get(own));
        awaited.is_some_and(|awaited| awaited.contains(of))
    }

    /// Whether an object depends on another.
    fn is_needed(&self, dependent: &str, of: &str, since: Since) -> bool {
        let (Some(own), Some(of)) = (self.block_of.get(dependent), self.block_of.get(of)) else {
            return false;
        };
        let is_configured = || self.needs.get(own).map(|needs| needs.contains(of));
        let was_configured = || self.needed.get(dependent).is_some_and(|needed| needed.contains(of));
        match since {
            Since::Now => is_configured().unwrap_or_default(),
            // What the usual plan leaves as it is then needs only what the configuration says now; which objects
            // those are is not seen here.
            Since::Before if self.replans => was_configured() && is_configured().unwrap_or(true),
            Since::Before => was_configured(),
        }
    }
}

/// The objects that are made before those of a block.
fn waits_for(block: &Block, blocks: &[Block]) -> BTreeSet<String> {
    let named = |address: &ResourceAddress| blocks.iter().find(|block| block.address == *address);
    let mut all = BTreeSet::new();
    for upstream in block.dependencies().iter().filter_map(named) {
        let is_referred = |instance: &InstanceAddress| {
            let mut references = block.arguments.references().iter();
            references.any(|one| matches!(&one.source, Source::Attribute { of, .. } if of == instance))
        };
        let meta = &block.meta;
        let mut named = meta.depends_on.iter().chain(&meta.lifecycle.replace_triggered_by);
        let is_named = named.any(|named| *named == upstream.address);
        let is_awaited = |instance: &InstanceAddress| is_named || is_referred(instance);
        let objects = upstream.instances().into_iter().zip(objects(upstream));
        all.extend(objects.filter(|(instance, _)| is_awaited(instance)).map(|(_, object)| object));
        all.extend(waits_for(upstream, blocks));
    }
    all
}

/// The objects of a block, as requests name them.
fn objects(block: &Block) -> Vec<String> {
    let (kind, type_name) = (block.address.kind, &block.address.type_name);
    let object = |key: Option<InstanceKey>| {
        let arguments = block.arguments.evaluate(true, key.as_ref(), &|_| None);
        let mark = arguments.attribute(mark_of(kind, type_name)).and_then(Value::as_str);
        label(kind, type_name, mark.unwrap_or_default())
    };
    block.instances().into_iter().map(|instance| object(instance.key)).collect()
}
