use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, Shows, Speaker, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// An object on the wire has every attribute and nested block type of its schema, each once.
    ///
    /// What is absent is written as nil, not left out, and nothing is added; any order will do. A
    /// user sees "an object with N attributes is required", or "unsupported attribute". Build
    /// objects from the schema rather than from what an API happens to return.
    "wire/objects-are-complete", Must,
    covers: ["WIRE-004"],
    shows: Shows::words_of(Speaker::Decoder),
    fix: "build {attributes} from the schema, with nil for what is absent",
    cites: "object wire format", "Schema Object Encoding": "exactly the attributes that the type has";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/leaves-out-what-is-null",
        about: "leaves out an attribute that is null",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/reorders-attributes",
        about: "writes the attributes in another order",
        injection: Injection::Answer(spare),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    context.report_encoding_issues(asked, findings, |found| found.issue.kind.entry() == "WIRE-004");
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::object_members(exchange, context, |members| {
        let nil = members.iter().position(|(_, bytes)| *bytes == [0xc0]);
        nil.map(|nil| members.remove(nil)).is_some()
    })
}

fn spare(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::object_members(exchange, context, |members| {
        members.reverse();
        members.len() > 1
    })
}
