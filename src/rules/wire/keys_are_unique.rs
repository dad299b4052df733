use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;
use crate::value::msgpack::IssueKind;
use crate::value::{Type, Value, msgpack};

declare_rule! {
    /// Every key of a map is a string, and appears once.
    ///
    /// Of two elements under one key an engine silently keeps the later; it reads a key that is not a
    /// string as the empty one, and may misread what follows. Keys that differ only in how an accent
    /// is encoded are the same key. Fill a map of your language, and encode that.
    "wire/keys-are-unique", Should,
    covers: ["WIRE-010"],
    title: None,
    fix: "fill a map of your language for {attributes}, and encode that",
    cites: "object wire format", "Schema Object Encoding": "each key of a map once, as a string";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/repeats-a-key",
        about: "writes an entry of a map twice",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/reorders-keys",
        about: "writes the keys of a map in another order",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| {
        matches!(found.issue.kind, IssueKind::DuplicateKey(_) | IssueKind::KeyNotAString)
    });
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let mut entries = entries(member)?;
        entries.insert(0, entries.first()?.clone());
        Some(write(&entries))
    })
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let mut entries = entries(member)?;
        entries.reverse();
        (entries.len() > 1).then(|| write(&entries))
    })
}

/// The encoded entries of a short map.
fn entries(member: &edit::MemberScene<'_>) -> Option<Vec<Vec<u8>>> {
    let Type::Map(element) = member.ty else { return None };
    let entries = member.value.entries().filter(|entries| entries.len() < 15)?;
    let write =
        |(key, value): (&Arc<str>, &Value)| [edit::text(key), msgpack::encode(value, element)].concat();
    Some(entries.iter().map(write).collect())
}

fn write(entries: &[Vec<u8>]) -> Vec<u8> {
    let mut out = vec![0x80 | entries.len() as u8];
    out.extend(entries.concat());
    out
}
