//! What exists on the machine and must be out of reach; some of it is put there as a test.

use std::env;
use std::ffi::OsString;
use std::fs;
use std::io;
use std::net::{IpAddr, Ipv4Addr, Ipv6Addr, SocketAddr, TcpListener, ToSocketAddrs as _};
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::{SystemTime, UNIX_EPOCH};

use tempfile::TempDir;

use super::openness::Openness;
use super::probe::{Folder, Targets};

/// Listeners and names that exist while the sandbox tries to reach them.
pub struct Canaries {
    tcp: Vec<TcpListener>,
    abstract_socket: Option<(String, UnixListener)>,
    socket_dirs: Vec<(TempDir, UnixListener)>,
    /// All known socket files of the machine.
    pub sockets: Vec<OsString>,
    folders: Vec<PathBuf>,
    file: String,
    hidden: Vec<Folder>,
    enclosed: bool,
    open: Openness,
}

impl Canaries {
    /// Opens listeners and looks around; what stays `open` is not tried.
    pub fn new(hidden: &[PathBuf], scratch: &Path, keeps: &[PathBuf], open: Openness) -> Self {
        let token = token();
        let loopback = [IpAddr::from(Ipv4Addr::LOCALHOST), Ipv6Addr::LOCALHOST.into()];
        // One of them in a folder that stays visible.
        let roots = [env::temp_dir(), "/var/tmp".into()];
        let socket_dirs = roots.iter().flat_map(|root| listening_folder(root)).collect();
        let mut sockets = socket_files();
        sockets.retain(|path| !Path::new(path).starts_with(scratch));
        let mut folders: Vec<PathBuf> =
            ["/", "/etc", "/usr", "/var", "/var/tmp", "/dev"].map(PathBuf::from).into();
        folders.extend(env::current_dir());
        folders.push(env::temp_dir());
        folders.extend(scratch.parent().map(Path::to_owned));
        folders.extend(hidden.iter().chain(keeps).cloned());
        Self {
            tcp: loopback.iter().flat_map(|ip| TcpListener::bind((*ip, 0))).collect(),
            abstract_socket: abstract_listener(&token),
            socket_dirs,
            sockets,
            folders,
            file: format!(".{token}"),
            hidden: hidden.iter().filter_map(|path| Folder::of(path)).collect(),
            enclosed: true,
            open,
        }
    }

    /// For a sandbox that isolates nothing: tries only what concerns the provider itself.
    pub fn bare() -> Self {
        Self {
            tcp: Vec::new(),
            abstract_socket: None,
            socket_dirs: Vec::new(),
            sockets: Vec::new(),
            folders: Vec::new(),
            file: String::new(),
            hidden: Vec::new(),
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

    /// The same for Unix sockets.
    pub fn tries_sockets(&self) -> bool {
        self.abstract_socket.is_some() && !self.socket_dirs.is_empty()
    }

    pub fn targets(&self) -> Targets {
        let pid = std::process::id().cast_signed();
        let closed = !self.open.opens_network();
        Targets {
            tcp: self.tcp.iter().filter(|_| closed).flat_map(TcpListener::local_addr).collect(),
            abstract_socket: self.abstract_socket.as_ref().filter(|_| closed).map(|(name, _)| name.clone()),
            sockets: self.sockets.clone(),
            folders: self.folders.iter().map(|path| path.clone().into_os_string()).collect(),
            file: self.file.clone(),
            hidden: self.hidden.clone(),
            pids: vec![pid],
            enclosed: self.enclosed,
            routes: self.enclosed && closed,
        }
    }
}

fn listening_folder(root: &Path) -> io::Result<(TempDir, UnixListener)> {
    let dir = tempfile::Builder::new().prefix("tfconform-").tempdir_in(root)?;
    let listener = UnixListener::bind(dir.path().join("s"))?;
    Ok((dir, listener))
}

/// A unique name.
fn token() -> String {
    let since = SystemTime::now().duration_since(UNIX_EPOCH).unwrap_or_default();
    format!("tfconform-{}-{}", std::process::id(), since.as_nanos())
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

/// The socket files bound on this machine, as Linux lists them.
fn socket_files() -> Vec<OsString> {
    let table = fs::read_to_string("/proc/net/unix").unwrap_or_default();
    let mut files: Vec<OsString> = table.lines().filter_map(socket_file).map(OsString::from).collect();
    files.sort();
    files.dedup();
    files
}

/// The path in a line of the table, which may contain spaces.
fn socket_file(line: &str) -> Option<&str> {
    line.find(" /").map(|start| &line[start + 1..])
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
    fn socket_files_are_read_with_their_blanks() {
        let bound = "0000000000000000: 00000002 00000000 00010000 0001 01 123 /run/a b/s";
        assert_eq!(socket_file(bound), Some("/run/a b/s"));
        assert_eq!(socket_file("0000000000000000: 00000002 00000000 00010000 0001 01 123 @name"), None);
        assert_eq!(socket_file("Num       RefCount Protocol Flags    Type St Inode Path"), None);
    }

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
