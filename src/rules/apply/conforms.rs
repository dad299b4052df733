use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Crash, Fault, FaultContext, Findings, Injection, Shows, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// The result of an apply has nested blocks where the schema has nested blocks.
    ///
    /// Most answers of the wrong type do not even decode. Nested blocks with dynamic members
    /// are sent as a dynamic value, which can hold anything; it must be a tuple of the
    /// blocks' objects, or an object of them for a map of blocks. Encode such blocks through
    /// your SDK's object types rather than by hand.
    "apply/conforms", Must,
    covers: ["APPLY-005"],
    shows: Shows::title_of("Provider produced invalid object").or_crash(&[Crash {
        engine: "terraform 1.11.4",
        words: "value is not a collection",
    }]),
    fix: "encode {attributes} through your SDK's object types, not by hand",
    cites: "resource instance change lifecycle", "Terraform Resource Instance Change Lifecycle":
        "produce objects that conform to the schema of the selected resource type";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/misshapes-blocks",
        about: "returns a string in place of blocks with dynamic members from an update",
        injection: Injection::Answer(misshape),
    };
    control: Fault {
        name: "apply/keeps-blocks-in-shape",
        about: "returns each block as an object",
        injection: Injection::Nothing("nothing else may take the place of nested blocks"),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    findings.adopt_places(context.apply_check(applied, CheckKind::Conforms), RULE.covers);
}

fn misshape(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, |apply, new| {
        apply.prior.is_set().then(|| edit::misshape(&apply.schema.block, new))?
    })
}
