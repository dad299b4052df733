use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned, edit};
use crate::transcript::Exchange;
use crate::value::{Type, Value};

declare_rule! {
    /// A plan leaves null what the user left out and the provider may not fill.
    ///
    /// An attribute that is not computed and that the configuration leaves null must be planned
    /// null: not a default, not an empty collection, not unknown. This holds whatever the prior
    /// state has: plan null for an argument that was removed from the configuration. To offer a
    /// default, mark the attribute both optional and computed; the plugin framework demands that
    /// for every Default, SDKv2 hides the problem behind the legacy flag.
    "plan/stays-null", Must, legacy: Excused,
    covers: ["PLAN-013"],
    title: Some("Provider produced invalid plan"),
    fix: "plan null for {attributes} where unset, or declare optional and computed",
    framework: "declare an attribute that has a Default or is set by a plan modifier as Optional and Computed",
    sdkv2: "declare it as Optional and Computed",
    cites: "resource instance change lifecycle", "PlanResourceChange":
        "marked as computed in the schema and is null in the configuration";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/fills-what-is-not-computed",
        about: "plans a value for an optional attribute that the configuration leaves null",
        injection: Injection::Answer(fill_not_computed),
    };
    control: Fault {
        name: "plan/fills-what-is-computed",
        about: "plans a value for an optional and computed attribute that the configuration leaves null",
        injection: Injection::Answer(fill_computed),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    findings.adopt(&plan.schema.block, context.plan_problems(plan), RULE.covers);
}

fn fill(exchange: &mut Exchange, context: &mut FaultContext<'_>, computed: bool) -> bool {
    edit::planned_change(exchange, context, |plan, planned| {
        Some(edit::each_attribute(&plan.schema.block, planned, |attribute, value| {
            // What is computed may have a value already, which stays.
            let is_left_out = attribute.optional
                && attribute.computed == computed
                && !(computed && value.is_set())
                && !attribute.write_only
                && attribute.ty() == Type::String
                && plan.config.member(&attribute.name).is_null();
            is_left_out.then(|| Value::string("filled"))
        }))
    })
}

fn fill_not_computed(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    fill(exchange, context, false)
}

fn fill_computed(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    fill(exchange, context, true)
}
