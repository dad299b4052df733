use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, edit};
use crate::transcript::{AnyCall, Exchange};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// An import without an error returns exactly one object.
    ///
    /// The engine binds the object to the one address in the `import` block: without an object
    /// there is nothing to bind, and several do not fit. Report an error if nothing has the ID.
    /// Return at least what Read needs to find the object; the rest may be null.
    "import/returns-one-object", Must, behaviours: ["import/by-id", "import/by-identity"],
    covers: ["IMPORT-001", "IMPORT-005"],
    shows: Shows::title_of("Import returned …"),
    fix: "return the one object that the ID names, or an error that says that there is none",
    framework: "set the ID in `resp.State`, for example by `resource.ImportStatePassthroughID`",
    sdkv2: "return a slice with one `*schema.ResourceData` whose ID is set",
    cites: "resource instance change lifecycle", "ImportResourceState":
        "retrieve enough data about it to produce the Import Stub State";
    check: Check::Asked(check);
    fault: Fault {
        name: "import/returns-nothing",
        about: "imports without an error, and returns no object",
        injection: Injection::Answer(return_nothing),
    };
    control: Fault {
        name: "import/warns",
        about: "warns about an object that it imports",
        injection: Injection::Answer(warn),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some((request, response)) = super::answered(asked, findings) else { return };
    if asked.diagnostics.iter().any(|diagnostic| diagnostic.is_error()) {
        return findings.not_applicable("the provider refused the import");
    }
    if response.deferred.is_some() {
        return findings.not_applicable("the import was deferred");
    }
    let root = AttributePath::root();
    match &response.imported_resources[..] {
        [] => findings.add(Finding::new(root, "the import returns no object, and no error")),
        // By identity the read after it may complete what is null here.
        [one] if request.identity.is_none() && one.state.value().is_some_and(Value::is_null) => {
            findings.add(Finding::new(root, "the imported object is null"));
        }
        [_] => {}
        several => {
            let message = format!("the import returns {} objects", several.len());
            findings.add(Finding::new(root, message).caused_by("the import returns several objects"));
        }
    }
}

fn return_nothing(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    let AnyCall::ImportResourceState(call) = &mut exchange.call else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    !std::mem::take(&mut response.imported_resources).is_empty()
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    exchange.call.rpc_name() == "ImportResourceState" && edit::say(exchange, edit::warning())
}
