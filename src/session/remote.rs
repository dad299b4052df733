//! A suite's remote system: a mock that runs alongside the provider, and commands that
//! change or reset what is there.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::iter;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex, OnceLock, PoisonError};
use std::time::{Duration, Instant};

use super::program::placed;
use super::reference::own_program;
use super::{OpenedProvider, SessionError};
use crate::lifecycle::{Changed, NOTHING_CHANGES_IT, Remote, RemoteChange};
use crate::provider::transport::BoxFuture;
use crate::run::{self, Hook, Outside, Place, Program};
use crate::sandbox::{self, Service};
use crate::suite::{Ready, ResetBefore, Suite};

/// The placeholder for the provider in the suite's commands.
const PROVIDER: &str = "{provider}";

/// How long a mock of the remote system may take to be ready.
const SERVICE_LIMIT: Duration = Duration::from_secs(60);

/// The files that a suite's own commands need to see.
pub(super) fn files(suite: &Suite) -> Vec<PathBuf> {
    let (remote, base) = (&suite.remote, suite.base());
    let commands = [&remote.start, &remote.reset, &remote.change];
    let words = commands.into_iter().flat_map(|words| {
        let words: Vec<OsString> = words.iter().map(OsString::from).collect();
        placed(&words, &base)
    });
    words.map(PathBuf::from).filter(|word| word.is_absolute() && word.is_file()).collect()
}

/// Starts the suite's mock, if any, in the provider's sandbox.
pub(super) fn start_mock(suite: &Suite, provider: &OpenedProvider) -> Result<Option<Service>, SessionError> {
    let (false, Some(sandbox)) = (suite.remote.start.is_empty(), &provider.sandbox) else { return Ok(None) };
    let ready = match &suite.remote.ready {
        Some(Ready::Port(port)) => sandbox::Ready::Port(*port),
        Some(Ready::Line(line)) => sandbox::Ready::Line(line.clone()),
        Some(Ready::Seconds(wait)) => sandbox::Ready::After(*wait),
        None => sandbox::Ready::After(Duration::from_millis(500)),
    };
    let command = command(&suite.remote.start, &suite.base(), &provider.program);
    let service = sandbox.start_service(&command, &provider.program.env, &ready, SERVICE_LIMIT);
    service.map(Some).map_err(|error| wrong(suite, "start", &run::describe(error)))
}

/// A runnable command of the suite: in the sandbox if there is a mock, else here.
///
/// `None` for a provider that was already running, if the command is that provider itself.
pub(super) fn hook(suite: &Suite, words: &[String], provider: &OpenedProvider) -> Option<Hook> {
    if words.is_empty() || (provider.was_running() && needs_program(words)) {
        return None;
    }
    let base = suite.base();
    let command = command(words, &base, &provider.program);
    let mut env = if provider.was_running() { environment(suite) } else { provider.program.env.clone() };
    // Without it no program is found; the reference provider does without.
    if let Some(path) = std::env::var_os("PATH") {
        env.entry("PATH".into()).or_insert(path);
    }
    let place = match &provider.sandbox {
        Some(sandbox) if provider.service.is_some() => Place::Inside(Arc::clone(sandbox)),
        _ => Place::Outside(Outside {
            folder: base,
            supervisor: own_program().ok()?,
            provider: provider.sandbox.clone(),
            started: Arc::default(),
        }),
    };
    Some(Hook { command, env, place, failed: OnceLock::new() })
}

/// The environment of the suite's commands if the user started the provider.
fn environment(suite: &Suite) -> BTreeMap<OsString, OsString> {
    let said = suite.provider.env.iter().chain(&suite.remote.env);
    let said = said.map(|(name, value)| (name.into(), value.into()));
    std::env::var_os("PATH").map(|path| ("PATH".into(), path)).into_iter().chain(said).collect()
}

/// The remote system as a run sees it; `None` if there is nothing that can be done about it.
pub(super) fn remote(suite: &Suite, provider: &OpenedProvider) -> Option<Arc<dyn Remote>> {
    let (change, mock) = (provider.remote.clone(), provider.service.clone());
    let reset = hook(suite, &suite.remote.reset, provider);
    if mock.is_none() && reset.is_none() {
        return change;
    }
    let is_reset_each_time = suite.remote.reset_before == ResetBefore::Scenario;
    Some(Arc::new(SuiteRemote { change, reset, is_reset_each_time, mock }))
}

/// The remote system of a suite.
struct SuiteRemote {
    change: Option<Arc<dyn Remote>>,
    reset: Option<Hook>,
    is_reset_each_time: bool,
    mock: Option<Arc<Mutex<Service>>>,
}

/// How often it is looked whether a mock has ended.
const POLL: Duration = Duration::from_millis(10);

/// Lines of the output of a mock that ended.
const LINES: usize = 5;

impl Remote for SuiteRemote {
    fn change<'a>(&'a self, wanted: RemoteChange<'a>) -> BoxFuture<'a, Changed> {
        match &self.change {
            Some(change) => change.change(wanted),
            None => Box::pin(async { Changed::Impossible { why: NOTHING_CHANGES_IT.to_owned() } }),
        }
    }

    fn reset(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async {
            let Some(reset) = &self.reset else { return Ok(()) };
            let ran = reset.run(String::new()).await;
            ran.map(drop).map_err(|why| format!("`remote.reset` failed: {why}"))
        })
    }

    fn is_reset_each_time(&self) -> bool {
        self.is_reset_each_time && self.reset.is_some()
    }

    fn ended(&self, within: Duration) -> BoxFuture<'_, Option<String>> {
        Box::pin(async move {
            let mock = || self.mock.as_ref().map(|mock| mock.lock().unwrap_or_else(PoisonError::into_inner));
            let exit = || mock()?.exit();
            let began = Instant::now();
            while self.mock.is_some() && exit().is_none() && began.elapsed() < within {
                tokio::time::sleep(POLL).await;
            }
            let (exit, output) = (exit()?, mock()?.output());
            let lines: Vec<&str> = output.lines().filter(|line| !line.trim().is_empty()).collect();
            let last = lines[lines.len().saturating_sub(LINES)..].join("\n");
            let said = if last.is_empty() { "it printed nothing".to_owned() } else { last };
            Some(format!("the mock of the remote system ended ({exit}): {said}"))
        })
    }
}

fn needs_program(words: &[String]) -> bool {
    words.iter().any(|word| word.contains(PROVIDER))
}

/// Resets the remote system, if the suite says how.
pub(super) fn reset(suite: &Suite, provider: &OpenedProvider) -> Result<(), SessionError> {
    let Some(hook) = hook(suite, &suite.remote.reset, provider) else { return Ok(()) };
    let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build()?;
    let ran = runtime.block_on(hook.run(String::new()));
    runtime.shutdown_background();
    ran.map(drop).map_err(|why| wrong(suite, "reset", &why))
}

/// The error of a suite's command that failed.
fn wrong(suite: &Suite, key: &str, why: &str) -> SessionError {
    SessionError::Usage(suite.wrong(&["remote", key], format!("`remote.{key}`: {why}")))
}

/// The keys of the suite that were not used for a provider that was already running.
pub(super) fn unused(suite: &Suite, provider: &OpenedProvider) -> Option<String> {
    let remote = &suite.remote;
    let keys = [
        ("`provider.env`", !suite.provider.env.is_empty()),
        ("`remote.env`", !remote.env.is_empty()),
        ("`remote.start`", !remote.start.is_empty()),
        ("`remote.reset`", needs_program(&remote.reset)),
        ("`remote.change`", needs_program(&remote.change)),
    ];
    let unused: Vec<&str> =
        keys.into_iter().filter(|(_, is_unused)| *is_unused).map(|(key, _)| key).collect();
    (provider.was_running() && !unused.is_empty()).then(|| {
        format!(
            "the provider was already running, so these keys of the suite were not used: {}",
            unused.join(", ")
        )
    })
}

/// The words of a command, `{provider}` replaced: on its own by everything that starts the provider,
/// within a word by its program.
fn command(words: &[String], base: &Path, program: &Program) -> Vec<OsString> {
    let path = program.path.display().to_string();
    let replaced = words.iter().flat_map(|word| match word.as_str() {
        PROVIDER => iter::once(program.path.clone().into()).chain(program.args.clone()).collect(),
        word => vec![OsString::from(word.replace(PROVIDER, &path))],
    });
    placed(&replaced.collect::<Vec<_>>(), base)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[track_caller]
    fn assert_command(words: &[&str], program: &Program, expected: &[&str]) {
        let words: Vec<String> = words.iter().map(|word| (*word).to_owned()).collect();
        assert_eq!(command(&words, Path::new("/no/base"), program), expected);
    }

    #[test]
    fn provider_stands_for_its_whole_command_line() {
        let mut program = Program::new("/bin/acme");
        assert_command(&["{provider}", "change"], &program, &["/bin/acme", "change"]);
        assert_command(&["hook", "--of={provider}"], &program, &["hook", "--of=/bin/acme"]);
        program.path = "python3".into();
        program.args = vec!["-m".into(), "acme".into()];
        assert_command(&["{provider}", "change"], &program, &["python3", "-m", "acme", "change"]);
    }
}
