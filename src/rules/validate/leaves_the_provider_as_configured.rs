use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection};
use crate::transcript::{AnyCall, Call, Encoded, Exchange};
use crate::value::{AttributePath, Type, Value};

declare_rule! {
    /// Validating a provider's configuration returns it unchanged, or not at all.
    ///
    /// Protocol 5 has a field for a prepared configuration, from a time when defaults were filled in
    /// there. Engines compare it with what they sent, log a difference, and configure the provider
    /// with what the user wrote. Fill in defaults when the provider is configured.
    "validate/leaves-the-provider-as-configured", Advice,
    covers: ["VALIDATE-006"],
    title: None,
    fix: "fill in defaults when the provider is configured, not when it is validated",
    cites: "plugin protocol", "PrepareProviderConfig": "the prepared configuration is not used";
    check: Check::Asked(check);
    fault: Fault {
        name: "validate/prepares-the-configuration",
        about: "fills a null argument of the provider in the prepared configuration",
        injection: Injection::Answer(fill),
    };
    control: Fault {
        name: "validate/repeats-the-configuration",
        about: "returns the configuration unchanged as the prepared one",
        injection: Injection::Answer(repeat),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let AnyCall::ValidateProviderConfig(Call { request, outcome: Ok(response) }) = asked.call else {
        return findings.not_applicable("not the validation of a provider");
    };
    let prepared = response.prepared_config.as_ref().and_then(|prepared| prepared.value());
    let (Some(config), Some(prepared)) = (request.config.value(), prepared) else { return };
    if asked.call.succeeded() && !prepared.is_null() && prepared != config {
        findings.expected(
            AttributePath::root(),
            "the prepared configuration differs from the configuration, and engines ignore it",
            [("configuration", config)],
            ("prepared configuration", prepared),
        );
    }
}

fn prepare(exchange: &mut Exchange, context: &FaultContext<'_>, fill: fn(&Value) -> Option<Value>) -> bool {
    let AnyCall::ValidateProviderConfig(Call { request, outcome: Ok(response) }) = &mut exchange.call else {
        return false;
    };
    let (Some(schema), Some(config)) = (&context.provider.provider, request.config.value()) else {
        return false;
    };
    let Some(prepared) = fill(config) else { return false };
    response.prepared_config = Some(Encoded::of(prepared, schema.implied_type()));
    true
}

fn fill(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    prepare(exchange, context, |config| {
        let (name, _) =
            config.attributes().find(|(_, value)| value.is_null() && *value.ty() == Type::String)?;
        Some(config.with_attribute(name, Value::string("filled")))
    })
}

fn repeat(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    prepare(exchange, context, |config| Some(config.clone()))
}
