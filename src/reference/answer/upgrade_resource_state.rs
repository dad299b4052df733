//! Stored state, brought to the current schema.

use super::Answer;
use crate::calls::{
    Encoded, UpgradeResourceState, UpgradeResourceStateRequest, UpgradeResourceStateResponse,
};
use crate::reference::Reference;
use crate::reference::upgrade::upgrade;

impl Answer for UpgradeResourceState {
    fn answer(reference: &Reference, request: &UpgradeResourceStateRequest) -> UpgradeResourceStateResponse {
        let upgraded = reference.known(&request.type_name).and_then(|known| {
            let value = upgrade(known.definition, known.schema, request.version, &request.raw_state)?;
            Ok(Encoded::of(value, known.schema.implied_type()))
        });
        match upgraded {
            Ok(upgraded_state) => UpgradeResourceStateResponse { upgraded_state, diagnostics: vec![] },
            Err(diagnostic) => UpgradeResourceStateResponse {
                upgraded_state: Encoded::received(None),
                diagnostics: vec![diagnostic],
            },
        }
    }
}
