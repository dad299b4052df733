//! What the provider would do to an object.

use bytes::Bytes;

use super::{Answer, given};
use crate::calls::{
    Diagnostic, Encoded, PlanResourceChange, PlanResourceChangeRequest, PlanResourceChangeResponse, WirePath,
};
use crate::reference::Reference;
use crate::reference::plan::{Plan, plan};
use crate::reference::private::{Private, Settled};
use crate::value::Value;

impl Answer for PlanResourceChange {
    fn answer(reference: &Reference, request: &PlanResourceChangeRequest) -> PlanResourceChangeResponse {
        reference.try_plan(request).unwrap_or_else(|diagnostic| PlanResourceChangeResponse {
            planned_state: request.prior_state.clone(),
            requires_replace: vec![],
            planned_private: request.prior_private.clone(),
            diagnostics: vec![diagnostic],
            legacy_type_system: false,
            deferred: None,
            planned_identity: None,
        })
    }
}

impl Reference {
    fn try_plan(
        &self,
        request: &PlanResourceChangeRequest,
    ) -> Result<PlanResourceChangeResponse, Diagnostic> {
        let known = self.known(&request.type_name)?;
        let ty = known.schema.implied_type();
        let prior = given(&request.prior_state, "prior_state")?;
        let proposed = given(&request.proposed_new_state, "proposed_new_state")?;
        let config = given(&request.config, "config")?;
        // Like the legacy SDK's suppressed differences: the state that resulted from a configuration stays,
        // whatever it is.
        let is_settled = Private::read(&request.prior_private)
            .settled
            .is_some_and(|settled| config.is_wholly_known() && settled == Settled::of(config, prior));
        let planned = if proposed.is_null() {
            Plan { planned_state: Value::null(ty.clone()), requires_replace: vec![] }
        } else if is_settled {
            Plan { planned_state: prior.clone(), requires_replace: vec![] }
        } else {
            plan(known.definition, &known.schema.block, prior, config)
        };
        let planned_identity = match &request.prior_identity {
            Some(identity) if !prior.is_null() && identity.value().is_some_and(Value::is_set) => {
                Some(identity.clone())
            }
            _ if proposed.is_null() || !prior.is_null() => self.identity(&known, prior),
            // An identity that is not known yet is left out, because OpenTofu cannot plan it.
            _ => self.identity(&known, &planned.planned_state).filter(is_known),
        };
        let planned_private = match request.prior_private.is_empty() {
            true if proposed.is_null() => Bytes::new(),
            true => Private::default().write(),
            false => request.prior_private.clone(),
        };
        Ok(PlanResourceChangeResponse {
            planned_state: Encoded::of(planned.planned_state, ty),
            requires_replace: planned.requires_replace.iter().map(WirePath::of).collect(),
            planned_private,
            diagnostics: vec![],
            legacy_type_system: known.definition.legacy,
            deferred: None,
            planned_identity,
        })
    }
}

fn is_known(identity: &Encoded) -> bool {
    identity.value().is_some_and(Value::is_wholly_known)
}
