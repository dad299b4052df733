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
        about: "gives objects with similar names that are created in a row the computed value of the first of them",
        injection: Injection::Call(store_first, answer_first),
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

/// A generated name without its end, which tells instances apart: `tfc` and six letters.
const NAME_LENGTH: usize = 9;

/// Where a process remembers what it decided for the first of several objects with similar names.
fn row_of(object: Option<&Value>) -> Option<String> {
    let name: String = object?.attribute("name")?.as_str()?.chars().take(NAME_LENGTH).collect();
    Some(format!("decided for the first of {name}"))
}

/// The attribute, and its value for the first of the objects with similar names that are created in a row. A read
/// or a delete of one of them ends the row.
fn of_first(exchange: &Exchange, context: &mut FaultContext<'_>) -> Option<(String, Value)> {
    let ended = match &exchange.call {
        AnyCall::ReadResource(call) => row_of(call.request.current_state.value()),
        _ => row_of(
            edit::applied_scene(exchange, context)
                .filter(|scene| !scene.keeps_object())
                .map(|scene| scene.prior),
        ),
    };
    if let Some(row) = ended {
        context.memory.remember(&row, "");
        return None;
    }
    let config = edit::applied_scene(exchange, context)?.config;
    let (name, row) = (decided(exchange, context)?, row_of(Some(config))?);
    let first = context.memory.recall(&row).filter(|first| !first.is_empty()).map(Value::string);
    let value = first.unwrap_or_else(|| decided_for(config));
    context.memory.remember(&row, value.as_str()?);
    Some((name, value))
}

/// What was stored for an object is answered, whatever is created in between.
fn stored(exchange: &Exchange, context: &FaultContext<'_>) -> Option<(String, Value)> {
    let config = edit::applied_scene(exchange, context)?.config.to_string();
    Some((decided(exchange, context)?, Value::string(context.memory.recall(&config)?)))
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

fn store_first(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let first = of_first(exchange, context);
    if let (Some((_, value)), Some(scene)) = (&first, edit::applied_scene(exchange, context))
        && let Some(text) = value.as_str()
    {
        context.memory.remember(&scene.config.to_string(), text);
    }
    store(exchange, context, first)
}

fn answer_first(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let decided = stored(exchange, context).or_else(|| of_first(exchange, context));
    answer(exchange, context, decided)
}

fn store_shared(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let shared = shared(exchange, context);
    store(exchange, context, shared)
}

fn answer_shared(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let shared = shared(exchange, context);
    answer(exchange, context, shared)
}
