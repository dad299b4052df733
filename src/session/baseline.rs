//! The baseline of a run: findings that do not fail it, and those of them that are gone.

use std::path::Path;

use super::known::is_gone;
use super::{Outcome, Part, SessionError};
use crate::record::Reason;
use crate::report::{Exit, Group, Report};
use crate::suite::{Baseline, Entry, IN_THE_BASELINE, Suite};

/// The baseline of a suite; empty if it has none.
pub(super) fn read(suite: &Suite) -> Result<Baseline, SessionError> {
    let read = suite.run.baseline.as_deref().map(Baseline::read).transpose();
    Ok(read.map_err(|error| SessionError::Usage(error.to_string()))?.unwrap_or_default())
}

/// What is said of the findings of the baseline that the run could have found and did not.
pub(super) fn gone(suite: &Suite, baseline: &Baseline, report: &Report, part: &Part) -> Option<String> {
    let gone: Vec<&Entry> =
        baseline.known.iter().filter(|entry| is_gone(&entry.as_known(), suite, report, part.ty())).collect();
    let first = gone.first()?;
    let place = [first.type_name.as_str(), first.path.as_str()].join(" ");
    let lines = if gone.len() == 1 { "1 line matches" } else { &format!("{} lines match", gone.len()) };
    let file = suite.run.baseline.as_deref().unwrap_or(Path::new("")).display();
    Some(format!(
        "{file}: {lines} nothing any more, such as {} {}; remove what is gone, or write the file again",
        first.rule,
        place.trim()
    ))
}

impl Outcome {
    /// Writes the findings that fail the run as its baseline: they then fail none. Lines about types that were
    /// not played are kept.
    pub fn write_baseline(&mut self, suite: &Suite, file: &Path) {
        let written = self.baseline(suite).and_then(|baseline| {
            // One that was written before is written again, without what is gone.
            if !baseline.known.is_empty() || file.exists() {
                baseline.write(file)?;
            }
            Ok(baseline.known.len())
        });
        let (note, exit) = match written {
            Ok(0) => {
                let done = if file.exists() { "has no line any more" } else { "was not written" };
                (format!("no finding fails the run, so {} {done}", file.display()), Exit::Conforms)
            }
            Ok(n_lines) => {
                let (lines, file) = (if n_lines == 1 { "line" } else { "lines" }, file.display());
                let note =
                    format!("{file} has {n_lines} {lines}; `--baseline {file}` fails on new findings alone");
                (note, Exit::Conforms)
            }
            Err(error) => {
                (format!("{}: the baseline was not written: {error}", file.display()), Exit::NotWritten)
            }
        };
        self.report.notes.push(note);
        if matches!(self.exit, Exit::Violates) || (self.exit == Exit::Conforms && exit != Exit::Conforms) {
            self.exit = exit;
        }
    }

    fn baseline(&self, suite: &Suite) -> Result<Baseline, SessionError> {
        let report = &self.report;
        let is_new = |group: &&Group| group.fails(report.run.fail_on);
        let in_the_baseline = Reason::Known(IN_THE_BASELINE.to_owned());
        let is_old = |group: &&Group| !group.is_allowed() && group.reason() == Some(&in_the_baseline);
        let groups = report.groups.iter().filter(|group| is_new(group) || is_old(group));
        let found = groups.flat_map(|group| {
            group.attributes.keys().map(|path| Entry {
                rule: group.rule.id.to_owned(),
                type_name: group.address(),
                path: path.clone(),
                cause: group.cause.to_string(),
            })
        });
        let is_played = |entry: &Entry| {
            report.per_type.iter().any(|line| line.kind.qualified(&line.type_name) == entry.type_name)
        };
        let unplayed = |entry: &Entry| !entry.type_name.is_empty() && !is_played(entry);
        let kept = read(suite)?.known.into_iter().filter(unplayed);
        let mut known: Vec<Entry> = kept.chain(found).collect();
        known.sort();
        known.dedup();
        Ok(Baseline { known })
    }
}
