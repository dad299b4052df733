//! What exists on the machine and must be out of reach; some of it is put there as a test.

use std::env;
use std::ffi::OsString;
use std::fs::{self, File, OpenOptions, Permissions};
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs as _};
use std::os::fd::AsRawFd as _;
use std::os::unix::fs::{OpenOptionsExt as _, PermissionsExt as _};
use std::os::unix::net::{UnixDatagram, UnixListener};
use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicU64, Ordering};
use std::time::{SystemTime, UNIX_EPOCH};

use tempfile::TempDir;

use super::openness::Openness;
use super::probe::{Folder, PIPE, PRIVATE, SOCKETS, Targets};

/// Listeners and names that exist while the sandbox tries to reach them.
pub struct Canaries {
    tcp: Vec<TcpListener>,
    abstract_socket: Option<(String, UnixListener)>,
    objects: Option<Objects>,
    folders: Vec<PathBuf>,
    file: String,
    hidden: Vec<Folder>,
    needed: Vec<PathBuf>,
    enclosed: bool,
    open: Openness,
}

/// A folder with objects of every kind that must not answer.
struct Objects {
    folder: TempDir,
    _listeners: (UnixListener, UnixDatagram, File),
}

impl Canaries {
    /// Opens listeners and looks around; what stays `open` is not tried. Files are only created in the
    /// scratch folder: no other sandbox sees them.
    pub fn new(hidden: &[PathBuf], scratch: &Path, keeps: &[PathBuf], open: Openness) -> Self {
        let token = token();
        let loopback = [IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()];
        let mut folders: Vec<PathBuf> =
            ["/", "/etc", "/usr", "/var", "/var/tmp", "/dev", "/run"].map(PathBuf::from).into();
        folders.extend(env::current_dir());
        folders.push(env::temp_dir());
        folders.extend(scratch.parent().map(Path::to_owned));
        folders.extend(hidden.iter().chain(keeps).cloned());
        Self {
            tcp: loopback.iter().flat_map(|ip| TcpListener::bind((*ip, 0))).collect(),
            abstract_socket: abstract_listener(&token),
            objects: Objects::new(scratch).ok(),
            folders,
            file: format!(".{token}"),
            hidden: hidden.iter().filter_map(|path| Folder::of(path)).collect(),
            needed: keeps.iter().filter(|path| path.is_file()).cloned().collect(),
            enclosed: true,
            open,
        }
    }

    /// For a sandbox that isolates nothing: tries only what concerns the provider itself.
    pub fn bare() -> Self {
        Self {
            tcp: Vec::new(),
            abstract_socket: None,
            objects: None,
            folders: Vec::new(),
            file: String::new(),
            hidden: Vec::new(),
            needed: Vec::new(),
            enclosed: false,
            open: Openness::Everything,
        }
    }

    /// What is not tried because it stays open.
    pub fn open(&self) -> Openness {
        self.open
    }

    /// Whether there is a listener, so that getting no answer from it means something.
    pub fn tries_network(&self) -> bool {
        !self.tcp.is_empty()
    }

    /// The same for Unix sockets and pipes.
    pub fn tries_sockets(&self) -> bool {
        self.abstract_socket.is_some() && self.objects.is_some()
    }

    /// The folder of the objects that must not answer.
    pub fn folder(&self) -> Option<OsString> {
        self.objects.as_ref().map(|objects| objects.folder.path().into())
    }

    pub fn targets(&self) -> Targets {
        let pid = std::process::id().cast_signed();
        let closed = !self.open.opens_network();
        let paths = |paths: &[PathBuf]| paths.iter().map(|path| path.clone().into_os_string()).collect();
        Targets {
            tcp: self.tcp.iter().filter(|_| closed).flat_map(TcpListener::local_addr).collect(),
            abstract_socket: self.abstract_socket.as_ref().filter(|_| closed).map(|(name, _)| name.clone()),
            folders: paths(&self.folders),
            file: self.file.clone(),
            hidden: self.hidden.clone(),
            needed: paths(&self.needed),
            pids: vec![pid],
            enclosed: self.enclosed,
            routes: self.enclosed && closed,
            other_user: false,
        }
    }
}

impl Objects {
    fn new(scratch: &Path) -> io::Result<Self> {
        let folder = tempfile::Builder::new().prefix("canaries-").tempdir_in(scratch)?;
        // A socket's address is too short for some paths, but not for that of an open folder.
        let opened = File::open(folder.path())?;
        let near = match cfg!(target_os = "linux") {
            true => PathBuf::from(format!("/proc/self/fd/{}", opened.as_raw_fd())),
            false => folder.path().to_owned(),
        };
        let [stream, datagram] = SOCKETS.map(|name| near.join(name));
        let (stream, datagram) = (UnixListener::bind(stream)?, UnixDatagram::bind(datagram)?);
        let pipe = folder.path().join(PIPE);
        nix::unistd::mkfifo(&pipe, nix::sys::stat::Mode::from_bits_truncate(0o666))?;
        let reader = OpenOptions::new().read(true).custom_flags(libc::O_NONBLOCK).open(&pipe)?;
        // Nothing but the sandbox keeps others from these.
        for name in SOCKETS.into_iter().chain([PIPE]) {
            fs::set_permissions(folder.path().join(name), Permissions::from_mode(0o666))?;
        }
        let private = folder.path().join(PRIVATE);
        fs::write(&private, "private")?;
        fs::set_permissions(&private, Permissions::from_mode(0o600))?;
        Ok(Self { folder, _listeners: (stream, datagram, reader) })
    }
}

/// A name that no other sandbox uses, in this process or another.
fn token() -> String {
    static NEXT: AtomicU64 = AtomicU64::new(0);
    let next = NEXT.fetch_add(1, Ordering::Relaxed);
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("tfconform-{}-{next}-{}", std::process::id(), since.as_nanos())
}

#[cfg(target_os = "linux")]
fn abstract_listener(token: &str) -> Option<(String, UnixListener)> {
    use std::os::linux::net::SocketAddrExt as _;
    let address = std::os::unix::net::SocketAddr::from_abstract_name(token).ok()?;
    Some((token.to_owned(), UnixListener::bind_addr(&address).ok()?))
}

#[cfg(not(target_os = "linux"))]
fn abstract_listener(_token: &str) -> Option<(String, UnixListener)> {
    None
}

/// The addresses of a host, resolved from inside.
pub fn addresses(host: &str, port: u16, own: &str) -> io::Result<Vec<SocketAddr>> {
    if let Ok(ip) = host.parse::<IpAddr>() {
        return Ok(vec![(ip, port).into()]);
    }
    if host.eq_ignore_ascii_case("localhost") || host.eq_ignore_ascii_case(own) {
        return Ok(vec![(Ipv4Addr::LOCALHOST, port).into(), (Ipv6Addr::LOCALHOST, port).into()]);
    }
    Ok((host, port).to_socket_addrs()?.collect())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn names_of_the_sandbox_itself_lead_to_its_loopback() {
        let text = |host: &str| {
            addresses(host, 7, "box").unwrap().iter().map(ToString::to_string).collect::<Vec<_>>()
        };
        assert_eq!(text("::1"), ["[::1]:7"]);
        assert_eq!(text("Localhost"), ["127.0.0.1:7", "[::1]:7"]);
        assert_eq!(text("box"), ["127.0.0.1:7", "[::1]:7"]);
    }
}
