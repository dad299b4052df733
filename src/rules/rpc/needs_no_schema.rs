use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, edit};
use crate::transcript::{AnyCall, Diagnostic, Exchange, Phase};
use crate::value::AttributePath;

declare_rule! {
    /// A process works without GetProviderSchema having been called, where the provider declares that it can.
    ///
    /// With `get_provider_schema_optional` an engine takes the schema from its cache and may never
    /// ask the process that plans or applies. What the provider prepares while it builds its schema,
    /// such as a table of its types, is then missing. Prepare it when the process starts or on first
    /// use, or do not declare the capability.
    "rpc/needs-no-schema", Must,
    covers: ["PROC-006"],
    title: None,
    fix: "prepare what calls need when the process starts, not while the schema is built",
    cites: "plugin protocol", "ServerCapabilities.get_provider_schema_optional":
        "GetProviderSchema need not be called on every instance";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/waits-for-its-schema",
        about: "declares GetProviderSchema optional, and fails until it has been called",
        injection: Injection::Answer(wait),
    };
    control: Fault {
        name: "rpc/demands-its-schema",
        about: "fails until GetProviderSchema has been called, and does not declare it optional",
        injection: Injection::Answer(demand),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let exchanges = &context.transcript.exchanges;
    if context.exchange.phase != Phase::Start
        || matches!(asked.call, AnyCall::GetProviderSchema(_) | AnyCall::GetMetadata(_))
    {
        return findings.not_applicable("not one of the first calls of a process");
    }
    if !context.schema_shown().capabilities.get_provider_schema_optional {
        return findings.not_applicable("the provider does not declare GetProviderSchema optional");
    }
    if was_shown(exchanges, context.exchange) {
        return findings.not_applicable("the process was asked for its schema");
    }
    if asked.call.succeeded() {
        return;
    }
    let is_same = |other: &Exchange| {
        (other.call.rpc_name(), other.call.type_name()) == (asked.call.rpc_name(), asked.call.type_name())
    };
    let works = |other: &&Exchange| is_same(other) && other.call.succeeded() && was_shown(exchanges, other);
    let Some(elsewhere) = exchanges.iter().find(works) else {
        return findings.inconclusive("the same call did not succeed in any other process");
    };
    let said = match (asked.failure, asked.call.diagnostics().iter().find(|said| said.is_error())) {
        (Some(failure), _) => failure.to_string(),
        (None, Some(error)) => error.summary.clone(),
        (None, None) => "an error".to_owned(),
    };
    let message = format!(
        "{} fails in a process that was not asked for its schema: {said}; process {}, which was, succeeds",
        asked.call.rpc_name(),
        elsewhere.process,
    );
    findings.add(Finding::new(AttributePath::root(), message).caused_by(asked.call.rpc_name()));
}

/// Whether the exchange's process had been asked for the schema before.
fn was_shown(exchanges: &[Exchange], exchange: &Exchange) -> bool {
    exchanges[..exchange.id.0 as usize].iter().any(|earlier| {
        earlier.process == exchange.process && matches!(earlier.call, AnyCall::GetProviderSchema(_))
    })
}

fn wait(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let shown = format!("process {} showed its schema", exchange.process);
    if let AnyCall::GetProviderSchema(_) = exchange.call {
        context.memory.remember(&shown, "");
        return false;
    }
    let is_waiting = context.memory.recall(&shown).is_none();
    let diagnostic =
        Diagnostic::error("No such type", "Reported by a fault: GetProviderSchema was not called.");
    is_waiting && edit::say(exchange, diagnostic)
}

fn demand(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let capabilities = match &mut exchange.call {
        AnyCall::GetProviderSchema(call) => {
            let response = call.outcome.as_mut().ok();
            response.map(|response| &mut std::sync::Arc::make_mut(&mut response.schema).capabilities)
        }
        AnyCall::GetMetadata(call) => call.outcome.as_mut().ok().map(|response| &mut response.capabilities),
        _ => None,
    };
    let is_declared = capabilities.map(|declared| declared.get_provider_schema_optional = false).is_some();
    wait(exchange, context) || is_declared
}
