//! What became of the obligations that runs were to meet.

use super::End;
use crate::rule::failed;
use crate::scenario::{EngineRun, ObligationId};
use crate::transcript::Diagnostic;

/// What became of some obligations in one run.
#[derive(Clone, Debug, PartialEq)]
pub struct Credit {
    pub ids: Vec<ObligationId>,
    pub met: Met,
    pub why: Why,
}

/// What became of an obligation, the best first.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Met {
    /// The provider accepted it, and the answers were judged.
    Exercised,
    /// The provider answered with an error.
    Refused,
    /// It cannot be done with this type.
    Infeasible,
    /// Something else prevented it.
    Blocked,
}

/// Why an obligation was not exercised.
#[derive(Clone, Debug, PartialEq)]
pub enum Why {
    /// It was.
    Exercised,
    /// A run ended like this.
    Ended(End),
    /// The remote system does not allow it, with the hook's reason.
    Impossible(String),
}

/// What became of what the provider refused. Where its remote system cannot be reached, nobody was asked.
pub(super) fn refused(end: &End) -> (Met, Why) {
    let is_unreachable = |said: &Diagnostic| said.is_error() && failed::is_unreachable(&said.line());
    let met = match end {
        End::Refused { diagnostics, .. } if diagnostics.iter().any(is_unreachable) => Met::Blocked,
        _ => Met::Refused,
    };
    (met, Why::Ended(end.clone()))
}

/// The credits of a scenario.
#[derive(Debug)]
pub(super) struct Credits {
    given: Vec<Credit>,
    /// What became of the run before; nothing is missing before the first.
    before: (Met, Why),
    /// Whether the run that is played was refused with unknown values, and accepted with known ones.
    accepts_known: bool,
}

impl Default for Credits {
    fn default() -> Credits {
        Credits { given: Vec::new(), before: (Met::Exercised, Why::Exercised), accepts_known: false }
    }
}

impl Credits {
    pub fn into_given(self) -> Vec<Credit> {
        self.given
    }

    /// Gives the same credit for several obligations.
    pub fn give<'i>(&mut self, ids: impl IntoIterator<Item = &'i ObligationId>, (met, why): (Met, Why)) {
        let ids: Vec<ObligationId> = ids.into_iter().copied().collect();
        if !ids.is_empty() {
            self.given.push(Credit { ids, met, why });
        }
    }

    /// A run begins.
    pub fn begin(&mut self) {
        self.accepts_known = false;
    }

    /// The run that is played was refused only because of its unknown values: the same arguments were accepted with
    /// known ones.
    pub fn accept_known(&mut self) {
        self.accepts_known = true;
    }

    /// Gives credit for a run that was played. Without parts it says nothing about them.
    pub fn settle(&mut self, run: &EngineRun, became: (Met, Why)) {
        let EngineRun { aims, parts, .. } = run;
        let change = if became.0 == Met::Exercised { self.before.clone() } else { became.clone() };
        // A refusal may be due to any of them, and so may the end of the scenario.
        let together = match std::mem::take(&mut self.accepts_known) || became.0 == Met::Exercised {
            true => (Met::Exercised, Why::Exercised),
            false => (Met::Blocked, became.1.clone()),
        };
        self.give(&aims.config, became.clone());
        self.give(&aims.change, change);
        self.give(&aims.together, together);
        if !matches!(became.1, Why::Ended(End::Refused { .. })) {
            self.give(parts.iter().flat_map(|part| &part.aims), became.clone());
        }
        // What the remote system does not allow leaves everything as it was.
        if became.0 != Met::Infeasible {
            self.before = became;
        }
    }

    /// Gives credit for runs that were not played because the scenario ended.
    pub fn leave_out<'r>(&mut self, runs: impl IntoIterator<Item = &'r EngineRun>, end: &End) {
        self.begin();
        for run in runs {
            self.settle(run, (Met::Blocked, Why::Ended(end.clone())));
        }
    }
}
