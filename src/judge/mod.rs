//! Applies rules to transcripts.
//!
//! A pure function of the transcript: the same one gives the same verdicts, live
//! or from a file. A panic in a rule makes that rule inconclusive, not the run.

use std::panic::{AssertUnwindSafe, catch_unwind};

use serde::{Deserialize, Serialize};

use crate::engine::Engine;
use crate::rule::{Abstained, Asked, Check, Context, Finding, Findings, Legacy, Level, Rule, Volatile};
use crate::transcript::{Exchange, ExchangeId, PriorOrigin, Step, Transcript};

/// What a user decided that bears on judgement.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub engine: Engine,
    pub volatile: Volatile,
}

/// What one rule says of one exchange.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
pub enum Verdict {
    NotApplicable,
    Pass,
    Inconclusive,
    Fail,
}

/// A breach, placed and weighed.
#[derive(Clone, Debug)]
pub struct Judged {
    pub rule: &'static Rule,
    pub level: Level,
    pub exchange: ExchangeId,
    pub step: Step,
    pub rpc: &'static str,
    /// The resource type or data source; empty where the breach concerns none.
    pub type_name: String,
    pub instance: String,
    pub finding: Finding,
}

/// The judgement of one transcript.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    pub findings: Vec<Judged>,
    /// One entry for each rule and exchange that the rule had a view of.
    pub verdicts: Vec<(&'static Rule, ExchangeId, Verdict)>,
    /// Why rules could not judge what they should have, each reason once.
    pub inconclusive: Vec<(&'static Rule, ExchangeId, String)>,
}

/// Applies every rule to every exchange.
pub fn judge(rules: &[&'static Rule], transcript: &Transcript, settings: &Settings) -> Judgement {
    let mut judgement = Judgement::default();
    for exchange in &transcript.exchanges {
        let context = Context::new(transcript, exchange, settings.engine, &settings.volatile);
        for rule in rules {
            judge_exchange(rule, &context, &mut judgement);
        }
    }
    judgement
}

fn judge_exchange(rule: &'static Rule, context: &Context<'_>, judgement: &mut Judgement) {
    let mut findings = Findings::default();
    // The rules are pure functions over shared references: nothing is left half-changed.
    let outcome = catch_unwind(AssertUnwindSafe(|| apply(rule, context, &mut findings)));
    let id = context.exchange.id;
    let verdict = match outcome {
        Ok(false) => return,
        Err(_) => {
            judgement.inconclusive.push((
                rule,
                id,
                "the rule itself failed, which is a defect of tfconform".to_owned(),
            ));
            Verdict::Inconclusive
        }
        Ok(true) => match findings.abstained.take() {
            _ if !findings.found.is_empty() => Verdict::Fail,
            Some(Abstained::NotApplicable(_)) => Verdict::NotApplicable,
            Some(Abstained::Inconclusive(reason)) => {
                judgement.inconclusive.push((rule, id, reason));
                Verdict::Inconclusive
            }
            None => Verdict::Pass,
        },
    };
    judgement.verdicts.push((rule, id, verdict));
    for finding in findings.found {
        judgement.findings.push(weigh(rule, context.exchange, finding));
    }
}

/// Whether the rule had a view of the exchange, and looked at it.
fn apply(rule: &'static Rule, context: &Context<'_>, findings: &mut Findings) -> bool {
    macro_rules! with {
        ($view:expr, $check:expr) => {
            match $view {
                Ok(view) => {
                    $check(context, &view, findings);
                    true
                }
                Err(_) => false,
            }
        };
    }
    match rule.check {
        Check::Schema(check) => with!(context.new_schema(), check),
        Check::EverySchema(check) => with!(context.schema(), check),
        Check::Asked(check) => {
            check(context, &Asked::of(context.exchange), findings);
            true
        }
        Check::Plan(check) => with!(context.planned(), check),
        Check::DestroyPlan(check) => with!(context.destroy_plan(), check),
        Check::Apply(check) => with!(context.applied(), check),
        Check::Read(check) => with!(context.read(), check),
        Check::Upgrade(check) => with!(context.upgraded(), check),
        Check::DataRead(check) => with!(context.data_read(), check),
    }
}

/// How much a breach matters, given what it was found on.
fn weigh(rule: &'static Rule, exchange: &Exchange, finding: Finding) -> Judged {
    let synthetic = matches!(exchange.prior, PriorOrigin::Synthesised | PriorOrigin::Injected);
    let level = if rule.legacy == Legacy::Excused && exchange.call.legacy_type_system() {
        rule.level.min(Level::Tolerated)
    } else if rule.needs_applied_prior && synthetic {
        Level::Advice
    } else {
        rule.level
    };
    let level = finding.at_most.map_or(level, |most| level.min(most));
    Judged {
        rule,
        level,
        exchange: exchange.id,
        step: exchange.step,
        rpc: exchange.call.rpc_name(),
        type_name: exchange.call.type_name().unwrap_or_default().to_owned(),
        instance: exchange.instance.clone(),
        finding,
    }
}
