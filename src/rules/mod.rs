//! The catalogue: one file per rule, one line of registration.
//!
//! To add a rule, copy the nearest file, name it after its identity
//! (`plan/stays-null` lives in `plan/stays_null.rs`), and add its line below. The
//! tests of this module do the rest: they hold every rule to the same duties.

pub mod contract;

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
    wire {
        decodes,
        objects_are_complete,
        dynamic_values_name_their_type,
        elements_share_one_type,
        numbers_are_finite,
        unknowns_are_plain,
        unknowns_have_code_zero,
        refinements_are_sound,
        refinements_say_something,
        headers_are_honest,
        schema_fits,
        nothing_follows,
        keys_are_unique,
        no_duplicate_elements,
        text_is_nfc,
        integers_are_integers,
        one_encoding,
    }
    rpc {
        answers,
        survives,
        answers_in_time,
        implements_what_it_declares,
        needs_no_schema,
        succeeds_again,
        diagnostics_have_a_severity,
        diagnostics_say_something,
        diagnostic_paths_resolve,
    }
    schema {
        configures_the_provider,
        types_can_be_read,
        blocks_are_declared,
        versions_are_natural,
        names_differ,
        names_are_given_once,
        block_names_are_plain,
        attribute_names_are_plain,
        names_are_not_reserved,
        attributes_have_a_role,
        optional_is_not_required,
        computed_is_not_required,
        attributes_have_one_type,
        nested_attributes_have_a_mode,
        sets_have_one_type,
        sets_hold_nothing_write_only,
        write_only_is_configured,
        item_counts_are_natural,
        single_blocks_are_required_or_not,
        groups_and_maps_are_not_counted,
        item_counts_leave_room,
        blocks_have_a_mode,
        deprecation_is_flagged,
        computed_blocks_are_computed_throughout,
        computed_blocks_demand_nothing,
        identities_say_what_import_needs,
        identities_are_plain,
        functions_are_named,
        functions_are_not_prefixed,
        functions_have_types,
        types_are_prefixed,
        list_resources_have_an_identity,
        stays_the_same,
        metadata_agrees,
        loads,
    }
    validate {
        tolerates_unknowns,
        leaves_the_provider_as_configured,
    }
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
        tolerates_unknowns,
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
mod engine_checks;
#[cfg(test)]
mod matrix;
#[cfg(test)]
mod tests;
