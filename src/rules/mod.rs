//! The catalogue: one file per rule, one line of registration.
//!
//! To add a rule, copy the nearest file, name it after its identity
//! (`plan/stays-null` lives in `plan/stays_null.rs`), and add its line below. The
//! tests of this module do the rest: they hold every rule to the same five duties.

/// Declares the modules of a group and collects their rules.
macro_rules! catalogue {
    ($($group:ident { $($rule:ident),+ $(,)? })+) => {
        $(
            pub mod $group {
                $(pub mod $rule;)+
            }
        )+

        /// Every rule, in the order of the catalogue.
        pub static CATALOGUE: &[&crate::rule::Rule] = &[$($(&$group::$rule::RULE),+),+];
    };
}

catalogue! {
    plan {
        repeats_itself,
        stays_null,
    }
}

use crate::rule::Rule;

/// The rule of an identity.
pub fn find(id: &str) -> Option<&'static Rule> {
    CATALOGUE.iter().copied().find(|rule| rule.id == id)
}

#[cfg(test)]
mod tests;
