//! Snapshots as files in insta's format, compared with what a provider shows now.

use std::collections::BTreeSet;
use std::io;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};

use super::Snapshot;

/// The line by which a file is known to be ours.
const SOURCE: &str = "source: tfconform";
const EXTENSION: &str = "snap";

/// The result for one file.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum ChangeKind {
    /// There is no file yet.
    New,
    Changed,
    /// The provider no longer has the file's type.
    Removed,
}

impl ChangeKind {
    pub fn name(self) -> &'static str {
        match self {
            ChangeKind::New => "new",
            ChangeKind::Changed => "changed",
            ChangeKind::Removed => "removed",
        }
    }
}

/// A file that differs from what the provider shows now.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Change {
    pub file: PathBuf,
    pub kind: ChangeKind,
    /// The settings behind the text: of the file, and of the showing. Empty if there are none.
    pub about: [String; 2],
    /// The text of the file, and the one that was shown. Empty if there is none.
    pub texts: [String; 2],
}

/// The folder of snapshots. It does not have to exist yet.
#[derive(Clone, Debug)]
pub struct Folder(PathBuf);

/// A file that cannot be used.
#[derive(Debug, thiserror::Error)]
#[error("{}: {error}", .file.display())]
pub struct FolderError {
    file: PathBuf,
    error: io::Error,
}

impl Folder {
    pub fn new(path: impl Into<PathBuf>) -> Folder {
        Folder(path.into())
    }

    /// What differs from the files, by name; with `all` also files of ours that are no longer needed.
    pub fn compare(&self, snapshots: &[Snapshot], all: bool) -> Result<Vec<Change>, FolderError> {
        let kept = self.files()?;
        let mut changes = Vec::new();
        for snapshot in snapshots {
            let file = self.file(&snapshot.name);
            let kept = if kept.contains(&snapshot.name) { Some(Kept::read(&file)?) } else { None };
            let kind = match &kept {
                None => ChangeKind::New,
                Some(kept) if kept.text != normal(&snapshot.text) => ChangeKind::Changed,
                Some(_) => continue,
            };
            let kept = kept.unwrap_or_default();
            let about = [kept.about, snapshot.about.clone()];
            changes.push(Change { kind, file, about, texts: [kept.text, normal(&snapshot.text)] });
        }
        let is_shown = |name: &&String| snapshots.iter().any(|snapshot| snapshot.name == **name);
        for name in kept.iter().filter(|name| all && !is_shown(name)) {
            let file = self.file(name);
            let Kept { about, text, is_ours } = Kept::read(&file)?;
            if is_ours {
                let (about, texts) = ([about, String::new()], [text, String::new()]);
                changes.push(Change { kind: ChangeKind::Removed, file, about, texts });
            }
        }
        changes.sort_by(|one, other| one.file.cmp(&other.file));
        Ok(changes)
    }

    /// Writes what was shown to the files.
    pub fn accept(&self, changes: &[Change]) -> Result<(), FolderError> {
        for change in changes {
            let done = match change.kind {
                ChangeKind::Removed => std::fs::remove_file(&change.file),
                ChangeKind::New | ChangeKind::Changed => {
                    let ([_, about], [_, text]) = (&change.about, &change.texts);
                    // In one piece: half a file would look like another showing.
                    crate::files::replace(&change.file, written(about, text))
                }
            };
            done.map_err(|error| FolderError { file: change.file.clone(), error })?;
        }
        Ok(())
    }

    /// Where a snapshot of this name is kept.
    pub fn file(&self, name: &str) -> PathBuf {
        self.0.join(format!("{name}.{EXTENSION}"))
    }

    /// The names of all existing snapshots.
    fn files(&self) -> Result<BTreeSet<String>, FolderError> {
        let failed = |error| FolderError { file: self.0.clone(), error };
        let entries = match std::fs::read_dir(&self.0) {
            Ok(entries) => entries,
            Err(error) if error.kind() == io::ErrorKind::NotFound => return Ok(BTreeSet::new()),
            Err(error) => return Err(failed(error)),
        };
        let mut names = BTreeSet::new();
        for entry in entries {
            let path = entry.map_err(failed)?.path();
            let name = path.file_stem().and_then(|stem| stem.to_str());
            if let Some(name) =
                name.filter(|_| path.extension().is_some_and(|extension| extension == EXTENSION))
            {
                names.insert(name.to_owned());
            }
        }
        Ok(names)
    }
}

/// A file's whole content.
pub fn written(about: &str, text: &str) -> String {
    // JSON strings are also YAML strings.
    let about = serde_json::Value::from(about);
    format!("---\n{SOURCE}\nexpression: {about}\n---\n{}\n", normal(text))
}

/// As insta compares: without trailing line ends and carriage returns.
fn normal(text: &str) -> String {
    text.trim_end().replace("\r\n", "\n")
}

/// What a file holds.
#[derive(Debug, Default)]
struct Kept {
    about: String,
    text: String,
    is_ours: bool,
}

impl Kept {
    fn read(file: &Path) -> Result<Kept, FolderError> {
        let content =
            crate::files::read_text(file).map_err(|error| FolderError { file: file.to_owned(), error })?;
        Ok(Kept::parse(&normal(&content)))
    }

    /// A file without front matter is all text.
    fn parse(content: &str) -> Kept {
        let divided = content.strip_prefix("---\n").and_then(|rest| {
            rest.split_once("\n---\n").or_else(|| rest.strip_suffix("\n---").map(|front| (front, "")))
        });
        let Some((front, text)) = divided else {
            return Kept { text: content.to_owned(), ..Kept::default() };
        };
        let about = front.lines().find_map(|line| line.strip_prefix("expression: "));
        let about = about.map(|about| serde_json::from_str(about).unwrap_or_else(|_| about.to_owned()));
        let is_ours = front.lines().any(|line| line == SOURCE);
        Kept { about: about.unwrap_or_default(), text: text.to_owned(), is_ours }
    }
}
