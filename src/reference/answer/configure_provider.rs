//! The provider accepts every configuration that decodes.

use super::{Answer, given};
use crate::calls::{ConfigureProvider, ConfigureProviderRequest, DiagnosticsResponse};
use crate::reference::Reference;

impl Answer for ConfigureProvider {
    fn answer(_: &Reference, request: &ConfigureProviderRequest) -> DiagnosticsResponse {
        DiagnosticsResponse { diagnostics: given(&request.config, "config").err().into_iter().collect() }
    }
}
