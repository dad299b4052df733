//! How many scenarios a type gets.

use std::fmt;
use std::str::FromStr;

use serde::de::{Error, Visitor};
use serde::{Deserialize, Deserializer, Serialize, Serializer};

/// How many scenarios a type gets.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord)]
pub enum Cases {
    /// The first ones; if its obligations need fewer, random combinations make up the rest, after everything else.
    Number(usize),
    /// As many as its obligations need, but at most this many: a run of a thousand types would take days.
    Share(usize),
    /// As many as its obligations need.
    #[default]
    Auto,
}

const EXPECTED: &str = "this must be \"auto\" or a number above 0";

/// How many scenarios the types of a run share.
const SHARED: usize = 10_000;

/// A type's share at least: the smallest configuration, one with everything unknown, the largest, and a change.
const LEAST: usize = 4;

/// A smaller share leaves out some kinds of scenarios.
const AMPLE: usize = 100;

impl Cases {
    /// The most there can be.
    pub fn most(self) -> usize {
        match self {
            Cases::Auto => usize::MAX,
            Cases::Number(number) | Cases::Share(number) => number,
        }
    }

    /// The same without random combinations.
    #[must_use]
    pub fn without_mixes(self) -> Cases {
        match self {
            Cases::Number(number) => Cases::Share(number),
            needed => needed,
        }
    }

    /// What each of some types gets in one run.
    #[must_use]
    pub fn among(self, n_types: usize) -> Cases {
        match self {
            Cases::Auto => Cases::Share((SHARED / n_types.max(1)).max(LEAST)),
            chosen => chosen,
        }
    }

    /// The share of a type, if it leaves out some kinds of scenarios.
    pub fn scarce(self) -> Option<usize> {
        match self {
            Cases::Share(share) => Some(share).filter(|share| *share < AMPLE),
            Cases::Number(_) | Cases::Auto => None,
        }
    }
}

impl fmt::Display for Cases {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            Cases::Auto | Cases::Share(_) => f.write_str("auto"),
            Cases::Number(number) => write!(f, "{number}"),
        }
    }
}

/// Parses what `Display` writes; the error says what is expected.
impl FromStr for Cases {
    type Err = String;

    fn from_str(text: &str) -> Result<Cases, String> {
        match text.parse() {
            _ if text == "auto" => Ok(Cases::Auto),
            Ok(number) if number > 0 => Ok(Cases::Number(number)),
            _ => Err(EXPECTED.to_owned()),
        }
    }
}

impl Serialize for Cases {
    fn serialize<S: Serializer>(&self, serializer: S) -> Result<S::Ok, S::Error> {
        match self {
            Cases::Auto | Cases::Share(_) => serializer.serialize_str("auto"),
            Cases::Number(number) => serializer.serialize_u64(*number as u64),
        }
    }
}

impl<'de> Deserialize<'de> for Cases {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Cases, D::Error> {
        deserializer.deserialize_any(Reader)
    }
}

struct Reader;

impl Visitor<'_> for Reader {
    type Value = Cases;

    fn expecting(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str("\"auto\" or a number above 0")
    }

    fn visit_str<E: Error>(self, text: &str) -> Result<Cases, E> {
        text.parse().map_err(E::custom)
    }

    fn visit_u64<E: Error>(self, number: u64) -> Result<Cases, E> {
        let number = usize::try_from(number).ok().filter(|number| *number > 0);
        number.map(Cases::Number).ok_or_else(|| E::custom(EXPECTED))
    }

    fn visit_i64<E: Error>(self, number: i64) -> Result<Cases, E> {
        u64::try_from(number).map_err(|_| E::custom(EXPECTED)).and_then(|number| self.visit_u64(number))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn many_types_share_a_number_of_scenarios() {
        assert_eq!(Cases::Auto.among(3).scarce(), None);
        assert_eq!(Cases::Auto.among(200).scarce(), Some(50));
        assert_eq!(Cases::Auto.among(100_000), Cases::Share(LEAST));
        assert_eq!(Cases::Number(24).among(100_000), Cases::Number(24));
        assert_eq!(Cases::Auto.among(0).most(), SHARED);
    }

    #[test]
    fn a_number_of_scenarios_reads_back_as_it_was_written() {
        for cases in [Cases::Auto, Cases::Number(24)] {
            assert_eq!(cases.to_string().parse(), Ok(cases));
            let json = serde_json::to_string(&cases).unwrap();
            assert_eq!(serde_json::from_str::<Cases>(&json).unwrap(), cases);
        }
        assert!("0".parse::<Cases>().is_err() && "many".parse::<Cases>().is_err());
        assert!(serde_json::from_str::<Cases>("0").is_err() && serde_json::from_str::<Cases>("-1").is_err());
    }
}
