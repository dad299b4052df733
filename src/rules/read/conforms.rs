use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Crash, Fault, FaultContext, Findings, Injection, Read, Shows, edit};
use crate::transcript::Exchange;

/// The next plan meets the string: in OpenTofu always; in Terraform 1.11.4, 1.15.9 and 1.16.0-rc2 where a list of blocks
/// is configured or changes are ignored, in the latter case with OpenTofu's words.
const CRASHES: &[Crash] = &[
    Crash { engine: "terraform 1.16.0-rc2", words: "not a list, map, or tuple type" },
    Crash { engine: "tofu 1.12.6", words: "value is not a collection" },
];

declare_rule! {
    /// The result of a read has nested blocks where the schema has nested blocks.
    ///
    /// Most answers of the wrong type do not even decode. Nested blocks with dynamic members
    /// are sent as a dynamic value, which can hold anything; it must be a tuple of the
    /// blocks' objects, or an object of them for a map of blocks. Engines crash when they plan with
    /// another shape; Terraform takes it for drift where no such block is configured. Encode such
    /// blocks through your SDK's object types rather than by hand.
    "read/conforms", Must,
    covers: ["READ-001"],
    shows: Shows::CHANGE.or_crash(CRASHES),
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
