//! Tries interfaces of the kernel that must be refused. Linux only.

use std::io;

use nix::errno::Errno;
use nix::sched::{CloneFlags, unshare};

/// Those that can be used. May change this process.
pub fn reachable() -> Vec<String> {
    let attempts = [
        (vsock(), "sockets to other virtual machines can be created"),
        (io_uring(), "io_uring can be used"),
        (clone3(), "clone3 can be used"),
        (session_keys(), "the keys of the session can be seen"),
        (new_user(), "another user namespace can be created"),
    ];
    attempts.into_iter().filter(|(reached, _)| *reached).map(|(_, what)| what.to_owned()).collect()
}

fn vsock() -> bool {
    // SAFETY: the call takes numbers; the descriptor lasts as long as this process.
    unsafe { libc::socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0) >= 0 }
}

/// Without a place for parameters, a kernel that has it says so.
fn io_uring() -> bool {
    // SAFETY: the kernel finds that the pointer is null.
    let made = unsafe { libc::syscall(libc::SYS_io_uring_setup, 1, std::ptr::null::<u8>()) };
    made >= 0 || io::Error::last_os_error().raw_os_error() == Some(libc::EFAULT)
}

/// Without arguments it starts nothing.
fn clone3() -> bool {
    // SAFETY: the kernel finds that the arguments have no size.
    let made = unsafe { libc::syscall(libc::SYS_clone3, std::ptr::null::<u8>(), 0) };
    made >= 0 || io::Error::last_os_error().raw_os_error() == Some(libc::EINVAL)
}

fn session_keys() -> bool {
    const GET_KEYRING_ID: libc::c_long = 0;
    const SESSION_KEYRING: libc::c_long = -3;
    // SAFETY: the call takes numbers.
    unsafe { libc::syscall(libc::SYS_keyctl, GET_KEYRING_ID, SESSION_KEYRING, 0) >= 0 }
}

fn new_user() -> bool {
    !matches!(unshare(CloneFlags::CLONE_NEWUSER), Err(Errno::EPERM))
}
