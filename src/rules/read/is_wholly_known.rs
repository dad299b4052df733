use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Enforced, Fault, FaultContext, Findings, Injection, Read, Since, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// The result of a read is wholly known.
    ///
    /// A read reports what exists; what the remote system does not return stays as it was in
    /// the state, or is null. Terraform shows an error, OpenTofu plans with the unknown and
    /// later stores null. Unknowns in a read mostly come from code shared with plan
    /// modification.
    "read/is-wholly-known", Must,
    covers: ["READ-002"],
    title: Some("Provider produced invalid object"),
    enforced: Enforced::by_terraform(Since::Always),
    fix: "keep {attributes} from the state, or return null, where nothing else is returned",
    framework: "begin with `req.State.Get`, and set nothing to unknown",
    cites: "resource instance change lifecycle", "ReadResource":
        "No unknown values are permitted in the Prior State";
    check: Check::Read(check);
    fault: Fault {
        name: "read/leaves-unknowns",
        about: "reads a computed attribute as unknown",
        injection: Injection::Answer(leave),
    };
    control: Fault {
        name: "read/plans-unknowns",
        about: "plans an optional and computed attribute as unknown, which is where unknowns belong",
        injection: Injection::Answer(edit::unsettle_while_undecided),
    };
}

fn check(context: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    if read.response.deferred.is_some() {
        return findings.not_applicable("the read was deferred");
    }
    findings.adopt_places(context.read_check(read, CheckKind::WhollyKnown), RULE.covers);
}

fn leave(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::read_state(exchange, context, |schema, _, new| edit::unsettle(&schema.block, new))
}
