//! The reference provider as a real plugin process.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io::Write as _;
use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};

use super::request_log::RequestLog;
use super::{Armed, Offered, Reference, ReferenceError, Reply, change_remotely};
use crate::calls::{AnyCall, Protocol, Rpc};
use crate::lifecycle::{Changed, Remote, RemoteChange};
use crate::provider::handler::{Handler, MakeHandler};
use crate::provider::memory::InMemory;
use crate::provider::serve::{self, Server, serve_plugin};
use crate::provider::status::{Code, Status};
use crate::provider::transport::{BoxFuture, Transport};
use crate::rule::{Noise, ProcessInjection};
use crate::transcript::{Exchange, ExchangeId, Phase, PriorOrigin, Purpose, RpcFailure};

/// How the reference provider should behave.
#[derive(Clone, Debug, Serialize, Deserialize)]
pub struct Behaviour {
    /// 5 or 6.
    pub protocol: u8,
    pub seed: u64,
    /// The remote system's folder; shared by all processes of a run.
    pub store: PathBuf,
    /// As on the command line: `NAME[@TYPE[.NAME]]`.
    pub faults: Vec<String>,
    #[serde(default)]
    pub types: Offered,
    /// The file in which requests are logged, for [`logged`](super::logged).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub log: Option<PathBuf>,
}

/// Carries a [`Behaviour`] to the process, as JSON.
pub const VARIABLE: &str = "TFCONFORM_REFERENCE";

impl Behaviour {
    /// The environment variable that turns any program that starts with [`crate::role`] into the provider.
    pub fn environment(&self) -> (OsString, OsString) {
        let json = serde_json::to_string(self).expect("paths and numbers are JSON");
        (VARIABLE.into(), json.into())
    }

    /// The faults, parsed; an error names the nearest one.
    pub fn armed(&self) -> Result<Vec<Armed>, String> {
        self.faults
            .iter()
            .map(|fault| Armed::in_protocol(fault, self.types, self.protocol))
            .map(|armed| armed.map_err(|error| error.to_string()))
            .collect()
    }

    fn open(&self, faults: Vec<Armed>) -> Result<Reference, ReferenceError> {
        Reference::open(self.types, self.protocol, &self.store, self.seed, faults)
    }

    /// The log, if there is one; an error names its file.
    fn log(&self) -> Result<Option<RequestLog>, String> {
        let Some(file) = &self.log else { return Ok(None) };
        let log = RequestLog::open(file).map_err(|error| format!("{}: {error}", file.display()))?;
        Ok(Some(log))
    }
}

/// Serves until told to stop.
pub fn serve(behaviour: &Behaviour) -> ExitCode {
    serve_by(behaviour, serve_plugin)
}

/// Serves clients that reattach, and prints how to on stdout; until interrupted.
pub fn serve_debug(behaviour: &Behaviour) -> ExitCode {
    serve_by(behaviour, |server, make| serve::serve_debug(server, "tfconform/reference", make))
}

fn serve_by(behaviour: &Behaviour, serve: impl Fn(&Server, &MakeHandler) -> ExitCode) -> ExitCode {
    let fail = |message: String| {
        let _ = writeln!(std::io::stderr(), "error: {message}");
        ExitCode::FAILURE
    };
    let faults = match behaviour.armed() {
        Ok(faults) => faults,
        Err(message) => return fail(message),
    };
    let reference = match behaviour.open(faults) {
        Ok(reference) => Arc::new(reference),
        Err(error) => return fail(error.to_string()),
    };
    let log = match behaviour.log() {
        Ok(log) => log,
        Err(message) => return fail(message),
    };
    for noise in reference.start() {
        match noise {
            Noise::ChattyHandshake => println!("the reference provider is starting"),
            Noise::ChattyStderr => eprintln!("the reference provider is starting"),
        }
    }
    let protocol = protocol(behaviour);
    let server = Server { protocols: vec![protocol], ..Server::default() };
    serve(&server, &{
        let handler: Arc<dyn Handler> = Arc::new(Serving { reference, protocol, log });
        Arc::new(move |_| Arc::clone(&handler))
    })
}

/// One instance of the provider in this process.
///
/// A fault that acts on the process acts on this one: run such faults in a separate process.
pub fn in_memory(behaviour: &Behaviour) -> Result<Arc<dyn Transport>, String> {
    let reference = Arc::new(behaviour.open(behaviour.armed()?).map_err(|error| error.to_string())?);
    let (protocol, log) = (protocol(behaviour), behaviour.log()?);
    Ok(Arc::new(InMemory::new(Arc::new(Serving { reference, protocol, log }), protocol)))
}

fn protocol(behaviour: &Behaviour) -> Protocol {
    if behaviour.protocol == 5 { Protocol::V5 } else { Protocol::V6 }
}

struct Serving {
    reference: Arc<Reference>,
    protocol: Protocol,
    log: Option<RequestLog>,
}

impl Handler for Serving {
    fn call(&self, rpc: Rpc, request: Bytes) -> Result<Bytes, Status> {
        // Nothing is ever in progress that could be stopped.
        if rpc == Rpc::StopProvider {
            return Ok(Bytes::new());
        }
        Ok(self.answer(rpc, vec![request])?.pop().unwrap_or_default())
    }

    fn server_stream(
        &self,
        rpc: Rpc,
        request: Bytes,
        answer: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), Status> {
        self.answer(rpc, vec![request])?.into_iter().all(answer);
        Ok(())
    }

    fn client_stream(&self, rpc: Rpc, requests: Vec<Bytes>) -> Result<Bytes, Status> {
        Ok(self.answer(rpc, requests)?.pop().unwrap_or_default())
    }
}

impl Serving {
    fn answer(&self, rpc: Rpc, request: Vec<Bytes>) -> Result<Vec<Bytes>, Status> {
        let Some(log) = &self.log else { return self.unlogged(rpc, request) };
        let call = log.begin(rpc, &request);
        let answer = self.unlogged(rpc, request);
        log.end(call);
        answer
    }

    fn unlogged(&self, rpc: Rpc, request: Vec<Bytes>) -> Result<Vec<Bytes>, Status> {
        let garbled = |error: prost::DecodeError| Status::new(Code::Internal, error.to_string());
        let Some(mut asked) = AnyCall::decode_request(rpc, self.protocol, request).map_err(garbled)? else {
            return Err(Status::unimplemented(rpc.name()));
        };
        asked.decode(self.reference.schema());
        let mut exchange = Exchange {
            id: ExchangeId::default(),
            phase: Phase::Start,
            purpose: Purpose::Ordinary,
            instance: String::new(),
            process: 0,
            prior: PriorOrigin::None,
            call: asked,
            took: Duration::ZERO,
        };
        match self.reference.answer(&mut exchange) {
            Reply::Answered => {}
            Reply::Process(act) => self.act(act, rpc)?,
        }
        let mut answer = exchange.call.encode_response(self.protocol).map_err(status)?;
        if let Some(first) = answer.first_mut() {
            let mut message = first.to_vec();
            if self.reference.rewrite_message(&exchange, &mut message) {
                *first = Bytes::from(message);
            }
        }
        Ok(answer)
    }

    fn act(&self, act: ProcessInjection, rpc: Rpc) -> Result<(), Status> {
        match act {
            ProcessInjection::Panic => {
                eprintln!(
                    "panic: runtime error: invalid memory address or nil pointer dereference\n\n\
                     goroutine 1 [running]:\nmain.(*resource).{}(0x0)\n\t/build/resource.go:42 +0x1d",
                    rpc.name()
                );
                std::process::exit(2)
            }
            ProcessInjection::Exit(code) => std::process::exit(code),
            ProcessInjection::Hang => loop {
                std::thread::park();
            },
            ProcessInjection::Status(code) => Err(Status::new(Code::from_number(code), "armed with a fault")),
            ProcessInjection::Noise => {
                eprintln!("[WARN] the reference provider writes this because of a fault");
                Ok(())
            }
        }
    }
}

fn status(failure: RpcFailure) -> Status {
    match failure {
        RpcFailure::Status { code, message, .. } => Status::new(Code::from_number(code), message),
        other => Status::new(Code::Internal, other.to_string()),
    }
}

/// Changes the objects of a store from outside the provider's processes.
pub struct DriftInjector {
    pub store: PathBuf,
    pub protocol: u8,
}

impl DriftInjector {
    pub fn of(behaviour: &Behaviour) -> DriftInjector {
        DriftInjector { store: behaviour.store.clone(), protocol: behaviour.protocol }
    }
}

impl Remote for DriftInjector {
    fn change<'a>(&'a self, wanted: RemoteChange<'a>) -> BoxFuture<'a, Changed> {
        let RemoteChange { type_name, state, kind, to, .. } = wanted;
        Box::pin(async move {
            match change_remotely(&self.store, self.protocol, type_name, state, kind, to) {
                Ok(drift) => Changed::Done { path: drift.path },
                Err(impossible) => Changed::Impossible { why: impossible.to_string() },
            }
        })
    }
}

/// The behaviour a process was given, if it was given one.
pub fn asked() -> Option<Result<Behaviour, String>> {
    let json = std::env::var(VARIABLE).ok()?;
    Some(serde_json::from_str(&json).map_err(|error| format!("{VARIABLE}: {error}")))
}

/// The environment of a process of the reference provider.
pub fn environment(behaviour: &Behaviour) -> BTreeMap<OsString, OsString> {
    [behaviour.environment()].into()
}

/// A run's own store, below its scratch folder.
pub fn store_below(scratch: &Path) -> PathBuf {
    scratch.join("reference")
}
