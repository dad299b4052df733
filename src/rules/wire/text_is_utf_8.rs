use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, Shows, edit};
use crate::transcript::{AnyCall, Exchange};
use crate::value::Type;
use crate::value::msgpack::IssueKind;

declare_rule! {
    /// Text on the wire is UTF-8.
    ///
    /// Engines keep the bytes until they store the state, where every byte that is not UTF-8 becomes U+FFFD. The next
    /// read returns the original bytes, so every plan changes whatever refers to the attribute, and applying the plan
    /// does not help. Convert what an API returns in another encoding, and encode bytes that are no text as Base64.
    "wire/text-is-utf-8", Must,
    covers: ["WIRE-009"],
    shows: Shows::CHANGE,
    fix: "convert {attributes} to UTF-8, or to Base64 if it is no text",
    cites: "object wire format", "Strings": "UTF-8, in normal form C";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/writes-latin-1",
        about: "writes an accented letter in Latin-1, as one byte",
        injection: Injection::Answer(write_latin_1),
    };
    control: Fault {
        name: "wire/writes-accents-in-utf-8",
        about: "writes an accented letter in UTF-8, as two bytes",
        injection: Injection::Answer(write_utf_8),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| found.issue.kind == IssueKind::InvalidUtf8);
}

fn write_latin_1(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    end_with(exchange, context, char::REPLACEMENT_CHARACTER, &[0xe9])
}

fn write_utf_8(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    end_with(exchange, context, 'é', "é".as_bytes())
}

/// Writes bytes at the end of a text that the provider computes; `read_as` is what an engine makes of them.
fn end_with(exchange: &mut Exchange, context: &FaultContext<'_>, read_as: char, bytes: &[u8]) -> bool {
    let before = match &exchange.call {
        AnyCall::ApplyResourceChange(call) => call.request.planned_state.value(),
        AnyCall::ReadResource(call) => call.request.current_state.value(),
        _ => None,
    };
    let Some(before) = before.filter(|before| before.is_set()).cloned() else { return false };
    edit::member_bytes(exchange, context, |member| {
        let attribute = member.attribute.filter(|attribute| attribute.computed && attribute.name != "id")?;
        let text = member.value.as_str().filter(|_| *member.ty == Type::String && !attribute.sensitive)?;
        // A text that was there already stays as it is.
        let start = match before.member(&attribute.name).as_str() {
            Some(before) => before.strip_suffix(read_as)?.to_owned(),
            None => text.to_owned(),
        };
        let mut written = edit::text(&(start + &"?".repeat(bytes.len())));
        let end = written.len() - bytes.len();
        written.splice(end.., bytes.iter().copied());
        Some(written)
    })
}
