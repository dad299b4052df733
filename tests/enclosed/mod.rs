//! What the trials share: a sandbox with a scratch folder, and this program playing a role in it.

pub mod end;
pub mod fixture;
pub mod limits;
pub mod plugin;
pub mod reach;
pub mod shown;

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::path::Path;
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;
use tfconform::sandbox::{Output, Sandbox, SandboxConfig};

pub const LIMIT: Duration = Duration::from_secs(20);

/// A sandbox and its scratch folder.
pub struct Enclosed {
    pub sandbox: Sandbox,
    pub scratch: TempDir,
}

impl Enclosed {
    pub fn new() -> Self {
        Self::with(|_| {})
    }

    pub fn with(change: impl FnOnce(&mut SandboxConfig)) -> Self {
        let scratch = tempfile::Builder::new().prefix("tfc-").tempdir().unwrap();
        let mut config = SandboxConfig::new(scratch.path());
        change(&mut config);
        let sandbox = config.start().unwrap_or_else(|error| panic!("{error}"));
        Self { sandbox, scratch }
    }

    /// The environment that makes this program play a role.
    pub fn role(&self, mode: &str, argument: &str) -> BTreeMap<OsString, OsString> {
        let extra = [(fixture::MODE, mode), (fixture::ARGUMENT, argument)];
        let extra = extra.map(|(name, value)| (name.into(), value.into())).into();
        self.sandbox.environment(&extra)
    }

    /// Runs this program in a role until it exits.
    pub fn run(&self, mode: &str, argument: &str) -> Output {
        let env = self.role(mode, argument);
        let ran = self.sandbox.run(&us(), &env, b"", LIMIT);
        ran.unwrap_or_else(|error| panic!("{error}"))
    }
}

/// This program as a command.
pub fn us() -> [OsString; 1] {
    [env::current_exe().unwrap().into()]
}

/// Whether the kernel allows full isolation here, or why not.
pub fn closed_here() -> Result<(), String> {
    let closure = Enclosed::new().sandbox.isolation().clone();
    match closure.is_closed() {
        true => Ok(()),
        false => Err(format!("needs namespaces: {}", closure.why_not[0])),
    }
}

/// A trial that fails if its body panics.
pub fn trial(name: &str, body: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        body();
        Ok::<(), Failed>(())
    })
}

/// A trial that needs something; ignored, with the reason as its kind, without it.
pub fn trial_with<T: Send + 'static>(
    name: &str,
    needed: Result<T, String>,
    body: impl FnOnce(T) + Send + 'static,
) -> Trial {
    match needed {
        Ok(needed) => trial(name, move || body(needed)),
        Err(reason) => {
            let told = reason.clone();
            Trial::test(name, move || Err(told.into())).with_kind(reason).with_ignored_flag(true)
        }
    }
}

/// A text that is in no other process's command line.
pub fn token(name: &str) -> String {
    format!("{}{name}", std::process::id())
}

/// The PIDs of the processes on this machine with that text in their command line or environment.
pub fn processes_with(text: &str) -> Vec<u32> {
    let numbers = fs::read_dir("/proc").unwrap().flatten();
    let numbers = numbers.filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let holds =
        |file: &Path| fs::read(file).is_ok_and(|bytes| String::from_utf8_lossy(&bytes).contains(text));
    let named = |pid: &u32| {
        let process = format!("/proc/{pid}");
        *pid != std::process::id()
            && ["cmdline", "environ"].iter().any(|file| holds(&Path::new(&process).join(file)))
    };
    numbers.filter(named).collect()
}

/// Waits until something holds.
pub fn eventually(mut holds: impl FnMut() -> bool) -> bool {
    let began = Instant::now();
    while !holds() {
        if began.elapsed() > Duration::from_secs(5) {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
    true
}
