//! What a run has to try with a type.

use std::collections::HashMap;
use std::fmt;
use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::limit::Limit;
use super::value_class::ValueClass;
use crate::scenario::ObligationId;
use crate::transcript::DriftKind;

/// Something to try with a type. Which obligations a type has depends on its schema, on what the user decided
/// and on what was learned, never on the seed.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Obligation {
    /// The schema path, with `[]` for the elements of a plain collection; empty for the whole object.
    pub path: Arc<str>,
    pub kind: ObligationKind,
}

#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ObligationKind {
    /// Only what is required is set.
    Required,
    /// Everything is set that is not deprecated.
    Everything,
    /// Every argument is unknown at once.
    AllUnknown,
    /// The same configuration once more.
    Again,
    Set,
    /// From set to null, or from some blocks to none.
    Unset,
    /// To another typical value.
    Changed,
    /// Back to the value from before.
    ChangedBack,
    UnknownAtCreate,
    /// Unknown in the plan of an update, and known when it is applied.
    UnknownAtUpdate,
    /// This argument has a value of the class.
    Class(ValueClass),
    /// This argument has a value of the class when the object is created.
    Created(ValueClass),
    /// All arguments that can have a value of the class have one.
    Everywhere(ValueClass),
    /// From elements to none.
    Emptied,
    /// From no elements to null.
    Nulled,
    Grown,
    Shrunk,
    /// The same elements in another order.
    Reordered,
    /// Two optional members of one block, each set or not.
    Pair {
        other: Arc<str>,
        is_set: bool,
        other_is_set: bool,
    },
    /// The remote object changed behind the provider's back.
    Drift(DriftKind),
    /// This argument changed to another typical value behind the provider's back.
    Drifted,
    /// Something else that an engine does to instances: the name of a planning behaviour.
    Behaviour(&'static str),
    /// A value at a bound that was learned, or beyond it. A refusal is what is expected.
    Limit(Limit),
    /// An optional argument is set although it was always refused, or left out although it was always demanded. A
    /// refusal is what is expected.
    Optional {
        is_set: bool,
    },
}

/// What an obligation is about, for those who count them.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Theme {
    /// The configuration as a whole.
    Whole,
    /// An optional argument is set.
    Set,
    /// Two optional arguments together, or one without the other.
    Pair,
    /// An argument changes, and changes back; or it is unset.
    Change,
    Unknown,
    /// A collection grows, shrinks, is emptied or reordered.
    Size,
    /// A kind of value.
    Value,
    Drift,
    /// What an engine does to instances besides that.
    Behaviour,
    /// At or beyond the limit of what the provider says that it accepts.
    Limit,
}

impl Theme {
    pub const ALL: [Theme; 10] = [
        Theme::Whole,
        Theme::Set,
        Theme::Pair,
        Theme::Change,
        Theme::Unknown,
        Theme::Size,
        Theme::Value,
        Theme::Drift,
        Theme::Behaviour,
        Theme::Limit,
    ];

    /// A few words for a table.
    pub fn about(self) -> &'static str {
        match self {
            Theme::Whole => "whole configurations",
            Theme::Set => "arguments set",
            Theme::Pair => "pairs of arguments",
            Theme::Change => "changes",
            Theme::Unknown => "unknown values",
            Theme::Size => "sizes and order",
            Theme::Value => "kinds of values",
            Theme::Drift => "drift",
            Theme::Behaviour => "planning behaviours",
            Theme::Limit => "limits",
        }
    }
}

impl Obligation {
    /// An obligation about the whole object.
    pub(super) fn whole(kind: ObligationKind) -> Obligation {
        Obligation { path: Arc::from(""), kind }
    }

    pub(super) fn of(path: &Arc<str>, kind: ObligationKind) -> Obligation {
        Obligation { path: Arc::clone(path), kind }
    }
}

impl ObligationKind {
    pub fn theme(&self) -> Theme {
        use ObligationKind::*;
        match self {
            Required | Everything | AllUnknown | Again => Theme::Whole,
            Set => Theme::Set,
            Pair { .. } => Theme::Pair,
            Unset | Changed | ChangedBack => Theme::Change,
            UnknownAtCreate | UnknownAtUpdate => Theme::Unknown,
            Emptied | Nulled | Grown | Shrunk | Reordered => Theme::Size,
            Class(_) | Created(_) | Everywhere(_) => Theme::Value,
            Drift(_) | Drifted => Theme::Drift,
            Behaviour(_) => Theme::Behaviour,
            Limit(_) | Optional { .. } => Theme::Limit,
        }
    }

    /// The kind of value that it is about, if it is about one.
    pub fn class(&self) -> Option<ValueClass> {
        match self {
            ObligationKind::Class(class)
            | ObligationKind::Created(class)
            | ObligationKind::Everywhere(class)
            | ObligationKind::Limit(Limit::Class(class)) => Some(*class),
            _ => None,
        }
    }

    /// Whether it needs an object that exists.
    pub fn needs_object(&self) -> bool {
        use ObligationKind::*;
        match self {
            Required
            | Everything
            | AllUnknown
            | Set
            | UnknownAtCreate
            | Class(_)
            | Everywhere(_)
            | Limit(_)
            | Optional { .. }
            | Pair { .. } => false,
            Created(_) | Again | Unset | Changed | ChangedBack | UnknownAtUpdate | Emptied | Nulled
            | Grown | Shrunk | Reordered | Drift(_) | Drifted | Behaviour(_) => true,
        }
    }
}

impl fmt::Display for Obligation {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        use ObligationKind::*;
        let Obligation { path, kind } = self;
        match kind {
            Required => write!(f, "only required arguments set"),
            Everything => write!(f, "every argument set"),
            AllUnknown => write!(f, "every argument unknown"),
            Again => write!(f, "applied again"),
            Set => write!(f, "{path}: set"),
            Unset => write!(f, "{path}: unset"),
            Changed => write!(f, "{path}: changed"),
            ChangedBack => write!(f, "{path}: changed back"),
            UnknownAtCreate => write!(f, "{path}: unknown at create"),
            UnknownAtUpdate => write!(f, "{path}: unknown at update, then known"),
            Class(class) => write!(f, "{path}: {}", class.about()),
            Created(class) => write!(f, "{path}: {}, at create", class.about()),
            Everywhere(class) => write!(f, "{} everywhere at once", class.about()),
            Emptied => write!(f, "{path}: emptied"),
            Nulled => write!(f, "{path}: from empty to null"),
            Grown => write!(f, "{path}: grown"),
            Shrunk => write!(f, "{path}: shrunk"),
            Reordered => write!(f, "{path}: reordered"),
            Pair { other, is_set, other_is_set } => {
                let with = |is_set: &bool| if *is_set { "set" } else { "null" };
                write!(f, "{path} {}, {other} {}", with(is_set), with(other_is_set))
            }
            Drift(kind) => write!(f, "drift: {}", kind.name()),
            Drifted => write!(f, "{path}: changed in the remote system"),
            Behaviour(behaviour) => f.write_str(behaviour),
            Limit(limit) => write!(f, "{path}: {limit}, at or beyond a limit"),
            Optional { is_set: true } => write!(f, "{path}: set, although it was always refused"),
            Optional { is_set: false } => write!(f, "{path}: left out, although it was always demanded"),
        }
    }
}

/// The obligations of a type, and where each is in the list.
#[derive(Debug, Default)]
pub(crate) struct Universe {
    pub list: Vec<Obligation>,
    ids: HashMap<Obligation, ObligationId>,
}

impl Universe {
    /// Without repeats.
    pub fn new(all: impl IntoIterator<Item = Obligation>) -> Universe {
        let mut universe = Universe::default();
        for obligation in all {
            let next = ObligationId(universe.list.len() as u32);
            if *universe.ids.entry(obligation.clone()).or_insert(next) == next {
                universe.list.push(obligation);
            }
        }
        universe
    }

    pub fn id(&self, obligation: &Obligation) -> Option<ObligationId> {
        self.ids.get(obligation).copied()
    }
}
