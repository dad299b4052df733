//! The scratch folder of a run.

use std::ffi::OsStr;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};

use super::SessionError;

/// A folder that is removed after the run; if `$TFCONFORM_SCRATCH` is set, it is created there and kept.
///
/// Fails with the variable and the path if that folder cannot be used.
pub fn scratch() -> Result<tempfile::TempDir, SessionError> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("tfconform-");
    let named = |variable: &str| std::env::var_os(variable).filter(|folder| !folder.is_empty());
    let unusable = |variable: &str, folder: &OsStr, error: std::io::Error| {
        let problem = std::io::Error::from(error.kind());
        SessionError::Usage(format!("{variable}: {}: {problem}", Path::new(folder).display()))
    };
    if let Some(folder) = named("TFCONFORM_SCRATCH") {
        let made = std::fs::create_dir_all(&folder);
        let made = made.and_then(|()| builder.disable_cleanup(true).tempdir_in(&folder));
        return made.map_err(|error| unusable("TFCONFORM_SCRATCH", &folder, error));
    }
    let made = builder.tempdir().map_err(|error| match named("TMPDIR") {
        Some(folder) => unusable("TMPDIR", &folder, error),
        None => SessionError::Prepare(error),
    })?;
    made_here().push(made.path().to_owned());
    Ok(made)
}

/// The folders to remove if the process ends at once. Those of runs that have ended are gone already.
static MADE_HERE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn made_here() -> MutexGuard<'static, Vec<PathBuf>> {
    MADE_HERE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every scratch folder of the process, as far as it can: some may still be written to.
pub(super) fn remove_all() {
    for folder in made_here().drain(..) {
        let _ = std::fs::remove_dir_all(folder);
    }
}
