//! Who processes in a sandbox run as. Linux only.

use std::fs;
use std::io;
use std::os::unix::fs::lchown;
use std::path::Path;

use nix::unistd::geteuid;

use crate::process::User;

/// The user `nobody`, and its group: the numbers that Linux itself shows for unknown owners.
const NOBODY: User = User { user: 65534, group: 65534 };

/// The user without rights that root can become; `None` for others, and where there is no such user.
pub fn unprivileged() -> Option<User> {
    let has = |file: &str, id: u32| {
        fs::read_to_string(format!("/proc/self/{file}")).is_ok_and(|map| is_mapped(&map, id))
    };
    let may_leave_groups =
        fs::read_to_string("/proc/self/setgroups").is_ok_and(|setting| setting.trim() == "allow");
    let exists = has("uid_map", NOBODY.user) && has("gid_map", NOBODY.group) && may_leave_groups;
    (geteuid().is_root() && exists).then_some(NOBODY)
}

/// Whether a namespace has that ID, by the map of its IDs: lines of the first one inside, the first one
/// outside, and their number.
fn is_mapped(map: &str, id: u32) -> bool {
    map.lines().any(|line| {
        let mut numbers = line.split_whitespace().map_while(|number| number.parse::<u64>().ok());
        let (Some(first), Some(_), Some(count)) = (numbers.next(), numbers.next(), numbers.next()) else {
            return false;
        };
        (first..first + count).contains(&u64::from(id))
    })
}

/// Gives a folder and everything in it to a user, except what is at one path.
pub fn give(folder: &Path, to: User, except: Option<&Path>) -> io::Result<()> {
    lchown(folder, Some(to.user), Some(to.group))?;
    for entry in fs::read_dir(folder)? {
        let entry = entry?;
        if except == Some(&entry.path()) {
            continue;
        }
        if entry.file_type()?.is_dir() {
            give(&entry.path(), to, except)?;
        } else {
            lchown(entry.path(), Some(to.user), Some(to.group))?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn ids_are_found_in_a_map() {
        let whole = "         0          0 4294967295\n";
        let container = "0 1000 1\n1 100000 65536\n";
        assert!(is_mapped(whole, 65534) && is_mapped(container, 65534) && is_mapped(container, 0));
        assert!(!is_mapped("0 0 1\n", 65534) && !is_mapped("", 0));
    }
}
