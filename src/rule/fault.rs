//! Deliberate breaches: an action, a point and a condition in one function.
//!
//! The same function creates the failing example of a rule and arms the reference
//! provider, so that text, example and live breach cannot drift apart.

use std::collections::BTreeMap;

use crate::schema::{ProviderSchema, Schema};
use crate::transcript::{CrashReport, Exchange, ExitKind, GoPanic, RpcFailure};

/// A breach, or, as a control, the same action where it is legal.
#[derive(Clone, Copy, Debug)]
pub struct Fault {
    /// A lasting slug, `group/what-it-does`.
    pub name: &'static str,
    /// What the provider does, in one line.
    pub about: &'static str,
    pub injection: Injection,
}

/// What a fault acts on. Each function says whether it found something to act on.
#[derive(Clone, Copy, Debug)]
pub enum Injection {
    /// Rewrites an answer: its values (set them with [`Encoded::of`](crate::transcript::Encoded::of)),
    /// their bytes, or the message around them.
    Answer(fn(&mut Exchange, &mut FaultContext<'_>) -> bool),
    /// Rewrites the request before the conforming half of the provider sees it; the answer is
    /// then rewritten by the second function, which sees the request as it was.
    Call(fn(&mut Exchange, &mut FaultContext<'_>) -> bool, fn(&mut Exchange, &mut FaultContext<'_>) -> bool),
    /// Rewrites what the provider declares.
    Schema(fn(&mut ProviderSchema) -> bool),
    /// Rewrites the serialised answer.
    Message(fn(&Exchange, &mut Vec<u8>) -> bool),
    /// Something the process does instead of answering.
    Process(fn(&Exchange, &mut FaultContext<'_>) -> Option<ProcessInjection>),
    /// Something about the start of the process.
    Start(Noise),
    /// Nothing, for the control of a fault that has no legal neighbour; gives the reason.
    Nothing(&'static str),
}

/// What a process may do instead of answering a call.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum ProcessInjection {
    /// Prints a Go-like panic and exits with status 2.
    Panic,
    Exit(i32),
    /// Never answers.
    Hang,
    /// A gRPC status instead of a response.
    Status(i32),
    /// Writes to standard error, and answers.
    Noise,
}

/// What is wrong with a start.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Noise {
    /// A line on standard output before the handshake.
    ChattyHandshake,
    /// Lines on standard error: legal.
    ChattyStderr,
}

/// What a fault may look at besides the exchange.
pub struct FaultContext<'s> {
    /// The schema of the exchange's type; `None` for calls that concern none.
    pub schema: Option<&'s Schema>,
    pub provider: &'s ProviderSchema,
    /// What the process remembers between calls.
    pub memory: &'s mut Memory,
}

/// The memory of one process, by keys that faults choose.
#[derive(Clone, Debug, Default)]
pub struct Memory {
    counts: BTreeMap<String, u64>,
    texts: BTreeMap<String, String>,
}

impl Memory {
    /// Counts a key, and returns how often it was counted before.
    pub fn count(&mut self, key: &str) -> u64 {
        let count = self.counts.entry(key.to_owned()).or_default();
        *count += 1;
        *count - 1
    }

    pub fn remember(&mut self, key: &str, text: &str) {
        self.texts.insert(key.to_owned(), text.to_owned());
    }

    pub fn recall(&self, key: &str) -> Option<&str> {
        self.texts.get(key).map(String::as_str)
    }
}

impl ProcessInjection {
    /// What a caller would observe; returns whether there is anything to observe.
    pub fn fail(self, exchange: &mut Exchange) -> bool {
        let crashed =
            |exit, go_panic| RpcFailure::Crashed(CrashReport { exit, stderr_tail: String::new(), go_panic });
        let failure = match self {
            ProcessInjection::Panic => {
                let armed = GoPanic { message: "armed".to_owned(), frame: None, location: None };
                crashed(ExitKind::Code(2), Some(armed))
            }
            ProcessInjection::Exit(code) => crashed(ExitKind::Code(code), None),
            ProcessInjection::Hang => {
                RpcFailure::TimedOut { after: std::time::Duration::from_secs(1), busy: None }
            }
            ProcessInjection::Status(code) => {
                RpcFailure::Status { code, name: format!("code {code}"), message: "armed".to_owned() }
            }
            ProcessInjection::Noise => return false,
        };
        exchange.call.fail(failure);
        true
    }
}
