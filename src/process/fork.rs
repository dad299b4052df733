//! Child processes that die with us, all started from one permanent thread.
//!
//! Linux kills a child that asked for it when the *thread* that started it ends, so a thread from a
//! runtime's pool must not start one.

use std::ffi::{CString, OsStr, OsString};
use std::io;
use std::os::fd::OwnedFd;
use std::os::unix::ffi::{OsStrExt as _, OsStringExt as _};
use std::os::unix::process::{CommandExt as _, ExitStatusExt as _};
use std::path::PathBuf;
use std::process::{Child, Command, ExitStatus, Stdio};
use std::ptr;
use std::sync::{Arc, Mutex, OnceLock, PoisonError, mpsc};
use std::thread;
use std::time::Duration;

use nix::sys::signal::{Signal, killpg};
use nix::unistd::Pid;
use tokio::sync::watch;

use super::confinement::Confinement;
use super::spawn::{Exit, SpawnSpec, Spawned};
use crate::transcript::ExitKind;

struct Order {
    spec: SpawnSpec,
    done: mpsc::Sender<io::Result<Child>>,
}

/// Starts a process in its own group, with empty stdin and piped output.
///
/// Returns the operating system's error, including that of a failed `exec`.
pub fn spawn(spec: &SpawnSpec) -> io::Result<Spawned> {
    let (done, child) = mpsc::channel();
    let order = Order { spec: spec.clone(), done };
    let gone = |_| io::Error::other("the thread that starts processes is gone");
    starter()?.send(order).map_err(|_| gone(mpsc::RecvError))?;
    let mut child = child.recv().map_err(gone)??;
    let pid = child.id();
    let missing = || io::Error::other("a pipe of the child is missing");
    let stdout = OwnedFd::from(child.stdout.take().ok_or_else(missing)?);
    let stderr = OwnedFd::from(child.stderr.take().ok_or_else(missing)?);
    let group = Arc::new(Mutex::new(Some(Pid::from_raw(pid.cast_signed()))));
    let exit = reap(pid, Arc::clone(&group))?;
    Ok(Spawned { pid, stdout, stderr, exit, kill: Arc::new(move || kill_group(&group)) })
}

/// Kills a group whose leader is not reaped yet: until then its ID cannot belong to another group.
fn kill_group(group: &Mutex<Option<Pid>>) {
    let group = group.lock().unwrap_or_else(PoisonError::into_inner);
    if let Some(pid) = *group {
        // Fails only if the group is already gone.
        let _ = killpg(pid, Signal::SIGKILL);
    }
}

/// The thread that starts all children and lives as long as the process.
fn starter() -> io::Result<mpsc::Sender<Order>> {
    static STARTER: OnceLock<Mutex<mpsc::Sender<Order>>> = OnceLock::new();
    if STARTER.get().is_none() {
        let (orders, inbox) = mpsc::channel::<Order>();
        let thread = thread::Builder::new().name("provider-starter".to_owned());
        thread.spawn(move || {
            for order in inbox {
                // The receiver has closed: the child is dropped, and killed when we end.
                let _ = order.done.send(start(&order.spec, Stdio::null(), &Confinement::default()));
            }
        })?;
        // The loser of this race has started a thread that exits at once.
        let _ = STARTER.set(Mutex::new(orders));
    }
    let orders = STARTER.get().expect("set above");
    let orders = orders.lock().unwrap_or_else(PoisonError::into_inner);
    Ok(orders.clone())
}

/// Starts a process that dies with the calling thread, in its own group, with
/// piped output.
pub fn start(spec: &SpawnSpec, stdin: Stdio, confinement: &Confinement) -> io::Result<Child> {
    let image = Image::new(spec)?;
    let confinement = confinement.clone();
    let mut command = Command::new(&spec.program);
    command.stdin(stdin).stdout(Stdio::piped()).stderr(Stdio::piped()).process_group(0);
    if let Some(cwd) = &spec.cwd {
        command.current_dir(cwd);
    }
    #[cfg(target_os = "linux")]
    let parent = nix::unistd::getpid();
    // SAFETY: between fork and exec only system calls are made, none of which allocates or takes a
    // lock; what `exec` needs was prepared before.
    unsafe {
        command.pre_exec(move || {
            // Before the signal is requested: a change of the user takes the request back.
            confinement.enter()?;
            #[cfg(target_os = "linux")]
            {
                nix::sys::prctl::set_pdeathsig(Signal::SIGKILL)?;
                // We may have been killed before the request was made.
                if nix::unistd::getppid() != parent {
                    return Err(io::Error::from_raw_os_error(libc::ESRCH));
                }
            }
            Err(image.exec())
        });
    }
    command.spawn()
}

/// Program, arguments and environment as `execve` takes them.
///
/// The standard library's own `execvp` hands a file that is not a program to the shell; Core does
/// not.
struct Image {
    program: CString,
    arguments: CStrings,
    environment: CStrings,
}

impl Image {
    fn new(spec: &SpawnSpec) -> io::Result<Self> {
        let arguments = std::iter::once(spec.program.clone().into_os_string());
        let environment = spec.env.iter().map(|(name, value)| {
            let mut pair = name.clone();
            pair.push("=");
            pair.push(value);
            pair
        });
        Ok(Self {
            program: CString::new(find_program(spec)?.into_os_string().into_vec())?,
            arguments: CStrings::new(arguments.chain(spec.args.iter().cloned()))?,
            environment: CStrings::new(environment)?,
        })
    }

    /// Becomes the program, or returns why not.
    fn exec(&self) -> io::Error {
        // SAFETY: all three end in null and live as long as `self`.
        unsafe {
            libc::execve(
                self.program.as_ptr(),
                self.arguments.pointers.as_ptr(),
                self.environment.pointers.as_ptr(),
            );
        }
        io::Error::last_os_error()
    }
}

/// C strings and a null-terminated list of pointers to them.
struct CStrings {
    pointers: Vec<*const libc::c_char>,
    _texts: Vec<CString>,
}

// SAFETY: the pointers point into `_texts`, which is never changed.
unsafe impl Send for CStrings {}
// SAFETY: as above.
unsafe impl Sync for CStrings {}

impl CStrings {
    fn new(texts: impl Iterator<Item = OsString>) -> io::Result<Self> {
        let texts: Vec<CString> =
            texts.map(|text| CString::new(text.into_vec())).collect::<Result<_, _>>()?;
        let pointers = texts.iter().map(|text| text.as_ptr());
        Ok(Self { pointers: pointers.chain([ptr::null()]).collect(), _texts: texts })
    }
}

/// The program's file: as given if it contains a slash, otherwise looked up in `PATH`.
fn find_program(spec: &SpawnSpec) -> io::Result<PathBuf> {
    if spec.program.as_os_str().as_bytes().contains(&b'/') {
        return Ok(spec.program.clone());
    }
    let path = spec.env.get(OsStr::new("PATH")).cloned();
    std::env::split_paths(&path.unwrap_or_default())
        .map(|dir| dir.join(&spec.program))
        .find(|file| file.is_file())
        // With its number, which alone gets out of a sandbox.
        .ok_or_else(|| io::Error::from_raw_os_error(libc::ENOENT))
}

/// Waits for a process in a separate thread, so that no runtime is needed.
fn reap(pid: u32, group: Arc<Mutex<Option<Pid>>>) -> io::Result<watch::Receiver<Option<Exit>>> {
    let (sender, receiver) = watch::channel(None);
    let thread = thread::Builder::new().name(format!("provider-{pid}")).stack_size(64 << 10);
    thread.spawn(move || {
        wait_without_reaping(pid);
        // Kill its group too; until we reap the zombie, the group ID stays ours.
        kill_group(&group);
        let mut group = group.lock().unwrap_or_else(PoisonError::into_inner);
        let exit = reap_now(pid);
        *group = None;
        sender.send_replace(Some(exit));
    })?;
    Ok(receiver)
}

fn wait_without_reaping(pid: u32) {
    loop {
        // SAFETY: `info` is plain data that the call may fill.
        let result = unsafe {
            let mut info = std::mem::zeroed::<libc::siginfo_t>();
            libc::waitid(libc::P_PID, pid, &mut info, libc::WEXITED | libc::WNOWAIT)
        };
        let interrupted = io::Error::last_os_error().kind() == io::ErrorKind::Interrupted;
        if result == 0 || !interrupted {
            return;
        }
    }
}

/// Reaps a child that has ended.
pub fn reap_now(pid: u32) -> Exit {
    let mut status = 0;
    // SAFETY: both records are plain data and owned here; the process has ended, so
    // the call does not block.
    let (result, usage) = unsafe {
        let mut usage = std::mem::zeroed::<libc::rusage>();
        let result = libc::wait4(pid.cast_signed(), &mut status, 0, &mut usage);
        (result, usage)
    };
    if result <= 0 {
        return Exit::UNKNOWN;
    }
    let status = ExitStatus::from_raw(status);
    let kind = match (status.code(), status.signal()) {
        (Some(code), _) => ExitKind::Code(code),
        (None, Some(signal)) => ExitKind::Signal(signal),
        (None, None) => ExitKind::Unknown,
    };
    Exit { kind, cpu: Some(duration(usage.ru_utime) + duration(usage.ru_stime)) }
}

fn duration(time: libc::timeval) -> Duration {
    let seconds = u64::try_from(time.tv_sec).unwrap_or_default();
    let micros = u64::try_from(time.tv_usec).unwrap_or_default();
    Duration::from_secs(seconds) + Duration::from_micros(micros)
}
