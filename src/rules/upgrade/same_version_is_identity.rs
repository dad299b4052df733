use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Finding, Findings, Injection, Upgraded, edit};
use crate::transcript::{AnyCall, Diagnostic, Exchange, Purpose};

declare_rule! {
    /// Upgrading a state of the current version changes nothing in it.
    ///
    /// Engines ask for an upgrade each time they load a state, even if its version is the
    /// current one. What the provider returned and the engine stored must come back as it was:
    /// not refreshed, not normalised, without defaults, with every number as precise as
    /// before. Otherwise users see changes that they did not make. If the version is the
    /// current one, return early, as the SDKs do.
    "upgrade/same-version-is-identity", Should, presumes: Applied,
    covers: ["UPGRADE-006", "APPLY-037"],
    title: None,
    fix: "return a state of the current version as it is",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "should not change the meaning of the data";
    check: Check::Upgrade(check);
    fault: Fault {
        name: "upgrade/capitalises",
        about: "upgrades a configured string to upper case",
        injection: Injection::Answer(capitalise),
    };
    control: Fault {
        name: "upgrade/mentions-deprecation",
        about: "warns about a state that it does not change",
        injection: Injection::Answer(mention),
    };
}

fn check(context: &Context<'_>, upgrade: &Upgraded<'_>, findings: &mut Findings) {
    let is_own = matches!(context.purpose(), Purpose::RoundTrip { .. } | Purpose::Moved { .. });
    if !is_own || upgrade.request.version != upgrade.schema.version {
        return findings.not_applicable("the state is not one the provider returned at this version");
    }
    if upgrade.upgraded.is_null() {
        return findings.not_applicable("the object was lost");
    }
    let Some(stored) = upgrade.stored() else {
        return findings.inconclusive("the stored state does not decode");
    };
    let block = &upgrade.schema.block;
    for (path, stored, upgraded) in context.changes(block, &stored, upgrade.upgraded) {
        findings.add(
            Finding::new(path, "the state has the current version, but the upgrade changes it")
                .allow("stored state", &stored)
                .actual("upgraded state", &upgraded)
                .guarded(block),
        );
    }
}

fn capitalise(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::upgraded_state(exchange, context, |schema, upgraded| edit::capitalise(&schema.block, upgraded))
}

fn mention(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    let deprecation = Diagnostic { summary: "This is deprecated".to_owned(), ..edit::warning() };
    matches!(exchange.call, AnyCall::UpgradeResourceState(_)) && edit::say(exchange, deprecation)
}
