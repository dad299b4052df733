use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;
use crate::value::Type;
use crate::value::msgpack::IssueKind;

declare_rule! {
    /// An integer is written as an integer, or as a decimal string if it exceeds 64 bits.
    ///
    /// A float holds 53 bits: a larger integer arrives as another number, and one beyond 64 bits is
    /// stored as a string that equals neither, which shows as an inconsistent result or as a plan
    /// that never settles. Smaller ones survive, but nothing guarantees it. Choose the encoding by
    /// the value, not by the variable's type.
    "wire/integers-are-integers", Should,
    covers: ["WIRE-008"],
    title: None,
    fix: "encode integers in {attributes} as integers, or as decimal strings beyond 64 bits",
    cites: "object wire format", "Numbers": "integers as integers";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/writes-integers-as-floats",
        about: "writes an integer as a float",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/writes-integers-in-full",
        about: "writes an integer in 64 bits",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| {
        matches!(found.issue.kind, IssueKind::IntegralDouble | IssueKind::IntegralDoubleLosesDigits)
    });
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let double = [&[0xcb][..], &(integer(member)? as f64).to_be_bytes()].concat();
        Some(double)
    })
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let wide = [&[0xd3][..], &integer(member)?.to_be_bytes()].concat();
        Some(wide)
    })
}

/// An integer that a float holds exactly.
fn integer(member: &edit::MemberScene<'_>) -> Option<i64> {
    let number = member.value.as_number().filter(|_| *member.ty == Type::Number)?;
    number.to_i64().filter(|integer| integer.unsigned_abs() < 1 << 53)
}
