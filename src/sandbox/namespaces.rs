//! Enters namespaces and sets up what processes see there. Linux only.
//!
//! After `leave` and `settle` there is a network with only a loopback, a root folder of our own,
//! and a first process (us) that takes all others with it when it exits.

use std::fs;
use std::io;
use std::os::fd::AsRawFd as _;
use std::path::Path;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};
use nix::sys::prctl;
use nix::sys::signal::Signal;
use nix::unistd::{getegid, geteuid, sethostname};

use super::hint::hint;
use super::ipc::Plan;
use super::openness::Openness;
use super::root::{self, Gaps};
use super::{filter, user};
use crate::process::User;

/// Passes none of our open files to the processes we start.
pub fn close_on_exec() {
    // If the kernel lacks the call, we rely on our parent to have been careful.
    // SAFETY: the call only sets a flag on descriptors.
    unsafe {
        libc::syscall(libc::SYS_close_range, 3, libc::c_uint::MAX, libc::CLOSE_RANGE_CLOEXEC);
    }
}

/// Leaves every namespace except the PID namespace, which our next child will leave, and that of the network
/// if it stays open.
///
/// The error is the reason why the system does not allow it.
pub fn leave(open: Openness) -> Result<(), String> {
    let (user, group) = (geteuid(), getegid());
    let mut flags = CloneFlags::CLONE_NEWNS
        | CloneFlags::CLONE_NEWNET
        | CloneFlags::CLONE_NEWPID
        | CloneFlags::CLONE_NEWIPC
        | CloneFlags::CLONE_NEWUTS;
    flags.set(CloneFlags::CLONE_NEWNET, !open.opens_network());
    // Root needs no user namespace for the others, and can become another user in the one it has.
    if user.is_root() && unshare(flags).is_ok() {
        return Ok(());
    }
    unshare(flags | CloneFlags::CLONE_NEWUSER)
        .map_err(|error| format!("the kernel refuses new namespaces ({error}){}", hint()))?;
    let map = |file: &str, text: String| {
        fs::write(file, text).map_err(|error| format!("{file} cannot be written ({error}){}", hint()))
    };
    // Kernels before 3.19 neither have nor require this file.
    if Path::new("/proc/self/setgroups").exists() {
        map("/proc/self/setgroups", "deny".to_owned())?;
    }
    map("/proc/self/gid_map", format!("{group} {group} 1"))?;
    map("/proc/self/uid_map", format!("{user} {user} 1"))
}

/// How the namespaces were set up.
pub struct Settled {
    /// Who processes run as; `None` if they run as we do.
    pub user: Option<User>,
    pub gaps: Gaps,
}

/// Sets up the new namespaces. Must be called by their first process.
pub fn settle(plan: &Plan) -> Result<Settled, String> {
    // The process outside may already have died; the closed socket tells us then.
    prctl::set_pdeathsig(Signal::SIGKILL).map_err(|error| format!("PR_SET_PDEATHSIG fails: {error}"))?;
    let user = user::unprivileged();
    if let Some(user) = user {
        user::give(Path::new(&plan.scratch), user, plan.canaries.as_deref().map(Path::new))
            .map_err(|error| format!("the scratch folder cannot be given to another user: {error}"))?;
    }
    let name = sethostname(&plan.hostname);
    if !plan.open.opens_network() {
        loopback_up().map_err(|error| format!("the loopback cannot be set up: {error}"))?;
    }
    let mut gaps = root::replace(plan)?;
    gaps.shortcomings.extend(name.err().map(|error| format!("the host's name cannot be changed: {error}")));
    drop_capabilities().map_err(|error| format!("capabilities cannot be dropped: {error}"))?;
    filter::leave_keys().map_err(|error| format!("the session's keys cannot be left behind: {error}"))?;
    filter::apply().map_err(|error| format!("system calls cannot be filtered: {error}"))?;
    Ok(Settled { user, gaps })
}

fn loopback_up() -> io::Result<()> {
    let socket = std::net::UdpSocket::bind("0.0.0.0:0")?;
    // SAFETY: the record is plain data; the call reads and writes only that.
    unsafe {
        let mut request = std::mem::zeroed::<libc::ifreq>();
        for (to, from) in request.ifr_name.iter_mut().zip(b"lo") {
            *to = from.cast_signed();
        }
        let up = libc::IFF_UP | libc::IFF_RUNNING;
        request.ifr_ifru.ifru_flags = libc::c_short::try_from(up).map_err(io::Error::other)?;
        match libc::ioctl(socket.as_raw_fd(), libc::SIOCSIFFLAGS, &raw mut request) {
            0 => Ok(()),
            _ => Err(io::Error::last_os_error()),
        }
    }
}

/// Makes everything we start run unprivileged, even as root, since it could undo the mounts. We
/// keep our own capabilities, which also keeps other processes from tracing us.
fn drop_capabilities() -> nix::Result<()> {
    prctl::set_no_new_privs()?;
    /// Root has no special rights, and this cannot be changed back.
    const NO_ROOT_LOCKED: libc::c_ulong = 0b11;
    let call = |option, argument: libc::c_ulong| {
        // SAFETY: these calls only take numbers.
        Errno::result(unsafe { libc::prctl(option, argument, 0, 0, 0) })
    };
    call(libc::PR_SET_SECUREBITS, NO_ROOT_LOCKED)?;
    let all = libc::c_ulong::try_from(libc::PR_CAP_AMBIENT_CLEAR_ALL).unwrap_or_default();
    call(libc::PR_CAP_AMBIENT, all)?;
    for power in 0.. {
        match call(libc::PR_CAPBSET_DROP, power) {
            Ok(_) => {}
            // There are no more.
            Err(Errno::EINVAL) if power > 0 => break,
            Err(error) => return Err(error),
        }
    }
    Ok(())
}
