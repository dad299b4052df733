//! Keeps scenarios apart that could meet in one remote object.
//!
//! What identifies a remote object is not declared, so every text of a scenario's configurations may be part
//! of it. Two scenarios that share one do not run at the same time.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, Mutex, MutexGuard, PoisonError};

use tokio::sync::OwnedMutexGuard;

use crate::generate::Pins;
use crate::scenario::{Scenario, words};
use crate::value::Data;

/// Something that at most one running scenario has.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) enum Hold {
    /// A type: nothing in some configuration tells its objects from others.
    Type(String),
    /// A text that other scenarios of the type may have too.
    OfType(String, String),
    /// A word, or a value that the user chose; it may identify objects of any type.
    Text(String),
}

/// What a scenario holds while it runs. A resource type and a data source of one name count as one type.
///
/// Without an outside there is no object that everybody finds, such as the settings of an account: what no text
/// tells from others is only in the state.
pub(super) fn of(scenario: &Scenario, pins: &BTreeMap<String, Pins>, has_outside: bool) -> BTreeSet<Hold> {
    let mut holds = BTreeSet::new();
    for block in scenario.blocks() {
        let type_name = &block.address.type_name;
        let mut has_word = false;
        let pinned = pins.get(&block.address.kind.qualified(type_name));
        block.arguments.resolved().walk(&mut |path, value| {
            let is_pinned = || pinned.is_some_and(|pins| pins.decide(&path.schema_path().to_string()));
            let of_type = |text: String| Hold::OfType(type_name.clone(), text);
            match value.data() {
                Data::String(text) => {
                    let words: Vec<&str> = words::of_text(text).collect();
                    has_word |= !words.is_empty();
                    if !words.is_empty() {
                        holds.extend(words.into_iter().map(|word| Hold::Text(word.to_owned())));
                    } else if is_pinned() {
                        holds.insert(Hold::Text(text.to_string()));
                    } else if !is_time(text) {
                        holds.insert(of_type(text.to_string()));
                    }
                }
                Data::Number(number) if is_pinned() => {
                    holds.insert(of_type(number.to_string()));
                }
                _ => {}
            }
            true
        });
        if !has_word && has_outside {
            holds.insert(Hold::Type(type_name.clone()));
        }
    }
    holds
}

/// Whether a text is a point in time, which names nothing.
fn is_time(text: &str) -> bool {
    let date = text.split_once('T').map(|(date, _)| date.as_bytes());
    date.is_some_and(|date| {
        date.len() == 10 && date.iter().all(|byte| byte.is_ascii_digit() || *byte == b'-')
    })
}

/// What running scenarios hold.
#[derive(Clone, Default)]
pub(super) struct Holds(Arc<Mutex<Locks>>);

type Locks = BTreeMap<Hold, Arc<tokio::sync::Mutex<()>>>;

/// What a scenario has, until it is dropped.
pub(super) struct Held {
    holds: Holds,
    held: Vec<(Hold, OwnedMutexGuard<()>)>,
}

impl Holds {
    /// Waits until no other scenario holds any of these.
    pub async fn take(&self, holds: BTreeSet<Hold>) -> Held {
        let mut held = Held { holds: self.clone(), held: Vec::with_capacity(holds.len()) };
        // Everyone takes them in the same order, so nobody waits for ever.
        for hold in holds {
            let lock = Arc::clone(self.locks().entry(hold.clone()).or_default());
            held.held.push((hold, lock.lock_owned().await));
        }
        held
    }

    fn locks(&self) -> MutexGuard<'_, Locks> {
        self.0.lock().unwrap_or_else(PoisonError::into_inner)
    }
}

impl Drop for Held {
    fn drop(&mut self) {
        let mut locks = self.holds.locks();
        for (hold, guard) in self.held.drain(..) {
            drop(guard);
            // Nobody else can get hold of it meanwhile.
            if locks.get(&hold).is_some_and(|lock| Arc::strong_count(lock) == 1) {
                locks.remove(&hold);
            }
        }
    }
}

#[cfg(test)]
mod tests {
    use std::time::Duration;

    use super::*;
    use crate::scenario::{Arguments, Block, EngineRun, Operation, ResourceAddress};
    use crate::schema::Kind;
    use crate::transcript::ScenarioLabel;
    use crate::value::Value;

    fn scenario(kind: Kind, type_name: &str, attributes: &[(&str, &str)]) -> Scenario {
        let config = Value::object(attributes.iter().map(|(name, text)| (*name, Value::string(text))));
        let address = ResourceAddress::new(kind, type_name, "a");
        let block = Block::new(address, Arguments::known(config));
        Scenario::new(ScenarioLabel::default(), vec![EngineRun::new(Operation::Apply, vec![block])])
    }

    /// Whether two scenarios could meet, if `zone` is pinned for both of their types.
    fn meet(one: &Scenario, other: &Scenario) -> bool {
        let mut pins = BTreeMap::new();
        for type_name in ["acme_a", "acme_b"] {
            let values = [("zone".to_owned(), vec!["example.com".into()])].into();
            pins.insert(type_name.to_owned(), Pins { values, ..Pins::default() });
        }
        !of(one, &pins, true).is_disjoint(&of(other, &pins, true))
    }

    #[test]
    fn scenarios_meet_if_they_share_what_may_identify_an_object() {
        let (resource, data) = (Kind::Resource, Kind::DataSource);
        let one = |name: &str| scenario(resource, "acme_a", &[("name", name)]);
        assert!(!meet(&one("tfcabcdef"), &one("tfcabcdeg")));
        assert!(meet(&one("tfcabcdef"), &scenario(data, "acme_b", &[("path", "/x/tfcabcdef")])));
        // Nothing in them differs by construction.
        assert!(meet(&one("7"), &one("8")));
        assert!(meet(&one("7"), &scenario(data, "acme_a", &[])));
        assert!(!meet(&one("7"), &scenario(resource, "acme_c", &[("name", "7")])));
        // A text of the type that is not unique.
        let with = |name: &str, mail: &str| scenario(resource, "acme_a", &[("name", name), ("mail", mail)]);
        assert!(meet(&with("tfcabcdef", "user@example.com"), &with("tfcabcdeg", "user@example.com")));
        // A value that the user chose, in any type.
        let zone = |type_name: &str, name: &str| {
            scenario(resource, type_name, &[("name", name), ("zone", "example.com")])
        };
        assert!(meet(&zone("acme_a", "tfcabcdef"), &zone("acme_b", "tfcabcdeg")));
        assert!(!meet(&zone("acme_a", "tfcabcdef"), &zone("acme_c", "tfcabcdeg")));
    }

    #[test]
    fn what_a_scenario_refers_to_is_held_with_it() {
        let with = |supplier: &str, name: &str| {
            let mut scenario = scenario(Kind::Resource, "acme_a", &[("name", name)]);
            let other = self::scenario(Kind::Resource, "acme_c", &[("name", supplier)]);
            scenario.runs[0].blocks.extend(other.runs[0].blocks.iter().cloned());
            scenario
        };
        assert!(meet(&with("tfcabcdef", "tfcaaaaaa"), &with("tfcabcdef", "tfcbbbbbb")));
        assert!(meet(
            &with("tfcabcdef", "tfcaaaaaa"),
            &scenario(Kind::Resource, "acme_c", &[("name", "tfcabcdef")])
        ));
        assert!(!meet(&with("tfcabcdef", "tfcaaaaaa"), &with("tfcabcdeg", "tfcbbbbbb")));
        // Nothing tells the objects of the other type apart.
        assert!(meet(&with("7", "tfcaaaaaa"), &with("8", "tfcbbbbbb")));
    }

    #[test]
    fn without_an_outside_only_texts_name_an_object() {
        let holds = |attributes| of(&scenario(Kind::Resource, "acme_a", attributes), &BTreeMap::new(), false);
        assert!(holds(&[("at", "2031-01-06T15:00:00Z")]).is_empty());
        assert!(!holds(&[("name", "")]).is_empty());
    }

    #[tokio::test]
    async fn a_thing_is_held_by_one_at_a_time() {
        let holds = Holds::default();
        let of = |texts: &[&str]| texts.iter().map(|text| Hold::Text((*text).to_owned())).collect();
        let first = holds.take(of(&["a", "b"])).await;
        drop(holds.take(of(&["c"])).await);
        let second = tokio::time::timeout(Duration::from_millis(20), holds.take(of(&["b", "c"]))).await;
        assert!(second.is_err());
        drop(first);
        let second = holds.take(of(&["b", "c"])).await;
        drop(second);
        assert!(holds.locks().is_empty());
    }
}
