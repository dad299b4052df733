//! What a check reports about one exchange.

use super::{Fix, Level, Shows};
use crate::calls::Cause;
use crate::core::Problem;
use crate::schema::{Attribute, Block, Member, NestedBlock, Nesting};
use crate::value::{AttributePath, PathStep, SchemaPath, Value};

/// One breach, before its level is decided.
#[derive(Clone, Debug, PartialEq)]
pub struct Finding {
    /// Where in the object; the root if it concerns the whole object.
    pub path: AttributePath,
    /// What is wrong: a lower-case fragment without a final stop.
    pub message: String,
    /// What would have been right, each with the role it comes from.
    pub allowed: Vec<(&'static str, Value)>,
    /// What came back, and in which field.
    pub actual: Option<(&'static str, Value)>,
    /// Whether the place is sensitive, so that its values may not be shown.
    pub sensitive: bool,
    /// The level, where it is not the rule's; no flag excuses it.
    pub level: Option<Level>,
    /// An upper bound on the level, where the evidence is weak.
    pub at_most: Option<Level>,
    /// What an engine shows, in words, where it is not what it shows of every breach of the rule.
    pub shows: Option<String>,
    /// What to do, where the values tell more than the rule knows.
    pub fix: Option<Fix>,
    /// What tells two causes apart where rule, type and place are the same: a panic frame, a message template.
    pub cause: Cause,
}

impl Finding {
    pub fn new(path: AttributePath, message: impl Into<String>) -> Finding {
        Finding {
            path,
            message: message.into(),
            allowed: Vec::new(),
            actual: None,
            sensitive: false,
            level: None,
            at_most: None,
            shows: None,
            fix: None,
            cause: Cause::default(),
        }
    }

    #[must_use]
    pub fn at(mut self, path: AttributePath) -> Finding {
        self.path = path;
        self
    }

    /// At a place of the schema, for all values there.
    #[must_use]
    pub fn at_place(self, place: SchemaPath) -> Finding {
        self.at(place.into())
    }

    #[must_use]
    pub fn allow(mut self, role: &'static str, value: &Value) -> Finding {
        self.allowed.push((role, value.clone()));
        self
    }

    #[must_use]
    pub fn actual(mut self, role: &'static str, value: &Value) -> Finding {
        self.actual = Some((role, value.clone()));
        self
    }

    /// Marks the finding as sensitive if its place, or anything inside the values it shows, is. A path then
    /// ends at the set it goes through, because it would reveal the element.
    #[must_use]
    pub fn guarded(mut self, block: &Block) -> Finding {
        let is_secret = |path: &AttributePath| block.is_sensitive(path) || holds_secrets(block, path);
        let set = self.path.up_to_set();
        if set != self.path && is_secret(&set) {
            self.path = set;
        }
        self.sensitive |= is_secret(&self.path);
        self
    }

    /// Sets the level, whatever the rule says.
    #[must_use]
    pub fn at_level(mut self, level: Level) -> Finding {
        self.level = Some(level);
        self
    }

    /// Says what an engine shows, whatever the rule says.
    #[must_use]
    pub fn showing(mut self, shows: Shows) -> Finding {
        self.shows = Some(shows.to_string());
        self
    }

    /// Limits the level to `level`, whatever the rule says.
    #[must_use]
    pub fn at_most(mut self, level: Level) -> Finding {
        self.at_most = Some(level);
        self
    }

    /// What to do, if the values tell it.
    #[must_use]
    pub fn mended_by(mut self, fix: Option<Fix>) -> Finding {
        self.fix = fix;
        self
    }

    #[must_use]
    pub fn caused_by(mut self, cause: impl Into<Cause>) -> Finding {
        self.cause = cause.into();
        self
    }
}

/// Whether anything at or below a place of the schema is sensitive.
fn holds_secrets(block: &Block, path: &AttributePath) -> bool {
    match block.find(path) {
        _ if path.is_root() => block.any_attribute(&Attribute::is_secret),
        Some(Member::Block(nested)) => nested.block.any_attribute(&Attribute::is_secret),
        Some(Member::Attribute(attribute)) => attribute.any(&Attribute::is_secret),
        None => false,
    }
}

/// The last value of a problem is what came back, those before it are what would have been right.
impl From<&Problem> for Finding {
    fn from(problem: &Problem) -> Finding {
        let mut finding = Finding::new(problem.path.clone(), &problem.message);
        finding.sensitive = problem.sensitive;
        finding.allowed = problem.values.clone();
        finding.actual = finding.allowed.pop();
        finding
    }
}

/// Collects what one rule says about one exchange. Saying nothing is a pass.
#[derive(Debug, Default)]
pub struct Findings {
    pub(crate) found: Vec<Finding>,
    pub(crate) abstained: Option<Abstained>,
}

/// Why a rule did not judge an exchange.
#[derive(Clone, Debug, PartialEq)]
pub(crate) enum Abstained {
    NotApplicable(&'static str),
    Inconclusive(String),
}

impl Findings {
    pub fn add(&mut self, finding: Finding) {
        self.found.push(finding);
    }

    /// The problems that break one of the entries a rule covers.
    pub fn adopt(&mut self, block: &Block, problems: &[Problem], covers: &[&str]) {
        self.adopt_with(block, problems, covers, |_| None);
    }

    /// The same; `fix` says what to do about a problem if its values tell more than the rule knows.
    pub fn adopt_with(
        &mut self,
        block: &Block,
        problems: &[Problem],
        covers: &[&str],
        fix: impl Fn(&Problem) -> Option<Fix>,
    ) {
        if let Some(unjudged) = problems.iter().find(|problem| problem.is_unjudged()) {
            self.inconclusive(unjudged.message.clone());
        }
        for problem in problems.iter().filter(|problem| covers.contains(&problem.covers)) {
            self.add(Finding::from(problem).guarded(block).mended_by(fix(problem)));
        }
    }

    /// As [`Findings::adopt`], for problems that show no values: the path is shown as it is.
    pub fn adopt_places(&mut self, problems: &[Problem], covers: &[&str]) {
        let broken = problems.iter().filter(|problem| covers.contains(&problem.covers));
        self.found.extend(broken.map(Finding::from));
    }

    /// As [`Findings::adopt`], for write-only problems. A null element that was already there in `before`,
    /// which the provider was given, is not its fault.
    pub fn adopt_leaks(&mut self, block: &Block, problems: &[Problem], covers: &[&str], before: &Value) {
        let is_new = |problem: &Problem| {
            problem.covers != "WO-002" || before.at(&problem.path).is_none_or(|before| !before.is_null())
        };
        let problems: Vec<Problem> = problems.iter().filter(|problem| is_new(problem)).cloned().collect();
        self.adopt(block, &problems, covers);
    }

    /// One breach for each null in place of nested blocks in an answer that was not null in `before`;
    /// `told` may add to it what an engine makes of such blocks.
    pub fn adopt_null_blocks(
        &mut self,
        block: &Block,
        before: &Value,
        answered: &Value,
        told: impl Fn(&NestedBlock, Finding) -> Finding,
    ) {
        answered.walk(&mut |path, value| {
            let ends_in_name = matches!(path.steps().last(), Some(PathStep::Attribute(_)));
            if let (true, true, Some(Member::Block(nested))) =
                (value.is_null(), ends_in_name, block.find(path))
                && !matches!(nested.nesting, Nesting::Single | Nesting::Invalid(_))
                && before.at(path).is_none_or(|before| !before.is_null())
            {
                let message = "nested blocks are null; an empty collection means no blocks";
                self.add(told(nested, Finding::new(path.clone(), message)));
            }
            true
        });
    }

    /// A breach without values.
    pub fn report(&mut self, path: AttributePath, message: impl Into<String>) {
        self.add(Finding::new(path, message));
    }

    /// A breach where one of `allowed` was expected and `actual` returned.
    pub fn expected<const N: usize>(
        &mut self,
        path: AttributePath,
        message: impl Into<String>,
        allowed: [(&'static str, &Value); N],
        actual: (&'static str, &Value),
    ) {
        let finding = allowed
            .into_iter()
            .fold(Finding::new(path, message), |finding, (role, value)| finding.allow(role, value));
        self.add(finding.actual(actual.0, actual.1));
    }

    /// The rule does not apply here.
    pub fn not_applicable(&mut self, reason: &'static str) {
        self.abstained = Some(Abstained::NotApplicable(reason));
    }

    /// The rule applies, but cannot judge.
    pub fn inconclusive(&mut self, reason: impl Into<String>) {
        self.abstained = Some(Abstained::Inconclusive(reason.into()));
    }
}
