use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Read, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// The result of a read has nested blocks where the schema has nested blocks.
    ///
    /// Most answers of the wrong type do not even decode. Nested blocks with dynamic members
    /// are sent as a dynamic value, which can hold anything; it must be a tuple of the
    /// blocks' objects, or an object of them for a map of blocks. Encode such blocks through
    /// your SDK's object types rather than by hand.
    "read/conforms", Must,
    covers: ["READ-001"],
    title: Some("Provider produced invalid object"),
    fix: "encode {attributes} through your SDK's object types, not by hand",
    cites: "resource instance change lifecycle", "Terraform Resource Instance Change Lifecycle":
        "produce objects that conform to the schema of the selected resource type";
    check: Check::Read(check);
    fault: Fault {
        name: "read/misshapes-blocks",
        about: "reads a string in place of blocks with dynamic members",
        injection: Injection::Answer(misshape),
    };
    control: Fault {
        name: "read/keeps-blocks-in-shape",
        about: "reads each block as an object",
        injection: Injection::Nothing("nothing else may take the place of nested blocks"),
    };
}

fn check(context: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    findings.adopt_places(context.read_check(read, CheckKind::Conforms), RULE.covers);
}

fn misshape(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::read_state(exchange, context, |schema, _, new| edit::misshape(&schema.block, new))
}
