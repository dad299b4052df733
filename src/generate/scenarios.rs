//! From drafts to scenarios, lazily.

use super::Options;
use super::choices::{ChoiceKey, ChoicePurpose, Choices, Facet};
use super::draft::{Class, DATA, DraftStep, MANAGED, ScenarioDraft};
use super::spec::{ConfigSpec, Mask, TypeGenerator};
use crate::scenario::{Arguments, Block, EngineRun, Operation, ResourceAddress, Scenario, WorldChange};
use crate::schema::Kind;
use crate::schema::Schema;
use crate::transcript::ScenarioLabel;
use crate::value::Value;

/// Scenarios for one managed type or data source: `options.cases` of them, one class after
/// the other in turn, the simplest first. When a class runs out the others continue; when all have,
/// the rest are mixes.
///
/// If something that must be set may not be filled, the scenarios only validate and plan.
pub fn scenarios<'s>(
    schema: &'s Schema,
    kind: Kind,
    type_name: &str,
    options: &Options,
) -> impl Iterator<Item = Scenario> + use<'s> {
    let classes = if kind == Kind::DataSource { DATA } else { MANAGED };
    Scenarios {
        generator: TypeGenerator::new(schema, type_name, options),
        kind,
        apply: options.apply,
        turns: classes.iter().map(|class| (*class, 0)).collect(),
        next: 0,
        number: 0,
    }
    .take(options.cases)
}

/// How many updates of one type are shown.
const SHOWN_CHANGES: usize = 6;

/// The few scenarios that show what a type is like, whatever `options.cases` says.
///
/// Everything in them is known from the start, except in one plan with every argument unknown.
pub fn shown(schema: &Schema, kind: Kind, type_name: &str, options: &Options) -> Vec<Scenario> {
    let mut scenarios = Scenarios {
        generator: TypeGenerator::new(schema, type_name, options),
        kind,
        apply: options.apply,
        turns: Vec::new(),
        next: 0,
        number: 0,
    };
    let n_changes = if options.apply { SHOWN_CHANGES } else { 0 };
    let mut classes = vec![(Class::Required, 0), (Class::Everything, 0)];
    if kind == Kind::Resource {
        // Of two the second is the one with everything on.
        let has_both = scenarios.generator.more_than_minimal().is_some();
        classes.push((Class::AllUnknown, usize::from(has_both)));
        classes.extend((0..n_changes).map(|n| (Class::Change, n)));
    }
    let mut shown = Vec::new();
    for (number, (class, n)) in (1..).zip(classes) {
        scenarios.number = number;
        let draft = class.nth(n, u64::from(number), &scenarios.generator);
        shown.extend(draft.map(|draft| scenarios.scenario(plainly(draft, class))));
    }
    shown
}

/// The draft without random unknowns.
fn plainly(mut draft: ScenarioDraft, class: Class) -> ScenarioDraft {
    match class {
        Class::AllUnknown => draft.steps.truncate(1),
        // The way back shows nothing new.
        Class::Change => draft.steps.truncate(2),
        _ => {}
    }
    let known = |step| match step {
        DraftStep::ReachAfter(spec, _) | DraftStep::ReachAfterUnknown(spec) => DraftStep::Reach(spec),
        other => other,
    };
    ScenarioDraft { steps: draft.steps.into_iter().map(known).collect(), ..draft }
}

struct Scenarios<'s> {
    generator: TypeGenerator<'s>,
    kind: Kind,
    apply: bool,
    /// Classes that may have more, and how many each has yielded.
    turns: Vec<(Class, usize)>,
    /// The index of the next class.
    next: usize,
    number: u32,
}

impl Iterator for Scenarios<'_> {
    type Item = Scenario;

    fn next(&mut self) -> Option<Scenario> {
        self.number += 1;
        let draft = self.draft();
        Some(self.scenario(draft))
    }
}

impl Scenarios<'_> {
    fn draft(&mut self) -> ScenarioDraft {
        while !self.turns.is_empty() {
            self.next %= self.turns.len();
            let (class, had) = &mut self.turns[self.next];
            if let Some(draft) = class.nth(*had, u64::from(self.number), &self.generator) {
                *had += 1;
                self.next += 1;
                return draft;
            }
            self.turns.remove(self.next);
        }
        Class::Mix.nth(0, u64::from(self.number), &self.generator).expect("there is always another mix")
    }

    fn scenario(&self, draft: ScenarioDraft) -> Scenario {
        let mut runs: Vec<EngineRun> = Vec::new();
        for (idx, step) in draft.steps.iter().enumerate() {
            runs.extend(self.runs(idx, step, runs.last()));
        }
        let label = if self.kind == Kind::DataSource { "data-source" } else { "lifecycle" };
        let type_name = self.generator.type_name.clone();
        let label = ScenarioLabel {
            type_name,
            kind: label.to_owned(),
            about: draft.about,
            number: self.number,
            seed: self.generator.seed,
        };
        Scenario::new(label, runs)
    }

    /// The engine runs of a step; `before` is the previous step.
    fn runs(&self, idx: usize, step: &DraftStep, before: Option<&EngineRun>) -> Vec<EngineRun> {
        let number = u64::from(self.number);
        match step {
            DraftStep::Drift(_) if !self.apply => Vec::new(),
            DraftStep::Drift(kind) => {
                // Nothing exists that could drift where nothing was applied.
                let Some(before) = before.filter(|before| !before.only_looks()) else { return Vec::new() };
                let drift = WorldChange::Drift { of: self.address().instance(None), kind: *kind };
                let blocks = before.blocks.iter().map(|block| Block {
                    arguments: Arguments::known(block.arguments.resolved().clone()),
                    ..block.clone()
                });
                vec![EngineRun::new(Operation::Apply, blocks.collect()).after(vec![drift])]
            }
            DraftStep::Sweep(spec, mask) => vec![self.look(self.masked(spec, *mask))],
            DraftStep::Reach(spec) => self.reach(Arguments::known(self.generator.config(number, spec))),
            DraftStep::ReachAfter(spec, mask) => self.reach(self.masked(spec, *mask)),
            DraftStep::ReachAfterUnknown(spec) => {
                let config = self.generator.config(number, spec);
                let mut choices = self.generator.choices(number, spec);
                // Each step of a scenario makes different places unknown.
                choices.seed = choices.seed.wrapping_add(1 + idx as u64);
                self.reach(match self.unknown(&config, &mut choices) {
                    Some(unknown) => Arguments::with_upstream(unknown, config),
                    None => Arguments::known(config),
                })
            }
        }
    }

    /// The configuration with the masked places unknown at first.
    fn masked(&self, spec: &ConfigSpec, mask: Mask) -> Arguments {
        let number = u64::from(self.number);
        let config = self.generator.config(number, spec);
        let mut choices = self.generator.choices(number, spec);
        let unknown = self.generator.unknown(&config, mask, &mut choices);
        Arguments::with_upstream(unknown, config)
    }

    /// What the configuration looks like at first; `None` if no place became unknown.
    fn unknown(&self, config: &Value, choices: &mut dyn Choices) -> Option<Value> {
        if !config.is_wholly_known() {
            return None;
        }
        let key = |path, purpose| ChoiceKey { facet: Facet::Unknown, path, purpose };
        let mask = match choices.pick(&key("", ChoicePurpose::Variant), 5) {
            0 => return None,
            1 => {
                let n_leaves = self.generator.n_leaves(config).max(1) as u64;
                Mask::Leaf(choices.pick(&key("", ChoicePurpose::Target), n_leaves) as usize)
            }
            2 => Mask::All,
            _ => Mask::Some,
        };
        let unknown = self.generator.unknown(config, mask, choices);
        (!unknown.is_wholly_known()).then_some(unknown)
    }

    /// Only validates and plans a configuration.
    fn look(&self, arguments: Arguments) -> EngineRun {
        let operation = if self.kind == Kind::DataSource { Operation::Validate } else { Operation::Plan };
        self.with(operation, arguments)
    }

    /// If nothing may be applied, the state is synthesised; if a required argument is unknown, or for a data
    /// source that may not be read, the runs only validate and plan.
    fn reach(&self, arguments: Arguments) -> Vec<EngineRun> {
        let is_known = arguments.resolved().is_wholly_known();
        if is_known && self.apply {
            return vec![self.with(Operation::Apply, arguments)];
        }
        if is_known && self.kind == Kind::Resource {
            return vec![self.with(Operation::Synthesise, arguments)];
        }
        let resolved = Arguments::known(arguments.resolved().clone());
        let again = arguments.has_upstream().then(|| self.look(resolved));
        [self.look(arguments)].into_iter().chain(again).collect()
    }

    fn with(&self, operation: Operation, arguments: Arguments) -> EngineRun {
        EngineRun::new(operation, vec![Block::new(self.address(), arguments)])
    }

    fn address(&self) -> ResourceAddress {
        ResourceAddress::new(self.kind, &self.generator.type_name, "a")
    }
}
