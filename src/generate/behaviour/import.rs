//! Objects that an engine forgets, and takes over.

use super::Behaviour;
use super::setting::{Setting, apply};
use crate::scenario::{EngineRun, Import, ImportBy, Operation};
use crate::value::Value;

/// How many arguments of an imported object are changed; the first one may require replacement.
const CHANGED: usize = 3;

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
            Ok(imported(at, ImportBy::Id, &at.config()))
        },
    },
    Behaviour {
        name: "import/by-identity",
        about: "an object that exists is imported by its identity, with the configuration that it was created with",
        runs: |at| {
            at.has_identity().then_some(()).ok_or("it declares no identity")?;
            Ok(imported(at, ImportBy::Identity, &at.config()))
        },
    },
    Behaviour {
        name: "import/of-every-argument",
        about: "an object with every argument set is imported, with the configuration that it was created with",
        runs: |at| {
            let by = at.import_by()?;
            let config = at.full_config();
            if config == at.config() {
                return Err("it has no argument that the other imports leave out");
            }
            Ok(imported(at, by, &config))
        },
    },
    Behaviour {
        name: "import/updated",
        about: "an object's arguments are changed, one after the other, and once more after it was imported",
        runs: |at| {
            let by = at.import_by()?;
            let changes = at.changes(CHANGED)?;
            let changed = || changes.iter().map(|config| apply([at.block(config)]));
            let first = || apply([at.block(&at.config())]);
            // The first change is made twice: a remote system may refuse a request that it has seen.
            let twice = [first()].into_iter().chain(changed().take(1)).chain([first()]);
            let imported = imported(at, by, &at.config());
            Ok(twice.chain(changed()).chain(imported).chain(changed()).collect())
        },
    },
    Behaviour {
        name: "import/generated",
        about: "an object that exists is to be imported, and the engine writes its configuration (`-generate-config-out`)",
        runs: |at| {
            let by = at.import_by()?;
            let imports = vec![import(at, by, true)];
            let run = EngineRun { imports, ..EngineRun::new(Operation::Plan, Vec::new()) };
            Ok(vec![apply([at.block(&at.config())]), forgetting(at), run])
        },
    },
];

fn forgetting(at: &Setting<'_>) -> EngineRun {
    EngineRun { removed: vec![at.instance().resource], ..apply([]) }
}

fn imported(at: &Setting<'_>, by: ImportBy, config: &Value) -> Vec<EngineRun> {
    let run = || apply([at.block(config)]);
    let imports = vec![import(at, by, false)];
    vec![run(), forgetting(at), EngineRun { imports, ..run() }]
}

fn import(at: &Setting<'_>, by: ImportBy, generates: bool) -> Import {
    Import { to: at.instance(), by, forgotten: at.instance(), generates }
}
