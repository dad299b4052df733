//! A suite's command that changes remote objects.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fmt;
use std::io;
use std::path::PathBuf;
use std::process::Stdio;
use std::sync::{Arc, OnceLock};
use std::time::Duration;

use serde_json::{Value as Json, json};
use tokio::io::AsyncWriteExt as _;

use crate::lifecycle::{Changed, Remote};
use crate::provider::transport::BoxFuture;
use crate::sandbox::{Sandbox, SandboxError};
use crate::schema::Schema;
use crate::transcript::DriftKind;
use crate::transcript::ExitKind;
use crate::value::{Value, state_json};

/// Runs the command once per change: one JSON object on its standard input, one on its output.
pub struct Hook {
    pub command: Vec<OsString>,
    pub env: BTreeMap<OsString, OsString>,
    /// The command's working folder, if it does not run in a sandbox.
    pub base: PathBuf,
    /// The sandbox of the remote system's mock: the command runs there too.
    pub inside: Option<Arc<Sandbox>>,
    /// Why it failed. It is not run again then.
    pub failed: OnceLock<String>,
}

/// How long a hook may take.
const HOOK_TIMEOUT: Duration = Duration::from_secs(30);

impl Remote for Hook {
    fn change<'a>(
        &'a self,
        type_name: &'a str,
        schema: &'a Schema,
        state: &'a Value,
        kind: DriftKind,
    ) -> BoxFuture<'a, Changed> {
        Box::pin(async move {
            let changed = match self.failure() {
                Some(why) => Err(why.to_owned()),
                None => self.ask(type_name, schema, state, kind).await,
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

    async fn ask(
        &self,
        type_name: &str,
        schema: &Schema,
        state: &Value,
        kind: DriftKind,
    ) -> Result<Changed, String> {
        let state = state_json::encode(state, schema.implied_type()).map_err(|error| error.to_string())?;
        let state: Json = serde_json::from_str(&state).map_err(|error| error.to_string())?;
        let request = json!({ "type": type_name, "kind": kind.name(), "state": state });
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
        let run = async {
            match &self.inside {
                Some(sandbox) => self.run_inside(sandbox, input).await,
                None => self.run_here(input).await,
            }
        };
        let ran = tokio::time::timeout(HOOK_TIMEOUT, run).await;
        ran.unwrap_or_else(|_| Err(format!("it took more than {HOOK_TIMEOUT:?}")))
    }

    async fn run_inside(&self, sandbox: &Arc<Sandbox>, request: String) -> Result<Vec<u8>, String> {
        let sandbox = Arc::clone(sandbox);
        let (command, env) = (self.command.clone(), self.env.clone());
        let ran = tokio::task::spawn_blocking(move || {
            sandbox.run(&command, &env, request.as_bytes(), HOOK_TIMEOUT)
        });
        let output = ran.await.map_err(|error| error.to_string())?.map_err(describe)?;
        match output.status {
            ExitKind::Code(0) => Ok(output.stdout),
            status => Err(failure(&status, &output.stderr)),
        }
    }

    async fn run_here(&self, request: String) -> Result<Vec<u8>, String> {
        let (program, args) = self.command.split_first().ok_or("the command is empty")?;
        let mut child = tokio::process::Command::new(program)
            .args(args)
            .env_clear()
            .envs(&self.env)
            .current_dir(&self.base)
            .stdin(Stdio::piped())
            .stdout(Stdio::piped())
            .stderr(Stdio::piped())
            .kill_on_drop(true)
            .spawn()
            .map_err(|error| not_started(&program.to_string_lossy(), &error))?;
        if let Some(mut stdin) = child.stdin.take() {
            // A hook that does not read to the end may still answer.
            let _ = stdin.write_all(request.as_bytes()).await;
        }
        let output = child.wait_with_output().await.map_err(|error| error.to_string())?;
        if !output.status.success() {
            return Err(failure(&output.status, &output.stderr));
        }
        Ok(output.stdout)
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
