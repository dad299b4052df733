//! Keeping what was found: cases and transcripts as files.
//!
//! A full disk costs a file, never a finding: problems become notes.

use std::collections::BTreeSet;
use std::io::{self, BufWriter, Write as _};
use std::path::{Path, PathBuf};
use std::sync::Arc;

use sha2::{Digest, Sha256};

use super::{RunOptions, again};
use crate::record::{self, Case, KeptFor, Masker, Origin};
use crate::rule::Level;
use crate::scenario::Scenario;
use crate::transcript::Transcript;

/// Writes files below the folders of a run.
pub struct Keeper {
    cases: Option<PathBuf>,
    transcripts: Option<PathBuf>,
    /// Findings below it are not worth a file.
    least: Level,
    origin: Origin,
    masker: Arc<Masker>,
    problems: BTreeSet<String>,
}

impl Keeper {
    pub fn new(options: &RunOptions, secrets: Vec<String>) -> Keeper {
        Keeper {
            cases: options.cases_dir.clone(),
            transcripts: options.transcripts.clone(),
            least: options.fail_on,
            origin: options.kept_origin(),
            masker: Arc::new(Masker::new(secrets)),
            problems: BTreeSet::new(),
        }
    }

    /// Keeps a finding; gives the command that plays it again.
    pub fn case(
        &mut self,
        level: Level,
        transcript: &Transcript,
        scenario: &Scenario,
        kept_for: &KeptFor,
    ) -> Option<String> {
        let folder = self.cases.clone().filter(|_| level >= self.least)?;
        let digest = Sha256::digest(format!("{kept_for:?} {}", transcript.subject.name));
        let short: String = digest[..4].iter().map(|byte| format!("{byte:02x}")).collect();
        let file = folder.join(format!("{}-{short}.jsonl", kept_for.rule.replace('/', "-")));
        let case = Case { scenario, kept_for, origin: &self.origin };
        match self.write(&file, transcript, Some(case)) {
            Ok(()) => Some(again::replay(&file, &self.origin)),
            Err(error) => {
                self.problems.insert(format!(
                    "a case could not be kept: {}: {}",
                    file.display(),
                    bare(&error)
                ));
                None
            }
        }
    }

    /// Writes a transcript, where the user wants them.
    pub fn transcript(&mut self, transcript: &Transcript) {
        let Some(folder) = &self.transcripts else { return };
        let label = &transcript.scenario;
        let name = match label.type_name.as_str() {
            "" => label.kind.clone(),
            type_name => format!("{}-{type_name}-{}", label.kind, label.number),
        };
        let file = folder.join(format!("{name}.jsonl"));
        if let Err(error) = self.write(&file, transcript, None) {
            let problem = format!("transcripts could not be written: {}: {}", folder.display(), bare(&error));
            self.problems.insert(problem);
        }
    }

    fn write(&self, file: &Path, transcript: &Transcript, case: Option<Case<'_>>) -> io::Result<()> {
        let folder = file.parent().unwrap_or(Path::new("."));
        std::fs::create_dir_all(folder)?;
        // Whole or not at all: a file cut short would be taken for a shorter transcript.
        let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
        let mut out = BufWriter::new(&mut temporary);
        record::write(&mut out, transcript, &self.masker, case)?;
        out.flush()?;
        drop(out);
        temporary.persist(file).map_err(|error| error.error)?;
        Ok(())
    }

    /// What knows the secrets of the run.
    pub fn masker(&self) -> Arc<Masker> {
        Arc::clone(&self.masker)
    }

    /// What went wrong about files, each problem once.
    pub fn problems(&self) -> impl Iterator<Item = String> {
        self.problems.clone().into_iter()
    }
}

/// An error without the temporary file's name, so that one cause is one note.
fn bare(error: &io::Error) -> String {
    io::Error::from(error.kind()).to_string()
}
