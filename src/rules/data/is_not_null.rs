use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, DataRead, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::{AnyCall, Diagnostic, Encoded, Exchange};

declare_rule! {
    /// A data source returns an object or an error.
    ///
    /// A data source always has a result: if nothing is found, return an error, or an object
    /// that shows it, such as one with an empty list. Users see that the provider produced a
    /// null object.
    "data/is-not-null", Must,
    covers: ["DATA-002"],
    title: Some("Provider produced null object"),
    fix: "return an error where nothing is found, or an object that shows it",
    framework: "add an error to `resp.Diagnostics` where nothing is found",
    sdkv2: "return an error where nothing is found, rather than `d.SetId(\"\")`",
    cites: "terraform-plugin-go documentation", "ReadDataSourceResponse":
        "the current state of the data source";
    check: Check::DataRead(check);
    fault: Fault {
        name: "data/finds-nothing",
        about: "returns null from a data source",
        injection: Injection::Answer(lose),
    };
    control: Fault {
        name: "data/reports-nothing-found",
        about: "returns null from a data source, and an error",
        injection: Injection::Answer(fail),
    };
}

fn check(context: &Context<'_>, read: &DataRead<'_>, findings: &mut Findings) {
    if read.response.deferred.is_some() {
        return findings.not_applicable("the read was deferred");
    }
    findings.adopt_places(context.data_read_check(read, CheckKind::Presence), RULE.covers);
}

fn lose(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let (AnyCall::ReadDataSource(call), Some(schema)) = (&mut exchange.call, context.schema) else {
        return false;
    };
    let Ok(response) = &mut call.outcome else { return false };
    response.state = Encoded::of(schema.null(), schema.implied_type());
    true
}

fn fail(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    lose(exchange, context)
        && edit::say(exchange, Diagnostic::error("Nothing found", "No object has these properties."))
}
