use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, Shows, Speaker, edit};
use crate::transcript::Exchange;
use crate::value::msgpack::IssueKind;
use crate::value::{Type, TypeError, msgpack};

declare_rule! {
    /// A dynamic value is written with its type.
    ///
    /// On the wire it is an array of two elements: the type in its JSON form, then the value encoded
    /// by that type. The same goes for lists and maps of nested blocks that hold a dynamic attribute
    /// at any depth: they are sent as one dynamic tuple or object. A user sees a message about the
    /// array, or about a type that cannot be read. Only null is written as plain nil.
    "wire/dynamic-values-name-their-type", Must,
    covers: ["WIRE-005", "WIRE-006"],
    shows: Shows::words_of(Speaker::Decoder),
    fix: "write {attributes} as an array of type and value",
    cites: "object wire format", "Schema Object Encoding": "a two-element array of type and value";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/writes-any-type-bare",
        about: "writes a dynamic value without its type",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/writes-a-type-with-a-blank",
        about: "writes the type of a dynamic value with a space before it",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| match &found.issue.kind {
        IssueKind::DynamicForm => true,
        IssueKind::DynamicType(error) => *error != TypeError::TooDeep,
        _ => false,
    });
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let bare = || msgpack::encode(member.value, member.value.ty());
        (is_typed(member) && member.value.is_set()).then(bare)
    })
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let ty = format!(" {}", member.value.ty().to_json_text());
        let mut bytes = vec![0x92];
        rmp::encode::write_bin(&mut bytes, ty.as_bytes()).ok()?;
        msgpack::encode_into(member.value, member.value.ty(), &mut bytes);
        (is_typed(member) && member.value.is_set()).then_some(bytes)
    })
}

fn is_typed(member: &edit::MemberScene<'_>) -> bool {
    *member.ty == Type::Dynamic && member.attribute.is_some()
}
