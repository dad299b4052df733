//! Whether the configuration of a managed resource is valid.

use super::Answer;
use crate::calls::{DiagnosticsResponse, ValidateResourceConfig, ValidateResourceConfigRequest};
use crate::reference::Reference;
use crate::schema::Kind;

impl Answer for ValidateResourceConfig {
    fn answer(reference: &Reference, request: &ValidateResourceConfigRequest) -> DiagnosticsResponse {
        reference.validated(Kind::Resource, &request.type_name, &request.config)
    }
}
