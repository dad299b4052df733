//! Known findings, which do not fail the run.

use serde::{Deserialize, Serialize};

use super::text::nearest;

/// The rule that a provider breaks by ending during a call.
const CRASH: &str = "rpc/survives";

/// A known finding, which does not fail the run. A crash is never one.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Known {
    pub rule: String,
    /// A glob of types; none matches all.
    #[serde(rename = "type")]
    pub type_name: Option<String>,
    /// A schema path: names joined by dots, without indexes; none matches all.
    pub path: Option<String>,
    pub reason: String,
}

impl Known {
    /// What can be wrong about it without a schema: the key, and why.
    pub(super) fn check(&self) -> Result<(), (&'static str, String)> {
        let rule = &self.rule;
        if crate::rules::find(rule).is_none() {
            let hint = nearest(rule, crate::rules::CATALOGUE.iter().map(|rule| rule.id));
            return Err(("rule", format!("rule `{rule}` does not exist{hint}")));
        }
        if rule == CRASH {
            return Err(("rule", "a crash is never a known finding".to_owned()));
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
    pub fn excuses(&self, rule: &str, type_name: &str, path: &str) -> bool {
        self.rule == rule
            && rule != CRASH
            && self.path.as_deref().is_none_or(|known| known == path)
            && self.is_about(type_name)
    }

    /// Whether it covers a type.
    pub fn is_about(&self, type_name: &str) -> bool {
        self.type_name.as_deref().is_none_or(|glob| {
            globset::Glob::new(glob).is_ok_and(|glob| glob.compile_matcher().is_match(type_name))
        })
    }
}
