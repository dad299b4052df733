//! The provider that a command works on.

use std::path::{Path, PathBuf};

use super::Failed;
use super::args::ProviderArgs;
use crate::provider::reattach::VARIABLE;
use crate::report::Exit;
use crate::session;
use crate::suite::Provider;

/// The provider that the arguments name, if any.
pub(super) fn named(args: &ProviderArgs) -> Result<Option<Provider>, Failed> {
    Ok(match args {
        ProviderArgs { path: Some(path), .. } => Some(program(path)?),
        ProviderArgs { command, .. } if !command.is_empty() => Some(command_in(".".into(), command.clone())),
        ProviderArgs { reattach: Some(json), .. } => Some(reattached("--reattach", json)?),
        _ => None,
    })
}

/// The running provider that the environment names, if any.
pub(super) fn running() -> Result<Option<Provider>, Failed> {
    let json = std::env::var_os(VARIABLE).filter(|json| !json.is_empty());
    json.map(|json| reattached(VARIABLE, &json.to_string_lossy())).transpose()
}

/// A program by its path; one that does not exist cannot be used.
pub(super) fn program(path: &Path) -> Result<Provider, Failed> {
    Ok(Provider { path: Some(existing(path)?), ..Provider::default() })
}

/// A command that runs in a folder.
pub(super) fn command_in(folder: PathBuf, words: Vec<String>) -> Provider {
    Provider { command: Some(words), folder: Some(folder), ..Provider::default() }
}

/// A provider that is already running; `named_by` is what errors blame.
fn reattached(named_by: &str, json: &str) -> Result<Provider, Failed> {
    match session::reattached(json) {
        Ok(_) => Ok(Provider { reattach: Some(json.to_owned()), ..Provider::default() }),
        Err(error) => Err(Failed::usage(format!("{named_by}: {error}"))),
    }
}

/// The absolute path of the program.
fn existing(path: &Path) -> Result<PathBuf, Failed> {
    let path = path
        .canonicalize()
        .map_err(|error| Failed { exit: Exit::Unusable, message: format!("{}: {error}", path.display()) })?;
    if path.is_dir() {
        let inside =
            within(&path).map(|file| format!("\nhint: did you mean {}?", file.display())).unwrap_or_default();
        let message = format!("{} is a folder, not a program{inside}", path.display());
        return Err(Failed { exit: Exit::Unusable, message });
    }
    Ok(path)
}

/// The first file in a folder that has a provider's name.
fn within(folder: &Path) -> Option<PathBuf> {
    let names =
        std::fs::read_dir(folder).ok()?.filter_map(|entry| entry.ok()?.file_name().into_string().ok());
    let first = names.filter(|name| name.starts_with("terraform-provider-")).min()?;
    Some(folder.join(first)).filter(|file| file.is_file())
}
