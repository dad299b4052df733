use std::collections::BTreeSet;

use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, edit};
use crate::schema::Attribute;
use crate::transcript::{DriftKind, Exchange, Purpose};
use crate::value::{AttributePath, Refinements, SchemaPath, Type, Value};

declare_rule! {
    /// A read tells null from empty.
    ///
    /// What was applied as null is not read as an empty collection, an empty text, zero or
    /// false, nor the other way round. Where no plan follows from it, `plan` says that nothing
    /// has changed, and only `plan -refresh-only` shows the difference; what refers to the
    /// attribute still sees another value. With SDKv2 this is what `d.Set("zones", []string{})`
    /// does in a Read: call it only if the remote system returned something, or the state had
    /// something. All places where it happens are one finding.
    "read/tells-null-from-empty", Should, presumes: Applied,
    covers: ["READ-005", "APPLY-011", "APPLY-030"],
    title: None,
    fix: "keep null as null and empty as empty when reading {attributes}",
    framework: "return null where the state has null and the remote system has nothing",
    sdkv2: "call `d.Set` only if the remote system returned something, or the state had something",
    cites: "resource instance change lifecycle", "ReadResource":
        "should return the exact value from the Previous Run State";
    check: Check::Asked(check);
    fault: Fault {
        name: "read/empties-nulls",
        about: "returns null for an unknown collection from an apply, and reads it as empty",
        injection: Injection::Call(store_empty, read_empty),
    };
    control: Fault {
        name: "read/keeps-empties",
        about: "returns an unknown collection as empty from an apply, and reads it so",
        injection: Injection::Call(store_empty, keep_empty),
    };
}

fn check(context: &Context<'_>, _: &Asked<'_>, findings: &mut Findings) {
    let Some(places) = read_otherwise(context).or_else(|| applied_otherwise(context)) else {
        return findings.not_applicable("no state that was applied is compared");
    };
    if places.is_empty() {
        return;
    }
    // Users of the legacy SDK know it from every provider, and the SDK hides it from the plan.
    let level = if context.is_of_the_legacy_sdk() { Level::Tolerated } else { Level::Should };
    let names: BTreeSet<String> = places.iter().map(|path| path.schema_path().to_string()).collect();
    let names = Vec::from_iter(names).join(", ");
    let message = format!("null and empty are not told apart, but no plan shows it: {names}");
    findings.add(Finding::new(AttributePath::root(), message).at_level(level));
}

/// Where a read returns null for empty; `None` if it is not known what it should return.
fn read_otherwise(context: &Context<'_>) -> Option<Vec<AttributePath>> {
    let place = match context.purpose() {
        Purpose::NothingChanged { .. } => SchemaPath::root(),
        Purpose::AfterDrift(drift) if drift.kind == DriftKind::Respell => SchemaPath::named_by(&drift.path),
        _ => return None,
    };
    let read = context.read().ok().filter(|read| read.response.deferred.is_none())?;
    let changes = context.changes(&read.schema.block, read.current, read.new);
    let harmless = changes.into_iter().filter(|(path, current, new)| {
        path.schema_path().touches(&place)
            && !context.was_upgraded(path)
            && context.is_harmless_emptiness(path, current, new)
    });
    Some(harmless.map(|(path, ..)| path).collect())
}

/// Where an apply with the legacy flag does; without the flag, engines stop.
fn applied_otherwise(context: &Context<'_>) -> Option<Vec<AttributePath>> {
    let applied = context.applied().ok().filter(|applied| applied.response.legacy_type_system)?;
    let forgiven = context.forgiven_emptiness(&applied);
    Some(forgiven.into_iter().map(|problem| problem.path.clone()).collect())
}

/// The object with every collection that the provider decides, and that `holds` selects, replaced.
fn replaced(
    apply: &edit::ApplyScene<'_>,
    object: &Value,
    replacement: fn(&Attribute) -> Value,
) -> Option<Value> {
    let is_open = |attribute: &Attribute| {
        let planned = apply.planned.member(&attribute.name);
        let may_be_null =
            !planned.refinements().is_some_and(|refinements: &Refinements| refinements.not_null);
        is_collection(attribute) && planned.is_unknown() && may_be_null
    };
    object.is_set().then(|| {
        edit::each_attribute(&apply.schema.block, object, |attribute, _| {
            is_open(attribute).then(|| replacement(attribute))
        })
    })
}

/// Whether both the user and the provider may set it.
fn is_collection(attribute: &Attribute) -> bool {
    attribute.optional
        && attribute.computed
        && attribute.nested_attributes().is_none()
        && attribute.ty().element().is_some_and(Type::is_primitive)
}

fn empty(attribute: &Attribute) -> Value {
    match attribute.ty() {
        Type::Map(element) => Value::map(Type::clone(&element), std::iter::empty::<(String, Value)>()),
        Type::Set(element) => Value::set(Type::clone(&element), vec![]),
        ty => Value::list(ty.element().cloned().unwrap_or(Type::Dynamic), vec![]),
    }
}

fn store_empty(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, |apply, planned| replaced(apply, planned, empty))
}

fn read_empty(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let null = |attribute: &Attribute| Value::null(attribute.ty());
    edit::applied_state(exchange, context, |apply, new| replaced(apply, new, null))
        || edit::read_state(exchange, context, |schema, current, new| {
            Some(edit::each_attribute(&schema.block, new, |attribute, _| {
                let was_null = current.member(&attribute.name).is_null();
                (is_collection(attribute) && was_null).then(|| empty(attribute))
            }))
        })
}

fn keep_empty(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_state(exchange, context, |apply, new| replaced(apply, new, empty))
}
