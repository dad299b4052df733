//! Changes that the configuration says to ignore.

use super::Behaviour;
use super::setting::{apply, with};
use crate::core::Ignored;
use crate::scenario::{Block, WorldChange};
use crate::transcript::DriftKind;

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "ignore/argument",
        about: "an argument changes that `ignore_changes` lists: nothing is left to do",
        runs: |at| {
            let ignored = Ignored::Paths(vec![at.changed_argument()?]);
            let changed = ignoring(at.block(&at.changed()?), ignored);
            Ok(vec![apply([at.block(&at.config())]), apply([changed]).changing_nothing()])
        },
    },
    Behaviour {
        name: "ignore/all",
        about: "arguments change under `ignore_changes = all`: nothing is left to do",
        runs: |at| {
            let changed = ignoring(at.block(&at.changed()?), Ignored::All);
            Ok(vec![apply([at.block(&at.config())]), apply([changed]).changing_nothing()])
        },
    },
    Behaviour {
        name: "ignore/drift",
        about: "the object changes outside the engine under `ignore_changes = all`: it stays as it is",
        runs: |at| {
            let run = || apply([ignoring(at.block(&at.config()), Ignored::All)]);
            let drift = WorldChange::Drift { of: at.instance(), kind: DriftKind::Change, to: None };
            Ok(vec![run(), run().after(vec![drift])])
        },
    },
];

fn ignoring(block: Block, ignored: Ignored) -> Block {
    with(block, |meta| meta.lifecycle.ignore_changes = Some(ignored))
}
