use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Crash, Fault, FaultContext, Findings, Injection, Shows, edit};
use crate::transcript::Exchange;
use crate::value::msgpack::IssueKind;
use crate::value::{Number, NumberError, Type, Value};

declare_rule! {
    /// A number on the wire is an integer, a finite float, or a decimal string.
    ///
    /// NaN makes an engine panic while it decodes the response, a string that is not a number is an
    /// error, and an infinity decodes but can never be written to state. Check the result of a
    /// division, and of parsing an API response, before it becomes a value; return null or an error
    /// where there is no number.
    "wire/numbers-are-finite", Must,
    covers: ["WIRE-008"],
    shows: Shows::crash(&[Crash {
        engine: "terraform 1.11.4",
        words: "Float.SetFloat64(NaN)",
    }]),
    fix: "return null or an error in place of NaN, infinity and text in {attributes}",
    cites: "object wire format", "Numbers": "an integer, a float, or a decimal string";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/writes-nan",
        about: "writes a number attribute as NaN",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/writes-numbers-as-text",
        about: "writes a number attribute as a decimal string",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| match found.issue.kind {
        IssueKind::NotANumber | IssueKind::BadNumber(NumberError::Syntax | NumberError::NotANumber) => true,
        IssueKind::Infinity => found.encoded.value().is_some_and(has_infinity),
        _ => false,
    });
}

/// An infinite bound of an unknown limits nothing, and is not a number in the value.
fn has_infinity(value: &Value) -> bool {
    let mut found = false;
    value.walk(&mut |_, inner| {
        found |= inner.as_number().is_some_and(Number::is_infinite);
        !found
    });
    found
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let nan = [&[0xcb][..], &f64::NAN.to_be_bytes()].concat();
        member.value.as_number().filter(|_| *member.ty == Type::Number).map(|_| nan)
    })
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        member
            .value
            .as_number()
            .filter(|_| *member.ty == Type::Number)
            .map(|number| edit::text(&number.to_string()))
    })
}
