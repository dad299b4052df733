//! What happens in a run, as a stream of events for several consumers.
//!
//! The order of events depends on the load, because scenarios end in any order. The report does not:
//! findings are printed when their groups are final, at [`Event::RunEnded`], in the order of the report,
//! so that the same seed prints the same findings whatever the load.

use std::time::Duration;

use super::coverage::Learning;
use super::{Effort, Exit, GroupKey, Replays, Report, RunLine};
use crate::generate::obligation::Obligation;
use crate::record::{Evidence, Masked, MaskedFinding, MaskedJudgement};
use crate::rule::Rule;
use crate::scenario::Scenario;
use crate::schema::Kind;

/// How much there is to play, as far as it is known.
#[derive(Clone, Copy, Debug, Default)]
pub struct Expected {
    pub n_scenarios: Option<usize>,
    /// How long scenarios may be played.
    pub most: Option<Duration>,
}

/// Something that happened. Everything in an event is masked.
#[derive(Clone, Copy)]
pub enum Event<'e> {
    /// Scenarios are about to be played.
    RunStarted {
        run: &'e RunLine,
        expected: Expected,
    },
    /// A session for snapshots begins, apart from the one that is judged.
    ShowingStarted {
        provider: &'e str,
    },
    /// Number of scenarios played for snapshots so far.
    Shown {
        n_scenarios: usize,
    },
    /// One more type is done in the search for configurations that the provider accepts. The search comes before
    /// scenarios are played, and has several parts with types of their own.
    Learning {
        n_done: usize,
        n_types: usize,
    },
    /// Number of findings whose cases were shrunk, or played again, so far. This comes after all scenarios.
    Confirming {
        n_done: usize,
        n_findings: usize,
    },
    /// The scenarios of a type are about to be played.
    TypeStarted {
        kind: Kind,
        type_name: &'e str,
        /// What they are to meet; the credits of scenarios are positions in it.
        obligations: &'e [Obligation],
        /// What cannot be met, and why.
        infeasible: &'e [(Obligation, &'static str)],
        learning: Option<Learning>,
    },
    /// A transcript was judged: of a scenario, of the calls that start a provider, or of a file. Its
    /// findings follow.
    Judged(&'e MaskedJudgement<'e>),
    Finding(&'e MaskedFinding<'e>),
    /// A scenario has ended; all of its findings came before.
    ScenarioFinished(&'e MaskedJudgement<'e>),
    /// A bug of ours stopped a scenario.
    Defect {
        message: &'e str,
    },
    /// A scenario has no result because the remote system is gone or could not be reset, or because the time of the run
    /// is over.
    NotJudged {
        why: &'e Masked<String>,
        /// Whether what it needs is gone.
        is_lost: bool,
    },
    /// A process ended, and no single call is to blame.
    Crash {
        rule: &'static Rule,
        cause: &'e Masked<String>,
        evidence: &'e Masked<Evidence>,
    },
    /// The case of a group was made smaller: one that shows it was played alone in new processes.
    Shrunk {
        group: &'e [GroupKey],
        judged: &'e MaskedJudgement<'e>,
        /// What it took to find it.
        effort: Effort,
    },
    /// A case of a group was played again.
    Replayed {
        group: &'e GroupKey,
        replays: Replays,
    },
    /// A finding appears only if these scenarios are played beside its own, at the same time in one process.
    NeedsBeside {
        group: &'e [GroupKey],
        beside: &'e [Masked<Scenario>],
    },
    /// Something that a user should know about the run.
    Note(&'e Masked<String>),
    /// The provider returned its schema but cannot be used further; a note says why.
    Unusable,
    /// Playing has ended.
    PlayEnded,
    /// Every finding is in its group.
    RunEnded(&'e Report),
    /// The exit code and the result of snapshots are known, too.
    Concluded {
        report: &'e Report,
        exit: Exit,
    },
}

/// Receives events: one at a time, in the order in which they happen.
pub trait Consumer {
    fn consume(&self, event: Event<'_>);
}

/// Passes every event on to several consumers.
pub struct Fanout<'c>(pub Vec<&'c dyn Consumer>);

impl Consumer for Fanout<'_> {
    fn consume(&self, event: Event<'_>) {
        for consumer in &self.0 {
            consumer.consume(event);
        }
    }
}

/// Sends the events of a judged transcript: the judgement, each finding, and the end if a scenario was played.
pub fn send_judged(judged: &MaskedJudgement<'_>, consumer: &dyn Consumer) {
    consumer.consume(Event::Judged(judged));
    for finding in judged.findings() {
        consumer.consume(Event::Finding(&finding));
    }
    if judged.ended().is_some() {
        consumer.consume(Event::ScenarioFinished(judged));
    }
}
