//! Known findings, which do not fail the run.

use std::time::{Duration, SystemTime};

use serde::{Deserialize, Serialize};
use x509_cert::der::DateTime;

use super::text::nearest;
use crate::schema::Kind;

/// The rule that a provider breaks by ending during a call.
const CRASH: &str = "rpc/survives";

/// A known finding, which does not fail the run. A crash is one only by its cause.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub rule: String,
    /// A glob of types as reports show them, `acme_server` or `data.acme_image`; none matches all.
    #[serde(rename = "type")]
    pub type_name: Option<String>,
    /// A schema path: names joined by dots, without indexes; none matches all.
    pub path: Option<String>,
    /// What distinguishes the cause, as the report's JSON says it; none matches all.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub cause: Option<String>,
    pub reason: String,
    /// The last day on which it is known, such as `2027-03-01`.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub until: Option<String>,
    /// Who sees to it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub owner: Option<String>,
}

impl Known {
    /// What can be wrong about it without a schema: the key, and why.
    pub(super) fn check(&self) -> Result<(), (&'static str, String)> {
        let rule = &self.rule;
        if crate::rules::find(rule).is_none() {
            let hint = nearest(rule, crate::rules::CATALOGUE.iter().map(|rule| rule.id));
            return Err(("rule", format!("rule `{rule}` does not exist{hint}")));
        }
        if rule == CRASH && self.cause.is_none() {
            let problem = "a crash is known only by its `cause`, which the report's JSON says";
            return Err(("rule", problem.to_owned()));
        }
        if let Some(day) = self.until.as_deref().filter(|day| end_of(day).is_none()) {
            return Err(("until", format!("{day:?} is no day, such as 2027-03-01")));
        }
        if let Some(Err(error)) = self.type_name.as_deref().map(globset::Glob::new) {
            let glob = error.glob().unwrap_or_default();
            return Err(("type", format!("{glob:?} is not a valid glob: {}", error.kind())));
        }
        if self.reason.trim().is_empty() {
            return Err(("reason", "a known finding needs a reason".to_owned()));
        }
        Ok(())
    }

    /// Whether it covers such a finding.
    pub fn excuses(&self, rule: &str, ty: Option<(Kind, &str)>, path: &str, cause: &str) -> bool {
        self.rule == rule
            && (rule != CRASH || self.cause.is_some())
            && self.cause.as_deref().is_none_or(|known| known == cause)
            && self.path.as_deref().is_none_or(|known| known == path)
            && self.is_about(ty)
    }

    /// Whether its last day is over, in UTC.
    pub fn is_expired(&self, now: SystemTime) -> bool {
        self.until.as_deref().and_then(end_of).is_some_and(|end| end <= now)
    }

    /// Whether it covers a type, or what is about no type. A resource type and a data source may share a name, so the
    /// name alone is that of the resource type.
    pub fn is_about(&self, ty: Option<(Kind, &str)>) -> bool {
        let Some(glob) = &self.type_name else { return true };
        let address = ty.map(|(kind, name)| kind.qualified(name)).unwrap_or_default();
        globset::Glob::new(glob).is_ok_and(|glob| glob.compile_matcher().is_match(address))
    }
}

/// When a day such as `2027-03-01` is over, in UTC.
fn end_of(day: &str) -> Option<SystemTime> {
    let mut numbers = day.splitn(3, '-').zip([4, 2, 2]).map(|(digits, length)| {
        let is_number = digits.len() == length && digits.bytes().all(|digit| digit.is_ascii_digit());
        is_number.then(|| digits.parse::<u16>().ok()).flatten()
    });
    let (year, month, day) = (numbers.next()??, numbers.next()??, numbers.next()??);
    let start = DateTime::new(year, month.try_into().ok()?, day.try_into().ok()?, 0, 0, 0).ok()?;
    Some(start.to_system_time() + Duration::from_secs(24 * 60 * 60))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn known(until: Option<String>) -> Known {
        Known {
            rule: "plan/stays-null".to_owned(),
            type_name: None,
            path: None,
            cause: None,
            reason: "it is so".to_owned(),
            until,
            owner: None,
        }
    }

    #[test]
    fn a_data_source_is_named_as_reports_show_it() {
        let is_about = |glob: &str, kind: Kind| {
            let known = Known { type_name: Some(glob.to_owned()), ..known(None) };
            known.is_about(Some((kind, "acme_image")))
        };
        let both = |glob: &str| [Kind::Resource, Kind::DataSource].map(|kind| is_about(glob, kind));
        assert_eq!(both("acme_image"), [true, false]);
        assert_eq!(both("data.acme_image"), [false, true]);
        assert_eq!(both("data.*"), [false, true]);
        assert_eq!(both("acme_*"), [true, false]);
        assert_eq!(both("*"), [true, true]);
        assert!(known(None).is_about(None) && known(None).is_about(Some((Kind::DataSource, "acme_image"))));
    }

    #[test]
    fn a_finding_is_known_until_its_last_day_is_over() {
        let known = |until: &str| known(Some(until.to_owned()));
        let at = |seconds| SystemTime::UNIX_EPOCH + Duration::from_secs(seconds);
        // 2026-11-22, at its first and after its last second.
        let (first, after) = (1_795_305_600, 1_795_392_000);
        assert!(!known("2026-11-22").is_expired(at(first)) && !known("2026-11-22").is_expired(at(after - 1)));
        assert!(known("2026-11-22").is_expired(at(after)));
        for wrong in ["2026-13-01", "2026-02-30", "1.3.2027", "2027-3-1", "tomorrow", ""] {
            assert_eq!(known(wrong).check().map_err(|(key, _)| key), Err("until"), "{wrong}");
        }
    }
}
