use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Finding, Findings, Injection, Planned, edit};
use crate::transcript::{AnyCall, Exchange, PlanResourceChangeResponse, Purpose};
use crate::value::{AttributePath, Type, Value};

declare_rule! {
    /// Equal plan requests get equal plans.
    ///
    /// An engine plans the same change more than once, in different processes, and
    /// compares the results. What cannot be predicted must be planned as unknown: a plan
    /// must not use a clock, a random number or a counter. Since 1.16, Terraform hands the planned private
    /// data on to the final plan: what a provider keeps there may be planned differently the next time.
    "plan/repeats-itself", Must, presumes: Applied,
    covers: ["PLAN-045"],
    title: None,
    fix: "plan {attributes} as unknown, not from a clock, a counter or chance",
    framework: "leave unknown in the plan what comes from the clock, a counter or chance; set it in Create",
    sdkv2: "in CustomizeDiff, call SetNewComputed for it, and set it in Create",
    cites: "resource instance change lifecycle", "PlanResourceChange":
        "its final result will be determined during ApplyResourceChange";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/counts-calls",
        about: "plans a different number for a computed attribute each time",
        injection: Injection::Answer(count),
    };
    control: Fault {
        name: "plan/forgets-to-count",
        about: "plans the same number for a computed attribute each time",
        injection: Injection::Answer(constant),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    let Purpose::Repeat { of } = context.purpose() else {
        return findings.not_applicable("not asked before");
    };
    let Some(AnyCall::PlanResourceChange(first)) = context.earlier(*of).map(|exchange| &exchange.call) else {
        return findings.not_applicable("not asked before");
    };
    let Ok(first) = &first.outcome else { return findings.inconclusive("the first plan has no answer") };
    let may_rely = plan.request.capabilities.is_some_and(|told| told.store_planned_private);
    if may_rely && first.planned_private != plan.response.planned_private {
        return findings
            .not_applicable("what differs may be kept in the planned private data, for the final plan");
    }
    let Some(before) = first.planned_state.value() else {
        return findings.inconclusive("the first plan does not decode");
    };
    for (path, before, now) in context.differences(before, plan.planned) {
        findings.add(
            Finding::new(path, "the same request was planned differently the second time")
                .allow("first plan", &before)
                .actual("second plan", &now)
                .guarded(&plan.schema.block),
        );
    }
    let identity = |response: &PlanResourceChangeResponse| {
        response.planned_identity.as_ref().and_then(|identity| identity.value().cloned())
    };
    if let (Some(before), Some(now)) = (identity(first), identity(plan.response)) {
        // An identity attribute is volatile where the state's attribute of the same name is.
        for (_, before, now) in context.differences(&before, &now) {
            let message = "the same request was planned with a different identity the second time";
            findings.add(
                Finding::new(AttributePath::root(), message)
                    .allow("first planned identity", &before)
                    .actual("second planned identity", &now),
            );
        }
    }
    let sorted = |response: &PlanResourceChangeResponse| {
        let named = response.requires_replace.iter().map(|path| path.to_path());
        let mut paths: Vec<String> =
            named.filter(|path| !context.is_volatile(path)).map(|path| path.to_string()).collect();
        paths.sort();
        paths.dedup();
        paths
    };
    if sorted(first) != sorted(plan.response) {
        let message = format!(
            "the same request requires replacement for {:?} the first time and for {:?} the second",
            sorted(first),
            sorted(plan.response)
        );
        findings.report(AttributePath::root(), message);
    }
}

fn stamp(exchange: &mut Exchange, context: &FaultContext<'_>, number: i64) -> bool {
    edit::planned_state(exchange, context, |plan, planned| {
        let attribute = edit::first_attribute(plan.schema, planned, |attribute, value| {
            attribute.computed && !attribute.optional && value.is_unknown() && *value.ty() == Type::Number
        })?;
        Some(planned.with_attribute(&attribute.name, Value::number(number)))
    })
}

fn count(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let number = context.memory.count("plan/counts-calls") as i64;
    stamp(exchange, context, number)
}

fn constant(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    stamp(exchange, context, 7)
}
