//! A conforming provider that can be told to break one rule.
//!
//! It works on typed calls: the server decodes a request, has it fill in the
//! outcome, and encodes that. Its types have every feature a schema can have, its
//! remote system is a folder that several processes share, and what it generates
//! (IDs, times) is a function of a seed. Plan modification works as in plugin
//! frameworks: see [`modify`].
//!
//! Deliberately absent: protobuf, gRPC, the plugin handshake, the clock.

mod answer;
mod arm;
mod computed_values;
mod definition;
mod drift;
mod examples;
mod merge;
pub mod modify;
mod objects;
mod plan;
mod private;
mod relations;
mod request_log;
pub mod schema;
pub mod serve;
mod spelling;
mod store;
mod upgrade;
mod validate;

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};

use crate::rule::{FaultContext, Injection, Memory, Noise, ProcessInjection};
use crate::schema::ProviderSchema;
use crate::transcript::{AnyCall, Exchange};

pub use arm::{ArmError, Armed, faults};
pub use definition::Definition;
pub use drift::{Impossible, change_remotely};
pub use examples::examples;
pub use request_log::{Logged, logged};
pub use schema::Offered;
pub use spelling::Spelling;
pub use store::requests;

/// One process of the provider.
pub struct Reference {
    protocol: u8,
    seed: u64,
    store: store::Store,
    definitions: BTreeMap<String, Definition>,
    schema: Arc<ProviderSchema>,
    faults: Vec<Armed>,
    memory: Mutex<Memory>,
    n_committed: AtomicU64,
}

/// What to do with a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Reply {
    /// The outcome is filled in.
    Answered,
    /// The process does this instead; with [`ProcessInjection::Noise`] the outcome is filled in as well.
    Process(ProcessInjection),
}

/// Why the provider cannot be created.
#[derive(Debug, thiserror::Error)]
pub enum ReferenceError {
    #[error("the reference provider speaks protocols 5 and 6, not {0}")]
    Protocol(u8),
    #[error("the store cannot be opened: {0}")]
    Store(#[from] std::io::Error),
    #[error("the fault {0:?} finds nothing in the schema to act on")]
    NothingToSpoil(&'static str),
}

impl Reference {
    /// A provider process over a store, which is created if it does not exist.
    pub fn open(
        types: Offered,
        protocol: u8,
        store: &Path,
        seed: u64,
        faults: Vec<Armed>,
    ) -> Result<Reference, ReferenceError> {
        if !matches!(protocol, 5 | 6) {
            return Err(ReferenceError::Protocol(protocol));
        }
        let definitions = types.definitions(protocol);
        let mut provider = types.provider(protocol, &definitions);
        for armed in &faults {
            if let Injection::Schema(corrupt) = armed.fault.injection
                && !corrupt(&mut provider)
            {
                return Err(ReferenceError::NothingToSpoil(armed.fault.name));
            }
        }
        Ok(Reference {
            protocol,
            seed,
            store: store::Store::open(store, protocol)?,
            definitions,
            schema: Arc::new(provider),
            faults,
            memory: Mutex::default(),
            n_committed: AtomicU64::new(0),
        })
    }

    /// What the provider declares, corrupted by a fault if one does that. Requests are decoded by it.
    pub fn schema(&self) -> &Arc<ProviderSchema> {
        &self.schema
    }

    pub fn protocol(&self) -> u8 {
        self.protocol
    }

    /// What is wrong with the start of the process.
    pub fn start(&self) -> Vec<Noise> {
        self.faults
            .iter()
            .filter_map(|armed| match armed.fault.injection {
                Injection::Start(noise) => Some(noise),
                _ => None,
            })
            .collect()
    }

    /// How often each RPC was called, by process, over the life of the store.
    pub fn requests(&self) -> std::io::Result<BTreeMap<String, BTreeMap<String, u64>>> {
        self.store.requests()
    }

    /// How many answers of this process an armed fault changed.
    pub fn n_committed(&self) -> u64 {
        self.n_committed.load(Ordering::Relaxed)
    }

    /// Answers a call: fills in its outcome. The values of the request are already decoded.
    pub fn answer(&self, exchange: &mut Exchange) -> Reply {
        self.store.log(exchange.call.rpc_name());
        let concerned: Vec<&Armed> =
            self.faults.iter().filter(|armed| self.commits(armed, &exchange.call)).collect();
        let mut noisy = false;
        for armed in &concerned {
            if let Injection::Process(act) = armed.fault.injection {
                match self.context(exchange, |exchange, context| act(exchange, context)) {
                    Some(ProcessInjection::Noise) => noisy = true,
                    Some(act) => return Reply::Process(act),
                    None => {}
                }
            }
        }
        let asked = exchange.call.clone();
        let mut misled = false;
        for armed in &concerned {
            if let Injection::Call(mislead, _) = armed.fault.injection {
                misled |= self.context(exchange, mislead);
            }
        }
        self.conform(&mut exchange.call);
        if misled {
            // The second half of the action sees the request as it was sent.
            let answered = std::mem::replace(&mut exchange.call, asked);
            exchange.call.take_outcome(answered);
        }
        let honest = self.applied(&exchange.call);
        for armed in &concerned {
            match armed.fault.injection {
                Injection::Answer(corrupt) | Injection::Call(_, corrupt) => {
                    let did = self.context(exchange, corrupt) || misled;
                    self.n_committed.fetch_add(u64::from(did), Ordering::Relaxed);
                }
                _ => {}
            }
        }
        if concerned.iter().any(|armed| matches!(armed.fault.injection, Injection::Answer(_))) {
            self.remember_what_was_said(&exchange.call, honest);
        }
        if noisy { Reply::Process(ProcessInjection::Noise) } else { Reply::Answered }
    }

    /// Whether an armed fault applies to a call.
    ///
    /// What a legacy type plans and applies is excused, and would stay in its state: a fault acts there
    /// only if it is armed for certain types, including this one.
    fn commits(&self, armed: &Armed, call: &AnyCall) -> bool {
        let changes = matches!(call, AnyCall::PlanResourceChange(_) | AnyCall::ApplyResourceChange(_));
        let is_value = matches!(armed.fault.injection, Injection::Answer(_) | Injection::Call(..));
        let is_legacy = || {
            let definition = call.type_name().and_then(|name| self.definitions.get(name));
            definition.is_some_and(|definition| definition.legacy)
        };
        armed.concerns(call) && !(changes && is_value && armed.types.is_none() && is_legacy())
    }

    /// Rewrites a serialised answer if a fault does that; returns whether one did.
    pub fn rewrite_message(&self, exchange: &Exchange, message: &mut Vec<u8>) -> bool {
        self.faults.iter().filter(|armed| armed.concerns(&exchange.call)).fold(
            false,
            |did, armed| match armed.fault.injection {
                Injection::Message(rewrite) => rewrite(exchange, message) || did,
                _ => did,
            },
        )
    }

    fn context<T>(
        &self,
        exchange: &mut Exchange,
        act: impl FnOnce(&mut Exchange, &mut FaultContext<'_>) -> T,
    ) -> T {
        let schema =
            exchange.call.type_name().and_then(|name| self.schema.get(exchange.call.kind()?, name)).cloned();
        // What a panicking fault left behind is still valid.
        let mut memory = self.memory.lock().unwrap_or_else(PoisonError::into_inner);
        let mut context =
            FaultContext { schema: schema.as_deref(), provider: &self.schema, memory: &mut memory };
        act(exchange, &mut context)
    }
}

#[cfg(test)]
mod tests;
