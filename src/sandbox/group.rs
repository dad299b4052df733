//! A control group for everything in a sandbox, where the system lets us make one. Linux only, version 2 only.
//!
//! The watch looks ten times a second; what multiplies or allocates at full speed is faster than that. In a
//! group, the kernel itself enforces a limit on all processes together. It takes a hierarchy in which we may
//! make groups: that of the machine for root, or one that systemd delegates. Elsewhere the limits of each
//! process and the watch have to do.

use std::fs::{self, File};
use std::io::{self, Write as _};
use std::os::unix::fs::FileExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::thread;
use std::time::Duration;

use nix::errno::Errno;
use nix::unistd::{UnlinkatFlags, unlinkat};

use super::limits::Limits;

/// Begins the names of groups; the PID of the process that removes the group follows.
const PREFIX: &str = "tfconform-";
/// How often, and how long apart, the removal of a group is tried: its processes have to be gone.
const REMOVALS: u32 = 50;
const PAUSE: Duration = Duration::from_millis(10);

/// The group, from outside: whoever makes it removes it. The files are open because by then its folder is out of
/// sight.
pub struct ControlGroup {
    parent: File,
    name: String,
    /// Ends everything in it; kernels before 5.14 have no such file.
    kill: Option<File>,
}

/// The group from inside. The files are open because their folder is not to be seen there.
pub struct Membership {
    /// A process that writes a zero to it joins the group.
    pub processes: Arc<File>,
    memory: Option<File>,
    threads: Option<File>,
    limits: Limits,
    /// How often each has been enforced so far.
    so_far: Enforced,
}

/// How often the kernel has enforced the limits of a group.
#[derive(Clone, Copy, Default)]
struct Enforced {
    memory: u64,
    threads: u64,
}

impl ControlGroup {
    /// A new group with these limits, next to our own or below it; `None` where the system has none for us.
    pub fn make(limits: Limits) -> Option<(ControlGroup, Membership)> {
        let own = own_folder(
            &fs::read_to_string("/proc/self/mountinfo").ok()?,
            &fs::read_to_string("/proc/self/cgroup").ok()?,
        )?;
        own.ancestors().take(2).find_map(|parent| Self::below(parent, limits))
    }

    fn below(parent: &Path, limits: Limits) -> Option<(ControlGroup, Membership)> {
        let controllers = fs::read_to_string(parent.join("cgroup.subtree_control")).ok()?;
        let has = |wanted| controllers.split_whitespace().any(|controller| controller == wanted);
        if !has("pids") && !has("memory") {
            return None;
        }
        remove_abandoned(parent);
        let name = format!("{PREFIX}{}", std::process::id());
        let folder = parent.join(&name);
        let parent = File::open(parent).ok()?;
        fs::create_dir(&folder).ok()?;
        let kill = File::options().write(true).open(folder.join("cgroup.kill")).ok();
        let group = ControlGroup { parent, name, kill };
        // If it cannot be set up it is removed again.
        let membership = Membership::set_up(&folder, limits, has("pids"), has("memory")).ok()?;
        Some((group, membership))
    }
}

impl Drop for ControlGroup {
    fn drop(&mut self) {
        // What is still in it was to be ended anyway.
        let _ = self.kill.as_mut().map(|kill| kill.write_all(b"1"));
        for _ in 0..REMOVALS {
            match unlinkat(&self.parent, self.name.as_str(), UnlinkatFlags::RemoveDir) {
                Err(Errno::EBUSY) => thread::sleep(PAUSE),
                _ => return,
            }
        }
    }
}

impl Membership {
    fn set_up(folder: &Path, limits: Limits, pids: bool, memory: bool) -> io::Result<Membership> {
        let at = |file| folder.join(file);
        if pids {
            fs::write(at("pids.max"), limits.threads().to_string())?;
        }
        if let Some(most) = limits.most_memory().filter(|_| memory) {
            // Above the limit everything is slowed down until the watch has noticed, and can say why it ends.
            fs::write(at("memory.high"), (most + most / 16).to_string())?;
            fs::write(at("memory.max"), (most + most / 4).to_string())?;
            // Without swap there is no such file.
            let _ = fs::write(at("memory.swap.max"), "0");
        }
        Ok(Membership {
            processes: Arc::new(File::options().write(true).open(at("cgroup.procs"))?),
            memory: memory.then(|| File::open(at("memory.events"))).transpose()?,
            threads: pids.then(|| File::open(at("pids.events"))).transpose()?,
            limits,
            so_far: Enforced::default(),
        })
    }

    /// The limit that the kernel has enforced since this was asked last, and whether it has ended a process for it.
    pub fn enforced(&mut self) -> Option<(String, bool)> {
        let count = |file: &Option<File>, event| file.as_ref().map_or(0, |file| counted(file, event));
        let now = Enforced { memory: count(&self.memory, "oom_kill"), threads: count(&self.threads, "max") };
        let before = std::mem::replace(&mut self.so_far, now);
        if now.memory > before.memory {
            Some((self.limits.too_much_memory()?, true))
        } else if now.threads > before.threads {
            let most = self.limits.threads();
            Some((format!("more threads than {most} ran at once (`run.max_processes`)"), false))
        } else {
            None
        }
    }
}

/// How often an event has happened, by a file of lines such as `oom_kill 1`.
fn counted(file: &File, event: &str) -> u64 {
    let mut bytes = [0; 512];
    let Ok(length) = file.read_at(&mut bytes, 0) else { return 0 };
    let text = String::from_utf8_lossy(&bytes[..length]);
    let mut lines = text.lines().filter_map(|line| line.split_once(' '));
    lines.find(|(name, _)| *name == event).and_then(|(_, count)| count.parse().ok()).unwrap_or(0)
}

/// The folder of our own group, by `/proc/self/mountinfo` and `/proc/self/cgroup`.
fn own_folder(mounts: &str, groups: &str) -> Option<PathBuf> {
    let path = groups.lines().find_map(|line| line.strip_prefix("0::"))?;
    mounts.lines().find_map(|line| {
        let (mount, kind) = line.split_once(" - ")?;
        if kind.split(' ').next() != Some("cgroup2") {
            return None;
        }
        let mut fields = mount.split(' ').skip(3);
        let (root, folder) = (fields.next()?, fields.next()?);
        // A group above the mounted part has no folder for us.
        let below = Path::new(path).strip_prefix(root).ok().filter(|below| !below.starts_with(".."))?;
        Some(Path::new(folder).join(below))
    })
}

/// Removes groups whose makers are gone. One that still has processes stays.
fn remove_abandoned(parent: &Path) {
    for entry in fs::read_dir(parent).into_iter().flatten().flatten() {
        let name = entry.file_name();
        let maker = name.to_str().and_then(|name| name.strip_prefix(PREFIX)?.parse::<u32>().ok());
        if maker.is_some_and(|maker| !Path::new(&format!("/proc/{maker}")).exists()) {
            let _ = fs::remove_dir(entry.path());
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    const MOUNTS: &str = "\
24 30 0:22 / /sys rw,nosuid shared:7 - sysfs sysfs rw
35 24 0:30 / /sys/fs/cgroup rw,nosuid shared:9 - cgroup2 cgroup2 rw,nsdelegate
36 24 0:31 / /sys/fs/cgroup/pids rw,nosuid shared:9 - cgroup cgroup rw,pids";

    #[test]
    fn our_own_group_is_found() {
        let own = own_folder(MOUNTS, "8:pids:/\n0::/user.slice/session-1.scope\n");
        assert_eq!(own.unwrap(), Path::new("/sys/fs/cgroup/user.slice/session-1.scope"));
        let bound = MOUNTS.replace("0:30 / /sys", "0:30 /user.slice /sys");
        assert_eq!(own_folder(&bound, "0::/user.slice/a\n").unwrap(), Path::new("/sys/fs/cgroup/a"));
    }

    #[test]
    fn where_there_is_no_hierarchy_for_us_there_is_no_group() {
        assert_eq!(own_folder(MOUNTS, "8:pids:/\n"), None, "version 1 only");
        assert_eq!(own_folder(MOUNTS, "0::/../other\n"), None, "outside our namespace");
        let bound = MOUNTS.replace("0:30 / /sys", "0:30 /user.slice /sys");
        assert_eq!(own_folder(&bound, "0::/system.slice\n"), None, "outside what is mounted");
        assert_eq!(own_folder("", "0::/\n"), None);
    }

    #[test]
    fn what_the_kernel_enforced_is_read_from_its_events() {
        let mut file = tempfile::tempfile().unwrap();
        file.write_all(b"low 0\nhigh 0\nmax 12\noom 3\noom_kill 2\noom_group_kill 0\n").unwrap();
        assert_eq!([counted(&file, "oom_kill"), counted(&file, "max"), counted(&file, "none")], [2, 12, 0]);
    }

    #[test]
    fn a_limit_that_the_kernel_enforced_is_named() {
        let events = |text: &str| {
            let mut file = tempfile::tempfile().unwrap();
            file.write_all(text.as_bytes()).unwrap();
            Some(file)
        };
        let enforced = |memory, threads| {
            let processes = Arc::new(tempfile::tempfile().unwrap());
            let limits = Limits { processes: 20, memory: Some(200 << 20), ..Limits::default() };
            let mut group = Membership { processes, memory, threads, limits, so_far: Enforced::default() };
            let enforced = group.enforced();
            assert_eq!(group.enforced(), None, "it is said once");
            enforced
        };
        assert_eq!(enforced(None, None), None);
        assert_eq!(enforced(events("max 7\noom_kill 0\n"), events("max 0\n")), None);
        let memory = enforced(events("max 7\noom_kill 1\n"), events("max 0\n"));
        assert_eq!(
            memory.unwrap(),
            ("more memory than 200 MiB was used (`run.max_memory`)".to_owned(), true)
        );
        let threads = enforced(events("oom_kill 0\n"), events("max 3\n"));
        assert_eq!(
            threads.unwrap(),
            ("more threads than 640 ran at once (`run.max_processes`)".to_owned(), false)
        );
    }
}
