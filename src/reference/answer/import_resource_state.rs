//! An object that exists, by the ID or the identity that names it.

use super::{Answer, given};
use crate::calls::{
    Diagnostic, Encoded, ImportResourceState, ImportResourceStateRequest, ImportResourceStateResponse,
    ImportedResource,
};
use crate::reference::Reference;
use crate::reference::private::Private;
use crate::value::Value;

impl Answer for ImportResourceState {
    fn answer(reference: &Reference, request: &ImportResourceStateRequest) -> ImportResourceStateResponse {
        let (imported_resources, diagnostics) = match reference.import(request) {
            Ok(imported) => (vec![imported], vec![]),
            Err(diagnostic) => (vec![], vec![diagnostic]),
        };
        ImportResourceStateResponse { imported_resources, diagnostics, deferred: None }
    }
}

impl Reference {
    fn import(&self, request: &ImportResourceStateRequest) -> Result<ImportedResource, Diagnostic> {
        let known = self.known(&request.type_name)?;
        let identity = request.identity.as_ref().map(|identity| given(identity, "identity")).transpose()?;
        let identified = identity.and_then(|identity| identity.attribute("id")).and_then(Value::as_str);
        let id = Some(request.id.as_str()).filter(|id| !id.is_empty()).or(identified);
        let found = self.objects(&known).read(&known.schema.null(), id, &Private::default())?;
        let object = found.ok_or_else(|| {
            let detail = format!("There is no {} with the ID {:?}.", known.type_name, id.unwrap_or_default());
            Diagnostic::error("Object does not exist", &detail)
        })?;
        Ok(ImportedResource {
            type_name: request.type_name.clone(),
            identity: self.identity(&known, &object.state),
            state: Encoded::of(object.state, known.schema.implied_type()),
            private: object.private.write(),
        })
    }
}
