//! What is done at the vertices of a walk.

/// What a walk does at its vertices.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Task {
    /// Validate, and plan if the run does; nothing is applied afterwards.
    Look,
    /// Have states of earlier versions upgraded.
    UpgradeOldStates,
    /// Validate, plan, and make up the state that an apply might leave.
    Synthesise,
    Validate,
    /// Bring objects to another type, before anything is planned.
    Move,
    Plan,
    Apply,
    /// Check that nothing is left to do after an apply.
    Settle,
    Refresh,
    PlanToDestroy,
    /// Read what was destroyed.
    ReadGone,
    /// Delete it again, as if someone else had deleted the object between an engine's read and its delete.
    DeleteGone,
    /// Delete what no destroy reached, as it was last known.
    Delete,
}
