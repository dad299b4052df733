//! The scratch folder of a run.

use std::ffi::OsStr;
use std::path::Path;

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
    builder.tempdir().map_err(|error| match named("TMPDIR") {
        Some(folder) => unusable("TMPDIR", &folder, error),
        None => SessionError::Prepare(error),
    })
}
