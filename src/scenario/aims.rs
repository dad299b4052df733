//! What playing a run would show, for those who count it.

use serde::{Deserialize, Serialize};

use crate::value::AttributePath;

/// An obligation of a type: its position in the type's list, counted from 0.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct ObligationId(pub u32);

/// The obligations that a run meets if the provider accepts it.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct Aims {
    /// About the configuration. A refusal is an answer to each of them.
    pub config: Vec<ObligationId>,
    /// The same about the way from the run before to this one: they are met only if that one was
    /// accepted, too.
    pub change: Vec<ObligationId>,
    /// About the configuration among others: a refusal does not say which of them it is about.
    /// They are met, too, if only the unknown values of the run were refused.
    pub together: Vec<ObligationId>,
}

/// Some places of a run's configuration. If the provider refuses the run, its parts are played by
/// themselves, each on top of what was accepted last.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Part {
    /// Never inside a set or a map.
    #[serde(with = "super::stored::path")]
    pub at: AttributePath,
    /// What the part meets, alone or with the others. A refusal is an answer if it is alone.
    #[serde(skip)]
    pub aims: Vec<ObligationId>,
}
