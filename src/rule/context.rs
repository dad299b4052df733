//! What every check may ask: the exchange's place in the transcript, and what an engine's own checks find in
//! it.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Declared;
use super::differences::differences;
use super::views::{Applied, DataRead, DestroyPlan, Moved, Planned, Read, Upgraded, schema_shown};
use crate::core::checks::{self, CheckList};
use crate::core::{self, CheckKind, Problem};
use crate::engine::Engine;
use crate::schema::{Block, Member, ProviderSchema};
use crate::transcript::{Exchange, ExchangeId, Purpose, Subject, Transcript};
use crate::value::{AttributePath, SchemaPath, Value};

/// What every check may know: the exchange under judgement and its transcript.
pub struct Context<'t> {
    pub transcript: &'t Transcript,
    pub exchange: &'t Exchange,
    pub engine: Engine,
    pub volatile: &'t Volatile,
    found: Found,
    /// Problems of the schemas in this exchange, shared by all rules about them; empty until one asks.
    pub(crate) declared: OnceCell<Vec<Declared>>,
}

/// What was found about the exchange, computed once for all rules.
#[derive(Default)]
struct Found {
    /// What each of the engine's own checks finds, by kind.
    by_engine: [OnceCell<Vec<Problem>>; CheckKind::COUNT],
    pairing: OnceCell<Vec<Problem>>,
    /// Problems of plan and result, without those that rules about something more basic report.
    plan: OnceCell<Vec<Problem>>,
    result: OnceCell<Vec<Problem>>,
    /// The planned changes that are compared; `None` where there is no initial plan.
    changes: OnceCell<Option<[core::PlannedChange; 2]>>,
}

/// Attributes that change on their own, as a suite lists them, by the name of a type as in an address.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Volatile(pub BTreeMap<String, Vec<SchemaPath>>);

impl Volatile {
    /// Whether the place, or something that contains it, is listed for the type.
    pub fn holds(&self, type_name: &str, path: &AttributePath) -> bool {
        self.0.get(type_name).is_some_and(|listed| {
            let place = path.schema_path();
            listed.iter().any(|listed| listed.holds(&place))
        })
    }
}

impl<'t> Context<'t> {
    pub fn new(
        transcript: &'t Transcript,
        exchange: &'t Exchange,
        engine: Engine,
        volatile: &'t Volatile,
    ) -> Context<'t> {
        Context { transcript, exchange, engine, volatile, declared: OnceCell::new(), found: Found::default() }
    }

    pub fn subject(&self) -> &'t Subject {
        &self.transcript.subject
    }

    /// The schema in the transcript's first GetProviderSchema response, or else the subject's.
    pub fn schema_shown(&self) -> &'t ProviderSchema {
        let declared = self.transcript.exchanges.iter().find_map(schema_shown);
        declared.map_or(&self.subject().schema, |schema| &**schema)
    }

    pub fn purpose(&self) -> &'t Purpose {
        &self.exchange.purpose
    }

    pub fn earlier(&self, id: ExchangeId) -> Option<&'t Exchange> {
        self.transcript.exchange(id)
    }

    /// Whether a suite says that the place changes on its own.
    pub fn is_volatile(&self, path: &AttributePath) -> bool {
        self.qualified_name().is_some_and(|name| self.volatile.holds(&name, path))
    }

    /// The name of the type as in an address, if anything is volatile at all.
    fn qualified_name(&self) -> Option<String> {
        let address = self.exchange.call.address().filter(|_| !self.volatile.0.is_empty())?;
        Some(address.kind.qualified(address.name))
    }

    /// The innermost places at which two objects differ, volatile ones left out.
    ///
    /// An object, list, tuple or map that both have is entered; a set, or a difference of nullness, length
    /// or keys, is one place, which counts if it differs even without what is volatile inside.
    pub fn differences(&self, a: &Value, b: &Value) -> Vec<(AttributePath, Value, Value)> {
        let mut found = differences(a, b);
        found.retain(|(path, a, b)| {
            !self.is_volatile(path) && self.without_volatile(path, a) != self.without_volatile(path, b)
        });
        found
    }

    /// A value at a place, with null for everything volatile inside.
    fn without_volatile(&self, at: &AttributePath, value: &Value) -> Value {
        if self.qualified_name().is_none_or(|name| !self.volatile.0.contains_key(&name)) {
            return value.clone();
        }
        value.transform(&mut |inside, value| {
            if self.is_volatile(&at.join(inside)) { Value::null(value.ty().clone()) } else { value }
        })
    }
}

impl Context<'_> {
    /// As [`Context::differences`], without those that other rules report: what is now unknown or nonconforming,
    /// write-only values, and nulls in place of no nested blocks, which engines correct.
    pub fn changes(&self, block: &Block, a: &Value, b: &Value) -> Vec<(AttributePath, Value, Value)> {
        let nonconforming = core::nonconforming(block, b);
        let mut found = self.differences(a, b);
        found.retain(|(path, was, is)| {
            let is_reported = match block.find(path) {
                _ if path.is_root() => false,
                Some(Member::Attribute(_)) => {
                    block.attribute_at(path).is_some_and(|attribute| attribute.write_only)
                }
                Some(Member::Block(_)) => is.is_null() && was.is_set() && was.children().is_empty(),
                None => false,
            };
            is.is_wholly_known() && !is_reported && !nonconforming.iter().any(|place| holds(place, path))
        });
        found
    }
}

/// What the engine's own checks find. Each method runs one check of a list in [`checks`], whatever the
/// checks before it found, unless documented otherwise.
impl Context<'_> {
    /// What one check of the engine finds about the answer.
    fn found<F>(
        &self,
        list: &CheckList<F>,
        kind: CheckKind,
        call: impl FnOnce(&F) -> Vec<Problem>,
    ) -> &[Problem] {
        self.found.by_engine[kind as usize].get_or_init(|| call(&list.get(kind).find))
    }

    pub fn plan_check(&self, plan: &Planned<'_>, kind: CheckKind) -> &[Problem] {
        self.found(&checks::PLAN, kind, |find| find(&plan.step(self.engine)))
    }

    pub fn destroy_plan_check(&self, plan: &DestroyPlan<'_>, kind: CheckKind) -> &[Problem] {
        self.found(&checks::DESTROY_PLAN, kind, |find| find(&plan.step(self.engine)))
    }

    /// `None` where there is no initial plan to compare with.
    pub fn final_plan_check(&self, plan: &Planned<'_>, kind: CheckKind) -> Option<&[Problem]> {
        let [initial, last] = self.found.changes.get_or_init(|| self.changes_of_plans(plan)).as_ref()?;
        let (engine, block) = (self.engine, &plan.schema.block);
        let step = core::FinalPlanStep { engine, block, initial, last };
        Some(self.found(&checks::FINAL_PLAN, kind, |find| find(&step)))
    }

    pub fn apply_check(&self, applied: &Applied<'_>, kind: CheckKind) -> &[Problem] {
        self.found(&checks::APPLY, kind, |find| find(&applied.step(self.engine)))
    }

    pub fn read_check(&self, read: &Read<'_>, kind: CheckKind) -> &[Problem] {
        self.found(&checks::READ, kind, |find| find(&read.step(self.engine)))
    }

    pub fn upgrade_check(&self, upgrade: &Upgraded<'_>, kind: CheckKind) -> &[Problem] {
        self.found(&checks::UPGRADE, kind, |find| find(&upgrade.step(self.engine)))
    }

    pub fn move_check(&self, moved: &Moved<'_>, kind: CheckKind) -> &[Problem] {
        self.found(&checks::MOVE, kind, |find| find(&moved.step(self.engine)))
    }

    pub fn data_read_check(&self, read: &DataRead<'_>, kind: CheckKind) -> &[Problem] {
        self.found(&checks::DATA_READ, kind, |find| find(&read.step(self.engine)))
    }

    /// What the engine's plan check finds, except at or below a write-only attribute that is already wrong. A
    /// plan that is wholly unknown, does not conform to the schema or was deferred is skipped.
    pub fn plan_problems(&self, plan: &Planned<'_>) -> &[Problem] {
        self.found.plan.get_or_init(|| {
            if !self.is_sound(plan) {
                return Vec::new();
            }
            self.beyond_write_only(
                self.plan_check(plan, CheckKind::PlanValid).to_vec(),
                self.plan_check(plan, CheckKind::WriteOnlyNull),
            )
        })
    }

    /// Why planned set elements cannot be paired with configured ones, under the conditions of
    /// [`Context::plan_problems`].
    pub fn pairing_problems(&self, plan: &Planned<'_>) -> &[Problem] {
        self.found.pairing.get_or_init(|| {
            if !self.is_sound(plan) {
                return Vec::new();
            }
            let block = &plan.schema.block;
            let check = match plan.response.legacy_type_system {
                true => core::assert_legacy_sets_paired,
                false => core::assert_sets_paired,
            };
            self.beyond_write_only(
                check(block, plan.prior, plan.config, plan.planned, self.engine),
                self.plan_check(plan, CheckKind::WriteOnlyNull),
            )
        })
    }

    /// Whether a planned object can be compared with its configuration at all.
    fn is_sound(&self, plan: &Planned<'_>) -> bool {
        let is_deferred = plan.response.deferred.is_some() && self.engine.knows_deferral();
        !plan.planned.is_unknown() && !is_deferred && self.plan_check(plan, CheckKind::Conforms).is_empty()
    }

    fn beyond_write_only(&self, mut problems: Vec<Problem>, reported: &[Problem]) -> Vec<Problem> {
        problems.retain(|problem| !reported.iter().any(|known| holds(&known.path, &problem.path)));
        problems
    }

    /// What the engine's comparison of a result with its plan finds, without what other rules report: a
    /// missing or nonconforming object, unknown values, and write-only ones.
    pub fn result_problems(&self, applied: &Applied<'_>) -> &[Problem] {
        self.found.result.get_or_init(|| {
            let is_sound = applied.new.is_set() && self.apply_check(applied, CheckKind::Conforms).is_empty();
            if !is_sound || !applied.planned.is_set() {
                return Vec::new();
            }
            let mut problems = self.beyond_write_only(
                self.apply_check(applied, CheckKind::Compatible).to_vec(),
                self.apply_check(applied, CheckKind::WriteOnlyNull),
            );
            problems
                .retain(|problem| problem.values.last().is_none_or(|(_, actual)| actual.is_wholly_known()));
            problems
        })
    }

    /// The changes of the initial plan and of this one, if this is the plan of the apply phase.
    fn changes_of_plans(&self, last: &Planned<'_>) -> Option<[core::PlannedChange; 2]> {
        let Purpose::FinalPlan { initial } = self.purpose() else { return None };
        let initial = self.initial_plan(*initial, last)?;
        Some([initial, core::PlannedChange { action: self.action(last), state: last.planned.clone() }])
    }

    /// The change of the initial plan of `last`. The state of a replacement is that of its create half;
    /// otherwise either both plans have a prior object or neither has.
    fn initial_plan(&self, id: ExchangeId, last: &Planned<'_>) -> Option<core::PlannedChange> {
        let view = |exchange| Context::new(self.transcript, exchange, self.engine, self.volatile);
        let context = view(self.earlier(id)?);
        let initial = context.planned().ok()?;
        if !context.plan_check(&initial, CheckKind::Conforms).is_empty() {
            return None;
        }
        let action = context.action(&initial);
        if !action.is_replace() {
            let is_alike = initial.prior.is_null() == last.prior.is_null();
            return is_alike.then(|| core::PlannedChange { action, state: initial.planned.clone() });
        }
        let create_half = self
            .transcript
            .before(self.exchange.id, &self.exchange.instance)
            .find(|exchange| matches!(exchange.purpose, Purpose::ReplaceCreate { first } if first == id))?;
        Some(core::PlannedChange { action, state: view(create_half).planned().ok()?.planned.clone() })
    }

    fn action(&self, plan: &Planned<'_>) -> core::Action {
        plan.step(self.engine).action(core::Circumstances::default())
    }

    /// Whether the last upgrade before this exchange changed the place, so that the prior state there is
    /// not what was applied.
    pub fn was_upgraded(&self, path: &AttributePath) -> bool {
        let earlier = self.transcript.before(self.exchange.id, &self.exchange.instance);
        let mut upgrades = earlier
            .map(|exchange| Context::new(self.transcript, exchange, self.engine, self.volatile))
            .filter_map(|context| context.upgraded().ok());
        upgrades.next().is_some_and(|upgrade| {
            // The object as a whole is changed by any upgrade that changes a part of it.
            !path.is_root()
                && upgrade.stored().is_some_and(|stored| stored.at(path) != upgrade.upgraded.at(path))
        })
    }

    /// How an engine resolves the paths that a plan says require replacement.
    pub fn required_replaces(&self, plan: &Planned<'_>) -> core::RequiredReplaces {
        plan.step(self.engine).required_replaces()
    }
}

/// Whether `inner` is `outer`, or below it.
fn holds(outer: &AttributePath, inner: &AttributePath) -> bool {
    inner.steps().starts_with(outer.steps())
}
