//! What providers answered with an error, by the step of a lifecycle and by its words.

use std::cmp::Reverse;
use std::collections::{BTreeMap, BTreeSet};

use serde::Serialize;

use super::stages::template;
use super::{Refusal, Report, TypeLine};
use crate::calls::Rpc;
use crate::rule::failed::is_unreachable;
use crate::schema::Kind;

/// A step that a provider can refuse.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize)]
#[serde(rename_all = "lowercase")]
pub enum Step {
    Validation,
    Plan,
    Apply,
    /// Of an object or of a data source; the upgrade of a stored object included.
    Read,
}

/// The errors at one step.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct RefusedAt {
    pub step: Step,
    /// Scenarios whose first error was at this step.
    pub scenarios: u64,
    /// The most common first.
    pub messages: Vec<Message>,
}

/// Errors with the same words.
#[derive(Clone, Debug, PartialEq, Eq, Serialize)]
pub struct Message {
    /// The first line, with `…` for quoted names.
    pub message: String,
    pub scenarios: u64,
}

impl Step {
    /// `None` for what an engine refuses before any call.
    fn of(rpc: Option<Rpc>) -> Step {
        match rpc {
            Some(Rpc::PlanResourceChange | Rpc::PlanAction) => Step::Plan,
            Some(Rpc::ApplyResourceChange | Rpc::InvokeAction) => Step::Apply,
            Some(
                Rpc::ReadResource
                | Rpc::ReadDataSource
                | Rpc::UpgradeResourceState
                | Rpc::UpgradeResourceIdentity
                | Rpc::MoveResourceState
                | Rpc::ImportResourceState
                | Rpc::GenerateResourceConfig
                | Rpc::OpenEphemeralResource
                | Rpc::RenewEphemeralResource
                | Rpc::CloseEphemeralResource
                | Rpc::ListResource
                | Rpc::ReadStateBytes
                | Rpc::GetStates,
            ) => Step::Read,
            Some(Rpc::WriteStateBytes | Rpc::LockState | Rpc::UnlockState | Rpc::DeleteState) => Step::Apply,
            Some(
                Rpc::GetMetadata
                | Rpc::GetProviderSchema
                | Rpc::GetResourceIdentitySchemas
                | Rpc::GetFunctions
                | Rpc::CallFunction
                | Rpc::ValidateProviderConfig
                | Rpc::ValidateResourceConfig
                | Rpc::ValidateDataResourceConfig
                | Rpc::ValidateEphemeralResourceConfig
                | Rpc::ValidateListResourceConfig
                | Rpc::ValidateActionConfig
                | Rpc::ValidateStateStoreConfig
                | Rpc::ConfigureProvider
                | Rpc::ConfigureStateStore
                | Rpc::StopProvider,
            )
            | None => Step::Validation,
        }
    }

    /// What failed there, in the plural.
    pub(super) fn failures(self) -> &'static str {
        match self {
            Step::Validation => "refused validations",
            Step::Plan => "failed plans",
            Step::Apply => "failed applies",
            Step::Read => "failed reads",
        }
    }
}

impl Report {
    /// The errors of the provider, by step, in the order of a lifecycle.
    pub fn refused_at(&self) -> Vec<RefusedAt> {
        let mut steps: BTreeMap<Step, BTreeMap<String, u64>> = BTreeMap::new();
        for refusal in self.refused() {
            let message = template(&refusal.message, &refusal.type_name);
            *steps.entry(Step::of(refusal.rpc)).or_default().entry(message).or_default() += refusal.scenarios;
        }
        let refused_at = |(step, messages): (Step, BTreeMap<String, u64>)| {
            let message = |(message, scenarios)| Message { message, scenarios };
            let mut messages: Vec<Message> = messages.into_iter().map(message).collect();
            messages.sort_by_key(|message| Reverse(message.scenarios));
            RefusedAt { step, scenarios: messages.iter().map(|message| message.scenarios).sum(), messages }
        };
        steps.into_iter().map(refused_at).collect()
    }

    fn refused(&self) -> impl Iterator<Item = &Refusal> {
        self.refusals.iter().filter(|refusal| !refusal.by_engine)
    }

    /// How many managed types were planned and never applied, because their applies fail.
    pub fn types_whose_applies_fail(&self) -> u64 {
        let failing: BTreeSet<&str> = self
            .refused()
            .filter(|refusal| refusal.kind == Kind::Resource && Step::of(refusal.rpc) == Step::Apply)
            .map(|refusal| refusal.type_name.as_str())
            .collect();
        let lines = self.per_type.iter().filter(|line| line.kind == Kind::Resource);
        let unapplied = lines.filter(|line| line.reached.planned && !line.reached.applied);
        unapplied.filter(|line| failing.contains(line.type_name.as_str())).count() as u64
    }

    /// Whether nothing at all was applied, although applying was allowed or only the sandbox was in the way; of
    /// data sources alone, nothing was read.
    pub fn is_unapplied(&self) -> bool {
        let types = self.totals.types;
        let is_untouched = match types.managed {
            0 => types.data_sources > 0 && types.read == 0,
            _ => types.applied == 0,
        };
        (self.nothing_applied.is_none() || self.sandbox_failed) && is_untouched
    }

    /// The types that were tried in vain: every scenario of theirs ended in a refusal, and none got as far as an
    /// object.
    pub fn refused_types(&self) -> Vec<String> {
        let has_object = |line: &TypeLine| line.reached.applied || line.reached.read;
        let refused = self.per_type.iter().filter(|line| line.is_refused() && !has_object(line));
        refused.map(|line| line.kind.qualified(&line.type_name)).collect()
    }

    /// Why nothing was applied, if it was allowed, and what would help.
    pub fn why_unapplied(&self) -> Option<String> {
        if !self.is_unapplied() {
            return None;
        }
        if let Some(why) = self.nothing_applied.as_ref().filter(|_| self.sandbox_failed) {
            return Some(format!("{why}; `--no-apply` is for runs in which plans are enough"));
        }
        let types = self.totals.types;
        let (what, reached) = match types.managed {
            0 => ("read", format!("{} of {} data sources were validated", types.validated, types.total)),
            _ => ("applied", format!("{} of {} resource types were planned", types.planned, types.managed)),
        };
        let last = self.refused_at().pop();
        let why = last.as_ref().and_then(|last| Some((last.step.failures(), last.messages.first()?)));
        let Some((failures, message)) = why else {
            return Some(format!("nothing was {what}: {reached}, and no scenario went further"));
        };
        let help = match () {
            () if self.refused().any(|refusal| is_unreachable(&refusal.message)) => {
                "the provider could not reach its remote system: start a mock of it with `remote.start` in a \
                 suite, or see “Safety” in the README for other ways"
            }
            () if last.as_ref().is_some_and(|last| last.step == Step::Apply) => {
                "if the remote system refuses generated values, set its own with \
                 `resource.TYPE.attr.PATH.values` in a suite"
            }
            () => {
                "give the arguments that are refused values of your own, with `resource.TYPE.attr.PATH.values` \
                 in a suite"
            }
        };
        let Message { message, scenarios } = message;
        let n_scenarios =
            if *scenarios == 1 { "1 scenario".to_owned() } else { format!("{scenarios} scenarios") };
        Some(format!("nothing was {what}: {reached}; {failures}: “{message}” in {n_scenarios}; {help}"))
    }
}
