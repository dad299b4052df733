//! What earlier runs have learned, in a file.

use std::fs::File;
use std::io::{Read as _, Seek as _, Write as _};
use std::path::{Path, PathBuf};

use super::lessons::Lessons;
use crate::files;
use crate::generate::Facts;
use crate::learn::text::{self, Learned};
use crate::record::Masker;
use crate::schema::Kind;

/// What earlier runs have learned, and the file for what this one learns.
#[derive(Clone, Debug)]
pub struct Remembered {
    file: PathBuf,
    learned: Learned,
}

impl Remembered {
    /// Reads a file; one that does not exist holds nothing yet. Fails with the file, the line and what is wrong.
    pub fn read(file: &Path) -> Result<Remembered, String> {
        let text = match files::read_text(file) {
            Err(error) if error.kind() == std::io::ErrorKind::NotFound => String::new(),
            read => read.map_err(|error| format!("{}: {error}", file.display()))?,
        };
        let learned = parse(file, &text)?;
        Ok(Remembered { file: file.to_owned(), learned })
    }

    /// The facts about a type, if there are any.
    pub(super) fn facts(&self, kind: Kind, type_name: &str) -> Option<&Facts> {
        self.learned.get(&(kind, type_name.to_owned()))
    }

    /// Writes what was learned about the types of which a configuration was accepted; what the file says of
    /// others stays. No line holds a secret. Fails with a message.
    pub(super) fn write(&self, lessons: &Lessons, masker: &Masker) -> Result<(), String> {
        self.rewrite(lessons, masker).map_err(|error| format!("{}: {error}", self.file.display()))
    }

    fn rewrite(&self, lessons: &Lessons, masker: &Masker) -> std::io::Result<()> {
        let mut file =
            File::options().read(true).write(true).create(true).truncate(false).open(&self.file)?;
        // The trials of other types may write it at the same time.
        file.lock()?;
        let mut before = String::new();
        file.read_to_string(&mut before)?;
        let mut all = parse(&self.file, &before).unwrap_or_default();
        let accepted = lessons.types.iter().filter(|(_, learned)| learned.reached.is_some());
        all.extend(accepted.map(|(key, learned)| (key.clone(), learned.facts.clone())));
        let after = text::write(&all, &|line| *masker.shown(line) == line);
        if after != before {
            file.rewind()?;
            file.set_len(0)?;
            file.write_all(after.as_bytes())?;
        }
        Ok(())
    }
}

fn parse(file: &Path, text: &str) -> Result<Learned, String> {
    text::read(text).map_err(|(line, problem)| format!("{}:{line}: {problem}", file.display()))
}
