//! What every check may ask: where the exchange stands, and what an engine's own checks say of it.

use std::cell::OnceCell;
use std::collections::BTreeMap;

use serde::{Deserialize, Serialize};

use super::Declared;
use super::differences::differences;
use super::shape::misshapen;
use super::views::{Applied, Planned, schema_shown};
use crate::core::{self, Problem};
use crate::engine::Engine;
use crate::schema::{Block, Member, ProviderSchema};
use crate::transcript::{Exchange, ExchangeId, Purpose, Subject, Transcript};
use crate::value::{AttributePath, Value};

/// What every check may know: the exchange under judgement and the transcript it stands in.
pub struct Context<'t> {
    pub transcript: &'t Transcript,
    pub exchange: &'t Exchange,
    pub engine: Engine,
    pub volatile: &'t Volatile,
    checks: EngineChecks,
    /// What is wrong about the schemas of this exchange, for all rules about it; empty until one asks.
    pub(crate) declared: OnceCell<Vec<Declared>>,
}

/// What an engine's own checks say of the exchange, worked out once for all rules.
#[derive(Default)]
struct EngineChecks {
    plan: OnceCell<Vec<Problem>>,
    pairing: OnceCell<Vec<Problem>>,
    final_plan: OnceCell<Vec<Problem>>,
    result: OnceCell<Vec<Problem>>,
    write_only: OnceCell<Vec<Problem>>,
}

/// Attributes that change by themselves, as a suite lists them: schema paths by type name.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Volatile(pub BTreeMap<String, Vec<String>>);

impl Volatile {
    /// Whether the place, or what holds it, is listed for the type.
    pub fn holds(&self, type_name: &str, path: &AttributePath) -> bool {
        let schema_path = path.schema_path();
        self.0.get(type_name).is_some_and(|paths| {
            paths.iter().any(|listed| {
                schema_path == *listed
                    || schema_path.strip_prefix(listed.as_str()).is_some_and(|rest| rest.starts_with('.'))
            })
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
        Context {
            transcript,
            exchange,
            engine,
            volatile,
            declared: OnceCell::new(),
            checks: EngineChecks::default(),
        }
    }

    pub fn subject(&self) -> &'t Subject {
        &self.transcript.subject
    }

    /// What the provider declared when this transcript first asked it; what the subject declares elsewhere.
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

    /// Whether a suite says that the place changes by itself.
    pub fn is_volatile(&self, path: &AttributePath) -> bool {
        self.exchange.call.type_name().is_some_and(|type_name| self.volatile.holds(type_name, path))
    }

    /// The innermost places at which two objects differ, volatile ones left out.
    ///
    /// An object, list, tuple or map that both have is entered; a set, or a difference of
    /// nullness, length or keys, is one place, which counts if it is one without what is volatile inside.
    pub fn differences(&self, a: &Value, b: &Value) -> Vec<(AttributePath, Value, Value)> {
        let mut found = differences(a, b);
        found.retain(|(path, a, b)| {
            !self.is_volatile(path) && self.without_volatile(path, a) != self.without_volatile(path, b)
        });
        found
    }

    /// A value at a place, with null for what is volatile inside.
    fn without_volatile(&self, at: &AttributePath, value: &Value) -> Value {
        if self.exchange.call.type_name().is_none_or(|type_name| !self.volatile.0.contains_key(type_name)) {
            return value.clone();
        }
        value.transform(&mut |inside, value| {
            if self.is_volatile(&at.join(inside)) { Value::null(value.ty().clone()) } else { value }
        })
    }
}

impl Context<'_> {
    /// As [`Context::differences`], without those that other rules report: what is unknown or misshapen now,
    /// write-only values, and nulls in place of no nested blocks, which engines put right.
    pub fn changes(&self, block: &Block, a: &Value, b: &Value) -> Vec<(AttributePath, Value, Value)> {
        let misshapen = misshapen(block, b);
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
            is.is_wholly_known() && !is_reported && !misshapen.iter().any(|place| holds(place, path))
        });
        found
    }

    /// What the engine's plan check finds. A plan that is unknown as a whole, is no object of the schema, or
    /// was put off, is not looked into; nor is what stands at or below a write-only attribute that is wrong already.
    pub fn plan_problems(&self, plan: &Planned<'_>) -> &[Problem] {
        self.checks.plan.get_or_init(|| {
            self.judge_plan(plan, |block| {
                core::assert_plan_valid(block, plan.prior, plan.config, plan.planned, self.engine)
            })
        })
    }

    /// What keeps the elements of planned sets from being paired with configured ones.
    pub fn pairing_problems(&self, plan: &Planned<'_>) -> &[Problem] {
        self.checks.pairing.get_or_init(|| {
            self.judge_plan(plan, |block| {
                core::assert_sets_paired(block, plan.prior, plan.config, plan.planned, self.engine)
            })
        })
    }

    fn judge_plan(&self, plan: &Planned<'_>, check: impl FnOnce(&Block) -> Vec<Problem>) -> Vec<Problem> {
        let is_put_off = plan.response.deferred.is_some() && self.engine.knows_deferral();
        let unfit = plan.planned.is_unknown() || is_put_off;
        if unfit || !misshapen(&plan.schema.block, plan.planned).is_empty() {
            return Vec::new();
        }
        let reported = self.write_only_problems(&plan.schema.block, plan.planned);
        let mut problems = check(&plan.schema.block);
        problems.retain(|problem| !reported.iter().any(|known| holds(&known.path, &problem.path)));
        problems
    }

    /// How the plan of the apply phase departs from the initial one; `None` where there is none to compare.
    pub fn final_plan_problems(&self, plan: &Planned<'_>) -> Option<&[Problem]> {
        let Purpose::FinalPlan { initial } = self.purpose() else { return None };
        let initial = self.initial_plan(*initial, plan)?;
        Some(self.checks.final_plan.get_or_init(|| {
            let last = core::Planned { action: self.action(plan), state: plan.planned.clone() };
            core::assert_final_plan(&plan.schema.block, &initial, &last, self.engine)
        }))
    }

    /// What the initial plan of `last` came to. The state of a replacement is that of its create half; for
    /// anything else, both plans are of an object that exists, or both of one that does not.
    fn initial_plan(&self, id: ExchangeId, last: &Planned<'_>) -> Option<core::Planned> {
        let view = |exchange| Context::new(self.transcript, exchange, self.engine, self.volatile);
        let context = view(self.earlier(id)?);
        let initial = context.planned().ok()?;
        if !misshapen(&initial.schema.block, initial.planned).is_empty() {
            return None;
        }
        let action = context.action(&initial);
        if !action.is_replace() {
            let is_alike = initial.prior.is_null() == last.prior.is_null();
            return is_alike.then(|| core::Planned { action, state: initial.planned.clone() });
        }
        let create_half = self
            .transcript
            .before(self.exchange.id, &self.exchange.instance)
            .find(|exchange| matches!(exchange.purpose, Purpose::ReplaceCreate { first } if first == id))?;
        Some(core::Planned { action, state: view(create_half).planned().ok()?.planned.clone() })
    }

    /// The action that follows from a plan.
    fn action(&self, plan: &Planned<'_>) -> core::Action {
        let block = &plan.schema.block;
        let kept = self.required_replaces(plan).kept;
        core::choose_action(
            block,
            plan.prior,
            plan.planned,
            &kept,
            core::Circumstances::default(),
            self.engine,
        )
    }

    /// What becomes of the paths that a plan says require replacement.
    pub fn required_replaces(&self, plan: &Planned<'_>) -> core::RequiredReplaces {
        let paths: Vec<AttributePath> =
            plan.response.requires_replace.iter().map(|path| path.to_path()).collect();
        core::requires_replace(&plan.schema.block, plan.prior, plan.planned, &paths, self.engine)
    }

    /// What the engine's comparison of a result with its plan finds.
    ///
    /// Deletes and failed applies are not compared. Neither is what other rules report: a missing or
    /// misshapen object, unknown values, and write-only ones.
    pub fn result_problems(&self, applied: &Applied<'_>) -> &[Problem] {
        self.checks.result.get_or_init(|| {
            if applied.failed || !applied.planned.is_set() || !applied.new.is_set() {
                return Vec::new();
            }
            let block = &applied.schema.block;
            if !misshapen(block, applied.new).is_empty() {
                return Vec::new();
            }
            let reported = self.write_only_problems(block, applied.new);
            let mut problems =
                core::assert_object_compatible(block, applied.planned, applied.new, self.engine);
            problems.retain(|problem| {
                problem.values.last().is_none_or(|(_, actual)| actual.is_wholly_known())
                    && !reported.iter().any(|known| holds(&known.path, &problem.path))
            });
            problems
        })
    }

    /// Where the answer's object holds what a write-only attribute must not.
    pub fn write_only_problems(&self, block: &Block, answered: &Value) -> &[Problem] {
        self.checks.write_only.get_or_init(|| core::assert_write_only_null(block, answered))
    }
}

/// Whether `inner` is `outer`, or lies below it.
fn holds(outer: &AttributePath, inner: &AttributePath) -> bool {
    inner.steps().starts_with(outer.steps())
}
