//! What a user asks of one run.

use super::setting::{Setting, apply};
use super::{Behaviour, Runs};
use crate::scenario::{EngineRun, Mishap, PlanningMode, RunOptions, WorldChange};
use crate::transcript::DriftKind;

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "run/refresh-only",
        about: "a run only reads what exists (`-refresh-only`); nothing has changed",
        runs: |at| {
            let run = || apply([at.block(&at.config())]);
            Ok(vec![run(), refresh_only(run()), run().changing_nothing()])
        },
    },
    Behaviour {
        name: "run/refresh-only-after-drift",
        about: "a run only reads an object that changed outside the engine, and the next run changes it back",
        runs: |at| {
            let run = || apply([at.block(&at.config())]);
            let drift = WorldChange::Drift { of: at.instance(), kind: DriftKind::Change, to: None };
            Ok(vec![run(), refresh_only(run()).after(vec![drift]), run()])
        },
    },
    Behaviour {
        name: "run/without-refresh",
        about: "a change is planned with the state as it is (`-refresh=false`)",
        runs: |at| {
            let changed = apply([at.block(&at.changed()?)]);
            let options = RunOptions { without_refresh: true, ..RunOptions::default() };
            Ok(vec![apply([at.block(&at.config())]), EngineRun { options, ..changed }])
        },
    },
    Behaviour {
        name: "run/interrupted",
        about: "the user interrupts a change: the provider is told to stop, and the next run goes on",
        runs: |at| ended(at, Mishap::Stopped),
    },
    Behaviour {
        name: "run/killed",
        about: "the provider is killed during a change, and the next run makes it",
        runs: |at| ended(at, Mishap::Killed),
    },
    Behaviour {
        name: "run/targeted",
        about: "of two changes the user applies one (`-target`), then the other",
        runs: |at| {
            let (first, second) = (at.config(), at.changed()?);
            let others = [at.renamed(&first)?, at.renamed(&second)?];
            let both = |config, other| apply([at.block(config), at.other(other)]);
            let options = RunOptions { targets: vec![at.instance()], ..RunOptions::default() };
            let changed = || both(&second, &others[1]);
            Ok(vec![both(&first, &others[0]), EngineRun { options, ..changed() }, changed()])
        },
    },
    Behaviour {
        name: "run/orphaned",
        about: "a block is removed from the configuration: its instance is destroyed",
        runs: |at| Ok(vec![apply([at.block(&at.config())]), apply([])]),
    },
    Behaviour {
        name: "run/dependents-first",
        about: "a block depends on another one: it is created after it, and destroyed before it",
        runs: |at: &Setting<'_>| {
            let first = at.config();
            let mut dependent = at.other(&at.renamed(&first)?);
            dependent.meta.depends_on.extend([at.instance().resource]);
            Ok(vec![apply([dependent, at.block(&first)]), apply([])])
        },
    },
];

fn refresh_only(run: EngineRun) -> EngineRun {
    EngineRun { options: RunOptions { mode: PlanningMode::RefreshOnly, ..run.options }, ..run }
}

/// A change that something ends, and the same change again.
fn ended(at: &Setting<'_>, mishap: Mishap) -> Runs {
    if at.is_reattached() {
        return Err("the provider was already running, and is left alone");
    }
    let (first, second) = (apply([at.block(&at.config())]), apply([at.block(&at.changed()?)]));
    let options = RunOptions { mishap: Some(mishap), ..RunOptions::default() };
    Ok(vec![first, EngineRun { options, ..second.clone() }, second])
}
