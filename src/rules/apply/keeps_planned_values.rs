use crate::core::Problem;
use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Fix, Injection, edit};
use crate::transcript::Exchange;
use crate::value::{Answer, Type, Value, includes};

declare_rule! {
    /// An apply returns each known planned value exactly as planned.
    ///
    /// Configured values come back as the user wrote them, whatever form the remote system
    /// gives them, and null stays null: not an empty string, not zero, not a default. Users
    /// see that a value "was …, but now …", and that it is a bug in the provider. Build the
    /// state from the plan, and take only what was unknown from the remote system's response.
    /// What an update changes as a side effect, such as a revision, must be planned as
    /// unknown.
    "apply/keeps-planned-values", Must, legacy: Excused,
    covers: ["APPLY-011", "APPLY-018", "APPLY-024"],
    title: Some("Provider produced inconsistent result after apply"),
    fix: "return {attributes} as planned, or plan what an apply changes as unknown",
    framework: "begin with `req.Plan.Get`, and overwrite only what is `IsUnknown()`",
    sdkv2: "store what the user wrote where it means the same, and use DiffSuppressFunc",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "must have an identical value in the new state";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/rewrites-planned-values",
        about: "stores and returns a configured string with something appended",
        injection: Injection::Call(before_rewriting, rewrite),
    };
    control: Fault {
        name: "apply/settles-unknown-values",
        about: "stores and returns a string of its choice for what was planned as unknown",
        injection: Injection::Call(before_settling, settle),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    let forgiven = context.forgiven_emptiness(applied);
    let problems = context.result_problems(applied).iter().filter(|problem| !forgiven.contains(problem));
    let problems: Vec<Problem> = problems.cloned().collect();
    findings.adopt_with(&applied.schema.block, &problems, RULE.covers, |problem| fix(applied, problem));
}

/// What the values tell about the reason.
fn fix(applied: &Applied<'_>, problem: &Problem) -> Option<Fix> {
    let at = |object: &Value| object.at(&problem.path);
    let (prior, planned, new) = (at(applied.prior), at(applied.planned)?, at(applied.new)?);
    let is_users = || {
        let attribute = applied.schema.block.attribute_at(&problem.path);
        attribute.is_some_and(|attribute| attribute.optional && !attribute.computed)
    };
    match () {
        () if applied.prior.is_set() && prior.as_ref() == Some(&new) => Some(Fix::NOT_UPDATED),
        () if planned.is_null() && is_users() => Some(Fix::NOT_COMPUTED),
        () => None,
    }
}

fn rewritten(apply: &edit::ApplyScene<'_>, object: &Value) -> Option<Value> {
    let attribute = edit::first_attribute(apply.schema, apply.planned, |attribute, planned| {
        attribute.optional && !attribute.computed && !attribute.write_only && planned.as_str().is_some()
    })?;
    let text = format!("{}-applied", apply.planned.attribute(&attribute.name)?.as_str()?);
    object.is_set().then(|| object.with_attribute(&attribute.name, Value::string(&text)))
}

fn before_rewriting(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, rewritten)
}

fn rewrite(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, rewritten)
}

fn settled(apply: &edit::ApplyScene<'_>, object: &Value) -> Option<Value> {
    let attribute = edit::first_attribute(apply.schema, apply.planned, |attribute, planned| {
        let may_be = includes(planned, &Value::string("settled")) != Answer::False;
        attribute.optional
            && attribute.computed
            && attribute.ty() == Type::String
            && planned.is_unknown()
            && may_be
    })?;
    object.is_set().then(|| object.with_attribute(&attribute.name, Value::string("settled")))
}

fn before_settling(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, settled)
}

fn settle(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, settled)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Settings, judge};
    use crate::rule::example;
    use crate::rule::failed::{Change, change};
    use crate::transcript::{AnyCall, Encoded};

    /// What to do about the first apply of a kind that returns another value at an attribute; `other` makes it of the
    /// prior and the planned object, if they allow it.
    fn fix_of(kind: Change, other: impl Fn(&Value, &Value) -> Option<(String, Value)>) -> Option<Fix> {
        let mut transcript = example::lifecycle();
        let changed = transcript.exchanges.iter_mut().any(|exchange| {
            let AnyCall::ApplyResourceChange(call) = &mut exchange.call else { return false };
            let request = &call.request;
            let is_meant =
                change(&AnyCall::ApplyResourceChange(call.clone())).is_some_and(|(_, change)| change == kind);
            let objects = request.prior_state.value().zip(request.planned_state.value());
            let (Some((prior, planned)), Ok(response), true) = (objects, &mut call.outcome, is_meant) else {
                return false;
            };
            let Some((name, value)) = other(prior, planned) else { return false };
            let new = response.new_state.value().unwrap().with_attribute(&name, value);
            response.new_state = Encoded::of(new.clone(), new.ty());
            true
        });
        assert!(changed, "the example has such an apply");
        let judgement = judge(&[&RULE], &transcript, &Settings::default());
        judgement.findings.first().expect("it is found").finding.fix
    }

    #[test]
    fn the_values_tell_what_to_do() {
        let unchanged = |prior: &Value, planned: &Value| {
            prior.attributes().find_map(|(name, before)| {
                let planned = planned.attribute(name)?;
                (planned.is_wholly_known() && planned != before).then(|| (name.to_string(), before.clone()))
            })
        };
        assert_eq!(fix_of(Change::Update, unchanged), Some(Fix::NOT_UPDATED));
        let absent = |_: &Value, planned: &Value| {
            planned.attribute("absent")?.is_null().then(|| ("absent".to_owned(), Value::string("filled")))
        };
        assert_eq!(fix_of(Change::Create, absent), Some(Fix::NOT_COMPUTED));
        let rewritten = |_: &Value, planned: &Value| {
            let name = planned.attribute("name")?.as_str()?;
            Some(("name".to_owned(), Value::string(&format!("{name}-applied"))))
        };
        assert_eq!(fix_of(Change::Create, rewritten), None);
    }
}
