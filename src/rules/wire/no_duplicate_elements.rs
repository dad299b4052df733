use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;
use crate::value::msgpack::IssueKind;
use crate::value::{Type, Value, msgpack};

declare_rule! {
    /// No element of a set appears twice.
    ///
    /// Engines silently drop the second one, so a set that was planned with two elements turns out to
    /// have one, and the user sees an inconsistent result that is hard to explain. Remove duplicates
    /// before encoding; strings that differ only in how an accent is encoded are the same.
    "wire/no-duplicate-elements", Should,
    covers: ["WIRE-011"],
    title: None,
    fix: "remove duplicates from {attributes} before encoding",
    cites: "object wire format", "Schema Object Encoding": "each element of a set once";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/repeats-an-element",
        about: "writes an element of a set twice",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/reorders-elements",
        about: "writes the elements of a set in another order",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| found.issue.kind == IssueKind::DuplicateElement);
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let mut elements = elements(member)?;
        elements.push(elements.first()?.clone());
        Some(write(&elements))
    })
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let mut elements = elements(member)?;
        elements.reverse();
        (elements.len() > 1).then(|| write(&elements))
    })
}

/// The encoded elements of a short set.
fn elements(member: &edit::MemberScene<'_>) -> Option<Vec<Vec<u8>>> {
    let Type::Set(element) = member.ty else { return None };
    let elements = member.value.elements().filter(|elements| elements.len() < 15)?;
    let known = elements.iter().all(Value::is_wholly_known);
    known.then(|| elements.iter().map(|value| msgpack::encode(value, element)).collect())
}

fn write(elements: &[Vec<u8>]) -> Vec<u8> {
    let mut out = vec![0x90 | elements.len() as u8];
    out.extend(elements.concat());
    out
}
