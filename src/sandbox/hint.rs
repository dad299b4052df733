//! Why a system may refuse namespaces. Linux only.

use std::fs;
use std::path::Path;

/// The usual cause of a refusal.
pub fn hint() -> &'static str {
    let says = |file: &str, value: &str| fs::read_to_string(file).is_ok_and(|text| text.trim() == value);
    if says("/proc/sys/kernel/apparmor_restrict_unprivileged_userns", "1") {
        "; sysctl kernel.apparmor_restrict_unprivileged_userns is 1"
    } else if says("/proc/sys/kernel/unprivileged_userns_clone", "0") {
        "; sysctl kernel.unprivileged_userns_clone is 0"
    } else if says("/proc/sys/user/max_user_namespaces", "0") {
        "; sysctl user.max_user_namespaces is 0"
    } else if Path::new("/.dockerenv").exists() {
        "; containers need --security-opt seccomp=unconfined or --privileged for it"
    } else {
        ""
    }
}
