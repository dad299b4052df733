use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, Shows, Speaker, edit};
use crate::transcript::Exchange;
use crate::value::Type;
use crate::value::msgpack::IssueKind;

declare_rule! {
    /// An unknown without refinements is an extension of code 0 with at most one byte of payload.
    ///
    /// With a longer payload engines understand only code 12, and show "unsupported extension type"
    /// for any other; the plan fails. Send the three bytes `d4 00 00`.
    "wire/unknowns-are-plain", Must,
    covers: ["WIRE-012"],
    shows: Shows::words_of(Speaker::Decoder),
    fix: "send unknown values as the three bytes `d4 00 00`",
    cites: "object wire format", "Unknown Values": "extension code zero";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/invents-an-extension",
        about: "plans an unknown under an undefined extension code, with two bytes of payload",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/plans-unknowns-without-payload",
        about: "plans an unknown under extension code 0 without payload",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| {
        matches!(found.issue.kind, IssueKind::UnsupportedExtension(_))
    });
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| is_computed(member).then(|| vec![0xd5, 0x05, 0x00, 0x00]))
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| is_computed(member).then(|| vec![0xc7, 0x00, 0x00]))
}

/// Whether the provider may plan the member as unknown, and did.
fn is_computed(member: &edit::MemberScene<'_>) -> bool {
    member.planned
        && member.value.is_unknown()
        && member.attribute.is_some_and(|attribute| attribute.computed && *member.ty != Type::Dynamic)
}
