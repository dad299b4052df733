//! What an engine keeps of an object between phases.

use std::sync::Arc;

use bytes::Bytes;

use crate::schema::Schema;
use crate::transcript::{Encoded, PriorOrigin};
use crate::value::Value;

/// A managed object as an engine's state has it.
#[derive(Clone, Debug)]
pub(super) struct Object {
    /// Wholly known, never null.
    pub state: Value,
    pub private: Bytes,
    pub identity: Option<Encoded>,
    /// A failed create left it behind.
    pub tainted: bool,
    pub origin: PriorOrigin,
}

/// What a plan came to, as an engine records it between its phases.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub planned: Value,
    pub private: Bytes,
    pub identity: Option<Encoded>,
    pub action: crate::core::Action,
}

/// The object under test, and what its schema is.
pub(super) struct Life {
    pub type_name: String,
    pub schema: Arc<Schema>,
    /// `None` before it exists and after it is gone.
    pub object: Option<Object>,
    /// The configuration last applied.
    pub config: Option<Value>,
}

impl Life {
    pub fn encode(&self, value: &Value) -> Encoded {
        Encoded::of(value.clone(), self.schema.implied_type())
    }

    pub fn prior(&self) -> Value {
        self.object.as_ref().map_or_else(|| self.schema.null(), |object| object.state.clone())
    }

    pub fn origin(&self) -> PriorOrigin {
        self.object.as_ref().map_or(PriorOrigin::None, |object| object.origin)
    }
}

/// What a plan is made against.
pub(super) struct Against {
    pub prior: Value,
    pub private: Bytes,
    pub identity: Option<Encoded>,
    /// What the initial plan returned, for the plan of the apply phase.
    pub planned_private: Bytes,
    pub origin: PriorOrigin,
}

impl Against {
    pub fn nothing(life: &Life) -> Against {
        Against {
            prior: life.schema.null(),
            private: Bytes::new(),
            identity: None,
            planned_private: Bytes::new(),
            origin: PriorOrigin::None,
        }
    }

    /// A tainted object is planned as if there were none.
    pub fn object(life: &Life) -> Against {
        match &life.object {
            Some(object) if !object.tainted => Against {
                prior: object.state.clone(),
                private: object.private.clone(),
                identity: object.identity.clone(),
                planned_private: Bytes::new(),
                origin: object.origin,
            },
            _ => Against::nothing(life),
        }
    }
}
