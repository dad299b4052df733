use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::declare_rule;
use crate::rule::edit::ApplyScene;
use crate::rule::failed::{self, Change};
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Finding, Findings, Injection, edit};
use crate::transcript::{AnyCall, Exchange};
use crate::value::{AttributePath, Type, Value};

declare_rule! {
    /// A computed value that follows from the arguments does so after an update, too.
    ///
    /// Created twice with the old arguments, an object has the same computed value both times; created
    /// twice with the new ones, it has another value both times. Updated from the old to the new
    /// arguments, it still has the old value: two roads to one configuration end in different objects.
    /// Mostly the value is planned as in the prior state although an argument that it follows from
    /// changes; plan it as unknown then. If the remote system itself decides the value once and for
    /// all, nothing is wrong.
    "apply/follows-updates", Advice, behaviours: ["walk/two-roads"],
    covers: ["APPLY-001"],
    title: None,
    fix: "plan {attributes} as unknown when an argument changes that decides the value",
    framework: "use `UseStateForUnknown` only on what never changes",
    sdkv2: "call `d.SetNewComputed` in CustomizeDiff where such an argument changes",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "make remote objects match the Final Planned State";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/derives-values-once",
        about: "derives a computed value from the arguments when it creates, and keeps it in updates",
        injection: Injection::Call(store_derived, answer_derived),
    };
    control: Fault {
        name: "apply/chooses-values-once",
        about: "chooses a computed value when it creates, the same for all arguments, and keeps it in updates",
        injection: Injection::Call(store_chosen, answer_chosen),
    };
}

/// An object as it was created: the configuration, and the new state.
struct Created<'t> {
    config: &'t Value,
    new: &'t Value,
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    if applied.failed || applied.prior.is_null() || applied.planned.is_null() {
        return findings.not_applicable("nothing is updated");
    }
    let created = created_before(context);
    let Some(last) = created.last().filter(|_| is_first_change(context)) else {
        return findings.not_applicable("the object was not created just before");
    };
    let with = |config: &Value| -> Vec<&Value> {
        created.iter().filter(|one| one.config == config).map(|one| one.new).collect()
    };
    let (old, new) = (with(last.config), with(applied.config));
    let ([first_old, others_old @ ..], [first_new, others_new @ ..]) = (&old[..], &new[..]) else {
        return findings.not_applicable("no object was created with the new configuration");
    };
    if others_old.is_empty() || others_new.is_empty() {
        return findings.not_applicable("no two objects were created with each configuration");
    }
    let block = &applied.schema.block;
    for (path, was, should_be) in context.differences(first_old, first_new) {
        let at = |object: &Value| object.at(&path);
        let is_chosen =
            [last.config, applied.config].iter().any(|config| at(config).is_some_and(|v| !v.is_null()));
        // The ID names the object from its creation on.
        let is_id = path == AttributePath::root().attribute("id");
        let follows = others_old.iter().all(|object| at(object).as_ref() == Some(&was))
            && others_new.iter().all(|object| at(object).as_ref() == Some(&should_be));
        if !is_chosen && !is_id && follows && at(applied.new).as_ref() == Some(&was) {
            let message = "an object that is created with this configuration has another value";
            let finding = Finding::new(path.clone(), message).allow("created", &should_be);
            findings.add(finding.actual("updated", &was).guarded(block));
        }
    }
}

/// Whether the object was created by the last apply before this one.
fn is_first_change(context: &Context<'_>) -> bool {
    let before = context.transcript.before(context.exchange.id, &context.exchange.instance);
    let last = before.into_iter().find_map(|exchange| Some((exchange, failed::change(&exchange.call)?.1)));
    last.is_some_and(|(exchange, change)| change == Change::Create && exchange.call.succeeded())
}

/// The objects that were created at the same address before, in order.
fn created_before<'t>(context: &Context<'t>) -> Vec<Created<'t>> {
    let exchanges = &context.transcript.exchanges[..context.exchange.id.0 as usize];
    let here = exchanges.iter().filter(|exchange| exchange.instance == context.exchange.instance);
    let created = here.filter_map(|exchange| {
        let AnyCall::ApplyResourceChange(call) = &exchange.call else { return None };
        let is_create = call.request.prior_state.value()?.is_null();
        let config = call.request.config.value().filter(|_| is_create && exchange.call.succeeded())?;
        let new = call.outcome.as_ref().ok()?.new_state.value()?;
        Some(Created { config, new })
    });
    created.collect()
}

/// How each value begins that a fault decided on.
const DECIDED: &str = "decided for ";

/// What a fault decides on when an object is created, and keeps when it is updated: an attribute and its value.
fn decided(
    exchange: &Exchange,
    context: &mut FaultContext<'_>,
    about: fn(&Value) -> String,
) -> Option<(String, Value)> {
    let scene = edit::applied_scene(exchange, context).filter(ApplyScene::keeps_object)?;
    let is_decided = |value: &Value| value.as_str().is_some_and(|text| text.starts_with(DECIDED));
    let attribute = edit::first_attribute(scene.schema, scene.planned, |attribute, value| {
        let is_free = value.is_unknown() || is_decided(value);
        attribute.computed && attribute.ty() == Type::String && attribute.name != "id" && is_free
    })?;
    let name = attribute.name.clone();
    if scene.prior.is_null() {
        let text = format!("{DECIDED}{}", about(scene.config));
        context.memory.remember(&name, &text);
        return Some((name, Value::string(&text)));
    }
    let prior = scene.prior.member(&name);
    let kept = if is_decided(&prior) { prior } else { Value::string(context.memory.recall(&name)?) };
    Some((name, kept))
}

fn store(exchange: &mut Exchange, context: &mut FaultContext<'_>, about: fn(&Value) -> String) -> bool {
    let Some((name, value)) = decided(exchange, context, about) else { return false };
    edit::requested_plan(exchange, context, |_, planned| Some(planned.with_attribute(&name, value)))
}

fn answer(exchange: &mut Exchange, context: &mut FaultContext<'_>, about: fn(&Value) -> String) -> bool {
    let Some((name, value)) = decided(exchange, context, about) else { return false };
    edit::applied_state(exchange, context, |_, new| Some(new.with_attribute(&name, value)))
}

fn arguments(config: &Value) -> String {
    let mut hasher = DefaultHasher::new();
    config.to_string().hash(&mut hasher);
    format!("arguments {:x}", hasher.finish())
}

fn everything(_config: &Value) -> String {
    "everything".to_owned()
}

fn store_derived(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    store(exchange, context, arguments)
}

fn answer_derived(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    answer(exchange, context, arguments)
}

fn store_chosen(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    store(exchange, context, everything)
}

fn answer_chosen(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    answer(exchange, context, everything)
}
