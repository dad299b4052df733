use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, DataRead, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// The result of a data source has nested blocks where the schema has nested blocks.
    ///
    /// Most answers of the wrong type do not even decode. Nested blocks with dynamic members
    /// are sent as a dynamic value, which can hold anything; it must be a tuple of the
    /// blocks' objects, or an object of them for a map of blocks. Engines notice nothing and
    /// hand the value on, so that whatever refers to the blocks finds something else. Encode
    /// such blocks through your SDK's object types rather than by hand.
    "data/conforms", Should,
    covers: ["DATA-001"],
    title: None,
    fix: "encode {attributes} through your SDK's object types, not by hand",
    cites: "terraform-plugin-go documentation", "ReadDataSourceResponse":
        "with each attribute and nested block getting its own key and value";
    check: Check::DataRead(check);
    fault: Fault {
        name: "data/misshapes-blocks",
        about: "returns a string in place of blocks with dynamic members from a data source",
        injection: Injection::Answer(misshape),
    };
    control: Fault {
        name: "data/keeps-blocks-in-shape",
        about: "returns each block of a data source as an object",
        injection: Injection::Nothing("nothing else may take the place of nested blocks"),
    };
}

fn check(context: &Context<'_>, read: &DataRead<'_>, findings: &mut Findings) {
    if read.response.deferred.is_some() {
        return findings.not_applicable("the read was deferred");
    }
    findings.adopt_places(context.data_read_check(read, CheckKind::Conforms), RULE.covers);
}

fn misshape(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::data_state(exchange, context, |schema, _, state| edit::misshape(&schema.block, state))
}
