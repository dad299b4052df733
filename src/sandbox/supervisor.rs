//! The process in between: starts what the sandbox asks for, reaps everything, and kills all of it
//! when it exits.
//!
//! It has one thread, which Linux requires for entering namespaces, and which lets a child be
//! killed with its parent.

use std::collections::HashMap;
use std::env;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, FromRawFd as _, IntoRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
use std::sync::atomic::{AtomicI32, Ordering};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, killpg, sigaction};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, UnixAddr, connect, socket};
use nix::unistd::Pid;

use super::ipc::{Entered, Order, Plan, Report, receive, retry, send};
use super::probe;
use super::role::FD;
use crate::process::{SpawnSpec, fork};

/// Serves one sandbox until it is gone; returns an exit code.
pub fn main() -> i32 {
    let Some(socket) = inherited() else {
        eprintln!("this role is started by a sandbox and cannot be run by hand");
        return 2;
    };
    // Fails only if we already lead a group, which is just as good.
    let _ = nix::unistd::setsid();
    #[cfg(target_os = "linux")]
    super::namespaces::close_on_exec();
    match receive::<Plan>(&socket) {
        Ok(Some((plan, _))) if plan.enclose => enclosed(socket, &plan),
        Ok(Some((plan, _))) => serve(&socket, &plan, Vec::new()),
        _ => 1,
    }
}

/// The end of the socket pair that we were started with.
fn inherited() -> Option<UnixStream> {
    let fd: RawFd = env::var(FD).ok()?.parse().ok()?;
    // SAFETY: our parent passed us the descriptor, and nothing else uses it.
    let socket = unsafe { UnixStream::from_raw_fd(fd) };
    let flags = nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC);
    nix::fcntl::fcntl(&socket, flags).ok()?;
    Some(socket)
}

#[cfg(not(target_os = "linux"))]
fn enclosed(socket: UnixStream, _plan: &Plan) -> i32 {
    refuse(&socket, "this system has no namespaces".to_owned())
}

/// Enters namespaces, which splits us in two: one process outside that waits, and one inside that
/// serves as the first process of its namespace.
#[cfg(target_os = "linux")]
fn enclosed(socket: UnixStream, plan: &Plan) -> i32 {
    use super::namespaces;
    if let Err(why) = namespaces::leave(plan.open) {
        return refuse(&socket, why);
    }
    // SAFETY: there is no other thread whose locks could be left held.
    match unsafe { nix::unistd::fork() } {
        Err(error) => refuse(&socket, format!("no process can be started in a new PID namespace: {error}")),
        Ok(nix::unistd::ForkResult::Parent { child }) => {
            // Only the other process talks to the sandbox.
            drop(socket);
            wait_for(child)
        }
        Ok(nix::unistd::ForkResult::Child) => match namespaces::settle(plan) {
            Ok(shortcomings) => serve(&socket, plan, shortcomings),
            Err(why) => refuse(&socket, why),
        },
    }
}

#[cfg(target_os = "linux")]
fn wait_for(child: Pid) -> i32 {
    use nix::sys::wait::{WaitStatus, waitpid};
    match retry(|| waitpid(child, None)) {
        Ok(WaitStatus::Exited(_, code)) => code,
        _ => 1,
    }
}

fn refuse(socket: &UnixStream, why: String) -> i32 {
    // If the sandbox is gone, nobody is waiting for the answer.
    let _ = send(socket, &Report::Refused(why), &[]);
    1
}

fn serve(socket: &UnixStream, plan: &Plan, shortcomings: Vec<String>) -> i32 {
    let result = Supervisor::new(socket, plan).and_then(|mut supervisor| {
        let findings = probe::run(&plan.targets, &plan.scratch)?;
        let entered = Entered { findings, shortcomings };
        send(socket, &Report::Entered(entered), &[])?;
        let served = supervisor.serve();
        supervisor.end();
        served
    });
    match result {
        Ok(()) => 0,
        Err(error) => refuse(socket, error.to_string()),
    }
}

struct Supervisor<'a> {
    socket: &'a UnixStream,
    /// Yields a byte for every child that exits.
    alarm: OwnedFd,
    /// Orders by the PID of the process that they started.
    living: HashMap<i32, u64>,
    /// Whether our PIDs mean nothing outside.
    enclosed: bool,
}

/// The writing end of the alarm, for the handler of a signal.
static ALARM: AtomicI32 = AtomicI32::new(-1);

extern "C" fn child_ended(_signal: i32) {
    let errno = Errno::last_raw();
    // SAFETY: `write` is async-signal-safe; the byte is static. A full pipe wakes us anyway.
    unsafe { libc::write(ALARM.load(Ordering::Relaxed), b"!".as_ptr().cast(), 1) };
    Errno::set_raw(errno);
}

impl<'a> Supervisor<'a> {
    fn new(socket: &'a UnixStream, plan: &Plan) -> io::Result<Self> {
        let (alarm, ringer) = io::pipe()?;
        let (alarm, ringer) = (OwnedFd::from(alarm), OwnedFd::from(ringer));
        for end in [&alarm, &ringer] {
            nix::fcntl::fcntl(end, nix::fcntl::FcntlArg::F_SETFL(nix::fcntl::OFlag::O_NONBLOCK))?;
        }
        ALARM.store(ringer.into_raw_fd(), Ordering::Relaxed);
        let action = SigAction::new(
            SigHandler::Handler(child_ended),
            SaFlags::SA_RESTART | SaFlags::SA_NOCLDSTOP,
            SigSet::empty(),
        );
        // SAFETY: the handler only makes async-signal-safe calls.
        unsafe { sigaction(Signal::SIGCHLD, &action) }?;
        #[cfg(target_os = "linux")]
        nix::sys::prctl::set_child_subreaper(true)?;
        Ok(Self { socket, alarm, living: HashMap::new(), enclosed: plan.enclose })
    }

    /// Carries out orders until the sandbox is gone.
    fn serve(&mut self) -> io::Result<()> {
        loop {
            let mut watched = [
                PollFd::new(self.alarm.as_fd(), PollFlags::POLLIN),
                PollFd::new(self.socket.as_fd(), PollFlags::POLLIN),
            ];
            retry(|| poll(&mut watched, PollTimeout::NONE))?;
            let [rang, asked] = watched.map(|watched| watched.any().unwrap_or(true));
            if rang {
                let mut bytes = [0; 512];
                // The result does not matter.
                let _ = nix::unistd::read(&self.alarm, &mut bytes);
                self.reap()?;
            }
            if asked {
                match receive::<Order>(self.socket) {
                    Ok(Some((order, files))) => self.obey(order, files)?,
                    // Our sandbox ended, or was killed in the middle of a message.
                    Ok(None) | Err(_) => return Ok(()),
                }
            }
        }
    }

    fn obey(&mut self, order: Order, files: Vec<OwnedFd>) -> io::Result<()> {
        match order {
            Order::Spawn { id, program, args, env, cwd } => {
                let env = env.into_iter().collect();
                let spec = SpawnSpec { program: program.into(), args, env, cwd: Some(cwd.into()) };
                let stdin = files.into_iter().next().map_or_else(Stdio::null, Stdio::from);
                match self.spawn(id, &spec, stdin) {
                    Ok(()) => Ok(()),
                    Err(error) => self.fail(id, &error),
                }
            }
            Order::Socket { id, v6 } => self.hand_over(id, tcp_socket(v6)),
            Order::Connect { id, path } => self.hand_over(id, connected(&path)),
            Order::Kill { id } => {
                for (pid, _) in self.living.iter().filter(|(_, known)| **known == id) {
                    // Fails only if the group is already gone.
                    let _ = killpg(Pid::from_raw(*pid), Signal::SIGKILL);
                }
                Ok(())
            }
        }
    }

    fn spawn(&mut self, id: u64, spec: &SpawnSpec, stdin: Stdio) -> io::Result<()> {
        let mut child = fork::start(spec, stdin)?;
        let pid = child.id();
        let stdout = child.stdout.take().map(OwnedFd::from);
        let stderr = child.stderr.take().map(OwnedFd::from);
        let handle = if self.enclosed { handle(pid) } else { None };
        let files: Vec<RawFd> = [&stdout, &stderr, &handle].into_iter().flatten().map(raw).collect();
        self.living.insert(pid.cast_signed(), id);
        send(self.socket, &Report::Spawned { id, pid }, &files)
    }

    fn hand_over(&self, id: u64, socket: io::Result<OwnedFd>) -> io::Result<()> {
        match socket {
            Ok(socket) => send(self.socket, &Report::Socket { id }, &[raw(&socket)]),
            Err(error) => self.fail(id, &error),
        }
    }

    fn fail(&self, id: u64, error: &io::Error) -> io::Result<()> {
        let report = Report::Failed { id, errno: error.raw_os_error(), text: error.to_string() };
        send(self.socket, &report, &[])
    }

    /// Reaps the children that have exited, adopted ones included.
    fn reap(&mut self) -> io::Result<()> {
        while let Some(pid) = ended() {
            // Kill its group too; until we reap the zombie, the group ID stays ours.
            let order = self.living.remove(&pid);
            if order.is_some() {
                let _ = killpg(Pid::from_raw(pid), Signal::SIGKILL);
            }
            let exit = fork::reap_now(pid.cast_unsigned());
            if let Some(id) = order {
                send(self.socket, &Report::Exited { id, exit }, &[])?;
            }
        }
        Ok(())
    }

    /// Kills everything that was started, wherever it went; the kernel does so if we are the first
    /// process of a namespace.
    fn end(&mut self) {
        if self.enclosed {
            return;
        }
        for pid in self.living.keys() {
            let _ = killpg(Pid::from_raw(*pid), Signal::SIGKILL);
        }
        #[cfg(target_os = "linux")]
        super::namespaces::kill_descendants();
    }
}

fn raw(fd: &OwnedFd) -> RawFd {
    fd.as_raw_fd()
}

/// A child that has exited and is not reaped yet.
fn ended() -> Option<i32> {
    // SAFETY: `info` is plain data that the call may fill.
    unsafe {
        let mut info = std::mem::zeroed::<libc::siginfo_t>();
        let options = libc::WEXITED | libc::WNOHANG | libc::WNOWAIT;
        let result = libc::waitid(libc::P_ALL, 0, &raw mut info, options);
        (result == 0 && info.si_pid() != 0).then(|| info.si_pid())
    }
}

/// A handle on a process, from which others learn the PID it has in their namespace.
#[cfg(target_os = "linux")]
fn handle(pid: u32) -> Option<OwnedFd> {
    // SAFETY: the call takes two numbers and returns a descriptor that is ours.
    let fd = unsafe { libc::syscall(libc::SYS_pidfd_open, pid, 0) };
    let fd = RawFd::try_from(fd).ok().filter(|fd| *fd >= 0)?;
    // SAFETY: as above.
    Some(unsafe { OwnedFd::from_raw_fd(fd) })
}

#[cfg(not(target_os = "linux"))]
fn handle(_pid: u32) -> Option<OwnedFd> {
    None
}

/// A socket belongs to the network namespace in which it was created, whoever connects it.
fn tcp_socket(v6: bool) -> io::Result<OwnedFd> {
    let family = if v6 { AddressFamily::Inet6 } else { AddressFamily::Inet };
    Ok(socket(family, SockType::Stream, close_on_exec(), None)?)
}

/// Does not wait: a server whose queue is full counts as refusing.
fn connected(path: &OsStr) -> io::Result<OwnedFd> {
    let socket = socket(AddressFamily::Unix, SockType::Stream, close_on_exec(), None)?;
    let set = |flags| nix::fcntl::fcntl(&socket, nix::fcntl::FcntlArg::F_SETFL(flags));
    set(nix::fcntl::OFlag::O_NONBLOCK)?;
    connect(socket.as_raw_fd(), &UnixAddr::new(path)?)?;
    set(nix::fcntl::OFlag::empty())?;
    Ok(socket)
}

fn close_on_exec() -> SockFlag {
    #[cfg(target_os = "linux")]
    return SockFlag::SOCK_CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    SockFlag::empty()
}
