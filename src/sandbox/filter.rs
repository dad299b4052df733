//! Interfaces of the kernel that lead around namespaces, or into more of the kernel than a provider
//! needs. Linux only.

use std::collections::BTreeMap;
use std::env::consts::ARCH;
use std::error::Error;
use std::io;

use seccompiler::SeccompCmpArgLen::Dword;
use seccompiler::SeccompCmpOp::{MaskedEq, Ne};
use seccompiler::{BpfProgram, SeccompAction, SeccompCondition, SeccompFilter, SeccompRule};

/// The kinds of sockets that a provider may create: to itself, to the private network, and to ask which
/// addresses there are. Others, such as those between virtual machines, belong to no namespace.
const FAMILIES: [i32; 4] = [libc::AF_UNIX, libc::AF_INET, libc::AF_INET6, libc::AF_NETLINK];

/// Refuses these system calls from now on, for us and all that we start.
///
/// Programs for another architecture than ours are killed at their first system call.
pub fn apply() -> Result<(), Box<dyn Error>> {
    let no_socket =
        FAMILIES.iter().map(|family| SeccompCondition::new(0, Dword, Ne, family.cast_unsigned().into()));
    let no_socket = vec![SeccompRule::new(no_socket.collect::<Result<_, _>>()?)?];
    let user = u64::from(libc::CLONE_NEWUSER.cast_unsigned());
    let new_user = vec![SeccompRule::new(vec![SeccompCondition::new(0, Dword, MaskedEq(user), user)?])?];
    let forbidden = [
        (libc::SYS_socket, no_socket.clone()),
        (libc::SYS_socketpair, no_socket),
        (libc::SYS_unshare, new_user.clone()),
        (libc::SYS_clone, new_user),
        (libc::SYS_setns, Vec::new()),
        (libc::SYS_keyctl, Vec::new()),
        (libc::SYS_add_key, Vec::new()),
        (libc::SYS_request_key, Vec::new()),
    ];
    // As on a kernel without them, so that programs do without. The flags of `clone3` cannot be inspected.
    let missing =
        [libc::SYS_clone3, libc::SYS_io_uring_setup, libc::SYS_io_uring_enter, libc::SYS_io_uring_register];
    let missing = missing.map(|call| (call, Vec::new()));
    refuse(forbidden.into(), libc::EPERM)?;
    refuse(missing.into(), libc::ENOSYS)
}

fn refuse(calls: Vec<(i64, Vec<SeccompRule>)>, error: i32) -> Result<(), Box<dyn Error>> {
    let mut rules: BTreeMap<i64, Vec<SeccompRule>> = BTreeMap::new();
    for (call, conditions) in calls {
        // The second ABI of 64-bit x86 has the same calls under other numbers.
        if cfg!(target_arch = "x86_64") {
            rules.insert(call | 0x4000_0000, conditions.clone());
        }
        rules.insert(call, conditions);
    }
    let action = SeccompAction::Errno(error.cast_unsigned());
    let filter = SeccompFilter::new(rules, SeccompAction::Allow, action, ARCH.try_into()?)?;
    seccompiler::apply_filter(&BpfProgram::try_from(filter)?)?;
    Ok(())
}

/// Joins a new session keyring: ours may hold keys of the user.
pub fn leave_keys() -> io::Result<()> {
    const JOIN_SESSION_KEYRING: libc::c_long = 1;
    // SAFETY: the call takes a number, and a null pointer for a keyring without a name.
    let joined =
        unsafe { libc::syscall(libc::SYS_keyctl, JOIN_SESSION_KEYRING, std::ptr::null::<libc::c_char>()) };
    let error = io::Error::last_os_error();
    // A kernel without keys, or a filter around us, keeps us from them as well. The probe finds out.
    let is_out_of_reach = matches!(error.raw_os_error(), Some(libc::ENOSYS | libc::EPERM | libc::EACCES));
    if joined >= 0 || is_out_of_reach { Ok(()) } else { Err(error) }
}
