//! Small tools that faults are made of.
//!
//! - Values of one call: [`planned_state`], [`planned_change`], [`requested_plan`], [`applied_state`],
//!   [`read_state`], [`upgraded_state`], [`data_state`]; of any: [`response_value`].
//! - Ways to spoil an object: [`misshape`], [`unsettle`], [`leak`], [`capitalise`],
//!   [`nullify_empty_blocks`]; places for more: [`each_attribute`], [`first_attribute`].
//! - Encoded bytes: [`response_bytes`], [`member_bytes`], [`object_members`], [`text`], [`sent`].
//! - Diagnostics: [`say`], where the call is one's own to choose; [`warning`].
//! - Schemas: [`resource_schema`], [`declare`], [`declare_block`], [`nested_block`].

use std::sync::Arc;

use bytes::Bytes;

use super::Scene;
use crate::core::assert_object_compatible;
use crate::engine::Engine;
use crate::schema::{Attribute, Block, Member, NestedBlock, Nesting, ProviderSchema, Schema};
use crate::transcript::{AnyCall, Diagnostic, DynamicValue, Encoded, Exchange};
use crate::value::{PathStep, Type, Value, msgpack};

/// What a fault sees of a plan, beside the planned state it may change.
pub struct PlanScene<'a> {
    pub schema: &'a Schema,
    pub prior: &'a Value,
    pub config: &'a Value,
}

/// Replaces the planned state of a successful create or update plan; `None` leaves it alone.
pub fn planned_state(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&PlanScene<'_>, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::Plan(call), Some(schema)) = (&mut exchange.call, scene.schema) else { return false };
    let (Some(prior), Some(config)) = (call.request.prior_state.value(), call.request.config.value()) else {
        return false;
    };
    let destroys = call.request.proposed_new_state.value().is_some_and(Value::is_null);
    let Ok(response) = &mut call.outcome else { return false };
    let Some(planned) = response.planned_state.value().filter(|_| !destroys) else { return false };
    match change(&PlanScene { schema, prior, config }, planned) {
        Some(changed) if changed != *planned => {
            response.planned_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// As [`planned_state`], but where the proposed state is the prior one, so that nothing changes, the plan
/// is left alone; and where the changed plan may well come to the prior state, the prior state is planned.
///
/// So what a fault did once and an engine let pass is not planned again, as a change without end that
/// another rule would report.
pub fn planned_change(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&PlanScene<'_>, &Value) -> Option<Value>,
) -> bool {
    changes_something(exchange)
        && planned_state(exchange, scene, |plan, planned| {
            let changed = change(plan, planned)?;
            Some(if comes_to_prior(plan, &changed) { plan.prior.clone() } else { changed })
        })
}

/// Whether applying a plan may leave everything as it is.
fn comes_to_prior(plan: &PlanScene<'_>, planned: &Value) -> bool {
    plan.prior.is_set()
        && plan.config.is_wholly_known()
        && assert_object_compatible(&plan.schema.block, planned, plan.prior, Engine::default()).is_empty()
}

fn changes_something(exchange: &Exchange) -> bool {
    let AnyCall::Plan(call) = &exchange.call else { return false };
    call.request.prior_state.value() != call.request.proposed_new_state.value()
}

/// What a fault sees of an apply, beside the new state it may change.
pub struct ApplyScene<'a> {
    pub schema: &'a Schema,
    pub prior: &'a Value,
    pub config: &'a Value,
    pub planned: &'a Value,
}

impl ApplyScene<'_> {
    /// Whether an object is created or updated, not deleted.
    pub fn keeps_object(&self) -> bool {
        self.planned.is_set()
    }
}

/// The first half of a deed that makes the conforming provider store something else than was planned:
/// changes what it is asked to apply, by the same function that [`applied_state`] changes the answer with.
///
/// The scene's planned state is that of the request in both halves, so a function that derives its result
/// from it alone does nothing more to an answer that already has it.
pub fn requested_plan(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&ApplyScene<'_>, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::Apply(call), Some(schema)) = (&mut exchange.call, scene.schema) else { return false };
    let request = &mut call.request;
    let (Some(prior), Some(config), Some(planned)) =
        (request.prior_state.value(), request.config.value(), request.planned_state.value())
    else {
        return false;
    };
    match change(&ApplyScene { schema, prior, config, planned }, planned) {
        Some(changed) if changed != *planned => {
            request.planned_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// Replaces the new state of an answered apply; `None` leaves it alone.
pub fn applied_state(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&ApplyScene<'_>, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::Apply(call), Some(schema)) = (&mut exchange.call, scene.schema) else { return false };
    let request = &call.request;
    let (Some(prior), Some(config), Some(planned)) =
        (request.prior_state.value(), request.config.value(), request.planned_state.value())
    else {
        return false;
    };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(new) = response.new_state.value() else { return false };
    match change(&ApplyScene { schema, prior, config, planned }, new) {
        Some(changed) if changed != *new => {
            response.new_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// Replaces the new state of a successful read; `change` sees the schema, the current and the new state.
pub fn read_state(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&Schema, &Value, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::Read(call), Some(schema)) = (&mut exchange.call, scene.schema) else { return false };
    let Some(current) = call.request.current_state.value() else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(new) = response.new_state.value() else { return false };
    match change(schema, current, new) {
        Some(changed) if changed != *new => {
            response.new_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// Replaces the upgraded state of a successful upgrade.
pub fn upgraded_state(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&Schema, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::Upgrade(call), Some(schema)) = (&mut exchange.call, scene.schema) else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(upgraded) = response.upgraded_state.value() else { return false };
    match change(schema, upgraded) {
        Some(changed) if changed != *upgraded => {
            response.upgraded_state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// Replaces the state of a successful read of a data source; `change` sees the schema, the configuration
/// and the state.
pub fn data_state(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&Schema, &Value, &Value) -> Option<Value>,
) -> bool {
    let (AnyCall::ReadData(call), Some(schema)) = (&mut exchange.call, scene.schema) else { return false };
    let Some(config) = call.request.config.value() else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    let Some(state) = response.state.value() else { return false };
    match change(schema, config, state) {
        Some(changed) if changed != *state => {
            response.state = Encoded::of(changed, schema.implied_type());
            true
        }
        _ => false,
    }
}

/// Adds a diagnostic to an answer that has room for some.
pub fn say(exchange: &mut Exchange, diagnostic: Diagnostic) -> bool {
    let Some(diagnostics) = exchange.call.diagnostics_mut() else { return false };
    diagnostics.push(diagnostic);
    true
}

/// A warning, which nobody may object to.
pub fn warning() -> Diagnostic {
    Diagnostic { severity: Diagnostic::WARNING, ..Diagnostic::error("This is only a remark", "") }
}

/// The object with a text in place of the first nested blocks whose type is dynamic.
pub fn misshape(block: &Block, object: &Value) -> Option<Value> {
    let nested = block.block_types.iter().find(|nested| {
        nested.implied_type() == Type::Dynamic && object.attribute(&nested.name).is_some_and(Value::is_set)
    })?;
    Some(object.with_attribute(&nested.name, Value::string("no blocks")))
}

/// The object with the first computed attribute of the root block unknown that is not so yet.
pub fn unsettle(block: &Block, object: &Value) -> Option<Value> {
    let attribute = block
        .attributes
        .iter()
        .filter(|attribute| attribute.computed)
        .find(|attribute| object.attribute(&attribute.name).is_some_and(|value| !value.is_unknown()))?;
    Some(object.with_attribute(&attribute.name, Value::unknown(attribute.ty())))
}

/// Plans an optional and computed attribute without configuration as unknown, promising nothing, while
/// something in the configuration is unknown: legal, and so the twin of several faults.
pub fn unsettle_while_undecided(exchange: &mut Exchange, scene: &mut Scene<'_>) -> bool {
    planned_change(exchange, scene, |plan, planned| {
        let attribute = first_attribute(plan.schema, plan.config, |attribute, config| {
            attribute.optional && attribute.computed && config.is_null()
        })?;
        let unknown = Value::unknown(attribute.ty());
        (!plan.config.is_wholly_known()).then(|| planned.with_attribute(&attribute.name, unknown))
    })
}

/// The object with a text in the first write-only text attribute of the root block.
pub fn leak(block: &Block, object: &Value) -> Option<Value> {
    let attribute =
        block.attributes.iter().find(|attribute| attribute.write_only && attribute.ty() == Type::String)?;
    object.is_set().then(|| object.with_attribute(&attribute.name, Value::string("leaked")))
}

/// The object with capitals in the first configurable text attribute of the root block that has other letters.
pub fn capitalise(block: &Block, object: &Value) -> Option<Value> {
    let (name, text) =
        block.attributes.iter().filter(|attribute| attribute.is_configurable()).find_map(|attribute| {
            let text = object.attribute(&attribute.name)?.as_str()?;
            Some((&attribute.name, text.to_uppercase())).filter(|(_, capitals)| capitals != text)
        })?;
    Some(object.with_attribute(name, Value::string(&text)))
}

/// The object with nested blocks, at any depth, null that are an empty collection.
pub fn nullify_empty_blocks(block: &Block, object: &Value) -> Option<Value> {
    Some(object.transform(&mut |path, value| {
        let is_member = matches!(path.steps().last(), Some(PathStep::Attribute(_)));
        let is_empty = is_member && value.is_set() && value.children().is_empty();
        match block.find(path).filter(|_| is_empty) {
            Some(Member::Block(nested)) if !matches!(nested.nesting, Nesting::Single | Nesting::Group) => {
                Value::null(nested.implied_type())
            }
            _ => value,
        }
    }))
}

/// The object with every attribute of the root block changed for which `change` has a replacement.
pub fn each_attribute(
    block: &Block,
    object: &Value,
    change: impl Fn(&Attribute, &Value) -> Option<Value>,
) -> Value {
    block.attributes.iter().fold(object.clone(), |object, attribute| {
        let changed = object.attribute(&attribute.name).and_then(|value| change(attribute, value));
        match changed {
            Some(value) => object.with_attribute(&attribute.name, value),
            None => object,
        }
    })
}

/// The first value of a response and the type it is encoded with, whatever the call.
///
/// The type is that of the resource or data source; provider-level calls return no object.
pub fn response_value(exchange: &mut Exchange) -> Option<&mut Encoded> {
    match &mut exchange.call {
        AnyCall::Plan(call) => call.outcome.as_mut().ok().map(|response| &mut response.planned_state),
        AnyCall::Apply(call) => call.outcome.as_mut().ok().map(|response| &mut response.new_state),
        AnyCall::Read(call) => call.outcome.as_mut().ok().map(|response| &mut response.new_state),
        AnyCall::Upgrade(call) => call.outcome.as_mut().ok().map(|response| &mut response.upgraded_state),
        AnyCall::ReadData(call) => call.outcome.as_mut().ok().map(|response| &mut response.state),
        _ => None,
    }
}

/// The first attribute of the root block that satisfies a predicate, which sees it and its value in `object`.
pub fn first_attribute<'s>(
    schema: &'s Schema,
    object: &Value,
    holds: impl Fn(&Attribute, &Value) -> bool,
) -> Option<&'s Attribute> {
    schema
        .block
        .attributes
        .iter()
        .find(|attribute| object.attribute(&attribute.name).is_some_and(|value| holds(attribute, value)))
}

/// The name of what a fault adds to a schema.
pub const ARMED: &str = "armed";

/// Changes the first managed resource schema that lets itself be changed.
pub fn resource_schema(provider: &mut ProviderSchema, change: impl Fn(&mut Schema) -> bool) -> bool {
    provider.resources.values_mut().any(|schema| {
        let mut changed = Schema::clone(schema);
        let did = change(&mut changed);
        if did {
            changed.block.changed();
            *schema = Arc::new(changed);
        }
        did
    })
}

/// Declares one more attribute, which no configuration sets.
pub fn declare(provider: &mut ProviderSchema, attribute: Attribute) -> bool {
    resource_schema(provider, |schema| {
        let fresh = is_free(&schema.block, &attribute.name);
        if fresh {
            schema.block.attributes.push(attribute.clone());
        }
        fresh
    })
}

/// Declares one more nested block type, which no configuration has.
pub fn declare_block(provider: &mut ProviderSchema, nested: NestedBlock) -> bool {
    resource_schema(provider, |schema| {
        let fresh = is_free(&schema.block, &nested.name);
        if fresh {
            schema.block.block_types.push(nested.clone());
        }
        fresh
    })
}

fn is_free(block: &Block, name: &str) -> bool {
    block.attribute(name).is_none() && block.block_type(name).is_none()
}

/// Changes the first nested block type at the root of a resource that satisfies a predicate.
pub fn nested_block(
    provider: &mut ProviderSchema,
    holds: impl Fn(&NestedBlock) -> bool,
    change: impl Fn(&mut NestedBlock),
) -> bool {
    resource_schema(provider, |schema| {
        let nested = schema.block.block_types.iter_mut().find(|nested| holds(nested));
        nested.map(&change).is_some()
    })
}

/// One member of the root object of a response, for faults that act on its bytes.
pub struct MemberScene<'a> {
    /// `None` for a nested block.
    pub attribute: Option<&'a Attribute>,
    /// The type the member is declared with, which decides how it is encoded.
    pub ty: &'a Type,
    pub value: &'a Value,
    /// Whether the response is a plan, where unknowns are legal.
    pub planned: bool,
}

/// Writes the first member of the response's object for which `bytes` says how; the rest stays as it is.
pub fn member_bytes(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    bytes: impl Fn(&MemberScene<'_>) -> Option<Vec<u8>>,
) -> bool {
    let planned = matches!(exchange.call, AnyCall::Plan(_));
    let (Some(schema), Some(response)) = (scene.schema, response_value(exchange)) else { return false };
    let Some(members) = response.value().and_then(|value| members(schema, value)) else { return false };
    let member =
        |name: &str, ty, value| MemberScene { attribute: schema.block.attribute(name), ty, value, planned };
    let found = members.iter().find_map(|(name, ty, value)| Some((*name, bytes(&member(name, ty, value))?)));
    let Some((odd, bytes)) = found else { return false };
    let encoded =
        |(name, ty, value)| (name, if name == odd { bytes.clone() } else { msgpack::encode(value, ty) });
    let rewritten = object_bytes(&members.into_iter().map(encoded).collect::<Vec<_>>());
    *response = sent(rewritten);
    true
}

/// Writes the response's object anew from its members, each a name and its encoded value.
pub fn object_members(
    exchange: &mut Exchange,
    scene: &Scene<'_>,
    change: impl FnOnce(&mut Vec<(&str, Vec<u8>)>) -> bool,
) -> bool {
    let (Some(schema), Some(response)) = (scene.schema, response_value(exchange)) else { return false };
    let Some(members) = response.value().and_then(|value| members(schema, value)) else { return false };
    let mut members: Vec<_> =
        members.into_iter().map(|(name, ty, value)| (name, msgpack::encode(value, ty))).collect();
    if !change(&mut members) {
        return false;
    }
    let rewritten = object_bytes(&members);
    *response = sent(rewritten);
    true
}

fn members<'a>(schema: &'a Schema, value: &'a Value) -> Option<Vec<(&'a str, &'a Type, &'a Value)>> {
    let object = schema.implied_type().as_object()?;
    let members = object.attributes().iter();
    members.map(|(name, ty)| Some((name.as_ref(), ty, value.attribute(name)?))).collect()
}

fn object_bytes(members: &[(&str, Vec<u8>)]) -> Vec<u8> {
    let mut out = Vec::new();
    rmp::encode::write_map_len(&mut out, members.len() as u32).expect("writing to memory does not fail");
    for (name, bytes) in members {
        out.extend(text(name));
        out.extend(bytes);
    }
    out
}

/// A string as MessagePack.
pub fn text(text: &str) -> Vec<u8> {
    let mut out = Vec::new();
    rmp::encode::write_str(&mut out, text).expect("writing to memory does not fail");
    out
}

/// Bytes as a provider would have sent them, not decoded yet.
pub fn sent(msgpack: Vec<u8>) -> Encoded {
    Encoded::received(Some(DynamicValue { msgpack: Bytes::from(msgpack), json: Bytes::new() }))
}

/// Rewrites the bytes of the response's value.
pub fn response_bytes(exchange: &mut Exchange, change: impl FnOnce(&[u8]) -> Option<Vec<u8>>) -> bool {
    let Some(response) = response_value(exchange) else { return false };
    let Some(changed) = response.wire().and_then(|wire| change(&wire.msgpack)) else { return false };
    *response = sent(changed);
    true
}
