//! Opens the provider of a suite: finds it, sandboxes it, starts its mock.

use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::{Arc, Mutex};

use super::program::{Alongside, command, program};
use super::reference::reference;
use super::{OpenedProvider, SessionError, reattached, remote};
use crate::calls::Protocol;
use crate::suite::{Located, REFERENCE_PROTOCOL, Suite, locate};

/// Opens the provider of a suite: in a sandbox, with its mock, but not started yet.
///
/// `host` is its host name, if the sandbox can set one.
pub fn open(suite: &Suite, scratch: &Path, host: Option<&str>) -> Result<OpenedProvider, SessionError> {
    open_with(suite, scratch, host, None)
}

/// Like [`open`]; what runs in the sandbox also sees `file`.
pub(super) fn open_with(
    suite: &Suite,
    scratch: &Path,
    host: Option<&str>,
    file: Option<PathBuf>,
) -> Result<OpenedProvider, SessionError> {
    let (wanted, base) = (&suite.provider, suite.base());
    let env = wanted.env.iter().chain(&suite.remote.env);
    let alongside = Alongside {
        env: env.map(|(name, value)| (name.into(), value.into())).collect(),
        files: remote::files(suite).into_iter().chain(file).collect(),
        host: host.map(str::to_owned),
        open: suite.run.openness(),
        limits: suite.run.limits(),
    };
    let wrong = |key: &str, why: String| {
        SessionError::Usage(suite.wrong(&["provider", key], format!("`provider.{key}`: {why}")))
    };
    let mut provider = match locate(wanted, &base) {
        Located::Reference => {
            let protocol = wanted.protocol.unwrap_or(REFERENCE_PROTOCOL);
            reference(protocol, suite.run.seed, &wanted.faults, scratch)?
        }
        Located::Running { json } => reattached(&json).map_err(|why| wrong("reattach", why))?,
        Located::Program { path } => program(&path.canonicalize()?, scratch, &alongside)?,
        Located::Command { words } => {
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            let folder = wanted.folder.as_deref().unwrap_or(&base);
            command(&words, folder, scratch, &alongside)?
        }
        Located::Missing { why } => return Err(SessionError::Unusable(why)),
        Located::NoProgram { why } => return Err(wrong("path", why)),
    };
    if let Some(major) = wanted.protocol.filter(|_| !provider.is_ours) {
        provider.program.protocol = Protocol::from_major(i64::from(major));
    }
    provider.service = remote::start_mock(suite, &provider)?.map(|mock| Arc::new(Mutex::new(mock)));
    if let Some(hook) = remote::hook(suite, &suite.remote.change, &provider) {
        let hook = Arc::new(hook);
        provider.remote = Some(Arc::clone(&hook) as _);
        provider.change = Some(hook);
    }
    provider.remote = remote::remote(suite, &provider);
    Ok(provider)
}
