use super::sees_the_change::lost;
use crate::declare_rule;
use crate::rule::{
    Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, Read, Shows, edit,
};
use crate::schema::{Attribute, Block};
use crate::transcript::{DriftKind, Exchange, Purpose};
use crate::value::{AttributePath, SchemaPath, Value};

declare_rule! {
    /// A read returns the state's own value where the remote object means the same.
    ///
    /// Directly after an apply nothing has changed, so a read returns exactly the state that
    /// the apply returned. The remote system may write a value differently: in another case,
    /// in another order, with null for empty. That is normalization and not drift: keep the
    /// state's value, or users see changes that they never made, often in every plan. Compare
    /// the meaning before you overwrite; the plugin framework does so for custom types with
    /// semantic equality. Keep what the remote system does not return at all as it is in the
    /// state. It is only a `should` if the next plan changes nothing at this place, as for
    /// a computed value, which a user only sees where something else refers to it.
    "read/keeps-the-form", Must, presumes: Applied,
    covers: ["READ-005", "READ-015", "APPLY-030"],
    shows: Shows::CHANGE,
    fix: "keep the state's value of {attributes} where the remote one means the same",
    framework: "use a custom type with semantic equality, such as `jsontypes.Normalized`",
    sdkv2: "keep the value of `d.Get` where the remote one means the same",
    cites: "resource instance change lifecycle", "ReadResource":
        "should return the exact value from the Previous Run State";
    check: Check::Read(check);
    fault: Fault {
        name: "read/capitalises",
        about: "reads a configured string in upper case",
        injection: Injection::Answer(capitalise),
    };
    control: Fault {
        name: "read/warns",
        about: "warns about an object that it reads as it is",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    let is_respelt = matches!(context.purpose(), Purpose::AfterDrift(_));
    let place = match context.purpose() {
        Purpose::NothingChanged { .. } => SchemaPath::root(),
        Purpose::AfterDrift(drift) if drift.kind == DriftKind::Respell => SchemaPath::named_by(&drift.path),
        _ => return findings.not_applicable("the remote object may have changed"),
    };
    if read.response.deferred.is_some() {
        return findings.not_applicable("the read was deferred");
    }
    if read.new.is_null() {
        return findings.not_applicable("the read finds no object");
    }
    let block = &read.schema.block;
    for (path, current, new) in context.changes(block, read.current, read.new) {
        // Where it is not known what was respelt, the remote system's own attributes may have followed.
        let may_follow = is_respelt
            && place.is_root()
            && block.attribute_at(&path).is_some_and(|attribute| !attribute.is_configurable());
        let is_reported = context.was_upgraded(&path)
            || context.is_harmless_emptiness(&path, &current, &new)
            || lost(context, &path, &current, &new).is_some();
        if path.schema_path().touches(&place) && !may_follow && !is_reported {
            let message = match is_respelt {
                false => "nothing changed, but another value is read",
                true => "only the spelling changed, but another value is read",
            };
            let is_shown = is_respelt || is_shown(context, block, &path, &new);
            let finding = Finding::new(path, message)
                .allow("current state", &current)
                .actual("new state", &new)
                .guarded(block);
            findings.add(match is_shown {
                true => finding,
                false => finding.at_most(Level::Should).showing(Shows::NOTHING),
            });
        }
    }
}

/// Whether a plan shows it. A value that nobody configured is planned as it was read, unless the provider plans
/// another one.
fn is_shown(context: &Context<'_>, block: &Block, path: &AttributePath, read: &Value) -> bool {
    let plan = context.next_plan().filter(|plan| plan.prior.at(path).as_ref() == Some(read));
    match plan {
        Some(plan) => plan.changes(path),
        None => block.attribute_at(path).is_none_or(Attribute::is_configurable),
    }
}

fn capitalise(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::read_state(exchange, context, |schema, _, new| edit::capitalise(&schema.block, new))
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    exchange.call.rpc_name() == "ReadResource" && edit::say(exchange, edit::warning())
}
