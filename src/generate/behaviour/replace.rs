//! Replacement, in both orders and for every reason.

use super::Behaviour;
use super::setting::{Setting, apply, create_first, with};
use crate::scenario::{EngineRun, RunOptions, WorldChange};

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "replace/forced",
        about: "the user asks for a replacement (`-replace`): the object is destroyed, then created again",
        runs: |at| {
            let blocks = || [at.block(&at.config())];
            Ok(vec![apply(blocks()), replacing(at, apply(blocks()))])
        },
    },
    Behaviour {
        name: "replace/create-before-destroy",
        about: "an object is replaced, and the new one is created before the old one is destroyed",
        runs: |at| {
            let (first, second) = (at.config(), at.renamed(&at.config())?);
            let of = |config| [create_first(at.block(config))];
            Ok(vec![apply(of(&first)), replacing(at, apply(of(&second)))])
        },
    },
    Behaviour {
        name: "replace/inherited-order",
        about: "a block that a create_before_destroy block depends on is replaced: it inherits that order",
        runs: |at| {
            let (first, second) = (at.config(), at.renamed(&at.config())?);
            let third = at.renamed(&second)?;
            let dependent = || {
                let block = create_first(at.other(&third));
                with(block, |meta| meta.depends_on.extend([at.instance().resource]))
            };
            let of = |config| apply([at.block(config), dependent()]);
            Ok(vec![of(&first), replacing(at, of(&second))])
        },
    },
    Behaviour {
        name: "replace/triggered",
        about: "an instance is replaced because another one changes (`replace_triggered_by`)",
        runs: |at| {
            let (first, second) = (at.config(), at.changed()?);
            let other = at.renamed(&first)?;
            let triggered = || {
                let block = at.other(&other);
                with(block, |meta| meta.lifecycle.replace_triggered_by.extend([at.instance().resource]))
            };
            Ok([first.clone(), second].iter().map(|config| apply([at.block(config), triggered()])).collect())
        },
    },
    Behaviour {
        name: "replace/prevented",
        about: "an instance that must not be destroyed (`prevent_destroy`) would be replaced: the engine refuses",
        runs: |at| {
            let kept = || [with(at.block(&at.config()), |meta| meta.lifecycle.prevent_destroy = true)];
            Ok(vec![apply(kept()), replacing(at, apply(kept()))])
        },
    },
    Behaviour {
        name: "replace/not-destroyed",
        about: "a tainted instance is replaced, and its block says `destroy = false`: the engine forgets the old object",
        runs: |at| {
            let (first, second) = (at.config(), at.renamed(&at.config())?);
            let of = |config| apply([with(at.block(config), |meta| meta.lifecycle.forgets = true)]);
            let tainted = vec![WorldChange::Taint { of: at.instance() }];
            Ok(vec![of(&first), of(&second).after(tainted)])
        },
    },
];

/// The run with an option that has the instance replaced.
fn replacing(at: &Setting<'_>, run: EngineRun) -> EngineRun {
    let options = RunOptions { replace: vec![at.instance()], ..run.options };
    EngineRun { options, ..run }
}
