//! `schema`: what a provider declares.

use std::collections::BTreeMap;
use std::sync::Arc;
use std::time::Duration;

use serde_json::{Map, Value as Json, json};

use super::args::{ProviderArgs, Schema};
use super::{Failed, Outcome, print, provider};
use crate::report::foreign::escaped_json;
use crate::run::Interruption;
use crate::schema::{ProviderSchema, schema_to_json};
use crate::session::{self, signals};
use crate::suite::Suite;

pub(super) fn schema(schema: &Schema) -> Outcome {
    let named = match &schema.path {
        Some(path) => Some(provider::program(path)?),
        None => {
            provider::named(&ProviderArgs { reattach: schema.reattach.clone(), ..ProviderArgs::default() })?
        }
    };
    let named = match named {
        None => provider::running()?,
        named => named,
    };
    let mut suite = Suite {
        provider: named.ok_or_else(|| {
            Failed::usage("no provider is named: give its PATH, --reattach JSON or TF_REATTACH_PROVIDERS")
        })?,
        ..Suite::default()
    };
    suite.run.timeout = CALL_LIMIT;
    let interruption = Interruption::default();
    signals::watch(&interruption);
    let declared = session::schema(&suite, &interruption)?;
    let json = to_json(&declared);
    print(&escaped_json(&format!("{}\n", serde_json::to_string_pretty(&json).expect("a JSON tree prints"))))
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
