//! How much must be judged.

use serde::Deserialize;

/// What must be judged for the run to count: a number of types, or a share such as `"95%"`.
#[derive(Clone, Debug, Default, PartialEq, Deserialize)]
#[serde(deny_unknown_fields, default)]
pub struct Require {
    pub planned: Option<Amount>,
    pub applied: Option<Amount>,
    pub scenarios: Option<u64>,
}

impl Require {
    /// Whether nothing is required.
    pub fn is_empty(&self) -> bool {
        *self == Require::default()
    }
}

/// A number, or a share of all.
#[derive(Clone, Copy, Debug, PartialEq, Deserialize)]
#[serde(try_from = "RawAmount")]
pub enum Amount {
    Count(u64),
    /// Between 0 and 100.
    Percent(f64),
}

#[derive(Deserialize)]
#[serde(untagged)]
enum RawAmount {
    Count(u64),
    Text(String),
}

impl TryFrom<RawAmount> for Amount {
    type Error = String;

    fn try_from(raw: RawAmount) -> Result<Amount, String> {
        match raw {
            RawAmount::Count(count) => Ok(Amount::Count(count)),
            RawAmount::Text(text) => {
                let share = text.strip_suffix('%').and_then(|share| share.trim().parse().ok());
                match share.filter(|share| (0.0..=100.0).contains(share)) {
                    Some(share) => Ok(Amount::Percent(share)),
                    None => Err(format!("{text:?} is neither a number nor a share such as \"95%\"")),
                }
            }
        }
    }
}

impl Amount {
    /// Whether `count` of `all` is enough.
    pub fn is_met(self, count: u64, all: u64) -> bool {
        match self {
            Amount::Count(least) => count >= least,
            Amount::Percent(share) => count as f64 * 100.0 >= share * all as f64,
        }
    }
}
