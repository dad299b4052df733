use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, edit};
use crate::transcript::{AnyCall, Exchange};
use crate::value::AttributePath;

declare_rule! {
    /// An imported object comes with the name of its type.
    ///
    /// An engine stops at an object without one. SDKs set it to the type that was asked for.
    "import/sets-the-type", Must, behaviours: ["import/by-id", "import/by-identity"],
    covers: ["IMPORT-002"],
    shows: Shows::title_of("import of …"),
    fix: "set the type's name of the imported object to the one that was asked for",
    cites: "plugin protocol", "ImportResourceState.ImportedResource": "type_name";
    check: Check::Asked(check);
    fault: Fault {
        name: "import/leaves-out-the-type",
        about: "imports an object without the name of its type",
        injection: Injection::Answer(leave_out),
    };
    control: Fault {
        name: "import/warns-of-the-type",
        about: "warns about an object that it imports with the name of its type",
        injection: Injection::Answer(warn),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some((_, response)) = super::answered(asked, findings) else { return };
    // An engine says so of the first one.
    if response.imported_resources.first().is_some_and(|imported| imported.type_name.is_empty()) {
        findings.add(Finding::new(AttributePath::root(), "the imported object has no type"));
    }
}

fn leave_out(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    let AnyCall::ImportResourceState(call) = &mut exchange.call else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    response.imported_resources.first_mut().is_some_and(|imported| {
        imported.type_name.clear();
        true
    })
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    exchange.call.rpc_name() == "ImportResourceState" && edit::say(exchange, edit::warning())
}
