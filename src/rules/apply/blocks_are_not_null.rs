use crate::declare_rule;
use crate::rule::{
    Applied, Check, Context, Crash, Fault, FaultContext, Findings, Injection, Level, Shows, edit,
};
use crate::schema::{NestedBlock, Nesting};
use crate::transcript::Exchange;
use crate::value::Type;

declare_rule! {
    /// An apply returns an empty collection, not null, where there are no nested blocks.
    ///
    /// A null in place of a map of blocks with a dynamic attribute in them makes Terraform crash
    /// at once, in the middle of the apply, whatever the legacy flag says. Any other null is
    /// stored silently, which is only a `should`, and it returns when the next change is
    /// planned. Only a single nested block may be null; a list, set or map is empty where there
    /// are none, and a group is an object of nulls.
    "apply/blocks-are-not-null", Must, legacy: Excused,
    covers: ["APPLY-022"],
    shows: Shows::crash(&[Crash { engine: "terraform 1.11.4", words: "AttributeTypes on non-object Type" }]),
    fix: "return an empty collection in place of null for {attributes}",
    framework: "return an empty list or set of blocks, not `types.ListNull` or `types.SetNull`",
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
    findings.adopt_null_blocks(&applied.schema.block, applied.planned, applied.new, |nested, finding| {
        match !applied.failed && is_compared_as_object(nested) {
            true => finding.at_level(Level::Must),
            false => finding.at_most(Level::Should).showing(Shows::NOTHING),
        }
    });
}

/// Engines take such a map for an object, and compare its type before they look for a null.
fn is_compared_as_object(nested: &NestedBlock) -> bool {
    nested.nesting == Nesting::Map && nested.implied_type() == Type::Dynamic
}

fn nullify(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, |apply, new| edit::nullify_empty_blocks(&apply.schema.block, new))
}
