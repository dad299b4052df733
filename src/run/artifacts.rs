//! Cases and transcripts of a run, as files.
//!
//! A full disk costs a file, never a finding: problems become notes.

use std::cell::RefCell;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{RunOptions, rerun_command};
use crate::record::{self, Case, MaskedFinding, MaskedJudgement, Origin};
use crate::report::events::{Consumer, Event};
use crate::report::{GroupKey, rank};
use crate::rule::Level;
use crate::transcript::ScenarioLabel;

/// Writes files below the folders of a run.
pub struct Artifacts {
    cases: Option<PathBuf>,
    transcripts: Option<PathBuf>,
    /// Findings below it get no file.
    least: Level,
    origin: Origin,
    /// The provider's name, which goes into the name of a case.
    provider: String,
    written: RefCell<Written>,
}

#[derive(Default)]
struct Written {
    /// The scenario of a group's case, and the command that replays it if the case could be written.
    cases: BTreeMap<GroupKey, (ScenarioLabel, Option<String>)>,
    problems: BTreeSet<String>,
}

impl Artifacts {
    pub fn new(options: &RunOptions, provider: &str) -> Artifacts {
        Artifacts {
            cases: options.cases_dir.clone(),
            transcripts: options.transcripts.clone(),
            least: options.fail_on,
            origin: options.kept_origin(),
            provider: provider.to_owned(),
            written: RefCell::default(),
        }
    }

    /// The command that replays the case of a group; `None` if there is no case.
    pub fn replay_command(&self, group: &GroupKey) -> Option<String> {
        self.written.borrow().cases.get(group)?.1.clone()
    }

    /// What went wrong with files, each problem once.
    pub fn problems(&self) -> Vec<String> {
        self.written.borrow().problems.iter().cloned().collect()
    }

    /// Keeps the first finding of a group, in the order of types and numbers.
    fn case(&self, finding: &MaskedFinding<'_>) {
        let Some(folder) = self.cases.as_ref().filter(|_| finding.level() >= self.least) else { return };
        let judged = finding.judgement();
        let Some(scenario) = judged.scenario() else { return };
        let group = GroupKey::of(finding);
        let label = judged.label();
        let mut written = self.written.borrow_mut();
        if written.cases.get(&group).is_some_and(|(first, _)| rank(first) <= rank(label)) {
            return;
        }
        let kept_for = finding.kept_for();
        let digest = Sha256::digest(format!("{:?} {}{}", *kept_for, self.provider, *finding.site()));
        let short: String = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        let file = folder.join(format!("{}-{short}.jsonl", kept_for.rule.replace('/', "-")));
        let case = Case { scenario, kept_for: &kept_for, origin: &self.origin };
        let command = match write(&file, judged, Some(case)) {
            Ok(()) => Some(rerun_command::replay(&file, &self.origin)),
            Err(error) => {
                let file = file.display();
                written.problems.insert(format!("a case could not be kept: {file}: {}", bare(&error)));
                None
            }
        };
        written.cases.insert(group, (label.clone(), command));
    }

    /// Writes a transcript, if the user wants them.
    pub fn transcript(&self, judged: &MaskedJudgement<'_>) {
        let Some(folder) = &self.transcripts else { return };
        let label = judged.label();
        let name = match label.type_name.as_str() {
            "" => label.kind.clone(),
            type_name => format!("{}-{type_name}-{}", label.kind, label.number),
        };
        if let Err(error) = write(&folder.join(format!("{name}.jsonl")), judged, None) {
            let problem = format!("transcripts could not be written: {}: {}", folder.display(), bare(&error));
            self.written.borrow_mut().problems.insert(problem);
        }
    }
}

impl Consumer for Artifacts {
    fn consume(&self, event: Event<'_>) {
        match event {
            Event::Judged(judged) => self.transcript(judged),
            Event::Finding(finding) => self.case(finding),
            _ => {}
        }
    }
}

fn write(file: &Path, judged: &MaskedJudgement<'_>, case: Option<Case<'_>>) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    // Atomically: a truncated file would look like a shorter transcript.
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    let mut out = BufWriter::new(&mut temporary);
    record::write(&mut out, judged, case)?;
    out.flush()?;
    drop(out);
    temporary.persist(file).map_err(|error| error.error)?;
    Ok(())
}

/// An error without the temporary file's name, so that each cause is one note.
fn bare(error: &io::Error) -> String {
    io::Error::from(error.kind()).to_string()
}
