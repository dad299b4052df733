//! What is tried once more, because an engine stopped before it.

use std::collections::{BTreeMap, HashMap};
use std::sync::Arc;

use super::lessons::TypeKey;
use crate::generate::obligation::Obligation;
use crate::generate::{Facts, Retry};
use crate::scenario::ObligationId;

/// What is tried once more, by type.
pub(super) type Round = BTreeMap<TypeKey, TypeRetry>;

/// What an engine did not get to, by type.
pub(super) type KeptBack = BTreeMap<TypeKey, HashMap<Obligation, ObligationId>>;

/// How a type is tried once more.
#[derive(Debug)]
pub(super) struct TypeRetry {
    pub facts: Facts,
    pub retry: Arc<Retry>,
}
