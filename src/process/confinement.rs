//! What a process may be and use, decided before its program begins.

use std::fs::File;
use std::io;
use std::sync::Arc;

use nix::sys::resource::{Resource, getrlimit, setrlimit};

/// A user and a group, by their numbers.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct User {
    pub user: u32,
    pub group: u32,
}

/// What a process may be and use; by default, the same as we.
#[derive(Clone, Debug, Default)]
pub struct Confinement {
    /// Who it becomes, without further groups. Only root can make it so.
    pub user: Option<User>,
    /// The most of each resource.
    pub limits: Vec<(Resource, u64)>,
    /// The `cgroup.procs` of the control group that it joins, if there is one for it.
    pub group: Option<Arc<File>>,
}

impl Confinement {
    /// Confines this process. Makes system calls only, so that it can be called after a fork.
    pub fn enter(&self) -> io::Result<()> {
        if let Some(processes) = &self.group {
            // If it cannot join, the limits of each process still hold.
            let _ = nix::unistd::write(processes, b"0");
        }
        for (resource, most) in &self.limits {
            let (_, hard) = getrlimit(*resource)?;
            let most = hard.min(*most);
            setrlimit(*resource, most, most)?;
        }
        if let Some(User { user, group }) = self.user {
            // SAFETY: the calls take numbers; no group is read from the null pointer.
            let changed = unsafe {
                libc::setgroups(0, std::ptr::null()) == 0
                    && libc::setgid(group) == 0
                    && libc::setuid(user) == 0
            };
            if !changed {
                return Err(io::Error::last_os_error());
            }
        }
        Ok(())
    }
}
