//! Learns from a provider's answers how its arguments are to be set.
//!
//! A configuration is asked about; what the diagnostics of a refusal teach becomes facts; the next
//! configuration is built from them. First the smallest configuration is found, stage by stage: one that
//! validates, one that can be planned, one that can be applied. Then it grows to the largest one. A provider block
//! is learned in the same way; to configure the provider with it is to apply it.
//!
//! Who is asked is for the caller to say ([`Oracle`]); nothing here makes a call. The same answers give the
//! same facts.

mod avoid_stop;
mod blame;
mod course;
mod grow;
mod guess;
mod provider_block;
mod refer;
mod required_with;
mod take;
pub mod text;
pub mod transfer;

use std::collections::BTreeSet;
use std::fmt;
use std::future::Future;

use crate::generate::{Cases, Facts, Options, turns_before_pairs};
use crate::scenario::{Operation, Scenario};
use crate::schema::{Kind, Schema};
use crate::transcript::Diagnostic;
use crate::value::Value;

use course::Course;
use guess::Guess;
pub use provider_block::provider_block;
pub use refer::could_refer;

/// Says what a provider answers.
pub trait Oracle: Send {
    /// Plays a scenario of one run.
    fn ask(&mut self, scenario: Scenario) -> impl Future<Output = Answer> + Send;
}

/// What became of a configuration.
#[derive(Clone, Debug, PartialEq)]
pub enum Answer {
    Accepted,
    /// The provider returned errors at a stage.
    Refused {
        at: Operation,
        diagnostics: Vec<Diagnostic>,
    },
    /// The provider returned errors about another object that the question refers to.
    OtherRefused,
    /// It is still being applied: the provider waits for something, mostly for an object that does not exist.
    TooSlow,
    /// The process crashed, hung, or broke the protocol: nothing to learn, and nothing to ask again.
    Broken(String),
}

/// What became known about a type.
#[derive(Clone, Debug)]
pub struct Learned {
    pub facts: Facts,
    /// The furthest stage that a configuration reached.
    pub reached: Option<Operation>,
    /// Questions until a configuration was accepted by validation, or until that was given up.
    pub n_to_solve: u32,
    /// All questions.
    pub n_asked: u32,
    /// The smallest configuration that was applied, with marks where it refers to other resources.
    pub applied: Option<Value>,
    /// Why the next stage was not reached.
    pub stop: Option<Stop>,
    /// The schema paths of the arguments and blocks that were set in a configuration that was accepted.
    pub set: BTreeSet<String>,
    /// How many arguments and blocks the schema has.
    pub n_arguments: u32,
}

/// Why no configuration was found that reaches a stage.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Stop {
    /// Nothing more could be concluded from this complaint.
    Stuck { path: Option<String>, complaint: String },
    /// The rules about arguments contradict each other.
    Contradictory,
    /// Too many questions; the last complaint.
    Budget { complaint: String },
    /// The same configuration came up again and again.
    Cycle { complaint: String },
    /// It is still being applied.
    TooSlow,
    /// The provider broke.
    Broken(String),
    /// The provider asks for something outside: credentials, or a remote system.
    Outside(String),
    /// The provider could not read what it was sent: a defect of ours.
    OurDefect(String),
}

impl Stop {
    /// Whether nothing more is to be asked.
    fn is_last(&self) -> bool {
        matches!(self, Stop::Broken(_) | Stop::TooSlow)
    }
}

impl fmt::Display for Stop {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Stop::Stuck { complaint, .. } => f.write_str(complaint),
            Stop::Contradictory => f.write_str("its rules about arguments contradict each other"),
            Stop::Budget { complaint } => write!(f, "too many attempts; the last answer: {complaint}"),
            Stop::Cycle { complaint } => write!(f, "the same answers again and again: {complaint}"),
            Stop::TooSlow => f.write_str("it takes too long to be applied"),
            Stop::Broken(why) | Stop::Outside(why) => f.write_str(why),
            Stop::OurDefect(why) => write!(f, "a defect of ours: {why}"),
        }
    }
}

/// How many questions each part may take.
#[derive(Clone, Copy, Debug)]
pub struct Budgets {
    /// To find a configuration that validates.
    pub validate: u32,
    /// To find one that can be planned, and one that can be applied.
    pub plan: u32,
    pub apply: u32,
    /// To repair the largest one: once by other values, once by leaving out what is complained of, and twice as many to
    /// find out whose fault a complaint is.
    pub everything: u32,
    /// For each argument that it lacks, for all of them, and how many of those may fail.
    pub leftover: u32,
    pub leftovers: u32,
    pub failures: u32,
    /// For each combination of optional arguments, and for all of them.
    pub pair: u32,
    pub pairs: u32,
}

/// The cost limit of questions about single arguments and about combinations, where a question costs as much as the schema
/// has arguments and blocks: the provider validates each of them.
const COST: usize = 100_000;

/// The most such questions for each scenario that is played.
const PER_SCENARIO: usize = 15;

impl Budgets {
    pub const DEFAULT: Budgets = Budgets {
        validate: 40,
        plan: 15,
        apply: 12,
        everything: 30,
        leftover: 10,
        leftovers: u32::MAX,
        failures: 60,
        pair: 4,
        pairs: u32::MAX,
    };

    /// The same, limited by what `cases` scenarios can make use of and by the `n_nodes` arguments and blocks of the schema.
    /// Without scenarios about pairs, no combination is asked about.
    fn within(self, kind: Kind, cases: Cases, n_nodes: usize) -> Budgets {
        let most = (COST / n_nodes.max(1)).min(cases.most().saturating_mul(PER_SCENARIO));
        let most = u32::try_from(most).unwrap_or(u32::MAX);
        let has_pairs = cases.most() > turns_before_pairs(kind);
        Budgets { leftovers: most, pairs: if has_pairs { most } else { 0 }, ..self }
    }
}

/// The type that is learned about.
#[derive(Clone, Copy)]
pub struct Subject<'s> {
    pub schema: &'s Schema,
    pub kind: Kind,
    pub type_name: &'s str,
    /// The facts so far are among them.
    pub options: &'s Options,
}

/// Finds the smallest configuration that reaches as far as is allowed.
///
/// With suppliers among the options, it refers to one as soon as a value is refused.
pub async fn solve<O: Oracle>(of: Subject<'_>, budgets: Budgets, oracle: &mut O) -> Learned {
    solve_from(Course::new(of, oracle), &of, budgets).await
}

/// The same for a type that stopped at [`Stop::TooSlow`]: it is not applied again without a supplier.
pub async fn solve_slow<O: Oracle>(of: Subject<'_>, budgets: Budgets, oracle: &mut O) -> Learned {
    let mut course = Course::new(of, oracle);
    course.is_slow = true;
    solve_from(course, &of, budgets).await
}

async fn solve_from<O: Oracle>(mut course: Course<'_, '_, O>, of: &Subject<'_>, budgets: Budgets) -> Learned {
    course.guess = Guess::Refused;
    let stop = course.solve(furthest(of), budgets).await.err();
    course.into_learned(stop)
}

/// How far a configuration may be played.
fn furthest(of: &Subject<'_>) -> Operation {
    match (of.kind, of.options.apply) {
        (Kind::Resource, false) => Operation::Plan,
        (_, true) => Operation::Apply,
        (_, false) => Operation::Validate,
    }
}

/// From the smallest configuration, which reached a stage, to the largest one.
pub async fn grow<O: Oracle>(
    of: Subject<'_>,
    reached: Operation,
    budgets: Budgets,
    oracle: &mut O,
) -> Learned {
    let mut course = Course::new(of, oracle);
    course.reached = Some(reached);
    let stop = course.grow(budgets).await.err();
    course.into_learned(stop)
}

/// Looks for a configuration at which an engine does not stop, where it stops at the smallest one. The oracle answers
/// [`Answer::Broken`] if an engine stops.
///
/// What has to be set or left out becomes a rule about arguments, as if the provider demanded it. `reached` is `None` if
/// nothing was found.
pub async fn avoid_stop<O: Oracle>(of: Subject<'_>, oracle: &mut O) -> Learned {
    let mut course = Course::new(of, oracle);
    let stop = course.avoid_stop(furthest(&of)).await.err();
    course.into_learned(stop)
}

/// Looks for the arguments that each one requires, where that shows only while something is planned or applied: a maximum
/// path length that is accepted only for a CA.
///
/// `reached` is `None` if nothing was found.
pub async fn find_required_with<O: Oracle>(of: Subject<'_>, oracle: &mut O) -> Learned {
    let mut course = Course::after_scenarios(of, oracle);
    let stop = course.find_required_with(furthest(&of)).await.err();
    course.into_learned(stop)
}

#[cfg(test)]
mod tests;
