//! Several instances of one block, and instances that get another address.

use super::Behaviour;
use super::setting::{apply, each, with};
use crate::scenario::{EngineRun, InstanceKey, MetaArguments, Moved, Repetition};
use crate::value::Value;

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "instances/at-once",
        about: "ten instances are created at once, and all of them are changed at once",
        runs: |at| {
            let of = |config| Ok(apply([at.repeated(&config, each(&at.keys::<10>()))?]));
            [at.config()].into_iter().chain(at.changed().ok()).map(of).collect()
        },
    },
    Behaviour {
        name: "instances/two-configurations",
        about: "two instances, each of a provider configuration of its own (`alias`), are created and changed at once",
        runs: |at| {
            let run = |config: &Value| {
                let second = |meta: &mut MetaArguments| meta.provider = Some("second".to_owned());
                let other = with(at.other(&at.renamed(config)?), second);
                Ok(apply([at.block(config), other]))
            };
            [at.config()].iter().chain(at.changed().ok().iter()).map(run).collect()
        },
    },
    Behaviour {
        name: "instances/counted",
        about: "the number of instances (`count`) grows from one to three, and shrinks to one",
        runs: |at| {
            let run = |count| Ok(apply([at.repeated(&at.config(), Repetition::Count(count))?]));
            [1, 3, 1].into_iter().map(run).collect()
        },
    },
    Behaviour {
        name: "instances/not-destroyed",
        about: "one of two instances (`count`) goes, and their block says `destroy = false`: the engine forgets it",
        runs: |at| {
            let run = |count| {
                let block = at.repeated(&at.config(), Repetition::Count(count))?;
                Ok(apply([with(block, |meta| meta.lifecycle.forgets = true)]))
            };
            [2, 1].into_iter().map(run).collect()
        },
    },
    Behaviour {
        name: "instances/keyed",
        about: "of the instances with keys (`for_each`) one is removed and one is added",
        runs: |at| {
            let run = |keys: &[&str]| Ok(apply([at.repeated(&at.config(), each(keys))?]));
            let [a, b, c] = at.keys();
            [[a, b], [b, c]].iter().map(|keys| run(keys)).collect()
        },
    },
    Behaviour {
        name: "instances/count-added",
        about: "a block gets `count = 1` and loses it again: its instance is the same, and nothing is left to do",
        runs: |at| {
            let single = || at.block(&at.config());
            let mut counted = single();
            counted.meta.repetition = Repetition::Count(1);
            let back = apply([single()]).changing_nothing();
            Ok(vec![apply([single()]), apply([counted]).changing_nothing(), back])
        },
    },
    Behaviour {
        name: "instances/key-moved",
        about: "an instance gets another key (`moved`), and with it another name",
        runs: |at| {
            let run = |keys: &[&str]| Ok::<_, &'static str>(apply([at.repeated(&at.config(), each(keys))?]));
            let [a, b, c] = at.keys();
            let of = |key: &str| at.instance().resource.instance(Some(InstanceKey::Key(key.to_owned())));
            let moved = vec![Moved { from: of(b), to: of(c) }];
            Ok(vec![run(&[a, b])?, EngineRun { moved, ..run(&[a, c])? }])
        },
    },
    Behaviour {
        name: "instances/moved",
        about: "a block gets another name (`moved`): its instance is the same, and nothing is left to do",
        runs: |at| {
            let other = at.other(&at.config());
            let moved = vec![Moved { from: at.instance(), to: other.address.instance(None) }];
            Ok(vec![
                apply([at.block(&at.config())]),
                EngineRun { moved, ..apply([other]) }.changing_nothing(),
            ])
        },
    },
    Behaviour {
        name: "instances/moved-across-types",
        about: "an instance becomes one of another type that resembles its own (`moved`), if the provider allows it",
        runs: |at| {
            let other = at.successor(&at.config())?;
            let moved = vec![Moved { from: at.instance(), to: other.address.instance(None) }];
            Ok(vec![apply([at.block(&at.config())]), EngineRun { moved, ..apply([other]) }])
        },
    },
];
