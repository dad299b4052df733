//! Cases and transcripts of a run, as files.
//!
//! A full disk costs a file, never a finding: problems become notes.

use std::cell::RefCell;
use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};

use sha2::{Digest, Sha256};

use super::{PLAYED, RunOptions, rerun_command};
use crate::files;
use crate::record::{self, Case, Masked, MaskedFinding, MaskedJudgement, Origin};
use crate::report::events::{Consumer, Event};
use crate::report::{Group, GroupKey, first_in, rank};
use crate::reproduction;
use crate::rule::Level;
use crate::scenario::Scenario;
use crate::suite::{Handling, Policy};
use crate::transcript::{ScenarioLabel, Subject};

/// Writes files below the folders of a run.
pub struct Artifacts {
    cases: Option<PathBuf>,
    transcripts: Option<PathBuf>,
    /// Findings that do not fail the run get no file.
    fail_on: Level,
    policy: Policy,
    origin: Origin,
    /// The provider's name, which goes into the ID of a case.
    provider: String,
    /// Whether the user's provider block has secrets, which no reproduction is given.
    has_secret_config: bool,
    written: RefCell<Written>,
}

#[derive(Default)]
struct Written {
    cases: BTreeMap<GroupKey, Kept>,
    problems: BTreeSet<String>,
}

/// The case of a finding.
struct Kept {
    level: Level,
    scenario: ScenarioLabel,
    /// `None` if it could not be written.
    file: Option<PathBuf>,
    /// Whether a real engine can play it.
    is_for_engines: bool,
}

impl Kept {
    /// Whether it goes before another one of the same finding.
    fn precedes(&self, level: Level, scenario: &ScenarioLabel) -> bool {
        (Reverse(self.level), rank(&self.scenario)) <= (Reverse(level), rank(scenario))
    }
}

/// The provider as its types name it, whatever its program is called.
fn provider_of(subject: &Subject) -> String {
    let first = PLAYED.into_iter().find_map(|kind| subject.schema.names(kind).into_iter().min());
    first.and_then(|name| name.split('_').next()).unwrap_or(&subject.name).to_owned()
}

impl Artifacts {
    /// `made_up` is the provider block in HCL, if that is not the user's.
    pub fn new(options: &RunOptions, subject: &Subject, made_up: Option<String>) -> Artifacts {
        let schema = subject.schema.provider.as_ref().filter(|_| made_up.is_none());
        let config = schema.zip(subject.config.as_ref());
        Artifacts {
            has_secret_config: config
                .is_some_and(|(schema, config)| schema.block.configured_secret(config).is_some()),
            cases: options.cases_dir.clone(),
            transcripts: options.transcripts.clone(),
            fail_on: options.fail_on,
            policy: options.policy.clone(),
            origin: Origin { made_up, ..options.kept_origin() },
            provider: provider_of(subject),
            written: RefCell::default(),
        }
    }

    /// Keeps one case of each group, under a name that it has in every run, and removes the others of this run.
    pub fn keep(&self, groups: &[Group]) {
        let written = &mut *self.written.borrow_mut();
        let mut cases = std::mem::take(&mut written.cases);
        for group in groups {
            let Some((key, mut kept)) = group.keys().into_iter().find_map(|key| cases.remove_entry(&key))
            else {
                continue;
            };
            if let Some(file) = &mut kept.file {
                let named = file.with_file_name(self.name(group.rule.id, &group.key()));
                match std::fs::rename(&*file, &named) {
                    Ok(()) => *file = named,
                    Err(error) => drop(written.problems.insert(not_kept(file, &error))),
                }
            }
            written.cases.insert(key, kept);
        }
        remove(cases.values());
    }

    /// The command that replays the case of a group, and whether a real engine can play the case; `None` if there is
    /// no case.
    pub fn replay_command(&self, group: &Group) -> Option<(String, bool)> {
        let written = self.written.borrow();
        let kept = group.keys().into_iter().find_map(|key| written.cases.get(&key))?;
        let command = rerun_command::replay(kept.file.as_ref()?, &self.origin);
        Some((command, kept.is_for_engines && !self.has_secret_config))
    }

    /// The name of a file: it ends in an ID of eight digits.
    fn name(&self, rule: &str, key: &str) -> String {
        let digest = Sha256::digest(format!("{key} {}", self.provider));
        let id: String = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        format!("{}-{id}.jsonl", rule.replace('/', "-"))
    }

    /// What went wrong with files, each problem once.
    pub fn problems(&self) -> Vec<String> {
        self.written.borrow().problems.iter().cloned().collect()
    }

    fn is_kept(&self, finding: &MaskedFinding<'_>) -> bool {
        let decided = self.policy.handling(finding.rule().id, finding.kind(), finding.type_name());
        Handling::fails(decided, finding.level(), self.fail_on)
    }

    /// Keeps the first finding at an attribute: the most serious, in the order of types and numbers.
    fn case(&self, finding: &MaskedFinding<'_>) {
        let level = finding.level();
        let Some(folder) = self.cases.as_ref().filter(|_| self.is_kept(finding)) else { return };
        let judged = finding.judgement();
        if judged.scenario().is_none() {
            return;
        }
        let key = GroupKey::of(finding);
        let label = judged.label();
        let mut written = self.written.borrow_mut();
        if written.cases.get(&key).is_some_and(|kept| kept.precedes(level, label)) {
            return;
        }
        self.write_case(finding, key, folder, &mut written);
    }

    /// Keeps the smaller case of a group in place of those of its findings.
    fn smaller_case(&self, group: &[GroupKey], judged: &MaskedJudgement<'_>) {
        let first = first_in(group, judged).filter(|first| self.is_kept(first));
        let (Some(folder), Some(first)) = (self.cases.as_ref(), first) else { return };
        let mut written = self.written.borrow_mut();
        let replaced: Vec<Kept> = group.iter().filter_map(|key| written.cases.remove(key)).collect();
        remove(&replaced);
        self.write_case(&first, GroupKey::of(&first), folder, &mut written);
    }

    /// Adds the scenarios that the case of a group needs beside its own. No engine can be made to play them so.
    fn add_beside(&self, group: &[GroupKey], beside: &[Masked<Scenario>]) {
        let written = &mut *self.written.borrow_mut();
        for key in group {
            let Some(kept) = written.cases.get_mut(key) else { continue };
            kept.is_for_engines = false;
            if let Some(file) = &kept.file
                && let Err(error) = std::fs::read_to_string(file)
                    .and_then(|case| replace(file, |out| record::write_beside(out, &case, beside)))
            {
                written.problems.insert(not_kept(file, &error));
            }
        }
    }

    fn write_case(&self, finding: &MaskedFinding<'_>, key: GroupKey, folder: &Path, written: &mut Written) {
        let judged = finding.judgement();
        let Some(scenario) = judged.scenario() else { return };
        let is_for_engines = reproduction::can_be_played(scenario).is_ok();
        let kept_for = finding.kept_for();
        let file = folder.join(self.name(&kept_for.rule, &format!("{key:?}")));
        let case = Case { scenario, kept_for: &kept_for, origin: &self.origin };
        let file = match write(&file, judged, Some(case)) {
            Ok(()) => Some(file),
            Err(error) => {
                written.problems.insert(not_kept(&file, &error));
                None
            }
        };
        let (level, scenario) = (finding.level(), judged.label().clone());
        written.cases.insert(key, Kept { level, scenario, file, is_for_engines });
    }

    /// Writes a transcript, if the user wants them.
    pub fn transcript(&self, judged: &MaskedJudgement<'_>) {
        let Some(folder) = &self.transcripts else { return };
        let label = judged.label();
        let name = match label.type_name.as_str() {
            "" => files::name_of(&label.kind),
            // The name of a behaviour is no folder, and a type may be named like one.
            type_name => {
                format!("{}-{}-{}", label.kind.replace('/', "-"), files::name_of(type_name), label.number)
            }
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
            Event::Shrunk { group, judged, .. } => self.smaller_case(group, judged),
            Event::NeedsBeside { group, beside } => self.add_beside(group, beside),
            _ => {}
        }
    }
}

/// Whether they are there makes no difference: nothing names them.
fn remove<'k>(cases: impl IntoIterator<Item = &'k Kept>) {
    let files = cases.into_iter().filter_map(|kept| kept.file.as_ref());
    files.for_each(|file| drop(std::fs::remove_file(file)));
}

fn write(file: &Path, judged: &MaskedJudgement<'_>, case: Option<Case<'_>>) -> io::Result<()> {
    replace(file, |out| record::write(out, judged, case))
}

fn replace(file: &Path, write: impl FnOnce(&mut dyn io::Write) -> io::Result<()>) -> io::Result<()> {
    let folder = file.parent().unwrap_or(Path::new("."));
    std::fs::create_dir_all(folder)?;
    // Atomically: a truncated file would look like a shorter transcript.
    let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
    let mut out = BufWriter::new(&mut temporary);
    write(&mut out)?;
    out.flush()?;
    drop(out);
    temporary.persist(file).map_err(|error| error.error)?;
    Ok(())
}

fn not_kept(file: &Path, error: &io::Error) -> String {
    format!("a case could not be kept: {}: {}", file.display(), bare(error))
}

/// An error without the temporary file's name, so that each cause is one note.
fn bare(error: &io::Error) -> String {
    io::Error::from(error.kind()).to_string()
}
