//! Notices when everything in a sandbox together uses more than it may. Linux only.

use std::collections::HashSet;
use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::unistd::Pid;

use super::descendants::trees;
use super::group::Membership;
use super::limits::{FILE_TOO_LARGE, Limits};

/// How often processes are looked at.
const INTERVAL: Duration = Duration::from_millis(100);
/// The same where all processes of the machine are in the way.
const OPEN_INTERVAL: Duration = Duration::from_secs(1);
/// How often files are looked at, at most.
const FILES_INTERVAL: Duration = Duration::from_secs(1);
/// How much longer than a look at the files the pause between two lasts.
const FILES_SHARE: u32 = 20;
/// More files than this fill a scratch folder, whatever their size.
const MOST_FILES: u64 = 200_000;
/// So many times as many processes as there may be multiply too fast to tell which of them is to blame.
const OUTRUN: usize = 4;

pub struct Watch {
    limits: Limits,
    /// Of everything that is watched, if the system has one for us.
    group: Option<Membership>,
    interval: Duration,
    /// Whether `/proc` shows the processes of our namespace.
    sees_processes: bool,
    /// The most memory, in bytes.
    memory: Option<u64>,
    scratch: PathBuf,
    next: Instant,
    next_files: Instant,
}

/// A limit that was passed.
pub struct Passed {
    /// A sentence without a full stop.
    pub what: String,
    pub ends: Ends,
}

/// What has to be ended for a limit that was passed.
pub enum Ends {
    /// The kernel kept it from going further.
    Nothing,
    /// What used most. The others go on.
    These(Vec<Pid>),
    /// It cannot be told who used it.
    Everything,
}

impl Passed {
    fn of(what: String, ends: Ends) -> Option<Passed> {
        Some(Passed { what, ends })
    }
}

impl Watch {
    pub fn new(limits: Limits, scratch: PathBuf, enclosed: bool, group: Option<Membership>) -> Self {
        let now = Instant::now();
        let interval = if enclosed { INTERVAL } else { OPEN_INTERVAL };
        let memory = limits.most_memory();
        let own = fs::read_link("/proc/self");
        let sees_processes = own.is_ok_and(|own| own == Path::new(&nix::unistd::getpid().to_string()));
        Self {
            limits,
            group,
            interval,
            sees_processes,
            memory,
            scratch,
            next: now + interval,
            next_files: now + FILES_INTERVAL,
        }
    }

    /// How long to wait until the next look.
    pub fn pause(&self) -> Duration {
        // Rounded up to what a system call takes, not down: we would be too early, and wait for nothing.
        self.next.saturating_duration_since(Instant::now()) + Duration::from_millis(1)
    }

    /// Looks if it is time to. `is_started` tells the processes that were asked for from those that these left behind.
    pub fn look(&mut self, is_started: &dyn Fn(Pid) -> bool) -> Option<Passed> {
        let now = Instant::now();
        if now < self.next {
            return None;
        }
        self.next = now + self.interval;
        let trees = if self.sees_processes { trees() } else { Vec::new() };
        let seen = self.processes(&trees, is_started).or_else(|| self.memory(&trees));
        seen.or_else(|| self.enforced(&trees)).or_else(|| self.files(now, &trees))
    }

    fn processes(&self, trees: &[Vec<Pid>], is_started: &dyn Fn(Pid) -> bool) -> Option<Passed> {
        let (n, most) = (trees.iter().map(Vec::len).sum::<usize>(), self.limits.processes);
        if n as u64 <= most {
            return None;
        }
        let what = format!("more processes than {most} ran at once (`run.max_processes`)");
        if n as u64 > most.saturating_mul(OUTRUN as u64) {
            return Passed::of(what, Ends::Everything);
        }
        let left_behind = trees.iter().filter(|tree| !is_started(tree[0])).flatten().copied();
        let largest = most_of(trees, |tree| tree.len() as u64).into_iter().flatten();
        Passed::of(what, Ends::These(left_behind.chain(largest).collect()))
    }

    fn memory(&self, trees: &[Vec<Pid>]) -> Option<Passed> {
        let most = self.memory?;
        // Reading the exact figure takes the kernel a walk through all pages.
        let roughly: u64 = trees.iter().flatten().map(|pid| resident(*pid) + shared_files(*pid)).sum();
        if roughly <= most {
            return None;
        }
        let of_tree = |tree: &[Pid]| {
            let mut seen = HashSet::new();
            tree.iter().map(|pid| proportional(*pid) + open_files(*pid, &mut seen, is_in_memory)).sum::<u64>()
        };
        let used: u64 = trees.iter().map(|tree| of_tree(tree)).sum();
        if used <= most {
            return None;
        }
        Passed::of(self.limits.too_much_memory()?, Ends::These(most_of(trees, |tree| of_tree(tree))?))
    }

    /// What the kernel itself has enforced since the last look.
    fn enforced(&mut self, trees: &[Vec<Pid>]) -> Option<Passed> {
        let (what, is_ended) = self.group.as_mut().and_then(Membership::enforced)?;
        let ends = match most_of(trees, |tree| tree.iter().map(|pid| n_threads(*pid)).sum()) {
            _ if is_ended => Ends::Nothing,
            Some(largest) => Ends::These(largest),
            None => Ends::Everything,
        };
        Passed::of(what, ends)
    }

    fn files(&mut self, now: Instant, trees: &[Vec<Pid>]) -> Option<Passed> {
        if now < self.next_files {
            return None;
        }
        let most = self.limits.scratch;
        let mut used = Used::default();
        used.add(&self.scratch, most);
        let ended = Instant::now();
        self.next_files = ended + FILES_INTERVAL.max((ended - now) * FILES_SHARE);
        let too_much =
            || format!("the scratch folder took up more than {} MiB (`run.max_scratch`)", most >> 20);
        if used.bytes > most {
            return Passed::of(too_much(), Ends::Everything);
        }
        if used.files > MOST_FILES {
            return Passed::of(
                format!("the scratch folder held more than {MOST_FILES} files"),
                Ends::Everything,
            );
        }
        // What was deleted takes up room for as long as a process has it open.
        let device = fs::metadata(&self.scratch).ok().map(|scratch| scratch.dev());
        let deleted = |tree: &[Pid]| {
            let is_in_scratch = |link: &str, file: &fs::Metadata| {
                link.ends_with(DELETED) && Some(file.dev()) == device && !is_in_memory(link, file)
            };
            let mut seen = HashSet::new();
            tree.iter().map(|pid| open_files(*pid, &mut seen, is_in_scratch)).sum::<u64>()
        };
        if used.bytes + trees.iter().map(|tree| deleted(tree)).sum::<u64>() > most {
            let ends = most_of(trees, |tree| deleted(tree)).map_or(Ends::Everything, Ends::These);
            return Passed::of(too_much(), ends);
        }
        if used.largest >= self.limits.file {
            return Passed::of(FILE_TOO_LARGE.to_owned(), Ends::Nothing);
        }
        None
    }
}

/// What files take up.
#[derive(Default)]
struct Used {
    bytes: u64,
    files: u64,
    /// The size of the largest, in bytes.
    largest: u64,
}

impl Used {
    fn is_over(&self, most: u64) -> bool {
        self.bytes > most || self.files > MOST_FILES
    }

    /// Adds what is in a folder, until it is too much.
    fn add(&mut self, folder: &Path, most: u64) {
        // What another process removes or closes meanwhile is not counted.
        for entry in fs::read_dir(folder).into_iter().flatten().flatten() {
            if self.is_over(most) {
                return;
            }
            let Ok(metadata) = entry.metadata() else { continue };
            self.files += 1;
            self.bytes += metadata.blocks() * 512;
            self.largest = self.largest.max(metadata.len());
            if metadata.is_dir() {
                self.add(&entry.path(), most);
            }
        }
    }
}

/// How links of `/proc/PID/fd` to deleted files end.
const DELETED: &str = " (deleted)";

/// The tree of processes that uses most.
fn most_of(trees: &[Vec<Pid>], used: impl Fn(&[Pid]) -> u64) -> Option<Vec<Pid>> {
    trees.iter().max_by_key(|tree| used(tree)).cloned()
}

/// What a process has in memory that is not in a file on disk, in bytes, shared memory included.
fn resident(pid: Pid) -> u64 {
    let status = fs::read_to_string(format!("/proc/{pid}/status")).unwrap_or_default();
    kib_of(&status, "RssAnon:") + kib_of(&status, "RssShmem:")
}

/// The same, with what several processes share divided among them.
fn proportional(pid: Pid) -> u64 {
    let rollup = fs::read_to_string(format!("/proc/{pid}/smaps_rollup")).unwrap_or_default();
    kib_of(&rollup, "Pss_Anon:") + kib_of(&rollup, "Pss_Shmem:")
}

/// The value of a line such as `RssAnon:  12 kB`, in bytes.
fn kib_of(text: &str, name: &str) -> u64 {
    let line = text.lines().find_map(|line| line.strip_prefix(name));
    line.and_then(|line| line.split_whitespace().next()?.parse::<u64>().ok()).unwrap_or(0) << 10
}

fn n_threads(pid: Pid) -> u64 {
    fs::read_dir(format!("/proc/{pid}/task")).map_or(0, |tasks| tasks.count() as u64)
}

/// The bytes of the memory files that a process has open.
fn shared_files(pid: Pid) -> u64 {
    open_files(pid, &mut HashSet::new(), is_in_memory)
}

/// Whether an open file is one without a disk.
fn is_in_memory(link: &str, _: &fs::Metadata) -> bool {
    link.starts_with("/memfd:") || link.starts_with("/dev/shm/") || link.starts_with("/SYSV")
}

/// The bytes of the open files of a process that are such ones, each once.
fn open_files(
    pid: Pid,
    seen: &mut HashSet<(u64, u64)>,
    is_meant: impl Fn(&str, &fs::Metadata) -> bool,
) -> u64 {
    let mut bytes = 0;
    for entry in fs::read_dir(format!("/proc/{pid}/fd")).into_iter().flatten().flatten() {
        // Most are sockets and pipes, which need no second look.
        let Ok(link) = fs::read_link(entry.path()) else { continue };
        let Some(link) = link.to_str().filter(|link| link.starts_with('/')) else { continue };
        let Ok(file) = fs::metadata(entry.path()) else { continue };
        if is_meant(link, &file) && seen.insert((file.dev(), file.ino())) {
            bytes += file.blocks() * 512;
        }
    }
    bytes
}
