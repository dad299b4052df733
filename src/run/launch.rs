//! The provider's program, and how its instances are started.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::Signal;
use super::clock::NO_TIME;
use crate::calls::{Protocol, Rpc};
use crate::process::Usage;
use crate::process::{DirectSpawner, Spawner};
use crate::provider::client::Client;
use crate::provider::error::ProviderError;
use crate::provider::launch::Launch;
use crate::provider::plugin::Limits;
use crate::provider::plugin::PluginProcess;
use crate::provider::pool::{InstanceHandle, NoProcess};
use crate::provider::reattach::Reattach;
use crate::provider::reattached::{DIAL_TIMEOUT, Reattached};
use crate::provider::transport::{Answers, BoxFuture, Transport};
use crate::record::Masker;
use crate::transcript::RpcFailure;
use bytes::Bytes;

/// The provider under test.
#[derive(Clone)]
pub struct Program {
    /// The name in findings, such as `time`.
    pub name: String,
    pub path: PathBuf,
    pub args: Vec<OsString>,
    /// The whole environment except what the protocol adds.
    pub env: BTreeMap<OsString, OsString>,
    pub cwd: Option<PathBuf>,
    /// The only protocol to offer, if set.
    pub protocol: Option<Protocol>,
    pub spawner: Arc<dyn Spawner>,
    pub instances: Instances,
}

/// How instances of a program exist.
#[derive(Clone)]
pub enum Instances {
    /// Each in its own process.
    Processes,
    /// In this process; the program is not started at all.
    InMemory(MakeInstance),
    /// A connection to a process that the user started and will stop.
    Reattached(Reattach),
}

/// Creates an instance without a process; fails with a message.
pub type MakeInstance = Arc<dyn Fn() -> Result<Arc<dyn Transport>, String> + Send + Sync>;

impl Program {
    /// A program started directly, with nothing in its environment.
    pub fn new(path: impl Into<PathBuf>) -> Program {
        let path = path.into();
        Program {
            name: provider_name(&path),
            path,
            args: Vec::new(),
            env: BTreeMap::new(),
            cwd: None,
            protocol: None,
            spawner: Arc::new(DirectSpawner::default()),
            instances: Instances::Processes,
        }
    }

    /// A program that is already running; its source address is used as its path.
    pub fn reattached(reattach: Reattach) -> Program {
        Program { instances: Instances::Reattached(reattach.clone()), ..Program::new(reattach.source) }
    }

    /// Whether a process that is gone is replaced by a new one.
    pub fn is_started_again(&self) -> bool {
        !matches!(self.instances, Instances::Reattached(_))
    }
}

/// `terraform-provider-aws_v5.100.0_x5` is `aws`.
pub fn provider_name(path: &std::path::Path) -> String {
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = file.strip_prefix("terraform-provider-").unwrap_or(&file);
    name.split(['_', '.']).next().unwrap_or(name).to_owned()
}

/// Why a run could not start, or not go on.
#[derive(Debug)]
pub enum RunError {
    Start(ProviderError),
    /// An instance in memory could not be created, or snapshots not be made.
    Make(String),
    /// It is gone, and could not be started again.
    Lost(String),
    /// One of the first calls that every engine makes failed.
    Call {
        rpc: &'static str,
        why: String,
    },
    /// The user's provider configuration does not fit the schema.
    Config(String),
    /// Something else in the suite does not fit.
    Suite(String),
    /// It was not ready in the time of the run.
    Late,
    /// The user ended it before there was a result.
    Interrupted(Signal),
}

impl RunError {
    /// The same, with another problem that was found.
    pub(super) fn beside(self, problem: Option<String>) -> RunError {
        match (self, problem) {
            (RunError::Call { rpc, why }, Some(problem)) => {
                RunError::Call { rpc, why: format!("{why}\n{problem}") }
            }
            (unusable, _) => unusable,
        }
    }

    /// The same, where the user gave no provider block and no made-up one works; `why` says what the last one met.
    pub(super) fn without_block(self, why: &str) -> RunError {
        let advice = |said: &str| {
            let why = if said.contains(why) { String::new() } else { format!(" ({why})") };
            format!(
                "{said}; no made-up provider block works{why}: write one and give it with `--config FILE`"
            )
        };
        match self {
            RunError::Config(said) => RunError::Config(advice(&said)),
            RunError::Call { rpc, why: said } => RunError::Call { rpc, why: advice(&said) },
            other => other,
        }
    }

    /// The same, without secrets in what the provider said.
    pub(super) fn masked(self, masker: &Masker) -> RunError {
        match self {
            RunError::Start(error) => RunError::Start(ProviderError {
                stderr_tail: masker.shown_output(&error.stderr_tail).into_inner(),
                ..error
            }),
            RunError::Make(why) => RunError::Make(masker.shown(&why).into_inner()),
            RunError::Lost(why) => RunError::Lost(masker.shown(&why).into_inner()),
            RunError::Call { rpc, why } => RunError::Call { rpc, why: masker.shown(&why).into_inner() },
            // The user's own words.
            RunError::Config(_) | RunError::Suite(_) | RunError::Late | RunError::Interrupted(_) => self,
        }
    }
}

impl fmt::Display for RunError {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            RunError::Start(error) => write!(f, "{error}"),
            RunError::Make(why) => f.write_str(why),
            RunError::Lost(why) => write!(f, "the provider is gone and could not be started again: {why}"),
            RunError::Call { rpc, why } => write!(f, "{rpc} failed: {why}"),
            RunError::Config(why) => write!(f, "the provider configuration is invalid: {why}"),
            RunError::Suite(why) => f.write_str(why),
            RunError::Late => write!(f, "the provider was not ready: {NO_TIME}"),
            RunError::Interrupted(_) => f.write_str("the run was interrupted"),
        }
    }
}

/// Starts unconfigured instances of a program.
#[derive(Clone)]
pub struct Starter {
    pub program: Program,
    /// Per call.
    pub timeout: Duration,
    /// From the start of a process to its handshake.
    pub start_timeout: Duration,
    /// Whether a connection to the user's own process was ever made.
    was_reached: Arc<AtomicBool>,
}

impl Starter {
    pub fn new(program: Program, timeout: Duration, start_timeout: Duration) -> Starter {
        Starter { program, timeout, start_timeout, was_reached: Arc::default() }
    }

    pub async fn start(&self) -> Result<(Client, Box<dyn InstanceHandle>), RunError> {
        match &self.program.instances {
            Instances::Processes => self.start_process().await,
            Instances::InMemory(make) => {
                Ok((Client::new(make().map_err(RunError::Make)?), Box::new(NoProcess)))
            }
            Instances::Reattached(reattach) => self.connect(reattach).await,
        }
    }

    async fn connect(&self, reattach: &Reattach) -> Result<(Client, Box<dyn InstanceHandle>), RunError> {
        if let Some(protocol) = self.program.protocol.filter(|protocol| *protocol != reattach.protocol) {
            let Reattach { source, protocol: spoken, .. } = reattach;
            return Err(RunError::Suite(format!("{source} speaks protocol {spoken}, not {protocol}")));
        }
        // A process that answered once and does not any more will not come back.
        let was_reached = self.was_reached.load(Ordering::Relaxed);
        let dial_limit = if was_reached { Duration::ZERO } else { DIAL_TIMEOUT };
        let connection = reattach.connect(Some(self.timeout), dial_limit).await.map_err(RunError::Start)?;
        self.was_reached.store(true, Ordering::Relaxed);
        let connection = Arc::new(connection);
        Ok((Client::new(Arc::clone(&connection) as _), Box::new(Connected(connection))))
    }

    async fn start_process(&self) -> Result<(Client, Box<dyn InstanceHandle>), RunError> {
        let program = &self.program;
        let mut launch = Launch::new(&program.path);
        launch.args = program.args.clone();
        launch.env = program.env.clone();
        launch.cwd = program.cwd.clone();
        launch.protocol = program.protocol;
        launch.limits = Limits { call: Some(self.timeout), start: self.start_timeout, ..Limits::default() };
        let process = launch.start_with(Arc::clone(&program.spawner)).await.map_err(RunError::Start)?;
        let process = Arc::new(process);
        let client = Client::new(Arc::new(Shared(Arc::clone(&process))));
        Ok((client, Box::new(Held(process))))
    }
}

/// Calls a process that is stopped elsewhere.
struct Shared(Arc<PluginProcess>);

impl Transport for Shared {
    fn protocol(&self) -> Protocol {
        self.0.protocol()
    }

    fn call(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        self.0.call(rpc, request)
    }

    fn server_stream(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Answers, RpcFailure>> {
        self.0.server_stream(rpc, request)
    }

    fn client_stream(&self, rpc: Rpc, requests: Vec<Bytes>) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        self.0.client_stream(rpc, requests)
    }
}

struct Held(Arc<PluginProcess>);

impl InstanceHandle for Held {
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.0.close().await;
        })
    }

    fn is_gone(&self) -> bool {
        self.0.exit().is_some()
    }

    fn kill(&self) -> BoxFuture<'_, ()> {
        Box::pin(self.0.kill())
    }

    fn usage(&self) -> Usage {
        self.0.usage()
    }
}

/// Its process is not ours to stop or to measure.
struct Connected(Arc<Reattached>);

impl InstanceHandle for Connected {
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async { self.0.close() })
    }

    fn is_gone(&self) -> bool {
        self.0.is_closed()
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}
