//! A suite's programs inside a sandbox: mock APIs that keep running, and commands.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::fs::File;
use std::io::{self, Read as _, Write as _};
use std::net::{Ipv4Addr, Ipv6Addr};
use std::os::fd::OwnedFd;
use std::path::Path;
use std::sync::mpsc::{self, RecvTimeoutError};
use std::sync::{Arc, Condvar, Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use tokio::sync::watch;

use super::client::Started;
use super::error::SandboxError;
use super::running::Sandbox;
use crate::process::{Exit, SpawnSpec};
use crate::transcript::ExitKind;

/// How to know that a service can be used.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Ready {
    /// It accepts connections on this port of the loopback.
    Port(u16),
    /// It has printed a line that contains this text, to stdout or stderr.
    Line(String),
    /// Some time has passed.
    After(Duration),
}

/// How often a port is tried.
const PORT_POLL: Duration = Duration::from_millis(10);
/// How much of the end of a service's output is kept, in bytes.
const TAIL: usize = 64 << 10;
/// How much of the start of a command's output is kept, in bytes.
const HEAD: usize = 64 << 20;
/// How long output may take to arrive once the process is gone; another process may hold the pipe
/// open.
const OUTPUT_TIMEOUT: Duration = Duration::from_millis(500);

/// A program that runs alongside the provider; ends with its sandbox.
pub struct Service {
    running: Running,
    output: Arc<Kept>,
}

impl Service {
    /// The last part of what it wrote to stdout and stderr.
    pub fn output(&self) -> String {
        self.output.text()
    }

    /// How it ended, if it has.
    pub fn exit(&self) -> Option<ExitKind> {
        self.running.exit.borrow().map(|exit| exit.kind)
    }

    /// Ends it and its group, and waits until it is gone.
    pub fn end(self) {
        self.running.kill_and_wait();
    }
}

/// The result of a command.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Output {
    /// How it ended.
    pub status: ExitKind,
    /// What it printed, at most 64 MiB of each.
    pub stdout: Vec<u8>,
    pub stderr: Vec<u8>,
}

impl Sandbox {
    /// Starts a program and waits until it is ready, within a limit.
    ///
    /// Blocks. Fails if the program does not start, exits, or takes longer; it is not left running.
    pub fn start_service(
        &self,
        command: &[OsString],
        env: &BTreeMap<OsString, OsString>,
        ready: &Ready,
        limit: Duration,
    ) -> Result<Service, SandboxError> {
        let name = name(command);
        let started = self.start_command(self.scratch(), command, env, None)?;
        let output = Arc::new(Kept::new(Keep::End(TAIL)));
        let running = Running::new(started, &output, &output);
        let service = Service { running: running.map_err(|source| unstarted(&name, source))?, output };
        let began = Instant::now();
        while !self.is_ready(ready, &service, began) {
            if let Some(exit) = service.exit() {
                service.output.wait(OUTPUT_TIMEOUT);
                let output = service.output();
                return Err(SandboxError::ServiceEnded { command: name, exit, output });
            }
            if began.elapsed() >= limit {
                let output = service.output();
                service.end();
                return Err(SandboxError::TooSlow { command: name, limit, output });
            }
            thread::sleep(PORT_POLL);
        }
        Ok(service)
    }

    fn is_ready(&self, ready: &Ready, service: &Service, began: Instant) -> bool {
        match ready {
            Ready::Port(port) => {
                self.dial_tcp((Ipv4Addr::LOCALHOST, *port).into()).is_ok()
                    || self.dial_tcp((Ipv6Addr::LOCALHOST, *port).into()).is_ok()
            }
            Ready::Line(text) => service.output().lines().any(|line| line.contains(text)),
            Ready::After(time) => began.elapsed() >= *time && service.exit().is_none(),
        }
    }

    /// Runs a command to its end, with that stdin, within a limit.
    ///
    /// Blocks. Fails if the command does not start or takes longer; a command that fails reports it
    /// in its status.
    pub fn run(
        &self,
        command: &[OsString],
        env: &BTreeMap<OsString, OsString>,
        stdin: &[u8],
        limit: Duration,
    ) -> Result<Output, SandboxError> {
        self.run_in(self.scratch(), command, env, stdin, limit)
    }

    /// The same in another folder.
    pub fn run_in(
        &self,
        folder: &Path,
        command: &[OsString],
        env: &BTreeMap<OsString, OsString>,
        stdin: &[u8],
        limit: Duration,
    ) -> Result<Output, SandboxError> {
        let name = name(command);
        let failed = |source| unstarted(&name, source);
        let (reader, mut writer) = io::pipe().map_err(failed)?;
        let started = self.start_command(folder, command, env, Some(reader.into()))?;
        let stdin = stdin.to_owned();
        // A command need not read its stdin.
        spawn_thread(move || drop(writer.write_all(&stdin))).map_err(failed)?;
        let [stdout, stderr] = [(); 2].map(|()| Arc::new(Kept::new(Keep::Start(HEAD))));
        let running = Running::new(started, &stdout, &stderr).map_err(failed)?;
        let status = match running.ended.recv_timeout(limit) {
            Ok(exit) => exit.kind,
            Err(RecvTimeoutError::Disconnected) => ExitKind::Unknown,
            Err(RecvTimeoutError::Timeout) => {
                running.kill_and_wait();
                let output = stderr.text();
                return Err(SandboxError::TooSlow { command: name, limit, output });
            }
        };
        stdout.wait(OUTPUT_TIMEOUT);
        stderr.wait(OUTPUT_TIMEOUT);
        Ok(Output { status, stdout: stdout.take(), stderr: stderr.take() })
    }

    fn start_command(
        &self,
        folder: &Path,
        command: &[OsString],
        env: &BTreeMap<OsString, OsString>,
        stdin: Option<OwnedFd>,
    ) -> Result<Started, SandboxError> {
        let (program, args) = command.split_first().ok_or(SandboxError::EmptyCommand)?;
        let (program, cwd) = (program.into(), Some(folder.to_owned()));
        let spec = SpawnSpec { program, args: args.to_owned(), env: env.clone(), cwd };
        self.start(&spec, stdin).map_err(|source| unstarted(&name(command), source))
    }
}

fn name(command: &[OsString]) -> String {
    command.first().map(|program| program.display().to_string()).unwrap_or_default()
}

fn unstarted(command: &str, source: io::Error) -> SandboxError {
    SandboxError::Command { command: command.to_owned(), source }
}

fn spawn_thread(body: impl FnOnce() + Send + 'static) -> io::Result<()> {
    let thread = thread::Builder::new().name("sandbox-pipe".to_owned()).stack_size(64 << 10);
    thread.spawn(body).map(drop)
}

/// A process whose output is read by threads.
struct Running {
    exit: watch::Receiver<Option<Exit>>,
    kill: Arc<dyn Fn() + Send + Sync>,
    ended: mpsc::Receiver<Exit>,
}

impl Running {
    /// Reads both pipes to their ends, in threads.
    fn new(started: Started, stdout: &Arc<Kept>, stderr: &Arc<Kept>) -> io::Result<Self> {
        let Started { spawned, ended } = started;
        for (pipe, kept) in [(spawned.stdout, stdout), (spawned.stderr, stderr)] {
            let kept = Arc::clone(kept);
            kept.state().readers += 1;
            spawn_thread(move || kept.read(pipe.into()))?;
        }
        Ok(Self { exit: spawned.exit, kill: spawned.kill, ended })
    }

    fn kill_and_wait(&self) {
        (self.kill)();
        // If it takes longer, it ends with the sandbox.
        let _ = self.ended.recv_timeout(OUTPUT_TIMEOUT);
    }
}

/// Which part of an output is kept, in bytes.
#[derive(Clone, Copy)]
enum Keep {
    Start(usize),
    End(usize),
}

/// What has been read from one or two pipes.
struct Kept {
    part: Keep,
    state: Mutex<State>,
    changed: Condvar,
}

#[derive(Default)]
struct State {
    bytes: Vec<u8>,
    readers: usize,
}

impl Kept {
    fn new(part: Keep) -> Self {
        Self { part, state: Mutex::default(), changed: Condvar::new() }
    }

    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn read(&self, mut pipe: File) {
        let mut piece = vec![0; 16 << 10];
        while let Ok(n) = pipe.read(&mut piece)
            && n > 0
        {
            let bytes = &mut self.state().bytes;
            match self.part {
                Keep::Start(limit) => bytes.extend_from_slice(&piece[..n.min(limit - bytes.len())]),
                Keep::End(limit) => {
                    bytes.extend_from_slice(&piece[..n]);
                    bytes.drain(..bytes.len().saturating_sub(limit));
                }
            }
        }
        self.state().readers -= 1;
        self.changed.notify_all();
    }

    /// Waits until both pipes are read to the end, within the limit.
    fn wait(&self, limit: Duration) {
        // A poisoned lock has been waited for, too.
        let _ = self.changed.wait_timeout_while(self.state(), limit, |state| state.readers > 0);
    }

    fn text(&self) -> String {
        String::from_utf8_lossy(&self.state().bytes).into_owned()
    }

    fn take(&self) -> Vec<u8> {
        std::mem::take(&mut self.state().bytes)
    }
}
