//! `schema`: what a provider declares.

use std::sync::Arc;

use serde_json::{Map, Value as Json, json};

use super::args::Schema;
use super::{Failed, Outcome, print};
use crate::provider::client::Client;
use crate::provider::launch::Launch;
use crate::report::Exit;
use crate::schema::{ProviderSchema, schema_to_json};

pub(super) fn schema(schema: &Schema) -> Outcome {
    let runtime = tokio::runtime::Runtime::new()
        .map_err(|error| Failed { exit: Exit::OurBug, message: error.to_string() })?;
    let unusable = |message: String| Failed { exit: Exit::Unusable, message };
    let declared = runtime.block_on(async {
        let process = Launch::new(&schema.path).start().await.map_err(|error| unusable(error.to_string()))?;
        let client = Client::new(Arc::new(process));
        let (call, _) = client.schema().await;
        call.outcome.map_err(|failure| unusable(format!("GetProviderSchema failed: {failure}")))
    })?;
    let json = to_json(&declared.schema);
    print(&format!("{}\n", serde_json::to_string_pretty(&json).expect("a JSON tree prints")));
    Ok(Exit::Conforms)
}

fn to_json(schema: &ProviderSchema) -> Json {
    let schemas = |schemas: &std::collections::BTreeMap<String, Arc<crate::schema::Schema>>| {
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
