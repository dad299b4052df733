use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Enforced, Fault, FaultContext, Finding, Findings, Injection, Shows, Since,
};
use crate::transcript::{AnyCall, Encoded, Exchange};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// An object that is imported by its identity comes with an identity.
    ///
    /// An engine stops at an object without one. Return the identity by which the object was found, with the parts that
    /// users may leave out.
    "import/returns-the-identity", Must, behaviours: ["import/by-identity"],
    covers: ["IMPORT-007"],
    shows: Shows::title_of("import of …"),
    enforced: Enforced::by_terraform(Since::Release(12)),
    fix: "return the identity with the object that is imported by it",
    framework: "set `resp.Identity` in ImportState, for example by `resource.ImportStatePassthroughWithIdentity`",
    sdkv2: "set the identity in the importer, for example by `schema.ImportStatePassthroughWithIdentity`",
    cites: "plugin protocol", "ImportResourceState.ImportedResource": "identity";
    check: Check::Asked(check);
    fault: Fault {
        name: "import/leaves-out-the-identity",
        about: "imports an object by its identity, and returns it without one",
        injection: Injection::Answer(leave_out),
    };
    control: Fault {
        name: "import/leaves-out-the-identity-by-id",
        about: "imports an object by its ID, and returns it without an identity",
        injection: Injection::Answer(leave_out_by_id),
    };
}

fn check(_: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some((request, response)) = super::answered(asked, findings) else { return };
    if request.identity.is_none() {
        return findings.not_applicable("the object is imported by its ID");
    }
    if asked.diagnostics.iter().any(|diagnostic| diagnostic.is_error()) || response.deferred.is_some() {
        return findings.not_applicable("the import was refused or deferred");
    }
    let is_missing =
        |identity: &Option<Encoded>| identity.as_ref().and_then(Encoded::value).is_none_or(Value::is_null);
    if response.imported_resources.first().is_some_and(|imported| is_missing(&imported.identity)) {
        findings.add(Finding::new(AttributePath::root(), "the imported object has no identity"));
    }
}

fn leave_out_of(exchange: &mut Exchange, is_by_identity: bool) -> bool {
    let AnyCall::ImportResourceState(call) = &mut exchange.call else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    call.request.identity.is_some() == is_by_identity
        && response.imported_resources.first_mut().is_some_and(|imported| imported.identity.take().is_some())
}

fn leave_out(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    leave_out_of(exchange, true)
}

fn leave_out_by_id(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    leave_out_of(exchange, false)
}
