//! The action that an engine chooses for a plan.
//!
//! Source: contract section 4.8.

use std::fmt;

use super::requires_replace::designates_write_only;
use crate::engine::Engine;
use crate::schema::Block;
use crate::value::{AttributePath, Value};

/// What happens to an object.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum Action {
    NoOp,
    Create,
    /// For data sources.
    Read,
    Update,
    Delete,
    DeleteThenCreate,
    CreateThenDelete,
}

impl Action {
    pub fn name(self) -> &'static str {
        match self {
            Action::NoOp => "no-op",
            Action::Create => "create",
            Action::Read => "read",
            Action::Update => "update",
            Action::Delete => "delete",
            Action::DeleteThenCreate => "delete, then create",
            Action::CreateThenDelete => "create, then delete",
        }
    }

    pub fn is_replace(self) -> bool {
        matches!(self, Action::DeleteThenCreate | Action::CreateThenDelete)
    }
}

impl fmt::Display for Action {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}

/// What an engine's choice depends on apart from the values.
#[derive(Clone, Copy, Debug, Default, PartialEq)]
pub struct Circumstances<'v> {
    /// The user or `replace_triggered_by` requested replacement.
    pub forced: bool,
    /// The tainted object: it was planned as if it did not exist.
    pub tainted: Option<&'v Value>,
    pub create_before_destroy: bool,
}

/// The action that follows from a plan.
///
/// `kept` are the paths [`requires_replace`](super::requires_replace) left. A null planned state is a
/// destroy plan.
///
/// Source: contract section 4.8.
pub fn choose_action(
    block: &Block,
    prior: &Value,
    planned: &Value,
    kept: &[AttributePath],
    circumstances: Circumstances<'_>,
    engine: Engine,
) -> Action {
    let replace =
        if circumstances.create_before_destroy { Action::CreateThenDelete } else { Action::DeleteThenCreate };
    let prior = circumstances.tainted.unwrap_or(prior);
    match (prior.is_null(), planned.is_null()) {
        (true, true) => return Action::NoOp,
        (true, false) => return Action::Create,
        (false, true) => return Action::Delete,
        (false, false) if circumstances.tainted.is_some() => return replace,
        (false, false) => {}
    }
    let wanted = circumstances.forced || !kept.is_empty();
    let is_unchanged = planned.equals(prior).is_true();
    let is_insistent = if engine.replaces_before_comparing() {
        wanted
    } else {
        circumstances.forced || kept.iter().any(|path| designates_write_only(block, path))
    };
    match (is_insistent, is_unchanged) {
        (true, _) => replace,
        (false, true) => Action::NoOp,
        (false, false) if wanted => replace,
        (false, false) => Action::Update,
    }
}
