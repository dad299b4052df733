use crate::declare_rule;
use crate::engine::Engine;
use crate::rule::{Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, Planned, Shows};
use crate::schema::IdentitySchema;
use crate::transcript::{AnyCall, Encoded, Exchange};
use crate::value::{AttributePath, Type, Value};

declare_rule! {
    /// A planned identity is known, or is left out.
    ///
    /// OpenTofu stores planned objects with their identities, and stops with an error at an identity
    /// that has unknown parts: its users can never create the object. Terraform plans it. While an object
    /// has no identity yet, plan none, as the SDKs do unless told otherwise, and return the identity when the
    /// object is created.
    "plan/identity-is-known", Must,
    covers: ["IDENTITY-010"],
    shows: Shows::title_in(Engine::OpenTofu, "failed to encode … in state: value is not known"),
    fix: "plan no identity until all of it is known, and return it when the object is created",
    framework: "set the identity in Create, Read and Update, and not in ModifyPlan",
    sdkv2: "set the identity by `d.Identity()` in Create and Read, and not in CustomizeDiff",
    cites: "plugin protocol", "ResourceIdentityData": "identity data identifies an object that exists";
    check: Check::Plan(check);
    fault: Fault {
        name: "plan/plans-an-unknown-identity",
        about: "plans an identity of which nothing is known for a new object",
        injection: Injection::Answer(unknown),
    };
    control: Fault {
        name: "plan/plans-an-empty-identity",
        about: "plans an identity of nulls for a new object",
        injection: Injection::Answer(empty),
    };
}

fn check(context: &Context<'_>, plan: &Planned<'_>, findings: &mut Findings) {
    let planned = plan.response.planned_identity.as_ref().and_then(Encoded::value);
    let Some(identity) = planned.filter(|identity| !identity.is_wholly_known()) else { return };
    let finding = Finding::new(AttributePath::root(), "the planned identity is not known")
        .actual("planned identity", identity);
    let is_refused = context.engine.refuses_unknown_planned_identities();
    findings.add(if is_refused { finding } else { finding.at_most(Level::Advice) });
}

fn unknown(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    identify(exchange, context, Value::unknown)
}

fn empty(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    identify(exchange, context, Value::null)
}

/// Plans an identity for a new object, if its type has one.
fn identify(exchange: &mut Exchange, context: &FaultContext<'_>, member: fn(Type) -> Value) -> bool {
    let AnyCall::PlanResourceChange(call) = &mut exchange.call else { return false };
    let Some(schema) = context.provider.identities.get(&call.request.type_name) else { return false };
    let is_new = call.request.prior_state.value().is_some_and(Value::is_null);
    match &mut call.outcome {
        Ok(response) if is_new => {
            let identity = identity(schema, member);
            response.planned_identity = Some(Encoded::of(identity, &schema.implied_type()));
            true
        }
        _ => false,
    }
}

fn identity(schema: &IdentitySchema, member: fn(Type) -> Value) -> Value {
    Value::object(
        schema
            .attributes
            .iter()
            .map(|attribute| (&attribute.name, member(attribute.ty.clone().unwrap_or(Type::Dynamic)))),
    )
}
