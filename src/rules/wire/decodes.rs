use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, Shows, Speaker, edit};
use crate::transcript::{Encoded, Exchange};
use crate::value::msgpack::IssueKind;
use crate::value::{NumberError, Type, TypeError};

declare_rule! {
    /// Every value that a provider returns decodes by the type that the schema declares for it.
    ///
    /// Nothing is converted: where the schema says string, a number is an error, and where it says
    /// list, a map is. A user sees the decoder's message, such as "a string is required", and the
    /// operation fails; after an apply the object may exist without being in state. The usual cause is
    /// a schema that was changed without the code that fills it, or truncated bytes.
    "wire/decodes", Must,
    covers: ["WIRE-001", "VALIDATE-006"],
    shows: Shows::words_of(Speaker::Decoder),
    fix: "return {attributes} with the type that the schema declares",
    cites: "object wire format", "Schema Object Encoding": "a value conforming to the schema";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/writes-text-as-a-number",
        about: "writes a string attribute as a number",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/writes-text-at-length",
        about: "writes a string attribute with a longer header than needed",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let beyond_us = |(_, encoded): (_, &Encoded)| {
        let last = encoded.issues().last().filter(|_| encoded.is_undecodable())?;
        is_beyond_us(&last.kind).then(|| format!("{} ({} bytes)", last.kind, encoded.size()))
    };
    if let Some(what) = context.answers(asked).into_iter().find_map(beyond_us) {
        findings.inconclusive(format!("a value is larger or deeper than tfconform reads: {what}"));
    }
    context.report_encoding_issues(asked, findings, |found| found.fatal && is_breach(&found.issue.kind));
}

/// What tfconform does not read, but an engine might.
fn is_beyond_us(kind: &IssueKind) -> bool {
    matches!(
        kind,
        IssueKind::TooDeep
            | IssueKind::DynamicType(TypeError::TooDeep)
            | IssueKind::TooLarge(_)
            | IssueKind::BadNumber(NumberError::Exponent | NumberError::TooLong(_))
    )
}

fn is_breach(kind: &IssueKind) -> bool {
    matches!(
        kind,
        IssueKind::Malformed(_)
            | IssueKind::Json(_)
            | IssueKind::WrongShape { .. }
            | IssueKind::TupleLength { .. }
    )
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        (*member.ty == Type::String && member.value.as_str().is_some()).then(|| vec![0x07])
    })
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let text = member.value.as_str()?.as_bytes();
        let mut bytes = vec![0xdb];
        bytes.extend((text.len() as u32).to_be_bytes());
        bytes.extend(text);
        (*member.ty == Type::String).then_some(bytes)
    })
}
