//! How much must be judged.

use std::fmt;
use std::str::FromStr;

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
    /// Adds what else is required; where both say something, `other` counts.
    pub fn extend(&mut self, other: &Require) {
        self.planned = other.planned.or(self.planned);
        self.applied = other.applied.or(self.applied);
        self.scenarios = other.scenarios.or(self.scenarios);
    }

    /// Whether nothing is required.
    pub fn is_empty(&self) -> bool {
        *self == Require::default()
    }
}

impl fmt::Display for Require {
    /// As `--require` takes it.
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        let shown = |name: &str, amount: Option<String>| amount.map(|amount| format!("{name}={amount}"));
        let parts = [
            shown("planned", self.planned.map(|amount| amount.to_string())),
            shown("applied", self.applied.map(|amount| amount.to_string())),
            shown("scenarios", self.scenarios.map(|least| least.to_string())),
        ];
        f.write_str(&parts.into_iter().flatten().collect::<Vec<_>>().join(","))
    }
}

/// Parts such as `applied=90%`, separated by commas.
impl FromStr for Require {
    type Err = String;

    fn from_str(text: &str) -> Result<Require, String> {
        let mut require = Require::default();
        for part in text.split(',') {
            let Some((name, amount)) = part.split_once('=') else {
                return Err(format!("{part:?} has no amount, as in applied=90%"));
            };
            let amount = amount.trim();
            match name.trim() {
                "planned" => require.planned = Some(amount.parse()?),
                "applied" => require.applied = Some(amount.parse()?),
                "scenarios" => {
                    let least = amount.parse().map_err(|_| format!("{amount:?} is not a number"))?;
                    require.scenarios = Some(least);
                }
                other => return Err(format!("{other:?} is none of planned, applied and scenarios")),
            }
        }
        Ok(require)
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
        let amount = match &written {
            toml::Value::Integer(count) => u64::try_from(*count).ok().map(Amount::Count),
            toml::Value::String(text) => Amount::share(text),
            _ => None,
        };
        amount.ok_or_else(|| format!("{written} is neither a number from 0 on nor a share such as \"95%\""))
    }
}

/// A number or a share as text: on a command line both are.
impl FromStr for Amount {
    type Err = String;

    fn from_str(text: &str) -> Result<Amount, String> {
        let amount = text.parse().ok().map(Amount::Count).or_else(|| Amount::share(text));
        amount.ok_or_else(|| format!("{text:?} is neither a number from 0 on nor a share such as 95%"))
    }
}

impl fmt::Display for Amount {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Amount::Count(count) => write!(f, "{count}"),
            Amount::Percent(share) => write!(f, "{share}%"),
        }
    }
}

impl Amount {
    /// A share such as `95%`.
    fn share(text: &str) -> Option<Amount> {
        let share = text.strip_suffix('%')?.trim().parse().ok()?;
        (0.0..=100.0).contains(&share).then_some(Amount::Percent(share))
    }

    /// Whether `count` of `all` is enough.
    pub fn is_met(self, count: u64, all: u64) -> bool {
        match self {
            Amount::Count(least) => count >= least,
            Amount::Percent(share) => count as f64 * 100.0 >= share * all as f64,
        }
    }
}
