use crate::core::CheckKind;
use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Planned};
use crate::transcript::{AnyCall, Exchange, WirePath};
use crate::value::AttributePath;

declare_rule! {
    /// The plan made while applying leads to the action the user approved.
    ///
    /// When unknown values have become known the provider is asked to plan again. An update
    /// may then turn out to be no change, but not a replacement, nor the other way round.
    /// Users see an inconsistent final plan, in the middle of an apply. Whether a change
    /// requires replacement must not depend on a value that may still be unknown: until it is
    /// known, plan the replacement, or decide by something else that is known.
    "plan/final-plan-keeps-action", Must,
    covers: ["PLAN-060"],
    title: Some("Provider produced inconsistent final plan"),
    fix: "decide about replacement without {unknown}, or plan the replacement",
    framework: "in RequiresReplaceIf, look only at known values, and require replacement while one is unknown",
    sdkv2: "in CustomizeDiff, ask `d.NewValueKnown` before ForceNew depends on a value",
    cites: "resource instance change lifecycle", "PlanResourceChange":
        "compares the final with the initial planned state";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/replaces-once-all-is-known",
        about: "requires replacement for each change, but only when the configuration is known",
        injection: Injection::Answer(replace_once_known),
    };
    control: Fault {
        name: "plan/replaces-for-each-change",
        about: "requires replacement for each change, known or not",
        injection: Injection::Answer(replace_always),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    let Some(problems) = context.final_plan_check(plan, CheckKind::FinalAction) else {
        return findings.not_applicable("there is no initial plan to compare with");
    };
    findings.adopt(&plan.schema.block, problems, RULE.covers);
}

fn replace(exchange: &mut Exchange, context: &FaultContext<'_>, when_unknown: bool) -> bool {
    let (AnyCall::PlanResourceChange(call), Some(schema)) = (&mut exchange.call, context.schema) else {
        return false;
    };
    let (Some(prior), Some(config)) = (call.request.prior_state.value(), call.request.config.value()) else {
        return false;
    };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(planned) = response.planned_state.value() else { return false };
    if !prior.is_set() || !planned.is_set() || !(when_unknown || config.is_wholly_known()) {
        return false;
    }
    let changed = schema.block.attributes.iter().filter(|attribute| {
        let name = &attribute.name;
        !attribute.computed
            && !attribute.write_only
            && !prior.member(name).equals(&planned.member(name)).is_true()
    });
    let paths: Vec<WirePath> = changed
        .map(|attribute| WirePath::of(&AttributePath::root().attribute(&attribute.name)))
        .filter(|path| !response.requires_replace.contains(path))
        .collect();
    response.requires_replace.extend(paths.iter().cloned());
    !paths.is_empty()
}

fn replace_once_known(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    replace(exchange, context, false)
}

fn replace_always(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    replace(exchange, context, true)
}
