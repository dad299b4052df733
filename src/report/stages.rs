//! Per stage of a lifecycle: how many types were not judged there, and why.

use std::collections::BTreeMap;

use serde::Serialize;

use super::{Report, TypeLine};
use crate::schema::Kind;

/// A stage that a type can reach.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Stage {
    Validated,
    Planned,
    Applied,
    Read,
}

/// The types that did not reach a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct NotJudged {
    pub stage: Stage,
    /// How many types did not reach it.
    pub types: u64,
    /// Of how many that could have.
    pub of: u64,
    /// For how many of `types` the reasons are given at the stage before, which they did not reach either.
    pub already: u64,
    /// Why the others did not, the most common reason first.
    pub reasons: Vec<Reason>,
}

/// Why types did not reach a stage.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Reason {
    /// The first line of the message, with `…` for quoted names.
    pub message: String,
    pub types: u64,
}

impl Stage {
    pub const ALL: [Stage; 4] = [Stage::Validated, Stage::Planned, Stage::Applied, Stage::Read];

    pub fn name(self) -> &'static str {
        match self {
            Stage::Validated => "validated",
            Stage::Planned => "planned",
            Stage::Applied => "applied",
            Stage::Read => "read",
        }
    }

    fn concerns(self, kind: Kind) -> bool {
        match self {
            Stage::Validated => true,
            Stage::Planned | Stage::Applied => kind == Kind::Resource,
            Stage::Read => kind == Kind::DataSource,
        }
    }

    fn before(self) -> Option<Stage> {
        match self {
            Stage::Validated => None,
            Stage::Planned | Stage::Read => Some(Stage::Validated),
            Stage::Applied => Some(Stage::Planned),
        }
    }

    /// Whether it exists only in runs that create objects and read data.
    fn needs_apply(self) -> bool {
        matches!(self, Stage::Applied | Stage::Read)
    }

    fn reached_by(self, line: &TypeLine) -> bool {
        match self {
            Stage::Validated => line.reached.validated,
            Stage::Planned => line.reached.planned,
            Stage::Applied => line.reached.applied,
            Stage::Read => line.reached.read,
        }
    }
}

impl Report {
    /// The stages that some type did not reach, in the order of a lifecycle.
    pub fn not_judged(&self) -> Vec<NotJudged> {
        let why = self.most_common_refusals();
        Stage::ALL.into_iter().filter_map(|stage| self.not_judged_at(stage, &why)).collect()
    }

    fn not_judged_at(&self, stage: Stage, why: &BTreeMap<(Kind, &str), &str>) -> Option<NotJudged> {
        let concerned = || self.per_type.iter().filter(|line| stage.concerns(line.kind));
        let mut not_judged =
            NotJudged { stage, types: 0, of: concerned().count() as u64, already: 0, reasons: Vec::new() };
        let mut reasons: BTreeMap<String, u64> = BTreeMap::new();
        for line in concerned().filter(|line| !stage.reached_by(line)) {
            not_judged.types += 1;
            if let Some(why) = self.nothing_applied.as_ref().filter(|_| stage.needs_apply()) {
                *reasons.entry(why.clone()).or_default() += 1;
                continue;
            }
            if stage.before().is_some_and(|before| !before.reached_by(line)) {
                not_judged.already += 1;
                continue;
            }
            let message = match why.get(&(line.kind, line.type_name.as_str())) {
                Some(message) => template(message, &line.type_name),
                None if line.scenarios == 0 => "no scenario was played".to_owned(),
                None => "no scenario went this far".to_owned(),
            };
            *reasons.entry(message).or_default() += 1;
        }
        let mut reasons: Vec<Reason> =
            reasons.into_iter().map(|(message, types)| Reason { message, types }).collect();
        reasons.sort_by_key(|reason| std::cmp::Reverse(reason.types));
        not_judged.reasons = reasons;
        (not_judged.types > 0).then_some(not_judged)
    }

    /// By type, the most common message with which its scenarios were refused.
    pub(super) fn most_common_refusals(&self) -> BTreeMap<(Kind, &str), &str> {
        let mut most: BTreeMap<(Kind, &str), (u64, &str)> = BTreeMap::new();
        for refusal in &self.refusals {
            let entry = most.entry((refusal.kind, &refusal.type_name)).or_default();
            if refusal.scenarios > entry.0 {
                *entry = (refusal.scenarios, &refusal.message);
            }
        }
        most.into_iter().map(|(key, (_, message))| (key, message)).collect()
    }
}

/// More letters of a line than help to know it by.
const MAX_LINE: usize = 400;

/// A message without what differs from type to type, so that equal reasons are counted together.
pub(super) fn template(message: &str, type_name: &str) -> String {
    let line = message.lines().next().unwrap_or_default().trim();
    let end = line.char_indices().nth(MAX_LINE).map(|(end, _)| end);
    let line = &end.map_or_else(|| line.to_owned(), |end| format!("{}…", &line[..end]));
    let mut out = String::new();
    let mut rest = line.as_str();
    while let Some(start) = rest.find(['"', '`']) {
        let quote = &rest[start..=start];
        let Some(length) = rest[start + 1..].find(quote) else { break };
        out.push_str(&rest[..=start]);
        out.push('…');
        out.push_str(quote);
        rest = &rest[start + length + 2..];
    }
    out.push_str(rest);
    if type_name.is_empty() { out } else { out.replace(type_name, "…") }
}

#[cfg(test)]
mod tests {
    use super::template;

    #[test]
    fn template_drops_what_is_quoted_and_the_type() {
        let text = "Missing argument: The argument \"name\" of acme_thing is `required`.\nMore.";
        assert_eq!(template(text, "acme_thing"), "Missing argument: The argument \"…\" of … is `…`.");
        assert_eq!(template("an odd \" quote", ""), "an odd \" quote");
        assert_eq!(template(&"é".repeat(1_000), ""), "é".repeat(400) + "…");
    }
}
