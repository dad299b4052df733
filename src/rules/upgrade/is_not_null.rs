use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Findings, Injection, Upgraded, edit};
use crate::transcript::{AnyCall, Exchange};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// An upgraded state is an object.
    ///
    /// An upgrade cannot know that the object is gone: it makes no remote calls, and only a
    /// read removes an object from the state. Engines accept null here without a word, and a destroy
    /// that does not refresh forgets the object, which stays behind in the remote system. To refuse a
    /// state, report an error.
    "upgrade/is-not-null", Must,
    covers: ["UPGRADE-005"],
    title: None,
    fix: "return the upgraded object, or an error; only Read removes an object",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "captures the same information as the Previous Run State";
    check: Check::Upgrade(check);
    fault: Fault {
        name: "upgrade/loses-the-object",
        about: "upgrades a state to null",
        injection: Injection::Answer(lose),
    };
    control: Fault {
        name: "upgrade/warns",
        about: "warns about a state that it upgrades",
        injection: Injection::Answer(warn),
    };
}

fn check(_: &Context<'_>, upgrade: &Upgraded<'_>, findings: &mut Findings) {
    if upgrade.upgraded.is_null() {
        findings.report(AttributePath::root(), "a stored object was upgraded to null");
    }
}

fn lose(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::upgraded_state(exchange, context, |_, upgraded| Some(Value::null(upgraded.ty().clone())))
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    matches!(exchange.call, AnyCall::UpgradeResourceState(_)) && edit::say(exchange, edit::warning())
}
