use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;
use crate::value::msgpack::IssueKind;

declare_rule! {
    /// Nothing follows an encoded value.
    ///
    /// Engines stop reading where the value ends and silently ignore the rest. Extra bytes come
    /// from a reused buffer, or from two values where one is meant: then the wrong one may be
    /// read.
    "wire/nothing-follows", Should,
    covers: ["WIRE-017"],
    title: None,
    fix: "send only the encoded value, without what is left in the buffer",
    cites: "object wire format", "Schema Object Encoding": "a single encoded value";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/adds-a-byte",
        about: "writes a byte after the value",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/writes-objects-at-length",
        about: "writes an object with a longer header than needed",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| {
        matches!(found.issue.kind, IssueKind::TrailingBytes(_))
    });
}

fn corrupt(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    edit::response_bytes(exchange, |bytes| Some([bytes, &[0xc0]].concat()))
}

fn spare(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    edit::response_bytes(exchange, |bytes| match bytes {
        [short @ 0x80..=0x8f, rest @ ..] => Some([&[0xdf, 0x00, 0x00, 0x00, short & 0x0f], rest].concat()),
        [0xde, high, low, rest @ ..] => Some([&[0xdf, 0x00, 0x00, *high, *low], rest].concat()),
        _ => None,
    })
}
