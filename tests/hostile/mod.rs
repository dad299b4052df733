//! What the trials share: a launch of this program in some role, and the check that nothing is left
//! of it.

pub mod calls;
pub mod own;
pub mod plugin;
pub mod refusals;
pub mod start;
pub mod wild;

use std::future::Future;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};
use std::{env, fs, thread};

use bytes::Bytes;
use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;
use tfconform::calls::Rpc;
use tfconform::provider::error::ProviderError;
use tfconform::provider::launch::Launch;
use tfconform::provider::plugin::PluginProcess;
use tfconform::provider::transport::Transport as _;
use tfconform::transcript::RpcFailure;

/// A scratch folder and a launch of this program in the given role.
pub struct Role {
    pub launch: Launch,
    scratch: TempDir,
}

impl Role {
    pub fn new(mode: &str) -> Self {
        let mut role = Self::of_program(&env::current_exe().unwrap());
        role.set(plugin::MODE, mode);
        role
    }

    pub fn of_program(program: &Path) -> Self {
        let scratch = tempfile::tempdir().unwrap();
        fs::create_dir(scratch.path().join("sockets")).unwrap();
        let mut launch = Launch::new(program);
        launch.limits.start = Duration::from_secs(20);
        launch.socket_root = Some(scratch.path().join("sockets"));
        let mut role = Self { launch, scratch };
        let pids = role.pid_file();
        role.set(plugin::PID_FILE, pids.to_str().unwrap());
        role
    }

    pub fn set(&mut self, variable: &str, value: &str) {
        self.launch.env.insert(variable.into(), value.into());
    }

    pub fn path(&self, name: &str) -> PathBuf {
        self.scratch.path().join(name)
    }

    fn pid_file(&self) -> PathBuf {
        self.path("pids")
    }

    /// The PIDs of the processes that were started in this role.
    pub fn pids(&self) -> Vec<i32> {
        let pids = fs::read_to_string(self.pid_file()).unwrap_or_default();
        pids.lines().map(|pid| pid.parse().unwrap()).collect()
    }

    /// Fails if a process is still running or a socket's folder was left.
    #[track_caller]
    pub fn assert_nothing_left(&self) {
        for pid in self.pids() {
            assert!(gone_within(pid, Duration::from_secs(2)), "process {pid} lives on");
        }
        let left: Vec<_> = fs::read_dir(self.path("sockets")).unwrap().collect();
        assert!(left.is_empty(), "left behind: {left:?}");
    }

    /// Starts it, which must succeed.
    pub async fn start(&self) -> PluginProcess {
        let started = self.launch.start().await;
        started.unwrap_or_else(|error| panic!("{error}"))
    }

    /// Starts it, which must fail within the time and leave nothing.
    pub fn refusal(&self, within: Duration) -> ProviderError {
        let began = Instant::now();
        let error = run(async {
            match self.launch.start().await {
                Ok(_) => panic!("it started"),
                Err(error) => error,
            }
        });
        let took = began.elapsed();
        assert!(took <= within, "took {took:?}: {error}");
        self.assert_nothing_left();
        error
    }
}

/// Whether a process is gone, or will be soon.
pub fn gone_within(pid: i32, within: Duration) -> bool {
    let began = Instant::now();
    loop {
        // A zombie counts as gone; its new parent may take a while to reap it.
        let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
        if stat.is_empty() || stat.contains(") Z ") {
            return true;
        }
        if began.elapsed() >= within {
            return false;
        }
        thread::sleep(Duration::from_millis(10));
    }
}

/// Sends a role's handler a command; see `plugin::Obedient`.
pub async fn command(process: &PluginProcess, command: &str) -> Result<Bytes, RpcFailure> {
    let command = Bytes::copy_from_slice(command.as_bytes());
    process.call(Rpc::CallFunction, command).await
}

/// Runs async code in a trial.
pub fn run<T>(trial: impl Future<Output = T>) -> T {
    let runtime = tokio::runtime::Builder::new_multi_thread().worker_threads(2).enable_all().build().unwrap();
    runtime.block_on(trial)
}

/// A trial from a function that panics on failure.
pub fn trial(name: &str, body: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        body();
        Ok::<(), Failed>(())
    })
}

/// A trial that needs something; ignored, with the reason as its kind, without it.
pub fn trial_with<T: Send + 'static>(
    name: &str,
    needed: Result<T, &str>,
    body: impl FnOnce(T) + Send + 'static,
) -> Trial {
    match needed {
        Ok(needed) => trial(name, move || body(needed)),
        Err(reason) => {
            let told = reason.to_owned();
            Trial::test(name, move || Err(told.into())).with_kind(reason).with_ignored_flag(true)
        }
    }
}
