//! One managed instance while it is visited, and what an engine records about it between walks.

use std::sync::Arc;

use bytes::Bytes;

use super::graph::Blocks;
use crate::core::{Action, Circumstances, Ignored};
use crate::scenario::{InstanceAddress, Object};
use crate::schema::Schema;
use crate::transcript::{Encoded, ExchangeId, Phase, PriorOrigin, Purpose};
use crate::value::Value;

/// A managed instance: its object, and what the configuration says about its lifecycle.
pub(super) struct Instance {
    pub type_name: String,
    pub schema: Arc<Schema>,
    /// `None` before it exists and after it is gone.
    pub object: Option<Object>,
    /// Whether a replacement is created first: the block says so, or one that depends on it.
    pub create_before_destroy: bool,
    /// What an apply records in the state for later runs. It is of this instance alone: a dependent that uses one
    /// instance of a block demands nothing of the others.
    pub recorded_create_before_destroy: bool,
    pub ignore_changes: Option<Ignored>,
    /// Whether the user asked for its replacement.
    pub replace: bool,
    /// Whether the run plans with the state as it is.
    pub without_refresh: bool,
    /// Whether nothing may be left to do.
    pub changes_nothing: bool,
    /// The blocks it depends on, directly or through others.
    pub dependencies: Blocks,
    /// The alias of the provider configuration that serves it, if it has one.
    pub provider: Option<String>,
    /// The move of its object to this type in this run.
    pub type_move: Option<TypeMove>,
}

/// The move of an object from another type.
#[derive(Clone, Debug)]
pub(super) enum TypeMove {
    /// The provider moved it in this exchange.
    Done(ExchangeId),
    /// The provider is still to be asked for it, under OpenTofu in place of the upgrade.
    Pending(Arc<Former>),
}

/// An object as it was under another type.
#[derive(Clone, Debug)]
pub(super) struct Former {
    pub address: InstanceAddress,
    pub object: Object,
}

impl Instance {
    pub fn encode(&self, value: &Value) -> Encoded {
        Encoded::of(value.clone(), self.schema.implied_type())
    }

    pub fn prior(&self) -> Value {
        self.object.as_ref().map_or_else(|| self.schema.null(), |object| object.value.clone())
    }

    pub fn origin(&self) -> PriorOrigin {
        self.object.as_ref().map_or(PriorOrigin::None, |object| object.origin)
    }

    pub fn is_whole(&self) -> bool {
        self.object.as_ref().is_some_and(Object::is_whole)
    }

    pub fn is_tainted(&self) -> bool {
        self.object.as_ref().is_some_and(Object::is_tainted)
    }

    /// Whether its object was made up from a plan.
    pub fn is_synthesised(&self) -> bool {
        self.object.as_ref().is_some_and(Object::is_synthesised)
    }

    /// Why a call about it is made that is not special otherwise.
    pub fn purpose(&self) -> Purpose {
        match self.type_move {
            Some(TypeMove::Done(by)) => Purpose::Moved { by },
            _ => Purpose::Ordinary,
        }
    }

    /// Records what the configuration says about when the object may be destroyed. Until it changes, it may
    /// still use what it used before.
    pub fn record_order(&mut self, is_unchanged: bool) {
        let Some(object) = &mut self.object else { return };
        if is_unchanged {
            object.dependencies.clear();
        }
        object.dependencies.extend(self.dependencies.iter().cloned());
        object.create_before_destroy = self.create_before_destroy;
        object.provider.clone_from(&self.provider);
    }

    /// Whether its object exists, and the run reads what it plans with.
    pub fn is_read(&self) -> bool {
        !self.is_synthesised() && !self.without_refresh
    }

    pub fn circumstances(&self) -> Circumstances<'_> {
        Circumstances {
            forced: self.replace,
            tainted: self.object.as_ref().filter(|object| object.is_tainted()).map(|object| &object.value),
            create_before_destroy: self.create_before_destroy,
        }
    }
}

/// The result of a plan.
#[derive(Clone, Debug)]
pub(super) struct Plan {
    pub planned: Value,
    pub private: Bytes,
    pub identity: Option<Encoded>,
    pub action: Action,
}

/// What an engine records about an instance at plan, for use at apply.
#[derive(Clone, Debug)]
pub(super) struct InstancePlan {
    /// The exchange of the initial plan.
    pub initial: ExchangeId,
    /// For a replacement, the create half.
    pub plan: Plan,
    /// The phase of the instance, for the report.
    pub phase: Phase,
}

/// How an instance is to be deleted, as its destruction was planned.
#[derive(Clone, Debug, Default)]
pub(super) struct DestroyPlan {
    pub private: Bytes,
    pub identity: Option<Encoded>,
}

/// What a plan is based on.
pub(super) struct PlanBasis {
    pub prior: Value,
    pub private: Bytes,
    pub identity: Option<Encoded>,
    /// What the initial plan returned, for the plan of the apply walk.
    pub planned_private: Bytes,
    pub origin: PriorOrigin,
}

impl PlanBasis {
    pub fn nothing(instance: &Instance) -> PlanBasis {
        PlanBasis {
            prior: instance.schema.null(),
            private: Bytes::new(),
            identity: None,
            planned_private: Bytes::new(),
            origin: PriorOrigin::None,
        }
    }

    /// A tainted object is planned as if it did not exist.
    pub fn object(instance: &Instance) -> PlanBasis {
        match &instance.object {
            Some(object) if !object.is_tainted() => PlanBasis {
                prior: object.value.clone(),
                private: object.private.clone(),
                identity: object.identity.clone(),
                planned_private: Bytes::new(),
                origin: object.origin,
            },
            _ => PlanBasis::nothing(instance),
        }
    }
}
