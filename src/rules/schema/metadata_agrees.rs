use std::collections::BTreeSet;

use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, declared};
use crate::transcript::{AnyCall, Call, Exchange, GetMetadataResponse};
use crate::value::AttributePath;

declare_rule! {
    /// The metadata names the same types, functions and capabilities as the schema.
    ///
    /// Engines fetch only the schema. Multiplexers, which combine several providers into one, fetch
    /// the metadata instead, and cannot route calls for a type that it does not name. A provider
    /// may leave the call unimplemented; if it does not, build both responses from one list.
    "schema/metadata-agrees", Should,
    covers: ["SCHEMA-063"],
    title: None,
    fix: "build metadata and schema from one list, or leave GetMetadata unimplemented",
    cites: "plugin protocol", "GetMetadata": "server capabilities and supported resource types";
    check: Check::Asked(check);
    fault: Fault {
        name: "schema/leaves-a-type-out-of-metadata",
        about: "leaves a resource type out of the metadata",
        injection: Injection::Answer(forget),
    };
    control: Fault {
        name: "schema/reorders-metadata",
        about: "names the types of the metadata in another order",
        injection: Injection::Answer(reverse),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let AnyCall::GetMetadata(Call { outcome: Ok(metadata), .. }) = asked.call else {
        return findings.not_applicable("there is no metadata");
    };
    let schema = context.schema_shown();
    let lists = [
        ("resource type", &metadata.resources, schema.resources.keys().collect()),
        ("data source", &metadata.data_sources, schema.data_sources.keys().collect()),
        ("function", &metadata.functions, schema.functions.keys().collect::<BTreeSet<_>>()),
    ];
    for (kind, named, declares) in lists {
        let named: BTreeSet<&String> = named.iter().collect();
        for name in declares.difference(&named) {
            findings.add(declared(kind, name, "in the schema, but not in the metadata"));
        }
        for name in named.difference(&declares) {
            findings.add(declared(kind, name, "in the metadata, but not in the schema"));
        }
    }
    if metadata.capabilities != schema.capabilities {
        let message = "the metadata declares other capabilities than the schema";
        findings.report(AttributePath::root(), message);
    }
}

fn metadata(exchange: &mut Exchange) -> Option<&mut GetMetadataResponse> {
    match &mut exchange.call {
        AnyCall::GetMetadata(call) => call.outcome.as_mut().ok(),
        _ => None,
    }
}

fn forget(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    metadata(exchange).is_some_and(|metadata| metadata.resources.pop().is_some())
}

fn reverse(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    metadata(exchange).map(|metadata| metadata.resources.reverse()).is_some()
}
