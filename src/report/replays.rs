//! What replays say about a finding.

use std::fmt;

use serde::{Deserialize, Serialize};

/// How often a finding appeared when its case was played again, in new processes.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Replays {
    pub seen: u32,
    pub of: u32,
    /// How many other scenarios were played at the same time in the same process; 0 if the finding does not need any.
    #[serde(default)]
    pub beside: u32,
}

/// What replays say about a finding.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Confirmation {
    /// It appeared every time.
    Confirmed,
    /// It appeared in some plays and not in others.
    Flaky,
    /// It did not appear again.
    Unconfirmed,
}

impl Replays {
    /// The plays of two cases.
    pub(super) fn and(self, other: Replays) -> Replays {
        Replays {
            seen: self.seen + other.seen,
            of: self.of + other.of,
            beside: self.beside.max(other.beside),
        }
    }

    /// What the finding needs besides its own scenario, if anything.
    pub fn needs(self) -> Option<&'static str> {
        const OTHERS: &str = "other calls in the same process at the same time (PROC-003); it does not appear alone, or \
                              when each scenario has a process of its own";
        (self.beside > 0).then_some(OTHERS)
    }

    pub fn confirmation(self) -> Confirmation {
        match self.seen {
            0 => Confirmation::Unconfirmed,
            seen if seen == self.of || self.beside > 0 => Confirmation::Confirmed,
            _ => Confirmation::Flaky,
        }
    }
}

impl Confirmation {
    pub fn name(self) -> &'static str {
        match self {
            Confirmation::Confirmed => "confirmed",
            Confirmation::Flaky => "flaky",
            Confirmation::Unconfirmed => "unconfirmed",
        }
    }
}

/// `confirmed 3 of 3`, `flaky 2 of 5`, `unconfirmed 0 of 5`, `confirmed 4 of 5 beside 7 others`.
impl fmt::Display for Replays {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{} {} of {}", self.confirmation().name(), self.seen, self.of)?;
        match self.beside {
            0 => Ok(()),
            1 => f.write_str(" beside another"),
            n => write!(f, " beside {n} others"),
        }
    }
}
