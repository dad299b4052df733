//! Changing remote objects behind a provider's back.

use std::time::Duration;

use crate::provider::transport::BoxFuture;
use crate::scenario::NewValue;
use crate::schema::Schema;
use crate::transcript::DriftKind;
use crate::value::Value;

/// The result of an attempt to change something.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Changed {
    /// Done; the attribute's name if the hook reported it.
    Done { path: String },
    /// The object, or the remote system, does not allow it.
    Impossible { why: String },
}

/// A change that is to be made to the object of a remote system.
#[derive(Clone, Copy, Debug)]
pub struct RemoteChange<'a> {
    pub type_name: &'a str,
    pub schema: &'a Schema,
    /// The object as the provider last stored it.
    pub state: &'a Value,
    pub kind: DriftKind,
    /// The attribute that is to change; without it, one that the hook chooses.
    pub to: Option<&'a NewValue>,
}

/// Something that can change the remote system.
pub trait Remote: Send + Sync {
    /// Changes a remote object.
    fn change<'a>(&'a self, wanted: RemoteChange<'a>) -> BoxFuture<'a, Changed>;

    /// Brings it back to its beginnings before a case is played again, if the user said how; fails with a
    /// message.
    fn reset(&self) -> BoxFuture<'_, Result<(), String>> {
        Box::pin(async { Ok(()) })
    }

    /// Whether it is reset before every scenario.
    fn is_reset_each_time(&self) -> bool {
        false
    }

    /// How it ended, if it is ours and has ended, or ends before the time is over.
    fn ended(&self, _within: Duration) -> BoxFuture<'_, Option<String>> {
        Box::pin(async { None })
    }
}

/// Why nothing is changed if there is no command that does it.
pub const NOTHING_CHANGES_IT: &str =
    "there is nothing that can change the remote system (remote.change of a suite would)";
