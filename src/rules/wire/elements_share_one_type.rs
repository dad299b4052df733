use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Crash, Fault, FaultContext, Findings, Injection, Shows, edit};
use crate::transcript::Exchange;
use crate::value::msgpack::IssueKind;
use crate::value::{Type, Value, msgpack};

declare_rule! {
    /// All elements of a list, set or map have the same type, even where any type is allowed.
    ///
    /// A list of dynamic elements is a list of strings or a list of numbers, never of both; only
    /// nulls and unknowns may be mixed with any type. An engine panics on a mixture while it
    /// decodes the response, and the user sees a crash of the engine. Where types may differ from
    /// element to element, use a tuple or an object, which a plain dynamic attribute can hold.
    "wire/elements-share-one-type", Must,
    covers: ["WIRE-007"],
    shows: Shows::crash(&[Crash {
        engine: "terraform 1.11.4",
        words: "inconsistent list element types (… then …)",
    }]),
    fix: "give the elements of {attributes} one type, or use a tuple or an object",
    cites: "object wire format", "Schema Object Encoding": "all elements of a collection have one type";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/mixes-elements",
        about: "writes a list of dynamic elements that holds a string and a number",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/spells-types-differently",
        about: "writes the type of a list's elements in two different ways",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| found.issue.kind == IssueKind::MixedElementTypes);
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let elements = [Value::string("armed"), Value::number(1)];
        is_list_of_any(member).then(|| write(&elements, |_| ""))
    })
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let elements = member.value.elements().filter(|elements| elements.iter().all(Value::is_set))?;
        let blank = |idx| if idx == 0 { "" } else { " " };
        (is_list_of_any(member) && (1..16).contains(&elements.len())).then(|| write(elements, blank))
    })
}

fn is_list_of_any(member: &edit::MemberScene<'_>) -> bool {
    matches!(member.ty, Type::List(element) if **element == Type::Dynamic)
}

/// A short list of dynamic values, each with some text before its type.
fn write(elements: &[Value], before: impl Fn(usize) -> &'static str) -> Vec<u8> {
    let mut out = vec![0x90 | elements.len() as u8];
    for (idx, element) in elements.iter().enumerate() {
        let ty = format!("{}{}", before(idx), element.ty().to_json_text());
        out.push(0x92);
        rmp::encode::write_bin(&mut out, ty.as_bytes()).expect("writing to memory does not fail");
        msgpack::encode_into(element, element.ty(), &mut out);
    }
    out
}
