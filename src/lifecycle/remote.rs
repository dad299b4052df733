//! Changing remote objects behind a provider's back.

use crate::provider::transport::BoxFuture;
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

/// Something that can change the remote system.
pub trait Remote: Send + Sync {
    /// Changes the remote object that `state` describes.
    fn change<'a>(
        &'a self,
        type_name: &'a str,
        schema: &'a Schema,
        state: &'a Value,
        kind: DriftKind,
    ) -> BoxFuture<'a, Changed>;
}
