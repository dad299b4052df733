//! The sandbox's end of the connection to its supervisor.

use std::collections::{BTreeSet, HashMap};
use std::ffi::OsString;
use std::io;
use std::net::Shutdown;
use std::os::fd::{AsRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::process::Child;
use std::sync::{Arc, Mutex, MutexGuard, PoisonError, mpsc};
use std::thread::{self, JoinHandle};
use std::time::Duration;

use tokio::sync::watch;

use super::ipc::{Order, Report, receive, send};
use crate::process::{Exit, SpawnSpec, Spawned};

/// How long a supervisor may take to answer one order.
const ANSWER_TIMEOUT: Duration = Duration::from_secs(20);
/// How long a supervisor may take to exit, along with everything it started.
const END_TIMEOUT: Duration = Duration::from_secs(6);

/// A running supervisor.
pub struct Client {
    shared: Arc<Shared>,
    /// Finishes once the supervisor is reaped.
    reader: Mutex<Option<(JoinHandle<()>, mpsc::Receiver<()>)>>,
    pid: i32,
}

struct Shared {
    /// Held while sending.
    sending: Mutex<()>,
    socket: UnixStream,
    state: Mutex<State>,
}

#[derive(Default)]
struct State {
    next: u64,
    waiting: HashMap<u64, mpsc::Sender<io::Result<Answer>>>,
    living: HashMap<u64, Living>,
    passed_limits: BTreeSet<String>,
    gone: bool,
}

enum Answer {
    Started(Started),
    Socket(OwnedFd),
}

struct Living {
    exit: watch::Sender<Option<Exit>>,
    ended: mpsc::Sender<Exit>,
}

/// A process, and a way to wait for its end without a runtime.
pub struct Started {
    pub spawned: Spawned,
    pub ended: mpsc::Receiver<Exit>,
}

impl Client {
    /// Takes over a supervisor that has entered its namespaces.
    pub fn new(socket: UnixStream, mut supervisor: Child) -> io::Result<Self> {
        let pid = supervisor.id().cast_signed();
        let shared = Arc::new(Shared { sending: Mutex::default(), socket, state: Mutex::default() });
        let (over, ended) = mpsc::channel();
        let thread = thread::Builder::new().name("sandbox".to_owned());
        let reader = {
            let shared = Arc::clone(&shared);
            thread.spawn(move || {
                shared.read();
                // After a malformed message it may still be running.
                let _ = shared.socket.shutdown(Shutdown::Both);
                // Nothing else waits for it, so a failure tells us nothing.
                let _ = supervisor.wait();
                shared.end();
                let _ = over.send(());
            })?
        };
        Ok(Self { shared, reader: Mutex::new(Some((reader, ended))), pid })
    }

    /// Starts a process inside.
    pub fn spawn(&self, spec: &SpawnSpec, cwd: OsString, stdin: Option<OwnedFd>) -> io::Result<Started> {
        let stdin: Vec<RawFd> = stdin.iter().map(|fd| fd.as_raw_fd()).collect();
        let answer = self.ask(&stdin, |id| Order::Spawn {
            id,
            program: spec.program.clone().into(),
            args: spec.args.clone(),
            env: spec.env.clone().into_iter().collect(),
            cwd,
        })?;
        match answer {
            Answer::Started(started) => Ok(started),
            Answer::Socket(_) => Err(io::Error::other("received a socket instead of a process")),
        }
    }

    /// A TCP socket from inside, not connected yet.
    pub fn tcp_socket(&self, v6: bool) -> io::Result<OwnedFd> {
        self.ask_socket(|id| Order::Socket { id, v6 })
    }

    /// Connects to a socket file by its path inside.
    pub fn connect(&self, path: OsString) -> io::Result<OwnedFd> {
        self.ask_socket(|id| Order::Connect { id, path })
    }

    /// The limits that were passed so far.
    pub fn passed_limits(&self) -> Vec<String> {
        self.shared.state().passed_limits.iter().cloned().collect()
    }

    fn ask_socket(&self, order: impl FnOnce(u64) -> Order) -> io::Result<OwnedFd> {
        match self.ask(&[], order)? {
            Answer::Socket(socket) => Ok(socket),
            Answer::Started(_) => Err(io::Error::other("received a process instead of a socket")),
        }
    }

    fn ask(&self, files: &[RawFd], order: impl FnOnce(u64) -> Order) -> io::Result<Answer> {
        let (sender, answer) = mpsc::channel();
        let id = {
            let mut state = self.shared.state();
            if state.gone {
                return Err(gone());
            }
            state.next += 1;
            let id = state.next;
            state.waiting.insert(id, sender);
            id
        };
        if let Err(error) = self.shared.send(&order(id), files) {
            self.shared.state().waiting.remove(&id);
            return Err(error);
        }
        answer.recv_timeout(ANSWER_TIMEOUT).unwrap_or_else(|_| Err(gone()))
    }

    /// Ends the supervisor and everything it started. When this returns, all of it is gone.
    pub fn end(&self) {
        // Fails only if the other side is already gone.
        let _ = self.shared.socket.shutdown(Shutdown::Write);
        let reader = self.reader.lock().unwrap_or_else(PoisonError::into_inner).take();
        let Some((reader, ended)) = reader else { return };
        if ended.recv_timeout(END_TIMEOUT) == Err(mpsc::RecvTimeoutError::Timeout) {
            // It is not reaped yet, so the PID is still its own.
            let pid = nix::unistd::Pid::from_raw(self.pid);
            let _ = nix::sys::signal::kill(pid, nix::sys::signal::Signal::SIGKILL);
        }
        let _ = reader.join();
    }
}

impl Drop for Client {
    fn drop(&mut self) {
        self.end();
    }
}

impl Shared {
    fn state(&self) -> MutexGuard<'_, State> {
        self.state.lock().unwrap_or_else(PoisonError::into_inner)
    }

    fn send(&self, order: &Order, files: &[RawFd]) -> io::Result<()> {
        let _sending = self.sending.lock().unwrap_or_else(PoisonError::into_inner);
        send(&self.socket, order, files)
    }

    /// Dispatches reports until there are no more.
    fn read(self: &Arc<Self>) {
        while let Ok(Some((report, files))) = receive::<Report>(&self.socket) {
            match report {
                Report::Entered(_) => {}
                Report::Refused { .. } => return,
                Report::Limit(which) => {
                    self.state().passed_limits.insert(which);
                }
                Report::Spawned { id, pid } => {
                    let started = self.started(id, pid, files);
                    self.answer(id, started.map(Answer::Started));
                }
                Report::Socket { id } => {
                    let socket = files.into_iter().next().ok_or_else(|| missing("the socket"));
                    self.answer(id, socket.map(Answer::Socket));
                }
                Report::Failed { id, errno, text } => {
                    let error = errno.map_or_else(|| io::Error::other(text), io::Error::from_raw_os_error);
                    self.answer(id, Err(error));
                }
                Report::Exited { id, exit } => {
                    if let Some(living) = self.state().living.remove(&id) {
                        living.tell(exit);
                    }
                }
            }
        }
    }

    fn started(self: &Arc<Self>, id: u64, pid: u32, files: Vec<OwnedFd>) -> io::Result<Started> {
        let mut files = files.into_iter();
        let stdout = files.next().ok_or_else(|| missing("stdout"))?;
        let stderr = files.next().ok_or_else(|| missing("stderr"))?;
        let pid = files.next().map_or(pid, |handle| pid_by_handle(&handle));
        let (exit, watched) = watch::channel(None);
        let (sender, ended) = mpsc::channel();
        self.state().living.insert(id, Living { exit, ended: sender });
        let shared = Arc::downgrade(self);
        let kill = Arc::new(move || {
            if let Some(shared) = shared.upgrade() {
                // A closed socket means that everything inside is gone already.
                let _ = shared.send(&Order::Kill { id }, &[]);
            }
        });
        Ok(Started { spawned: Spawned { pid, stdout, stderr, exit: watched, kill }, ended })
    }

    fn answer(&self, id: u64, answer: io::Result<Answer>) {
        let waiting = self.state().waiting.remove(&id);
        if let Some(Err(mpsc::SendError(Ok(Answer::Started(started))))) =
            waiting.map(|waiting| waiting.send(answer))
        {
            // The caller has given up.
            (started.spawned.kill)();
        }
    }

    /// Tells all waiting callers that no more reports will come.
    fn end(&self) {
        let mut state = self.state();
        state.gone = true;
        state.waiting.drain().for_each(|(_, waiting)| drop(waiting.send(Err(gone()))));
        state.living.drain().for_each(|(_, living)| living.tell(Exit::UNKNOWN));
    }
}

impl Living {
    fn tell(self, exit: Exit) {
        self.exit.send_replace(Some(exit));
        // The receiver is often closed: only services and commands wait this way.
        let _ = self.ended.send(exit);
    }
}

fn gone() -> io::Error {
    io::Error::new(io::ErrorKind::BrokenPipe, "the sandbox has ended")
}

fn missing(what: &str) -> io::Error {
    io::Error::other(format!("{what} of the process is missing"))
}

/// The PID that a process in another namespace has here; 0 once it is gone.
fn pid_by_handle(handle: &OwnedFd) -> u32 {
    let info = std::fs::read_to_string(format!("/proc/self/fdinfo/{}", handle.as_raw_fd()));
    let info = info.unwrap_or_default();
    let pid = info.lines().find_map(|line| line.strip_prefix("Pid:")?.trim().parse().ok());
    pid.unwrap_or_default()
}
