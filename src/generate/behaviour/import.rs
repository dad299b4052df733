//! Objects that an engine forgets, and takes over.

use super::setting::{Setting, apply};
use super::{Behaviour, Runs};
use crate::scenario::{EngineRun, Import, ImportBy, Operation};

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "import/forgotten",
        about: "the engine forgets an instance without destroying it (`removed` with `destroy = false`)",
        runs: |at| Ok(vec![apply([at.block(&at.config())]), forgetting(at)]),
    },
    Behaviour {
        name: "import/by-id",
        about: "an object that exists is imported by its `id`, with the configuration that it was created with",
        runs: |at| {
            at.has_id().then_some(()).ok_or("it has no attribute id to import it by")?;
            imported(at, ImportBy::Id)
        },
    },
    Behaviour {
        name: "import/by-identity",
        about: "an object that exists is imported by its identity, with the configuration that it was created with",
        runs: |at| {
            at.has_identity().then_some(()).ok_or("it declares no identity")?;
            imported(at, ImportBy::Identity)
        },
    },
    Behaviour {
        name: "import/generated",
        about: "an object that exists is to be imported, and the engine writes its configuration (`-generate-config-out`)",
        runs: |at| {
            let by = match (at.has_id(), at.has_identity()) {
                (true, _) => ImportBy::Id,
                (false, true) => ImportBy::Identity,
                (false, false) => return Err("it has no attribute id and no identity to import it by"),
            };
            let imports = vec![import(at, by, true)];
            let run = EngineRun { imports, ..EngineRun::new(Operation::Plan, Vec::new()) };
            Ok(vec![apply([at.block(&at.config())]), forgetting(at), run])
        },
    },
];

fn forgetting(at: &Setting<'_>) -> EngineRun {
    EngineRun { removed: vec![at.instance().resource], ..apply([]) }
}

fn imported(at: &Setting<'_>, by: ImportBy) -> Runs {
    let run = || apply([at.block(&at.config())]);
    let imports = vec![import(at, by, false)];
    Ok(vec![run(), forgetting(at), EngineRun { imports, ..run() }])
}

fn import(at: &Setting<'_>, by: ImportBy, generates: bool) -> Import {
    Import { to: at.instance(), by, forgotten: at.instance(), generates }
}
