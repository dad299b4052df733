//! A suite's command that changes remote objects.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Value as Json, json};

use crate::lifecycle::{Changed, Remote, RemoteChange};
use crate::provider::transport::BoxFuture;
use crate::sandbox::{Output, Sandbox, SandboxConfig, SandboxError};
use crate::scenario::NewValue;
use crate::transcript::ExitKind;
use crate::value::state_json;

/// Runs the command once per change: one JSON object on its standard input, one on its output.
pub struct Hook {
    pub command: Vec<OsString>,
    pub env: BTreeMap<OsString, OsString>,
    pub place: Place,
    /// Why it failed. It is not run again then.
    pub failed: OnceLock<String>,
}

/// Where a command runs. In either place it ends with us, and so does everything that it started.
#[derive(Clone)]
pub enum Place {
    /// In the sandbox of the remote system's mock.
    Inside(Arc<Sandbox>),
    /// Outside every sandbox, under a supervisor of its own.
    Outside(Outside),
}

/// A folder for commands, and how to start what ends them with us.
#[derive(Clone)]
pub struct Outside {
    /// The working folder.
    pub folder: PathBuf,
    /// The program to start as supervisor.
    pub supervisor: PathBuf,
    /// The provider's sandbox, which may run as another user: what a command wrote there is handed over.
    pub provider: Option<Arc<Sandbox>>,
    /// The supervisor, once it is needed; the error is a message.
    pub started: Arc<OnceLock<Result<Sandbox, String>>>,
}

impl Outside {
    fn sandbox(&self) -> Result<&Sandbox, String> {
        let start = || {
            let supervisor = Some(self.supervisor.clone());
            let config = SandboxConfig { supervisor, ..SandboxConfig::new(&self.folder) };
            config.start_open().map_err(|error| error.to_string())
        };
        self.started.get_or_init(start).as_ref().map_err(Clone::clone)
    }
}

impl Place {
    /// Blocks until the command has ended.
    fn run(
        &self,
        command: &[OsString],
        env: &BTreeMap<OsString, OsString>,
        input: &[u8],
    ) -> Result<Output, String> {
        let ran = match self {
            Self::Inside(sandbox) => sandbox.run(command, env, input, HOOK_TIMEOUT),
            Self::Outside(outside) => {
                let ran = outside.sandbox()?.run_in(&outside.folder, command, env, input, HOOK_TIMEOUT);
                let handed_over = outside.provider.as_ref().map_or(Ok(()), |sandbox| sandbox.hand_over());
                handed_over.map_err(|error| format!("its files cannot be handed over: {error}"))?;
                ran
            }
        };
        ran.map_err(|error| match error {
            SandboxError::TooSlow { limit, .. } => format!("it took more than {limit:?}"),
            other => describe(other),
        })
    }
}

/// How long a hook may take.
const HOOK_TIMEOUT: Duration = Duration::from_secs(30);

impl Remote for Hook {
    fn change<'a>(&'a self, wanted: RemoteChange<'a>) -> BoxFuture<'a, Changed> {
        Box::pin(async move {
            let changed = match self.failure() {
                Some(why) => Err(why.to_owned()),
                None => self.ask(wanted).await,
            };
            changed.unwrap_or_else(|why| {
                let why = self.failed.get_or_init(|| why);
                Changed::Impossible { why: format!("the change hook failed: {why}") }
            })
        })
    }
}

impl Hook {
    /// Why it failed, if it did.
    pub fn failure(&self) -> Option<&str> {
        self.failed.get().map(String::as_str)
    }

    async fn ask(&self, wanted: RemoteChange<'_>) -> Result<Changed, String> {
        let RemoteChange { type_name, schema, state, kind, to } = wanted;
        let state = state_json::encode(state, schema.implied_type()).map_err(|error| error.to_string())?;
        let state: Json = serde_json::from_str(&state).map_err(|error| error.to_string())?;
        let mut request = json!({ "type": type_name, "kind": kind.name(), "state": state });
        if let Some(NewValue { path, value }) = to {
            request["path"] = json!(path);
            request["value"] = value.clone();
        }
        let output = self.run(request.to_string()).await?;
        let answer: Json =
            serde_json::from_slice(&output).map_err(|error| format!("its answer is not JSON: {error}"))?;
        let text = |name: &str| answer.get(name).and_then(Json::as_str).unwrap_or_default().to_owned();
        match answer.get("result").and_then(Json::as_str) {
            Some("done") => Ok(Changed::Done { path: text("path") }),
            Some("impossible") => Ok(Changed::Impossible { why: text("reason") }),
            _ => Err("its `result` is neither done nor impossible".to_owned()),
        }
    }

    /// Runs the command with this standard input, and returns what it printed; fails with a message.
    pub async fn run(&self, input: String) -> Result<Vec<u8>, String> {
        let (place, command, env) = (self.place.clone(), self.command.clone(), self.env.clone());
        let run = tokio::task::spawn_blocking(move || place.run(&command, &env, input.as_bytes()));
        let output = run.await.map_err(|error| error.to_string())??;
        match output.status {
            ExitKind::Code(0) => Ok(output.stdout),
            status => Err(failure(&status, &output.stderr)),
        }
    }
}

/// Why a command in a sandbox failed.
pub fn describe(error: SandboxError) -> String {
    match error {
        SandboxError::Command { command, source } => not_started(&command, &source),
        other => other.to_string(),
    }
}

fn not_started(program: &str, error: &io::Error) -> String {
    match error.kind() {
        io::ErrorKind::NotFound => format!("no such program: {program}"),
        _ => format!("failed to start {program}: {error}"),
    }
}

fn failure(status: &dyn fmt::Display, stderr: &[u8]) -> String {
    format!("{status}: {}", String::from_utf8_lossy(stderr).trim())
}
