//! What was found to be isolated.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::canaries::Canaries;
use super::ipc::Entered;
use super::probe::Findings;

/// What processes in a sandbox cannot reach, each point tested from inside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Isolation {
    /// No environment but the process's own can be read.
    pub environment: bool,
    /// Nothing in the user's home can be seen, except what must stay readable.
    pub home: bool,
    /// No address can be reached except on a private loopback.
    pub network: bool,
    /// No Unix socket or named pipe of the machine answers.
    pub host_sockets: bool,
    /// No write outside the scratch folder is visible to the machine.
    pub writes: bool,
    /// No process of the machine can be signalled, and none inside outlives the sandbox, even if
    /// its supervisor is killed.
    pub pids: bool,
    /// No file can be read that only root may read.
    pub private_files: bool,
    /// Interfaces of the kernel that lead around all this are refused: io_uring, user namespaces, keys,
    /// sockets to other virtual machines.
    pub kernel: bool,
    /// What is open and why, in sentences without a full stop. May list more than the flags show.
    pub why_not: Vec<String>,
}

impl Isolation {
    /// Whether nothing of value can be reached: it is safe to run a provider.
    pub fn is_closed(&self) -> bool {
        self.network
            && self.host_sockets
            && self.writes
            && self.environment
            && self.private_files
            && self.kernel
    }

    /// Nothing was isolated, for that reason.
    pub(super) fn open(findings: &Findings, why: String) -> Self {
        let mut why_not = vec![why];
        why_not.extend(environments(findings));
        Self { environment: findings.environments.is_empty(), why_not, ..Self::default() }
    }

    /// Everything was isolated, and this is what got through.
    pub(super) fn tried(entered: Entered, canaries: &Canaries, homes: &[PathBuf]) -> Self {
        let Entered { findings, shortcomings, user: _ } = entered;
        let open = canaries.open();
        let mut why_not: Vec<String> = open.reason().map(str::to_owned).into_iter().collect();
        why_not.extend(shortcomings);
        let made: Vec<&OsString> = findings.files.iter().filter(|file| is_real(file)).collect();
        let seen = |home: &Path| findings.seen.iter().any(|seen| Path::new(seen) == home);
        why_not.extend(environments(&findings));
        why_not.extend(findings.network.iter().cloned());
        why_not.extend(findings.sockets.iter().cloned());
        why_not.extend(findings.kernel.iter().cloned());
        let private = findings.private.iter();
        why_not.extend(private.map(|file| format!("{} can be read, which only root may", file.display())));
        why_not.extend(made.iter().map(|file| format!("{} could be created", file.display())));
        why_not.extend(findings.writes.iter().cloned());
        why_not.extend(findings.seen.iter().map(|path| format!("{} can be seen", path.display())));
        why_not
            .extend(findings.pids.iter().map(|pid| format!("process {pid} of the machine can be signalled")));
        let untried = [
            (!canaries.tries_network(), "no listener could be opened to try the network with"),
            (!canaries.tries_sockets(), "no socket could be opened to try host sockets with"),
        ];
        why_not.extend(untried.iter().filter(|(open, _)| *open).map(|(_, why)| (*why).to_owned()));
        Self {
            environment: findings.environments.is_empty(),
            home: !homes.iter().any(|home| seen(home)),
            network: findings.network.is_empty() && canaries.tries_network() && !open.opens_network(),
            host_sockets: findings.sockets.is_empty() && canaries.tries_sockets() && !open.opens_network(),
            writes: made.is_empty() && findings.writes.is_empty(),
            pids: findings.pids.is_empty(),
            private_files: findings.private.is_empty(),
            kernel: findings.kernel.is_empty(),
            why_not,
        }
    }
}

fn environments(findings: &Findings) -> impl Iterator<Item = String> {
    findings.environments.iter().map(|file| format!("another process's environment can be read in {file}"))
}

/// Whether a file created inside also exists outside; removes it.
fn is_real(file: &OsString) -> bool {
    let real = fs::symlink_metadata(file).is_ok();
    if real {
        // It stays if it cannot be removed; that it was created is reported.
        let _ = fs::remove_file(file);
    }
    real
}
