use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::transcript::Exchange;

declare_rule! {
    /// The result of an apply is wholly known.
    ///
    /// Each unknown of the plan must have become a value, or null, by the time the apply
    /// returns, even if it fails: what is returned with an error is stored too. Users see
    /// that the provider still indicated an unknown value. In the plugin framework, set every
    /// computed attribute in Create and in Update, including those inside nested objects;
    /// where the remote system returns nothing, set null.
    "apply/is-wholly-known", Must,
    covers: ["APPLY-007"],
    title: Some("Provider returned invalid result object after apply"),
    fix: "set {attributes} in Create and Update, to null where the remote system has no value",
    framework: "set every computed attribute before `resp.State.Set`, to null where there is no value",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "No unknown values are permitted in the New State";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/leaves-unknowns",
        about: "returns a computed attribute as unknown from an apply",
        injection: Injection::Answer(leave),
    };
    control: Fault {
        name: "apply/plans-unknowns",
        about: "plans an optional and computed attribute as unknown, which is where unknowns belong",
        injection: Injection::Answer(edit::unsettle_while_undecided),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    findings.adopt_places(context.apply_check(applied, CheckKind::WhollyKnown), RULE.covers);
}

fn leave(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, |apply, new| edit::unsettle(&apply.schema.block, new))
}
