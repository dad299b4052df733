//! Several roads to one configuration, and several orders of one walk.

use super::Behaviour;
use super::setting::{Setting, apply, create_first, each};
use crate::generate::choices::{ChoiceKey, ChoicePurpose, Choices as _, Facet};
use crate::scenario::{EngineRun, PlanningMode, RunOptions, Schedule, WorldChange};
use crate::value::Value;

/// Arguments of which each is changed on its own.
const CHANGES: usize = 3;

pub(super) const ALL: &[Behaviour] = &[
    Behaviour {
        name: "walk/random",
        about: "runs in random order: changes, replacements, taints, refreshes, and destroying and creating everything",
        runs: |at| {
            let (first, second) = (at.config(), at.changed());
            let mut walk =
                Walk { at, configs: [Some(first), second.ok()], now: 0, is_renamed: false, is_early: false };
            let mut runs = vec![walk.apply()];
            for step in 0..at.walk_length() {
                let run = walk.next(step, &runs);
                runs.push(run);
            }
            Ok(runs)
        },
    },
    Behaviour {
        name: "walk/two-roads",
        about: "objects are created with a configuration, and another one is updated to it: they are the same",
        runs: |at| {
            let run = |config: &Value| apply([at.block(config)]);
            let first = run(&at.config());
            let mut runs = vec![first.clone(), EngineRun::destroy()];
            for changed in at.changes(CHANGES)? {
                // What differs between two objects that were created alike says nothing.
                for _ in 0..2 {
                    runs.extend([run(&changed), EngineRun::destroy()]);
                }
                runs.extend([first.clone(), run(&changed), EngineRun::destroy()]);
            }
            runs.pop();
            Ok(runs)
        },
    },
    Behaviour {
        name: "walk/schedules",
        about: "four instances are created one by one in runs of their own, all at once, and in one run one after the other",
        runs: |at| {
            let run = |keys: &[&str]| Ok::<_, &'static str>(apply([at.repeated(&at.config(), each(keys))?]));
            let keys = at.keys::<4>();
            let mut alone: Vec<EngineRun> = keys.iter().map(|key| run(&[key])).collect::<Result<_, _>>()?;
            let at_once = run(&keys)?;
            let mut backwards = at_once.clone();
            backwards.options.schedule = Schedule::Backwards;
            let before = alone.clone();
            // In the opposite order, so that what merely grows or repeats itself is not taken for a property of
            // the object.
            alone.reverse();
            let created = before.into_iter().chain([at_once, backwards]).chain(alone);
            let mut runs: Vec<EngineRun> = created.flat_map(|run| [run, EngineRun::destroy()]).collect();
            runs.pop();
            Ok(runs)
        },
    },
];

/// What the configuration is at a point of a walk.
struct Walk<'s, 'a> {
    at: &'s Setting<'a>,
    /// The first configuration, and another one if there is any.
    configs: [Option<Value>; 2],
    now: usize,
    /// Whether the object has its other name.
    is_renamed: bool,
    /// Whether a replacement is created before the old object is destroyed.
    is_early: bool,
}

impl Walk<'_, '_> {
    /// Applies the configuration as it is now.
    fn apply(&self) -> EngineRun {
        let config = self.configs[self.now].as_ref().or(self.configs[0].as_ref());
        let config = config.expect("the first configuration is always there");
        let renamed = self.is_renamed.then(|| self.at.renamed(config).ok()).flatten();
        let config = renamed.unwrap_or_else(|| config.clone());
        let block = self.at.block(&config);
        apply([if self.is_early { create_first(block) } else { block }])
    }

    fn next(&mut self, step: usize, before: &[EngineRun]) -> EngineRun {
        let path = step.to_string();
        let key = ChoiceKey { facet: Facet::Scenario, path: &path, purpose: ChoicePurpose::Target };
        let of = self.at.instance();
        match self.at.choices().pick(&key, 8) {
            0 | 1 => {
                self.now = 1 - self.now;
                self.apply()
            }
            2 => self.replaced(),
            3 => self.apply().after(vec![WorldChange::Taint { of }]),
            4 => {
                let options = RunOptions { mode: PlanningMode::RefreshOnly, ..RunOptions::default() };
                EngineRun { options, ..self.apply() }
            }
            5 => {
                let options = RunOptions { without_refresh: true, ..RunOptions::default() };
                EngineRun { options, ..self.apply() }
            }
            // There is nothing to destroy twice.
            6 if before.last().is_some_and(|run| run.options.mode != PlanningMode::Destroy) => {
                EngineRun::destroy()
            }
            6 => self.apply(),
            _ if self.at.renamed(&self.at.config()).is_err() => self.replaced(),
            _ => {
                // Two objects of one name may not exist at once.
                (self.is_early, self.is_renamed) = (true, !self.is_renamed);
                let run = self.replaced();
                self.is_early = false;
                run
            }
        }
    }

    fn replaced(&self) -> EngineRun {
        let options = RunOptions { replace: vec![self.at.instance()], ..RunOptions::default() };
        EngineRun { options, ..self.apply() }
    }
}
