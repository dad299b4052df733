use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Finding, Findings, Injection, Planned, Shows, edit};
use crate::transcript::{Exchange, Purpose};
use crate::value::Value;

declare_rule! {
    /// A plan changes nothing where neither the configuration nor the object has changed.
    ///
    /// Directly after an apply, the same configuration must be planned as exactly the state
    /// the apply returned, without a path that requires replacement. Otherwise users see a
    /// change in every plan, forever. Computed attributes may turn unknown only when
    /// something else changes: use UseStateForUnknown in the plugin framework, and in SDKv2
    /// look for a value that Read stores in another form than the configuration. A write-only
    /// attribute may require replacement only when the provider knows that its value has
    /// changed.
    "plan/changes-nothing-needlessly", Must, presumes: Applied,
    covers: ["PLAN-046", "APPLY-031", "WO-004"],
    shows: Shows::CHANGE,
    fix: "plan the state's value of {attributes} unless the configuration changes",
    framework: "add UseStateForUnknown to computed attributes that an update does not change",
    sdkv2: "store in Read what the configuration has where it means the same, or use DiffSuppressFunc",
    cites: "resource instance change lifecycle", "ReadResource":
        "avoiding unwanted cascading changes";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/forgets-computed-values",
        about: "plans a computed attribute as unknown in each update",
        injection: Injection::Answer(forget),
    };
    control: Fault {
        name: "plan/forgets-computed-values-on-change",
        about: "plans a computed attribute as unknown in updates that change something",
        injection: Injection::Answer(forget_on_change),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    if !matches!(context.purpose(), Purpose::NothingChanged { .. }) {
        return findings.not_applicable("something may have changed");
    }
    if plan.response.deferred.is_some() {
        return findings.not_applicable("the plan was deferred");
    }
    let block = &plan.schema.block;
    for (path, prior, planned) in context.differences(plan.prior, plan.planned) {
        if !prior.equals(&planned).is_true() {
            findings.add(
                Finding::new(path, "nothing changed, but a change is planned")
                    .allow("prior state", &prior)
                    .actual("planned state", &planned)
                    .guarded(block),
            );
        }
    }
    for path in context.required_replaces(plan).kept {
        if !context.is_volatile(&path) {
            let message = "nothing changed, but replacement is required";
            let mut finding = Finding::new(path.clone(), message);
            if let (Some(prior), Some(planned)) = (plan.prior.at(&path), plan.planned.at(&path))
                && prior != planned
            {
                finding =
                    finding.allow("prior state", &prior).actual("planned state", &planned).guarded(block);
            }
            findings.add(finding);
        }
    }
}

/// Forgets the first computed attribute that the configuration does not set, of an object that exists.
fn unknown(plan: &edit::PlanScene<'_>, planned: &Value) -> Option<Value> {
    let attribute = edit::first_attribute(plan.schema, plan.prior, |attribute, prior| {
        attribute.computed && prior.is_set() && plan.config.member(&attribute.name).is_null()
    })?;
    Some(planned.with_attribute(&attribute.name, Value::unknown(attribute.ty())))
}

fn forget(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_state(exchange, context, unknown)
}

fn forget_on_change(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::planned_change(exchange, context, unknown)
}
