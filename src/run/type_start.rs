//! What is known about a type before its scenarios are played.

use super::lessons::TypeKey;
use crate::generate::obligation::Obligation;
use crate::report::coverage::Learning;

/// What the scenarios of a type are to meet.
pub(super) struct TypeStart {
    pub key: TypeKey,
    pub obligations: Vec<Obligation>,
    /// What cannot be met, and why.
    pub infeasible: Vec<(Obligation, &'static str)>,
    pub learning: Option<Learning>,
}
