use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Moved, Shows, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// A moved state holds no write-only values.
    ///
    /// Where an attribute is write-only in the target type and was an ordinary one in the source, the
    /// stored state of the source still has its value: set it to null.
    "move/write-only-is-null", Must, behaviours: ["instances/moved-across-types"],
    covers: ["MOVE-003", "WO-001", "WO-002"],
    shows: Shows::title_of("Provider returned invalid value").in_opentofu("Invalid provider response"),
    fix: "set {attributes} to null when an object is moved",
    cites: "tfplugin6 protocol definition", "Schema.Attribute":
        "must be omitted from state";
    check: Check::Move(check);
    fault: Fault {
        name: "move/leaks-write-only",
        about: "moves a write-only attribute to a value",
        injection: Injection::Answer(leak),
    };
    control: Fault {
        name: "move/keeps-secrets",
        about: "moves sensitive values to themselves, as it must",
        injection: Injection::Nothing("null is the only answer for a write-only attribute"),
    };
}

fn check(context: &Context<'_>, moved: &Moved<'_>, findings: &mut Findings) {
    let problems = context.move_check(moved, CheckKind::WriteOnlyNull);
    if !problems.is_empty() {
        findings.adopt_leaks(&moved.schema.block, problems, RULE.covers, &moved.schema.null());
    }
}

fn leak(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::moved_state(exchange, context, |schema, moved| edit::leak(&schema.block, moved))
}
