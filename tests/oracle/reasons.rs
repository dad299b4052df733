//! What we ask differently than an engine, and why.

use tfconform::scenario::{EngineRun, PlanningMode};
use tfconform::transcript::Rpc;

use super::compare::Difference;
use super::walks::WalkKind;

/// A difference that is meant.
pub struct Reason {
    pub name: &'static str,
    /// Why it is no defect of ours.
    pub why: &'static str,
    pub explains: fn(&Difference<'_>) -> bool,
}

pub const REASONS: &[Reason] = &[
    Reason {
        name: "validates-once",
        why: "an engine validates in every walk; we do so once where the request would be the same",
        explains: |difference| {
            let Some(theirs) = difference.theirs.filter(|_| difference.ours.is_none()) else { return false };
            let ours = WalkKind::ALL.into_iter().flat_map(|kind| difference.all_ours.of(kind));
            is_validation(theirs.rpc) && { ours }.any(|ours| ours.object == theirs.object && ours.is(theirs))
        },
    },
    Reason {
        name: "validates-what-is-known",
        why: "where a configuration has unknown values, we also validate it with all values known, to see \
              whether a refusal is due to the unknown ones",
        explains: |difference| {
            let is_ours = difference.ours.is_some_and(|ours| is_validation(ours.rpc));
            is_ours && difference.theirs.is_none() && difference.kind == WalkKind::Validate
        },
    },
    Reason {
        name: "stores-with-blanks",
        why: "an engine indents the JSON of its state file, and sends it as it stands there",
        explains: |difference| match (difference.ours, difference.theirs, difference.field) {
            (Some(ours), Some(theirs), Some(name @ ("raw_state" | "source_state" | "source_identity"))) => {
                ours.fields[name].differs_in_form(&theirs.fields[name])
            }
            _ => false,
        },
    },
    Reason {
        name: "validates-without-types",
        why: "while it validates, an engine knows no type of what comes from upstream; in a list of dynamic values we \
              send the type that it has when it is planned",
        explains: |difference| match (difference.ours, difference.theirs, difference.field) {
            (Some(ours), Some(theirs), Some("config")) => {
                is_validation(theirs.rpc) && ours.fields["config"].differs_in_form(&theirs.fields["config"])
            }
            _ => false,
        },
    },
    Reason {
        name: "validates-whatever-it-does",
        why: "an engine also validates before it only refreshes or destroys; that would be the same request again",
        explains: |difference| {
            let is_theirs = difference.theirs.is_some_and(|theirs| is_validation(theirs.rpc));
            is_theirs && difference.ours.is_none() && difference.run.options.mode != PlanningMode::Normal
        },
    },
    Reason {
        name: "validates-all-blocks",
        why: "an engine validates blocks that are not targeted, too",
        explains: |difference| {
            let is_theirs = difference.theirs.is_some_and(|theirs| is_validation(theirs.rpc));
            is_theirs
                && difference.ours.is_none()
                && difference.kind == WalkKind::Validate
                && !difference.run.options.targets.is_empty()
        },
    },
    Reason {
        name: "validates-blocks",
        why: "an engine first validates a block once, with the keys of its instances unknown; we validate each \
              instance",
        explains: |difference| {
            let theirs = difference.theirs.filter(|_| difference.ours.is_none());
            let is_block =
                theirs.is_some_and(|theirs| is_validation(theirs.rpc) && theirs.object.ends_with(" ?"));
            is_block && difference.kind == WalkKind::Validate
        },
    },
    Reason {
        name: "plans-before-a-destroy",
        why: "before an engine plans to destroy, it plans as usual and discards that",
        explains: |difference| {
            let Some(theirs) = difference.theirs.filter(|_| difference.ours.is_none()) else { return false };
            // That it destroys a deposed object is planned in both.
            let mut planned = difference.all_ours.of(WalkKind::Plan).iter();
            difference.run.options.mode == PlanningMode::Destroy
                && difference.kind == WalkKind::Plan
                && (theirs.used_for != "(delete)" || planned.any(|ours| ours.is(theirs)))
        },
    },
    Reason {
        name: "upgrades-what-it-forgets",
        why: "an engine upgrades what it forgets once more when it applies that; it would be the same request again",
        explains: |difference| {
            let theirs = difference.theirs.filter(|_| difference.ours.is_none());
            theirs.is_some_and(|theirs| theirs.rpc == Rpc::UpgradeResourceState)
                && difference.kind == WalkKind::Apply
                && forgets(difference.run)
        },
    },
];

fn forgets(run: &EngineRun) -> bool {
    !run.removed.is_empty() || run.blocks.iter().any(|block| block.meta.lifecycle.forgets)
}

fn is_validation(rpc: Rpc) -> bool {
    matches!(rpc, Rpc::ValidateResourceConfig | Rpc::ValidateDataResourceConfig)
}
