//! What a process has used so far.

use std::time::Duration;

use serde::{Deserialize, Serialize};

/// What a process has used. `None` if the system does not say.
#[derive(Clone, Copy, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Usage {
    /// User and system time.
    pub cpu: Option<Duration>,
    /// Peak memory, in bytes.
    ///
    /// For a process that has ended: as last measured, because the system forgets it at the end.
    pub peak_memory: Option<u64>,
    /// How long its threads were ready to go on while other processes had the processors.
    ///
    /// Only for a process that lives, and without threads that have ended.
    #[serde(default)]
    pub queued: Option<Duration>,
}

impl Usage {
    /// What a living process has used, by its PID.
    pub fn of(pid: u32) -> Self {
        Self { cpu: cpu(pid), peak_memory: peak_memory(pid), queued: queued(pid) }
    }

    /// What this process has used. Its time includes that of the program that became it by `exec`,
    /// as with `cargo run`.
    #[cfg(unix)]
    pub fn own() -> Self {
        use nix::sys::resource::{UsageWho, getrusage};
        use nix::sys::time::{TimeVal, TimeValLike as _};
        let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) else { return Self::default() };
        let time = |time: TimeVal| Duration::from_micros(time.num_microseconds().unsigned_abs());
        let most = usage.max_rss().unsigned_abs() * if cfg!(target_vendor = "apple") { 1 } else { 1 << 10 };
        Self {
            cpu: Some(time(usage.user_time()) + time(usage.system_time())),
            // The other figure would include the program that became this process by `exec`.
            peak_memory: peak_memory(std::process::id()).or(Some(most)),
            queued: None,
        }
    }

    #[cfg(not(unix))]
    pub fn own() -> Self {
        Self::default()
    }

    /// The same minus the time used before.
    #[must_use]
    pub fn since(self, before: Self) -> Self {
        let less = |now: Option<Duration>, before: Option<Duration>| {
            now.zip(before).map(|(now, before)| now.saturating_sub(before))
        };
        Self { cpu: less(self.cpu, before.cpu), queued: less(self.queued, before.queued), ..self }
    }

    /// What two processes have used: the sum of their times, the larger peak memory.
    #[must_use]
    pub fn and(self, other: Self) -> Self {
        let sum = |one: Option<Duration>, other| [one, other].into_iter().flatten().reduce(|a, b| a + b);
        Self {
            cpu: sum(self.cpu, other.cpu),
            peak_memory: self.peak_memory.max(other.peak_memory),
            queued: sum(self.queued, other.queued),
        }
    }
}

#[cfg(target_os = "linux")]
fn cpu(pid: u32) -> Option<Duration> {
    let stat = std::fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    // The program's name is in parentheses and may contain anything.
    let (_, rest) = stat.rsplit_once(')')?;
    let mut fields = rest.split_whitespace().skip(11);
    let user: u64 = fields.next()?.parse().ok()?;
    let system: u64 = fields.next()?.parse().ok()?;
    let per_second = nix::unistd::sysconf(nix::unistd::SysconfVar::CLK_TCK).ok()??;
    let per_second = u64::try_from(per_second).ok().filter(|n| *n > 0)?;
    Some(Duration::from_millis((user + system) * 1000 / per_second))
}

#[cfg(target_os = "linux")]
fn queued(pid: u32) -> Option<Duration> {
    let threads = std::fs::read_dir(format!("/proc/{pid}/task")).ok()?;
    let mut queued = Duration::ZERO;
    for thread in threads {
        // Processor time, time in the queue, both in nanoseconds, and the number of turns.
        let Ok(times) = std::fs::read_to_string(thread.ok()?.path().join("schedstat")) else { continue };
        queued += Duration::from_nanos(times.split_whitespace().nth(1)?.parse().ok()?);
    }
    Some(queued)
}

#[cfg(target_os = "linux")]
fn peak_memory(pid: u32) -> Option<u64> {
    let status = std::fs::read_to_string(format!("/proc/{pid}/status")).ok()?;
    let line = status.lines().find_map(|line| line.strip_prefix("VmHWM:"))?;
    let kib: u64 = line.trim().strip_suffix(" kB")?.parse().ok()?;
    Some(kib << 10)
}

#[cfg(not(target_os = "linux"))]
fn cpu(_pid: u32) -> Option<Duration> {
    None
}

#[cfg(not(target_os = "linux"))]
fn queued(_pid: u32) -> Option<Duration> {
    None
}

#[cfg(not(target_os = "linux"))]
fn peak_memory(_pid: u32) -> Option<u64> {
    None
}

#[cfg(all(test, target_os = "linux"))]
mod tests {
    use super::*;

    #[test]
    fn our_own_usage_is_known() {
        let usage = Usage::of(std::process::id());
        assert!(usage.cpu.is_some());
        assert!(usage.peak_memory.is_some_and(|bytes| bytes > 1 << 20));
        assert_eq!(Usage::of(u32::MAX), Usage::default());
    }

    #[test]
    fn what_was_used_before_is_left_out() {
        let before = Usage::own();
        while Usage::own().since(before).cpu < Some(Duration::from_millis(1)) {}
        let (now, some) = (
            Usage::own(),
            Usage { cpu: Some(Duration::from_secs(1)), peak_memory: Some(5), ..Usage::default() },
        );
        assert!(now.cpu > before.cpu && now.since(now).cpu == Some(Duration::ZERO));
        assert_eq!(some.since(some), Usage { cpu: Some(Duration::ZERO), ..some });
        assert!(now.peak_memory <= Usage::of(std::process::id()).peak_memory);
    }

    #[test]
    fn what_nobody_measured_adds_nothing_to_what_was_measured() {
        let some = Usage { cpu: Some(Duration::from_secs(1)), peak_memory: Some(5), ..Usage::default() };
        let more = Usage { cpu: Some(Duration::from_secs(2)), peak_memory: Some(4), ..Usage::default() };
        assert_eq!(
            some.and(more),
            Usage { cpu: Some(Duration::from_secs(3)), peak_memory: Some(5), ..Usage::default() }
        );
        assert_eq!(some.and(Usage::default()), some);
        assert_eq!(Usage::default().and(Usage::default()), Usage::default());
    }
}
