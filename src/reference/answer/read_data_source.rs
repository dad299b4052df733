//! The result of a data source is a function of the configuration and the seed.

use super::{Answer, given, unknown_type};
use crate::calls::{Encoded, ReadDataSource, ReadDataSourceRequest, ReadDataSourceResponse};
use crate::reference::Reference;
use crate::reference::computed_values::{ComputedValues, hash};
use crate::reference::definition::Definition;
use crate::reference::merge::{Mode, merge};

impl Answer for ReadDataSource {
    fn answer(reference: &Reference, request: &ReadDataSourceRequest) -> ReadDataSourceResponse {
        let read = || {
            let schema = reference
                .schema
                .data_sources
                .get(&request.type_name)
                .ok_or_else(|| unknown_type(&request.type_name))?;
            let config = given(&request.config, "config")?;
            let none = Definition::default();
            let planned = merge(&none, &schema.block, Mode::Renew, &schema.null(), config);
            let handle = format!("{}-{:016x}", request.type_name, hash(&[&config.to_string()]));
            let computed = ComputedValues { seed: reference.seed, handle: &handle, revision: 1 };
            Ok(Encoded::of(computed.fill(&schema.block, &planned, &planned), schema.implied_type()))
        };
        match read() {
            Ok(state) => ReadDataSourceResponse { state, diagnostics: vec![], deferred: None },
            Err(diagnostic) => ReadDataSourceResponse {
                state: Encoded::received(None),
                diagnostics: vec![diagnostic],
                deferred: None,
            },
        }
    }
}
