//! What all visits of a scenario share: the provider and the log.

use std::collections::BTreeMap;
use std::sync::atomic::{AtomicU32, Ordering};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use super::credits::Credits;
use super::drawing::Walked;
use super::walks::{self, Spot, Walk};
use super::{Options, Reached, Remote};
use crate::provider::pool::Pool;
use crate::scenario::{EngineRun, Scenario};
use crate::schema::Kind;
use crate::transcript::{DriftKind, Exchange, ExchangeId, Purpose, Subject};

/// What a scenario is played with.
pub(super) struct Player<'p, E> {
    pub subject: &'p Arc<Subject>,
    pub pool: &'p Pool<E>,
    pub remote: Option<&'p dyn Remote>,
    pub options: &'p Options,
    /// What the scenario is about; nothing if all its blocks count.
    about: Option<(Kind, &'p str)>,
    log: Mutex<Log>,
    n_asked: AtomicU32,
}

/// The results of the calls so far.
#[derive(Default)]
pub(super) struct Log {
    pub exchanges: Vec<Exchange>,
    /// Where each exchange was made.
    spots: Vec<Spot>,
    pub reached: Reached,
    pub impossible: Vec<Impossible>,
    /// Whether objects may exist that are in no state.
    pub leaves_something: bool,
    pub credits: Credits,
    pub walked: Vec<Walked>,
    pub walks: Vec<Walk>,
    /// What was played in place of refused runs, by their index: their parts.
    pub parts: Vec<(usize, EngineRun)>,
}

/// A change of a remote object that could not be made.
pub(super) struct Impossible {
    pub kind: DriftKind,
    /// The attribute that was to change.
    pub at: Option<String>,
    pub why: String,
}

impl<'p, E> Player<'p, E> {
    pub fn new(
        subject: &'p Arc<Subject>,
        pool: &'p Pool<E>,
        remote: Option<&'p dyn Remote>,
        options: &'p Options,
        scenario: &'p Scenario,
    ) -> Player<'p, E> {
        let about = scenario.kind().map(|kind| (kind, scenario.label.type_name.as_str()));
        let (log, n_asked) = (Mutex::default(), AtomicU32::new(0));
        Player { subject, pool, remote, options, about, log, n_asked }
    }

    /// Notes how far an object got, if it is of the type that the scenario is about. Others are there for its sake.
    pub fn reach(&self, kind: Kind, type_name: &str, note: impl FnOnce(&mut Reached)) {
        if self.about.is_none_or(|about| about == (kind, type_name)) {
            note(&mut self.log().reached);
        }
    }

    /// The ID of the next exchange.
    pub fn next_id(&self) -> ExchangeId {
        ExchangeId(self.n_asked.fetch_add(1, Ordering::Relaxed))
    }

    pub fn log(&self) -> MutexGuard<'_, Log> {
        self.log.lock().unwrap_or_else(PoisonError::into_inner)
    }

    pub fn into_log(self) -> Log {
        self.log.into_inner().unwrap_or_else(PoisonError::into_inner).sorted()
    }
}

impl Log {
    /// Appends the exchanges of one visit, in its order.
    pub fn record(&mut self, spot: Spot, exchanges: Vec<Exchange>) {
        self.spots.extend(exchanges.iter().map(|_| spot));
        self.exchanges.extend(exchanges);
    }

    /// The exchanges as if one vertex had been visited at a time: the order of concurrent calls
    /// does not depend on how fast they were answered.
    fn sorted(mut self) -> Log {
        let is_numbered = |(idx, exchange): (usize, &Exchange)| exchange.id.0 as usize == idx;
        if self.spots.is_sorted() && self.exchanges.iter().enumerate().all(is_numbered) {
            walks::number(&mut self.walks, &self.spots);
            return self;
        }
        let spots = std::mem::take(&mut self.spots);
        let mut placed: Vec<(Spot, Exchange)> = spots.into_iter().zip(self.exchanges).collect();
        placed.sort_by_key(|(spot, exchange)| (*spot, exchange.id));
        self.spots = placed.iter().map(|(spot, _)| *spot).collect();
        walks::number(&mut self.walks, &self.spots);
        let ids: BTreeMap<ExchangeId, ExchangeId> =
            placed.iter().enumerate().map(|(idx, (_, old))| (old.id, ExchangeId(idx as u32))).collect();
        self.exchanges = placed
            .into_iter()
            .map(|(_, exchange)| Exchange {
                id: ids[&exchange.id],
                purpose: renumbered(exchange.purpose, &ids),
                ..exchange
            })
            .collect();
        self
    }
}

fn renumbered(purpose: Purpose, ids: &BTreeMap<ExchangeId, ExchangeId>) -> Purpose {
    match purpose {
        Purpose::Repeat { of } => Purpose::Repeat { of: ids[&of] },
        Purpose::FinalPlan { initial } => Purpose::FinalPlan { initial: ids[&initial] },
        Purpose::ReplaceCreate { first } => Purpose::ReplaceCreate { first: ids[&first] },
        Purpose::NothingChanged { after } => Purpose::NothingChanged { after: ids[&after] },
        Purpose::RoundTrip { of } => Purpose::RoundTrip { of: ids[&of] },
        Purpose::Imported { by } => Purpose::Imported { by: ids[&by] },
        Purpose::Generated { from } => Purpose::Generated { from: ids[&from] },
        Purpose::Moved { by } => Purpose::Moved { by: ids[&by] },
        Purpose::Ordinary | Purpose::AfterDrift(_) | Purpose::Gone | Purpose::UpgradeOf(_) => purpose,
    }
}
