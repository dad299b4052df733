use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;
use crate::value::Type;
use crate::value::msgpack::IssueKind;

declare_rule! {
    /// An unknown without refinements has the extension code 0.
    ///
    /// Engines take a short extension with any code for an unknown, but codes other than 0 and 12 are
    /// reserved, and may come to mean something else. Send the three bytes `d4 00 00`.
    "wire/unknowns-have-code-zero", Should,
    covers: ["WIRE-012"],
    title: None,
    fix: "send unknown values as the three bytes `d4 00 00`",
    cites: "object wire format", "Unknown Values": "extension code zero";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/codes-unknowns-freely",
        about: "plans an unknown under an undefined extension code",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/codes-unknowns-as-zero",
        about: "plans an unknown under extension code 0",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| {
        matches!(found.issue.kind, IssueKind::ExtensionCode(_))
    });
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| is_computed(member).then(|| vec![0xd4, 0x05, 0x00]))
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| is_computed(member).then(|| vec![0xd4, 0x00, 0x00]))
}

/// Whether the provider may plan the member as unknown, and did.
fn is_computed(member: &edit::MemberScene<'_>) -> bool {
    member.planned
        && member.value.is_unknown()
        && member.attribute.is_some_and(|attribute| attribute.computed && *member.ty != Type::Dynamic)
}
