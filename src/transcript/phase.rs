//! Which step of a scenario an exchange belongs to, and why it was made.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::OldState;

/// The position of an exchange in its transcript, counted from 0.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct ExchangeId(pub u32);

/// The steps of a scenario, as named in reports.
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Phase {
    /// Before any scenario: schema, provider configuration.
    Start,
    Validate,
    /// Create, with unknowns in the configuration.
    PlanUnknown,
    Create,
    Refresh,
    /// Plan without a change of configuration.
    NoOp,
    Drift,
    Update,
    Replace,
    Destroy,
    /// An apply during which the provider is told to stop, or killed.
    Interrupted,
    /// Taking over an existing object.
    Import,
    /// Bringing an object to another type.
    Move,
    /// Reading or deleting an object that is gone.
    Gone,
    Data,
    /// Upgrading what an earlier version might have stored.
    OldState,
    /// After a failed step: destroying what was created.
    CleanUp,
}

/// Why an exchange was made.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Purpose {
    #[default]
    Ordinary,
    /// The same request again, perhaps in another process.
    Repeat { of: ExchangeId },
    /// The plan of the apply phase, where `initial` had the unknowns.
    FinalPlan { initial: ExchangeId },
    /// The create half of a replacement, planned by a second call.
    ReplaceCreate { first: ExchangeId },
    /// Same configuration and state as after `after` (an apply or a read): nothing may change.
    NothingChanged { after: ExchangeId },
    /// What an apply returned, stored and upgraded at the same version.
    RoundTrip { of: ExchangeId },
    /// A read after the remote object was changed behind the provider's back.
    AfterDrift(Drift),
    /// The read or the plan of an object that was just imported.
    Imported { by: ExchangeId },
    /// The validation or the plan of the configuration that an engine writes for an imported object, as `from`
    /// read it.
    Generated { from: ExchangeId },
    /// What follows for an object that was just moved to another type.
    Moved { by: ExchangeId },
    /// A read, or a delete, of an object that is gone.
    Gone,
    /// The upgrade of a state as an earlier version might have stored it.
    UpgradeOf(OldState),
}

/// A change made to a remote object outside the provider.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Drift {
    pub kind: DriftKind,
    /// The attribute changed, as the hook names it; empty where it names none.
    #[serde(default)]
    pub path: String,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum DriftKind {
    /// An attribute has a materially different value.
    Change,
    /// The object is gone.
    Vanish,
    /// A collection has one more element.
    AddElement,
    /// The same meaning, spelt differently.
    Respell,
}

impl DriftKind {
    pub const ALL: [DriftKind; 4] =
        [DriftKind::Change, DriftKind::Vanish, DriftKind::AddElement, DriftKind::Respell];

    pub fn name(self) -> &'static str {
        match self {
            DriftKind::Change => "change",
            DriftKind::Vanish => "vanish",
            DriftKind::AddElement => "add-element",
            DriftKind::Respell => "respell",
        }
    }
}

/// Where the prior state in a request comes from, which decides what may be concluded from the answer.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum PriorOrigin {
    /// There is none.
    #[default]
    None,
    /// The provider returned it from apply or read in this scenario.
    Applied,
    /// An apply returned it beside an error: it may be a part of an object, or none.
    Failed,
    /// We altered it ourselves.
    Injected,
    /// We made it up from a plan.
    Synthesised,
    Imported,
}

impl PriorOrigin {
    /// Whether no apply, read or import returned it.
    pub fn is_made_up(self) -> bool {
        matches!(self, PriorOrigin::Injected | PriorOrigin::Synthesised)
    }

    /// In words, for people; `None` if there is no prior state.
    pub fn about(self) -> Option<&'static str> {
        match self {
            PriorOrigin::None => None,
            PriorOrigin::Applied => Some("applied in this scenario"),
            PriorOrigin::Failed => Some("returned by an apply that ended in an error"),
            PriorOrigin::Injected => Some("altered by tfconform, as an older release might have stored it"),
            PriorOrigin::Synthesised => Some("synthesised from the plan: nothing was applied"),
            PriorOrigin::Imported => Some("imported in this scenario"),
        }
    }
}

impl Phase {
    pub fn name(self) -> &'static str {
        match self {
            Phase::Start => "start",
            Phase::Validate => "validate",
            Phase::PlanUnknown => "plan with unknowns",
            Phase::Create => "create",
            Phase::Refresh => "refresh",
            Phase::NoOp => "plan again",
            Phase::Drift => "drift",
            Phase::Update => "update",
            Phase::Replace => "replace",
            Phase::Destroy => "destroy",
            Phase::Interrupted => "interrupted",
            Phase::Import => "import",
            Phase::Move => "move",
            Phase::Gone => "gone",
            Phase::Data => "data source",
            Phase::OldState => "upgrade of an old state",
            Phase::CleanUp => "clean-up",
        }
    }
}

impl fmt::Display for Phase {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        f.write_str(self.name())
    }
}
