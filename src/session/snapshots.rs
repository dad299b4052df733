//! Snapshots of what a provider shows: two sessions, what they have in common, and the files.

use std::path::PathBuf;
use std::time::Duration;

use super::{Outcome, Part, SessionError, open_anew, options, scratch};
use crate::report::events::Consumer;
use crate::report::{Exit, Snapshots};
use crate::run;
use crate::snapshot::{Folder, FolderError, Showing, Snapshot};
use crate::suite::Suite;

/// Where snapshots are kept, and whether to accept differences.
#[derive(Clone, Debug)]
pub struct Snapshotting {
    pub folder: PathBuf,
    /// Whether to write what is shown now to the files; else they are only compared.
    pub accept: bool,
}

impl From<FolderError> for SessionError {
    fn from(error: FolderError) -> SessionError {
        SessionError::Usage(error.to_string())
    }
}

/// The host names that the two sessions see, if a sandbox can set one.
const HOSTS: [&str; 2] = ["sandbox", "elsewhere"];

/// Long enough for a clock to show another second.
const PAUSE: Duration = Duration::from_millis(1_100);

/// Plays a suite's provider in two sessions, and returns what both have in common, by name. Blocks.
pub fn snapshots(suite: &Suite, part: &Part, consumer: &dyn Consumer) -> Result<Vec<Snapshot>, SessionError> {
    let (first, about) = showings(suite, part, HOSTS[0], 1, consumer)?;
    std::thread::sleep(PAUSE);
    // A counter must not reach the same number again, so everything is played twice here.
    let (second, _) = showings(suite, part, HOSTS[1], 2, consumer)?;
    let other = |one: &Showing| second.iter().find(|other| other.name() == one.name());
    let both = first.iter().filter_map(|one| Some(one.common(other(one)?)));
    Ok(both.map(|common| common.snapshot(&about)).collect())
}

fn showings(
    suite: &Suite,
    part: &Part,
    host: &str,
    rounds: usize,
    consumer: &dyn Consumer,
) -> Result<(Vec<Showing>, String), SessionError> {
    let scratch = scratch()?;
    // The provider's sandbox and its mock live as long as the provider.
    let provider = open_anew(suite, scratch.path(), Some(host))?;
    let options = options(suite, &provider, part)?;
    let applied = if options.apply { "applied" } else { "nothing applied" };
    let about = format!("seed {}, as {} plays it, {applied}", options.seed, options.engine.name());
    let runtime = super::runtime()?;
    let showings = runtime.block_on(run::show(options, scratch.path(), rounds, consumer));
    runtime.shutdown_background();
    Ok((showings?, about))
}

impl Outcome {
    /// Adds the result of the snapshots to the outcome of a suite's run.
    ///
    /// The outcome of the run takes precedence, except `TooLittle`, which says less than files that cannot
    /// be used. If the user interrupted it meanwhile, that takes precedence over everything.
    pub fn add_snapshots(
        &mut self,
        suite: &Suite,
        part: &Part,
        snapshotting: &Snapshotting,
        consumer: &dyn Consumer,
    ) {
        if self.exit == Exit::OurBug || self.exit.is_early() {
            self.report.notes.push("snapshots were not compared".to_owned());
            return;
        }
        let compared =
            snapshots(suite, part, consumer).and_then(|shown| compared(&shown, (suite, part), snapshotting));
        match compared {
            Ok((snapshots, note)) => {
                self.report.notes.extend(note);
                let has_changed = !snapshots.changes.is_empty() && !snapshots.accepted;
                self.report.snapshots = Some(snapshots);
                if has_changed && self.exit == Exit::Conforms {
                    self.exit = Exit::SnapshotChanged;
                }
            }
            Err(error) => {
                self.report.notes.push(format!("snapshots could not be compared or kept: {error}"));
                if let Some(signal) = part.interruption.signal() {
                    self.exit = signal.into();
                } else if matches!(self.exit, Exit::Conforms | Exit::TooLittle) {
                    self.exit = error.exit();
                }
            }
        }
    }
}

/// A user who accepts an error may not have seen it.
fn accepted_errors(snapshots: &[Snapshot], folder: &Folder) -> Option<String> {
    let wrong: Vec<(&Snapshot, &str)> =
        snapshots.iter().filter_map(|snapshot| Some((snapshot, snapshot.errors().next()?))).collect();
    let (first, error) = wrong.first()?;
    let file = folder.file(&first.name);
    Some(format!(
        "{} of {} accepted snapshots hold an error of the provider, such as {}: {error}",
        wrong.len(),
        snapshots.len(),
        file.display()
    ))
}

/// Compares what was shown with the files, and accepts it if asked to. Also returns a note on accepted errors.
fn compared(
    snapshots: &[Snapshot],
    (suite, part): (&Suite, &Part),
    snapshotting: &Snapshotting,
) -> Result<(Snapshots, Option<String>), SessionError> {
    let folder = Folder::new(&snapshotting.folder);
    // The files of types that are not played are left alone.
    let skipped = suite.skipped();
    let all = suite.run.resources.is_empty() && skipped.is_empty() && part.shard.is_none();
    let changes = folder.compare(snapshots, all)?;
    if snapshotting.accept {
        folder.accept(&changes)?;
    }
    let is_unchanged = |file: &PathBuf| changes.iter().all(|change| change.file != *file);
    let files = snapshots.iter().map(|snapshot| folder.file(&snapshot.name));
    let unchanged = files.filter(is_unchanged).collect();
    let note = snapshotting.accept.then(|| accepted_errors(snapshots, &folder)).flatten();
    Ok((Snapshots { unchanged, changes, accepted: snapshotting.accept }, note))
}
