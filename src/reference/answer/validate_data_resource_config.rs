//! Whether the configuration of a data source is valid.

use super::Answer;
use crate::calls::{DiagnosticsResponse, ValidateDataResourceConfig, ValidateDataResourceConfigRequest};
use crate::reference::Reference;
use crate::schema::Kind;

impl Answer for ValidateDataResourceConfig {
    fn answer(reference: &Reference, request: &ValidateDataResourceConfigRequest) -> DiagnosticsResponse {
        reference.validated(Kind::DataSource, &request.type_name, &request.config)
    }
}
