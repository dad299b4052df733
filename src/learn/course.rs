//! The questions about one type, one after the other.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::guess::{Guess, OnTrial};
use super::{Answer, Budgets, Learned, Oracle, Stop, Subject};
use crate::generate::catalogue::lessons;
use crate::generate::chain;
use crate::generate::facts::{Evidence, Facts, PresenceRule};
use crate::generate::lesson::Lesson;
use crate::generate::model::{NodeId, Presence};
use crate::generate::presence::Problem;
use crate::generate::shape::Shape;
use crate::generate::spec::{ConfigSpec, TypeGenerator};
use crate::generate::supplier::Supplier;
use crate::generate::{Options, as_written};
use crate::scenario::{Arguments, Block, EngineRun, Operation, ResourceAddress, Scenario};
use crate::schema::Kind;
use crate::transcript::{Diagnostic, ScenarioLabel};
use crate::value::Value;

/// The numbers of questions, apart from those of scenarios: their words differ. Those that are asked after the scenarios
/// are apart from the others.
const FIRST: u32 = 1_000_000;
const FIRST_AFTER_SCENARIOS: u32 = 2_000_000;

/// How many questions an example itself may take.
const OF_A_WHOLE: u32 = 2;

/// How often one configuration may come up before it counts as a cycle.
const REPEATS: usize = 6;

/// What providers say when what they need is outside of them.
const OUTSIDE: [&str; 8] = [
    "connection refused",
    "no such host",
    "dial tcp",
    "i/o timeout",
    "network is unreachable",
    "context deadline exceeded",
    "server misbehaving",
    "tls: ",
];

/// What they say when they may not use it.
const ACCESS: [&str; 2] = ["credentials", "unauthorized"];

pub(super) struct Course<'s, 'o, O> {
    pub generator: TypeGenerator<'s>,
    /// With the facts so far.
    options: Options,
    pub kind: Kind,
    oracle: &'o mut O,
    pub n_asked: u32,
    /// The number of the first question.
    first: u32,
    /// The stage of the last refusal.
    pub refused_at: Option<Operation>,
    n_to_solve: Option<u32>,
    /// Refusals so far, with those that taught the facts of the start.
    pub n_answers: u32,
    pub reached: Option<Operation>,
    /// Arguments that were refused whatever their value.
    pub avoided: BTreeSet<NodeId>,
    /// How often the facts about an argument were relaxed because no value was left.
    pub relaxed: BTreeMap<String, u32>,
    /// Every complaint so far that nothing could be concluded from.
    pub complaints: BTreeSet<String>,
    /// Rules concluded from prose, which is not always true.
    pub doubtful: BTreeSet<PresenceRule>,
    /// The smallest configuration that was applied.
    applied: Option<Value>,
    /// The suppliers that were tried for arguments.
    pub guesses: BTreeSet<(String, Supplier)>,
    pub on_trial: Option<OnTrial>,
    /// Which suppliers are tried.
    pub guess: Guess,
    /// Whether the next configuration is known to take too long to be applied.
    pub is_slow: bool,
    /// The arguments and blocks that were set in a configuration that was accepted.
    pub set: BTreeSet<NodeId>,
    /// How many refused values of an optional argument are enough to leave it out.
    pub patience: usize,
    /// How many were refused since that was set.
    pub refused: BTreeMap<NodeId, usize>,
}

/// A configuration that is asked about.
pub(super) struct Asked {
    pub shape: Shape,
    pub config: Value,
}

impl<'s, 'o, O: Oracle> Course<'s, 'o, O> {
    pub fn new(of: Subject<'s>, oracle: &'o mut O) -> Course<'s, 'o, O> {
        Course {
            generator: TypeGenerator::new(of.schema, of.kind, of.type_name, of.options),
            options: of.options.clone(),
            kind: of.kind,
            oracle,
            n_asked: 0,
            first: FIRST,
            refused_at: None,
            n_to_solve: None,
            n_answers: of.options.facts.last_answer(),
            reached: None,
            avoided: BTreeSet::new(),
            relaxed: BTreeMap::new(),
            complaints: BTreeSet::new(),
            doubtful: BTreeSet::new(),
            applied: None,
            guesses: BTreeSet::new(),
            on_trial: None,
            guess: Guess::Absent,
            is_slow: false,
            set: BTreeSet::new(),
            patience: usize::MAX,
            refused: BTreeMap::new(),
        }
    }

    /// The same, for questions that are asked after the scenarios.
    pub fn after_scenarios(of: Subject<'s>, oracle: &'o mut O) -> Course<'s, 'o, O> {
        Course { first: FIRST_AFTER_SCENARIOS, ..Course::new(of, oracle) }
    }

    pub fn into_learned(self, stop: Option<Stop>) -> Learned {
        let model = &self.generator.model;
        let n_arguments = model.ids().filter(|id| model.node(*id).presence != Presence::Never).count();
        Learned {
            set: self.set.iter().map(|id| model.node(*id).path.clone()).collect(),
            n_arguments: n_arguments as u32,
            facts: self.options.facts,
            reached: self.reached,
            n_to_solve: self.n_to_solve.unwrap_or(self.n_asked),
            n_asked: self.n_asked,
            applied: self.applied,
            stop,
        }
    }

    /// The smallest configuration that was applied.
    pub fn applied(self) -> Result<Value, Stop> {
        self.applied.ok_or(Stop::Contradictory)
    }

    pub fn options(&self) -> &Options {
        &self.options
    }

    /// The type of the objects that it reads, if it is a data source.
    pub fn reads(&self) -> Option<&str> {
        (self.kind == Kind::DataSource).then_some(&self.generator.type_name)
    }

    pub fn facts(&self) -> &Facts {
        &self.options.facts
    }

    /// Changes the facts, and builds from them from then on.
    pub fn learn(&mut self, change: impl FnOnce(&mut Facts)) {
        change(&mut self.options.facts);
        self.generator.relearn(&self.options);
    }

    /// Finds the smallest configuration, stage by stage, unless the one that an earlier run found is still accepted.
    pub async fn solve(&mut self, furthest: Operation, budgets: Budgets) -> Result<(), Stop> {
        if self.holds_still(furthest).await? {
            return Ok(());
        }
        let stages = [
            (Operation::Validate, budgets.validate),
            (Operation::Plan, budgets.plan),
            (Operation::Apply, budgets.apply),
        ];
        for (stage, budget) in stages.into_iter().filter(|(stage, _)| *stage <= furthest) {
            // What is read from a data source is not planned.
            if stage == Operation::Plan && self.kind != Kind::Resource {
                continue;
            }
            let Asked { shape, config } = self.reach(stage, budget).await?;
            if stage == Operation::Apply {
                self.applied = Some(config);
            }
            self.n_to_solve.get_or_insert(self.n_asked);
            self.reached = Some(stage);
            let paths = shape.paths(&self.generator.model);
            self.learn(|facts| facts.minimal = Some(paths));
        }
        Ok(())
    }

    /// Changes the smallest configuration, and what is known, until it is accepted at a stage.
    async fn reach(&mut self, stage: Operation, budget: u32) -> Result<Asked, Stop> {
        let rules = self.facts().rules.clone();
        let stop = match self.settle(self.generator.minimal.clone(), &BTreeSet::new(), stage, budget).await {
            Err(stop) if !stop.is_last() => stop,
            settled => return settled,
        };
        let shown = self.as_shown(stage, budget, stop).await;
        // What was concluded on the way to nothing may be wrong. What was accepted before holds without it.
        if shown.is_err() && self.reached.is_some() {
            self.learn(|facts| facts.rules = rules);
        }
        shown
    }

    /// Whether the smallest configuration of an earlier run is still accepted. If validation refuses it, what that
    /// run learned is forgotten.
    async fn holds_still(&mut self, furthest: Operation) -> Result<bool, Stop> {
        if !self.facts().is_remembered || self.facts().minimal.is_none() {
            return Ok(false);
        }
        let asked =
            self.asked(self.generator.minimal.clone(), &ConfigSpec::plain(self.generator.minimal.clone()));
        match self.ask(&asked.config, furthest).await? {
            None => {
                self.n_to_solve = Some(self.n_asked);
                self.reached = Some(furthest);
                self.count(&asked.shape);
                Ok(true)
            }
            Some((at, _)) => {
                if at == Operation::Validate {
                    self.n_answers = 0;
                    self.learn(|facts| *facts = Facts::of_written(Arc::clone(&facts.written)));
                }
                self.learn(|facts| facts.is_remembered = false);
                Ok(false)
            }
        }
    }

    /// Starts from what each example shows, where nothing else was accepted; `stop` is why. The last resort is the
    /// example itself.
    async fn as_shown(&mut self, stage: Operation, budget: u32, stop: Stop) -> Result<Asked, Stop> {
        let learned = self.facts().clone();
        for is_whole in [false, true] {
            for example in &learned.written.shown {
                // What was concluded on the way to nothing may be wrong.
                let mut fresh = Facts::of_written(Arc::clone(&learned.written));
                fresh.prefer(example);
                fresh.minimal.clone_from(&learned.minimal);
                if is_whole {
                    let base = as_written(example, &self.generator.model, &self.options);
                    let Some(base) = base else { continue };
                    fresh.base = base;
                }
                self.avoided.clear();
                self.learn(|facts| *facts = fresh);
                let shape = Shape::of(&self.generator.model, &self.generator.store, &example.set);
                let budget = if is_whole { OF_A_WHOLE } else { budget };
                match self.settle(shape, &BTreeSet::new(), stage, budget).await {
                    Err(stop) if stop.is_last() => return Err(stop),
                    Err(_) => {}
                    Ok(asked) if is_whole => return self.released(asked, stage).await,
                    accepted => return accepted,
                }
            }
        }
        self.learn(|facts| *facts = learned);
        Err(stop)
    }

    /// Makes up what the configuration is accepted with anyway, one argument after the other.
    async fn released(&mut self, mut asked: Asked, stage: Operation) -> Result<Asked, Stop> {
        for name in self.facts().base.keys().cloned().collect::<Vec<_>>() {
            let kept = self.facts().base.clone();
            self.learn(|facts| drop(facts.base.remove(&name)));
            let other = self.asked(asked.shape.clone(), &ConfigSpec::plain(asked.shape.clone()));
            match self.ask(&other.config, stage).await {
                Ok(None) => asked = other,
                Err(stop) if stop.is_last() => return Err(stop),
                _ => self.learn(|facts| facts.base = kept),
            }
        }
        Ok(asked)
    }

    /// Changes a shape, and what is known, until it is accepted; `wanted` is what it is for.
    pub async fn settle(
        &mut self,
        shape: Shape,
        wanted: &BTreeSet<NodeId>,
        stage: Operation,
        budget: u32,
    ) -> Result<Asked, Stop> {
        let settled = self.attempts(shape, wanted, stage, budget).await;
        match settled {
            Ok(_) => self.on_trial = None,
            Err(_) => self.acquit(),
        }
        settled
    }

    async fn attempts(
        &mut self,
        mut shape: Shape,
        wanted: &BTreeSet<NodeId>,
        stage: Operation,
        budget: u32,
    ) -> Result<Asked, Stop> {
        let mut came_up: BTreeMap<String, usize> = BTreeMap::new();
        let mut last = String::new();
        let end = self.n_asked + budget;
        while self.n_asked < end {
            shape = match self.solved(&shape, wanted) {
                Err(Stop::Contradictory) if !self.doubtful.is_empty() => {
                    let doubtful = std::mem::take(&mut self.doubtful);
                    self.learn(|known| known.rules.retain(|rule| !doubtful.contains(rule)));
                    self.solved(&shape, wanted)?
                }
                solved => solved?,
            };
            let asked = self.asked(shape.clone(), &ConfigSpec::plain(shape.clone()));
            let times = came_up.entry(asked.config.to_string()).or_default();
            *times += 1;
            if *times > REPEATS {
                return Err(Stop::Cycle { complaint: last });
            }
            let is_slow = stage == Operation::Apply && std::mem::take(&mut self.is_slow);
            if is_slow && self.refer(&[self.silence()], &asked, self.guess) {
                continue;
            }
            let answer = self.ask(&asked.config, stage).await;
            if answer == Err(Stop::TooSlow) && self.refer(&[self.silence()], &asked, self.guess) {
                continue;
            }
            let Some((at, diagnostics)) = answer? else {
                self.accept(&asked.shape);
                return Ok(asked);
            };
            self.refused_at = Some(at);
            let learned = self.lessons(at, &diagnostics, &asked.config)?;
            last = learned.first().map(Lesson::complaint).unwrap_or_default();
            if self.refer(&learned, &asked, self.guess) {
                continue;
            }
            if !self.take(&learned, &asked, &mut shape, wanted)
                && !self.blame(&learned, &asked, &mut shape, wanted, at, end).await?
            {
                let path = learned.iter().find_map(|lesson| lesson.path.clone());
                return Err(Stop::Stuck { path, complaint: last });
            }
        }
        Err(Stop::Budget { complaint: last })
    }

    /// What is to be concluded from no answer: what a value names may not exist.
    fn silence(&self) -> Lesson {
        Lesson {
            path: None,
            template: Stop::TooSlow.to_string(),
            evidence: Evidence { answer: self.n_answers, ..Evidence::default() },
            names_nothing: true,
            edits: Vec::new(),
        }
    }

    /// The lessons of a refusal; fails if there is nothing to learn from it.
    pub fn lessons(
        &mut self,
        at: Operation,
        diagnostics: &[Diagnostic],
        config: &Value,
    ) -> Result<Vec<Lesson>, Stop> {
        self.n_answers += 1;
        let errors: Vec<Diagnostic> = diagnostics.iter().filter(|said| said.is_error()).cloned().collect();
        if at != Operation::Validate
            && let Some(outside) = errors.iter().find(|said| self.is_outside(said))
        {
            return Err(Stop::Outside(format!("{} {}", outside.summary, outside.detail).trim().to_owned()));
        }
        Ok(lessons(&errors, config, &self.generator.model, self.n_answers))
    }

    /// Whether the provider asks for something outside.
    fn is_outside(&self, said: &Diagnostic) -> bool {
        let text = format!("{} {}", said.summary, said.detail).to_lowercase();
        // A provider block without credentials lacks an argument.
        let is_final = self.kind != Kind::Provider;
        OUTSIDE.iter().any(|words| text.contains(words))
            || (is_final && ACCESS.iter().any(|words| text.contains(words)))
    }

    /// The nearest shape in which all known rules hold.
    pub fn solved(&self, shape: &Shape, wanted: &BTreeSet<NodeId>) -> Result<Shape, Stop> {
        let generator = &self.generator;
        let problem = Problem {
            model: &generator.model,
            store: &generator.store,
            rules: &generator.store.rules,
            protected: &|id| wanted.contains(&id),
            avoided: &self.avoided,
        };
        problem.solve(shape).map_err(|_| Stop::Contradictory)
    }

    pub fn asked(&self, shape: Shape, spec: &ConfigSpec) -> Asked {
        let config = self.generator.config(u64::from(self.first + self.n_asked), spec);
        Asked { shape, config }
    }

    /// What the provider says against a configuration, and at which stage; fails if it breaks. It says nothing if it
    /// refused another object that the configuration refers to.
    pub async fn ask(
        &mut self,
        config: &Value,
        stage: Operation,
    ) -> Result<Option<(Operation, Vec<Diagnostic>)>, Stop> {
        self.n_asked += 1;
        let address = ResourceAddress::new(self.kind, &self.generator.type_name, "a");
        let label = ScenarioLabel {
            type_name: self.generator.type_name.clone(),
            kind: "learning".to_owned(),
            about: format!("question {}", self.n_asked),
            number: self.first + self.n_asked,
            seed: self.generator.seed,
            example: None,
            optional: None,
        };
        let block = Block::new(address, Arguments::known(config.clone()));
        let mut scenario = Scenario::new(label, vec![EngineRun::new(stage, vec![block])]);
        chain::complete(&mut scenario, &self.options.suppliers);
        match self.oracle.ask(scenario).await {
            Answer::Accepted => Ok(None),
            Answer::Refused { at, diagnostics } => Ok(Some((at, diagnostics))),
            Answer::OtherRefused => Ok(Some((Operation::Apply, Vec::new()))),
            Answer::TooSlow => Err(Stop::TooSlow),
            Answer::Broken(why) => Err(Stop::Broken(why)),
        }
    }
}
