//! What the provider offers, by name.

use super::Answer;
use crate::calls::{GetMetadata, GetMetadataRequest, GetMetadataResponse};
use crate::reference::Reference;

impl Answer for GetMetadata {
    fn answer(reference: &Reference, _: &GetMetadataRequest) -> GetMetadataResponse {
        let schema = &reference.schema;
        GetMetadataResponse {
            capabilities: schema.capabilities,
            resources: schema.resources.keys().cloned().collect(),
            data_sources: schema.data_sources.keys().cloned().collect(),
            functions: schema.functions.keys().cloned().collect(),
            diagnostics: vec![],
        }
    }
}
