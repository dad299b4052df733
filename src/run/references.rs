//! Learns which arguments need the values of other resources.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;

use super::audience::{Audience, Leftovers};
use super::learn::Part;
use super::lessons::{Lessons, TypeKey};
use super::stage::Stage;
use super::start::Started;
use crate::generate::Suppliers;
use crate::generate::facts::PresenceRule;
use crate::generate::ranking::Offers;
use crate::generate::supplier::Supplier;
use crate::generate::suppliers::{LONGEST, offered};
use crate::learn::{Learned, Stop, could_refer};
use crate::scenario::Operation;
use crate::schema::Kind;

/// The most types that are learned about only because others may refer to them, in one round.
const HELPERS: usize = 16;

impl Stage {
    /// Has the types that nothing could be applied of refer to those of which something was, or to types that they
    /// seem to need, selected or not, and those that wait for others. Each round makes chains longer by one.
    ///
    /// What a type can refer to is fixed before each round, so nothing depends on the order in which types are done.
    pub(super) async fn learn_references(
        &self,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
        lessons: &mut Lessons,
    ) {
        if !self.options.apply {
            return;
        }
        let mut helpers = Lessons::default();
        let mut offers: BTreeMap<TypeKey, BTreeSet<String>> = BTreeMap::new();
        for round in 1..=LONGEST {
            let needed = self.needed(lessons, &helpers);
            let new = needed
                .into_iter()
                .map(|key| {
                    let facts = self.facts_at_start(&key);
                    (key, facts, Part::Solve)
                })
                .collect();
            self.learn_part(new, started, audience, leftovers, &mut helpers).await;
            let fuller = self.learn_suppliers(started, audience, leftovers, lessons, &helpers).await;
            for (key, learned) in lessons.types.iter().chain(&helpers.types) {
                let fuller = fuller.types.get(key).filter(|fuller| fuller.applied.is_some());
                self.supply(&mut lessons.suppliers, key, fuller.unwrap_or(learned));
            }
            lessons.also(fuller.questions, fuller.n_given_up);
            let stage = self.with_suppliers(lessons.suppliers.clone());
            // What others refer to may get further in the second round, but not without what it waits for itself.
            let given_up = if round > 1 { self.refused(lessons, &helpers) } else { BTreeSet::new() };
            for known in [&mut *lessons, &mut helpers] {
                let mut again = Vec::new();
                let offers_now = stage.lessons.suppliers.offers();
                let is_ready = |key: &TypeKey, learned: &Learned| {
                    let references = self.examples.references(key.0, &key.1);
                    let mut suppliers = references.values();
                    !self.waits_still(key, learned)
                        || round == LONGEST
                        || suppliers.all(|s| offers_now.has(s) || given_up.contains(&s.type_name))
                };
                let unapplied = known.types.iter().filter(|(key, learned)| {
                    (is_unapplied(learned) || self.waits_still(key, learned)) && is_ready(key, learned)
                });
                for (key, learned) in unapplied {
                    let offered = self.named_by(key, learned, offers_now);
                    // Nothing that it waits for is going to be there.
                    let waits_in_vain = round > 1 && self.waits_still(key, learned);
                    // The same question would get the same answer.
                    if (!offered.is_empty() || waits_in_vain) && offers.get(key) != Some(&offered) {
                        offers.insert(key.clone(), offered);
                        let is_slow = learned.stop == Some(Stop::TooSlow);
                        let part = if is_slow { Part::SolveSlow } else { Part::Solve };
                        let mut facts = learned.facts.clone();
                        for (path, supplier) in self.shown(key, offers_now) {
                            facts.references.entry(path).or_insert(supplier);
                        }
                        again.push((key.clone(), facts, part));
                    }
                }
                let mut retried = Lessons::default();
                stage.learn_part(again, started, audience, leftovers, &mut retried).await;
                known.retry(retried);
            }
        }
        // What waited in vain is created without the others.
        let waited = lessons.types.iter().filter(|(key, learned)| self.waits_still(key, learned));
        let waited = waited.map(|(key, learned)| (key.clone(), learned.facts.clone(), Part::Solve)).collect();
        let stage = self.with_suppliers(lessons.suppliers.clone());
        stage.learn_part(waited, started, audience, leftovers, lessons).await;
        // The last round may have made more.
        for (key, learned) in lessons.types.iter().chain(&helpers.types) {
            self.supply(&mut lessons.suppliers, key, learned);
        }
        lessons.also(helpers.questions, helpers.n_given_up);
    }

    /// Configurations of types that others are about to refer to, with the arguments whose values those need, and with
    /// those that examples have refer to other types: so all stand in the same place.
    async fn learn_suppliers(
        &self,
        started: &Arc<Started>,
        audience: &Audience<'_>,
        leftovers: &Leftovers,
        lessons: &Lessons,
        helpers: &Lessons,
    ) -> Lessons {
        let all = || lessons.types.iter().chain(&helpers.types);
        let mut wanted: BTreeMap<String, BTreeSet<String>> = BTreeMap::new();
        for supplier in
            all().flat_map(|((kind, name), _)| self.examples.references(*kind, name).into_values())
        {
            wanted.entry(supplier.type_name).or_default().insert(supplier.attribute);
        }
        let fuller = all().filter_map(|(key, learned)| {
            let config = learned.applied.as_ref()?;
            let mut wanted = wanted.get(&key.1)?.clone();
            let references: BTreeMap<String, Supplier> =
                self.shown(key, lessons.suppliers.offers()).collect();
            wanted.extend(references.keys().cloned());
            let schema = &self.subject.schema.get(key.0, &key.1)?.block;
            let is_missing = |name: &&String| {
                let attribute = schema.attributes.iter().find(|attribute| attribute.name == **name);
                attribute.is_some_and(|attribute| attribute.optional) && config.member(name).is_null()
            };
            let missing: Vec<PresenceRule> =
                wanted.iter().filter(is_missing).cloned().map(PresenceRule::Required).collect();
            if missing.is_empty() || key.0 != Kind::Resource || lessons.suppliers.get(&key.1).is_some() {
                return None;
            }
            let mut facts = learned.facts.clone();
            facts.rules.extend(missing);
            facts.references.extend(references);
            Some((key.clone(), facts, Part::Solve))
        });
        let (fuller, mut learned) = (fuller.collect(), Lessons::default());
        let stage = self.with_suppliers(lessons.suppliers.clone());
        stage.learn_part(fuller, started, audience, leftovers, &mut learned).await;
        learned
    }

    fn supply(&self, suppliers: &mut Suppliers, (kind, name): &TypeKey, learned: &Learned) {
        let schema = self.subject.schema.get(*kind, name);
        if let (Kind::Resource, Some(schema), Some(config)) = (kind, schema, &learned.applied) {
            suppliers.add(name, schema, config);
        }
    }

    /// The resource types that nothing is known about, and that types which were not applied seem to need.
    fn needed(&self, lessons: &Lessons, helpers: &Lessons) -> BTreeSet<TypeKey> {
        let is_known = |key: &TypeKey| lessons.types.contains_key(key) || helpers.types.contains_key(key);
        let unknown = self.subject.schema.resources.iter().filter(|(name, _)| {
            !self.options.skip.contains(*name) && !is_known(&(Kind::Resource, (*name).clone()))
        });
        let offers: Offers = unknown
            .flat_map(|(type_name, schema)| {
                let supplier = |attribute| Supplier { type_name: type_name.clone(), attribute };
                offered(schema, None).into_iter().map(supplier)
            })
            .collect();
        let all = lessons.types.iter().chain(&helpers.types);
        let unapplied = all.filter(|(key, learned)| is_unapplied(learned) || self.waits_still(key, learned));
        let named = unapplied.flat_map(|(key, learned)| self.named_by(key, learned, &offers));
        named.map(|name| (Kind::Resource, name)).take(HELPERS).collect()
    }

    /// The types that examples, the names of arguments, or what was complained of last speak for.
    fn named_by(&self, key: &TypeKey, learned: &Learned, offers: &Offers) -> BTreeSet<String> {
        let (kind, name) = key;
        let complaint = learned.stop.as_ref().map(ToString::to_string).unwrap_or_default();
        let schema = self.subject.schema.get(*kind, name);
        let named = schema.map(|schema| could_refer(schema, *kind, name, &complaint, offers));
        let shown = self.shown(key, offers).map(|(_, supplier)| supplier.type_name);
        named.into_iter().flatten().map(str::to_owned).chain(shown).collect()
    }

    /// Whether a type is not created before others are, because its examples refer to them.
    pub(super) fn waits(&self, (kind, name): &TypeKey) -> bool {
        *kind == Kind::Resource && self.options.apply && !self.examples.references(*kind, name).is_empty()
    }

    /// The resource types that were tried and refused.
    fn refused(&self, lessons: &Lessons, helpers: &Lessons) -> BTreeSet<String> {
        let all = lessons.types.iter().chain(&helpers.types);
        let refused = all.filter(|(key, learned)| {
            learned.reached != Some(Operation::Apply) && !self.waits_still(key, learned)
        });
        refused.map(|((_, name), _)| name.clone()).collect()
    }

    fn waits_still(&self, key: &TypeKey, learned: &Learned) -> bool {
        self.waits(key) && learned.reached == Some(Operation::Plan) && learned.stop.is_none()
    }

    /// What examples of a type refer to, if it is offered, by the path of the argument.
    fn shown(&self, (kind, name): &TypeKey, offers: &Offers) -> impl Iterator<Item = (String, Supplier)> {
        let references = self.examples.references(*kind, name).into_iter();
        references.filter(|(_, supplier)| offers.has(supplier))
    }
}

/// Whether nothing of a type could be applied, for a reason that another resource could remove.
fn is_unapplied(learned: &Learned) -> bool {
    let is_final =
        matches!(learned.stop, None | Some(Stop::Broken(_) | Stop::Outside(_) | Stop::OurDefect(_)));
    learned.reached != Some(Operation::Apply) && !is_final
}
