//! What became of the obligations of each type: what was met, what was not, and why.

use std::collections::{BTreeMap, BTreeSet};

use serde::{Deserialize, Serialize};

use super::stages::template;
use crate::generate::obligation::{Obligation, ObligationKind, Theme};
use crate::generate::value_class::ValueClass;
use crate::lifecycle::Met;
use crate::record::{Earned, Obstacle};
use crate::scenario::ObligationId;
use crate::schema::Kind;

/// Obligations of one type that are named for one reason.
const NAMED: usize = 100;

/// What became of the obligations of a run.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Coverage {
    /// By kind, then by name.
    pub types: Vec<TypeCoverage>,
    /// Kinds of values that no provider accepted or refused in the run, in a few words each.
    pub never_met: BTreeSet<String>,
}

/// What became of the obligations of one type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct TypeCoverage {
    pub kind: Kind,
    pub type_name: String,
    /// `None` if nothing was learned about the type.
    pub learning: Option<Learning>,
    pub themes: BTreeMap<Theme, Counts>,
    /// The planning behaviours, by name.
    pub behaviours: BTreeMap<String, Behaved>,
    /// What was not accepted, and why, the most common reason first. What was not played at all, or was expected
    /// to be refused, is not here.
    pub unmet: Vec<Unmet>,
}

/// How an accepted configuration was found.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Learning {
    /// Whether there is one.
    pub accepted: bool,
    /// Questions to the provider until there was one, or until that was given up.
    pub questions: u32,
    /// Arguments and blocks of the schema.
    pub arguments: u32,
    /// Those that were set in a configuration that the provider accepted while it was asked.
    pub arguments_accepted: u32,
}

/// How many questions it took to find an accepted configuration, for the types that have one.
#[derive(Clone, Copy, Debug, PartialEq)]
pub struct Questions {
    /// Types with an accepted configuration.
    pub types: u64,
    pub mean: f64,
    /// Enough for 95 % of the types.
    pub usual: u32,
    pub most: u32,
}

/// What became of some obligations.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Counts {
    /// The provider accepted it, and its answers were judged.
    pub accepted: u64,
    /// The provider answered with an error.
    pub refused: u64,
    /// It cannot be done with this type, or may not.
    pub infeasible: u64,
    /// Something else ended the scenario before.
    pub blocked: u64,
    /// It was not played.
    pub unplayed: u64,
}

/// What became of a planning behaviour with one type.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Behaved {
    pub became: Became,
    /// Why it was not accepted, as in [`Unmet::reason`]; empty if it was, or if it was not played.
    pub reason: String,
}

/// What became of one obligation.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Became {
    Accepted,
    Refused,
    Blocked,
    Infeasible,
    Unplayed,
}

/// Obligations that were not accepted for one reason.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Unmet {
    pub outcome: Outcome,
    /// The first line of the provider's message, with `…` for what is quoted; or why else.
    pub reason: String,
    pub count: u64,
    /// Some of them, in words.
    pub obligations: Vec<String>,
}

/// Why an obligation was not accepted.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Outcome {
    Refused,
    Blocked,
    Infeasible,
}

impl Became {
    fn of(met: Option<Met>) -> Became {
        match met {
            Some(Met::Exercised) => Became::Accepted,
            Some(Met::Refused) => Became::Refused,
            Some(Met::Blocked) => Became::Blocked,
            Some(Met::Infeasible) => Became::Infeasible,
            None => Became::Unplayed,
        }
    }
}

impl Counts {
    pub fn all(self) -> u64 {
        self.accepted + self.refused + self.infeasible + self.blocked + self.unplayed
    }

    /// Those that can be met.
    pub fn feasible(self) -> u64 {
        self.all() - self.infeasible
    }

    /// Those that the provider gave an answer to.
    pub fn met(self) -> u64 {
        self.accepted + self.refused
    }

    pub fn add(&mut self, other: Counts) {
        self.accepted += other.accepted;
        self.refused += other.refused;
        self.infeasible += other.infeasible;
        self.blocked += other.blocked;
        self.unplayed += other.unplayed;
    }

    fn count(&mut self, became: Became) {
        let counter = match became {
            Became::Accepted => &mut self.accepted,
            Became::Refused => &mut self.refused,
            Became::Infeasible => &mut self.infeasible,
            Became::Blocked => &mut self.blocked,
            Became::Unplayed => &mut self.unplayed,
        };
        *counter += 1;
    }
}

impl Coverage {
    /// How many types of a kind something was learned about.
    pub fn n_learned(&self, kind: Kind) -> u64 {
        self.types.iter().filter(|ty| ty.kind == kind && ty.learning.is_some()).count() as u64
    }

    /// The questions about types of a kind; `None` if none of them has an accepted configuration.
    pub fn questions(&self, kind: Kind) -> Option<Questions> {
        let learned = self.types.iter().filter(|ty| ty.kind == kind).filter_map(|ty| ty.learning);
        let mut asked: Vec<u32> =
            learned.filter(|learning| learning.accepted).map(|learning| learning.questions).collect();
        asked.sort_unstable();
        let most = *asked.last()?;
        let mean = f64::from(asked.iter().sum::<u32>()) / asked.len() as f64;
        let usual = asked[(asked.len() * 95).div_ceil(100) - 1];
        Some(Questions { types: asked.len() as u64, mean, usual, most })
    }

    /// How many arguments and blocks were accepted while learning, and how many there are, in the types of a kind that
    /// have at most `limit` of them.
    pub fn arguments_accepted(&self, kind: Kind, limit: u32) -> (u64, u64) {
        let learned = self.types.iter().filter(|ty| ty.kind == kind).filter_map(|ty| ty.learning);
        let small = learned.filter(|learning| learning.arguments <= limit);
        small.fold((0, 0), |(accepted, of), learning| {
            (accepted + u64::from(learning.arguments_accepted), of + u64::from(learning.arguments))
        })
    }

    /// Of all types together, by theme.
    pub fn themes(&self) -> BTreeMap<Theme, Counts> {
        let mut themes: BTreeMap<Theme, Counts> = BTreeMap::new();
        for (theme, counts) in self.types.iter().flat_map(|ty| &ty.themes) {
            themes.entry(*theme).or_default().add(*counts);
        }
        themes
    }

    /// What became of each planning behaviour with each type, by the name of the behaviour.
    pub fn behaviours(&self) -> BTreeMap<&str, Vec<&Behaved>> {
        let mut all: BTreeMap<&str, Vec<&Behaved>> = BTreeMap::new();
        for (name, behaved) in self.types.iter().flat_map(|ty| &ty.behaviours) {
            all.entry(name).or_default().push(behaved);
        }
        all
    }

    /// How many obligations of all types were judged: a refusal leaves nothing to judge, unless it was to be one.
    pub fn judged(&self) -> u64 {
        let of_theme = |(theme, counts): (&Theme, &Counts)| match theme {
            Theme::Limit => counts.met(),
            _ => counts.accepted,
        };
        self.themes().iter().map(of_theme).sum()
    }

    /// Whether there are obligations, and none of them was judged.
    pub fn is_unjudged(&self) -> bool {
        self.total().feasible() > 0 && self.judged() == 0
    }

    /// Of all types together.
    pub fn total(&self) -> Counts {
        sum(self.themes().values())
    }

    /// Both, which are expected to be of different types; of one that is in both, what was covered better.
    pub(super) fn merge(self, other: Coverage) -> Coverage {
        match (self.types.is_empty(), other.types.is_empty()) {
            (true, _) => return other,
            (_, true) => return self,
            _ => {}
        }
        let mut types: BTreeMap<(Kind, String), TypeCoverage> = BTreeMap::new();
        for ty in self.types.into_iter().chain(other.types) {
            let key = (ty.kind, ty.type_name.clone());
            let better = match types.remove(&key) {
                Some(known) => known.max_by_met(ty),
                None => ty,
            };
            types.insert(key, better);
        }
        let never_met = self.never_met.intersection(&other.never_met).cloned().collect();
        Coverage { types: types.into_values().collect(), never_met }
    }
}

impl TypeCoverage {
    /// Of all themes together.
    pub fn total(&self) -> Counts {
        sum(self.themes.values())
    }

    fn max_by_met(self, other: TypeCoverage) -> TypeCoverage {
        let order = |ty: &TypeCoverage| (ty.total().accepted, ty.total().met());
        if (order(&self), &self) < (order(&other), &other) { other } else { self }
    }
}

fn sum<'c>(all: impl IntoIterator<Item = &'c Counts>) -> Counts {
    let mut total = Counts::default();
    all.into_iter().for_each(|counts| total.add(*counts));
    total
}

/// The obligations of one type, and the best that became of each so far.
#[derive(Debug, Default)]
pub(super) struct Ledger {
    obligations: Vec<Obligation>,
    /// What cannot be met, and why.
    infeasible: Vec<(Obligation, String)>,
    learning: Option<Learning>,
    best: Vec<Option<(Met, u32)>>,
    /// Every reason once.
    reasons: Vec<String>,
    /// The reasons that are obstacles.
    obstacles: BTreeMap<u32, Obstacle>,
}

impl Ledger {
    pub fn new(
        obligations: Vec<Obligation>,
        infeasible: Vec<(Obligation, String)>,
        learning: Option<Learning>,
    ) -> Ledger {
        let best = vec![None; obligations.len()];
        Ledger { obligations, infeasible, learning, best, ..Ledger::default() }
    }

    /// Enters what a scenario earned.
    pub fn enter(&mut self, earned: &[Earned], type_name: &str) {
        for Earned { ids, met, why, obstacle } in earned {
            let reason = self.reason(template(why, type_name));
            self.obstacles.extend(obstacle.map(|obstacle| (reason, obstacle)));
            for id in ids {
                let Some(best) = self.best.get_mut(id.0 as usize) else { continue };
                // The reason is compared by its words, so that the order of scenarios does not matter.
                let is_better = best.is_none_or(|(known, why)| {
                    (*met, &self.reasons[reason as usize]) < (known, &self.reasons[why as usize])
                });
                if is_better {
                    *best = Some((*met, reason));
                }
            }
        }
    }

    /// What was not reached because of an obstacle. If there is anything, then with the behaviours that were refused: that
    /// may be due to what they came with.
    pub fn unreached(&self, obstacle: Obstacle) -> Vec<(&Obligation, ObligationId)> {
        let ids = (0..).map(ObligationId);
        let all = self.obligations.iter().zip(ids).zip(&self.best);
        let became = |wanted: Met| {
            all.clone().filter(move |(_, best)| {
                matches!(best, Some((met, why)) if *met == wanted && self.obstacles.get(why) == Some(&obstacle))
            })
        };
        let blocked: Vec<_> = became(Met::Blocked).map(|(obligation, _)| obligation).collect();
        if blocked.is_empty() {
            return blocked;
        }
        let is_behaviour =
            |(obligation, _): &(&Obligation, _)| matches!(obligation.kind, ObligationKind::Behaviour(_));
        let refused = became(Met::Refused).map(|(obligation, _)| obligation).filter(is_behaviour);
        blocked.into_iter().chain(refused).collect()
    }

    fn reason(&mut self, reason: String) -> u32 {
        let known = self.reasons.iter().position(|known| *known == reason);
        let idx = known.unwrap_or_else(|| {
            self.reasons.push(reason);
            self.reasons.len() - 1
        });
        idx as u32
    }

    /// What became of the type, and the kinds of values that were accepted or refused.
    pub fn close(self, kind: Kind, type_name: String) -> (TypeCoverage, BTreeSet<ValueClass>) {
        let Ledger { obligations, infeasible, learning, best, reasons, .. } = self;
        let mut themes: BTreeMap<Theme, Counts> = BTreeMap::new();
        let mut unmet: BTreeMap<(Outcome, &str), (u64, Vec<String>)> = BTreeMap::new();
        let mut classes = BTreeSet::new();
        let mut behaviours = BTreeMap::new();
        let infeasible = infeasible.iter();
        let infeasible =
            infeasible.map(|(obligation, why)| (obligation, Some((Met::Infeasible, why.as_str()))));
        let became = obligations.iter().zip(&best).map(|(obligation, best)| {
            (obligation, best.map(|(met, reason)| (met, reasons[reason as usize].as_str())))
        });
        for (obligation, became) in became.chain(infeasible) {
            let theme = obligation.kind.theme();
            let state = Became::of(became.map(|(met, _)| met));
            themes.entry(theme).or_default().count(state);
            if let ObligationKind::Behaviour(behaviour) = &obligation.kind {
                let reason = became.filter(|_| state != Became::Accepted).map_or("", |(_, reason)| reason);
                behaviours
                    .insert((*behaviour).to_owned(), Behaved { became: state, reason: reason.to_owned() });
            }
            let outcome = match became {
                Some((Met::Exercised, _)) => None,
                // That is what was expected.
                Some((Met::Refused, _)) if theme == Theme::Limit => None,
                Some((Met::Refused, reason)) => Some((Outcome::Refused, reason)),
                Some((Met::Blocked, reason)) => Some((Outcome::Blocked, reason)),
                Some((Met::Infeasible, reason)) => Some((Outcome::Infeasible, reason)),
                None => continue,
            };
            if !matches!(became, Some((Met::Blocked | Met::Infeasible, _))) {
                classes.extend(obligation.kind.class());
            }
            if let Some(outcome) = outcome {
                let (count, named) = unmet.entry(outcome).or_default();
                *count += 1;
                if named.len() < NAMED {
                    named.push(obligation.to_string());
                }
            }
        }
        let unmet = unmet.into_iter().map(|((outcome, reason), (count, obligations))| Unmet {
            outcome,
            reason: reason.to_owned(),
            count,
            obligations,
        });
        let mut unmet: Vec<Unmet> = unmet.collect();
        unmet.sort_by_key(|unmet| std::cmp::Reverse(unmet.count));
        (TypeCoverage { kind, type_name, learning, themes, behaviours, unmet }, classes)
    }
}

/// What became of every type; kinds of values that none of them met are named.
pub(super) fn of(ledgers: BTreeMap<(Kind, String), Ledger>) -> Coverage {
    if ledgers.is_empty() {
        return Coverage::default();
    }
    let mut met = BTreeSet::new();
    let types = ledgers.into_iter().map(|((kind, type_name), ledger)| {
        let (ty, classes) = ledger.close(kind, type_name);
        met.extend(classes);
        ty
    });
    let types = types.collect();
    let unusual = ValueClass::ALL.iter().filter(|class| !class.is_usual());
    let never_met = unusual.filter(|class| !met.contains(class)).map(|class| class.about().to_owned());
    Coverage { types, never_met: never_met.collect() }
}

#[cfg(test)]
mod tests;
