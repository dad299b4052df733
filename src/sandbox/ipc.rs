//! Messages between a sandbox and its supervisor: JSON prefixed with its length, with open files
//! attached.

use std::ffi::OsString;
use std::io::{self, IoSlice, IoSliceMut, Read as _, Write as _};
use std::os::fd::{AsRawFd as _, FromRawFd as _, OwnedFd, RawFd};
use std::os::unix::net::UnixStream;

use nix::errno::Errno;
use nix::sys::socket::{ControlMessage, ControlMessageOwned, MsgFlags, recvmsg, sendmsg};
use serde::de::DeserializeOwned;
use serde::{Deserialize, Serialize};

use super::limits::Limits;
use super::openness::Openness;
use super::probe::{Findings, Targets};
use crate::process::Exit;

/// How to isolate everything that will be started: the very first message.
#[derive(Debug, Serialize, Deserialize)]
pub struct Plan {
    /// Whether to enter namespaces; the other fields are only read if so.
    pub enclose: bool,
    pub open: Openness,
    pub hostname: String,
    /// The only folder that stays writable, and the working folder of every process.
    pub scratch: OsString,
    /// Files and folders to show, read-only.
    pub shown: Vec<OsString>,
    /// Folders to leave out of those.
    pub hidden: Vec<OsString>,
    /// Symlinks to create: path and target.
    pub links: Vec<(OsString, OsString)>,
    /// A folder with a socket and a pipe that must not answer.
    pub canaries: Option<OsString>,
    /// How much everything may use; as much as it likes if there are none.
    pub limits: Option<Limits>,
    /// What to test afterwards; nothing if there are none.
    pub targets: Option<Targets>,
}

/// A request from the sandbox. Each is answered by one report with the same `id`.
#[derive(Debug, Serialize, Deserialize)]
pub enum Order {
    /// Start a process; its stdin, if any, is attached.
    Spawn { id: u64, program: OsString, args: Vec<OsString>, env: Vec<(OsString, OsString)>, cwd: OsString },
    /// Create a TCP socket, IPv6 or IPv4.
    Socket { id: u64, v6: bool },
    /// Connect to a socket file.
    Connect { id: u64, path: OsString },
    /// Kill the group of a process, by the `id` of its order. Not answered.
    Kill { id: u64 },
}

/// What a supervisor reports.
#[derive(Debug, Serialize, Deserialize)]
pub enum Report {
    /// The plan has been carried out, and this is what testing it found.
    Entered(Box<Entered>),
    /// The plan cannot be carried out; the supervisor exits. `lasting`: it could not be at another time
    /// either.
    Refused { why: String, lasting: bool },
    /// A process is running: its stdout and stderr are attached, and a handle on it if its PID
    /// differs outside.
    Spawned { id: u64, pid: u32 },
    /// The socket is attached.
    Socket { id: u64 },
    /// An order failed, with the system's error number if there is one.
    Failed { id: u64, errno: Option<i32>, text: String },
    /// A process has ended, by the `id` of its order; its whole group is gone.
    Exited { id: u64, exit: Exit },
    /// A limit was passed: a sentence without a full stop.
    Limit(String),
}

#[derive(Debug, Default, Serialize, Deserialize)]
pub struct Entered {
    pub findings: Findings,
    /// Optional steps that failed.
    pub shortcomings: Vec<String>,
    /// Who processes run as; `None` if they run as we do.
    pub user: Option<(u32, u32)>,
}

/// A closed socket is an error, even if SIGPIPE is not ignored.
#[cfg(not(target_vendor = "apple"))]
const NO_SIGNAL: MsgFlags = MsgFlags::MSG_NOSIGNAL;
#[cfg(target_vendor = "apple")]
const NO_SIGNAL: MsgFlags = MsgFlags::empty();

/// Most open files in one message.
const MAX_FILES: usize = 4;

/// Sends one message. Callers that share the socket must take turns.
pub fn send(socket: &UnixStream, message: &impl Serialize, files: &[RawFd]) -> io::Result<()> {
    let body = serde_json::to_vec(message)?;
    let length = u32::try_from(body.len()).map_err(io::Error::other)?;
    let length = length.to_le_bytes();
    let rights = [ControlMessage::ScmRights(files)];
    let rights = if files.is_empty() { &[] } else { &rights[..] };
    // The first four bytes are never sent in part.
    let head = [IoSlice::new(&length)];
    retry(|| sendmsg::<()>(socket.as_raw_fd(), &head, rights, NO_SIGNAL, None))?;
    let mut socket = socket;
    socket.write_all(&body)
}

/// Receives one message with the attached files; `None` at the end.
pub fn receive<T: DeserializeOwned>(socket: &UnixStream) -> io::Result<Option<(T, Vec<OwnedFd>)>> {
    let mut length = [0; 4];
    let (n, files) = receive_head(socket, &mut length)?;
    if n == 0 {
        return Ok(None);
    }
    let mut socket = socket;
    socket.read_exact(&mut length[n..])?;
    let mut body = vec![0; u32::from_le_bytes(length) as usize];
    socket.read_exact(&mut body)?;
    Ok(Some((serde_json::from_slice(&body)?, files)))
}

fn receive_head(socket: &UnixStream, length: &mut [u8; 4]) -> io::Result<(usize, Vec<OwnedFd>)> {
    #[cfg(target_os = "linux")]
    let flags = MsgFlags::MSG_CMSG_CLOEXEC;
    #[cfg(not(target_os = "linux"))]
    let flags = MsgFlags::empty();
    let mut space = nix::cmsg_space!([RawFd; MAX_FILES]);
    let mut pieces = [IoSliceMut::new(length)];
    let received = loop {
        match recvmsg::<()>(socket.as_raw_fd(), &mut pieces, Some(&mut space), flags) {
            Err(Errno::EINTR) => {}
            received => break received?,
        }
    };
    let mut files = Vec::new();
    for message in received.cmsgs()? {
        if let ControlMessageOwned::ScmRights(rights) = message {
            // SAFETY: the system has just opened them for us, and nothing else knows them.
            files.extend(rights.into_iter().map(|fd| unsafe { OwnedFd::from_raw_fd(fd) }));
        }
    }
    Ok((received.bytes, files))
}

/// Repeats a system call that a signal has interrupted.
pub fn retry<T>(mut call: impl FnMut() -> nix::Result<T>) -> nix::Result<T> {
    loop {
        match call() {
            Err(Errno::EINTR) => {}
            result => return result,
        }
    }
}

#[cfg(test)]
mod tests {
    use std::io::Seek as _;
    use std::os::fd::AsRawFd as _;

    use super::*;

    #[test]
    fn messages_arrive_whole_and_with_their_own_files() {
        let (ours, theirs) = UnixStream::pair().unwrap();
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"along").unwrap();
        file.rewind().unwrap();
        let long = "x".repeat(1 << 20);
        let sender = std::thread::spawn(move || {
            send(&ours, &long, &[]).unwrap();
            send(&ours, &"short", &[file.as_raw_fd()]).unwrap();
            send(&ours, &"last", &[]).unwrap();
        });
        let (text, files) = receive::<String>(&theirs).unwrap().unwrap();
        assert_eq!((text.len(), files.len()), (1 << 20, 0));
        let (text, mut files) = receive::<String>(&theirs).unwrap().unwrap();
        assert_eq!((text.as_str(), files.len()), ("short", 1));
        let mut content = String::new();
        std::fs::File::from(files.remove(0)).read_to_string(&mut content).unwrap();
        assert_eq!(content, "along");
        let (text, files) = receive::<String>(&theirs).unwrap().unwrap();
        assert_eq!((text.as_str(), files.len()), ("last", 0));
        assert!(receive::<String>(&theirs).unwrap().is_none());
        sender.join().unwrap();
    }
}
