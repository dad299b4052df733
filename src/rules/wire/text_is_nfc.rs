use unicode_normalization::UnicodeNormalization;

use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;
use crate::value::Type;
use crate::value::msgpack::IssueKind;

declare_rule! {
    /// Text on the wire is in Unicode normal form C.
    ///
    /// Engines convert every string to that form, in which an accented letter is one character where
    /// possible. What a provider sent in another form comes back changed, and a provider that
    /// compares bytes sees a difference where there is none. Normalise what an API returns, and
    /// compare after normalising.
    "wire/text-is-nfc", Should,
    covers: ["WIRE-009"],
    title: None,
    fix: "convert {attributes} to Unicode normal form C before comparing and returning",
    cites: "object wire format", "Strings": "UTF-8, in normal form C";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/takes-letters-apart",
        about: "writes an accented letter as a letter and an accent",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/keeps-letters-together",
        about: "writes an accented letter as one character",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| found.issue.kind == IssueKind::NotNfc);
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let text = accented(member)?;
        Some(edit::text(&text.nfd().collect::<String>()))
    })
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let text = accented(member)?;
        Some(edit::text(&text.nfc().collect::<String>()))
    })
}

/// A string that changes when its accents are written apart.
fn accented<'a>(member: &edit::MemberScene<'a>) -> Option<&'a str> {
    let text = member.value.as_str().filter(|_| *member.ty == Type::String)?;
    text.nfd().ne(text.chars()).then_some(text)
}
