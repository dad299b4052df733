//! The provider takes every configuration that can be read.

use super::{Answer, given};
use crate::calls::{ConfigureProvider, ConfigureProviderRequest, DiagnosticsResponse};
use crate::reference::Reference;

impl Answer for ConfigureProvider {
    fn answer(_: &Reference, request: &ConfigureProviderRequest) -> DiagnosticsResponse {
        DiagnosticsResponse { diagnostics: given(&request.config, "config").err().into_iter().collect() }
    }
}
