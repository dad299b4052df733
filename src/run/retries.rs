//! What is tried again because something else kept it from being reached.

use std::collections::{BTreeMap, BTreeSet, HashMap};
use std::sync::Arc;

use super::lessons::TypeKey;
use crate::generate::facts::PresenceRule;
use crate::generate::obligation::{Obligation, ObligationKind};
use crate::generate::{Facts, Retry};
use crate::scenario::{EngineRun, ObligationId, Scenario};

/// How each type is tried again.
pub(super) type Retries = BTreeMap<TypeKey, TypeRetry>;

/// The obligations of each type that were not reached because of one obstacle.
pub(super) type Unreached = BTreeMap<TypeKey, HashMap<Obligation, ObligationId>>;

/// What is tried again of a type, with the facts from which scenarios are made.
#[derive(Debug)]
pub(super) struct TypeRetry {
    pub facts: Facts,
    pub retry: Arc<Retry>,
}

/// How many types one note names.
const NAMED: usize = 5;

/// Which types are tried again with other arguments, and with which; `known` are the rules that they had before.
pub(super) fn notes(retries: &Retries, known: impl Fn(&TypeKey) -> BTreeSet<PresenceRule>) -> Vec<String> {
    let (mut stopped, mut refused) = (Vec::new(), Vec::new());
    for (key, again) in retries {
        let (mut instead, mut together) = (Vec::new(), Vec::new());
        for rule in again.facts.rules.difference(&known(key)) {
            match rule {
                PresenceRule::Required(path) => instead.push(format!("with {path}")),
                PresenceRule::Forbidden(path) => instead.push(format!("without {path}")),
                PresenceRule::Together(path, others) => {
                    together.push(format!("{path} with {}", listed(others)))
                }
                _ => {}
            }
        }
        for (types, how) in [(&mut stopped, instead), (&mut refused, together)] {
            if !how.is_empty() {
                types.push(format!("{} ({})", key.0.qualified(&key.1), how.join(", ")));
            }
        }
    }
    let stopped = named(&stopped).map(|(n_types, named)| {
        format!(
            "an engine stops at the smallest configuration of {n_types}, so more scenarios were played with another one: \
             {named}"
        )
    });
    let refused = named(&refused).map(|(n_types, named)| {
        format!(
            "some arguments of {n_types} were accepted only together with others, so more scenarios were played with both: \
             {named}"
        )
    });
    stopped.into_iter().chain(refused).collect()
}

/// How many types there are, and the first of them by name; `None` if there are none.
fn named(types: &[String]) -> Option<(String, String)> {
    let n_types = match types.len() {
        0 => return None,
        1 => "1 type".to_owned(),
        n => format!("{n} types"),
    };
    let more = match types.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!("; and {more} more"),
    };
    Some((n_types, format!("{}{more}", types[..types.len().min(NAMED)].join("; "))))
}

/// `a`, `a and b`, `a, b and c`.
fn listed(paths: &BTreeSet<String>) -> String {
    let paths: Vec<&str> = paths.iter().map(String::as_str).collect();
    match paths.split_last() {
        Some((last, [])) => (*last).to_owned(),
        Some((last, first)) => format!("{} and {last}", first.join(", ")),
        None => String::new(),
    }
}

/// How many scenarios that try the same may crash the provider, or get no answer in time. A crash costs a new process,
/// and some values take all memory first.
const ENOUGH: usize = 2;

/// How many scenarios of a type crashed the provider or got no answer, by what they try.
pub(super) struct Tally<'r> {
    tried: HashMap<ObligationId, Tried<'r>>,
    n_failed: BTreeMap<Tried<'r>, usize>,
}

/// What may crash the provider, or get no answer, with one value after the other.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Tried<'r> {
    /// By its schema path.
    Argument(&'r str),
    /// All numbers at once.
    Numbers,
}

impl Tried<'_> {
    fn of(obligation: &Obligation) -> Option<Tried<'_>> {
        match &obligation.kind {
            ObligationKind::Everywhere(class) if class.is_number() => Some(Tried::Numbers),
            _ => Some(Tried::Argument(&obligation.path)).filter(|_| !obligation.path.is_empty()),
        }
    }
}

impl<'r> Tally<'r> {
    pub fn of(again: &'r TypeRetry) -> Tally<'r> {
        let wanted = again.retry.wanted.iter();
        let tried = wanted.filter_map(|(obligation, id)| Some((*id, Tried::of(obligation)?)));
        Tally { tried: tried.collect(), n_failed: BTreeMap::new() }
    }

    /// Counts a scenario that crashed the provider or got no answer.
    pub fn add(&mut self, scenario: &Scenario) {
        if let Some(tried) = self.tried(scenario) {
            *self.n_failed.entry(tried).or_default() += 1;
        }
    }

    /// Whether enough is known about what a scenario tries.
    pub fn has_enough(&self, scenario: &Scenario) -> bool {
        let n_failed = self.tried(scenario).and_then(|tried| self.n_failed.get(&tried));
        n_failed.is_some_and(|n| *n >= ENOUGH)
    }

    /// What a scenario tries; `None` if that is several things, or about the whole object.
    fn tried(&self, scenario: &Scenario) -> Option<Tried<'r>> {
        let ids = scenario.runs.iter().flat_map(EngineRun::obligations);
        let mut all = ids.map(|id| self.tried.get(&id).copied());
        let first = all.next()??;
        all.all(|tried| tried == Some(first)).then_some(first)
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::value_class::ValueClass;
    use crate::scenario::Aims;
    use crate::schema::Kind;
    use crate::transcript::ScenarioLabel;

    #[test]
    fn what_was_found_is_said_for_each_type() {
        let (set, path) =
            (|names: &[&str]| names.iter().map(|name| (*name).to_owned()).collect(), str::to_owned);
        let of = |name: &str, rules: &[PresenceRule]| {
            let facts = Facts { rules: rules.iter().cloned().collect(), ..Facts::default() };
            ((Kind::Resource, name.to_owned()), TypeRetry { facts, retry: Arc::default() })
        };
        let known = PresenceRule::Required(path("name"));
        let both = PresenceRule::Together(path("max"), set(&["ca", "subject.name"]));
        let all = Retries::from([
            of("acme_a", &[known.clone(), PresenceRule::Required(path("note")), both]),
            of("acme_b", &[PresenceRule::Forbidden(path("size"))]),
            of("acme_c", std::slice::from_ref(&known)),
        ]);
        let notes = notes(&all, |_| [known.clone()].into());
        let ends = ["acme_a (with note); acme_b (without size)", "acme_a (max with ca and subject.name)"];
        assert!(notes.iter().zip(ends).all(|(note, end)| note.ends_with(end)), "{notes:?}");
        assert_eq!((notes.len(), notes[0].contains(" of 2 types")), (2, true));
    }

    #[test]
    fn what_crashes_the_provider_is_tried_twice_and_the_rest_goes_on() {
        use ValueClass::{Emoji, MaxI32, MaxI64, TwoTo31};
        let kinds = [ObligationKind::Set, ObligationKind::Unset, ObligationKind::Changed];
        let of = |path: &str, kind: ObligationKind| Obligation { path: path.into(), kind };
        let of_each = |path| kinds.clone().map(|kind| of(path, kind));
        let everywhere = [MaxI32, TwoTo31, MaxI64, Emoji].map(ObligationKind::Everywhere);
        let groups = [
            of_each("size"),
            of_each("note"),
            [ObligationKind::Required, ObligationKind::Everything, ObligationKind::Again]
                .map(|kind| of("", kind)),
        ];
        let all: Vec<Obligation> =
            groups.into_iter().flatten().chain(everywhere.map(|kind| of("", kind))).collect();
        let wanted: HashMap<Obligation, ObligationId> =
            all.iter().cloned().zip((0..).map(ObligationId)).collect();
        let scenario = |nth: usize| {
            let aims = Aims { config: vec![wanted[&all[nth]]], ..Aims::default() };
            Scenario::new(ScenarioLabel::default(), vec![EngineRun { aims, ..EngineRun::default() }])
        };
        let retry = Arc::new(Retry { wanted: wanted.clone(), ..Retry::default() });
        let again = TypeRetry { facts: Facts::default(), retry };
        let mut tally = Tally::of(&again);
        let (size, note, whole, numbers, text) = (0, 3, 6, 9, 12);
        for first in [size, whole, numbers] {
            for nth in [first, first + 1] {
                assert!(!tally.has_enough(&scenario(nth)));
                tally.add(&scenario(nth));
            }
        }
        assert!(tally.has_enough(&scenario(size + 2)));
        assert!(tally.has_enough(&scenario(numbers + 2)));
        assert!(!tally.has_enough(&scenario(note + 2)));
        assert!(!tally.has_enough(&scenario(whole + 2)), "a behaviour says nothing about the others");
        assert!(!tally.has_enough(&scenario(text)), "numbers say nothing about texts");
    }
}
