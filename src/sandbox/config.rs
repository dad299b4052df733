//! What a sandbox closes off, and how it is started.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::os::fd::AsRawFd as _;
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Command, Stdio};
use std::time::Duration;

use super::canaries::Canaries;
use super::client::Client;
use super::error::SandboxError;
use super::ipc::{Entered, HiddenDir, Plan, Report, receive, send};
use super::isolation::Isolation;
use super::openness::Openness;
use super::role::{FD, PROBE, ROLE, SUPERVISOR};
use super::running::Sandbox;
use super::{environment, hidden_dirs};

/// How long a supervisor may take to set everything up.
const ENTER_TIMEOUT: Duration = Duration::from_secs(20);
/// Pauses before each retry.
const PAUSES: [Duration; 3] =
    [Duration::from_millis(10), Duration::from_millis(40), Duration::from_millis(160)];
/// Names the servers that resolve host names.
const RESOLVER: &str = "/etc/resolv.conf";

/// How to isolate what will be started.
#[derive(Clone, Debug)]
pub struct SandboxConfig {
    /// The only writable folder, and the default working folder. Contains `home` and `tmp`
    /// afterwards. Must exist, and its path should be short: sockets are created below it.
    pub scratch: PathBuf,
    /// Folders and files that must stay readable even if they are in a home or in `/tmp`: the
    /// provider, its interpreter, a suite's programs. So do the symlinks that lead to them. This
    /// program itself always stays readable.
    pub program_dirs: Vec<PathBuf>,
    /// The host's name as seen from inside.
    pub hostname: String,
    /// The program to start as supervisor; this one by default.
    pub supervisor: Option<PathBuf>,
    /// What stays open.
    pub open: Openness,
}

impl SandboxConfig {
    /// Confines everything to a scratch folder, on a host named `sandbox`.
    pub fn new(scratch: impl Into<PathBuf>) -> Self {
        Self {
            scratch: scratch.into(),
            program_dirs: Vec::new(),
            hostname: "sandbox".to_owned(),
            supervisor: None,
            open: Openness::Nothing,
        }
    }

    /// Starts the supervisor, isolates as much as the system allows, and tests the result.
    ///
    /// Fails if no supervisor can be started. Without namespaces there still is a sandbox, and
    /// `isolation` says what is open. Blocks for some 20 ms.
    pub fn start(&self) -> Result<Sandbox, SandboxError> {
        if env::var_os(ROLE).is_some_and(|role| role == SUPERVISOR || role == PROBE) {
            return Err(SandboxError::Nested);
        }
        let unusable = |source| SandboxError::Scratch { path: self.scratch.clone(), source };
        let scratch = self.scratch.canonicalize().map_err(unusable)?;
        let hidden = hidden_dirs::hidden();
        let keeps = self.keeps()?;
        let hidden_dirs = hidden_dirs::to_hide(&hidden, &scratch, &keeps);
        let hidden_dirs =
            hidden_dirs.map_err(|hidden| SandboxError::ScratchTooWide { path: scratch.clone(), hidden })?;
        for name in [environment::HOME, environment::TMP] {
            fs::create_dir_all(scratch.join(name)).map_err(unusable)?;
        }
        let open = match self.open.reason().filter(|_| self.open == Openness::Everything) {
            Some(reason) => reason.to_owned(),
            None => match self.enclose(&scratch, &hidden, &keeps, &hidden_dirs)? {
                Ok(sandbox) => return Ok(sandbox),
                Err(why) => why,
            },
        };
        let canaries = Canaries::bare();
        let plan = Plan {
            enclose: false,
            open: self.open,
            hostname: self.hostname.clone(),
            scratch: scratch.clone().into(),
            hidden_dirs: Vec::new(),
            keeps: Vec::new(),
            links: Vec::new(),
            sockets: Vec::new(),
            targets: canaries.targets(),
        };
        match self.supervise(&plan)? {
            Ok((client, entered)) => {
                let isolation = Isolation::open(&entered.findings, open);
                let temporary = scratch.clone();
                Ok(Sandbox { client, isolation, scratch, temporary, hostname: own_hostname() })
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
        if self.open.opens_network() {
            // Often a link into a folder that is hidden.
            keeps.extend(Path::new(RESOLVER).canonicalize().ok());
        }
        // Not found if it was replaced while running; it is not needed then.
        keeps.extend(env::current_exe().and_then(|us| us.canonicalize()).ok());
        Ok(keeps)
    }

    /// The symlinks in hidden folders that lead to what stays readable.
    fn links(&self, hidden_dirs: &[HiddenDir]) -> Vec<(OsString, OsString)> {
        let absolute = self.program_dirs.iter().filter_map(|path| std::path::absolute(path).ok());
        let links = absolute.flat_map(|path| hidden_dirs::links(&path));
        let hidden = links.filter(|(path, _)| hidden_dirs::is_hidden(path, hidden_dirs));
        hidden.map(|(path, target)| (path.into(), target.into())).collect()
    }

    /// Returns the reason if the system does not allow it.
    ///
    /// Tries again if only a socket of the machine can be reached: the test sockets of other
    /// sandboxes come and go.
    fn enclose(
        &self,
        scratch: &Path,
        hidden: &[PathBuf],
        keeps: &[PathBuf],
        hidden_dirs: &[HiddenDir],
    ) -> Result<Result<Sandbox, String>, SandboxError> {
        for pause in PAUSES {
            match self.enclose_once(scratch, hidden, keeps.to_vec(), hidden_dirs.to_vec())? {
                Ok(sandbox) if sandbox.isolation.leaks_sockets_alone() => drop(sandbox),
                made => return Ok(made),
            }
            std::thread::sleep(pause);
        }
        self.enclose_once(scratch, hidden, keeps.to_vec(), hidden_dirs.to_vec())
    }

    fn enclose_once(
        &self,
        scratch: &Path,
        hidden: &[PathBuf],
        keeps: Vec<PathBuf>,
        hidden_dirs: Vec<HiddenDir>,
    ) -> Result<Result<Sandbox, String>, SandboxError> {
        let canaries = Canaries::new(hidden, scratch, &keeps, self.open);
        let plan = Plan {
            enclose: true,
            open: self.open,
            hostname: self.hostname.clone(),
            scratch: scratch.into(),
            keeps: hidden_dirs::kept(keeps, &hidden_dirs),
            links: self.links(&hidden_dirs),
            hidden_dirs,
            sockets: canaries.sockets.clone(),
            targets: canaries.targets(),
        };
        Ok(self.supervise(&plan)?.map(|(client, entered)| {
            let isolation = Isolation::tried(entered, &canaries, &hidden_dirs::homes());
            let temporary = plan.hidden_dirs.iter().find(|dir| dir.writable);
            let temporary = temporary.map_or_else(|| scratch.to_owned(), |dir| PathBuf::from(&dir.path));
            Sandbox {
                client,
                isolation,
                scratch: scratch.to_owned(),
                temporary,
                hostname: self.hostname.clone(),
            }
        }))
    }

    /// Starts a supervisor and has it carry out the plan, or report why it cannot.
    fn supervise(&self, plan: &Plan) -> Result<Result<(Client, Entered), String>, SandboxError> {
        let (ours, theirs) = UnixStream::pair().map_err(SandboxError::Start)?;
        let mut supervisor = self.start_supervisor(&theirs).map_err(SandboxError::Start)?;
        drop(theirs);
        let answer = send(&ours, plan, &[]).and_then(|()| {
            ours.set_read_timeout(Some(ENTER_TIMEOUT))?;
            let answer = receive::<Report>(&ours)?;
            ours.set_read_timeout(None)?;
            Ok(answer)
        });
        let why = match answer {
            Ok(Some((Report::Entered(entered), _))) => {
                let client = Client::new(ours, supervisor).map_err(SandboxError::Start)?;
                return Ok(Ok((client, entered)));
            }
            Ok(Some((Report::Refused(why), _))) => Ok(Err(why)),
            Ok(Some(_)) => Err("it sent an unexpected message".to_owned()),
            Ok(None) => Err("it exited without a message; does its main call main_if_asked?".to_owned()),
            Err(error) => Err(error.to_string()),
        };
        drop(ours);
        // A real supervisor exits without our help.
        if why.is_err() {
            let _ = supervisor.kill();
        }
        let _ = supervisor.wait();
        why.map_err(SandboxError::Supervisor)
    }

    fn start_supervisor(&self, socket: &UnixStream) -> io::Result<Child> {
        let program = match &self.supervisor {
            Some(program) => program.clone(),
            // Our own program, even if the file was replaced in the meantime.
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
        // SAFETY: the call changes a flag of a descriptor, in the child only.
        unsafe {
            command.pre_exec(move || match libc::fcntl(fd, libc::F_SETFD, 0) {
                0 => Ok(()),
                _ => Err(io::Error::last_os_error()),
            });
        }
        command.spawn()
    }
}

fn own_hostname() -> String {
    nix::unistd::gethostname().unwrap_or_default().to_string_lossy().into_owned()
}
