//! How many findings the real engine confirms.

use std::collections::BTreeMap;
use std::path::Path;
use std::sync::{Mutex, PoisonError};
use std::{env, thread};

use tfconform::reproduction::Verdict;
use tfconform::rule::{Level, Rule};
use tfconform::rules::{self, CATALOGUE};
use tfconform::session;
use tfconform::suite::Suite;

use crate::fault::find;
use crate::proof::{Found, found, reference};
use crate::{Noted, suite, table};

/// Whose findings are played.
#[derive(Clone, Copy, PartialEq, Eq)]
pub enum Of {
    /// Of the reference provider with a few faults.
    Few,
    /// Of the reference provider with the fault of each `must` rule.
    Reference,
    /// Of a provider as it is.
    Provider(&'static str),
    /// Of a provider with each of its planted faults.
    Planted(&'static str),
}

/// Faults that are always played: their findings show in a plan, in an apply, after it and in a destroy.
const FEW: [&str; 4] = [
    "plan/keeps-configured-values",
    "apply/keeps-planned-values",
    "read/keeps-the-form",
    "apply/destroys-what-it-created",
];

/// The share of findings that the engine is to confirm, of those that it can show, in percent.
const GOAL: f64 = 90.0;

impl Of {
    pub const ALL: [Of; 5] =
        [Of::Few, Of::Reference, Of::Provider("time"), Of::Planted("faultfw"), Of::Planted("faultsdk")];

    pub fn name(self) -> &'static str {
        match self {
            Of::Few => "few",
            Of::Reference => "reference",
            Of::Provider(name) | Of::Planted(name) => name,
        }
    }

    /// What is played, by name.
    fn work(self) -> Result<Vec<Work>, String> {
        let of_rule = |rule: &'static Rule| Work::Rule(rule);
        Ok(match self {
            Of::Few => FEW.iter().filter_map(|id| rules::find(id)).map(of_rule).collect(),
            Of::Reference => {
                let must = CATALOGUE.iter().copied().filter(|rule| rule.level == Level::Must);
                must.map(of_rule).collect()
            }
            Of::Provider(name) => vec![Work::Suite(name.to_owned(), Box::new(suite(name)?))],
            Of::Planted(name) => {
                let planted = table::read();
                // There is nothing to confirm where nothing is found.
                let is_found = |fault: &&table::Fault| fault.missed.is_none();
                let of_it = planted.iter().filter(|fault| fault.providers.contains(name)).filter(is_found);
                of_it.map(|fault| with_fault(name, fault)).collect::<Result<_, _>>()?
            }
        })
    }
}

/// Something whose findings are played.
enum Work {
    /// The fault of a rule.
    Rule(&'static Rule),
    /// A provider, under a name.
    Suite(String, Box<Suite>),
}

fn with_fault(provider: &str, fault: &table::Fault) -> Result<Work, String> {
    let mut suite = suite(provider)?;
    suite.provider.env.insert("FAULT".to_owned(), fault.name.clone());
    suite.run.resources = vec![format!("{provider}_{}", fault.resource)];
    Ok(Work::Suite(format!("{} ({})", fault.name, fault.kind), Box::new(suite)))
}

impl Work {
    fn name(&self) -> &str {
        match self {
            Work::Rule(rule) => rule.fault.name,
            Work::Suite(name, _) => name,
        }
    }

    /// Its `must` findings, and the suite that has them.
    fn find(&self) -> Result<(Suite, Vec<Found>), String> {
        match self {
            Work::Rule(rule) => {
                let (protocol, cases) = find(rule, Level::Must)?;
                Ok((reference(rule.fault.name, protocol), cases))
            }
            Work::Suite(_, suite) => {
                let found = found(suite, Level::Must)?.ok_or("the provider cannot be used")?;
                Ok(((**suite).clone(), found.1))
            }
        }
    }

    fn play(&self, engine: &Path, tally: &Mutex<Proven>) {
        let add = |rule: &str, ended: Ended, why: String| {
            let mut tally = tally.lock().unwrap_or_else(PoisonError::into_inner);
            tally.0.entry(ended).or_default().push(format!("{} {rule}: {why}", self.name()));
        };
        let (suite, cases) = match self.find() {
            Ok(found) => found,
            Err(why) => return add("", Ended::NotFound, why),
        };
        for case in cases {
            let (ended, why) = match case.judged(&suite, engine) {
                Ok((verdict, _)) => (Ended::of(&verdict), verdict.told("terraform", case.rule.enforced)),
                Err(why) => (Ended::NotWritable, why),
            };
            add(case.rule.id, ended, why);
        }
    }
}

/// What became of a finding.
#[derive(Clone, Copy, PartialEq, Eq, PartialOrd, Ord)]
enum Ended {
    Confirmed,
    Silent,
    NotConfirmed,
    NotWritable,
    NotFound,
}

impl Ended {
    fn of(verdict: &Verdict) -> Ended {
        match verdict {
            Verdict::Confirmed(_) => Ended::Confirmed,
            Verdict::Silent => Ended::Silent,
            Verdict::NotConfirmed { .. } => Ended::NotConfirmed,
        }
    }
}

/// The findings, by what became of them.
#[derive(Default)]
pub struct Proven(BTreeMap<Ended, Vec<String>>);

impl Proven {
    fn count(&self, ended: Ended) -> u64 {
        self.0.get(&ended).map_or(0, Vec::len) as u64
    }

    /// Notes the figures, and prints what is not confirmed.
    pub fn lines(&self, noted: &mut Noted) {
        let (confirmed, refuted) = (self.count(Ended::Confirmed), self.count(Ended::NotConfirmed));
        noted.share("findings that terraform confirms", confirmed, confirmed + refuted, GOAL);
        let mut told = |what, ended: Ended| {
            noted.line(what, self.count(ended).to_string(), "any".to_owned(), true);
        };
        told("  silent: no engine shows them", Ended::Silent);
        told("  not writable as a configuration", Ended::NotWritable);
        told("  faults without a must finding", Ended::NotFound);
        let open = [Ended::NotConfirmed, Ended::NotWritable, Ended::Silent, Ended::NotFound];
        for line in open.iter().filter_map(|ended| self.0.get(ended)).flatten() {
            println!("{line}");
        }
    }
}

/// Plays every finding under `terraform`, as many at a time as there are processors.
pub fn play(of: Of) -> Result<Proven, String> {
    let engine = session::engine("terraform").ok_or("there is no terraform")?;
    // To look at a part of it.
    let only = env::var("TFCONFORM_GOALS_ONLY").unwrap_or_default();
    let mut work = of.work()?;
    work.retain(|work| work.name().contains(&only));
    let (left, tally) = (Mutex::new(work.into_iter()), Mutex::new(Proven::default()));
    let next = || left.lock().unwrap_or_else(PoisonError::into_inner).next();
    thread::scope(|scope| {
        for _ in 0..thread::available_parallelism().map_or(1, usize::from) {
            scope.spawn(|| {
                while let Some(work) = next() {
                    work.play(&engine, &tally);
                }
            });
        }
    });
    let mut proven = tally.into_inner().unwrap_or_else(PoisonError::into_inner);
    proven.0.values_mut().for_each(|lines| lines.sort());
    Ok(proven)
}
