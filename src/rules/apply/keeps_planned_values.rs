use crate::core::Problem;
use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, edit};
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
    findings.adopt(&applied.schema.block, &problems, RULE.covers);
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
