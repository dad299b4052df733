//! The processes below this one. Linux only.

use std::collections::HashMap;
use std::ffi::OsStr;
use std::fs;
use std::os::unix::ffi::OsStrExt as _;
use std::time::{Duration, Instant};

use nix::errno::Errno;
use nix::sys::signal::{Signal, kill};
use nix::sys::wait::{WaitPidFlag, WaitStatus, waitpid};
use nix::unistd::{Pid, getpid};

/// How long killed processes may take to disappear.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// Kills all our descendants, wherever they went, and reaps them: an orphan becomes our own child.
pub fn kill_descendants() {
    let began = Instant::now();
    while began.elapsed() < KILL_TIMEOUT {
        for pid in descendants() {
            let _ = kill(pid, Signal::SIGKILL);
        }
        loop {
            match waitpid(None, Some(WaitPidFlag::WNOHANG)) {
                Err(Errno::ECHILD) => return,
                Err(Errno::EINTR) => {}
                Err(_) | Ok(WaitStatus::StillAlive) => break,
                Ok(_) => {}
            }
        }
        std::thread::sleep(Duration::from_millis(1));
    }
}

/// All processes below us. An orphan counts if we adopt orphans.
pub fn descendants() -> Vec<Pid> {
    trees().into_iter().flatten().collect()
}

/// Each of our children with all processes below it, itself first. An orphan is a child if we adopt orphans.
pub fn trees() -> Vec<Vec<Pid>> {
    let Ok(processes) = fs::read_dir("/proc") else { return Vec::new() };
    let pids = processes.flatten().filter_map(|entry| entry.file_name().to_str()?.parse().ok());
    let mut children: HashMap<i32, Vec<i32>> = HashMap::new();
    for pid in pids {
        if let Some(parent) = parent(pid) {
            children.entry(parent).or_default().push(pid);
        }
    }
    let own = children.remove(&getpid().as_raw()).unwrap_or_default();
    let tree = |root: i32| {
        let (mut found, mut next) = (vec![root], 0);
        while let Some(pid) = found.get(next) {
            let below = children.remove(pid).unwrap_or_default();
            found.extend(below);
            next += 1;
        }
        found.into_iter().map(Pid::from_raw).collect()
    };
    own.into_iter().map(tree).collect()
}

fn parent(pid: i32) -> Option<i32> {
    let stat = fs::read(format!("/proc/{pid}/stat")).ok()?;
    // The program's name is in parentheses and may contain anything.
    let end = stat.iter().rposition(|byte| *byte == b')')?;
    let rest = OsStr::from_bytes(&stat[end..]).to_str()?;
    rest.split_whitespace().nth(2)?.parse().ok()
}
