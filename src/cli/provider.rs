//! Which provider a command is about.

use std::path::{Path, PathBuf};

use super::Failed;
use crate::provider::reattach;
use crate::report::Exit;
use crate::run::ProviderConfig;
use crate::session::{self, Beside, Provider};
use crate::suite::config_from_file;

/// A program by its path; one that does not exist cannot be used.
pub(super) fn program(path: &Path, scratch: &Path, beside: &Beside) -> Result<Provider, Failed> {
    Ok(session::program(&existing(path)?, scratch, beside)?)
}

/// The program at a path, from the root on.
pub(super) fn existing(path: &Path) -> Result<PathBuf, Failed> {
    let path = path
        .canonicalize()
        .map_err(|error| Failed { exit: Exit::Unusable, message: format!("{}: {error}", path.display()) })?;
    if path.is_dir() {
        let inside =
            within(&path).map(|file| format!("\nhint: is it {}?", file.display())).unwrap_or_default();
        let message = format!("{} is a folder, not a program{inside}", path.display());
        return Err(Failed { exit: Exit::Unusable, message });
    }
    Ok(path)
}

/// The first file of a folder that is named as providers are.
fn within(folder: &Path) -> Option<PathBuf> {
    let names =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let first = names.filter(|name| name.starts_with("terraform-provider-")).min()?;
    Some(folder.join(first)).filter(|file| file.is_file())
}

/// The provider block of a file.
pub(super) fn config(file: PathBuf) -> ProviderConfig {
    let named = file.clone();
    ProviderConfig::new(move |schema| config_from_file(&file, &schema.block)).in_file(named)
}

/// The provider that already runs: the one of `--reattach`, or else the one that the environment names,
/// if any.
pub(super) fn running(option: Option<&str>) -> Result<Option<Provider>, Failed> {
    let variable = || std::env::var_os(reattach::VARIABLE).filter(|json| !json.is_empty());
    let (named_by, json) = match option {
        Some(json) => ("--reattach", json.to_owned()),
        None => match variable() {
            Some(json) => (reattach::VARIABLE, json.to_string_lossy().into_owned()),
            None => return Ok(None),
        },
    };
    let provider = session::reattached(&json);
    provider.map(Some).map_err(|error| Failed::usage(format!("{named_by}: {error}")))
}
