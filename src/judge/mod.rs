//! Applies rules to transcripts.
//!
//! A pure function of the transcript: it gives the same verdicts live and from a
//! file. A panic in a rule makes that rule inconclusive, not the run.

mod verdict;

use std::collections::BTreeMap;
use std::panic::{AssertUnwindSafe, catch_unwind};

use crate::engine::Engine;
use crate::rule::{
    Abstained, Asked, Check, Context, Finding, Findings, Legacy, Level, Rule, RuleId, Shows, Speaker,
    Volatile,
};
use crate::transcript::{Exchange, ExchangeId, Phase, PriorOrigin, Transcript};

pub use verdict::{Tally, Verdict};

/// The user's settings that affect judgement.
#[derive(Clone, Debug, Default)]
pub struct Settings {
    pub engine: Engine,
    pub volatile: Volatile,
}

/// A finding with its place and its level.
#[derive(Clone, Debug)]
pub struct WeighedFinding {
    pub rule: &'static Rule,
    pub level: Level,
    pub exchange: ExchangeId,
    pub phase: Phase,
    /// Where the prior state of the exchange comes from.
    pub prior: PriorOrigin,
    pub rpc: &'static str,
    /// The resource type or data source; empty if the finding concerns none.
    pub type_name: String,
    pub instance: String,
    pub finding: Finding,
}

/// The judgement of one transcript.
#[derive(Clone, Debug, Default)]
pub struct Judgement {
    pub findings: Vec<WeighedFinding>,
    /// The verdicts of each rule, in the order of the rules; all zero for a rule that applied to nothing.
    pub tallies: Vec<(&'static Rule, Tally)>,
    /// Why rules were inconclusive, and how often.
    pub inconclusive: BTreeMap<(RuleId, String), u64>,
}

/// The most findings of one rule about one exchange: a set of thousands may be wrong in each element.
const MOST_FINDINGS: usize = 100;

/// Applies every rule to every exchange.
pub fn judge(rules: &[&'static Rule], transcript: &Transcript, settings: &Settings) -> Judgement {
    judge_until(rules, transcript, settings, &|| false)
}

/// As [`judge`], until `is_over`; rules that were not asked by then are inconclusive, with the size of the
/// answer.
pub fn judge_until(
    rules: &[&'static Rule],
    transcript: &Transcript,
    settings: &Settings,
    is_over: &dyn Fn() -> bool,
) -> Judgement {
    let mut judgement = Judgement {
        tallies: rules.iter().map(|rule| (*rule, Tally::default())).collect(),
        ..Judgement::default()
    };
    for exchange in &transcript.exchanges {
        let context = Context::new(transcript, exchange, settings.engine, &settings.volatile);
        for (idx, rule) in rules.iter().enumerate() {
            let said = if is_over() { Some(not_asked(exchange)) } else { ask(rule, &context) };
            let Some(said) = said else { continue };
            judgement.tallies[idx].1.add(said.verdict);
            if let Some(reason) = said.inconclusive {
                *judgement.inconclusive.entry((rule.id, reason)).or_default() += 1;
            }
            let found = said.found.into_iter().take(MOST_FINDINGS);
            judgement.findings.extend(found.map(|finding| weigh(rule, exchange, finding, settings.engine)));
        }
    }
    judgement
}

/// The verdict of each rule on each exchange that it applies to, one by one; a run only tallies them.
pub fn verdicts(
    rules: &[&'static Rule],
    transcript: &Transcript,
    settings: &Settings,
) -> Vec<(RuleId, ExchangeId, Verdict)> {
    let mut verdicts = Vec::new();
    for exchange in &transcript.exchanges {
        let context = Context::new(transcript, exchange, settings.engine, &settings.volatile);
        let said = rules.iter().filter_map(|rule| Some((rule.id, exchange.id, ask(rule, &context)?.verdict)));
        verdicts.extend(said);
    }
    verdicts
}

/// What one rule says about one exchange.
struct Said {
    verdict: Verdict,
    inconclusive: Option<String>,
    found: Vec<Finding>,
}

/// What is said for a rule that there was no time for.
fn not_asked(exchange: &Exchange) -> Said {
    let bytes = exchange.call.answer_size();
    let reason = format!("not judged in time: an answer to {} of {bytes} bytes", exchange.call.rpc_name());
    Said { verdict: Verdict::Inconclusive, inconclusive: Some(reason), found: Vec::new() }
}

/// Asks one rule about one exchange; `None` where the rule does not apply to it.
fn ask(rule: &'static Rule, context: &Context<'_>) -> Option<Said> {
    if !rule.is_about(context.exchange.prior) {
        return None;
    }
    let mut findings = Findings::default();
    // Rules are pure functions over shared references: a panic leaves nothing half-changed.
    let outcome = catch_unwind(AssertUnwindSafe(|| apply(rule, context, &mut findings)));
    let inconclusive = |reason: String| (Verdict::Inconclusive, Some(reason));
    let (verdict, reason) = match outcome {
        Ok(false) => return None,
        Err(_) => inconclusive("the rule panicked, which is a defect of tfconform".to_owned()),
        Ok(true) => match findings.abstained.take() {
            _ if !findings.found.is_empty() => (Verdict::Fail, None),
            Some(Abstained::NotApplicable(_)) => (Verdict::NotApplicable, None),
            Some(Abstained::Inconclusive(reason)) => inconclusive(reason),
            None => (Verdict::Pass, None),
        },
    };
    Some(Said { verdict, inconclusive: reason, found: findings.found })
}

/// Runs the rule on its view of the exchange; false if it has none.
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
        Check::Move(check) => with!(context.moved(), check),
        Check::DataRead(check) => with!(context.data_read(), check),
    }
}

/// Gives a finding its level, which depends on the exchange.
fn weigh(rule: &'static Rule, exchange: &Exchange, mut finding: Finding, engine: Engine) -> WeighedFinding {
    let is_legacy = rule.legacy == Legacy::Excused && exchange.call.legacy_type_system();
    let is_excused = is_legacy && finding.level.is_none();
    let level = match is_excused {
        true => rule.level.min(Level::Tolerated),
        false => finding.level.unwrap_or(rule.level),
    };
    let level = level.min(rule.most_on(exchange.prior));
    let level = finding.at_most.map_or(level, |most| level.min(most));
    // What the imitated release does not check is documented all the same.
    let is_enforced = rule.enforced.is_by(engine);
    let level = if is_enforced { level } else { level.min(Level::Should) };
    finding.shows = finding.shows.or_else(|| own_error(rule, exchange));
    finding.shows = finding.shows.or_else(|| rule.shows.only_in(engine).filter(|_| is_enforced));
    // An engine only logs what it excuses.
    if !is_enforced || is_excused {
        finding.shows.get_or_insert(Shows::NOTHING.to_string());
    }
    WeighedFinding {
        rule,
        level,
        exchange: exchange.id,
        phase: exchange.phase,
        prior: exchange.prior,
        rpc: exchange.call.rpc_name(),
        type_name: exchange.call.type_name().unwrap_or_default().to_owned(),
        instance: exchange.instance.clone(),
        finding,
    }
}

const OWN_WORDS: Shows = Shows::words_of(Speaker::Provider);

/// The provider's own error, which an engine shows where it has none of its own.
fn own_error(rule: &Rule, exchange: &Exchange) -> Option<String> {
    if !matches!(rule.shows, Shows::NOTHING | OWN_WORDS) {
        return None;
    }
    let error = exchange.call.diagnostics().into_iter().find(|diagnostic| diagnostic.is_error())?;
    Some(format!("the provider's own error: “{}”", error.summary))
}
