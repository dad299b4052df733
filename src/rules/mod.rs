//! The catalogue: one file per rule, one line of registration.
//!
//! `ci/new-rule.sh group/name` creates the file of a rule, named after its ID
//! (`plan/stays-null` lives in `plan/stays_null.rs`), and its two lines in the `mod.rs`
//! of its group: the module, and its place in the list. The tests of this module do the
//! rest: they hold every rule to the same requirements, and report a file that is not
//! listed.

pub mod apply;
pub mod behaviours;
pub mod contract;
pub mod data;
pub mod import;
pub mod r#move;
pub mod plan;
pub mod planned_private;
pub mod read;
pub mod rpc;
pub mod schema;
pub mod upgrade;
pub mod validate;
pub mod wire;

use crate::rule::Rule;

/// The groups, in the order in which their rules are listed and judged.
const GROUPS: [&[&Rule]; 11] = [
    wire::RULES,
    rpc::RULES,
    schema::RULES,
    validate::RULES,
    plan::RULES,
    apply::RULES,
    read::RULES,
    upgrade::RULES,
    data::RULES,
    import::RULES,
    r#move::RULES,
];

/// Every rule, in the order of the catalogue.
pub static CATALOGUE: &[&Rule] = &flattened::<{ n_rules() }>();

const fn n_rules() -> usize {
    let (mut count, mut group) = (0, 0);
    while group < GROUPS.len() {
        count += GROUPS[group].len();
        group += 1;
    }
    count
}

const fn flattened<const N: usize>() -> [&'static Rule; N] {
    let mut rules = [GROUPS[0][0]; N];
    let (mut next, mut group) = (0, 0);
    while group < GROUPS.len() {
        let mut rule = 0;
        while rule < GROUPS[group].len() {
            rules[next] = GROUPS[group][rule];
            (next, rule) = (next + 1, rule + 1);
        }
        group += 1;
    }
    rules
}

/// The rule with this ID.
pub fn find(id: &str) -> Option<&'static Rule> {
    CATALOGUE.iter().copied().find(|rule| rule.id == id)
}

#[cfg(test)]
mod engine_checks;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod tests;
