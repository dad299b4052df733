//! A running sandbox, and what can be started in it.

use std::collections::BTreeMap;
use std::ffi::OsString;
use std::io;
use std::net::SocketAddr;
use std::os::fd::{AsRawFd as _, OwnedFd};
use std::path::{Path, PathBuf};
use std::time::Duration;

use nix::sys::socket::{SockaddrStorage, connect, setsockopt, sockopt};
use nix::sys::time::{TimeVal, TimeValLike as _};

use super::canaries;
use super::client::{Client, Started};
use super::environment::scrubbed_environment;
use super::isolation::Isolation;
use crate::process::{Address, SocketDir, SpawnSpec, Spawned, Spawner, User};

/// How long a server inside may take to accept a connection.
const DIAL_TIMEOUT: Duration = Duration::from_secs(5);

/// Where the scratch folder is seen from inside too: a short path, because sockets take no long one.
pub(super) const SOCKETS: &str = "/run/tfconform";
/// A folder that every sandbox with a root folder of its own has.
pub(super) const TEMPORARY: &str = "/tmp";

/// A place where processes run isolated, as far as `isolation` says.
///
/// Dropping it ends all of them, wherever they went; so does our own exit, even by `kill -9`.
pub struct Sandbox {
    pub(super) client: Client,
    pub(super) isolation: Isolation,
    pub(super) scratch: PathBuf,
    pub(super) temporary: PathBuf,
    pub(super) hostname: String,
    /// If it has a root folder of its own, who processes run as; `None` if that is us.
    pub(super) sockets: Option<Option<User>>,
}

impl Sandbox {
    /// What is isolated and what is not.
    pub fn isolation(&self) -> &Isolation {
        &self.isolation
    }

    /// Whether processes here cannot reach anything of value.
    pub fn is_closed(&self) -> bool {
        self.isolation.is_closed()
    }

    /// The writable folder, with symlinks in its path resolved.
    pub fn scratch(&self) -> &Path {
        &self.scratch
    }

    /// A private folder for files. It has the same path in every sandbox with a root folder of its own;
    /// otherwise it is the scratch folder.
    pub fn temporary(&self) -> &Path {
        &self.temporary
    }

    /// The host's name as seen from inside.
    pub fn hostname(&self) -> &str {
        &self.hostname
    }

    /// The limits that were passed, as sentences without a full stop, each once.
    pub fn passed_limits(&self) -> Vec<String> {
        self.client.passed_limits()
    }

    /// Makes a folder in the scratch folder that what runs here can write to.
    pub fn make_folder(&self, name: &str) -> io::Result<PathBuf> {
        let folder = self.scratch.join(name);
        std::fs::create_dir_all(&folder)?;
        if let Some(Some(User { user, group })) = self.sockets {
            std::os::unix::fs::chown(&folder, Some(user), Some(group))?;
        }
        Ok(folder)
    }

    /// Hands over what others wrote to the scratch folder, so that what runs here can read and change it.
    pub fn hand_over(&self) -> io::Result<()> {
        match self.sockets {
            Some(Some(user)) => hand_over(&self.scratch, user),
            _ => Ok(()),
        }
    }

    /// The environment for what runs here; see `scrubbed_environment`.
    pub fn environment(&self, extra: &BTreeMap<OsString, OsString>) -> BTreeMap<OsString, OsString> {
        scrubbed_environment(&self.scratch, extra)
    }

    pub(super) fn start(&self, spec: &SpawnSpec, stdin: Option<OwnedFd>) -> io::Result<Started> {
        let mut spec = spec.clone();
        // A path with a slash is relative to our folder, not the supervisor's.
        if spec.program.components().count() > 1 {
            spec.program = std::path::absolute(&spec.program)?;
        }
        let cwd = match &spec.cwd {
            Some(cwd) => std::path::absolute(cwd)?,
            None => self.scratch.clone(),
        };
        self.client.spawn(&spec, cwd.into(), stdin)
    }

    pub(super) fn dial_tcp(&self, address: SocketAddr) -> io::Result<OwnedFd> {
        let socket = self.client.tcp_socket(address.is_ipv6())?;
        setsockopt(&socket, sockopt::SendTimeout, &timeval(DIAL_TIMEOUT))?;
        setsockopt(&socket, sockopt::TcpNoDelay, &true)?;
        match connect(socket.as_raw_fd(), &SockaddrStorage::from(address)) {
            // How Linux reports a timeout.
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
            Address::Unix(path) => self.client.connect(path.clone().into()),
            Address::Tcp(host, port) => {
                let mut refused = io::Error::from(io::ErrorKind::AddrNotAvailable);
                for address in canaries::addresses(host, *port, &self.hostname)? {
                    match self.dial_tcp(address) {
                        Ok(socket) => return Ok(socket),
                        Err(error) => refused = error,
                    }
                }
                Err(refused)
            }
        }
    }

    fn socket_dir(&self, root: Option<&Path>) -> io::Result<SocketDir> {
        match self.sockets {
            Some(user) if root.is_none() => SocketDir::seen_in(&self.scratch, Path::new(SOCKETS), user),
            _ => SocketDir::new(root.or(Some(&self.scratch))),
        }
    }
}

/// Changes the owner of files of root below a folder. What runs there may exchange folders for links
/// meanwhile, so each folder is held open and no link is followed.
fn hand_over(folder: &Path, user: User) -> io::Result<()> {
    use std::os::unix::fs::{MetadataExt as _, OpenOptionsExt as _, lchown};
    let flags = libc::O_DIRECTORY | libc::O_NOFOLLOW;
    let open = std::fs::OpenOptions::new().read(true).custom_flags(flags).open(folder)?;
    let held = PathBuf::from(format!("/proc/self/fd/{}", open.as_raw_fd()));
    for entry in std::fs::read_dir(&held)? {
        let path = held.join(entry?.file_name());
        let Ok(found) = path.symlink_metadata() else { continue };
        let owned = match found.uid() {
            0 => lchown(&path, Some(user.user), Some(user.group)),
            _ => Ok(()),
        };
        let handed_over = owned.and_then(|()| if found.is_dir() { hand_over(&path, user) } else { Ok(()) });
        // What runs there may have removed it.
        handed_over.or_else(|error| if path.symlink_metadata().is_err() { Ok(()) } else { Err(error) })?;
    }
    Ok(())
}
