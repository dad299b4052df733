//! A stored object of one type, as one of another type.

use bytes::Bytes;

use super::Answer;
use crate::calls::{
    Diagnostic, Encoded, MoveResourceState, MoveResourceStateRequest, MoveResourceStateResponse,
};
use crate::reference::Reference;
use crate::reference::private::Private;
use crate::reference::upgrade::upgrade;

impl Answer for MoveResourceState {
    fn answer(reference: &Reference, request: &MoveResourceStateRequest) -> MoveResourceStateResponse {
        reference.moved(request).unwrap_or_else(|diagnostic| MoveResourceStateResponse {
            target_state: Encoded::received(None),
            diagnostics: vec![diagnostic],
            target_private: Bytes::new(),
            target_identity: None,
        })
    }
}

impl Reference {
    /// Only the twin of a type can be moved to it, from any version; everything else is refused.
    fn moved(&self, request: &MoveResourceStateRequest) -> Result<MoveResourceStateResponse, Diagnostic> {
        let target = self.known(&request.target_type_name)?;
        let (from, address) = (&request.source_type_name, &request.source_provider_address);
        let is_own = address.rsplit('/').next() == Some("reference");
        if !is_own || target.definition.twin != Some(from) {
            let to = target.type_name;
            let detail = format!("An object of {from:?} of {address:?} cannot become one of {to:?}.");
            return Err(Diagnostic::error("State cannot be moved", &detail));
        }
        let source = self.known(from)?;
        let version = request.source_schema_version;
        let state = upgrade(source.definition, target.schema, version, &request.source_state)?;
        Ok(MoveResourceStateResponse {
            target_identity: self.identity(&target, &state),
            target_state: Encoded::of(state, target.schema.implied_type()),
            diagnostics: vec![],
            target_private: Private::read(&request.source_private).write(),
        })
    }
}
