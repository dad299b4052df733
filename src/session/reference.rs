//! The reference provider as the provider under test.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::{OpenedProvider, SessionError};
use crate::lifecycle::Remote;
use crate::process::DirectSpawner;
use crate::record::Origin;
use crate::reference::Offered;
use crate::reference::serve::{Behaviour, DriftInjector, environment, in_memory, store_below};
use crate::run::{Instances, Program};

/// The reference provider, run by this same program.
pub fn reference(
    protocol: u8,
    seed: u64,
    faults: &[String],
    scratch: &Path,
) -> Result<OpenedProvider, SessionError> {
    let behaviour = features(protocol, seed, faults, scratch);
    behaviour.armed().map_err(SessionError::Usage)?;
    let mut program = Program::new(own_program()?);
    program.name = "reference".to_owned();
    program.env = environment(&behaviour);
    program.spawner = Arc::new(DirectSpawner { sockets: Some(scratch.to_owned()) });
    let origin = Origin { faults: faults.to_vec(), applied: true, ..Origin::default() };
    let remote: Arc<dyn Remote> = Arc::new(DriftInjector::of(&behaviour));
    Ok(OpenedProvider { remote: Some(remote), is_ours: true, ..OpenedProvider::of(program, origin) })
}

/// The reference provider within this process: faster, but a fault that kills it kills us too.
pub fn reference_in_memory(
    protocol: u8,
    seed: u64,
    faults: &[String],
    scratch: &Path,
) -> Result<OpenedProvider, SessionError> {
    let mut provider = reference(protocol, seed, faults, scratch)?;
    let behaviour = features(protocol, seed, faults, scratch);
    provider.program.instances = Instances::InMemory(Arc::new(move || in_memory(&behaviour)));
    Ok(provider)
}

fn features(protocol: u8, seed: u64, faults: &[String], scratch: &Path) -> Behaviour {
    let (store, faults) = (store_below(scratch), faults.to_vec());
    Behaviour { protocol, seed, store, faults, types: Offered::Features, log: None }
}

/// This program, or the one to use in its place if tfconform is used as a library.
pub(super) fn own_program() -> std::io::Result<PathBuf> {
    std::env::var_os("TFCONFORM_PROGRAM").map_or_else(std::env::current_exe, |path| Ok(path.into()))
}
