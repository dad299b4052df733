use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, DataRead, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// The result of a data source is wholly known.
    ///
    /// A data source is read once everything it needs is known, so there is nothing left to
    /// wait for; what the remote system does not return is null. Set every computed attribute,
    /// also inside nested objects: a model that was never filled in may hold unknowns.
    "data/is-wholly-known", Must,
    covers: ["DATA-003"],
    title: Some("Provider produced invalid object"),
    fix: "set {attributes} in the read, to null where the remote system has no value",
    framework: "set every attribute before `resp.State.Set`, to null where there is no value",
    cites: "terraform-plugin-go documentation", "ReadDataSourceResponse":
        "the current state of the data source";
    check: Check::DataRead(check);
    fault: Fault {
        name: "data/leaves-unknowns",
        about: "returns a computed attribute as unknown from a data source",
        injection: Injection::Answer(leave),
    };
    control: Fault {
        name: "data/warns",
        about: "warns about what a data source returns",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, read: &DataRead<'_>, findings: &mut Findings) {
    if read.response.deferred.is_some() {
        return findings.not_applicable("the read was deferred");
    }
    findings.adopt_places(context.data_read_check(read, CheckKind::WhollyKnown), RULE.covers);
}

fn leave(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::data_state(exchange, context, |schema, _, state| edit::unsettle(&schema.block, state))
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    exchange.call.rpc_name() == "ReadDataSource" && edit::say(exchange, edit::warning())
}
