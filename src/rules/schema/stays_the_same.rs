use std::collections::BTreeMap;
use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::schema::{ProviderSchema, Schema};
use crate::transcript::{AnyCall, Exchange, GetProviderSchemaResponse};
use crate::value::AttributePath;

declare_rule! {
    /// The schema is the same on every call and in every process.
    ///
    /// An engine fetches the schema in one process, or takes it from a cache, and uses it to decode
    /// what others send, from plan to apply. A schema that depends on the environment, credentials,
    /// time or the order of a map makes values undecodable, or descriptions change between runs.
    /// Build it from constants.
    "schema/stays-the-same", Should,
    covers: ["SCHEMA-062"],
    title: None,
    fix: "build the schema from constants, not from time, environment or the order of a map",
    cites: "plugin protocol", "ServerCapabilities": "a cached copy of the provider's schema";
    check: Check::EverySchema(check);
    fault: Fault {
        name: "schema/describes-the-process",
        about: "puts something about its process into a description",
        injection: Injection::Answer(differ),
    };
    control: Fault {
        name: "schema/describes-the-provider",
        about: "puts the same text into a description in every process",
        injection: Injection::Answer(same),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    let earlier = &context.transcript.exchanges[..context.exchange.id.0 as usize];
    let (Some(first), Some(now)) = (earlier.iter().find_map(response), response(context.exchange)) else {
        return findings.not_applicable("the first schema of this run");
    };
    if first.digest == now.digest {
        return;
    }
    let moved = moved(&first.schema, provider);
    let message = if moved.is_empty() {
        "the schema differs from the one sent before, but no type has changed its shape".to_owned()
    } else {
        format!("the schema differs from the one sent before: {}", moved.join(", "))
    };
    findings.report(AttributePath::root(), message);
}

fn response(exchange: &Exchange) -> Option<&GetProviderSchemaResponse> {
    match &exchange.call {
        AnyCall::GetProviderSchema(call) => call.outcome.as_ref().ok(),
        _ => None,
    }
}

/// The types whose values have another shape.
fn moved<'p>(before: &'p ProviderSchema, now: &'p ProviderSchema) -> Vec<&'p str> {
    let shape = |schema: &Arc<Schema>| (schema.version, schema.implied_type().clone());
    let differs = |a: &BTreeMap<String, Arc<Schema>>, b: &BTreeMap<String, Arc<Schema>>, name: &str| {
        a.get(name).map(shape) != b.get(name).map(shape)
    };
    [(&before.resources, &now.resources), (&before.data_sources, &now.data_sources)]
        .into_iter()
        .flat_map(|(a, b)| {
            let added = b.keys().filter(|name| !a.contains_key(*name));
            a.keys().chain(added).filter(move |name| differs(a, b, name)).map(String::as_str)
        })
        .collect()
}

fn stamp(exchange: &mut Exchange, text: &str) -> bool {
    let AnyCall::GetProviderSchema(call) = &mut exchange.call else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    edit::resource_schema(Arc::make_mut(&mut response.schema), |schema| {
        schema.block.description = text.to_owned();
        true
    });
    response.digest = text.to_owned();
    true
}

fn differ(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let count = context.memory.count("schema/describes-the-process");
    stamp(exchange, &format!("Process {}, call {count}.", std::process::id()))
}

fn same(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    stamp(exchange, "Every process.")
}
