//! Known findings that a run should have found and did not, and those that are known no longer.

use std::time::SystemTime;

use crate::report::{Group, Report};
use crate::schema::Kind;
use crate::suite::{Known, Suite, SuiteError};

/// The entries that no longer match anything, each as an error of the suite.
///
/// A run says nothing about types that it did not play, and if nothing was applied, nothing could be found.
pub(super) fn stale(suite: &Suite, report: &Report, ty: Option<(Kind, &str)>) -> Vec<String> {
    let Some(file) = &suite.file else { return Vec::new() };
    let stale = suite.known.iter().filter(|known| is_gone(known, suite, report, ty));
    stale
        .map(|known| {
            let (file, rule, reason) = (file.clone(), known.rule.clone(), known.reason.clone());
            SuiteError::Stale { file, rule, reason }.to_string()
        })
        .collect()
}

/// The entries whose last day is over, each as an error of the suite: they excuse nothing.
pub(super) fn expired(suite: &Suite, now: SystemTime) -> Vec<String> {
    let Some(file) = &suite.file else { return Vec::new() };
    let expired = suite.known.iter().enumerate().filter(|(_, known)| known.is_expired(now));
    expired
        .map(|(idx, known)| {
            let owner = known.owner.as_ref().map(|owner| format!(", {owner}")).unwrap_or_default();
            let until = known.until.as_deref().unwrap_or_default();
            let problem = format!("`{}` ({}{owner}) was known until {until}", known.rule, known.reason);
            SuiteError::in_file(file, &["known", &idx.to_string(), "until"], problem).to_string()
        })
        .collect()
}

/// Whether the run could have found it, and did not.
pub(super) fn is_gone(known: &Known, suite: &Suite, report: &Report, ty: Option<(Kind, &str)>) -> bool {
    let totals = &report.totals;
    // A run that did not finish may have missed anything.
    let is_whole = !report.unusable && !totals.is_lost && !totals.is_stuck && totals.scenarios > 0;
    let could_find = is_whole && (report.run.applied || suite.run.apply == Some(false));
    let is_played = || report.per_type.iter().any(|line| known.is_about(Some((line.kind, &line.type_name))));
    could_find && is_played() && is_about(known, ty) && !is_found(known, report)
}

/// Whether a run of this type, or of all, would find it.
fn is_about(known: &Known, ty: Option<(Kind, &str)>) -> bool {
    let group = known.rule.split('/').next().unwrap_or_default();
    match (ty, group) {
        (None, _) => true,
        (Some((kind @ Kind::DataSource, name)), "data")
        | (Some((kind @ Kind::Resource, name)), "plan" | "apply" | "read" | "upgrade") => {
            known.type_name == Some(kind.qualified(name))
        }
        _ => false,
    }
}

fn is_found(known: &Known, report: &Report) -> bool {
    let excuses = |group: &Group| {
        let mut paths = group.attributes.keys();
        paths.any(|path| known.excuses(group.rule.id, group.ty(), path, &group.cause))
    };
    report.groups.iter().any(excuses)
}
