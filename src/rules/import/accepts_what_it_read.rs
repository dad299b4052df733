use crate::core::is_wholly_generated;
use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, Speaker, edit, failed,
};
use crate::schema::{Attribute, Kind};
use crate::transcript::{AnyCall, Diagnostic, Exchange, Purpose};
use crate::value::{Type, Value};

declare_rule! {
    /// The configuration that an engine writes for an imported object is accepted.
    ///
    /// With `-generate-config-out` an engine writes every argument as the read returned it, and validates and plans
    /// the result. Where two arguments exclude each other and the read sets both, the provider refuses
    /// its own values, and the user has to find out which of them to delete. Read only one of such arguments:
    /// the one that the remote system keeps.
    "import/accepts-what-it-read", Advice, behaviours: ["import/generated"],
    covers: ["IMPORT-017"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "do not read arguments that exclude each other, or accept them together",
    cites: "resource instance change lifecycle", "ImportResourceState":
        "retrieve enough data about it to produce the Import Stub State";
    check: Check::Asked(check);
    fault: Fault {
        name: "import/refuses-what-it-read",
        about: "refuses a configuration that sets an argument to what the provider decided itself",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "import/warns-of-what-it-read",
        about: "warns about a configuration that sets an argument to what the provider decided itself",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Purpose::Generated { from } = context.purpose() else {
        return findings.not_applicable("the configuration is not one that an engine wrote");
    };
    let schema = asked.call.type_name().and_then(|name| context.subject().schema.get(Kind::Resource, name));
    let (Some(schema), Some(object)) =
        (schema, context.earlier(*from).and_then(|read| read_state(&read.call)))
    else {
        return findings.inconclusive("the read has no answer");
    };
    if !is_wholly_generated(&schema.block, object) {
        return findings.not_applicable("an engine leaves out what is deprecated or sensitive");
    }
    // What the provider says of other configurations too is not due to what it read.
    let is_said_of_others = |said: &Diagnostic| {
        let mut others = context.transcript.exchanges.iter().filter(|other| {
            other.call.rpc_name() == asked.call.rpc_name()
                && !matches!(other.purpose, Purpose::Generated { .. })
        });
        others.any(|other| other.call.diagnostics().into_iter().any(|one| failed::says_the_same(one, said)))
    };
    let is_due_to_read =
        |said: &&Diagnostic| said.is_error() && failed::is_plain(said) && !is_said_of_others(said);
    for error in asked.diagnostics.iter().copied().filter(is_due_to_read) {
        let path = error.attribute.as_ref().map(|path| path.to_path()).unwrap_or_default();
        let message = format!("refused with the values that were read: {}", error.summary);
        findings.add(Finding::new(path, message).caused_by(failed::cause(error, asked.call.type_name())));
    }
}

fn read_state(call: &AnyCall) -> Option<&Value> {
    let AnyCall::ReadResource(call) = call else { return None };
    call.outcome.as_ref().ok()?.new_state.value()
}

/// Whether the call validates a configuration that sets an argument to what the provider decided: to a value that
/// was read after an import, and that no configuration had before.
fn sets_what_was_decided(exchange: &Exchange, context: &mut FaultContext<'_>) -> bool {
    let is_decided = |attribute: &Attribute| {
        attribute.optional && attribute.computed && attribute.ty() == Type::String && attribute.name != "id"
    };
    let schema = context.schema;
    let argument = |object: Option<&Value>| {
        let attribute = edit::first_attribute(schema?, object?, |attribute, _| is_decided(attribute))?;
        object?.attribute(&attribute.name)?.as_str().map(str::to_owned)
    };
    if super::finds_the_object::is_first_read(exchange, context) {
        if let Some(text) = argument(read_state(&exchange.call))
            && context.memory.recall(&format!("configured {text}")).is_none()
        {
            context.memory.remember(&format!("decided {text}"), "yes");
        }
        return false;
    }
    let AnyCall::ValidateResourceConfig(call) = &exchange.call else { return false };
    let Some(text) = argument(call.request.config.value()) else { return false };
    let is_decided = context.memory.recall(&format!("decided {text}")).is_some();
    if !is_decided {
        context.memory.remember(&format!("configured {text}"), "yes");
    }
    is_decided
}

fn refuse(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let refusal = Diagnostic::error("Conflicting arguments", "Only one of the arguments may be set.");
    sets_what_was_decided(exchange, context) && edit::say(exchange, refusal)
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    sets_what_was_decided(exchange, context) && edit::say(exchange, edit::warning())
}
