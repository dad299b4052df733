use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Crash, Fault, FaultContext, Findings, Injection, Shows, Speaker, edit,
};
use crate::transcript::Exchange;
use crate::value::msgpack::IssueKind;
use crate::value::{Bound, Number, Refinements, Type, Value, msgpack};

declare_rule! {
    /// The refinements of an unknown fit its type, agree with each other, and fit in 1024 bytes.
    ///
    /// Only strings have a prefix, only numbers have bounds, only collections have bounds of
    /// length; anything else is an error, as is a longer payload. Bounds that exclude every value
    /// make an engine panic while it decodes the plan. Refine only what is certain, and keep
    /// prefixes short.
    "wire/refinements-are-sound", Must,
    covers: ["WIRE-013"],
    shows: Shows::words_of(Speaker::Decoder).or_crash(&[Crash {
        engine: "terraform 1.11.4",
        words: "number lower bound … is greater than upper bound …",
    }]),
    fix: "refine {attributes} only by what fits its type and is certain",
    cites: "object wire format", "Refined Unknown Values": "refinements that the type can have";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/contradicts-itself",
        about: "plans an unknown number that is at least 10 and at most 1",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/bounds-an-unknown",
        about: "plans an unknown number between wide bounds",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| {
        matches!(found.issue.kind, IssueKind::ContradictoryRefinement)
            || found.fatal
                && matches!(found.issue.kind, IssueKind::RefinementTooLong(_) | IssueKind::BadRefinement(_))
    });
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| bounded(member, 10, 1))
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| bounded(member, i64::MIN, i64::MAX))
}

fn bounded(member: &edit::MemberScene<'_>, lower: i64, upper: i64) -> Option<Vec<u8>> {
    let free = member.attribute.is_some_and(|attribute| attribute.computed);
    let unknown = member.planned && free && member.value.is_unknown() && *member.ty == Type::Number;
    let bound = |value| Some(Bound { value: Number::from_i64(value), inclusive: true });
    let refinements = Refinements { lower: bound(lower), upper: bound(upper), ..Refinements::default() };
    unknown.then(|| msgpack::encode(&Value::refined(Type::Number, refinements), member.ty))
}
