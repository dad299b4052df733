use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, Shows, Speaker, edit,
    failed, own_words,
};
use crate::transcript::{AnyCall, Diagnostic, Exchange, PriorOrigin};
use crate::value::Value;

declare_rule! {
    /// No message says that the provider itself is wrong.
    ///
    /// The SDKs tell in so many words when a provider misuses them: “This is always an error in the
    /// provider”, “Value Conversion Error”, “doesn't support update”. So does a format that its
    /// arguments do not fit (`%!s(MISSING)`). The configuration was one that the schema allows, so a
    /// user meets the same message and can do nothing about it. The message usually names the place: an
    /// attribute whose model field cannot be null or unknown, a value that does not have the type of its
    /// attribute, a resource without Update whose arguments do not all require replacement.
    "rpc/reports-no-defect", Must, presumes: Applied,
    covers: ["VALIDATE-008", "PLAN-048"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "correct the attribute, model field or format that the message names",
    cites: "terraform-plugin-framework", "diagnostics": "This is always an error in the provider";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/reports-a-defect",
        about: "refuses a configuration in the words by which SDKs say that the provider is wrong",
        injection: Injection::Answer(blame),
    };
    control: Fault {
        name: "rpc/invites-reports",
        about: "warns about a configuration, and asks for a report if the provider is wrong",
        injection: Injection::Answer(invite),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    if context.exchange.prior == PriorOrigin::Injected {
        return findings.not_applicable("the provider stored no state like that, and may refuse it");
    }
    for said in &asked.diagnostics {
        let Some(words) = own_words(said) else { continue };
        let path = said.attribute.as_ref().map(|path| path.to_path()).unwrap_or_default();
        let message = format!("the provider's own words say that it is wrong ({words}): {}", said.line());
        // A user can go on after a warning.
        let most = if said.is_error() { Level::Must } else { Level::Should };
        let finding = Finding::new(path, message).caused_by(failed::cause(said, asked.call.type_name()));
        findings.add(finding.at_most(most));
    }
}

/// Whether a call validates a configuration that is known, with an argument that may be left out.
fn sets_an_option(exchange: &Exchange, context: &FaultContext<'_>) -> bool {
    let config = match &exchange.call {
        AnyCall::ValidateResourceConfig(call) => call.request.config.value(),
        AnyCall::ValidateDataResourceConfig(call) => call.request.config.value(),
        _ => None,
    };
    let (Some(config), Some(schema)) = (config, context.schema) else { return false };
    config.is_wholly_known()
        && edit::first_attribute(schema, config, |attribute, value| {
            attribute.optional && Value::is_set(value)
        })
        .is_some()
}

fn blame(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let detail = "An unexpected error was encountered trying to convert the configuration. This is always an \
                  error in the provider. Please report the following to the provider developer:";
    sets_an_option(exchange, context)
        && edit::say(exchange, Diagnostic::error("Value Conversion Error", detail))
}

fn invite(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let detail = "If you think that this is an error in the provider, please report it.";
    let warning = Diagnostic { detail: detail.to_owned(), ..edit::warning() };
    sets_an_option(exchange, context) && edit::say(exchange, warning)
}
