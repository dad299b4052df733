//! Processes without a sandbox.

use std::io;
use std::net::{TcpStream, ToSocketAddrs as _};
use std::os::fd::OwnedFd;
use std::os::unix::net::UnixStream;
use std::path::{Path, PathBuf};
use std::time::Duration;

use super::address::Address;
use super::fork;
use super::socket_dir::SocketDir;
use super::spawn::{SpawnSpec, Spawned, Spawner};

/// How long connecting to one address may take.
const DIAL_LIMIT: Duration = Duration::from_secs(5);

/// Starts processes on this machine directly, without a sandbox.
#[derive(Clone, Debug, Default)]
pub struct DirectSpawner {
    /// Where sockets are created; by default in the system's folder for temporary files.
    pub sockets: Option<PathBuf>,
}

impl Spawner for DirectSpawner {
    fn spawn(&self, spec: &SpawnSpec) -> io::Result<Spawned> {
        fork::spawn(spec)
    }

    fn socket_dir(&self, root: Option<&Path>) -> io::Result<SocketDir> {
        SocketDir::new(root.or(self.sockets.as_deref()))
    }

    fn dial(&self, address: &Address) -> io::Result<OwnedFd> {
        match address {
            Address::Unix(path) => Ok(UnixStream::connect(path)?.into()),
            Address::Tcp(host, port) => {
                let mut refused = io::Error::from(io::ErrorKind::AddrNotAvailable);
                for address in (host.as_str(), *port).to_socket_addrs()? {
                    match TcpStream::connect_timeout(&address, DIAL_LIMIT) {
                        Ok(stream) => {
                            stream.set_nodelay(true)?;
                            return Ok(stream.into());
                        }
                        Err(error) => refused = error,
                    }
                }
                Err(refused)
            }
        }
    }
}
