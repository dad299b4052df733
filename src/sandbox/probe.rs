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
use serde::{Deserialize, Serialize};

use super::role::{PROBE, ROLE};
use crate::process::{SpawnSpec, fork};

/// What to try. A list is empty if its targets are not claimed to be out of reach.
#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Targets {
    /// Listeners of the machine.
    pub tcp: Vec<SocketAddr>,
    /// A listener of the machine on an abstract socket.
    pub abstract_socket: Option<String>,
    /// Socket files of the machine.
    pub sockets: Vec<OsString>,
    /// Folders in which to create a file.
    pub folders: Vec<OsString>,
    /// The name of that file.
    pub file: String,
    /// Folders that must not be the same as outside.
    pub hidden: Vec<Folder>,
    /// Processes of the machine.
    pub pids: Vec<i32>,
    /// Whether to try everything that needs no target.
    pub enclosed: bool,
    /// Whether to look for routes out of here.
    pub routes: bool,
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
    /// Sockets that answered.
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
}

/// The variable that holds the targets.
const TARGETS: &str = "TFCONFORM_TARGETS";

/// Makes the attempts in a separate process and waits for the findings.
pub fn run(targets: &Targets, scratch: &OsStr) -> io::Result<Findings> {
    let program = match cfg!(target_os = "linux") {
        true => "/proc/self/exe".into(),
        false => env::current_exe()?,
    };
    let env: BTreeMap<OsString, OsString> =
        [(ROLE.into(), PROBE.into()), (TARGETS.into(), serde_json::to_string(targets)?.into())].into();
    let spec = SpawnSpec { program, args: Vec::new(), env, cwd: Some(scratch.into()) };
    let mut child = fork::start(&spec, Stdio::null())?;
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
        writes: Vec::new(),
        seen: seen(&targets.hidden),
        environments: environments(&targets.pids),
        pids: pids(&targets.pids),
    };
    if targets.routes {
        findings.network.extend(routes());
    }
    if targets.enclosed {
        #[cfg(target_os = "linux")]
        findings.writes.extend(mounts());
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
    let files = targets.sockets.iter().map(Path::new);
    let files = files.filter(|path| {
        let is_socket = fs::metadata(path).is_ok_and(|metadata| metadata.file_type().is_socket());
        is_socket && UnixAddr::new(*path).is_ok_and(|address| answers(&address))
    });
    let mut found: Vec<String> = files.map(|path| path.display().to_string()).collect();
    #[cfg(target_os = "linux")]
    if let Some(name) = &targets.abstract_socket
        && UnixAddr::new_abstract(name.as_bytes()).is_ok_and(|address| answers(&address))
    {
        found.push(format!("@{name}"));
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
