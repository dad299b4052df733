//! What an engine is expected to show of one finding, and in which runs.

use std::collections::BTreeSet;
use std::fmt;

use crate::calls::template;
use crate::rule::{Rule, Says, Shows, Speaker, fits};
use crate::scenario::Scenario;
use crate::transcript::Phase;
use crate::value::tree::SENSITIVE;

/// A finding that an engine is to confirm.
#[derive(Clone, Copy, Debug)]
pub struct Sought<'a> {
    pub rule: &'static Rule,
    pub runs: Runs,
    /// The summaries of the provider's errors in the answer that the finding is about, without secrets.
    pub said: &'a [String],
    /// What an engine shows, in words, where it is not what it shows of every breach of the rule.
    pub shows: Option<&'a str>,
}

impl<'a> Sought<'a> {
    /// What is wrong before any run: it may show in each, as any breach of the rule does.
    pub fn anywhere(rule: &'static Rule) -> Sought<'a> {
        Sought { rule, runs: Runs::ALL, said: &[], shows: None }
    }

    /// What an engine says of this finding.
    pub(super) fn says(&self) -> Says {
        match self.rule.shows.says {
            _ if self.is_silent() => Says::Nothing,
            // Nobody else has words for it.
            Says::Nothing if !self.said.is_empty() => Says::OwnWords(Speaker::Provider),
            says => says,
        }
    }

    /// The scenario without what is not needed to show it: later runs, and those that fail in another way.
    pub(super) fn only_its_runs(&self, scenario: &Scenario, failed: &BTreeSet<usize>) -> Scenario {
        let is_needed = |run: usize| {
            let is_its = !self.said.is_empty() && self.runs.holds(Some(run));
            !self.runs.are_before(run) && (is_its || !failed.contains(&run))
        };
        let runs = scenario.runs.iter().enumerate().filter(|(idx, _)| is_needed(*idx));
        Scenario { runs: runs.map(|(_, run)| run.clone()).collect(), ..scenario.clone() }
    }

    /// Whether Terraform shows something of it.
    pub(super) fn is_shown_by_terraform(&self) -> bool {
        let shows = self.rule.shows;
        match shows.says {
            _ if self.is_silent() => false,
            Says::TitleIn { engine, .. } => !engine.is_opentofu(),
            Says::Nothing => !shows.crashes.is_empty(),
            Says::Title(_) | Says::OwnWords(_) | Says::Change | Says::ImportChange => true,
        }
    }

    /// Whether no engine shows this finding, whatever it shows of others.
    pub(super) fn is_silent(&self) -> bool {
        self.shows == Some(Shows::NOTHING.to_string().as_str())
    }

    /// Whether the title of an engine's error is in the words of the provider: apart from names and numbers.
    pub(super) fn is_said(&self, title: &str) -> bool {
        let is_like = |said: &str| {
            let pattern = template(&said.replace(SENSITIVE, "…"));
            // Without any word it would fit everything.
            pattern.contains(char::is_alphabetic)
                && (fits(title, &pattern) || fits(&template(title), &pattern))
        };
        // An engine prints the first line as the title.
        let mut titles = self.said.iter().filter_map(|said| Some(said.lines().next()?.trim()));
        titles.any(|said| title == said || is_like(said))
    }

    /// What is expected, as in "the rule says …".
    pub fn told(&self) -> String {
        match (self.says(), self.said.first()) {
            (Says::OwnWords(Speaker::Provider), Some(said)) => format!("the provider's own error: “{said}”"),
            _ => self.shows.map_or_else(|| self.rule.shows.to_string(), str::to_owned),
        }
    }
}

/// The runs of a script in which a finding can show, counted from 0.
///
/// The run after the last one destroys what is left.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Runs {
    first: usize,
    last: usize,
}

impl Runs {
    pub const ALL: Runs = Runs { first: 0, last: usize::MAX };

    /// Of a finding at a step of a run. What is destroyed was made by the run, and is destroyed by a later one.
    ///
    /// An exchange does not tell runs with the same configuration apart, so it is any of those in a row.
    pub fn of(scenario: &Scenario, run: Option<usize>, phase: Phase) -> Runs {
        let Some((first, found)) = run.and_then(|run| Some((run, scenario.runs.get(run)?))) else {
            return Runs::ALL;
        };
        let later = scenario.runs[first + 1..].iter();
        let last = first + later.take_while(|run| run.blocks == found.blocks).count();
        let importing = scenario.runs.iter().position(|run| !run.imports.is_empty());
        match phase {
            Phase::Start => Runs::ALL,
            Phase::Import => importing.map_or(Runs::ALL, Runs::only),
            Phase::Destroy | Phase::Gone | Phase::CleanUp => Runs { first: last + 1, last: usize::MAX },
            _ => Runs { first, last },
        }
    }

    /// Whether a run, counted from 0, begins only when the finding has shown.
    fn are_before(self, run: usize) -> bool {
        run > self.last
    }

    pub(super) fn only(run: usize) -> Runs {
        Runs { first: run, last: run }
    }

    /// Whether a command of this run is meant; `None` is before the first run.
    pub fn holds(self, run: Option<usize>) -> bool {
        match run {
            Some(run) => (self.first..=self.last).contains(&run),
            None => self == Runs::ALL,
        }
    }
}

/// After a text: ` in run 2`, counted from 1; empty for all.
impl fmt::Display for Runs {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match (self.first + 1, self.last) {
            (1, usize::MAX) => Ok(()),
            (first, usize::MAX) => write!(f, " in run {first} or later"),
            (first, last) if first > last => write!(f, " in run {first}"),
            (first, last) => write!(f, " in runs {first} to {}", last + 1),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::scenario::{Arguments, Block, EngineRun, Operation, ResourceAddress};
    use crate::schema::Kind;
    use crate::transcript::ScenarioLabel;
    use crate::value::Value;

    fn scenario(names: &[&str]) -> Scenario {
        let run = |name: &&str| {
            let address = ResourceAddress::new(Kind::Resource, "acme_thing", "a");
            let arguments = Arguments::known(Value::object([("name", Value::string(name))]));
            EngineRun::new(Operation::Apply, vec![Block::new(address, arguments)])
        };
        Scenario::new(ScenarioLabel::default(), names.iter().map(run).collect())
    }

    #[test]
    fn a_finding_shows_in_its_run_or_one_that_cannot_be_told_from_it() {
        let scenario = scenario(&["a", "b", "b", "a"]);
        let shown = |run, phase| Runs::of(&scenario, run, phase).to_string();
        assert_eq!(shown(Some(0), Phase::Create), " in run 1");
        assert_eq!(shown(Some(1), Phase::Update), " in runs 2 to 3");
        assert_eq!(shown(Some(3), Phase::NoOp), " in run 4");
        assert_eq!(shown(Some(1), Phase::Destroy), " in run 4 or later");
        assert_eq!(shown(None, Phase::Create), "");
        assert_eq!(shown(Some(9), Phase::Create), "");
        assert!(!Runs::of(&scenario, Some(0), Phase::Create).holds(None));
    }
}
