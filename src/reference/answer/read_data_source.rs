//! The result of a data source: an object, if there is a managed type of the same name, and otherwise a
//! function of the configuration and the seed.

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
            if let Ok(known) = reference.known(&request.type_name) {
                let found = reference.objects(&known).look_up(&schema.block, config)?;
                return Ok(Encoded::of(found, schema.implied_type()));
            }
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
