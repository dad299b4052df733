use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Crash, Fault, FaultContext, Findings, Injection, Shows, edit};
use crate::transcript::Exchange;
use crate::value::msgpack::IssueKind;
use crate::value::{Type, msgpack};

declare_rule! {
    /// A list, set or map on the wire holds as many elements as its header announces.
    ///
    /// An engine allocates room for what a header announces before it reads on, so a header of many
    /// millions exhausts its memory, whatever follows. Only bytes that were truncated, overwritten
    /// or written by hand have such headers: use an encoder, and send its output unchanged.
    "wire/headers-are-honest", Must,
    covers: ["WIRE-001"],
    shows: Shows::crash(&[Crash {
        engine: "terraform 1.11.4",
        words: "fatal error: out of memory",
    }]),
    fix: "encode {attributes} with a MessagePack library, and send its output unchanged",
    cites: "object wire format", "Schema Object Encoding": "arrays and maps hold what they announce";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/announces-billions",
        about: "writes a list or set whose header announces billions of elements",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/announces-at-length",
        about: "writes a list or set with a longer header than needed",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| {
        matches!(found.issue.kind, IssueKind::HugeHeader(_))
    });
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let list = matches!(member.ty, Type::List(_) | Type::Set(_)) && member.value.is_set();
        list.then(|| vec![0xdd, 0xff, 0xff, 0xff, 0xff])
    })
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let list = matches!(member.ty, Type::List(_) | Type::Set(_));
        let elements = member.value.elements().filter(|elements| list && elements.len() < 16)?;
        let mut bytes = vec![0xdd, 0x00, 0x00, 0x00, elements.len() as u8];
        bytes.extend(&msgpack::encode(member.value, member.ty)[1..]);
        Some(bytes)
    })
}
