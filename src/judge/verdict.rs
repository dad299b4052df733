//! What one rule says about one exchange, and how often.

use serde::{Deserialize, Serialize};

/// What one rule says about one exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    NotApplicable,
    Pass,
    Inconclusive,
    Fail,
}

/// How often a rule gave each verdict.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Tally {
    pub pass: u64,
    pub fail: u64,
    pub inconclusive: u64,
    pub not_applicable: u64,
}

impl Tally {
    pub fn add(&mut self, verdict: Verdict) {
        match verdict {
            Verdict::Pass => self.pass += 1,
            Verdict::Fail => self.fail += 1,
            Verdict::Inconclusive => self.inconclusive += 1,
            Verdict::NotApplicable => self.not_applicable += 1,
        }
    }

    /// Adds another tally.
    pub fn merge(&mut self, other: Tally) {
        self.pass += other.pass;
        self.fail += other.fail;
        self.inconclusive += other.inconclusive;
        self.not_applicable += other.not_applicable;
    }

    /// Whether the rule was not exercised.
    pub fn is_idle(&self) -> bool {
        self.pass + self.fail + self.inconclusive == 0
    }
}
