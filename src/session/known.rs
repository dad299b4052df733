//! Known findings that a run should have found and did not.

use crate::report::{Group, Report};
use crate::schema::Kind;
use crate::suite::{Known, Suite, SuiteError};

/// The entries that no longer match anything, each as an error of the suite.
///
/// A run says nothing about types that it did not play, and if nothing was applied, nothing could be found.
pub(super) fn stale(suite: &Suite, report: &Report, ty: Option<(Kind, &str)>) -> Vec<String> {
    let Some(file) = &suite.file else { return Vec::new() };
    let totals = &report.totals;
    // A run that did not finish may have missed anything.
    let is_whole = !report.unusable && !totals.is_lost && !totals.is_stuck && totals.scenarios > 0;
    let could_find = is_whole && (report.run.applied || suite.run.apply == Some(false));
    let is_played = |known: &Known| report.per_type.iter().any(|line| known.is_about(&line.type_name));
    let is_stale =
        |known: &&Known| could_find && is_played(known) && is_about(known, ty) && !is_found(known, report);
    let stale = suite.known.iter().filter(is_stale);
    stale
        .map(|known| {
            let (file, rule, reason) = (file.clone(), known.rule.clone(), known.reason.clone());
            SuiteError::Stale { file, rule, reason }.to_string()
        })
        .collect()
}

/// Whether a run of this type, or of all, would find it.
fn is_about(known: &Known, ty: Option<(Kind, &str)>) -> bool {
    let group = known.rule.split('/').next().unwrap_or_default();
    match (ty, group) {
        (None, _) => true,
        (Some((Kind::DataSource, name)), "data")
        | (Some((Kind::Resource, name)), "plan" | "apply" | "read" | "upgrade") => {
            known.type_name.as_deref() == Some(name)
        }
        _ => false,
    }
}

fn is_found(known: &Known, report: &Report) -> bool {
    let excuses = |group: &Group| {
        group.attributes.keys().any(|path| known.excuses(group.rule.id, &group.type_name, path))
    };
    report.groups.iter().any(excuses)
}
