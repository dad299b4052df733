//! Visiting one vertex: makes calls one after the other, and records them.

use std::fmt::Display;
use std::sync::Arc;
use std::time::Duration;

use super::player::Player;
use super::task::Task;
use super::walks::Spot;
use super::{End, Outcome};
use crate::engine::ClientCapabilities;
use crate::process::Usage;
use crate::provider::pool::Member;
use crate::scenario::Mishap;
use crate::transcript::{
    AnyCall, Busy, Encoded, Exchange, ExchangeId, Phase, PriorOrigin, Purpose, RpcFailure, Side,
};
use crate::value::Value;

/// One vertex of a walk, while it is visited.
pub(super) struct Visit<'a, 'p, E> {
    pub player: &'a Player<'p, E>,
    /// Which provider instance is used.
    pub turn: usize,
    pub phase: Phase,
    /// Whether the walk applies a plan.
    applies: bool,
    /// What happens while something is applied here.
    pub mishap: Option<Mishap>,
    /// The address that exchanges are recorded with.
    pub instance: String,
    /// The instance that is used in place of the one whose turn it is.
    unconfigured: Option<Arc<Member>>,
    spot: Spot,
    /// The exchanges made here, in order.
    made: Vec<Exchange>,
}

/// No exchange is lost, however the visit ends.
impl<E> Drop for Visit<'_, '_, E> {
    fn drop(&mut self) {
        let made = std::mem::take(&mut self.made);
        self.player.log().record(self.spot, made);
    }
}

impl<'a, 'p, E: Display> Visit<'a, 'p, E> {
    pub fn new(player: &'a Player<'p, E>, spot: Spot, turn: usize, phase: Phase, instance: String) -> Self {
        let (applies, mishap, unconfigured) = (false, None, None);
        Visit { player, turn, phase, applies, mishap, instance, unconfigured, spot, made: Vec::new() }
    }

    /// The same in a walk with this task.
    pub fn with_task(mut self, task: Task) -> Self {
        self.applies = task == Task::Apply;
        self
    }

    /// What the engine tells the provider it supports.
    pub fn capabilities(&self) -> ClientCapabilities {
        let subject = self.player.subject;
        let deferral_allowed = self.applies && subject.engine.allows_deferral_in_apply();
        ClientCapabilities { deferral_allowed, ..subject.client_capabilities() }
    }

    /// Continues with another process.
    pub fn next_process(&mut self) {
        self.turn += 1;
    }

    /// Makes the next calls to a new instance that is not configured.
    pub async fn begin_unconfigured(&mut self) -> Outcome<()> {
        let lost = |error: E| End::Lost { why: error.to_string() };
        self.unconfigured = Some(self.player.pool.unconfigured().await.map_err(lost)?);
        Ok(())
    }

    /// Ends that instance.
    pub async fn end_unconfigured(&mut self) {
        if let Some(member) = self.unconfigured.take() {
            self.player.pool.close_unconfigured(&member).await;
        }
    }

    pub fn provider_meta(&self) -> Option<Encoded> {
        let meta = self.player.subject.schema.provider_meta.as_ref()?;
        let value = self.player.options.provider_meta.clone().unwrap_or_else(|| meta.null());
        Some(Encoded::of(value, meta.implied_type()))
    }

    /// Calls the process whose turn it is, and records the outcome.
    pub async fn ask(
        &mut self,
        purpose: Purpose,
        prior: PriorOrigin,
        mut call: AnyCall,
    ) -> Outcome<ExchangeId> {
        let Player { pool, options, subject, .. } = self.player;
        let id = self.player.next_id();
        self.tell(&call);
        let lost = |error: E| End::Lost { why: error.to_string() };
        let member = match &self.unconfigured {
            Some(member) => Arc::clone(member),
            None => pool.member(self.turn).await.map_err(lost)?,
        };
        let before = options.is_alone.then(|| member.handle.usage());
        let mishap = self.mishap.filter(|_| matches!(call, AnyCall::ApplyResourceChange(_)));
        let phase = mishap.map_or(self.phase, |_| Phase::Interrupted);
        let client = member.client.with_words(options.words);
        let asking = client.ask(&mut call, &subject.schema);
        let mishap = mishap.filter(|_| options.may_disturb);
        let took = match mishap {
            Some(mishap) => {
                let wait = self.half_of_an_apply();
                let happens = async {
                    tokio::time::sleep(wait).await;
                    match mishap {
                        Mishap::Stopped => member.client.stop().await,
                        Mishap::Killed => member.handle.kill().await,
                    }
                };
                tokio::join!(asking, happens).0
            }
            None => asking.await,
        };
        if let (Some(RpcFailure::TimedOut { after, busy }), Some(before)) = (call.failure_mut(), before) {
            *busy = what_it_did(member.handle.usage().since(before), *after);
        }
        if call.failure().is_some_and(ends_instance) || mishap == Some(Mishap::Killed) {
            pool.retire(member.number).await;
        }
        self.tell(&call);
        self.made.push(Exchange {
            id,
            phase,
            purpose,
            instance: self.instance.clone(),
            process: member.number,
            prior,
            call,
            took,
        });
        Ok(id)
    }

    /// When a change of the instance is about half done: half the time that its last one took.
    fn half_of_an_apply(&self) -> Duration {
        let log = self.player.log();
        let mut before = log.exchanges.iter().rev().filter(|exchange| exchange.instance == self.instance);
        let last = before.find(|exchange| matches!(exchange.call, AnyCall::ApplyResourceChange(_)));
        last.map_or(Duration::ZERO, |last| last.took / 2)
    }

    fn tell(&self, call: &AnyCall) {
        if let Some(listener) = &self.player.options.listener {
            listener(call);
        }
    }

    /// The last call made in this visit.
    pub fn last(&self) -> Option<ExchangeId> {
        self.made.last().map(|exchange| exchange.id)
    }

    /// A call made in this visit.
    pub fn call(&self, id: ExchangeId) -> &AnyCall {
        let made = self.made.iter().rev().find(|exchange| exchange.id == id);
        &made.expect("a visit looks at its own calls").call
    }

    /// Continues only if the answer has no errors.
    pub fn succeeded(&self, id: ExchangeId) -> Outcome<()> {
        let call = self.call(id);
        match call.failure() {
            Some(failure) => Err(self.stopped(id, failure.to_string())),
            None if !call.succeeded() => Err(End::Refused {
                phase: self.phase,
                rpc: call.rpc(),
                diagnostics: call
                    .diagnostics()
                    .into_iter()
                    .filter(|diagnostic| diagnostic.is_error())
                    .cloned()
                    .collect(),
                has_unknowns: has_unknowns(call),
            }),
            None => Ok(()),
        }
    }

    /// Continues whatever was answered, unless the process is unusable.
    pub fn survived(&self, id: ExchangeId) -> Outcome<()> {
        match self.call(id).failure() {
            Some(failure) if ends_instance(failure) => Err(self.stopped(id, failure.to_string())),
            _ => Ok(()),
        }
    }

    pub fn stopped(&self, id: ExchangeId, why: impl Into<String>) -> End {
        End::Stopped { phase: self.phase, rpc: Some(self.call(id).rpc()), why: why.into() }
    }

    /// The value of an answer; an engine stops if it does not decode.
    pub fn decoded(&self, id: ExchangeId, value: &Encoded) -> Outcome<Value> {
        value.value().cloned().ok_or_else(|| self.stopped(id, "the answer does not decode"))
    }
}

/// Whether something in the configuration of a call is unknown.
fn has_unknowns(call: &AnyCall) -> bool {
    let is_unknown = |value: &Encoded| value.value().is_some_and(|value| !value.is_wholly_known());
    call.values(Side::Request).into_iter().any(|(name, value)| name == "config" && is_unknown(value))
}

/// What a process did while a call was waited for; `None` if that cannot be measured.
fn what_it_did(used: Usage, waited: Duration) -> Option<Busy> {
    let is_most = |time: Duration| time * 2 >= waited;
    Some(match (used.cpu?, used.queued) {
        (_, Some(queued)) if is_most(queued) => Busy::Starved,
        (cpu, _) if is_most(cpu) => Busy::Computed,
        _ => Busy::Waited,
    })
}

/// Whether an instance is unusable after such a failure.
fn ends_instance(failure: &RpcFailure) -> bool {
    match failure {
        RpcFailure::Crashed(_) | RpcFailure::TimedOut { .. } | RpcFailure::TooLarge { .. } => true,
        RpcFailure::Status { .. } | RpcFailure::Garbled { .. } | RpcFailure::Abandoned { .. } => false,
    }
}
