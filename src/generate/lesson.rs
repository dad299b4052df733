//! What one diagnostic teaches.

use super::facts::{Constraint, Evidence, PresenceRule, Strength};

/// What one diagnostic teaches.
#[derive(Clone, Debug, PartialEq)]
pub struct Lesson {
    /// The argument that the diagnostic is about, by schema path; `None` if nothing tells.
    pub path: Option<String>,
    /// The text without values of ours and without numbers: the same for the same complaint.
    pub template: String,
    pub evidence: Evidence,
    /// Whether it says that something which a value names does not exist.
    pub names_nothing: bool,
    /// What to conclude from it; nothing if no entry of the catalogue matches.
    pub edits: Vec<Edit>,
}

impl Lesson {
    /// The words of the provider, with the argument that they are about.
    pub fn complaint(&self) -> String {
        match &self.path {
            Some(path) => format!("{path}: {}", self.template),
            None => self.template.clone(),
        }
    }
}

/// One conclusion.
#[derive(Clone, Debug, PartialEq)]
pub enum Edit {
    /// Accepted values of an argument are like this.
    Value {
        path: String,
        constraint: Constraint,
        strength: Strength,
    },
    Presence {
        rule: PresenceRule,
        strength: Strength,
    },
    /// The argument is to be set if it is not: its default fails the provider's own validation.
    SetIfUnset(String),
    /// The value of an argument is above, below, at least, at most or exactly a sum or a product of others.
    Relation {
        path: String,
        bound: RelationBound,
        of: RelationOf,
        others: Vec<String>,
    },
    /// The provider complains of how a request is encoded, which is a defect of ours.
    OurDefect,
    /// By its own words, the provider is at fault: the argument is better left alone.
    ProviderAtFault,
}

impl Edit {
    /// The rule about which arguments are set, if it is one.
    pub fn rule(&self) -> Option<(&PresenceRule, Strength)> {
        match self {
            Edit::Presence { rule, strength } => Some((rule, *strength)),
            _ => None,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationBound {
    AtLeast,
    AtMost,
    /// At least one more.
    Above,
    /// At least one less.
    Below,
    Equal,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum RelationOf {
    Sum,
    Product,
}
