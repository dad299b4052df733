//! What happens to the state itself: users change it between runs, and blocks such as `moved` and `removed`
//! say what became of an object.

use std::collections::BTreeSet;
use std::fmt::Display;
use std::sync::Arc;

use super::Outcome;
use super::configuration::Configuration;
use super::graph::{Change, in_order};
use super::instance::{Former, TypeMove};
use super::run::Engine;
use super::task::Task;
use crate::core::Action;
use crate::scenario::{
    EngineRun, InstanceAddress, InstanceKey, Object, Repetition, State, Status, WorldChange,
};
use crate::transcript::{Phase, PriorOrigin};
use crate::value::Value;

impl<E: Display> Engine<'_, '_, E> {
    /// Does to the state what happens to it before a run; fails with the reason where it cannot happen.
    pub fn change_state(&self, run: &EngineRun) -> Result<(), &'static str> {
        let state = &mut self.known().state;
        for change in &run.before {
            match change {
                WorldChange::Taint { of } => set_status(state, of, Status::Tainted),
                WorldChange::Untaint { of } => set_status(state, of, Status::Ready),
                WorldChange::Depose { of } => {
                    state.depose(of);
                }
                WorldChange::StoredWithout { of, attributes } => {
                    let object = state.current(of).and_then(|object| stored_without(object, attributes));
                    state.set_current(
                        of,
                        Some(object.ok_or("the provider sets nothing that is not configured")?),
                    );
                }
                WorldChange::Drift { .. } => {}
            }
        }
        Ok(())
    }

    /// Gives objects the addresses that a run has for them: those of its `moved` blocks, and of instances whose
    /// block got a `count` or lost it. An object that gets another type keeps its address until the provider
    /// has moved it.
    ///
    /// Source: contract section 5.5.
    pub async fn move_objects(&mut self, config: &Configuration<'_>) -> Outcome<()> {
        self.rename_objects(config);
        let across = config.run.moved.iter().filter(|moved| moved.is_across_types());
        let mut targets = Vec::new();
        for moved in across.filter(|moved| config.instances.contains_key(&moved.to)) {
            let mut known = self.known();
            if known.state.instances.contains_key(&moved.to) {
                continue;
            }
            let Some(object) = known.state.current(&moved.from).cloned() else { continue };
            let former = Former { address: moved.from.clone(), object };
            known.type_moves.insert(moved.to.clone(), TypeMove::Pending(Arc::new(former)));
            targets.push(config.vertex(&moved.to, Change::Apply));
        }
        let engine = self.player.subject.engine;
        if !engine.moves_before_planning() {
            let known = &mut *self.known();
            for (to, type_move) in &known.type_moves {
                let TypeMove::Pending(former) = type_move else { continue };
                known.state.rename(&former.address, to);
            }
            return Ok(());
        }
        if targets.is_empty() {
            return Ok(());
        }
        self.walk(config, in_order(targets), Task::Move, Phase::Move).await
    }

    fn rename_objects(&self, config: &Configuration<'_>) {
        let state = &mut self.known().state;
        for moved in config.run.moved.iter().filter(|moved| !moved.is_across_types()) {
            state.rename(&moved.from, &moved.to);
        }
        for block in &config.run.blocks {
            let (only, first) =
                (block.address.instance(None), block.address.instance(Some(InstanceKey::Index(0))));
            match block.meta.repetition {
                Repetition::None => state.rename(&first, &only),
                Repetition::Count(count) if count > 0 => state.rename(&only, &first),
                Repetition::Count(_) | Repetition::ForEach(_) => {}
            }
        }
    }

    /// Whether a plan would destroy an instance of which the configuration says that it must not be: an engine
    /// refuses the whole run.
    pub fn is_prevented(&self, config: &Configuration<'_>) -> bool {
        let known = self.known();
        config.instances.iter().any(|(address, block)| {
            let action = known.plans.get(address).map(|plan| plan.plan.action);
            let destroys = action.is_some_and(|action| action.is_replace() || action == Action::Delete);
            block.meta.lifecycle.prevent_destroy && destroys
        })
    }

    /// Whether an instance is replaced because another one is updated or replaced.
    pub fn is_triggered(&self, config: &Configuration<'_>, address: &InstanceAddress) -> bool {
        let Some(block) = config.instances.get(address) else { return false };
        let triggers = &block.meta.lifecycle.replace_triggered_by;
        let changes = |action: Action| action.is_replace() || action == Action::Update;
        let known = self.known();
        triggers.iter().any(|other| known.plans_of(other).any(|plan| changes(plan.plan.action)))
    }

    /// Takes the objects that a run forgets out of the state.
    pub fn forget_removed(&self, config: &Configuration<'_>) {
        let mut known = self.known();
        let is_removed = |address: &&InstanceAddress| config.forgets(address, self.player.subject.engine);
        let removed: Vec<InstanceAddress> =
            known.state.instances.keys().filter(is_removed).cloned().collect();
        removed.iter().for_each(|address| known.forget_current(address));
    }

    /// A forgotten object that can be imported. Nobody imports what a failed apply left behind.
    pub fn importable(&self, forgotten: &InstanceAddress) -> Option<Object> {
        self.known().forgotten.get(forgotten).filter(|object| object.is_whole()).cloned()
    }

    /// Puts what was forgotten back into the state, so that it is destroyed in the end.
    pub fn recall_forgotten(&self) {
        let known = &mut *self.known();
        for (address, object) in std::mem::take(&mut known.forgotten) {
            known.state.depose(&address);
            known.state.set_current(&address, Some(object));
        }
    }
}

/// The object as a release stored it that did not have these attributes; `None` if it has none of them, or does not
/// exist.
fn stored_without(object: &Object, attributes: &BTreeSet<String>) -> Option<Object> {
    if object.is_synthesised() {
        return None;
    }
    let is_set = |name: &&String| object.value.attribute(name).is_some_and(|value| !value.is_null());
    let mut set = attributes.iter().filter(is_set).peekable();
    set.peek()?;
    let value = set.fold(object.value.clone(), |value, name| {
        let ty = value.member(name).ty().clone();
        value.with_attribute(name, Value::null(ty))
    });
    Some(Object { value, origin: PriorOrigin::Injected, ..object.clone() })
}

pub(super) fn set_status(state: &mut State, of: &InstanceAddress, status: Status) {
    if let Some(object) = state.current(of).cloned() {
        state.set_current(of, Some(Object { status, ..object }));
    }
}
