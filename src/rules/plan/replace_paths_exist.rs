use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned};
use crate::transcript::{AnyCall, Exchange, WirePath};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// Each path that requires replacement exists in the prior or the planned state.
    ///
    /// A path that neither of them has is an error in every engine, whatever the legacy flag.
    /// Usual causes are a misspelt name, an index beyond the end of a list, or a path into a
    /// set element, which no path on the wire can address: return the path of the set instead.
    "plan/replace-paths-exist", Must,
    covers: ["PLAN-040"],
    title: Some("Provider produced invalid plan"),
    fix: "name an existing place in the paths that require replacement; stop at a set",
    framework: "append the path of the set itself to `resp.RequiresReplace`, not that of an element",
    cites: "terraform-plugin-go documentation", "PlanResourceChangeResponse":
        "should point to the specific field that changed";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/replaces-for-nothing-there",
        about: "requires replacement for an attribute that does not exist",
        injection: Injection::Answer(name_nothing),
    };
    control: Fault {
        name: "plan/replaces-for-what-stays",
        about: "requires replacement for an attribute that does not change",
        injection: Injection::Answer(name_unchanged),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.plan_check(plan, CheckKind::ReplacePaths), RULE.covers);
}

/// Adds a path to the answer to an update that changes something; `choose` sees the prior and planned state.
fn require(exchange: &mut Exchange, choose: fn(&Value, &Value) -> Option<String>) -> bool {
    let AnyCall::PlanResourceChange(call) = &mut exchange.call else { return false };
    let Some(prior) = call.request.prior_state.value() else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(planned) = response.planned_state.value() else { return false };
    if !prior.is_set() || !planned.is_set() || prior == planned {
        return false;
    }
    let Some(name) = choose(prior, planned) else { return false };
    response.requires_replace.push(WirePath::of(&AttributePath::root().attribute(&name)));
    true
}

fn name_nothing(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    require(exchange, |_, _| Some("no_such_attribute".to_owned()))
}

fn name_unchanged(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    require(exchange, |prior, planned| {
        let mut same = prior.attributes().filter(|(name, was)| {
            was.is_set() && planned.attribute(name).is_some_and(|is| is.equals(was).is_true())
        });
        same.next().map(|(name, _)| name.to_owned())
    })
}
