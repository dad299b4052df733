//! `schema`: what a provider declares.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value as Json, json};

use super::args::Schema;
use super::{Failed, Outcome, print, provider};
use crate::report::Exit;
use crate::run::{self, Starter};
use crate::schema::{ProviderSchema, schema_to_json};
use crate::session::{self, Beside};

pub(super) fn schema(schema: &Schema) -> Outcome {
    let scratch = session::scratch()?;
    let provider = match &schema.path {
        Some(path) => provider::program(path, scratch.path(), &Beside::default())?,
        None => provider::running(schema.reattach.as_deref())?.ok_or_else(|| {
            Failed::usage("no provider is named: give its PATH, --reattach JSON or TF_REATTACH_PROVIDERS")
        })?,
    };
    let runtime = tokio::runtime::Runtime::new().map_err(|error| Failed::ours(error.to_string()))?;
    let (program, start_timeout) = (provider.program.clone(), run::START_TIMEOUT);
    let starter = Starter { program, timeout: CALL_LIMIT, start_timeout };
    let declared = runtime.block_on(run::schema(starter));
    runtime.shutdown_background();
    let json = to_json(&declared.map_err(session::SessionError::from)?);
    print(&format!("{}\n", serde_json::to_string_pretty(&json).expect("a JSON tree prints")));
    Ok(Exit::Conforms)
}

/// How long a provider may take to print its schema.
const CALL_LIMIT: Duration = Duration::from_secs(60);

fn to_json(schema: &ProviderSchema) -> Json {
    let schemas = |schemas: &BTreeMap<String, Arc<crate::schema::Schema>>| {
        let all: Map<String, Json> =
            schemas.iter().map(|(name, schema)| (name.clone(), schema_to_json(schema))).collect();
        Json::Object(all)
    };
    json!({
        "provider": schema.provider.as_deref().map(schema_to_json),
        "resource_schemas": schemas(&schema.resources),
        "data_source_schemas": schemas(&schema.data_sources),
    })
}
