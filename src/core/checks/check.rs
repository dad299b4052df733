//! What a check is, and checks that several lists share.

use std::fmt;

use crate::core::nonconforming::nonconforming;
use crate::core::problem::Problem;
use crate::engine::Engine;
use crate::schema::Block;
use crate::value::{AttributePath, Type, Value};

/// What a check looks at. A kind appears at most once in a list, and once in all lists for one answer.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum CheckKind {
    /// The work is not deferred: we never allow deferral.
    NotDeferred,
    /// The value conforms to the schema in ways that its type cannot express.
    Conforms,
    WriteOnlyNull,
    WhollyKnown,
    /// There is an object if and only if there must be.
    Presence,
    /// The plan follows from the configuration.
    PlanValid,
    /// The paths that require replacement exist.
    ReplacePaths,
    /// The final plan has the action of the initial plan.
    FinalAction,
    /// The final plan keeps what the initial one knew.
    FinalState,
    /// The result is one the plan allows.
    Compatible,
}

impl CheckKind {
    /// How many kinds there are, for tables with one entry for each.
    pub const COUNT: usize = CheckKind::Compatible as usize + 1;
}

/// One check of an answer. `F` takes the step to check, and returns every problem.
#[derive(Debug)]
pub struct EngineCheck<F> {
    pub kind: CheckKind,
    /// The contract entries that it covers.
    pub covers: &'static [&'static str],
    pub(super) titles: Titles,
    /// Whether the legacy flag in the answer makes an engine only log it.
    pub is_excused: bool,
    pub(super) made_by: fn(Engine) -> bool,
    pub(super) stops: Words,
    pub find: F,
}

/// The title of the diagnostic, which differs between engines.
#[derive(Debug)]
pub struct Titles {
    pub(super) terraform: &'static str,
    pub(super) opentofu: &'static str,
}

/// What a report says about a run that stopped at a check.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Words {
    /// Only this text.
    Whole(&'static str),
    /// This text, then the place and the problem.
    At(&'static str),
}

pub(super) const DEFERRED: Words = Words::Whole("the provider deferred although it was not allowed to");

impl<F> EngineCheck<F> {
    /// The title of the diagnostic that `engine` shows; Terraform's if the engine is strict.
    pub fn title(&self, engine: Engine) -> &'static str {
        if engine.is_opentofu() { self.titles.opentofu } else { self.titles.terraform }
    }

    pub fn is_made_by(&self, engine: Engine) -> bool {
        (self.made_by)(engine)
    }
}

/// The checks of one step, in the order in which engines make them.
#[derive(Debug)]
pub struct CheckList<F: 'static> {
    /// The step, as a slug: `destroy-plan`.
    pub step: &'static str,
    pub checks: &'static [EngineCheck<F>],
}

impl<F> CheckList<F> {
    /// The check of a kind.
    ///
    /// # Panics
    /// If the list has none of the kind: lists are fixed.
    pub fn get(&self, kind: CheckKind) -> &EngineCheck<F> {
        let found = self.checks.iter().find(|check| check.kind == kind);
        found.unwrap_or_else(|| panic!("{} has no check {kind:?}", self.step))
    }

    /// The stop at the first check of `engine` that finds a problem.
    pub(super) fn stop(
        &self,
        engine: Engine,
        legacy: bool,
        call: impl Fn(&F) -> Vec<Problem>,
    ) -> Option<EngineStop> {
        let made =
            self.checks.iter().filter(|check| check.is_made_by(engine) && !(legacy && check.is_excused));
        made.filter_map(|check| {
            let problem = call(&check.find).into_iter().next()?;
            Some(EngineStop { kind: check.kind, title: check.title(engine), problem, words: check.stops })
        })
        .next()
    }
}

/// Why an engine stops at an answer. Displayed as a fragment for a report: "the plan is invalid at a: …".
#[derive(Clone, Debug, PartialEq)]
pub struct EngineStop {
    pub kind: CheckKind,
    /// The title of the diagnostic that the engine shows.
    pub title: &'static str,
    /// The first problem that the check found.
    pub problem: Problem,
    pub(super) words: Words,
}

impl fmt::Display for EngineStop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self.words {
            Words::Whole(words) => f.write_str(words),
            Words::At(words) => write!(f, "{words} at {}: {}", self.problem.path, self.problem.message),
        }
    }
}

pub(super) fn every(_: Engine) -> bool {
    true
}

pub(super) fn deferral(is_deferred: bool) -> Vec<Problem> {
    let problem = || Problem::new(&AttributePath::root(), "DEFER-001", "the provider deferred");
    is_deferred.then(problem).into_iter().collect()
}

pub(super) fn conformance(block: &Block, value: &Value, covers: &'static str) -> Vec<Problem> {
    let problem = |path: &AttributePath| {
        let found = value.at(path).map_or("something else", |found| kind(found.ty()));
        Problem::new(path, covers, format!("found {found} where nested blocks are expected"))
    };
    nonconforming(block, value).iter().map(problem).collect()
}

/// The kind of a type alone: the attributes of an object may be named by a secret's keys.
fn kind(ty: &Type) -> &'static str {
    match ty {
        Type::String => "a string",
        Type::Number => "a number",
        Type::Bool => "a bool",
        Type::List(_) => "a list",
        Type::Set(_) => "a set",
        Type::Map(_) => "a map",
        Type::Tuple(_) => "a tuple",
        Type::Object(_) => "an object of another type",
        Type::Dynamic => "something else",
    }
}

/// One problem for each unknown in a value that must be wholly known.
pub(super) fn unknowns(value: &Value, covers: &'static str) -> Vec<Problem> {
    let mut found = Vec::new();
    value.walk(&mut |path, value| {
        if value.is_unknown() {
            found.push(Problem::new(path, covers, "the value is unknown"));
        }
        !value.is_wholly_known()
    });
    found
}
