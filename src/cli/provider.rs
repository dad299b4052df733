//! The provider that a command works on.

use std::path::Path;

use super::Failed;
use super::args::ProviderArgs;
use crate::provider::reattach::VARIABLE;
use crate::session;
use crate::suite::Provider;

/// The provider that the arguments name, if any.
pub(super) fn named(args: &ProviderArgs) -> Result<Option<Provider>, Failed> {
    Ok(match args {
        ProviderArgs { path: Some(path), .. } => Some(program(path)?),
        ProviderArgs { command, .. } if !command.is_empty() => {
            let (command, folder) = (Some(command.clone()), Some(".".into()));
            Some(Provider { command, folder, ..Provider::default() })
        }
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
    Ok(Provider { path: Some(session::existing(path)?), ..Provider::default() })
}

/// A provider that is already running; `named_by` is what errors blame.
fn reattached(named_by: &str, json: &str) -> Result<Provider, Failed> {
    match session::reattached(json) {
        Ok(_) => Ok(Provider { reattach: Some(json.to_owned()), ..Provider::default() }),
        Err(error) => Err(Failed::usage(format!("{named_by}: {error}"))),
    }
}
