use crate::declare_rule;
use crate::rule::{
    Check, Context, Fault, FaultContext, Finding, Findings, Injection, Upgraded, edit, failed,
};
use crate::schema::{Attribute, Schema};
use crate::transcript::{Alteration, AnyCall, Exchange, OldState, Purpose, StateForm};
use crate::value::{AttributePath, Type, Value};

declare_rule! {
    /// An upgrade keeps the values of arguments that the older version had too.
    ///
    /// A state of an older version holds a value of an argument, and the upgraded state holds none. The upgrader knows
    /// the argument by this name and type, because it refuses a list in its place. Users who upgrade the provider see
    /// the argument added again, or the object replaced; where Read cannot know the value, it is lost for good. An
    /// upgrader that moves the value to another argument is left alone, and so is one that knows nothing of the
    /// argument.
    "upgrade/keeps-the-values", Should, presumes: Nothing,
    covers: ["UPGRADE-009"],
    title: None,
    fix: "copy {attributes} from the older state",
    framework: "set every attribute of PriorSchema that the newest schema has too in `resp.State`",
    sdkv2: "return the map that the StateUpgrader was given, with the changes made in it",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "should not change the meaning of the data";
    check: Check::Upgrade(check);
    fault: Fault {
        name: "upgrade/drops-an-argument",
        about: "leaves an argument out when it upgrades a state of an older version",
        injection: Injection::Answer(drop_argument),
    };
    control: Fault {
        name: "upgrade/moves-an-argument",
        about: "gives the value of an argument to another one when it upgrades a state of an older version",
        injection: Injection::Answer(move_argument),
    };
}

fn check(context: &Context<'_>, upgrade: &Upgraded<'_>, findings: &mut Findings) {
    let whole = match context.purpose() {
        Purpose::UpgradeOf(old) if is_untouched(old) && old.version < upgrade.schema.version => old,
        _ => return findings.not_applicable("it is not a whole state of an older version"),
    };
    if upgrade.upgraded.is_null() {
        return findings.not_applicable("the object was lost");
    }
    let Some(stored) = upgrade.stored() else {
        return findings.inconclusive("the stored state does not decode");
    };
    let is_lost = |attribute: &&Attribute| {
        let set = |state: &Value| state.attribute(&attribute.name).is_some_and(Value::is_set);
        is_argument(attribute) && set(&stored) && !set(upgrade.upgraded)
    };
    for attribute in upgrade.schema.block.attributes.iter().filter(is_lost) {
        let value = stored.member(&attribute.name);
        let is_moved = upgrade.schema.block.attributes.iter().any(|other| {
            let same = |new: &Value| new.ty() == value.ty() && new.equals(&value).is_true();
            stored.attribute(&other.name).is_none_or(|old| !same(old))
                && upgrade.upgraded.attribute(&other.name).is_some_and(same)
        });
        if is_moved || !is_known(context, whole, attribute) {
            continue;
        }
        let path = AttributePath::root().attribute(&attribute.name);
        let message =
            format!("the value is lost: the upgrader knows the argument in version {}", whole.version);
        findings.add(
            Finding::new(path, message)
                .allow("stored state", &value)
                .actual("upgraded state", &upgrade.upgraded.member(&attribute.name))
                .guarded(&upgrade.schema.block),
        );
    }
}

fn is_untouched(old: &OldState) -> bool {
    old.form == StateForm::Json && old.alteration == Alteration::Nothing
}

fn is_argument(attribute: &Attribute) -> bool {
    (attribute.required || attribute.optional) && !attribute.write_only
}

/// Whether the upgrader refuses another type in the attribute's place, in a state that is the same otherwise.
fn is_known(context: &Context<'_>, whole: &OldState, attribute: &Attribute) -> bool {
    let is_altered = |old: &OldState| {
        let is_same = old.version == whole.version && old.form == whole.form && old.at == attribute.name;
        is_same && matches!(old.alteration, Alteration::List | Alteration::Single)
    };
    context.transcript.exchanges.iter().any(|other| {
        matches!(&other.purpose, Purpose::UpgradeOf(old) if is_altered(old))
            && failed::first_error(&other.call).is_some()
    })
}

/// The first text among the arguments of a state of an older version that was upgraded.
fn first_argument<'s>(version: i64, schema: &'s Schema, upgraded: &Value) -> Option<&'s Attribute> {
    let is_text = |attribute: &Attribute, value: &Value| {
        attribute.optional && is_argument(attribute) && attribute.ty() == Type::String && value.is_set()
    };
    edit::first_attribute(schema, upgraded, is_text).filter(|_| version < schema.version)
}

fn version(exchange: &Exchange) -> i64 {
    match &exchange.call {
        AnyCall::UpgradeResourceState(call) => call.request.version,
        _ => i64::MAX,
    }
}

fn drop_argument(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let version = version(exchange);
    edit::upgraded_state(exchange, context, |schema, upgraded| {
        let dropped = first_argument(version, schema, upgraded)?;
        Some(upgraded.with_attribute(&dropped.name, Value::null(Type::String)))
    })
}

fn move_argument(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let version = version(exchange);
    edit::upgraded_state(exchange, context, |schema, upgraded| {
        let from = first_argument(version, schema, upgraded)?;
        let to = schema.block.attributes.iter().find(|to| {
            to.name != from.name && to.ty() == Type::String && (to.optional || to.computed) && !to.write_only
        })?;
        let value = upgraded.member(&from.name);
        Some(upgraded.with_attribute(&from.name, Value::null(Type::String)).with_attribute(&to.name, value))
    })
}
