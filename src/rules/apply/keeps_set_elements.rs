use crate::declare_rule;
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Findings, Injection, edit};
use crate::schema::Nesting;
use crate::transcript::Exchange;
use crate::value::{Type, Value};

declare_rule! {
    /// An apply returns sets whose elements correspond to the planned ones.
    ///
    /// Each planned element must come back with its known parts unchanged, each returned
    /// element must have been planned, and there may not be more of them than planned. One
    /// changed attribute of one element is enough for users to see that a planned set element
    /// does not correlate with any element in actual. The usual cause is an optional
    /// attribute of a nested object that comes back as "" or false instead of null.
    "apply/keeps-set-elements", Must, legacy: Excused,
    covers: ["APPLY-020"],
    title: Some("Provider produced inconsistent result after apply"),
    fix: "return the elements of {attributes} as planned: null stays null, not \"\" or false",
    framework: "return null, not `\"\"` or false, for optional attributes that are null in the plan",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "must have an identical value in the new state";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/rewrites-a-set-element",
        about: "stores and returns a configured set with one string changed",
        injection: Injection::Call(before_rewriting, rewrite),
    };
    control: Fault {
        name: "apply/settles-set-elements",
        about: "stores and returns strings of its choice for what was unknown in the nested blocks of a set",
        injection: Injection::Call(before_settling, settle),
    };
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    findings.adopt(&applied.schema.block, context.result_problems(applied), RULE.covers);
}

fn rewritten(apply: &edit::ApplyScene<'_>, object: &Value) -> Option<Value> {
    let attribute = edit::first_attribute(apply.schema, apply.planned, |attribute, planned| {
        let has_text =
            planned.elements().is_some_and(|elements| elements.iter().any(|e| e.as_str().is_some()));
        attribute.is_configurable()
            && !attribute.computed
            && attribute.ty() == Type::set(Type::String)
            && has_text
    })?;
    let mut elements = apply.planned.attribute(&attribute.name)?.elements()?.to_vec();
    let text = elements.iter_mut().find(|element| element.as_str().is_some())?;
    *text = Value::string(&format!("{}-applied", text.as_str()?));
    object.is_set().then(|| object.with_attribute(&attribute.name, Value::set(Type::String, elements)))
}

fn before_rewriting(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, rewritten)
}

fn rewrite(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, rewritten)
}

/// Sets a computed string that is unknown in all planned blocks of a set to the same value.
fn settled(apply: &edit::ApplyScene<'_>, object: &Value) -> Option<Value> {
    apply.schema.block.block_types.iter().filter(|nested| nested.nesting == Nesting::Set).find_map(|nested| {
        let planned = apply.planned.attribute(&nested.name)?.elements()?;
        let attribute = nested.block.attributes.iter().find(|attribute| {
            let is_open = |element: &Value| element.attribute(&attribute.name).is_some_and(Value::is_unknown);
            attribute.ty() == Type::String && !planned.is_empty() && planned.iter().all(is_open)
        })?;
        let blocks = object.attribute(&nested.name)?.elements()?.iter();
        let text = Value::string("settled");
        let blocks = blocks.map(|block| block.with_attribute(&attribute.name, text.clone())).collect();
        Some(object.with_attribute(&nested.name, nested.collect(blocks)))
    })
}

fn before_settling(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, settled)
}

fn settle(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, settled)
}
