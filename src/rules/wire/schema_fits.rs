use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::{AnyCall, Exchange, RpcFailure};
use crate::value::AttributePath;

declare_rule! {
    /// The response to GetProviderSchema is at most 64 MiB long.
    ///
    /// Engines set that limit for this call, and show "Plugin error" beyond it: the provider cannot
    /// be used at all. Most of a large schema is descriptions; let generated types share theirs, or
    /// leave them out.
    "wire/schema-fits", Must,
    covers: ["WIRE-018"],
    title: Some("Failed to load plugin schemas"),
    fix: "shorten or share descriptions until the schema is below 64 MiB",
    cites: "plugin protocol", "GetProviderSchema": "a schema response of at most 64 MiB";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/describes-without-end",
        about: "has a description of 65 MiB in its schema",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/describes-at-length",
        about: "has a description of 1 MiB in its schema",
        injection: Injection::Answer(spare),
    };
}

const LIMIT: u64 = 64 << 20;

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let AnyCall::GetProviderSchema(call) = asked.call else {
        return findings.not_applicable("not a fetch of the schema");
    };
    let message = match &call.outcome {
        Ok(response) if response.size > LIMIT => {
            format!("the response has {} bytes, {LIMIT} are allowed", response.size)
        }
        Err(failure @ RpcFailure::TooLarge { .. }) => failure.to_string(),
        _ => return,
    };
    findings.report(AttributePath::root(), message);
}

fn describe(exchange: &mut Exchange, length: usize) -> bool {
    let AnyCall::GetProviderSchema(call) = &mut exchange.call else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    let described = edit::resource_schema(Arc::make_mut(&mut response.schema), |schema| {
        schema.block.description = "x".repeat(length);
        true
    });
    response.size += length as u64;
    described
}

fn corrupt(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    describe(exchange, 65 << 20)
}

fn spare(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    describe(exchange, 1 << 20)
}
