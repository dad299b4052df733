//! What a user decided about rules, and rules of some types: that their findings fail the run, never fail it, or
//! are not shown.

use std::cmp::Ordering;
use std::fmt;
use std::str::FromStr;

use globset::{Glob, GlobMatcher};
use serde::{Deserialize, Deserializer, Serialize, Serializer, de};

use super::text::nearest;
use super::{Run, Suite};
use crate::rule::{Level, RuleId};
use crate::rules::CATALOGUE;
use crate::schema::{Kind, ProviderSchema};

/// What becomes of a finding, whatever its level.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Handling {
    /// It is counted, and not shown.
    Allow,
    /// It is shown, and does not fail the run.
    Warn,
    /// It fails the run.
    Deny,
}

impl Handling {
    pub const ALL: [Handling; 3] = [Handling::Deny, Handling::Warn, Handling::Allow];

    /// The name of the option and of the key in `[run]`.
    pub fn name(self) -> &'static str {
        match self {
            Handling::Allow => "allow",
            Handling::Warn => "warn",
            Handling::Deny => "deny",
        }
    }

    /// Whether a finding fails the run, if findings from `fail_on` on do unless a user decided otherwise.
    pub fn fails(decided: Option<Handling>, level: Level, fail_on: Level) -> bool {
        decided.map_or(level >= fail_on, |handling| handling == Handling::Deny)
    }
}

/// Rules, or rules for some types: `RULE` or `RULE@TYPE`, each a name or a glob.
#[derive(Clone)]
pub struct Selector {
    text: String,
    rule: GlobMatcher,
    type_name: Option<GlobMatcher>,
}

impl Selector {
    fn selects(&self, rule: RuleId, kind: Option<Kind>, type_name: &str) -> bool {
        self.rule.is_match(rule) && self.is_about(kind, type_name)
    }

    /// Whether it is about a type, by its name or as in an address.
    fn is_about(&self, kind: Option<Kind>, type_name: &str) -> bool {
        let is_address = |glob: &GlobMatcher| {
            kind.is_some_and(|kind| !type_name.is_empty() && glob.is_match(kind.qualified(type_name)))
        };
        self.type_name.as_ref().is_none_or(|glob| glob.is_match(type_name) || is_address(glob))
    }

    /// Which of two selectors says more: one with a type, then one that spells out more of the type, then of the rule.
    fn precision(&self) -> impl Ord + use<> {
        let spelled_out = |glob: &GlobMatcher| {
            let glob = glob.glob().glob();
            match glob.contains(WILDCARDS) {
                true => glob.chars().filter(|c| !WILDCARDS.contains(c)).count(),
                false => usize::MAX,
            }
        };
        (self.type_name.as_ref().map(spelled_out), spelled_out(&self.rule))
    }
}

const WILDCARDS: [char; 6] = ['*', '?', '[', ']', '{', '}'];

impl FromStr for Selector {
    type Err = String;

    fn from_str(text: &str) -> Result<Selector, String> {
        let (rule, type_name) = match text.split_once('@') {
            Some((_, "")) => return Err(format!("{text:?} has no type after `@`")),
            Some((rule, type_name)) => (rule, Some(type_name)),
            None => (text, None),
        };
        let glob = |pattern: &str| match Glob::new(pattern) {
            Ok(glob) => Ok(glob.compile_matcher()),
            Err(error) => Err(format!("{pattern:?} is not a valid glob: {}", error.kind())),
        };
        let selector = Selector {
            text: text.to_owned(),
            rule: glob(rule)?,
            type_name: type_name.map(glob).transpose()?,
        };
        if !CATALOGUE.iter().any(|known| selector.rule.is_match(known.id)) {
            let mut groups: Vec<String> =
                CATALOGUE.iter().map(|known| format!("{}/*", known.group())).collect();
            groups.dedup();
            let ids = CATALOGUE.iter().map(|known| known.id);
            let hint = match rule.contains(WILDCARDS) {
                true => nearest(rule, groups.iter().map(String::as_str)),
                false => nearest(rule, ids),
            };
            return Err(format!("no rule matches `{rule}`{hint}"));
        }
        Ok(selector)
    }
}

impl fmt::Display for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(&self.text)
    }
}

impl fmt::Debug for Selector {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{:?}", self.text)
    }
}

impl PartialEq for Selector {
    fn eq(&self, other: &Selector) -> bool {
        self.text == other.text
    }
}

impl Eq for Selector {}

impl PartialOrd for Selector {
    fn partial_cmp(&self, other: &Selector) -> Option<Ordering> {
        Some(self.cmp(other))
    }
}

impl Ord for Selector {
    fn cmp(&self, other: &Selector) -> Ordering {
        self.text.cmp(&other.text)
    }
}

impl<'de> Deserialize<'de> for Selector {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Selector, D::Error> {
        String::deserialize(from)?.parse().map_err(de::Error::custom)
    }
}

/// The selectors of one handling: those of the suite, and those of the command line, which are stronger.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(transparent)]
pub struct Selectors {
    pub in_suite: Vec<Selector>,
    #[serde(skip)]
    pub in_command: Vec<Selector>,
}

/// Everything that a user decided, the stronger decision last.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct Policy(Vec<Decision>);

/// Written as `deny plan/*@acme_disk`.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
struct Decision {
    handling: Handling,
    selector: Selector,
}

impl Policy {
    /// The policy of a run: the command line decides before the suite does.
    pub fn of(run: &Run) -> Policy {
        let mut policy = Policy::default();
        policy.add(Handling::ALL.map(|handling| (handling, run.selectors(handling).in_suite.as_slice())));
        policy.add(Handling::ALL.map(|handling| (handling, run.selectors(handling).in_command.as_slice())));
        policy
    }

    /// Adds decisions that are stronger than those before. Among them the more precise selector is stronger, and of
    /// equally precise ones the stricter handling.
    pub fn add<const N: usize>(&mut self, decisions: [(Handling, &[Selector]); N]) {
        let decision = |handling, selector: &Selector| Decision { handling, selector: selector.clone() };
        let of = |(handling, selectors): (Handling, &[Selector])| {
            selectors.iter().map(|selector| decision(handling, selector)).collect::<Vec<_>>()
        };
        let mut added: Vec<Decision> = decisions.into_iter().flat_map(of).collect();
        added.sort_by_cached_key(|decision| (decision.selector.precision(), decision.handling));
        self.0.extend(added);
    }

    /// What was decided about findings of a rule about a type; `None` if nothing was. The type is empty for findings
    /// about none.
    pub fn handling(&self, rule: RuleId, kind: Option<Kind>, type_name: &str) -> Option<Handling> {
        let mut decisions = self.0.iter().rev();
        let decision = decisions.find(|decision| decision.selector.selects(rule, kind, type_name))?;
        Some(decision.handling)
    }
}

impl Serialize for Decision {
    fn serialize<S: Serializer>(&self, to: S) -> Result<S::Ok, S::Error> {
        to.collect_str(&format_args!("{} {}", self.handling.name(), self.selector))
    }
}

impl<'de> Deserialize<'de> for Decision {
    fn deserialize<D: Deserializer<'de>>(from: D) -> Result<Decision, D::Error> {
        let text = String::deserialize(from)?;
        let (name, selector) = text.split_once(' ').unwrap_or((&text, ""));
        let handling = Handling::ALL.into_iter().find(|handling| handling.name() == name);
        let handling = handling.ok_or_else(|| de::Error::custom(format!("{name:?} is no handling")))?;
        Ok(Decision { handling, selector: selector.parse().map_err(de::Error::custom)? })
    }
}

impl Run {
    /// The key of a handling.
    pub fn selectors(&self, handling: Handling) -> &Selectors {
        match handling {
            Handling::Allow => &self.allow,
            Handling::Warn => &self.warn,
            Handling::Deny => &self.deny,
        }
    }
}

impl Suite {
    /// Fails at the first selector with a type that the provider does not have.
    pub(super) fn check_policy(&self, schema: &ProviderSchema) -> Result<(), String> {
        let types: Vec<(Kind, &str)> = Kind::WITH_TYPES
            .into_iter()
            .flat_map(|kind| schema.names(kind).into_iter().map(move |name| (kind, name)))
            .collect();
        let problem = |selector: &Selector| {
            if types.iter().any(|(kind, name)| selector.is_about(Some(*kind), name)) {
                return None;
            }
            let glob = selector.type_name.as_ref()?.glob().glob();
            let hint = nearest(glob, types.iter().map(|(_, name)| *name));
            Some(format!("no type of the provider matches `{glob}`{hint}"))
        };
        for handling in Handling::ALL {
            let (Selectors { in_suite, in_command }, name) = (self.run.selectors(handling), handling.name());
            for (idx, selector) in in_suite.iter().enumerate() {
                if let Some(problem) = problem(selector) {
                    let keys = ["run", name, &idx.to_string()];
                    return Err(self.wrong(&keys, format!("`run.{name}`: {problem}")));
                }
            }
            if let Some((selector, problem)) = in_command.iter().find_map(|it| Some((it, problem(it)?))) {
                return Err(format!("--{name} {selector}: {problem}"));
            }
        }
        Ok(())
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn run(deny: &[&str], warn: &[&str], allow: &[&str]) -> Run {
        let selectors = |texts: &[&str]| Selectors {
            in_suite: texts.iter().map(|text| text.parse().expect("a selector")).collect(),
            in_command: Vec::new(),
        };
        Run { deny: selectors(deny), warn: selectors(warn), allow: selectors(allow), ..Run::default() }
    }

    fn decided(run: &Run, rule: RuleId, type_name: &str) -> Option<Handling> {
        Policy::of(run).handling(rule, Some(Kind::Resource), type_name)
    }

    #[test]
    fn the_more_precise_selector_decides() {
        let run = run(&["plan/*"], &["plan/stays-null", "*@acme_*"], &["plan/*@acme_disk", "read/*"]);
        assert_eq!(decided(&run, "plan/conforms", "other"), Some(Handling::Deny));
        assert_eq!(decided(&run, "plan/stays-null", "other"), Some(Handling::Warn), "a name before a glob");
        assert_eq!(
            decided(&run, "plan/stays-null", "acme_disk"),
            Some(Handling::Allow),
            "a type before none"
        );
        assert_eq!(decided(&run, "plan/stays-null", "acme_host"), Some(Handling::Warn));
        assert_eq!(decided(&run, "read/conforms", ""), Some(Handling::Allow));
        assert_eq!(decided(&run, "apply/conforms", "other"), None);
    }

    #[test]
    fn of_equally_precise_selectors_the_stricter_decides_and_the_command_line_before_the_suite() {
        let mut run = run(&["plan/conforms"], &["plan/conforms"], &["plan/conforms"]);
        assert_eq!(decided(&run, "plan/conforms", "a"), Some(Handling::Deny));
        run.allow.in_command = vec!["plan/*".parse().expect("a selector")];
        assert_eq!(decided(&run, "plan/conforms", "a"), Some(Handling::Allow));
    }

    #[test]
    fn a_type_goes_by_its_name_or_as_in_an_address() {
        let policy = Policy::of(&run(&["data/*@data.acme_*"], &[], &["data/conforms@acme_image"]));
        let of = |kind, name| policy.handling("data/conforms", Some(kind), name);
        assert_eq!(of(Kind::DataSource, "acme_disk"), Some(Handling::Deny));
        assert_eq!(of(Kind::Resource, "acme_disk"), None);
        assert_eq!(of(Kind::DataSource, "acme_image"), Some(Handling::Allow));
    }

    #[test]
    fn a_selector_of_no_rule_is_an_error_with_a_suggestion() {
        let problem = |text: &str| text.parse::<Selector>().unwrap_err();
        assert_eq!(
            problem("plan/stays-nul"),
            "no rule matches `plan/stays-nul`, did you mean `plan/stays-null`?"
        );
        assert_eq!(problem("plam/*@acme"), "no rule matches `plam/*`, did you mean `plan/*`?");
        assert_eq!(problem("plan/*@"), "\"plan/*@\" has no type after `@`");
        assert!(problem("plan/[").contains("is not a valid glob"));
    }

    #[test]
    fn a_policy_is_written_and_read_back() {
        let policy = Policy::of(&run(&["plan/*"], &[], &["read/*@acme_*"]));
        let text = serde_json::to_string(&policy).unwrap();
        assert_eq!(text, r#"["deny plan/*","allow read/*@acme_*"]"#);
        assert_eq!(serde_json::from_str::<Policy>(&text).unwrap(), policy);
    }

    #[test]
    fn a_decision_is_stronger_than_the_level() {
        let fails = |decided| Handling::fails(decided, Level::Should, Level::Must);
        assert!(fails(Some(Handling::Deny)) && !fails(None));
        assert!(!Handling::fails(Some(Handling::Warn), Level::Must, Level::Must));
        assert!(!Handling::fails(Some(Handling::Allow), Level::Must, Level::Must));
    }
}
