//! Tries, from inside, what must not succeed: nothing counts as isolated merely because the call
//! that should isolate it returned no error.
//!
//! The attempts are made by a process started the way a provider would be.

use std::collections::BTreeMap;
use std::env;
use std::ffi::{OsStr, OsString};
use std::fs::{self, File, OpenOptions};
use std::io::{self, Read as _};
use std::net::{SocketAddr, TcpStream, UdpSocket};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{FileTypeExt as _, MetadataExt as _, OpenOptionsExt as _};
use std::path::{Path, PathBuf};
use std::process::Stdio;
use std::time::Duration;

use nix::sys::socket::{AddressFamily, SockFlag, SockType, UnixAddr, connect, socket};
use nix::unistd::AccessFlags;
use serde::{Deserialize, Serialize};

#[cfg(target_os = "linux")]
use super::kernel;
use super::role::{PROBE, ROLE};
use crate::process::{Confinement, SpawnSpec, fork};

/// The folder of the objects that must not answer, as seen from inside.
pub const CANARIES: &str = "/run/canaries";
/// Its sockets: a stream's and one for datagrams.
pub const SOCKETS: [&str; 2] = ["stream", "datagram"];
/// Its pipe, which has a reader.
pub const PIPE: &str = "pipe";
/// Its file that only its owner may read.
pub const PRIVATE: &str = "private";
/// A file that only root and one group may read, where it exists.
const SHADOW: &str = "/etc/shadow";

/// What to try. A list is empty if its targets are not claimed to be out of reach.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Targets {
    /// Listeners of the machine.
    pub tcp: Vec<SocketAddr>,
    /// A listener of the machine on an abstract socket.
    pub abstract_socket: Option<String>,
    /// Folders in which to create a file.
    pub folders: Vec<OsString>,
    /// The name of that file.
    pub file: String,
    /// Folders that must not be the same as outside.
    pub hidden: Vec<Folder>,
    /// Files that must be readable or executable.
    pub needed: Vec<OsString>,
    /// Processes of the machine.
    pub pids: Vec<i32>,
    /// Whether to try everything that needs no target.
    pub enclosed: bool,
    /// Whether to look for routes out of here.
    pub routes: bool,
    /// Whether this is another user than outside, so that files of that one must be out of reach.
    pub other_user: bool,
}

/// A folder, and how the system identifies it.
#[derive(Debug, Clone, PartialEq, Eq, Serialize, Deserialize)]
pub struct Folder {
    pub path: OsString,
    pub device: u64,
    pub inode: u64,
}

impl Folder {
    /// `None` if it does not exist.
    pub fn of(path: &Path) -> Option<Self> {
        let metadata = fs::metadata(path).ok().filter(fs::Metadata::is_dir)?;
        Some(Self { path: path.into(), device: metadata.dev(), inode: metadata.ino() })
    }
}

/// What succeeded but should not have.
#[derive(Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Findings {
    /// Ways into a network.
    pub network: Vec<String>,
    /// Ways to sockets and pipes of the machine.
    pub sockets: Vec<String>,
    /// Files that were created; the caller finds out whether they are real.
    pub files: Vec<OsString>,
    /// Other ways to write to the machine.
    pub writes: Vec<String>,
    /// Folders that are the same as outside.
    pub seen: Vec<OsString>,
    /// Environments that can be read.
    pub environments: Vec<String>,
    /// Processes that can be signalled.
    pub pids: Vec<i32>,
    /// Files of another user that can be read, but should not be.
    pub private: Vec<OsString>,
    /// Parts of the kernel that can be used.
    pub kernel: Vec<String>,
    /// Files that cannot be read, but should be.
    pub unreadable: Vec<OsString>,
}

impl Findings {
    /// With more ways to sockets, found otherwise.
    pub fn with_sockets(mut self, sockets: Vec<String>) -> Self {
        self.sockets.extend(sockets);
        self
    }
}

/// The variable that holds the targets.
const TARGETS: &str = "TFCONFORM_TARGETS";

/// Makes the attempts in a separate process and waits for the findings.
pub fn run(targets: &Targets, scratch: &OsStr, confinement: &Confinement) -> io::Result<Findings> {
    let program = match cfg!(target_os = "linux") {
        true => "/proc/self/exe".into(),
        false => env::current_exe()?,
    };
    let env: BTreeMap<OsString, OsString> =
        [(ROLE.into(), PROBE.into()), (TARGETS.into(), serde_json::to_string(targets)?.into())].into();
    let spec = SpawnSpec { program, args: Vec::new(), env, cwd: Some(scratch.into()) };
    let mut child = fork::start(&spec, Stdio::null(), confinement)?;
    let (mut findings, mut words) = (String::new(), String::new());
    child.stdout.take().map(|mut stdout| stdout.read_to_string(&mut findings)).transpose()?;
    child.stderr.take().map(|mut stderr| stderr.read_to_string(&mut words)).transpose()?;
    child.wait()?;
    serde_json::from_str(&findings).map_err(|error| {
        io::Error::other(format!("the probe of the sandbox was cut short ({error}): {words}"))
    })
}

/// Makes the attempts and prints the findings; returns an exit code.
pub fn main() -> i32 {
    let targets = env::var(TARGETS).ok().and_then(|targets| serde_json::from_str(&targets).ok());
    let Some(targets) = targets else {
        eprintln!("this role is started by a sandbox and cannot be run by hand");
        return 2;
    };
    let findings = attempt(&targets);
    match serde_json::to_writer(io::stdout(), &findings) {
        Ok(()) => 0,
        Err(_) => 1,
    }
}

fn attempt(targets: &Targets) -> Findings {
    let mut findings = Findings {
        network: networks(&targets.tcp),
        sockets: sockets(targets),
        files: files(targets),
        seen: seen(&targets.hidden),
        environments: environments(&targets.pids),
        pids: pids(&targets.pids),
        unreadable: unreadable(&targets.needed),
        ..Findings::default()
    };
    if targets.other_user {
        findings.private = private();
    }
    if targets.routes {
        findings.network.extend(routes());
    }
    if targets.enclosed {
        #[cfg(target_os = "linux")]
        {
            findings.writes.extend(mounts());
            // Last, because what succeeds there changes this process.
            findings.kernel = kernel::reachable();
        }
        findings.writes.extend(devices());
    }
    findings
}

fn networks(listeners: &[SocketAddr]) -> Vec<String> {
    let limit = Duration::from_millis(500);
    let reached = listeners.iter().filter(|address| TcpStream::connect_timeout(address, limit).is_ok());
    reached.map(|address| format!("{address} of the machine answers")).collect()
}

/// Routes out of here; looking one up sends nothing.
fn routes() -> Vec<String> {
    let outside = ["1.1.1.1:80", "10.0.0.1:80", "169.254.169.254:80", "[2606:4700:4700::1111]:80"];
    let routed = outside.iter().filter(|address| {
        let any = if address.starts_with('[') { "[::]:0" } else { "0.0.0.0:0" };
        UdpSocket::bind(any).and_then(|socket| socket.connect(address)).is_ok()
    });
    routed.map(|address| format!("there is a route to {address}")).collect()
}

fn sockets(targets: &Targets) -> Vec<String> {
    let mut found = Vec::new();
    if targets.enclosed {
        let files = SOCKETS.map(|name| Path::new(CANARIES).join(name)).into_iter();
        let files = files.filter(|path| UnixAddr::new(path).is_ok_and(|address| answers(&address)));
        found.extend(files.map(|path| format!("a socket of the machine answers at {}", path.display())));
        let pipe = Path::new(CANARIES).join(PIPE);
        if OpenOptions::new().write(true).custom_flags(libc::O_NONBLOCK).open(&pipe).is_ok() {
            found.push(format!("a pipe of the machine has a reader at {}", pipe.display()));
        }
    }
    #[cfg(target_os = "linux")]
    if let Some(name) = &targets.abstract_socket
        && UnixAddr::new_abstract(name.as_bytes()).is_ok_and(|address| answers(&address))
    {
        found.push(format!("the abstract socket {name} of the machine answers"));
    }
    found
}

/// Whether something listens there; too busy to answer counts.
fn answers(address: &UnixAddr) -> bool {
    [SockType::Stream, SockType::SeqPacket, SockType::Datagram].into_iter().any(|kind| {
        let Ok(socket) = socket(AddressFamily::Unix, kind, SockFlag::empty(), None) else {
            return false;
        };
        let flags = nix::fcntl::FcntlArg::F_SETFL(nix::fcntl::OFlag::O_NONBLOCK);
        let _ = nix::fcntl::fcntl(&socket, flags);
        let result = connect(socket.as_raw_fd(), address);
        matches!(result, Ok(()) | Err(nix::errno::Errno::EAGAIN))
    })
}

fn files(targets: &Targets) -> Vec<OsString> {
    let paths = targets.folders.iter().map(|folder| Path::new(folder).join(&targets.file));
    paths.filter(|path| File::create_new(path).is_ok()).map(PathBuf::into_os_string).collect()
}

fn seen(hidden: &[Folder]) -> Vec<OsString> {
    let seen = hidden.iter().filter(|folder| Folder::of(Path::new(&folder.path)).as_ref() == Some(folder));
    seen.map(|folder| folder.path.clone()).collect()
}

fn environments(pids: &[i32]) -> Vec<String> {
    let files = pids.iter().map(|pid| format!("/proc/{pid}/environ"));
    let files = files.chain(["/proc/1/environ".to_owned()]);
    files.filter(|file| fs::read(file).is_ok_and(|content| !content.is_empty())).collect()
}

fn private() -> Vec<OsString> {
    let files = [Path::new(CANARIES).join(PRIVATE), SHADOW.into()].into_iter();
    files.filter(|file| File::open(file).is_ok()).map(PathBuf::into_os_string).collect()
}

fn unreadable(needed: &[OsString]) -> Vec<OsString> {
    let may = |file: &OsString, how| nix::unistd::access(Path::new(file), how).is_ok();
    let is_usable = |file: &&OsString| may(file, AccessFlags::R_OK) || may(file, AccessFlags::X_OK);
    needed.iter().filter(|file| !is_usable(file)).cloned().collect()
}

fn pids(pids: &[i32]) -> Vec<i32> {
    let alive = |pid: &&i32| nix::sys::signal::kill(nix::unistd::Pid::from_raw(**pid), None).is_ok();
    pids.iter().filter(alive).copied().collect()
}

#[cfg(target_os = "linux")]
fn mounts() -> Vec<String> {
    use nix::mount::{MsFlags, mount, umount};
    let none = None::<&str>;
    let mut found = Vec::new();
    let again = MsFlags::MS_REMOUNT | MsFlags::MS_BIND;
    if mount(none, "/", none, again, none).is_ok() {
        found.push("/ can be made writable".to_owned());
    }
    if umount("/dev").is_ok() || umount("/tmp").is_ok() {
        found.push("what hides a folder can be unmounted".to_owned());
    }
    found
}

/// Devices that give access to hardware.
fn devices() -> Vec<String> {
    let Ok(entries) = fs::read_dir("/dev") else { return Vec::new() };
    let blocks = entries.flatten().filter(|entry| {
        let is_block = entry.file_type().is_ok_and(|kind| kind.is_block_device());
        let mut options = OpenOptions::new();
        is_block && options.read(true).custom_flags(libc::O_NONBLOCK).open(entry.path()).is_ok()
    });
    blocks.map(|entry| format!("{} can be opened", entry.path().display())).collect()
}
