//! Snapshots of what a provider shows: two sessions, what they have in common, and the files.

use std::path::{Path, PathBuf};
use std::sync::atomic::{AtomicBool, Ordering};
use std::time::Duration;

use super::{Outcome, Provider, SessionError, scratch};
use crate::report::events::Consumer;
use crate::report::{Exit, Snapshots};
use crate::run::{self, Options};
use crate::snapshot::{Folder, FolderError, Showing, Snapshot};

/// Where snapshots are kept, and what is to be done where they differ.
#[derive(Clone, Debug)]
pub struct Keeping {
    pub folder: PathBuf,
    /// Whether the files are to hold what is shown now; else they are compared only.
    pub accept: bool,
}

impl From<FolderError> for SessionError {
    fn from(error: FolderError) -> SessionError {
        SessionError::Usage(error.to_string())
    }
}

/// Names of the hosts that the two sessions see, where a sandbox can give them one.
const HOSTS: [&str; 2] = ["sandbox", "elsewhere"];

/// So long that a clock shows another second.
const PAUSE: Duration = Duration::from_millis(1_100);

/// Makes a session with the given scratch folder, on a host of the given name.
pub type Open<'o> = dyn Fn(&Path, &str) -> Result<(Provider, Options), SessionError> + 'o;

/// Has a provider show itself in two sessions, and gives what both have in common, by name. Blocks.
pub fn snapshots(open: &Open<'_>, consumer: &dyn Consumer) -> Result<Vec<Snapshot>, SessionError> {
    let (first, about) = showings(open, HOSTS[0], 1, consumer)?;
    std::thread::sleep(PAUSE);
    // What is counted up must not come to the same number again, so here all is played twice.
    let (second, _) = showings(open, HOSTS[1], 2, consumer)?;
    let other = |one: &Showing| second.iter().find(|other| other.name() == one.name());
    let both = first.iter().filter_map(|one| Some(one.common(other(one)?)));
    Ok(both.map(|common| common.snapshot(&about)).collect())
}

fn showings(
    open: &Open<'_>,
    host: &str,
    rounds: usize,
    consumer: &dyn Consumer,
) -> Result<(Vec<Showing>, String), SessionError> {
    let scratch = scratch()?;
    // The provider's sandbox lives as long as it does.
    let (_provider, options) = open(scratch.path(), host)?;
    let applied = if options.apply { "applied" } else { "nothing applied" };
    let about = format!("seed {}, as {} plays it, {applied}", options.seed, options.engine.name());
    let runtime = tokio::runtime::Runtime::new()?;
    let showings = runtime.block_on(run::show(options, scratch.path(), rounds, consumer))?;
    runtime.shutdown_background();
    Ok((showings, about))
}

impl Outcome {
    /// Adds to the outcome of a run what became of the snapshots; `make` makes them.
    ///
    /// With `all` every type was shown, so that files of others are of types that are gone. What a run
    /// came to otherwise comes first, but for too little, which says less than files that cannot be used.
    /// Where the user `interrupted` it meanwhile, that comes before all.
    pub fn keep_snapshots(
        &mut self,
        keeping: &Keeping,
        all: bool,
        interrupted: &AtomicBool,
        make: impl FnOnce() -> Result<Vec<Snapshot>, SessionError>,
    ) {
        if matches!(self.exit, Exit::Interrupted | Exit::OurBug) {
            self.report.notes.push("snapshots were not compared".to_owned());
            return;
        }
        match make().and_then(|snapshots| Ok(compared(&snapshots, keeping, all)?)) {
            Ok(snapshots) => {
                let has_changed = !snapshots.changes.is_empty() && !snapshots.accepted;
                self.report.snapshots = Some(snapshots);
                if has_changed && self.exit == Exit::Conforms {
                    self.exit = Exit::SnapshotChanged;
                }
            }
            Err(error) => {
                self.report.notes.push(format!("snapshots could not be compared or kept: {error}"));
                if interrupted.load(Ordering::Relaxed) {
                    self.exit = Exit::Interrupted;
                } else if matches!(self.exit, Exit::Conforms | Exit::TooLittle) {
                    self.exit = error.exit();
                }
            }
        }
    }
}

fn compared(snapshots: &[Snapshot], keeping: &Keeping, all: bool) -> Result<Snapshots, FolderError> {
    let folder = Folder::new(&keeping.folder);
    let changes = folder.compare(snapshots, all)?;
    if keeping.accept {
        folder.accept(&changes)?;
    }
    let is_unchanged = |file: &PathBuf| changes.iter().all(|change| change.file != *file);
    let files = snapshots.iter().map(|snapshot| folder.file(&snapshot.name));
    let unchanged = files.filter(is_unchanged).collect();
    Ok(Snapshots { unchanged, changes, accepted: keeping.accept })
}
