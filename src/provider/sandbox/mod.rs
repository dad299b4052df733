//! Where a provider can do no harm: it reads the machine's programs, writes into
//! one scratch folder, and talks to nobody but us.
//!
//! Everything is started by a supervisor: this very program, started again in a
//! role of its own. On Linux it enters namespaces first (user, network, mount,
//! process, IPC, host name), and what it started cannot outlive it, however we
//! end. Where the system refuses that, it still ends everything it started, and
//! `Closure` says what is open and why. What is called closed was tried.
//!
//! What stays open by design: files that everybody may read can be read, but for
//! homes and `/run`; the machine's clock, processors and memory are shared; a
//! socket file made outside later on, in a folder that is not hidden, answers.

mod closure;
mod cover;
#[cfg(target_os = "linux")]
mod enclose;
mod environment;
mod link;
mod outside;
mod probe;
mod service;
mod supervisor;
mod talk;

use std::collections::BTreeMap;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use nix::sys::socket::{SockaddrStorage, connect, setsockopt, sockopt};
use nix::sys::time::{TimeVal, TimeValLike as _};

pub use closure::Closure;
pub use environment::{INHERITED, scrubbed_environment};
pub use service::{Output, Ready, Service};

use super::handshake::Address;
use super::spawn::{SpawnSpec, Spawned, Spawner};
use link::{Link, Started};
use outside::Outside;
use talk::{Cover, Entered, Plan, Report, receive, send};

/// What this process is to be, where a sandbox has started it.
const ROLE: &str = "TFCONFORM_ROLE";
const SUPERVISOR: &str = "supervisor";
const PROBE: &str = "probe";
/// The number of the descriptor by which a supervisor is spoken to.
const FD: &str = "TFCONFORM_FD";
/// Where it is `1`, no namespaces are entered.
pub const NO_NAMESPACES: &str = "TFCONFORM_NO_NAMESPACES";

/// How long a supervisor may take to set everything up.
const ENTER_LIMIT: Duration = Duration::from_secs(20);
/// Before another try.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(10), Duration::from_millis(40), Duration::from_millis(160)];
/// How long a server inside may take to accept a connection.
const DIAL_LIMIT: Duration = Duration::from_secs(5);

/// Becomes the supervisor of a sandbox, or the attempt to get out of one, where
/// that is what this process was started for; does not return then.
///
/// Every program that starts a sandbox must call it before anything else, while
/// it has one thread.
pub fn main_if_asked() {
    let role = env::var(ROLE).unwrap_or_default();
    match role.as_str() {
        SUPERVISOR => std::process::exit(supervisor::main()),
        PROBE => std::process::exit(probe::main()),
        _ => {}
    }
}

/// Why there is no sandbox, or why it did not do something.
#[derive(Debug, thiserror::Error)]
pub enum SandboxError {
    /// The folder is missing, or cannot be written to.
    #[error("the scratch folder {} cannot be used: {source}", .path.display())]
    Scratch { path: PathBuf, source: io::Error },
    /// The folder holds what must be hidden.
    #[error("the scratch folder {} cannot be used: {} lies in it", .path.display(), .hidden.display())]
    ScratchTooWide { path: PathBuf, hidden: PathBuf },
    /// What must stay readable is not there.
    #[error("{} cannot be kept readable: {source}", .path.display())]
    Readable { path: PathBuf, source: io::Error },
    /// The supervisor could not be started.
    #[error("failed to start the sandbox's supervisor: {0}")]
    Start(#[source] io::Error),
    /// The supervisor has started, and then said nothing useful.
    #[error("the sandbox's supervisor gave up: {0}")]
    Supervisor(String),
    /// A program's `main` does not ask whether it is to be the supervisor.
    #[error("a supervisor has tried to start a sandbox: the program's main must call main_if_asked first")]
    Nested,
    /// A command has no program.
    #[error("the command is empty")]
    EmptyCommand,
    /// A command could not be started inside.
    #[error("failed to start {command}: {source}")]
    Command { command: String, source: io::Error },
    /// A service ended before it was ready.
    #[error("{command} ended ({exit}) before it was ready{}", quoted(.output))]
    ServiceEnded { command: String, exit: super::crash::ExitKind, output: String },
    /// A service or command took too long.
    #[error("{command} took longer than {limit:?}{}", quoted(.output))]
    TooSlow { command: String, limit: Duration, output: String },
}

fn quoted(output: &str) -> String {
    match output.trim_end() {
        "" => String::new(),
        output => format!("; its output ends with:\n{output}"),
    }
}

/// Whether a folder that something may have to hide can stay in sight all the same: it is no home, nor
/// does it lead to one that would be hidden. The path must be without links.
pub fn can_be_shown(folder: &Path) -> bool {
    cover::can_be_shown(folder, &cover::hidden())
}

/// How to close off what will be started.
#[derive(Clone, Debug)]
pub struct Enclosure {
    /// The only folder that can be written to, and the working folder where none
    /// is given. Holds `home` and `tmp` afterwards. Must exist, and should be short:
    /// sockets are made below it.
    pub scratch: PathBuf,
    /// Folders and files that must stay readable though they lie in a home or in
    /// `/tmp`: the provider, its interpreter, a suite's programs. So do the links that lead to them. This
    /// program itself always is.
    pub program_dirs: Vec<PathBuf>,
    /// The host's name as seen from inside.
    pub hostname: String,
    /// The program to start as supervisor; this one where none is given.
    pub supervisor: Option<PathBuf>,
}

impl Enclosure {
    /// Encloses everything in a scratch folder, on a host of the name `sandbox`.
    pub fn new(scratch: impl Into<PathBuf>) -> Self {
        Self {
            scratch: scratch.into(),
            program_dirs: Vec::new(),
            hostname: "sandbox".to_owned(),
            supervisor: None,
        }
    }

    /// Starts the supervisor, closes everything that the system allows to close,
    /// and tries it.
    ///
    /// Errs where there is no supervisor. Where there are no namespaces there is
    /// a sandbox, and `closure` says so. Blocks for some 20 ms.
    pub fn start(&self) -> Result<Sandbox, SandboxError> {
        if env::var_os(ROLE).is_some_and(|role| role == SUPERVISOR || role == PROBE) {
            return Err(SandboxError::Nested);
        }
        let unusable = |source| SandboxError::Scratch { path: self.scratch.clone(), source };
        let scratch = self.scratch.canonicalize().map_err(unusable)?;
        let hidden = cover::hidden();
        let keeps = self.keeps()?;
        let covers = cover::covers(&hidden, &scratch, &keeps);
        let covers =
            covers.map_err(|hidden| SandboxError::ScratchTooWide { path: scratch.clone(), hidden })?;
        for name in [environment::HOME, environment::TMP] {
            fs::create_dir_all(scratch.join(name)).map_err(unusable)?;
        }
        let open = if env::var_os(NO_NAMESPACES).is_some_and(|value| value == "1") {
            format!("{NO_NAMESPACES} is set")
        } else {
            match self.enclose(&scratch, &hidden, &keeps, &covers)? {
                Ok(sandbox) => return Ok(sandbox),
                Err(why) => why,
            }
        };
        let outside = Outside::bare();
        let plan = Plan {
            enclose: false,
            hostname: self.hostname.clone(),
            scratch: scratch.clone().into(),
            covers: Vec::new(),
            keeps: Vec::new(),
            links: Vec::new(),
            sockets: Vec::new(),
            targets: outside.targets(),
        };
        match self.supervise(&plan)? {
            Ok((link, entered)) => {
                let closure = Closure::open(&entered.findings, open);
                let temporary = scratch.clone();
                Ok(Sandbox { link, closure, scratch, temporary, hostname: own_hostname() })
            }
            Err(why) => Err(SandboxError::Supervisor(why)),
        }
    }

    fn keeps(&self) -> Result<Vec<PathBuf>, SandboxError> {
        let mut keeps = Vec::new();
        for path in &self.program_dirs {
            let kept = path.canonicalize();
            keeps.push(kept.map_err(|source| SandboxError::Readable { path: path.clone(), source })?);
        }
        // Not found where it was replaced while it ran; it is not needed then.
        keeps.extend(env::current_exe().and_then(|us| us.canonicalize()).ok());
        Ok(keeps)
    }

    /// The links in hidden folders that lead to what stays readable.
    fn links(&self, covers: &[Cover]) -> Vec<(OsString, OsString)> {
        let absolute = self.program_dirs.iter().filter_map(|path| std::path::absolute(path).ok());
        let links = absolute.flat_map(|path| cover::links(&path));
        let hidden = links.filter(|(path, _)| cover::is_covered(path, covers));
        hidden.map(|(path, target)| (path.into(), target.into())).collect()
    }

    /// Gives the reason where the system does not allow it.
    ///
    /// Tries again where nothing but a socket of the machine can be reached: those by which other sandboxes
    /// try themselves come and go.
    fn enclose(
        &self,
        scratch: &Path,
        hidden: &[PathBuf],
        keeps: &[PathBuf],
        covers: &[Cover],
    ) -> Result<Result<Sandbox, String>, SandboxError> {
        for pause in PAUSES {
            match self.enclose_once(scratch, hidden, keeps.to_vec(), covers.to_vec())? {
                Ok(sandbox) if sandbox.closure.leaks_sockets_alone() => drop(sandbox),
                made => return Ok(made),
            }
            std::thread::sleep(pause);
        }
        self.enclose_once(scratch, hidden, keeps.to_vec(), covers.to_vec())
    }

    fn enclose_once(
        &self,
        scratch: &Path,
        hidden: &[PathBuf],
        keeps: Vec<PathBuf>,
        covers: Vec<Cover>,
    ) -> Result<Result<Sandbox, String>, SandboxError> {
        let outside = Outside::new(hidden, scratch, &keeps);
        let plan = Plan {
            enclose: true,
            hostname: self.hostname.clone(),
            scratch: scratch.into(),
            keeps: cover::kept(keeps, &covers),
            links: self.links(&covers),
            covers,
            sockets: outside.sockets.clone(),
            targets: outside.targets(),
        };
        Ok(self.supervise(&plan)?.map(|(link, entered)| {
            let closure = Closure::tried(entered, &outside, &cover::homes());
            let temporary = plan.covers.iter().find(|cover| cover.writable);
            let temporary = temporary.map_or_else(|| scratch.to_owned(), |cover| PathBuf::from(&cover.path));
            Sandbox { link, closure, scratch: scratch.to_owned(), temporary, hostname: self.hostname.clone() }
        }))
    }

    /// Starts a supervisor and has it carry out the plan, or say why it cannot.
    fn supervise(&self, plan: &Plan) -> Result<Result<(Link, Entered), String>, SandboxError> {
        let (ours, theirs) = UnixStream::pair().map_err(SandboxError::Start)?;
        let mut supervisor = self.start_supervisor(&theirs).map_err(SandboxError::Start)?;
        drop(theirs);
        let answer = send(&ours, plan, &[]).and_then(|()| {
            ours.set_read_timeout(Some(ENTER_LIMIT))?;
            let answer = receive::<Report>(&ours)?;
            ours.set_read_timeout(None)?;
            Ok(answer)
        });
        let why = match answer {
            Ok(Some((Report::Entered(entered), _))) => {
                let link = Link::new(ours, supervisor).map_err(SandboxError::Start)?;
                return Ok(Ok((link, entered)));
            }
            Ok(Some((Report::Refused(why), _))) => Ok(Err(why)),
            Ok(Some(_)) => Err("it spoke out of turn".to_owned()),
            Ok(None) => Err("it ended without a word; does its main call main_if_asked?".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        drop(ours);
        // It ends by itself where it is what it should be.
        if why.is_err() {
            let _ = supervisor.kill();
        }
        let _ = supervisor.wait();
        why.map_err(SandboxError::Supervisor)
    }

    fn start_supervisor(&self, socket: &UnixStream) -> io::Result<Child> {
        let program = match &self.supervisor {
            Some(program) => program.clone(),
            // Ours even where the file was replaced meanwhile.
            None if cfg!(target_os = "linux") => "/proc/self/exe".into(),
            None => env::current_exe()?,
        };
        let fd = socket.as_raw_fd();
        let mut command = Command::new(program);
        command
            .arg0("tfconform-supervisor")
            .env_clear()
            .env(ROLE, SUPERVISOR)
            .env(FD, fd.to_string())
            .stdin(Stdio::null())
            .stdout(Stdio::null())
            .process_group(0);
        // SAFETY: the call changes a flag of a descriptor, in the child alone.
        unsafe {
            command.pre_exec(move || match libc::fcntl(fd, libc::F_SETFD, 0) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            });
        }
        command.spawn()
    }
}

/// A place where processes run closed off, as far as `closure` says.
///
/// Dropping it ends all of them, wherever they went; so does our own end, be it
/// by `kill -9`.
pub struct Sandbox {
    link: Link,
    closure: Closure,
    scratch: PathBuf,
    temporary: PathBuf,
    hostname: String,
}

impl Sandbox {
    /// What is closed and what is not.
    pub fn closure(&self) -> &Closure {
        &self.closure
    }

    /// Whether nothing that runs here can reach anything of value.
    pub fn is_closed(&self) -> bool {
        self.closure.is_closed()
    }

    /// The folder that can be written to, without links in its path.
    pub fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// A folder for files that is this sandbox's own. Where folders can be hidden it has the same path in
    /// every sandbox; otherwise it is the scratch folder.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// The host's name as seen from inside.
    pub fn hostname(&self) -> &str {
        &self.hostname
    }

    /// The environment for what runs here; see `scrubbed_environment`.
    pub fn environment(&self, extra: &BTreeMap<OsString, OsString>) -> BTreeMap<OsString, OsString> {
        scrubbed_environment(&self.scratch, extra)
    }

    fn start(&self, spec: &SpawnSpec, stdin: Option<OwnedFd>) -> io::Result<Started> {
        let mut spec = spec.clone();
        // A path with a slash is as seen from here, not from the supervisor's folder.
        if spec.program.components().count() > 1 {
            spec.program = std::path::absolute(&spec.program)?;
        }
        let cwd = match &spec.cwd {
            Some(cwd) => std::path::absolute(cwd)?,
            None => self.scratch.clone(),
        };
        self.link.spawn(&spec, cwd.into(), stdin)
    }

    fn dial_tcp(&self, address: SocketAddr) -> io::Result<OwnedFd> {
        let socket = self.link.tcp_socket(address.is_ipv6())?;
        setsockopt(&socket, sockopt::SendTimeout, &timeval(DIAL_LIMIT))?;
        setsockopt(&socket, sockopt::TcpNoDelay, &true)?;
        match connect(socket.as_raw_fd(), &SockaddrStorage::from(address)) {
            // How Linux says that the time is over.
            Err(nix::errno::Errno::EINPROGRESS) => return Err(io::ErrorKind::TimedOut.into()),
            result => result?,
        }
        setsockopt(&socket, sockopt::SendTimeout, &timeval(Duration::ZERO))?;
        Ok(socket)
    }
}

fn timeval(duration: Duration) -> TimeVal {
    TimeVal::milliseconds(i64::try_from(duration.as_millis()).unwrap_or(i64::MAX))
}

impl Spawner for Sandbox {
    fn spawn(&self, spec: &SpawnSpec) -> io::Result<Spawned> {
        self.start(spec, None).map(|started| started.spawned)
    }

    fn dial(&self, address: &Address) -> io::Result<OwnedFd> {
        match address {
            Address::Unix(path) => self.link.connect(path.clone().into()),
            Address::Tcp(host, port) => {
                let mut refused = io::Error::from(io::ErrorKind::AddrNotAvailable);
                for address in outside::addresses(host, *port, &self.hostname)? {
                    match self.dial_tcp(address) {
                        Ok(socket) => return Ok(socket),
                        Err(error) => refused = error,
                    }
                }
                Err(refused)
            }
        }
    }

    fn socket_root(&self) -> Option<&Path> {
        Some(&self.scratch)
    }
}

fn own_hostname() -> String {
    nix::unistd::gethostname().unwrap_or_default().to_string_lossy().into_owned()
}
