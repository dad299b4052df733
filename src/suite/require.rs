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
#[serde(try_from = "toml::Value")]
pub enum Amount {
    Count(u64),
    /// Between 0 and 100.
    Percent(f64),
}

impl TryFrom<toml::Value> for Amount {
    type Error = String;

    fn try_from(written: toml::Value) -> Result<Amount, String> {
        let share = |text: &str| text.strip_suffix('%').and_then(|share| share.trim().parse().ok());
        let amount = match &written {
            toml::Value::Integer(count) => u64::try_from(*count).ok().map(Amount::Count),
            toml::Value::String(text) => {
                share(text).filter(|share| (0.0..=100.0).contains(share)).map(Amount::Percent)
            }
            _ => None,
        };
        amount.ok_or_else(|| format!("{written} is neither a number from 0 on nor a share such as \"95%\""))
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
