//! States as an earlier version of a provider might have stored them.

use std::fmt;

use serde::{Deserialize, Serialize};

/// A stored state that is made up and then altered.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct OldState {
    /// The version of the schema that it says it was stored with; at most the current one.
    pub version: i64,
    pub form: StateForm,
    pub alteration: Alteration,
    /// The attribute that is altered: its names and those around it, with dots between them, and `*` for each
    /// key of a map. Empty for all of the outermost ones.
    pub at: String,
}

/// How a state is stored.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum StateForm {
    Json,
    /// The flat map of texts that engines wrote before Terraform 0.12.
    Flatmap,
}

/// What is different from a state of the current version.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Alteration {
    Nothing,
    Null,
    /// Left out of the object.
    Absent,
    /// A number or a bool is a text.
    Text,
    /// A text is a number.
    Number,
    /// What is not a list is one of it alone.
    List,
    /// What is a list is its first element.
    Single,
}

impl Alteration {
    /// Those of single attributes, in the order in which they are tried.
    pub const OF_ATTRIBUTES: [Alteration; 6] = [
        Alteration::Null,
        Alteration::Absent,
        Alteration::Text,
        Alteration::Number,
        Alteration::List,
        Alteration::Single,
    ];

    /// As after the name of an attribute.
    pub fn about(self) -> &'static str {
        match self {
            Alteration::Nothing => "as it is today",
            Alteration::Null => "null",
            Alteration::Absent => "absent",
            Alteration::Text => "as a text",
            Alteration::Number => "as a number",
            Alteration::List => "as a list",
            Alteration::Single => "as a single value",
        }
    }
}

/// As after “a state of”.
impl fmt::Display for OldState {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "version {}", self.version)?;
        match (self.alteration, self.at.as_str()) {
            (Alteration::Nothing, _) => {}
            (alteration, "") => write!(f, ", every attribute {}", alteration.about())?,
            (alteration, at) => write!(f, ", `{at}` {}", alteration.about())?,
        }
        match self.form {
            StateForm::Json => Ok(()),
            StateForm::Flatmap => f.write_str(", as a flat map"),
        }
    }
}
