//! Every provider configuration that decodes is valid.

use super::{Answer, given};
use crate::calls::{ValidateProviderConfig, ValidateProviderConfigRequest, ValidateProviderConfigResponse};
use crate::reference::Reference;

impl Answer for ValidateProviderConfig {
    fn answer(
        reference: &Reference,
        request: &ValidateProviderConfigRequest,
    ) -> ValidateProviderConfigResponse {
        ValidateProviderConfigResponse {
            prepared_config: (reference.protocol == 5).then(|| request.config.clone()),
            diagnostics: given(&request.config, "config").err().into_iter().collect(),
        }
    }
}
