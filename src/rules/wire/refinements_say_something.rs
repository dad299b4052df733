use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;
use crate::value::msgpack::IssueKind;
use crate::value::{Refinements, Type};

declare_rule! {
    /// A refined unknown has at least one refinement, and only those that the format defines.
    ///
    /// Without any it is a plain unknown, which has a shorter form. An engine skips the number of a
    /// refinement it does not know but not its value, and misreads what follows. On a dynamic value
    /// all refinements are dropped. Send plain unknowns as `d4 00 00`.
    "wire/refinements-say-something", Should,
    covers: ["WIRE-013"],
    title: None,
    fix: "send a plain unknown, `d4 00 00`, where there is nothing to promise",
    cites: "object wire format", "Refined Unknown Values": "one or more refinements";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/refines-nothing",
        about: "plans a refined unknown without a refinement",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/refines-at-length",
        about: "plans a refined unknown with a longer header than needed",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| {
        matches!(found.issue.kind, IssueKind::EmptyRefinement | IssueKind::UnknownRefinement(_))
            || !found.fatal && matches!(found.issue.kind, IssueKind::BadRefinement(_))
    });
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| is_computed(member).then(|| vec![0xd4, 0x0c, 0x80]))
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::member_bytes(exchange, context, |member| {
        let only_not_null = member.value.refinements() == Some(&Refinements::not_null());
        let long = vec![0xc8, 0x00, 0x03, 0x0c, 0x81, 0x01, 0xc2];
        (is_computed(member) && only_not_null).then_some(long)
    })
}

/// Whether the provider may plan the member as unknown, and did.
fn is_computed(member: &edit::MemberScene<'_>) -> bool {
    member.planned
        && member.value.is_unknown()
        && member.attribute.is_some_and(|attribute| attribute.computed && *member.ty != Type::Dynamic)
}
