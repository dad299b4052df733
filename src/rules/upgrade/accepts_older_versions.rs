use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, Shows, Speaker, edit,
    failed,
};
use crate::schema::Kind;
use crate::transcript::{Alteration, AnyCall, Diagnostic, Exchange, OldState, Purpose, StateForm};
use crate::value::AttributePath;

declare_rule! {
    /// A state of each older schema version can be upgraded.
    ///
    /// A schema of version 2 had a version 1, and users have states of it. The provider refuses
    /// every state of that version, whatever is in it, and says that it has no upgrader. Users cannot plan
    /// or destroy anything with such an object until an older release of the provider has upgraded it. Each
    /// version needs an upgrader that goes to the newest one; keep it for as long as states of that version exist.
    "upgrade/accepts-older-versions", Must, presumes: Nothing,
    covers: ["UPGRADE-008"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "add an upgrader from this version to the newest one",
    framework: "return an entry for every older version from UpgradeState",
    sdkv2: "add a StateUpgrader for every older version",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "the provider itself must handle the data decoding";
    check: Check::Asked(check);
    fault: Fault {
        name: "upgrade/knows-no-older-version",
        about: "refuses the states of all versions but the newest",
        injection: Injection::Answer(refuse_all),
    };
    control: Fault {
        name: "upgrade/refuses-an-empty-state",
        about: "refuses a state of an older version that has no attributes",
        injection: Injection::Answer(refuse_empty),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let (AnyCall::UpgradeResourceState(call), Purpose::UpgradeOf(old)) = (asked.call, context.purpose())
    else {
        return findings.not_applicable("no state of an older version is upgraded");
    };
    let newest =
        context.subject().schema.get(Kind::Resource, &call.request.type_name).map(|schema| schema.version);
    let is_older = newest.is_some_and(|newest| old.version < newest);
    if !is_older || !is_whole(old) || old.alteration != Alteration::Nothing {
        return findings.not_applicable("it is not a whole state of an older version");
    }
    let Some(error) = failed::first_error(asked.call) else { return };
    if !is_about_the_version(error) {
        return findings.inconclusive("an upgrader may refuse what no version of the provider stored");
    }
    let others: Vec<_> = context.transcript.exchanges.iter().filter(|other| is_another(other, old)).collect();
    let is_refused = |other: &Exchange| {
        failed::first_error(&other.call)
            .is_some_and(|said| (&said.summary, &said.detail) == (&error.summary, &error.detail))
    };
    if others.is_empty() || !others.into_iter().all(is_refused) {
        return findings.not_applicable("it depends on the state whether it is refused");
    }
    // The one before the newest certainly existed, and not so long ago.
    let most = if newest == Some(old.version + 1) { Level::Must } else { Level::Should };
    let message =
        format!("every state of version {} is refused, whatever is in it: {}", old.version, error.summary);
    findings.add(
        Finding::new(AttributePath::root(), message)
            .caused_by(failed::cause(error, asked.call.type_name()))
            .at_most(most),
    );
}

/// What a provider says that has no upgrader, in small letters: the first two are the framework's.
const NO_UPGRADER: [&str; 6] = [
    "without an upgradestate() method",
    "expecting an implementation for version",
    "no upgrader",
    "no state upgrader",
    "unsupported schema version",
    "unknown schema version",
];

/// Whether its words are those of a provider without an upgrader. One that has it may refuse all that is made up, with
/// the same words for everything.
fn is_about_the_version(error: &Diagnostic) -> bool {
    let said = error.line().to_lowercase();
    NO_UPGRADER.iter().any(|words| said.contains(words))
}

/// Whether all of it is as it is, null, or left out.
fn is_whole(old: &OldState) -> bool {
    old.at.is_empty() && old.form == StateForm::Json
}

/// Whether it upgrades another state of the same version.
fn is_another(exchange: &Exchange, old: &OldState) -> bool {
    let Purpose::UpgradeOf(other) = &exchange.purpose else { return false };
    is_whole(other) && other.version == old.version && other.alteration != Alteration::Nothing
}

/// Whether the call upgrades the state of an older version that `is_it`.
fn upgrades(exchange: &Exchange, context: &FaultContext<'_>, is_it: fn(&[u8]) -> bool) -> bool {
    let (Some(schema), AnyCall::UpgradeResourceState(call)) = (context.schema, &exchange.call) else {
        return false;
    };
    call.request.version < schema.version && is_it(&call.request.raw_state.json)
}

fn refuse(exchange: &mut Exchange) -> bool {
    edit::say(exchange, Diagnostic::error("No upgrader", "There is no upgrader for this version."))
}

fn refuse_all(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    upgrades(exchange, context, |_| true) && refuse(exchange)
}

fn refuse_empty(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    upgrades(exchange, context, |json| json == b"{}") && refuse(exchange)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_words_about_the_version_tell_that_there_is_no_upgrader() {
        let says = |summary: &str, detail: &str| is_about_the_version(&Diagnostic::error(summary, detail));
        let framework = "This resource was implemented with an UpgradeState() method, however Terraform was expecting an \
                         implementation for version 0 upgrade.";
        assert!(says("Unable to Upgrade Resource State", framework));
        let without = "This resource was implemented without an UpgradeState() method, however …";
        assert!(says("Unable to Upgrade Resource State", without));
        // An upgrader that exists, and does not take what was made up.
        assert!(!says("Version 3 State Upgrade Error", "An unexpected error occurred."));
    }
}
