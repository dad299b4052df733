//! Which program is the provider, and how its instances are started.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::path::PathBuf;
use std::sync::Arc;
use std::time::Duration;

use crate::provider::client::Client;
use crate::provider::error::ProviderError;
use crate::provider::launch::{Launch, Limits};
use crate::provider::pool::Keeper;
use crate::provider::process::Process;
use crate::provider::rpc::{Protocol, Rpc};
use crate::provider::spawn::{DirectSpawner, Spawner};
use crate::provider::transport::{Answers, BoxFuture, RpcFailure, Transport};
use crate::record::Masker;
use bytes::Bytes;

/// The provider under test.
#[derive(Clone)]
pub struct Program {
    /// The name findings use, such as `time`.
    pub name: String,
    pub path: PathBuf,
    pub args: Vec<OsString>,
    /// The whole environment but for what the protocol adds.
    pub env: BTreeMap<OsString, OsString>,
    pub cwd: Option<PathBuf>,
    /// The only protocol to offer, where one is wanted.
    pub protocol: Option<Protocol>,
    pub spawner: Arc<dyn Spawner>,
    /// Where an instance is made in this very process, how; the program is then not started at all.
    pub in_memory: Option<MakeInstance>,
}

/// Makes an instance that is no process; errs in words.
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
            spawner: Arc::new(DirectSpawner),
            in_memory: None,
        }
    }
}

/// `terraform-provider-aws_v5.100.0_x5` is `aws`.
pub fn provider_name(path: &std::path::Path) -> String {
    let file = path.file_name().map(|name| name.to_string_lossy().into_owned()).unwrap_or_default();
    let name = file.strip_prefix("terraform-provider-").unwrap_or(&file);
    name.split(['_', '.']).next().unwrap_or(name).to_owned()
}

/// Why a run could not even begin.
#[derive(Debug)]
pub enum Unusable {
    Start(ProviderError),
    /// There is no instance in memory either.
    Make(String),
    /// A call every engine makes first had no good answer.
    Call {
        rpc: &'static str,
        why: String,
    },
    /// The user's provider configuration does not fit the schema.
    Config(String),
    /// Nor does something else that the user says.
    Suite(String),
}

impl Unusable {
    /// The same, without secrets in what the provider said.
    pub(super) fn masked(self, masker: &Masker) -> Unusable {
        match self {
            Unusable::Call { rpc, why } => Unusable::Call { rpc, why: masker.shown(&why) },
            other => other,
        }
    }
}

impl fmt::Display for Unusable {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Unusable::Start(error) => write!(f, "{error}"),
            Unusable::Make(why) => f.write_str(why),
            Unusable::Call { rpc, why } => write!(f, "{rpc} failed: {why}"),
            Unusable::Config(why) => write!(f, "the provider configuration does not fit: {why}"),
            Unusable::Suite(why) => f.write_str(why),
        }
    }
}

/// Starts bare instances of a program.
#[derive(Clone)]
pub struct Starter {
    pub program: Program,
    /// Per call.
    pub timeout: Duration,
    /// From the start of a process to its handshake.
    pub start_timeout: Duration,
}

impl Starter {
    pub async fn start(&self) -> Result<(Client, Box<dyn Keeper>), Unusable> {
        let program = &self.program;
        if let Some(make) = &program.in_memory {
            return Ok((Client::new(make().map_err(Unusable::Make)?), Box::new(InMemory)));
        }
        let mut launch = Launch::new(&program.path);
        launch.args = program.args.clone();
        launch.env = program.env.clone();
        launch.cwd = program.cwd.clone();
        launch.protocol = program.protocol;
        launch.limits = Limits { call: Some(self.timeout), start: self.start_timeout, ..Limits::default() };
        let process = launch.start_with(Arc::clone(&program.spawner)).await.map_err(Unusable::Start)?;
        let process = Arc::new(process);
        let client = Client::new(Arc::new(Shared(Arc::clone(&process))));
        Ok((client, Box::new(Held(process))))
    }
}

/// Calls through a process that somebody else ends.
struct Shared(Arc<Process>);

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

/// Keeps what needs no keeping.
struct InMemory;

impl Keeper for InMemory {
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn is_gone(&self) -> bool {
        false
    }

    fn usage(&self) -> (f64, u64) {
        (0.0, 0)
    }

    fn stderr_tail(&self) -> String {
        String::new()
    }
}

struct Held(Arc<Process>);

impl Keeper for Held {
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.0.close().await;
        })
    }

    fn is_gone(&self) -> bool {
        self.0.exit().is_some()
    }

    fn usage(&self) -> (f64, u64) {
        let usage = self.0.usage();
        (usage.cpu.unwrap_or_default().as_secs_f64(), usage.peak_memory.unwrap_or_default())
    }

    fn stderr_tail(&self) -> String {
        self.0.stderr_tail()
    }
}
