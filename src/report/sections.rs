//! The findings of a report by what becomes of them.

use super::{Group, Report};
use crate::record::Reason;

/// The groups of a report, each in one of these, in reading order.
#[derive(Debug, Default)]
pub struct Sections<'r> {
    /// They fail the run.
    pub failing: Vec<&'r Group>,
    /// They would if the user did not want to be only warned of them.
    pub warned: Vec<&'r Group>,
    /// They do not, because of their level.
    pub passing: Vec<&'r Group>,
    /// The suite or the baseline excuses them.
    pub known: Vec<&'r Group>,
    /// The SDK is to blame.
    pub of_sdk: Vec<&'r Group>,
    /// They are counted and not shown.
    pub allowed: Vec<&'r Group>,
}

impl<'r> Sections<'r> {
    /// Sorts groups of a report.
    pub fn of(groups: impl IntoIterator<Item = &'r Group>, report: &Report) -> Sections<'r> {
        let mut sections = Sections::default();
        for group in groups {
            let section = match group {
                group if group.fails(report.run.fail_on) => &mut sections.failing,
                group if group.is_warned_of(report.run.fail_on) => &mut sections.warned,
                group if group.is_allowed() => &mut sections.allowed,
                group => match group.reason() {
                    Some(Reason::Known(_)) => &mut sections.known,
                    Some(Reason::Sdk(_)) => &mut sections.of_sdk,
                    None => &mut sections.passing,
                },
            };
            section.push(group);
        }
        sections
    }
}

impl Report {
    /// Its groups by what becomes of them.
    pub fn sections(&self) -> Sections<'_> {
        Sections::of(&self.groups, self)
    }
}
