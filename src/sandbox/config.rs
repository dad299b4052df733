//! What a sandbox closes off, and how it is started.

use std::env;
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
use super::ipc::{Entered, Plan, Report, receive, send};
use super::isolation::Isolation;
use super::limits::Limits;
use super::openness::Openness;
use super::role::{FD, PROBE, ROLE, SUPERVISOR};
use super::running::{Sandbox, TEMPORARY};
use super::visible::Visible;
use super::{environment, visible};
use crate::process::User;

/// How long a supervisor may take to set everything up.
const ENTER_TIMEOUT: Duration = Duration::from_secs(20);
/// Pauses before each retry.
const PAUSES: [Duration; 2] = [Duration::from_millis(20), Duration::from_millis(100)];
/// Names the servers that resolve host names.
const RESOLVER: &str = "/etc/resolv.conf";

/// How to isolate what will be started.
#[derive(Clone, Debug)]
pub struct SandboxConfig {
    /// The only writable folder, and the default working folder. Contains `home` and `tmp`
    /// afterwards. Must exist.
    pub scratch: PathBuf,
    /// Folders and files to show, wherever they are: the provider, its interpreter, a suite's
    /// programs; with the symlinks that lead to them. This program itself is always shown, and so are
    /// the folders of the system (`/usr`, `/etc`, `/opt` and the like).
    pub program_dirs: Vec<PathBuf>,
    /// The host's name as seen from inside.
    pub hostname: String,
    /// How much everything inside may use.
    pub limits: Limits,
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
            limits: Limits::default(),
            supervisor: None,
            open: Openness::Nothing,
        }
    }

    /// Starts the supervisor, isolates as much as the system allows, and tests the result.
    ///
    /// Fails if no supervisor can be started. Without namespaces there still is a sandbox, and
    /// `isolation` says what is open. Blocks for some 20 ms.
    pub fn start(&self) -> Result<Sandbox, SandboxError> {
        let unusable = |source| SandboxError::Scratch { path: self.scratch.clone(), source };
        let scratch = self.scratch.canonicalize().map_err(unusable)?;
        let keeps = self.keeps()?;
        let visible = Visible::new(&keeps, &scratch);
        let visible =
            visible.map_err(|hidden| SandboxError::ScratchTooWide { path: scratch.clone(), hidden })?;
        for name in [environment::HOME, environment::TMP] {
            fs::create_dir_all(scratch.join(name)).map_err(unusable)?;
        }
        let why = match self.open.reason().filter(|_| self.open == Openness::Everything) {
            Some(reason) => reason.to_owned(),
            None => match self.enclose(&scratch, &visible, &keeps)? {
                Ok(sandbox) => return Ok(sandbox),
                Err(why) => why,
            },
        };
        let plan = Plan { targets: Some(Canaries::bare().targets()), ..self.plan(&scratch) };
        self.open(&plan, why)
    }

    /// Starts a supervisor that neither isolates nor limits anything: it only ends what it started, however
    /// we end.
    pub fn start_open(&self) -> Result<Sandbox, SandboxError> {
        let plan = Plan { limits: None, ..self.plan(&self.scratch) };
        self.open(&plan, "nothing is isolated".to_owned())
    }

    fn open(&self, plan: &Plan, why: String) -> Result<Sandbox, SandboxError> {
        let scratch = PathBuf::from(&plan.scratch);
        let (client, entered) =
            self.supervise(plan)?.map_err(|refusal| SandboxError::Supervisor(refusal.why))?;
        let isolation = Isolation::open(&entered.findings, why);
        let temporary = scratch.clone();
        Ok(Sandbox { client, isolation, scratch, temporary, hostname: own_hostname(), sockets: None })
    }

    /// A plan that isolates nothing.
    fn plan(&self, scratch: &Path) -> Plan {
        Plan {
            enclose: false,
            open: self.open,
            hostname: self.hostname.clone(),
            scratch: scratch.into(),
            shown: Vec::new(),
            hidden: Vec::new(),
            links: Vec::new(),
            canaries: None,
            limits: Some(self.limits),
            targets: None,
        }
    }

    /// What the caller names, and this program; symlinks not resolved.
    fn keeps(&self) -> Result<Vec<PathBuf>, SandboxError> {
        let mut keeps = self.program_dirs.clone();
        for path in &keeps {
            let found = path.canonicalize();
            found.map_err(|source| SandboxError::Readable { path: path.clone(), source })?;
        }
        if self.open.opens_network() {
            // Often a link into a folder that is hidden.
            keeps.extend(Path::new(RESOLVER).canonicalize().ok());
        }
        // Not found if it was replaced while running; it is not needed then.
        keeps.extend(env::current_exe().and_then(|us| us.canonicalize()).ok());
        Ok(keeps)
    }

    /// Returns the reason if the system does not allow it. Tries again if it may next time.
    fn enclose(
        &self,
        scratch: &Path,
        visible: &Visible,
        keeps: &[PathBuf],
    ) -> Result<Result<Sandbox, String>, SandboxError> {
        for pause in PAUSES {
            match self.enclose_once(scratch, visible, keeps)? {
                Err(refusal) if !refusal.lasting => {}
                made => return Ok(made.map_err(|refusal| refusal.why)),
            }
            std::thread::sleep(pause);
        }
        Ok(self.enclose_once(scratch, visible, keeps)?.map_err(|refusal| refusal.why))
    }

    fn enclose_once(
        &self,
        scratch: &Path,
        visible: &Visible,
        keeps: &[PathBuf],
    ) -> Result<Result<Sandbox, Refusal>, SandboxError> {
        let canaries = Canaries::new(&visible::hidden(), scratch, keeps, self.open);
        let names = |paths: &[PathBuf]| paths.iter().map(|path| path.clone().into_os_string()).collect();
        let links = visible.links.iter().map(|(path, target)| (path.into(), target.into()));
        let plan = Plan {
            enclose: true,
            shown: names(&visible.shown),
            hidden: names(&visible.hidden),
            links: links.collect(),
            canaries: canaries.folder(),
            targets: Some(canaries.targets()),
            ..self.plan(scratch)
        };
        let (client, entered) = match self.supervise(&plan)? {
            Ok(entered) => entered,
            Err(refusal) => return Ok(Err(refusal)),
        };
        let user = entered.user.map(|(user, group)| User { user, group });
        if let (Some(_), Some(path)) = (user, entered.findings.unreadable.first()) {
            return Err(SandboxError::RootOnly { path: path.into() });
        }
        Ok(Ok(Sandbox {
            client,
            isolation: Isolation::tried(entered, &canaries, &visible::homes()),
            scratch: scratch.to_owned(),
            temporary: TEMPORARY.into(),
            hostname: self.hostname.clone(),
            sockets: Some(user),
        }))
    }

    /// Starts a supervisor and has it carry out the plan, or report why it cannot.
    fn supervise(&self, plan: &Plan) -> Result<Result<(Client, Entered), Refusal>, SandboxError> {
        if env::var_os(ROLE).is_some_and(|role| role == SUPERVISOR || role == PROBE) {
            return Err(SandboxError::Nested);
        }
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
                return Ok(Ok((client, *entered)));
            }
            Ok(Some((Report::Refused { why, lasting }, _))) => Ok(Err(Refusal { why, lasting })),
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

/// Why a plan cannot be carried out, and whether it could not be at another time either.
struct Refusal {
    why: String,
    lasting: bool,
}

fn own_hostname() -> String {
    nix::unistd::gethostname().unwrap_or_default().to_string_lossy().into_owned()
}
