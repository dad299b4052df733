//! The names of a provider's types, remembered by the hash of its program.

use std::fs;
use std::path::{Path, PathBuf};

use serde::{Deserialize, Serialize};
use sha2::{Digest, Sha256};

use crate::files;
use crate::run::{Interruption, PLAYED};
use crate::schema::Kind;
use crate::session;
use crate::suite::{Located, Selection, Suite, locate};

/// What there is to test of a provider, in the order of its trials.
#[derive(Clone, Debug, Default, Serialize, Deserialize)]
pub(super) struct TypeNames(pub Vec<(Kind, String)>);

impl TypeNames {
    /// Only those that a suite selects. Fails if one of its globs matches none.
    pub(super) fn selected(self, suite: &Suite) -> Result<TypeNames, String> {
        let selection = Selection::parse(&suite.run.resources)?;
        let types = self.0.iter().map(|(kind, name)| (*kind, name.as_str()));
        if let Some((idx, problem)) = selection.unmatched(types) {
            return Err(suite.wrong(&["run", "resources", &idx.to_string()], problem));
        }
        Ok(TypeNames(self.0.into_iter().filter(|(kind, name)| selection.has(*kind, name)).collect()))
    }

    pub(super) fn len(&self) -> usize {
        self.0.len()
    }
}

/// The types of a suite's provider. Starts the provider only if its program was never seen before.
pub(super) fn type_names(suite: &Suite) -> Result<TypeNames, String> {
    let cached = cache_file(suite);
    let known = cached.as_ref().and_then(|file| serde_json::from_slice(&fs::read(file).ok()?).ok());
    let names: TypeNames = match known {
        Some(names) => names,
        None => {
            let schema =
                session::schema(suite, &Interruption::default()).map_err(|error| error.to_string())?;
            let of = |kind| schema.names(kind).into_iter().map(move |name| (kind, name.to_owned()));
            let names = TypeNames(PLAYED.into_iter().flat_map(of).collect());
            if let Some(file) = cached {
                remember(&file, &names);
            }
            names
        }
    };
    Ok(names)
}

/// `None` for commands and the reference provider, whose programs do not identify them.
fn cache_file(suite: &Suite) -> Option<PathBuf> {
    let base = suite.base();
    let Located::Program { path } = locate(&suite.provider, &base) else { return None };
    let mut hasher = Sha256::new();
    std::io::copy(&mut files::open(&path).ok()?, &mut hasher).ok()?;
    hasher.update(suite.provider.protocol.unwrap_or_default().to_le_bytes());
    let digest: String = hasher.finalize().iter().map(|byte| format!("{byte:02x}")).collect();
    Some(base.join("target/tfconform/types").join(format!("{digest}.json")))
}

/// A cache that cannot be written only costs time.
fn remember(file: &Path, names: &TypeNames) {
    let Some(folder) = file.parent() else { return };
    let written = fs::create_dir_all(folder).and_then(|()| {
        let mut temporary = tempfile::NamedTempFile::new_in(folder)?;
        serde_json::to_writer(&mut temporary, names)?;
        temporary.persist(file).map_err(|error| error.error)
    });
    drop(written);
}
