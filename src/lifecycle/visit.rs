//! Visiting one vertex: makes calls one after the other, and records them.

use std::fmt::Display;

use super::player::{Player, Spot};
use super::{End, Outcome};
use crate::transcript::{
    AnyCall, Encoded, Exchange, ExchangeId, Phase, PriorOrigin, Purpose, RpcFailure, Side,
};
use crate::value::Value;

/// One vertex of a walk, while it is visited.
pub(super) struct Visit<'a, 'p, E> {
    pub player: &'a Player<'p, E>,
    /// Which provider instance is used.
    pub turn: usize,
    pub phase: Phase,
    /// The address that exchanges are recorded with.
    pub instance: String,
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
        Visit { player, turn, phase, instance, spot, made: Vec::new() }
    }

    /// Continues with another process.
    pub fn next_process(&mut self) {
        self.turn += 1;
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
        let (pool, schema) = (self.player.pool, &self.player.subject.schema);
        let id = self.player.next_id();
        self.tell(&call);
        let lost = |error: E| End::Lost { why: error.to_string() };
        let mut member = pool.member(self.turn).await.map_err(lost)?;
        let mut took = member.client.ask(&mut call, schema).await;
        // A call abandoned because of another one is repeated; an apply is not.
        for _ in 0..TRIES {
            if !matches!(call.failure(), Some(RpcFailure::Abandoned { .. })) || call.changes_the_world() {
                break;
            }
            member = pool.member(self.turn).await.map_err(lost)?;
            took = member.client.ask(&mut call, schema).await;
        }
        if call.failure().is_some_and(ends_instance) {
            pool.retire(member.number).await;
        }
        if let Some(RpcFailure::Crashed(report)) = call.failure() {
            pool.crashed(member.number, report);
            match self.confirm_crash(&mut call).await {
                // Without a fresh process, the rule blames this call.
                Some(true) | None => pool.explained(member.number),
                Some(false) => {}
            }
        }
        self.tell(&call);
        self.made.push(Exchange {
            id,
            phase: self.phase,
            purpose,
            instance: self.instance.clone(),
            process: member.number,
            prior,
            call,
            took,
        });
        Ok(id)
    }

    fn tell(&self, call: &AnyCall) {
        if let Some(listener) = &self.player.options.listener {
            listener(call);
        }
    }

    /// Whether the same call, alone in a fresh process, crashes that one too; `None` if none could
    /// be started.
    ///
    /// A call that was merely in flight at the same time gets the fresh process's answer.
    async fn confirm_crash(&self, call: &mut AnyCall) -> Option<bool> {
        let pool = self.player.pool;
        let fresh = pool.fresh().await.ok()?;
        let mut again = call.clone();
        let tries = if call.changes_the_world() { 1 } else { TRIES };
        for _ in 0..tries {
            fresh.client.ask(&mut again, &self.player.subject.schema).await;
            if again.failure().is_some() {
                break;
            }
        }
        fresh.handle.close().await;
        pool.remember(&fresh);
        let crashed_again = matches!(again.failure(), Some(RpcFailure::Crashed(_)));
        // An apply that succeeded here has created something that must be destroyed.
        if !crashed_again && (!call.changes_the_world() || again.succeeded()) {
            *call = again;
        } else if let Some(RpcFailure::Crashed(report)) = call.failure_mut() {
            report.confirmed = Some(crashed_again);
        }
        Some(crashed_again)
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
                rpc: call.rpc_name(),
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

    pub fn stopped(&self, id: ExchangeId, why: impl Into<String>) -> End {
        End::Stopped { phase: self.phase, rpc: self.call(id).rpc_name(), why: why.into() }
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

/// How often a call is repeated alone before it is cleared: some crashes are random.
const TRIES: u32 = 4;

/// Whether an instance is unusable after such a failure.
fn ends_instance(failure: &RpcFailure) -> bool {
    match failure {
        RpcFailure::Crashed(_) | RpcFailure::TimedOut { .. } | RpcFailure::TooLarge { .. } => true,
        RpcFailure::Status { .. } | RpcFailure::Garbled { .. } | RpcFailure::Abandoned { .. } => false,
    }
}
