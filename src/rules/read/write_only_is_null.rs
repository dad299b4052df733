use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Read, Shows, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// The result of a read holds no write-only values.
    ///
    /// A write-only attribute is null in every state, even if the remote system returns the
    /// value. Start from the current state, which has null there, and leave the attribute
    /// alone. Nor may collections around such values have null elements: engines crash on them.
    "read/write-only-is-null", Must,
    covers: ["READ-003", "WO-001", "WO-002"],
    shows: Shows::title_of("Provider produced invalid object").in_opentofu("Invalid provider response"),
    fix: "leave {attributes} null in Read, whatever the remote system returns",
    framework: "begin with `req.State.Get`, and leave the attribute alone",
    sdkv2: "never call `d.Set` for it",
    cites: "tfplugin6 protocol definition", "Schema.Attribute":
        "must be omitted from state";
    check: Check::Read(check);
    fault: Fault {
        name: "read/leaks-write-only",
        about: "reads a value for a write-only attribute",
        injection: Injection::Answer(leak),
    };
    control: Fault {
        name: "read/echoes-secrets",
        about: "reads sensitive values, as it must",
        injection: Injection::Nothing("null is the only answer for a write-only attribute"),
    };
}

fn check(context: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    let block = &read.schema.block;
    let problems = context.read_check(read, CheckKind::WriteOnlyNull);
    findings.adopt_leaks(block, problems, RULE.covers, read.current);
}

fn leak(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::read_state(exchange, context, |schema, _, new| edit::leak(&schema.block, new))
}
