//! Notices when everything in a sandbox together uses more than it may. Linux only.

use std::fs;
use std::os::unix::fs::MetadataExt as _;
use std::path::{Path, PathBuf};
use std::time::{Duration, Instant};

use nix::unistd::Pid;

use super::descendants::descendants;
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
    /// Whether the kernel kept it from going further; else everything has to be ended.
    pub was_refused: bool,
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

    /// Looks if it is time to.
    pub fn look(&mut self) -> Option<Passed> {
        let now = Instant::now();
        if now < self.next {
            return None;
        }
        self.next = now + self.interval;
        let passed = |what| Passed { what, was_refused: false };
        let enforced = self.group.as_ref().and_then(Membership::enforced);
        enforced.or_else(|| self.processes()).map(passed).or_else(|| self.files(now))
    }

    fn processes(&self) -> Option<String> {
        if !self.sees_processes {
            return None;
        }
        let pids = descendants();
        let most = self.limits.processes;
        if pids.len() as u64 > most {
            return Some(format!("more processes than {most} ran at once (`run.max_processes`)"));
        }
        let most = self.memory?;
        let used: u64 = pids.into_iter().filter_map(own_memory).sum();
        if used > most { self.limits.too_much_memory() } else { None }
    }

    fn files(&mut self, now: Instant) -> Option<Passed> {
        if now < self.next_files {
            return None;
        }
        let most = self.limits.scratch;
        let mut used = Used::default();
        used.add(&self.scratch, most);
        let ended = Instant::now();
        self.next_files = ended + FILES_INTERVAL.max((ended - now) * FILES_SHARE);
        let passed = |what, was_refused| Some(Passed { what, was_refused });
        if used.bytes > most {
            let what = format!("the scratch folder took up more than {} MiB (`run.max_scratch`)", most >> 20);
            passed(what, false)
        } else if used.files > MOST_FILES {
            passed(format!("the scratch folder held more than {MOST_FILES} files"), false)
        } else if used.largest >= self.limits.file {
            passed(FILE_TOO_LARGE.to_owned(), true)
        } else {
            None
        }
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

/// What a process has in memory that is not in a file, in bytes.
fn own_memory(pid: Pid) -> Option<u64> {
    let text = fs::read_to_string(format!("/proc/{pid}/statm")).ok()?;
    let mut pages = text.split_whitespace().skip(1).map_while(|pages| pages.parse::<u64>().ok());
    let own = pages.next()?.saturating_sub(pages.next()?);
    let page = nix::unistd::sysconf(nix::unistd::SysconfVar::PAGE_SIZE).ok()??;
    Some(own * page.unsigned_abs())
}
