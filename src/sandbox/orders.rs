//! Carries out the orders of a sandbox.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::io;
use std::os::fd::{AsFd as _, AsRawFd as _, FromRawFd as _, IntoRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;
use std::process::Stdio;
#[cfg(target_os = "linux")]
use std::sync::Arc;
use std::sync::atomic::{AtomicI32, Ordering};

use nix::errno::Errno;
use nix::poll::{PollFd, PollFlags, PollTimeout, poll};
use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, killpg, sigaction};
use nix::sys::socket::{AddressFamily, SockFlag, SockType, UnixAddr, connect, socket};
use nix::unistd::Pid;

#[cfg(target_os = "linux")]
use super::group::Membership;
use super::ipc::{Order, Plan, Report, receive, retry, send};
use super::limits::FILE_TOO_LARGE;
#[cfg(target_os = "linux")]
use super::watch::{Ends, Passed, Watch};
use crate::calls::KILLED;
use crate::process::{Confinement, SpawnSpec, User, fork};
use crate::transcript::ExitKind;

/// Starts what the sandbox asks for, reaps everything, and kills all of it when it ends.
pub struct Supervisor<'a> {
    socket: &'a UnixStream,
    /// Yields a byte for every child that exits.
    alarm: OwnedFd,
    /// Orders by the PID of the process that they started.
    living: HashMap<i32, u64>,
    /// Whether our PIDs mean nothing outside.
    enclosed: bool,
    pub confinement: Confinement,
    /// Ends when the process that watches over this one does.
    guard: Option<OwnedFd>,
    has_started: bool,
    /// The limit for which everything was killed: nothing is started any more, because it would fare alike,
    /// or miss what was killed with it.
    passed: Option<String>,
    #[cfg(target_os = "linux")]
    watch: Option<Watch>,
}

/// The writing end of the alarm, for the handler of a signal.
static ALARM: AtomicI32 = AtomicI32::new(-1);

extern "C" fn child_ended(_signal: i32) {
    let errno = Errno::last_raw();
    // SAFETY: `write` is async-signal-safe; the byte is static. A full pipe wakes us anyway.
    unsafe { libc::write(ALARM.load(Ordering::Relaxed), b"!".as_ptr().cast(), 1) };
    Errno::set_raw(errno);
}

/// What a supervisor finds where it begins.
#[derive(Default)]
pub struct Surroundings {
    /// Who it starts processes as; `None` for itself.
    pub user: Option<User>,
    /// Ends when the process that watches over this one does.
    pub guard: Option<OwnedFd>,
    /// The control group for what it starts.
    #[cfg(target_os = "linux")]
    pub group: Option<Membership>,
}

impl<'a> Supervisor<'a> {
    pub fn new(socket: &'a UnixStream, plan: &Plan, around: Surroundings) -> io::Result<Self> {
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
        let limits = plan.limits.map_or_else(Vec::new, |limits| limits.of_each());
        let confinement = Confinement {
            user: around.user,
            limits,
            #[cfg(target_os = "linux")]
            group: around.group.as_ref().map(|group| Arc::clone(&group.processes)),
            #[cfg(not(target_os = "linux"))]
            group: None,
        };
        #[cfg(target_os = "linux")]
        let watch = {
            let scratch = plan.scratch.clone().into();
            plan.limits.map(|limits| Watch::new(limits, scratch, plan.enclose, around.group))
        };
        Ok(Self {
            socket,
            alarm,
            living: HashMap::new(),
            enclosed: plan.enclose,
            confinement,
            guard: around.guard,
            has_started: false,
            passed: None,
            #[cfg(target_os = "linux")]
            watch,
        })
    }

    /// Carries out orders until the sandbox is gone.
    pub fn serve(&mut self) -> io::Result<()> {
        loop {
            let mut watched = vec![
                PollFd::new(self.alarm.as_fd(), PollFlags::POLLIN),
                PollFd::new(self.socket.as_fd(), PollFlags::POLLIN),
            ];
            watched.extend(self.guard.as_ref().map(|guard| PollFd::new(guard.as_fd(), PollFlags::POLLIN)));
            let pause = self.pause();
            retry(|| poll(&mut watched, pause))?;
            let happened: Vec<bool> = watched.iter().map(|watched| watched.any().unwrap_or(true)).collect();
            if happened[0] {
                let mut bytes = [0; 512];
                // The result does not matter.
                let _ = nix::unistd::read(&self.alarm, &mut bytes);
                self.reap()?;
            }
            if happened[1] {
                match receive::<Order>(self.socket) {
                    Ok(Some((order, files))) => self.obey(order, files)?,
                    // Our sandbox ended, or was killed in the middle of a message.
                    Ok(None) | Err(_) => return Ok(()),
                }
            }
            if happened.get(2) == Some(&true) {
                return Ok(());
            }
            #[cfg(target_os = "linux")]
            if let Some(passed) = self.look() {
                match passed.ends {
                    Ends::Nothing => {}
                    Ends::These(processes) => self.stop(&processes, &passed.what),
                    Ends::Everything => {
                        self.stop_all(&passed.what);
                        self.passed = Some(passed.what.clone());
                    }
                }
                send(self.socket, &Report::Limit(passed.what), &[])?;
            }
        }
    }

    /// How long to wait for something to happen.
    fn pause(&self) -> PollTimeout {
        #[cfg(target_os = "linux")]
        if let Some(watch) = self.watch.as_ref().filter(|_| self.has_started) {
            return PollTimeout::try_from(watch.pause()).unwrap_or(PollTimeout::MAX);
        }
        PollTimeout::NONE
    }

    #[cfg(target_os = "linux")]
    fn look(&mut self) -> Option<Passed> {
        let living = &self.living;
        self.watch.as_mut()?.look(&|pid| living.contains_key(&pid.as_raw()))
    }

    /// Kills these, because they used too much, and says so to those who read what they wrote.
    #[cfg(target_os = "linux")]
    fn stop(&self, processes: &[Pid], limit: &str) {
        for pid in processes.iter().filter(|pid| self.living.contains_key(&pid.as_raw())) {
            tell(pid.as_raw(), limit);
        }
        for pid in processes {
            let _ = nix::sys::signal::kill(*pid, Signal::SIGKILL);
        }
    }

    /// Kills everything that was started, because together it used too much, and says so to those who
    /// read what it wrote.
    #[cfg(target_os = "linux")]
    fn stop_all(&self, limit: &str) {
        for pid in self.living.keys() {
            tell(*pid, limit);
        }
        if self.enclosed {
            // Everyone in the namespace but us.
            let _ = nix::sys::signal::kill(Pid::from_raw(-1), Signal::SIGKILL);
        } else {
            for pid in super::descendants::descendants() {
                let _ = nix::sys::signal::kill(pid, Signal::SIGKILL);
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
        if let Some(limit) = &self.passed {
            return Err(io::Error::other(format!("the sandbox was ended because {limit}")));
        }
        let mut child = fork::start(spec, stdin, &self.confinement)?;
        self.has_started = true;
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
            if exit.kind == ExitKind::Signal(libc::SIGXFSZ) {
                send(self.socket, &Report::Limit(FILE_TOO_LARGE.to_owned()), &[])?;
            }
            if let Some(id) = order {
                send(self.socket, &Report::Exited { id, exit }, &[])?;
            }
        }
        Ok(())
    }

    /// Kills everything that was started, wherever it went; the kernel does so if we are the first
    /// process of a namespace.
    pub fn end(&mut self) {
        if self.enclosed {
            return;
        }
        for pid in self.living.keys() {
            let _ = killpg(Pid::from_raw(*pid), Signal::SIGKILL);
        }
        #[cfg(target_os = "linux")]
        super::descendants::kill_descendants();
    }
}

/// Adds a line to the standard error of a process.
#[cfg(target_os = "linux")]
fn tell(pid: i32, limit: &str) {
    use std::io::Write as _;
    use std::os::unix::fs::OpenOptionsExt as _;
    let mut options = std::fs::OpenOptions::new();
    let stderr = options.write(true).custom_flags(libc::O_NONBLOCK).open(format!("/proc/{pid}/fd/2"));
    // It may have closed it, or filled it.
    let _ = stderr.and_then(|mut stderr| writeln!(stderr, "\n{KILLED}{limit}"));
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
