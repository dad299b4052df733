//! What an object's entry in the state says: tainted, deposed.

use super::Behaviour;
use super::setting::{apply, create_first, with};
use crate::scenario::{EngineRun, WorldChange};

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "state/tainted",
        about: "an instance is tainted: it is planned as if it did not exist, then destroyed and created again",
        runs: |at| {
            let run = || apply([at.block(&at.config())]);
            Ok(vec![run(), run().after(vec![WorldChange::Taint { of: at.instance() }])])
        },
    },
    Behaviour {
        name: "state/tainted-create-before-destroy",
        about: "an instance is tainted, and the new object is created before the old one is destroyed",
        runs: |at| {
            let (first, second) = (at.config(), at.renamed(&at.config())?);
            let run = |config| apply([create_first(at.block(config))]);
            Ok(vec![run(&first), run(&second).after(vec![WorldChange::Taint { of: at.instance() }])])
        },
    },
    Behaviour {
        name: "state/provisioner-fails",
        about: "a provisioner fails after an instance is created: it is tainted, and replaced when it is applied again",
        runs: |at| {
            let block = at.block(&at.config());
            let failing = with(block.clone(), |meta| meta.provisioner_fails = true);
            Ok(vec![apply([failing]), apply([block])])
        },
    },
    Behaviour {
        name: "state/untainted",
        about: "an instance is tainted and then untainted: nothing is left to do",
        runs: |at| {
            let run = || apply([at.block(&at.config())]);
            let of = at.instance();
            let both = vec![WorldChange::Taint { of: of.clone() }, WorldChange::Untaint { of }];
            Ok(vec![run(), run().after(both).changing_nothing()])
        },
    },
    Behaviour {
        name: "state/deposed",
        about: "a replacement stopped halfway: a new object is created, and the deposed one is destroyed",
        runs: |at| {
            let (first, second) = (at.config(), at.renamed(&at.config())?);
            let run = |config| apply([create_first(at.block(config))]);
            Ok(vec![run(&first), run(&second).after(vec![WorldChange::Depose { of: at.instance() }])])
        },
    },
    Behaviour {
        name: "state/stored-without",
        about: "an older release stored the object, without the arguments that the configuration leaves out",
        runs: |at| {
            let config = at.least_config();
            let attributes = at.left_out(&config)?;
            let run = || apply([at.block(&config)]);
            let of = at.instance();
            Ok(vec![run(), run().after(vec![WorldChange::StoredWithout { of, attributes }])])
        },
    },
    Behaviour {
        name: "state/recreated",
        about: "everything is destroyed, and the same configuration is applied again",
        runs: |at| {
            let run = || apply([at.block(&at.config())]);
            Ok(vec![run(), EngineRun::destroy(), run()])
        },
    },
];
