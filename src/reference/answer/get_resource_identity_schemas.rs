//! What identifies the objects of each type.

use super::Answer;
use crate::calls::{
    GetResourceIdentitySchemas, GetResourceIdentitySchemasRequest, GetResourceIdentitySchemasResponse,
};
use crate::reference::Reference;

impl Answer for GetResourceIdentitySchemas {
    fn answer(
        reference: &Reference,
        _: &GetResourceIdentitySchemasRequest,
    ) -> GetResourceIdentitySchemasResponse {
        GetResourceIdentitySchemasResponse {
            identities: reference.schema.identities.clone(),
            diagnostics: vec![],
        }
    }
}
