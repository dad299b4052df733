use crate::declare_rule;
use crate::rule::{
    Check, Context, Enforced, Fault, FaultContext, Findings, Injection, Moved, Shows, Since, Speaker, edit,
};
use crate::transcript::{Diagnostic, Exchange};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// A moved state is an object.
    ///
    /// A move cannot know that the object is gone: it makes no remote calls, and only a read removes
    /// an object from the state. No engine refuses null: Terraform has it upgraded like any state, and shows
    /// what the provider says of it; OpenTofu takes it. To refuse a source, report an error.
    "move/is-not-null", Must, behaviours: ["instances/moved-across-types"],
    covers: ["MOVE-002"],
    shows: Shows::words_of(Speaker::Provider),
    enforced: Enforced::by_terraform(Since::Always),
    fix: "return the object as one of the target type, or an error",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "captures the same information as the Previous Run State";
    check: Check::Move(check);
    fault: Fault {
        name: "move/loses-the-object",
        about: "moves an object to null",
        injection: Injection::Answer(lose),
    };
    control: Fault {
        name: "move/advises-to-edit-the-configuration",
        about: "warns that the object has another type now",
        injection: Injection::Answer(advise),
    };
}

fn check(_: &Context<'_>, moved: &Moved<'_>, findings: &mut Findings) {
    if moved.moved.is_null() {
        findings.report(AttributePath::root(), "an object was moved to null");
    }
}

fn lose(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::moved_state(exchange, context, |_, moved| Some(Value::null(moved.ty().clone())))
}

fn advise(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let advice = Diagnostic { summary: "The object has another type now".to_owned(), ..edit::warning() };
    super::warn(exchange, context) && edit::say(exchange, advice)
}
