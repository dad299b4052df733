use crate::core::{generated_config, is_wholly_generated};
use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, Speaker, edit, failed,
};
use crate::schema::Kind;
use crate::transcript::{AnyCall, Diagnostic, Exchange, Purpose};
use crate::value::Value;

declare_rule! {
    /// The configuration that an engine writes for an imported object is accepted.
    ///
    /// With `-generate-config-out` an engine writes every argument as the read returned it, and validates the
    /// result. Where two arguments exclude each other and the read sets both, the provider refuses
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
        about: "refuses the configuration that an engine writes for an imported object",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "import/warns-of-what-it-read",
        about: "warns about the configuration that an engine writes for an imported object",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let (AnyCall::ValidateResourceConfig(call), Purpose::Generated { from }) =
        (asked.call, context.purpose())
    else {
        return findings.not_applicable("not the validation of a configuration that an engine wrote");
    };
    let schema = context.subject().schema.get(Kind::Resource, &call.request.type_name);
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
            matches!(other.call, AnyCall::ValidateResourceConfig(_))
                && !matches!(other.purpose, Purpose::Generated { .. })
        });
        others.any(|other| other.call.diagnostics().into_iter().any(|one| failed::says_the_same(one, said)))
    };
    let is_due_to_read =
        |said: &&Diagnostic| said.is_error() && failed::is_plain(said) && !is_said_of_others(said);
    for error in asked.diagnostics.iter().copied().filter(is_due_to_read) {
        let path = error.attribute.as_ref().map(|path| path.to_path()).unwrap_or_default();
        let message = format!("refused with the values that were read: {}", error.summary);
        findings.add(Finding::new(path, message).caused_by(error.summary.as_str()));
    }
}

fn read_state(call: &AnyCall) -> Option<&Value> {
    let AnyCall::ReadResource(call) = call else { return None };
    call.outcome.as_ref().ok()?.new_state.value()
}

/// Whether the call validates what an engine writes for an object that was imported, and it sets an argument that
/// the provider decides otherwise. What a user wrote before is none of these.
fn is_generated(exchange: &Exchange, context: &mut FaultContext<'_>) -> bool {
    if super::finds_the_object::is_first_read(exchange, context) {
        if let (Some(schema), Some(object)) = (context.schema, read_state(&exchange.call)) {
            let written = generated_config(&schema.block, object);
            let decided = edit::first_attribute(schema, &written, |attribute, value| {
                attribute.optional && attribute.computed && !value.is_null()
            });
            if decided.is_some() {
                context.memory.remember(&format!("generated {written}"), "yes");
            }
        }
        return false;
    }
    let AnyCall::ValidateResourceConfig(call) = &exchange.call else { return false };
    let Some(config) = call.request.config.value() else { return false };
    let (written, accepted) = (format!("generated {config}"), format!("accepted {config}"));
    if context.memory.recall(&accepted).is_some() {
        return false;
    }
    let is_generated = context.memory.recall(&written).is_some();
    if !is_generated {
        context.memory.remember(&accepted, "yes");
    }
    is_generated
}

fn refuse(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let refusal = Diagnostic::error("Conflicting arguments", "Only one of the arguments may be set.");
    is_generated(exchange, context) && edit::say(exchange, refusal)
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    is_generated(exchange, context) && edit::say(exchange, edit::warning())
}
