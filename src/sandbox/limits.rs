//! How much everything in a sandbox may use.

use nix::sys::resource::Resource;
use serde::{Deserialize, Serialize};

/// How much everything in a sandbox may use, together.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct Limits {
    /// Processes at once.
    pub processes: u64,
    /// Memory that they do not share with files, in bytes; `None` for three quarters of the machine's.
    pub memory: Option<u64>,
    /// The size of any one file, in bytes.
    pub file: u64,
    /// What the files in the scratch folder take up, in bytes.
    pub scratch: u64,
}

/// What is said when a file was not allowed to grow. The process gets a signal, and may handle it.
pub(super) const FILE_TOO_LARGE: &str = "a file was to be larger than it may be (`run.max_file_size`)";

impl Default for Limits {
    fn default() -> Self {
        Self { processes: 256, memory: None, file: 1 << 30, scratch: 4 << 30 }
    }
}

impl Limits {
    /// Those that the kernel enforces for each process.
    pub(super) fn of_each(&self) -> Vec<(Resource, u64)> {
        let limits = [
            (Resource::RLIMIT_FSIZE, self.file),
            (Resource::RLIMIT_CORE, 0),
            // Counts threads, and those of other sandboxes that run as the same user. It only keeps a
            // process that multiplies from outrunning the watch.
            #[cfg(any(target_os = "linux", target_os = "macos"))]
            (Resource::RLIMIT_NPROC, self.threads()),
        ];
        limits.into()
    }

    /// Threads at once: as many as a process could need, for each process.
    pub(super) fn threads(&self) -> u64 {
        self.processes.saturating_mul(32)
    }

    /// The most memory, in bytes, if it is known.
    #[cfg(target_os = "linux")]
    pub(super) fn most_memory(&self) -> Option<u64> {
        self.memory.or_else(|| Some(total_memory()? / 4 * 3))
    }

    /// What is said when that was not enough.
    #[cfg(target_os = "linux")]
    pub(super) fn too_much_memory(&self) -> Option<String> {
        let most = self.most_memory()?;
        Some(format!("more memory than {} MiB was used (`run.max_memory`)", most >> 20))
    }
}

/// The machine's memory, in bytes.
#[cfg(target_os = "linux")]
fn total_memory() -> Option<u64> {
    let text = std::fs::read_to_string("/proc/meminfo").ok()?;
    let line = text.lines().find_map(|line| line.strip_prefix("MemTotal:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}
