//! Arming faults: which fault, in which resources.

use std::fmt;
use std::str::FromStr;

use globset::{Glob, GlobMatcher};

use super::schema::Offered;
use crate::rule::Fault;
use crate::rules::CATALOGUE;
use crate::rules::behaviours::BEHAVIOUR_FAULTS;
use crate::rules::planned_private::PRIVATE_FAULTS;
use crate::transcript::{AnyCall, Field, Side};
use crate::value::Value;

/// A fault, and where it acts.
#[derive(Clone, Debug)]
pub struct Armed {
    pub fault: &'static Fault,
    /// Which resource types and data sources; `None` means all.
    pub types: Option<GlobMatcher>,
    /// Only objects whose `name` attribute has this value.
    pub name: Option<String>,
}

/// Why a fault cannot be armed.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum ArmError {
    #[error("there is no fault {name:?}{}", .nearest.as_ref().map(|name| format!("; did you mean {name:?}?")).unwrap_or_default())]
    UnknownFault { name: String, nearest: Option<String> },
    #[error("{glob:?} is not a pattern for resource types: {reason}")]
    Pattern { glob: String, reason: String },
    #[error("no type of the reference provider matches {glob:?}{}", .nearest.as_ref().map(|name| format!("; did you mean {name:?}?")).unwrap_or_default())]
    NoSuchType { glob: String, nearest: Option<String> },
}

/// Every fault and control, in the catalogue's order, and then those that are found in few places.
pub fn faults() -> impl Iterator<Item = &'static Fault> {
    let of_rules = CATALOGUE.iter().flat_map(|rule| [&rule.fault, &rule.control]);
    let of_private = PRIVATE_FAULTS.iter().flat_map(|one| [&one.fault, &one.control]);
    of_rules.chain(BEHAVIOUR_FAULTS.iter().map(|one| &one.fault)).chain(of_private)
}

impl Armed {
    /// A fault that acts wherever it can.
    pub fn everywhere(fault: &'static Fault) -> Armed {
        Armed { fault, types: None, name: None }
    }

    /// Reads a fault for the reference provider of a protocol; fails if it matches none of its types.
    pub fn in_protocol(text: &str, own: Offered, protocol: u8) -> Result<Armed, ArmError> {
        let armed: Armed = text.parse()?;
        let Some(types) = &armed.types else { return Ok(armed) };
        let provider = own.provider(protocol, &own.definitions(protocol));
        let names = || provider.resources.keys().chain(provider.data_sources.keys());
        if names().any(|name| types.is_match(name)) {
            return Ok(armed);
        }
        let glob = types.glob().glob().to_owned();
        let nearest = nearest(&glob, names().map(String::as_str));
        Err(ArmError::NoSuchType { glob, nearest })
    }

    /// Whether it applies to a call.
    pub fn concerns(&self, call: &AnyCall) -> bool {
        let type_fits = match (&self.types, call.type_name()) {
            (None, _) => true,
            (Some(types), Some(name)) => types.is_match(name),
            (Some(_), None) => false,
        };
        type_fits && self.name.as_ref().is_none_or(|name| object_name(call).as_ref() == Some(name))
    }
}

fn nearest<'n>(given: &str, names: impl Iterator<Item = &'n str>) -> Option<String> {
    names
        .map(|name| (strsim::jaro_winkler(given, name), name))
        .filter(|(likeness, _)| *likeness > 0.7)
        .max_by(|(a, _), (b, _)| a.total_cmp(b))
        .map(|(_, name)| name.to_owned())
}

/// The name of a call's object, if its type has names.
fn object_name(call: &AnyCall) -> Option<String> {
    let mut names = Vec::new();
    call.fields(&mut |side, field| match (side, field) {
        (Side::Request, Field::Value { value, .. }) => {
            let name = value.value().and_then(|value| value.attribute("name")).and_then(Value::as_str);
            names.extend(name.map(str::to_owned));
        }
        (Side::Request, Field::RawState { state, .. }) => {
            let json: Option<serde_json::Value> = serde_json::from_slice(&state.json).ok();
            let name = json.as_ref().and_then(|json| json.get("name")?.as_str());
            names.extend(name.map(str::to_owned));
        }
        _ => {}
    });
    names.into_iter().next()
}

/// `NAME`, `NAME@TYPE` or `NAME@TYPE.NAME`; the type may be a glob.
impl FromStr for Armed {
    type Err = ArmError;

    fn from_str(text: &str) -> Result<Armed, ArmError> {
        let (name, place) = match text.split_once('@') {
            Some((name, place)) => (name, Some(place)),
            None => (text, None),
        };
        let fault = faults().find(|fault| fault.name == name).ok_or_else(|| ArmError::UnknownFault {
            name: name.to_owned(),
            nearest: nearest(name, faults().map(|fault| fault.name)),
        })?;
        let (types, object) = match place {
            None => (None, None),
            Some(place) => match place.split_once('.') {
                Some((types, object)) => (Some(types), Some(object.to_owned())),
                None => (Some(place), None),
            },
        };
        let types = types
            .map(|glob| match Glob::new(glob) {
                Ok(parsed) => Ok(parsed.compile_matcher()),
                Err(error) => {
                    Err(ArmError::Pattern { glob: glob.to_owned(), reason: error.kind().to_string() })
                }
            })
            .transpose()?;
        Ok(Armed { fault, types, name: object })
    }
}

/// As written to arm it.
impl fmt::Display for Armed {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.fault.name)?;
        if let Some(types) = &self.types {
            write!(f, "@{}", types.glob())?;
        }
        match &self.name {
            Some(name) => write!(f, ".{name}"),
            None => Ok(()),
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_fault_is_armed_as_written() {
        for text in
            ["plan/counts-calls", "plan/counts-calls@reference_plain", "plan/counts-calls@reference_*.web-1"]
        {
            assert_eq!(text.parse::<Armed>().unwrap().to_string(), text);
        }
    }

    #[test]
    fn a_typo_gets_a_suggestion() {
        let error = "plan/count-calls".parse::<Armed>().unwrap_err();
        assert!(error.to_string().contains("did you mean \"plan/counts-calls\"?"), "{error}");
        assert!(matches!("zzz".parse::<Armed>(), Err(ArmError::UnknownFault { nearest: None, .. })));
        let error =
            Armed::in_protocol("plan/counts-calls@reference_plian", Offered::Features, 6).unwrap_err();
        assert!(error.to_string().contains("did you mean \"reference_plain\"?"), "{error}");
        assert!(Armed::in_protocol("plan/counts-calls@*_plain", Offered::Features, 5).is_ok());
        assert!(matches!("plan/counts-calls@[".parse::<Armed>(), Err(ArmError::Pattern { .. })));
    }
}
