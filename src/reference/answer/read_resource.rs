//! An object as the remote system has it.

use bytes::Bytes;

use super::{Answer, given};
use crate::calls::{Diagnostic, Encoded, ReadResource, ReadResourceRequest, ReadResourceResponse};
use crate::reference::Reference;
use crate::reference::objects::Object;
use crate::reference::private::Private;
use crate::value::Value;

impl Answer for ReadResource {
    fn answer(reference: &Reference, request: &ReadResourceRequest) -> ReadResourceResponse {
        reference.try_read(request).unwrap_or_else(|diagnostic| ReadResourceResponse {
            new_state: request.current_state.clone(),
            diagnostics: vec![diagnostic],
            private: request.private.clone(),
            deferred: None,
            new_identity: request.current_identity.clone(),
        })
    }
}

impl Reference {
    fn try_read(&self, request: &ReadResourceRequest) -> Result<ReadResourceResponse, Diagnostic> {
        let known = self.known(&request.type_name)?;
        let current = given(&request.current_state, "current_state")?;
        let private = Private::read(&request.private);
        let identity = request.current_identity.as_ref().and_then(Encoded::value);
        let id = identity.and_then(|identity| identity.attribute("id")).and_then(Value::as_str);
        let named = current.attribute("id").and_then(Value::as_str).or(id).is_some();
        if !current.is_null() && !named && private.handle.is_none() {
            return Err(Diagnostic::error(
                "Object has no name",
                "Neither state nor identity say which object to read.",
            ));
        }
        let found = self.objects(&known).read(current, id, &private)?;
        let ty = known.schema.implied_type();
        Ok(match found {
            Some(Object { state, private }) => ReadResourceResponse {
                new_identity: self.identity(&known, &state),
                new_state: Encoded::of(state, ty),
                diagnostics: vec![],
                private: private.write(),
                deferred: None,
            },
            None => ReadResourceResponse {
                new_state: Encoded::of(Value::null(ty.clone()), ty),
                diagnostics: vec![],
                private: Bytes::new(),
                deferred: None,
                new_identity: None,
            },
        })
    }
}
