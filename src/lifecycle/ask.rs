//! Making a call and writing it down.

use std::fmt::Display;
use std::sync::Arc;

use super::{End, Options, Reached, Remote};
use crate::provider::pool::Pool;
use crate::scenario::Node;
use crate::schema::Schema;
use crate::transcript::{
    AnyCall, DriftKind, Encoded, Exchange, ExchangeId, PriorOrigin, Purpose, RpcFailure, Step, Subject,
    Transcript,
};
use crate::value::Value;

/// Where a scenario stands.
pub(super) struct Player<'p, E> {
    pub subject: &'p Arc<Subject>,
    pub pool: &'p Pool<E>,
    pub remote: Option<&'p dyn Remote>,
    pub options: &'p Options,
    /// Which instance serves the phase.
    pub turn: usize,
    pub transcript: Transcript,
    pub step: Step,
    pub instance: String,
    pub reached: Reached,
    pub impossible: Vec<(DriftKind, String)>,
    /// Whether something may exist that was not destroyed.
    pub leaves_something: bool,
}

/// An answer that is good enough to go on with.
pub(super) type Outcome<T> = Result<T, End>;

impl<E: Display> Player<'_, E> {
    /// The next phase of an engine's run: another process.
    pub(super) fn next_phase(&mut self) {
        self.turn += 1;
    }

    /// The schema of a node: a managed type and a data source often share a name.
    pub(super) fn schema(&self, node: &Node) -> Arc<Schema> {
        let found = self.subject.schema.get(node.kind, &node.type_name);
        Arc::clone(found.expect("scenarios are made from the provider's own schema"))
    }

    pub(super) fn provider_meta(&self) -> Option<Encoded> {
        let meta = self.subject.schema.provider_meta.as_ref()?;
        let value = self.options.provider_meta.clone().unwrap_or_else(|| meta.null());
        Some(Encoded::of(value, meta.implied_type()))
    }

    /// Asks the instance of the current phase and writes down what came back.
    pub(super) async fn ask(
        &mut self,
        purpose: Purpose,
        prior: PriorOrigin,
        mut call: AnyCall,
    ) -> Outcome<ExchangeId> {
        self.tell(&call);
        let lost = |error: E| End::Lost { why: error.to_string() };
        let mut member = self.pool.member(self.turn).await.map_err(lost)?;
        let mut took = member.client.ask(&mut call, &self.subject.schema).await;
        // What was given up for another call's sake is asked again; an apply is not made twice for that.
        for _ in 0..TRIES {
            if !matches!(call.failure(), Some(RpcFailure::Abandoned { .. })) || call.changes_the_world() {
                break;
            }
            member = self.pool.member(self.turn).await.map_err(lost)?;
            took = member.client.ask(&mut call, &self.subject.schema).await;
        }
        if call.failure().is_some_and(ends_instance) {
            self.pool.retire(member.number).await;
        }
        if let Some(RpcFailure::Crashed(report)) = call.failure() {
            self.pool.crashed(member.number, report);
            match self.confirm_crash(&mut call).await {
                // Where there is no fresh process, the rule takes the call's word for it.
                Some(true) | None => self.pool.explained(member.number),
                Some(false) => {}
            }
        }
        self.tell(&call);
        let id = ExchangeId(self.transcript.exchanges.len() as u32);
        self.transcript.exchanges.push(Exchange {
            id,
            step: self.step,
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
        if let Some(listener) = &self.options.listener {
            listener(call);
        }
    }

    /// Whether the same call, alone in a fresh process, kills that one too; `None` where there is none.
    ///
    /// A call that only stood beside the guilty one gets the fresh process's answer.
    async fn confirm_crash(&self, call: &mut AnyCall) -> Option<bool> {
        let fresh = self.pool.fresh().await.ok()?;
        let mut again = call.clone();
        let tries = if call.changes_the_world() { 1 } else { TRIES };
        for _ in 0..tries {
            fresh.client.ask(&mut again, &self.subject.schema).await;
            if again.failure().is_some() {
                break;
            }
        }
        fresh.keeper.close().await;
        self.pool.remember(&fresh);
        let crashed_again = matches!(again.failure(), Some(RpcFailure::Crashed(_)));
        // An apply that was made after all has made something, which somebody has to destroy.
        if !crashed_again && (!call.changes_the_world() || again.succeeded()) {
            *call = again;
        } else if let Some(RpcFailure::Crashed(report)) = call.failure_mut() {
            report.confirmed = Some(crashed_again);
        }
        Some(crashed_again)
    }

    pub(super) fn call(&self, id: ExchangeId) -> &AnyCall {
        &self.transcript.exchanges[id.0 as usize].call
    }

    /// Goes on only with an answer free of errors.
    pub(super) fn succeeded(&self, id: ExchangeId) -> Outcome<()> {
        let call = self.call(id);
        match call.failure() {
            Some(failure) => Err(self.stopped(id, failure.to_string())),
            None if !call.succeeded() => Err(End::Refused {
                step: self.step,
                rpc: call.rpc_name(),
                diagnostics: call
                    .diagnostics()
                    .into_iter()
                    .filter(|diagnostic| diagnostic.is_error())
                    .cloned()
                    .collect(),
            }),
            None => Ok(()),
        }
    }

    pub(super) fn stopped(&self, id: ExchangeId, why: impl Into<String>) -> End {
        End::Stopped { step: self.step, rpc: self.call(id).rpc_name(), why: why.into() }
    }

    /// The value of an answer; an engine stops where it does not decode.
    pub(super) fn decoded(&self, id: ExchangeId, value: &Encoded) -> Outcome<Value> {
        value.value().cloned().ok_or_else(|| self.stopped(id, "the answer does not decode"))
    }
}

/// How often a call is asked alone before it counts as innocent: some crashes depend on chance.
const TRIES: u32 = 4;

/// Whether nothing more can be expected of an instance that failed so.
fn ends_instance(failure: &RpcFailure) -> bool {
    match failure {
        RpcFailure::Crashed(_) | RpcFailure::TimedOut { .. } | RpcFailure::TooLarge { .. } => true,
        RpcFailure::Status { .. } | RpcFailure::Garbled { .. } | RpcFailure::Abandoned { .. } => false,
    }
}
