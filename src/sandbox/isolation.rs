//! What was found closed.

use std::ffi::OsString;
use std::fs;
use std::path::{Path, PathBuf};

use super::canaries::Canaries;
use super::ipc::Entered;
use super::probe::Findings;

/// What is closed to what runs in a sandbox: each was tried from inside.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Isolation {
    /// No environment but its own can be read.
    pub environment: bool,
    /// Nothing of the user's home can be seen, but for what must stay readable.
    pub home: bool,
    /// No address but those of a loopback of its own can be reached.
    pub network: bool,
    /// No socket of the machine answers, be it a file or a mere name.
    pub host_sockets: bool,
    /// Nothing can be written outside the scratch folder that would be seen there.
    pub writes: bool,
    /// No process of the machine can be signalled, and none inside outlives the
    /// sandbox even where its supervisor is killed.
    pub pids: bool,
    /// What is open and why, in sentences without an end. May hold more than the
    /// switches say.
    pub why_not: Vec<String>,
}

impl Isolation {
    /// Whether nothing of value can be reached: a provider may be let loose.
    pub fn is_closed(&self) -> bool {
        self.network && self.host_sockets && self.writes && self.environment
    }

    /// Whether it is for a socket alone that a provider may not be let loose.
    pub(super) fn leaks_sockets_alone(&self) -> bool {
        !self.is_closed() && Self { host_sockets: true, ..self.clone() }.is_closed()
    }

    /// Nothing was closed, for that reason.
    pub(super) fn open(findings: &Findings, why: String) -> Self {
        let mut why_not = vec![why];
        why_not.extend(environments(findings));
        Self { environment: findings.environments.is_empty(), why_not, ..Self::default() }
    }

    /// Everything was closed, and this is what got through.
    pub(super) fn tried(entered: Entered, canaries: &Canaries, homes: &[PathBuf]) -> Self {
        let Entered { findings, shortcomings } = entered;
        let mut why_not = shortcomings;
        let made: Vec<&OsString> = findings.files.iter().filter(|file| is_real(file)).collect();
        let seen = |home: &Path| findings.seen.iter().any(|seen| Path::new(seen) == home);
        why_not.extend(environments(&findings));
        why_not.extend(findings.network.iter().cloned());
        why_not.extend(
            findings.sockets.iter().map(|socket| format!("the socket {socket} of the machine answers")),
        );
        why_not.extend(made.iter().map(|file| format!("{} could be made", file.display())));
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
            network: findings.network.is_empty() && canaries.tries_network(),
            host_sockets: findings.sockets.is_empty() && canaries.tries_sockets(),
            writes: made.is_empty() && findings.writes.is_empty(),
            pids: findings.pids.is_empty(),
            why_not,
        }
    }
}

fn environments(findings: &Findings) -> impl Iterator<Item = String> {
    findings
        .environments
        .iter()
        .map(|file| format!("an environment that is not its own can be read in {file}"))
}

/// Whether a file that was made inside is there outside too; removes it.
fn is_real(file: &OsString) -> bool {
    let real = fs::symlink_metadata(file).is_ok();
    if real {
        // It stays where it cannot be removed; that it was made is told.
        let _ = fs::remove_file(file);
    }
    real
}
