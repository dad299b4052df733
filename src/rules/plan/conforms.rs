use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Crash, Fault, FaultContext, Findings, Injection, Planned, Shows, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// A planned state has nested blocks where the schema has nested blocks.
    ///
    /// Most answers of the wrong type do not even decode. Nested blocks with dynamic members
    /// are sent as a dynamic value, which can hold anything; it must be a tuple of the blocks'
    /// objects, or an object of them for a map of blocks. Engines may show an error or crash
    /// on anything else. Encode such blocks through your SDK's object types rather than by
    /// hand.
    "plan/conforms", Must,
    covers: ["PLAN-002"],
    shows: Shows::title_of("Provider produced invalid plan").or_crash(&[Crash {
        engine: "terraform 1.11.4",
        words: "value is not a collection",
    }]),
    fix: "encode {attributes} through your SDK's object types, not by hand",
    cites: "resource instance change lifecycle", "Terraform Resource Instance Change Lifecycle":
        "produce objects that conform to the schema of the selected resource type";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/misshapes-blocks",
        about: "plans a string in place of blocks with dynamic members while something is unknown",
        injection: Injection::Answer(misshape),
    };
    control: Fault {
        name: "plan/forgets-promises",
        about: "plans an optional and computed attribute as unknown, without refinements, while something is unknown",
        injection: Injection::Answer(edit::unsettle_while_undecided),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt_places(context.plan_check(plan, CheckKind::Conforms), RULE.covers);
}

fn misshape(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        (!plan.config.is_wholly_known()).then(|| edit::misshape(&plan.schema.block, planned))?
    })
}
