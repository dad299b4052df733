//! Creates, changes or deletes an object.

use bytes::Bytes;

use super::{Answer, given};
use crate::calls::{
    AnyCall, ApplyResourceChange, ApplyResourceChangeRequest, ApplyResourceChangeResponse, Diagnostic,
    Encoded, has_errors,
};
use crate::core::nonconforming;
use crate::reference::Reference;
use crate::reference::private::Private;
use crate::value::Value;

impl Answer for ApplyResourceChange {
    fn answer(reference: &Reference, request: &ApplyResourceChangeRequest) -> ApplyResourceChangeResponse {
        // If the change fails, return the prior object with the error.
        reference.try_apply(request).unwrap_or_else(|diagnostic| ApplyResourceChangeResponse {
            new_state: request.prior_state.clone(),
            private: request.planned_private.clone(),
            diagnostics: vec![diagnostic],
            legacy_type_system: false,
            new_identity: None,
        })
    }
}

impl Reference {
    fn try_apply(
        &self,
        request: &ApplyResourceChangeRequest,
    ) -> Result<ApplyResourceChangeResponse, Diagnostic> {
        let known = self.known(&request.type_name)?;
        let ty = known.schema.implied_type();
        let prior = given(&request.prior_state, "prior_state")?;
        let planned = given(&request.planned_state, "planned_state")?;
        let private = Private::read(&request.planned_private);
        let objects = self.objects(&known);
        if planned.is_null() {
            objects.delete(prior, &private)?;
            return Ok(ApplyResourceChangeResponse {
                new_state: Encoded::of(Value::null(ty.clone()), ty),
                private: Bytes::new(),
                diagnostics: vec![],
                legacy_type_system: known.definition.legacy,
                new_identity: None,
            });
        }
        let config = given(&request.config, "config")?;
        let object = if prior.is_null() {
            objects.create(planned, config)?
        } else {
            objects.update(prior, planned, config, &private)?
        };
        Ok(ApplyResourceChangeResponse {
            new_identity: self.identity(&known, &object.state),
            new_state: Encoded::of(object.state, ty),
            private: object.private.write(),
            diagnostics: vec![],
            legacy_type_system: known.definition.legacy,
        })
    }

    /// The handle and the state of a successful create or update.
    pub(in crate::reference) fn applied(&self, call: &AnyCall) -> Option<(String, Value)> {
        let AnyCall::ApplyResourceChange(call) = call else { return None };
        let response = call.outcome.as_ref().ok().filter(|response| !has_errors(&response.diagnostics))?;
        let handle = Private::read(&response.private).handle?;
        Some((handle, response.new_state.value().filter(|state| state.is_set())?.clone()))
    }

    /// An armed provider stores what it says it created: otherwise the next read would show a
    /// second breach that was not armed.
    pub(in crate::reference) fn remember_what_was_said(
        &self,
        call: &AnyCall,
        honest: Option<(String, Value)>,
    ) {
        let (AnyCall::ApplyResourceChange(call), Some((handle, state))) = (call, honest) else { return };
        let Ok(response) = &call.outcome else { return };
        let Some(said) = response.new_state.value() else { return };
        let (Ok(known), Some(config)) = (self.known(&call.request.type_name), call.request.config.value())
        else {
            return;
        };
        let fits = said.is_set()
            && said.is_wholly_known()
            && said.ty().conforms(known.schema.implied_type())
            && nonconforming(&known.schema.block, said).is_empty();
        if fits
            && *said != state
            && let Ok(Some(record)) = self.store.get(known.type_name, &handle)
        {
            // If the state cannot be stored, the next read shows it.
            let _ = self.objects(&known).put(&handle, record.revision, said, config);
        }
    }
}
