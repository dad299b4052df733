//! The runs of a scenario: each a few walks over graphs of instances.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Display;
use std::sync::atomic::{AtomicUsize, Ordering};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::configuration::Configuration;
use super::drawing::Walked;
use super::graph::{
    Change, Cycle, Node, Vertex, defect_of_the_order, force_created_first, in_order, of_changes,
};
use super::instance::{DestroyPlan, InstancePlan, TypeMove};
use super::player::Player;
use super::targeted::{keep_needed, orphans};
use super::task::Task;
use super::visit::Visit;
use super::walk::{Graph, Visited, ranks, walk};
use super::walks::{Spot, Walk};
use super::{End, Outcome, first_failure};
use crate::core::Action;
use crate::engine::defects::EngineDefect;
use crate::scenario::{
    Block, DeposedKey, EngineRun, InstanceAddress, Mishap, Object, Operation, PlanningMode, ResourceAddress,
    State, WorldChange,
};
use crate::transcript::{Drift, ExchangeId, Phase};
use crate::value::Value;

/// An engine, from the first run of a scenario to the end.
pub(super) struct Engine<'a, 'p, E> {
    pub player: &'a Player<'p, E>,
    known: Mutex<Known>,
    /// Which provider instance serves the next walk.
    pub turn: usize,
    /// The run that is played, such as `run 2`.
    pub current: String,
    /// The run of the scenario that is played, counted from 0.
    pub nth: usize,
    n_attempts: usize,
    n_walks: u32,
}

/// What the engine knows: its state across all runs, everything else about the current run.
#[derive(Default)]
pub(super) struct Known {
    pub state: State,
    /// Objects that a run removed from the state without destroying them, by the instance they belonged to.
    pub forgotten: BTreeMap<InstanceAddress, Object>,
    /// The objects that references resolve to: planned ones first, then applied ones.
    pub results: BTreeMap<InstanceAddress, Value>,
    /// Remote changes made before the run.
    pub drifts: BTreeMap<InstanceAddress, Drift>,
    pub plans: BTreeMap<InstanceAddress, InstancePlan>,
    pub destroy_plans: BTreeMap<Target, DestroyPlan>,
    /// Data sources that are read when the run is applied.
    pub deferred_reads: BTreeSet<InstanceAddress>,
    /// Instances that are created before they are destroyed because of what is destroyed in the run.
    pub created_first: BTreeSet<InstanceAddress>,
    /// What keeps the engine from applying the run as it was planned.
    pub defect: Option<&'static EngineDefect>,
    /// Objects that are replaced before they are destroyed.
    pub replaced: BTreeMap<InstanceAddress, DeposedKey>,
    /// The exchange in which an instance was created or updated.
    pub applied: BTreeMap<InstanceAddress, ExchangeId>,
    /// Objects that the provider says it destroyed, as they were last.
    pub destroyed: BTreeMap<InstanceAddress, (Object, DestroyPlan)>,
    /// Instances whose current object the provider was asked to destroy.
    pub deletes: BTreeSet<InstanceAddress>,
    /// Instances whose update in place the provider refused to apply.
    pub refused_updates: BTreeSet<InstanceAddress>,
    /// Instances whose provisioner failed after they were created.
    pub failed_provisioners: BTreeSet<InstanceAddress>,
    /// Moves of objects to another type in this run.
    pub type_moves: BTreeMap<InstanceAddress, TypeMove>,
    /// Whether something is applied in a run that ends as soon as something is.
    pub has_begun: bool,
}

impl Known {
    /// The plans of the instances of a block.
    pub fn plans_of(&self, resource: &ResourceAddress) -> impl Iterator<Item = &InstancePlan> {
        let plans = self.plans.range(resource.instance(None)..);
        plans.take_while(|(address, _)| address.resource == *resource).map(|(_, plan)| plan)
    }

    /// Takes the current object of an instance out of the state; it stays in the remote system.
    pub fn forget_current(&mut self, address: &InstanceAddress) {
        if let Some(object) = self.state.current(address).cloned() {
            self.state.set_current(address, None);
            self.forgotten.insert(address.clone(), object);
        }
    }
}

/// What a run with unknown values leaves to another run.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum Left {
    Nothing,
    /// An instance whose changes are all unknown.
    NoOp,
    /// An instance that may be updated in place, but is replaced while a value is unknown.
    Update,
}

/// An object: the current one of an instance, or a deposed one.
pub(super) type Target = (InstanceAddress, Option<DeposedKey>);

impl Task {
    /// What an engine calls it; `None` if no engine does it, or if the graph is that of the plan that follows.
    fn of_an_engine(self) -> Option<&'static str> {
        match self {
            Task::Look | Task::Plan | Task::Synthesise => Some("plan"),
            Task::PlanToDestroy => Some("plan to destroy"),
            Task::Refresh => Some("refresh"),
            Task::Apply => Some("apply"),
            Task::UpgradeOldStates | Task::Validate | Task::Move | Task::Settle => None,
            Task::ReadGone | Task::DeleteGone | Task::Delete => None,
        }
    }
}

impl<'a, 'p, E: Display> Engine<'a, 'p, E> {
    pub fn new(player: &'a Player<'p, E>, state: State, turn: usize) -> Engine<'a, 'p, E> {
        let known = Known { state, ..Known::default() };
        let current = String::new();
        Engine { player, known: Mutex::new(known), turn, current, nth: 0, n_attempts: 0, n_walks: 0 }
    }

    pub fn into_state(self) -> State {
        self.known.into_inner().unwrap_or_else(PoisonError::into_inner).state
    }

    pub fn known(&self) -> MutexGuard<'_, Known> {
        self.known.lock().unwrap_or_else(PoisonError::into_inner)
    }

    /// Plays one run as far as it may go.
    pub async fn run(&mut self, run: &EngineRun) -> Outcome<()> {
        let config = Configuration::of(run)?;
        let may_apply = self.player.options.apply;
        if may_apply && !run.only_looks() {
            self.known().state.forget_synthesised();
        }
        match (run.options.mode, run.options.operation) {
            (PlanningMode::Destroy, Operation::Apply) if may_apply => self.destroy(Phase::Destroy).await,
            (PlanningMode::RefreshOnly, Operation::Apply) if may_apply => self.refresh_only(&config).await,
            (PlanningMode::Destroy | PlanningMode::RefreshOnly, _) => Ok(()),
            (PlanningMode::Normal, Operation::Upgrade) => self.upgrade_old_states(&config).await,
            (PlanningMode::Normal, Operation::Apply) if may_apply => self.apply(config).await,
            // Nothing exists that could have drifted.
            (PlanningMode::Normal, Operation::Apply) if run.has_drift() => Ok(()),
            (PlanningMode::Normal, Operation::Synthesise | Operation::Apply) => {
                self.synthesise(&config).await
            }
            (PlanningMode::Normal, _) => self.look_both(&config).await,
        }
    }

    /// Looks at a configuration with its unknown values, and at the known one if the unknown values may be
    /// the reason for a refusal.
    async fn look_both(&mut self, config: &Configuration<'_>) -> Outcome<()> {
        let looked = self.look(config).await;
        if !(matches!(looked, Err(End::Refused { .. })) && config.has_upstream()) {
            return looked;
        }
        let known = self.look(&config.resolved()).await;
        self.first_refused(looked, known)
    }

    /// The first failure of a run that was played with its unknown values, and then with known ones.
    pub(super) fn first_refused(&self, unknown: Outcome<()>, known: Outcome<()>) -> Outcome<()> {
        if unknown.is_err() && known.is_ok() {
            self.player.log().credits.accept_known();
        }
        first_failure(unknown, known)
    }

    pub async fn look(&mut self, config: &Configuration<'_>) -> Outcome<()> {
        self.forget();
        self.walk(config, in_order(config.vertices()), Task::Look, Phase::Validate).await
    }

    /// What was not done because of unknown values is done in another run, in which they are known.
    async fn apply(&mut self, config: Configuration<'_>) -> Outcome<()> {
        match self.plan_and_apply(&config, true).await {
            Ok(Left::Nothing) => Ok(()),
            Ok(Left::NoOp) => self.plan_and_apply(&config.resolved(), false).await.map(drop),
            Ok(Left::Update) => {
                self.plan_and_apply(&config.resolved(), false).await?;
                self.plan_and_apply(&config, false).await.map(drop)
            }
            Err(refused @ End::Refused { has_unknowns: true, .. }) => {
                match self.plan_and_apply(&config.resolved(), false).await {
                    Err(stop @ (End::Done | End::Stopped { .. } | End::Lost { .. })) => Err(stop),
                    known => self.first_refused(Err(refused), known.map(drop)),
                }
            }
            Err(end) => Err(end),
        }
    }

    /// Validates, plans, applies, and checks that nothing is left to do. With `may_leave`, an update that
    /// only unknown values may turn into a replacement is left to another run.
    async fn plan_and_apply(&mut self, config: &Configuration<'_>, may_leave: bool) -> Outcome<Left> {
        self.forget();
        if !config.run.has_drift() {
            self.walk(config, in_order(config.vertices()), Task::Validate, Phase::Validate).await?;
        } else if !self.change_the_world(config).await {
            return Ok(Left::Nothing);
        }
        self.move_objects(config).await?;
        self.turn += 1;
        let orphans = orphans(&self.known().state, config, self.player.subject.engine);
        let orphans = self.objects(config, |address| orphans.contains(address));
        let graph = in_order(config.vertices().into_iter().chain(orphans).collect());
        self.walk(config, graph, Task::Plan, Phase::Refresh).await?;
        if self.is_prevented(config) {
            return Ok(Left::Nothing);
        }
        self.forget_removed(config);
        if may_leave && self.replaces_for_unknowns(config) {
            return Ok(Left::Update);
        }
        let changes = self.changes(config);
        if !changes.is_empty() {
            self.turn += 1;
            let applied = self.walk(config, of_changes(changes), Task::Apply, Phase::Destroy).await;
            // Where it is not done, the user knows, and runs the engine again.
            match (config.run.options.mishap, applied) {
                (None, applied) => applied?,
                (Some(_), Ok(()) | Err(End::Refused { .. })) => return Ok(Left::Nothing),
                (Some(Mishap::Killed), Err(End::Stopped { .. })) => return Ok(Left::Nothing),
                (Some(_), Err(end)) => return Err(end),
            }
            if !self.known().failed_provisioners.is_empty() {
                return Ok(Left::Nothing);
            }
            self.settle(config).await?;
            self.look_for_the_destroyed(config, Phase::Gone).await?;
        }
        Ok(if self.has_no_op_left(config) { Left::NoOp } else { Left::Nothing })
    }

    /// Whether an instance has no change only because its changes are not known yet.
    fn has_no_op_left(&self, config: &Configuration<'_>) -> bool {
        let known = self.known();
        let is_left = |(address, block): (&InstanceAddress, &&Block)| {
            let is_no_op = |plan: &InstancePlan| plan.plan.action == Action::NoOp;
            block.arguments.has_upstream() && known.plans.get(address).is_some_and(is_no_op)
        };
        !config.is_resolved() && known.drifts.is_empty() && config.instances.iter().any(is_left)
    }

    /// Whether an instance is replaced, and the reason may be that a value is unknown.
    fn replaces_for_unknowns(&self, config: &Configuration<'_>) -> bool {
        let known = self.known();
        let is_left = |(address, block): (&InstanceAddress, &&Block)| {
            let is_update = known.state.current(address).is_some_and(|object| !object.is_tainted());
            let is_replaced = |plan: &InstancePlan| plan.plan.action.is_replace();
            block.arguments.has_upstream() && is_update && known.plans.get(address).is_some_and(is_replaced)
        };
        let is_forced = !config.run.options.replace.is_empty();
        !config.is_resolved() && !is_forced && config.instances.iter().any(is_left)
    }

    /// Returns whether all of it could be done.
    async fn change_the_world(&mut self, config: &Configuration<'_>) -> bool {
        for change in &config.run.before {
            let WorldChange::Drift { of, kind, to } = change else { continue };
            let instance = self.instance_of(config, &(of.clone(), None));
            let visit = self.visit(Spot::default(), Phase::Drift, of);
            let Some(drift) = visit.change_remotely(&instance, *kind, to.as_ref()).await else {
                return false;
            };
            self.known().drifts.insert(of.clone(), drift);
        }
        true
    }

    /// The changes that the plans of a run result in.
    pub fn changes(&self, config: &Configuration<'_>) -> Vec<Vertex> {
        let engine = self.player.subject.engine;
        let mut known = self.known();
        let mut changes = Vec::new();
        for (address, plan) in &known.plans {
            let kinds = match plan.plan.action {
                Action::NoOp | Action::Read | Action::Delete => vec![],
                Action::Create | Action::Update => vec![Change::Apply],
                _ if config.forgets_replaced(address, &known.state, engine) => vec![Change::Apply],
                Action::DeleteThenCreate => vec![Change::Destroy(None), Change::Apply],
                Action::CreateThenDelete => vec![Change::Apply, Change::DestroyReplaced],
            };
            changes.extend(kinds.into_iter().map(|change| config.change(&known.state, address, change)));
        }
        changes.extend(known.deferred_reads.iter().map(|address| config.vertex(address, Change::Apply)));
        let destruction = |(address, deposed): &Target| config.destruction(&known.state, address, *deposed);
        changes.extend(known.destroy_plans.keys().map(destruction));
        if engine.creates_first_for_the_destroyed() {
            let forced = force_created_first(&changes);
            let is_replaced = |vertex: &&Vertex| {
                let plan = known.plans.get(&vertex.address);
                plan.is_some_and(|plan| plan.plan.action == Action::DeleteThenCreate)
            };
            let lost = forced.iter().map(|idx| &changes[*idx]).find(is_replaced);
            // It is played as it was planned, and as every other engine does it.
            known.defect = lost.map(|vertex| defect_of_the_order(vertex, &changes));
            if known.defect.is_none() {
                for idx in forced {
                    changes[idx].create_before_destroy = true;
                    if changes[idx].change == Change::Apply {
                        known.created_first.insert(changes[idx].address.clone());
                    }
                }
            }
        }
        keep_needed(&mut changes, config, engine);
        changes
    }

    async fn settle(&mut self, config: &Configuration<'_>) -> Outcome<()> {
        let applied: Vec<InstanceAddress> = self.known().applied.keys().cloned().collect();
        if applied.is_empty() {
            return Ok(());
        }
        self.turn += 1;
        let vertices = applied.iter().map(|address| config.vertex(address, Change::Apply));
        self.walk(config, in_order(vertices.collect()), Task::Settle, Phase::Refresh).await
    }

    /// Nothing changes, so that everything is known from the start.
    async fn refresh_only(&mut self, config: &Configuration<'_>) -> Outcome<()> {
        let config = &config.resolved();
        self.forget();
        if !self.change_the_world(config).await {
            return Ok(());
        }
        self.turn += 1;
        let objects = self.objects(config, |_| true);
        let data = config.vertices().into_iter().filter(|vertex| !vertex.address.is_managed());
        let graph = in_order(objects.into_iter().chain(data).collect());
        self.walk(config, graph, Task::Refresh, Phase::Refresh).await
    }

    /// The managed objects of the state that are meant, and the deposed ones of what is configured and targeted.
    pub fn objects(
        &self,
        config: &Configuration<'_>,
        is_meant: impl Fn(&InstanceAddress) -> bool,
    ) -> Vec<Vertex> {
        let known = self.known();
        let mut objects = Vec::new();
        for (address, instance) in known.state.instances.iter() {
            let is_configured = config.instances.contains_key(address) && config.is_targeted(address);
            if is_meant(address) && instance.current.is_some() {
                objects.push(config.destruction(&known.state, address, None));
            }
            if is_meant(address) || is_configured {
                let deposed = instance.deposed.keys();
                objects.extend(deposed.map(|key| config.destruction(&known.state, address, Some(*key))));
            }
        }
        objects
    }

    /// Keeps nothing of the previous run but what it did to objects.
    pub fn forget(&mut self) {
        self.n_attempts += 1;
        let mut known = self.known();
        let (state, forgotten) = (std::mem::take(&mut known.state), std::mem::take(&mut known.forgotten));
        *known = Known { state, forgotten, ..Known::default() };
    }

    /// Visits the objects of a graph; the next walk continues with the process after the last one
    /// called. Returns the error of the first object that failed, in the order of the graph.
    pub async fn walk(
        &mut self,
        config: &Configuration<'_>,
        graph: Result<Graph<Node>, Cycle>,
        task: Task,
        phase: Phase,
    ) -> Outcome<()> {
        self.n_walks += 1;
        self.player.log().walks.push(Walk {
            run: self.nth,
            attempt: self.n_attempts,
            task,
            is_resolved: config.is_resolved(),
            defect: self.known().defect.filter(|_| task == Task::Apply),
            exchanges: 0..0,
        });
        let graph = graph.map_err(|cycle| End::Stopped {
            phase,
            rpc: None,
            why: format!("the graph has a cycle: {cycle}"),
        })?;
        let (engine, last_turn) = (&*self, AtomicUsize::new(self.turn));
        let schedule = config.run.options.schedule;
        let ranks = ranks(&graph, schedule);
        let visited = walk(&graph, schedule, self.player.options.parallelism, |node| {
            let spot = Spot { walk: engine.n_walks, vertex: ranks[node.index()] };
            let Node::Object(vertex) = &graph[node] else { unreachable!("nothing is done at other nodes") };
            let last_turn = &last_turn;
            let mut visit = engine.visit(spot, phase, &vertex.address).with_task(task);
            // Another configuration is that of another process.
            let ahead = usize::from(vertex.provider.is_some());
            visit.turn += ahead;
            async move {
                let outcome = engine.perform(&mut visit, config, task, vertex).await;
                last_turn.fetch_max(visit.turn - ahead, Ordering::Relaxed);
                match outcome {
                    // What depends on it is skipped, though the provider did nothing wrong.
                    Ok(()) if engine.known().failed_provisioners.contains(&vertex.address) => Err(None),
                    outcome => outcome.map_err(Some),
                }
            }
        })
        .await;
        self.turn = last_turn.into_inner();
        if let Some(what) = task.of_an_engine() {
            self.player.log().walked.extend(Walked::of(format!("{}: {what}", self.current), graph));
        }
        let failed = visited.into_iter().find_map(|visited| match visited {
            Visited::Failed(end) => end,
            Visited::Done | Visited::Skipped => None,
        });
        failed.map_or(Ok(()), Err)
    }

    fn visit(&self, spot: Spot, phase: Phase, address: &InstanceAddress) -> Visit<'a, 'p, E> {
        Visit::new(self.player, spot, self.turn, phase, address.to_string())
    }
}
