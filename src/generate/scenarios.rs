//! From drafts to scenarios, lazily.

use std::collections::{HashMap, HashSet, VecDeque};
use std::sync::Arc;

use super::choices::{ChoiceKey, ChoicePurpose, Choices, Drawn, Facet};
use super::draft::{Act, DraftStep, Meets, ScenarioDraft, Topic, changed, drawn, turns};
use super::model::NodeId;
use super::obligation::Obligation;
use super::spec::{ConfigSpec, Mask, TypeGenerator};
use super::{Cases, Options, chain};
use crate::scenario::{
    Aims, Arguments, Block, EngineRun, NewValue, ObligationId, Operation, Part, ResourceAddress, Scenario,
    WorldChange,
};
use crate::schema::Kind;
use crate::schema::Schema;
use crate::transcript::{DriftKind, ScenarioLabel};
use crate::value::Value;

/// Scenarios for one managed type or data source, one topic after the other in turn, the simplest first.
/// When a topic runs out the others continue, until every obligation of the type was tried; values that the
/// provider is expected to refuse come last. With `options.cases` there are as many as that: the first ones, or
/// all and then mixes.
///
/// If something that must be set may not be filled, the scenarios only validate and plan.
pub fn scenarios<'s>(
    schema: &'s Schema,
    kind: Kind,
    type_name: &str,
    options: &Options,
) -> impl Iterator<Item = Scenario> + use<'s> {
    let mut scenarios = Scenarios::new(schema, kind, type_name, options);
    scenarios.turns = scenarios.possible_turns();
    scenarios.goes_on = matches!(options.cases, Cases::Number(_));
    scenarios.take(options.cases.most())
}

/// How what comes after the first scenarios of a type is tried.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub enum Manner {
    /// As in the first scenarios.
    #[default]
    Together,
    /// Each obligation in a scenario of its own, so that a stop at one of them does not affect the others.
    OneByOne,
    /// In random combinations, whatever is wanted.
    Mixed,
}

/// Obligations to try again, because a stop or a refusal kept earlier scenarios from reaching them.
#[derive(Debug, Default)]
pub struct Retry {
    /// With the IDs that they have in the run: other facts about the type would give other ones.
    pub wanted: HashMap<Obligation, ObligationId>,
    /// How many scenarios of the type came before.
    pub n_before: u32,
    pub manner: Manner,
}

/// Scenarios for what is to be tried again. Their numbers follow those of earlier scenarios, and there are at most
/// `options.cases` of all together.
pub fn retried<'s>(
    schema: &'s Schema,
    kind: Kind,
    type_name: &str,
    options: &Options,
    retry: Arc<Retry>,
) -> impl Iterator<Item = Scenario> + use<'s> {
    let mut scenarios = Scenarios::new(schema, kind, type_name, options);
    scenarios.turns = scenarios.possible_turns();
    scenarios.generator.is_one_by_one = retry.manner == Manner::OneByOne;
    scenarios.number = retry.n_before;
    let most = options.cases.most().saturating_sub(retry.n_before as usize);
    scenarios.retry = Some(retry);
    scenarios.take(most)
}

/// The scenario that any bytes stand for, for coverage-guided fuzzers. No bytes, or only zeros, are the simplest one.
///
/// Bytes decide what the seed decides elsewhere. [`Mutator`](super::Mutator) changes them a little.
pub fn from_bytes(schema: &Schema, kind: Kind, type_name: &str, options: &Options, bytes: &[u8]) -> Scenario {
    let mut scenarios = Scenarios::new(schema, kind, type_name, options);
    scenarios.number = 1;
    let draft = drawn(&mut Drawn::from_bytes(bytes), &scenarios.generator);
    scenarios.scenario(draft)
}

/// How many updates of one type are shown.
const SHOWN_CHANGES: usize = 6;

/// The few scenarios that show what a type is like, whatever `options.cases` says.
///
/// Everything in them is known from the start, except in one plan with every argument unknown.
pub fn shown(schema: &Schema, kind: Kind, type_name: &str, options: &Options) -> Vec<Scenario> {
    let mut scenarios = Scenarios::new(schema, kind, type_name, options);
    let topic = |topic: Topic, n, number| topic.nth(n, number, &scenarios.generator);
    let mut drafts = vec![topic(Topic::Required, 0, 1), topic(Topic::Everything, 0, 2)];
    if kind == Kind::Resource {
        // Of two the second is the one with everything on.
        let has_both = scenarios.generator.more_than_minimal().is_some();
        // Only the first of its steps is a plan with everything unknown.
        drafts.push(topic(Topic::AllUnknown, usize::from(has_both), 3).map(|draft| cut(draft, 1)));
        let n_changes = if options.apply { SHOWN_CHANGES } else { 0 };
        // The way back shows nothing new.
        drafts.extend((0..n_changes).map(|n| changed(n, &scenarios.generator).map(|draft| cut(draft, 2))));
    }
    let mut shown = Vec::new();
    for (number, draft) in (1..).zip(drafts) {
        scenarios.number = number;
        shown.extend(draft.map(|draft| scenarios.scenario(known(draft))));
    }
    shown
}

/// The draft with only its first steps.
fn cut(mut draft: ScenarioDraft, n_steps: usize) -> ScenarioDraft {
    draft.steps.truncate(n_steps);
    draft
}

/// The draft with everything known that is applied.
fn known(draft: ScenarioDraft) -> ScenarioDraft {
    let known = |step: DraftStep| DraftStep {
        act: match step.act {
            Act::ReachAfter(spec, _) | Act::ReachAfterUnknown(spec) => Act::Reach(spec),
            other => other,
        },
        ..step
    };
    ScenarioDraft { steps: draft.steps.into_iter().map(known).collect(), ..draft }
}

struct Scenarios<'s> {
    generator: TypeGenerator<'s>,
    apply: bool,
    /// Topics that may have more.
    turns: Vec<Topic>,
    /// How many scenarios each topic has had.
    had: Vec<(Topic, usize)>,
    /// The index of the next turn.
    next: usize,
    /// How many scenarios there were about limits, which come after all other topics.
    n_at_limits: usize,
    number: u32,
    /// Whether there are mixes when all topics have run out.
    goes_on: bool,
    retry: Option<Arc<Retry>>,
    /// The next drafts of a retry.
    pending: VecDeque<ScenarioDraft>,
    /// What the drafts of a retry have met so far.
    tried: HashSet<Obligation>,
}

impl Iterator for Scenarios<'_> {
    type Item = Scenario;

    fn next(&mut self) -> Option<Scenario> {
        self.number += 1;
        let draft = match self.retry.clone() {
            Some(retry) if retry.manner == Manner::Mixed => self.mix()?,
            Some(retry) => self.retried(&retry)?,
            None => self.draft()?,
        };
        Some(self.scenario(draft))
    }
}

impl<'s> Scenarios<'s> {
    /// Without a topic.
    fn new(schema: &'s Schema, kind: Kind, type_name: &str, options: &Options) -> Scenarios<'s> {
        Scenarios {
            generator: TypeGenerator::new(schema, kind, type_name, options),
            apply: options.apply,
            turns: Vec::new(),
            had: Vec::new(),
            next: 0,
            n_at_limits: 0,
            number: 0,
            goes_on: false,
            retry: None,
            pending: VecDeque::new(),
            tried: HashSet::new(),
        }
    }

    /// The topics in the order of their turns. Without an apply there are no new objects.
    fn possible_turns(&self) -> Vec<Topic> {
        let turns = turns(self.generator.kind).iter().copied();
        turns.filter(|topic| self.apply || *topic != Topic::Created).collect()
    }

    fn retried(&mut self, retry: &Retry) -> Option<ScenarioDraft> {
        while self.pending.is_empty() {
            let draft = self.draft()?;
            let tried = &mut self.tried;
            let is_wanted = |met: &Obligation| retry.wanted.contains_key(met) && !tried.contains(met);
            let parts = match retry.manner {
                Manner::OneByOne => draft.one_by_one(is_wanted),
                _ if draft.obligations().any(is_wanted) => vec![draft],
                _ => continue,
            };
            for part in parts {
                tried.extend(part.obligations().cloned());
                self.pending.push_back(part);
            }
        }
        self.pending.pop_front()
    }

    fn draft(&mut self) -> Option<ScenarioDraft> {
        let number = u64::from(self.number);
        while !self.turns.is_empty() {
            self.next %= self.turns.len();
            let topic = self.turns[self.next];
            let idx = self.had.iter().position(|(other, _)| *other == topic).unwrap_or_else(|| {
                self.had.push((topic, 0));
                self.had.len() - 1
            });
            let had = &mut self.had[idx].1;
            if let Some(draft) = topic.nth(*had, number, &self.generator) {
                *had += 1;
                self.next += 1;
                return Some(draft);
            }
            let before = self.turns[..self.next].iter().filter(|other| **other == topic).count();
            self.next -= before;
            self.turns.retain(|other| *other != topic);
        }
        if let Some(draft) = Topic::Limits.nth(self.n_at_limits, number, &self.generator) {
            self.n_at_limits += 1;
            return Some(draft);
        }
        if self.goes_on { self.mix() } else { None }
    }

    fn mix(&self) -> Option<ScenarioDraft> {
        Topic::Mix.nth(0, u64::from(self.number), &self.generator)
    }

    fn scenario(&self, draft: ScenarioDraft) -> Scenario {
        let mut runs: Vec<EngineRun> = Vec::new();
        for (idx, step) in draft.steps.iter().enumerate() {
            let mut of_step = self.runs(idx, &step.act, runs.last());
            if let Some(last) = of_step.last_mut() {
                last.aims = self.aims(&step.meets);
                last.parts = self.parts(&step.parts);
            }
            runs.extend(of_step);
        }
        let behaviour = draft.steps.iter().find_map(|step| match step.act {
            Act::Behave(behaviour) => Some(behaviour.name),
            _ => None,
        });
        let kind = match (behaviour, self.generator.kind) {
            (Some(name), _) => name,
            _ if draft.is_at_limit => ScenarioLabel::AT_LIMIT,
            (None, Kind::DataSource) => "data-source",
            (None, _) => "lifecycle",
        };
        let type_name = self.generator.type_name.clone();
        let label = ScenarioLabel {
            type_name,
            kind: kind.to_owned(),
            about: draft.about,
            number: self.number,
            seed: self.generator.seed,
            example: None,
            optional: draft.optional,
        };
        let mut scenario = Scenario::new(label, runs);
        chain::complete(&mut scenario, &self.generator.suppliers);
        scenario
    }

    fn ids<'o>(&self, met: impl IntoIterator<Item = &'o Obligation>) -> Vec<ObligationId> {
        // Nothing exists that could change where nothing is applied.
        let met = met.into_iter().filter(|met| self.apply || !met.kind.needs_object());
        let id = |met| match &self.retry {
            Some(retry) => retry.wanted.get(met).copied(),
            None => self.generator.universe().id(met),
        };
        met.filter_map(id).collect()
    }

    fn aims(&self, meets: &Meets) -> Aims {
        Aims {
            config: self.ids(&meets.config),
            change: self.ids(&meets.change),
            together: self.ids(&meets.together),
        }
    }

    /// Those at the same place become one.
    fn parts(&self, parts: &[(NodeId, Vec<Obligation>)]) -> Vec<Part> {
        let mut grouped: Vec<Part> = Vec::new();
        for (id, met) in parts {
            let (at, aims) = (self.generator.model.value_path(*id), self.ids(met));
            match grouped.iter_mut().find(|part| part.at == at) {
                Some(part) => part.aims.extend(aims),
                None => grouped.push(Part { at, aims }),
            }
        }
        grouped
    }

    /// The configuration of the step before, after its object changed.
    fn drift(&self, kind: DriftKind, to: Option<NewValue>, before: Option<&EngineRun>) -> Vec<EngineRun> {
        // Nothing exists that could drift where nothing was applied.
        let Some(before) = before.filter(|before| !before.only_looks()) else { return Vec::new() };
        let drift = WorldChange::Drift { of: self.address().instance(None), kind, to };
        let blocks = before.blocks.iter().map(|block| Block {
            arguments: Arguments::known(block.arguments.resolved().clone()),
            ..block.clone()
        });
        vec![EngineRun::new(Operation::Apply, blocks.collect()).after(vec![drift])]
    }

    /// The engine runs of a step; `before` is the previous step.
    fn runs(&self, idx: usize, act: &Act, before: Option<&EngineRun>) -> Vec<EngineRun> {
        let number = u64::from(self.number);
        match act {
            Act::Create(_) | Act::Drift(_) | Act::DriftAt(_) | Act::Behave(_) if !self.apply => Vec::new(),
            Act::Behave(behaviour) => behaviour.runs(&self.generator, number).unwrap_or_default(),
            Act::Drift(kind) => self.drift(*kind, None, before),
            Act::DriftAt(place) => match self.generator.drifted(number, *place) {
                to @ Some(_) => self.drift(DriftKind::Change, to, before),
                None => Vec::new(),
            },
            Act::Sweep(spec, mask) => vec![self.look(self.masked(spec, *mask))],
            Act::Reach(spec) => self.reach(Arguments::known(self.generator.config(number, spec))),
            Act::Create(spec) => {
                let mut runs = self.reach(Arguments::known(self.generator.config(number, spec)));
                if before.is_some() {
                    let replaced = || vec![self.address().instance(None)];
                    runs.iter_mut().for_each(|run| run.options.replace = replaced());
                }
                runs
            }
            Act::ReachAfter(spec, mask) => self.reach(self.masked(spec, *mask)),
            Act::ReachAfterUnknown(spec) => {
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
                let n_leaves = self.generator.leaves(config).len().max(1) as u64;
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
        let operation =
            if self.generator.kind == Kind::DataSource { Operation::Validate } else { Operation::Plan };
        self.with(operation, arguments)
    }

    /// If nothing may be applied, the state is synthesised; if a required argument is unknown, or for a data
    /// source that may not be read, the runs only validate and plan.
    fn reach(&self, arguments: Arguments) -> Vec<EngineRun> {
        let is_known = arguments.resolved().is_wholly_known();
        if is_known && self.apply {
            return vec![self.with(Operation::Apply, arguments)];
        }
        if is_known && self.generator.kind == Kind::Resource {
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
        ResourceAddress::new(self.generator.kind, &self.generator.type_name, "a")
    }
}
