//! Random configurations of every type, taken through create and update as an engine would, and
//! checked by the engine's own algorithms at every step.

use std::cell::RefCell;

use proptest::prelude::*;
use proptest::test_runner::{Config, TestCaseError, TestRunner};

use super::driver::{Driver, Stored};
use crate::core::{
    Action, ApplyStep, Circumstances, FinalPlanStep, PlanStep, PlannedChange, assert_sets_paired,
};
use crate::engine::Engine;
use crate::reference::computed_values::hash;
use crate::reference::schema::definitions;
use crate::schema::strategy::configs;
use crate::schema::{Block, Member};
use crate::transcript::PlanResourceChangeResponse;
use crate::value::{PathStep, Type, Value};

/// A configuration as it may look before everything in it is known.
fn blurred(block: &Block, config: &Value, seed: u64) -> Value {
    config.transform(&mut |path, value| {
        let chance = hash(&[&seed.to_string(), &path.to_string()]) % 12;
        let at_name = matches!(path.steps().last(), Some(PathStep::Attribute(_)));
        match block.find(path) {
            Some(Member::Attribute(attribute)) if at_name && attribute.is_configurable() && chance == 0 => {
                Value::unknown(attribute.ty())
            }
            Some(Member::Block(nested)) if path.steps().len() == 1 && chance == 1 => {
                Value::unknown(nested.implied_type())
            }
            _ => value,
        }
    })
}

/// How a user might change one configuration towards another: most members stay, some become the
/// other's, sets take elements of both, and in those some members are left to the provider.
fn edited(block: &Block, from: &Value, to: &Value, seed: u64) -> Value {
    let chance = |what: &str, n: u64| hash(&[&seed.to_string(), what]) % n;
    let members: Vec<Value> = from
        .attributes()
        .zip(to.attributes())
        .map(|((name, old), (_, new))| match (old.ty(), old.elements(), new.elements()) {
            _ if chance(name, 4) == 0 => new.clone(),
            (Type::Set(element), Some(olds), Some(news)) if element.as_object().is_some() => {
                let some = olds.iter().chain(news).filter(|e| chance(&e.to_string(), 4) != 0);
                let left_out = |element: &Value| {
                    element.transform(&mut |path, value| {
                        let path = path.to_string();
                        match block.attribute(name).is_none() && path == "path" && chance(&path, 2) == 0 {
                            true => Value::null(value.ty().clone()),
                            false => value,
                        }
                    })
                };
                Value::set(Type::clone(element), some.map(left_out).collect())
            }
            _ => old.clone(),
        })
        .collect();
    Value::object_of(from.ty(), members)
}

struct Play<'d> {
    driver: &'d Driver,
}

type Checked<T> = Result<T, TestCaseError>;

impl Play<'_> {
    fn block(&self) -> &Block {
        &self.driver.schema().block
    }

    /// A plan that every engine accepts, and the action that follows from it.
    fn plan(
        &self,
        prior: Option<&Stored>,
        config: &Value,
    ) -> Checked<(PlanResourceChangeResponse, PlannedChange)> {
        let response = self.driver.plan(prior, config);
        prop_assert_eq!(&response.diagnostics, &vec![]);
        let null = self.driver.schema().null();
        let before = prior.map_or(&null, |prior| &prior.state);
        let state = response.planned_state.value().expect("a decoded plan").clone();
        let step = |engine| PlanStep {
            engine,
            block: self.block(),
            prior: before,
            config,
            planned: &state,
            requires_replace: response.requires_replace.iter().map(|path| path.to_path()).collect(),
            is_deferred: response.deferred.is_some(),
            // What the flag would excuse counts as wrong here.
            is_legacy: false,
        };
        for engine in [Engine::OpenTofu, Engine::Terraform] {
            let step = step(engine);
            prop_assert_eq!(step.stop(), None);
            prop_assert_eq!(assert_sets_paired(self.block(), before, config, &state, engine), vec![]);
            let n_kept = step.required_replaces().kept.len();
            let paths = &step.requires_replace;
            prop_assert_eq!(n_kept, paths.len(), "paths without a change: {:?}", paths);
        }
        let action = step(Engine::Terraform).action(Circumstances::default());
        let again = self.driver.plan(prior, config);
        prop_assert_eq!(again.planned_state.value(), Some(&state));
        prop_assert_eq!(&again.planned_private, &response.planned_private);
        Ok((response, PlannedChange { action, state }))
    }

    /// Plans with unknowns, plans again without, applies, and checks the results.
    fn bring_to(&self, prior: Option<&Stored>, config: &Value, seed: u64) -> Checked<Stored> {
        let early = blurred(self.block(), config, seed);
        prop_assert_eq!(self.driver.validate(&early), vec![]);
        prop_assert_eq!(self.driver.validate(config), vec![]);
        let (_, mut initial) = self.plan(prior, &early)?;
        let mut prior = prior;
        if initial.action.is_replace() {
            // The old object is gone before the final plan of its successor.
            self.driver.destroy(prior.expect("only what exists is replaced"));
            prior = None;
            initial = PlannedChange { action: initial.action, state: self.plan(None, &early)?.1.state };
        }
        let (response, last) = self.plan(prior, config)?;
        let engine = Engine::Terraform;
        let step = FinalPlanStep { engine, block: self.block(), initial: &initial, last: &last };
        prop_assert_eq!(step.stop(), None);
        if last.action == Action::NoOp {
            return Ok(prior.expect("nothing comes of nothing").clone());
        }
        let applied = self.driver.apply(prior, config, &response);
        prop_assert_eq!(&applied.diagnostics, &vec![]);
        let state = applied.new_state.value().expect("a decoded state").clone();
        let step = ApplyStep {
            engine,
            block: self.block(),
            planned: &last.state,
            new: &state,
            has_failed: false,
            is_legacy: false,
        };
        prop_assert_eq!(step.stop(), None);
        let stored = Stored { state, private: applied.private, identity: applied.new_identity };
        self.driver.assert_settled(&stored, config);
        Ok(stored)
    }
}

/// A small part of the usual number of cases for each type; `PROPTEST_CASES` raises both.
fn assert_lives(protocol: u8) {
    let n_cases = Config::default().cases.div_ceil(32);
    for (type_name, definition) in definitions(protocol) {
        let driver = RefCell::new(Driver::new(protocol, &type_name));
        let block = &definition.schema.block;
        let mut runner = TestRunner::new(Config { cases: n_cases, ..Config::default() });
        let lives = (configs(block, false), configs(block, false), any::<u64>());
        let outcome = runner.run(&lives, |(first, second, seed)| {
            let driver = driver.borrow();
            let play = Play { driver: &driver };
            let created = play.bring_to(None, &first, seed)?;
            let updated = play.bring_to(Some(&created), &second, seed.wrapping_add(1))?;
            let third = edited(block, &second, &first, seed);
            let edited = play.bring_to(Some(&updated), &third, seed.wrapping_add(2))?;
            driver.destroy(&edited);
            Ok(())
        });
        if let Err(failure) = outcome {
            panic!("{type_name} of protocol {protocol}: {failure}");
        }
    }
}

#[test]
fn random_lives_of_protocol_5_satisfy_every_engine() {
    assert_lives(5);
}

#[test]
fn random_lives_of_protocol_6_satisfy_every_engine() {
    assert_lives(6);
}
