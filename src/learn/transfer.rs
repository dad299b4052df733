//! What one type teaches about arguments of the same name in others.

use std::collections::{BTreeMap, BTreeSet};

use crate::generate::facts::{Constraint, Evidence, Fact, Facts, Strength};
use crate::generate::model::SchemaModel;
use crate::schema::Schema;

/// Values that were accepted where others had been refused, by the last name of their path.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Transfer(BTreeMap<String, Vec<String>>);

/// How many values are kept for one name.
const MOST: usize = 8;

impl Transfer {
    /// Collects what types have learned; in the order in which they are given.
    pub fn of<'f>(types: impl IntoIterator<Item = &'f Facts>) -> Transfer {
        let mut all: BTreeMap<String, Vec<String>> = BTreeMap::new();
        for (path, facts) in types.into_iter().flat_map(|facts| &facts.values) {
            // Only what was needed: something else had been refused there.
            if facts.bad.is_empty() {
                continue;
            }
            let known = all.entry(leaf(path).to_owned()).or_default();
            for text in &facts.texts {
                if known.len() < MOST && !known.contains(text) {
                    known.push(text.clone());
                }
            }
        }
        Transfer(all)
    }

    /// Proposes the values for the arguments of a type whose values were refused.
    pub fn propose(&self, schema: &Schema, facts: &mut Facts) {
        let model = SchemaModel::new(schema);
        let paths: BTreeSet<String> = model.ids().map(|id| model.node(id).path.clone()).collect();
        for path in paths {
            let Some(texts) = self.0.get(leaf(&path)) else { continue };
            let known = facts.values.entry(path).or_default();
            for text in texts {
                known.add(Fact {
                    constraint: Constraint::Literal(text.clone()),
                    strength: Strength::Soft,
                    evidence: Evidence { via: "another type".to_owned(), ..Evidence::default() },
                });
            }
        }
    }
}

fn leaf(path: &str) -> &str {
    path.rsplit('.').next().unwrap_or(path)
}
