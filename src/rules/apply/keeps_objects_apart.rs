use std::hash::{DefaultHasher, Hash as _, Hasher as _};

use crate::declare_rule;
use crate::rule::edit::ApplyScene;
use crate::rule::failed::{self, Change};
use crate::rule::{Applied, Check, Context, Fault, FaultContext, Finding, Findings, Injection, edit};
use crate::transcript::{AnyCall, Exchange, ExchangeId};
use crate::value::{AttributePath, Type, Value};

declare_rule! {
    /// An object has its own computed values, whatever else is created with it.
    ///
    /// Each of several objects is created alone, twice, and has a computed value of its own both times.
    /// Created in one run with the others, it has the value of another one. An engine makes several calls
    /// at once to one process: what the provider learns about one object must not be kept where a call
    /// for another one finds it.
    "apply/keeps-objects-apart", Should, behaviours: ["walk/schedules"],
    covers: ["PROC-003"],
    title: None,
    fix: "keep nothing about one object in a variable that other calls use",
    framework: "keep what belongs to one call in local variables; fields of the resource are shared by all calls",
    sdkv2: "keep what belongs to one call in local variables; `meta` is shared by all calls",
    cites: "resource graph", "Walking the Graph": "walking is done with as much parallelism as possible";
    check: Check::Apply(check);
    fault: Fault {
        name: "apply/mixes-up-objects",
        about: "gives an object that is created a computed value of the one with a similar name that was planned last",
        injection: Injection::Call(store_last, answer_last),
    };
    control: Fault {
        name: "apply/decides-alike",
        about: "gives every object that is created the same computed value",
        injection: Injection::Call(store_shared, answer_shared),
    };
}

/// An object as it was created.
struct Created<'t> {
    id: ExchangeId,
    instance: &'t str,
    config: &'t Value,
    new: &'t Value,
}

fn check(context: &Context<'_>, applied: &Applied<'_>, findings: &mut Findings) {
    if applied.failed || !applied.prior.is_null() || applied.planned.is_null() {
        return findings.not_applicable("nothing is created");
    }
    let Some(groups) = groups(context) else {
        return findings.not_applicable("a change of an object of the type failed");
    };
    let here = |group: &&Vec<Created<'_>>| group.iter().any(|one| one.id == context.exchange.id);
    let Some(group) = groups.iter().find(here).filter(|group| group.len() > 1) else {
        return findings.not_applicable("the object was created alone");
    };
    let Some(alone) = group.iter().map(|one| Alone::of(one, group, &groups)).collect::<Option<Vec<_>>>()
    else {
        return findings.not_applicable("not every object was created alone, too, before and after");
    };
    let own = alone.iter().zip(group).find(|(_, one)| one.id == context.exchange.id);
    let Some((own, _)) = own else { return };
    for (path, should_be, is) in context.differences(own.objects[0], applied.new) {
        let values: Option<Vec<Value>> = alone.iter().map(|one| one.value(&path)).collect();
        let Some(values) = values else { continue };
        let is_distinct = values.iter().enumerate().all(|(idx, value)| !values[..idx].contains(value));
        let is_chosen = applied.config.at(&path).is_some_and(|value| !value.is_null());
        if is_distinct && !is_chosen && values.contains(&is) {
            let message = "the value of another object that was created in the same run";
            let finding = Finding::new(path.clone(), message).allow("alone", &should_be);
            findings.add(finding.actual("together", &is).guarded(&applied.schema.block));
        }
    }
}

/// An object as it is each time that it is created alone.
struct Alone<'t> {
    objects: Vec<&'t Value>,
}

impl<'t> Alone<'t> {
    /// `None` if it was not created alone both before the group and after it.
    fn of(one: &Created<'_>, group: &[Created<'_>], groups: &[Vec<Created<'t>>]) -> Option<Alone<'t>> {
        let singles = groups.iter().filter_map(|group| match &group[..] {
            [single] if single.instance == one.instance && single.config == one.config => Some(single),
            _ => None,
        });
        let (before, after): (Vec<_>, Vec<_>) = singles.partition(|single| single.id < group[0].id);
        let is_enough = !before.is_empty() && !after.is_empty();
        is_enough.then(|| Alone { objects: before.iter().chain(&after).map(|single| single.new).collect() })
    }

    /// The value at a place, if it is always the same and not null.
    fn value(&self, path: &AttributePath) -> Option<Value> {
        let value = self.objects[0].at(path).filter(|value| !value.is_null())?;
        self.objects.iter().all(|object| object.at(path).as_ref() == Some(&value)).then_some(value)
    }
}

/// The objects of the type that were created, by the times at which any of them existed; `None` if a change of
/// one failed.
fn groups<'t>(context: &Context<'t>) -> Option<Vec<Vec<Created<'t>>>> {
    let type_name = context.exchange.call.type_name()?;
    let (mut groups, mut alive) = (Vec::new(), Vec::new());
    for exchange in &context.transcript.exchanges {
        let AnyCall::ApplyResourceChange(call) = &exchange.call else { continue };
        if call.request.type_name != type_name {
            continue;
        }
        let response = call.outcome.as_ref().ok().filter(|_| exchange.call.succeeded())?;
        let Some((_, change)) = failed::change(&exchange.call) else { continue };
        match change {
            Change::Create => {
                if alive.is_empty() {
                    groups.push(Vec::new());
                }
                alive.push(exchange.instance.as_str());
                let config = call.request.config.value()?;
                let new = response.new_state.value()?;
                groups.last_mut()?.push(Created {
                    id: exchange.id,
                    instance: &exchange.instance,
                    config,
                    new,
                });
            }
            Change::Update => {}
            Change::Delete => alive.retain(|instance| *instance != exchange.instance),
        }
    }
    Some(groups)
}

/// A computed attribute that is decided when an object is created.
fn decided(exchange: &Exchange, context: &FaultContext<'_>) -> Option<String> {
    let scene = edit::applied_scene(exchange, context).filter(ApplyScene::keeps_object)?;
    let attribute = edit::first_attribute(scene.schema, scene.planned, |attribute, value| {
        let is_open = value.is_unknown() && scene.prior.is_null();
        attribute.computed && attribute.ty() == Type::String && attribute.name != "id" && is_open
    })?;
    Some(attribute.name.clone())
}

/// A value that the arguments of an object decide.
fn decided_for(config: &Value) -> Value {
    let mut hasher = DefaultHasher::new();
    config.to_string().hash(&mut hasher);
    Value::string(&format!("decided for {:x}", hasher.finish()))
}

/// What objects with similar names have in common: the first letters of every text of their arguments.
fn family(config: &Value) -> String {
    let mut family = "planned last of".to_owned();
    config.walk(&mut |_, value| {
        if let Some(text) = value.as_str() {
            family.push(' ');
            family.extend(text.chars().take(NAME_LENGTH));
        }
        true
    });
    family
}

/// A generated name without its end, which tells instances apart: `tfc` and six letters.
const NAME_LENGTH: usize = 9;

/// The attribute, and its value for the object of the same family that was planned last.
fn of_last_planned(exchange: &Exchange, context: &mut FaultContext<'_>) -> Option<(String, Value)> {
    if let AnyCall::PlanResourceChange(call) = &exchange.call
        && let Some(config) = call.request.config.value().filter(|config| config.is_set())
        && let Some(text) = decided_for(config).as_str()
    {
        context.memory.remember(&family(config), text);
    }
    let config = edit::applied_scene(exchange, context)?.config;
    let name = decided(exchange, context)?;
    let last = context.memory.recall(&family(config)).map(Value::string);
    Some((name, last.unwrap_or_else(|| decided_for(config))))
}

/// What is stored is answered, whatever is planned in between.
fn stored(exchange: &Exchange, context: &mut FaultContext<'_>) -> Option<(String, Value)> {
    let config = edit::applied_scene(exchange, context)?.config.to_string();
    let name = decided(exchange, context)?;
    let text = context.memory.recall(&config).map(str::to_owned);
    text.map_or_else(|| of_last_planned(exchange, context), |text| Some((name, Value::string(&text))))
}

/// The attribute, and a value that is the same for all objects.
fn shared(exchange: &Exchange, context: &FaultContext<'_>) -> Option<(String, Value)> {
    Some((decided(exchange, context)?, Value::string("decided for everything")))
}

fn store(exchange: &mut Exchange, context: &FaultContext<'_>, decided: Option<(String, Value)>) -> bool {
    let Some((name, value)) = decided else { return false };
    edit::requested_plan(exchange, context, |_, planned| Some(planned.with_attribute(&name, value)))
}

fn answer(exchange: &mut Exchange, context: &FaultContext<'_>, decided: Option<(String, Value)>) -> bool {
    let Some((name, value)) = decided else { return false };
    edit::applied_state(exchange, context, |_, new| Some(new.with_attribute(&name, value)))
}

fn store_last(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let last = of_last_planned(exchange, context);
    if let (Some((_, value)), Some(scene)) = (&last, edit::applied_scene(exchange, context))
        && let Some(text) = value.as_str()
    {
        context.memory.remember(&scene.config.to_string(), text);
    }
    store(exchange, context, last)
}

fn answer_last(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    // Notes what is planned.
    of_last_planned(exchange, context);
    let stored = stored(exchange, context);
    answer(exchange, context, stored)
}

fn store_shared(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let shared = shared(exchange, context);
    store(exchange, context, shared)
}

fn answer_shared(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let shared = shared(exchange, context);
    answer(exchange, context, shared)
}
