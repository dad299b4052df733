use crate::core::assert_write_only_null;
use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Enforced, Fault, FaultContext, Findings, Injection, Shows, Since, edit,
};
use crate::schema::Kind;
use crate::transcript::{AnyCall, Encoded, Exchange};

declare_rule! {
    /// An imported object holds no write-only values.
    ///
    /// A write-only attribute is null in every state, also in the one that an import begins with, whatever
    /// the remote system returns.
    "import/write-only-is-null", Must, behaviours: ["import/by-id", "import/by-identity"],
    covers: ["IMPORT-006"],
    shows: Shows::title_of("Import returned a non-null value for a write-only attribute"),
    enforced: Enforced::by_terraform(Since::Always),
    fix: "leave {attributes} null in the imported state, whatever the remote system returns",
    framework: "never set it in `resp.State`",
    sdkv2: "never call `d.Set` for it",
    cites: "tfplugin6 protocol definition", "Schema.Attribute":
        "must be omitted from state";
    check: Check::Asked(check);
    fault: Fault {
        name: "import/leaks-write-only",
        about: "imports an object with a value for a write-only attribute",
        injection: Injection::Answer(leak),
    };
    control: Fault {
        name: "import/echoes-secrets",
        about: "imports sensitive values, as it may",
        injection: Injection::Nothing("null is the only value for a write-only attribute"),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some((request, response)) = super::answered(asked, findings) else { return };
    let Some(schema) = context.subject().schema.get(Kind::Resource, &request.type_name) else {
        return findings.not_applicable("the provider does not declare the type");
    };
    for state in response.imported_resources.iter().filter_map(|imported| imported.state.value()) {
        let problems = assert_write_only_null(&schema.block, state);
        findings.adopt(&schema.block, &problems, &["WO-001"]);
    }
}

fn leak(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let (AnyCall::ImportResourceState(call), Some(schema)) = (&mut exchange.call, context.schema) else {
        return false;
    };
    let Ok(response) = &mut call.outcome else { return false };
    let leaked = response.imported_resources.first_mut().and_then(|imported| {
        let leaked = edit::leak(&schema.block, imported.state.value()?)?;
        imported.state = Encoded::of(leaked, schema.implied_type());
        Some(())
    });
    leaked.is_some()
}
