//! Adds up judgements into a report.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::case::{Shown, answered, case};
use super::{Keeper, RunOptions, again};
use crate::judge::{Judged, Judgement};
use crate::lifecycle::{End, Played, Reached};
use crate::process::Usage;
use crate::record::{KeptFor, Masker};
use crate::report::{Case, Group, Refusal, Report, RunLine, Totals, TypeLine, Types};
use crate::rule::Level;
use crate::scenario::Scenario;
use crate::schema::Kind;
use crate::transcript::{AnyCall, CrashReport, Exchange, RpcFailure, Subject, Transcript};
use crate::value::AttributePath;

/// A scenario that was played and judged.
pub struct Finished {
    kind: Kind,
    scenario: Scenario,
    played: Played,
    judgement: Judgement,
}

impl Finished {
    pub fn new(kind: Kind, scenario: Scenario, played: Played, judgement: Judgement) -> Finished {
        Finished { kind, scenario, played, judgement }
    }
}

/// How many types are named of which something may be left.
const MAX_LEFT: usize = 5;

/// What makes two findings one: rule, level, place, cause, and why it is known.
type GroupKey = (Level, &'static str, String, String, Option<String>);

/// The report in the making. The order in which scenarios arrive leaves no trace in it.
pub struct Collector {
    run: RunLine,
    subject: Arc<Subject>,
    options: Arc<RunOptions>,
    groups: BTreeMap<GroupKey, Group>,
    totals: Totals,
    reached: BTreeMap<(Kind, String), TypeReached>,
    refusals: BTreeMap<(Kind, String, String, String), u64>,
    notes: BTreeSet<String>,
    nothing_applied: Option<String>,
    impossible: BTreeMap<&'static str, (u64, String)>,
    /// Types of which something may be left, with the number of scenarios.
    left: BTreeMap<String, u64>,
    inconclusive: BTreeMap<(String, String), u64>,
    keeper: Keeper,
    unusable: bool,
    /// Scenarios in which an apply did not end in time.
    hung: u64,
}

#[derive(Clone, Copy, Default)]
struct TypeReached {
    reached: Reached,
    scenarios: u64,
    refused: u64,
}

impl Collector {
    pub fn new(options: &Arc<RunOptions>, subject: Arc<Subject>, keeper: Keeper) -> Collector {
        let run = RunLine {
            provider: subject.name.clone(),
            program: options.program.path.display().to_string(),
            protocol: subject.protocol,
            engine: options.engine.name().to_owned(),
            seed: options.seed,
            cases: options.cases,
            applied: options.apply,
        };
        let nothing_applied =
            (!options.apply).then(|| format!("nothing was applied or read: {}", options.apply_reason));
        let mut notes: BTreeSet<String> = nothing_applied.iter().cloned().collect();
        if options.origin.reattached.is_some() {
            notes.insert("the provider was already running, so it was neither measured nor ended".to_owned());
        }
        Collector {
            options: Arc::clone(options),
            run,
            subject,
            groups: BTreeMap::new(),
            totals: Totals::default(),
            reached: BTreeMap::new(),
            refusals: BTreeMap::new(),
            notes,
            nothing_applied,
            impossible: BTreeMap::new(),
            left: BTreeMap::new(),
            inconclusive: BTreeMap::new(),
            keeper,
            unusable: false,
            hung: 0,
        }
    }

    pub fn note(&mut self, note: String) {
        self.notes.insert(self.masker().shown(&note));
    }

    /// What knows the secrets of the run.
    pub fn masker(&self) -> Arc<Masker> {
        self.keeper.masker()
    }

    /// The provider showed its schema and could not be used any further.
    pub fn unusable(&mut self, why: &str) {
        self.note(why.to_owned());
        self.unusable = true;
    }

    /// A scenario that a defect of ours ended.
    pub fn broke(&mut self, defect: String) {
        self.totals.defects += 1;
        self.notes.insert(format!("a scenario was ended by a defect of tfconform: {defect}"));
    }

    pub fn n_findings(&self) -> u64 {
        self.groups.values().map(|group| group.count).sum()
    }

    /// What could not be written so far, if anything.
    pub fn problem(&self) -> Option<String> {
        self.keeper.problems().next()
    }

    /// The judgement of the first calls, which belong to no type.
    pub fn add_start(&mut self, judgement: &Judgement, transcript: &Transcript) {
        self.keeper.transcript(transcript);
        self.judged(judgement, transcript, None);
    }

    pub fn add(&mut self, finished: Finished) {
        let Finished { kind, scenario, played, judgement } = finished;
        let label = played.transcript.scenario.clone();
        self.totals.scenarios += 1;
        let masker = self.masker();
        let secrets = masker.secrets(&played.transcript);
        let entry = self.reached.entry((kind, label.type_name.clone())).or_default();
        entry.scenarios += 1;
        entry.reached.validated |= played.reached.validated;
        entry.reached.planned |= played.reached.planned;
        entry.reached.applied |= played.reached.applied;
        entry.reached.read |= played.reached.read;
        if played.leaves_something {
            *self.left.entry(label.type_name.clone()).or_default() += 1;
        }
        match &played.end {
            End::Refused { rpc, diagnostics, .. } => {
                entry.refused += 1;
                let message = diagnostics.first().map(|d| secrets.shown(&d.summary)).unwrap_or_default();
                *self
                    .refusals
                    .entry((finished.kind, label.type_name, (*rpc).to_owned(), message))
                    .or_default() += 1;
            }
            End::Lost { why } => {
                self.totals.is_lost = true;
                self.note(format!("the provider is gone and cannot be had again: {why}"));
            }
            End::Stopped { rpc, why, .. } => {
                let message = format!("an engine stops here: {}", secrets.shown(why));
                *self
                    .refusals
                    .entry((finished.kind, label.type_name, (*rpc).to_owned(), message))
                    .or_default() += 1;
            }
            End::Done => {}
        }
        for (kind, why) in &played.impossible {
            // One reason stands for all: they differ in the name of the type.
            let entry = self.impossible.entry(kind.name()).or_insert_with(|| (0, why.clone()));
            entry.0 += 1;
        }
        self.hung += u64::from(played.transcript.exchanges.iter().any(is_hung_apply));
        self.keeper.transcript(&played.transcript);
        self.judged(&judgement, &played.transcript, Some(&scenario));
    }

    /// A crash that no single call could be made to repeat: still a process that is gone.
    pub fn unexplained_crash(&mut self, report: &CrashReport) {
        let rule = &crate::rules::rpc::survives::RULE;
        let masker = self.masker();
        let cause = masker.shown(&report.cause());
        let message = format!("{report}, and none of the calls in flight could be made to repeat it alone");
        *self.totals.findings.entry(rule.level.name().to_owned()).or_default() += 1;
        let key = (rule.level, rule.id, String::new(), cause.clone(), None);
        let case = || Case {
            path: AttributePath::root().to_string(),
            message: masker.shown(&message),
            stderr: masker.shown(&report.stderr_tail),
            again: again::check(&self.options, self.subject.protocol, ""),
            ..Case::default()
        };
        let group = self.groups.entry(key).or_insert_with(|| Group {
            rule,
            level: rule.level,
            path: String::new(),
            cause,
            known: None,
            count: 0,
            types: BTreeSet::new(),
            case: case(),
        });
        group.count += 1;
    }

    fn judged(&mut self, judgement: &Judgement, transcript: &Transcript, scenario: Option<&Scenario>) {
        for (rule, _, verdict) in &judgement.verdicts {
            // There are hundreds of verdicts for each call, and a key is a new text.
            match self.totals.rules.get_mut(rule.id) {
                Some(tally) => tally.add(*verdict),
                None => self.totals.rules.entry(rule.id.to_owned()).or_default().add(*verdict),
            }
        }
        for (rule, _, reason) in &judgement.inconclusive {
            *self.inconclusive.entry((rule.id.to_owned(), reason.clone())).or_default() += 1;
        }
        if judgement.findings.is_empty() {
            return;
        }
        let masker = self.masker();
        let shown = Shown { secrets: &masker.secrets(transcript), masker: &masker };
        for judged in &judgement.findings {
            self.found(judged, transcript, scenario, &shown);
        }
    }

    fn found(
        &mut self,
        judged: &Judged,
        transcript: &Transcript,
        scenario: Option<&Scenario>,
        shown: &Shown<'_>,
    ) {
        *self.totals.findings.entry(judged.level.name().to_owned()).or_default() += 1;
        let path = judged.finding.path.schema_path().to_string();
        let known =
            self.options.known.iter().find(|known| known.excuses(judged.rule.id, &judged.type_name, &path));
        let known = known.map(|known| known.reason.clone());
        let cause = shown.secrets.shown(&judged.finding.cause);
        let key = (judged.level, judged.rule.id, path.clone(), cause.clone(), known.clone());
        let number = (transcript.scenario.type_name.clone(), transcript.scenario.number);
        // The first in the order of types and numbers is shown, whichever came first.
        let first = self.groups.get(&key).map(|group| &group.case.scenario);
        let is_first = first.is_none_or(|label| number < (label.type_name.clone(), label.number));
        let case = is_first.then(|| {
            let kept = scenario.and_then(|scenario| {
                let kept_for = KeptFor {
                    rule: judged.rule.id.to_owned(),
                    path: path.clone(),
                    cause: judged.finding.cause.clone(),
                    answered: answered(transcript, judged).unwrap_or_default().to_owned(),
                };
                self.keeper.case(judged.level, transcript, scenario, &kept_for)
            });
            let again = kept.unwrap_or_else(|| {
                again::check(&self.options, self.subject.protocol, &transcript.scenario.type_name)
            });
            shown.case(case(judged, transcript, again, &self.subject))
        });
        let group = self.groups.entry(key).or_insert_with(|| Group {
            rule: judged.rule,
            level: judged.level,
            path,
            cause,
            known,
            count: 0,
            types: BTreeSet::new(),
            case: Case::default(),
        });
        group.count += 1;
        if !judged.type_name.is_empty() {
            group.types.insert(judged.type_name.clone());
        }
        if let Some(case) = case {
            group.case = case;
        }
    }

    pub(super) fn finish(&mut self, wall: Duration, own: Usage, provider: Usage, exchanges: u64) {
        self.totals.wall_seconds = wall.as_secs_f64();
        self.totals.provider_cpu_seconds = provider.cpu.map(|cpu| cpu.as_secs_f64());
        self.totals.provider_peak_memory = provider.peak_memory;
        self.totals.harness_cpu_seconds = own.cpu.unwrap_or_default().as_secs_f64();
        self.totals.harness_peak_memory = own.peak_memory.unwrap_or_default();
        self.totals.exchanges = exchanges;
        for level in Level::ALL {
            self.totals.findings.entry(level.name().to_owned()).or_default();
        }
        for rule in crate::rules::CATALOGUE {
            self.totals.rules.entry(rule.id.to_owned()).or_default();
        }
        self.totals.types = Types::of(&self.per_type());
        if self.hung > 0 && self.totals.types.applied == 0 {
            self.totals.is_stuck = true;
            self.note(format!(
                "nothing could be applied: in {} the provider did not answer within {} s",
                scenarios(self.hung),
                self.options.timeout.as_secs_f64()
            ));
        }
    }

    fn per_type(&self) -> Vec<TypeLine> {
        self.reached
            .iter()
            .map(|((kind, type_name), entry)| TypeLine {
                kind: *kind,
                type_name: type_name.clone(),
                scenarios: entry.scenarios,
                refused: entry.refused,
                reached: entry.reached,
            })
            .collect()
    }

    pub fn into_report(mut self) -> Report {
        for (kind, (count, why)) in std::mem::take(&mut self.impossible) {
            self.notes.insert(format!("drift ({kind}) was not judged in {}: {why}", scenarios(count)));
        }
        if !self.left.is_empty() {
            let mut types: Vec<&str> = self.left.keys().map(String::as_str).take(MAX_LEFT).collect();
            if self.left.len() > MAX_LEFT {
                types.push("…");
            }
            self.notes.insert(format!(
                "{} may have left an object behind, because its destruction failed or an apply gave no answer: {}",
                scenarios(self.left.values().sum()),
                types.join(", ")
            ));
        }
        let per_type = self.per_type();
        self.notes.extend(self.keeper.problems());
        let mut refusals: Vec<Refusal> = self
            .refusals
            .into_iter()
            .map(|((kind, type_name, rpc, message), scenarios)| Refusal {
                kind,
                type_name,
                rpc,
                message,
                scenarios,
            })
            .collect();
        refusals.sort_by(|a, b| b.scenarios.cmp(&a.scenarios).then_with(|| a.type_name.cmp(&b.type_name)));
        let mut groups: Vec<Group> = self.groups.into_values().collect();
        groups.sort_by(|a, b| {
            b.level
                .cmp(&a.level)
                .then_with(|| (a.rule.id, &a.path, &a.cause).cmp(&(b.rule.id, &b.path, &b.cause)))
        });
        Report {
            run: self.run,
            groups,
            totals: self.totals,
            per_type,
            refusals,
            notes: self.notes.into_iter().collect(),
            inconclusive: self.inconclusive,
            snapshots: None,
            unusable: self.unusable,
            nothing_applied: self.nothing_applied,
        }
    }
}

/// `1 scenario`, `2 scenarios`.
fn scenarios(n: u64) -> String {
    format!("{n} scenario{}", if n == 1 { "" } else { "s" })
}

/// Whether an apply did not end in time.
fn is_hung_apply(exchange: &Exchange) -> bool {
    matches!(exchange.call, AnyCall::ApplyResourceChange(_))
        && matches!(exchange.call.failure(), Some(RpcFailure::TimedOut { .. }))
}
