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
        conforms,
        exists_when_configured,
        keeps_configured_values,
        stays_null,
        write_only_is_null,
        no_null_elements_around_write_only,
        keeps_nested_attributes,
        keeps_nested_elements,
        blocks_are_not_null,
        unknown_blocks_stay_unknown,
        configured_blocks_are_known,
        keeps_blocks,
        has_every_configured_block,
        pairs_set_elements,
        replace_paths_exist,
        repeats_itself,
        changes_nothing_needlessly,
        destroys_to_nothing,
        final_plan_keeps_action,
        final_plan_agrees,
    }
    apply {
        conforms,
        returns_an_object,
        deletes_to_nothing,
        deletes_what_is_gone,
        write_only_is_null,
        is_wholly_known,
        keeps_planned_values,
        keeps_promises,
        keeps_elements,
        keeps_dynamic_types,
        keeps_set_elements,
        keeps_block_count,
        has_every_configured_block,
        blocks_are_not_null,
    }
    read {
        conforms,
        is_wholly_known,
        write_only_is_null,
        blocks_are_not_null,
        keeps_the_form,
        reports_drift,
        finds_nothing_when_gone,
        repeats_itself,
    }
    upgrade {
        conforms,
        is_wholly_known,
        is_not_null,
        write_only_is_null,
        same_version_is_identity,
    }
    data {
        conforms,
        is_not_null,
        is_wholly_known,
        preserves_configuration,
        repeats_itself,
    }
}

use crate::rule::Rule;

/// The rule of an identity.
pub fn find(id: &str) -> Option<&'static Rule> {
    CATALOGUE.iter().copied().find(|rule| rule.id == id)
}

#[cfg(test)]
mod matrix;
#[cfg(test)]
mod tests;
