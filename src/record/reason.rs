//! Why findings do not fail a run.

use serde::{Deserialize, Serialize};

use crate::sdk::Defect;

/// Why a finding does not fail a run, however serious it is.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub enum Reason {
    /// The words of the suite or the baseline.
    Known(String),
    /// The ID of the SDK's defect that it is.
    Sdk(String),
}

impl Reason {
    /// In words.
    pub fn text(&self) -> String {
        match self {
            Reason::Known(words) => words.clone(),
            Reason::Sdk(id) => Defect::find(id).map_or_else(|| id.clone(), Defect::sentence),
        }
    }

    /// The ID of the SDK's defect, if it is one.
    pub fn sdk_defect(&self) -> Option<&str> {
        match self {
            Reason::Known(_) => None,
            Reason::Sdk(id) => Some(id),
        }
    }
}
