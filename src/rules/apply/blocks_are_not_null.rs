use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// An apply returns an empty collection, not null, where there are no nested blocks.
    ///
    /// Engines store the null silently, and it returns when they plan the next change,
    /// where it is an error or worse. Only a single nested block may be null; a list, set
    /// or map is empty where there are none, and a group is an object of nulls.
    "apply/blocks-are-not-null", Should, legacy: Excused,
    covers: ["APPLY-022"],
    title: None,
    cites: "resource instance change lifecycle", "Handling of Nested Blocks in Configuration":
        "the number of blocks cannot be changed on the fly during planning or during apply";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/nullifies-empty-blocks",
        about: "returns an empty collection of nested blocks as null from an apply",
        injection: Injection::Answer(nullify),
    };
    control: Fault {
        name: "apply/leaves-empty-blocks",
        about: "returns an empty collection of nested blocks as empty",
        injection: Injection::Nothing("null never means no blocks"),
    };
}

fn check(_: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    findings.adopt_null_blocks(&applied.schema.block, applied.planned, applied.new);
}

fn nullify(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, |apply, new| edit::nullify_empty_blocks(&apply.schema.block, new))
}
