//! Adds up judgements into a report.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::Arc;
use std::time::Duration;

use super::{Keeper, Options};
use crate::judge::{Judged, Judgement};
use crate::lifecycle::{End, Played, Reached};
use crate::record::KeptFor;
use crate::report::{Case, Group, Refusal, Report, RunLine, Totals, TypeLine, Types};
use crate::rule::Level;
use crate::scenario::{Mode, Scenario};
use crate::schema::Schema;
use crate::suite::Known;
use crate::transcript::{CrashReport, Exchange, RpcFailure, Side, Subject, Transcript};
use crate::value::{AttributePath, PathStep, Value};

/// A scenario that was played and judged.
pub struct Finished {
    mode: Mode,
    scenario: Scenario,
    played: Played,
    judgement: Judgement,
}

impl Finished {
    pub fn new(mode: Mode, scenario: Scenario, played: Played, judgement: Judgement) -> Finished {
        Finished { mode, scenario, played, judgement }
    }
}

/// What makes two findings one: rule, level, place, cause, and why it is known.
type GroupKey = (Level, &'static str, String, String, Option<String>);

/// The report in the making. The order in which scenarios arrive leaves no trace in it.
pub struct Collector {
    run: RunLine,
    subject: Arc<Subject>,
    replay: String,
    known: Vec<Known>,
    groups: BTreeMap<GroupKey, Group>,
    totals: Totals,
    reached: BTreeMap<(Mode, String), TypeReached>,
    refusals: BTreeMap<(String, String, String), u64>,
    notes: BTreeSet<String>,
    is_unusable: bool,
    impossible: BTreeMap<&'static str, (u64, String)>,
    inconclusive: BTreeMap<(String, String), u64>,
    keeper: Keeper,
}

#[derive(Clone, Copy, Default)]
struct TypeReached {
    reached: Reached,
    scenarios: u64,
    refused: u64,
}

impl Collector {
    pub fn new(options: &Options, subject: Arc<Subject>, keeper: Keeper) -> Collector {
        let run = RunLine {
            provider: subject.name.clone(),
            program: options.program.path.display().to_string(),
            protocol: subject.protocol,
            engine: options.engine.name().to_owned(),
            seed: options.seed,
            cases: options.cases,
            applied: options.apply,
        };
        let mut notes = BTreeSet::new();
        if !options.apply {
            notes.insert(format!("nothing was applied or read: {}", options.apply_reason));
        }
        Collector {
            replay: replay(options),
            known: options.known.clone(),
            run,
            subject,
            groups: BTreeMap::new(),
            totals: Totals::default(),
            reached: BTreeMap::new(),
            refusals: BTreeMap::new(),
            notes,
            is_unusable: false,
            impossible: BTreeMap::new(),
            inconclusive: BTreeMap::new(),
            keeper,
        }
    }

    pub fn note(&mut self, note: String) {
        self.notes.insert(note);
    }

    /// The provider could not be asked anything more, so that nothing was played.
    pub fn ended(&mut self, why: String) {
        self.is_unusable = true;
        self.note(why);
    }

    /// A scenario that a defect of ours ended.
    pub fn broke(&mut self, defect: String) {
        self.totals.defects += 1;
        self.notes.insert(format!("a scenario was ended by a defect of tfconform: {defect}"));
    }

    pub fn n_findings(&self) -> u64 {
        self.groups.values().map(|group| group.count).sum()
    }

    /// The judgement of the first calls, which belong to no type.
    pub fn add_start(&mut self, judgement: &Judgement, transcript: &Transcript) {
        self.judged(judgement, transcript, None);
    }

    pub fn add(&mut self, finished: Finished) {
        let Finished { mode, scenario, played, judgement } = finished;
        let label = played.transcript.scenario.clone();
        self.totals.scenarios += 1;
        let entry = self.reached.entry((mode, label.type_name.clone())).or_default();
        entry.scenarios += 1;
        entry.reached.validated |= played.reached.validated;
        entry.reached.planned |= played.reached.planned;
        entry.reached.applied |= played.reached.applied;
        entry.reached.read |= played.reached.read;
        match &played.end {
            End::Refused { rpc, diagnostics, .. } => {
                entry.refused += 1;
                let message = diagnostics.first().map(|d| d.summary.clone()).unwrap_or_default();
                *self.refusals.entry((label.type_name, (*rpc).to_owned(), message)).or_default() += 1;
            }
            End::Lost { why } => {
                self.notes.insert(format!("the provider could not be started again: {why}"));
            }
            End::Stopped { rpc, why, .. } => {
                let message = format!("an engine stops here: {why}");
                *self.refusals.entry((label.type_name, (*rpc).to_owned(), message)).or_default() += 1;
            }
            End::Done => {}
        }
        for (kind, why) in &played.impossible {
            // One reason stands for all: they differ in the name of the type.
            let entry = self.impossible.entry(kind.name()).or_insert_with(|| (0, why.clone()));
            entry.0 += 1;
        }
        self.keeper.transcript(&played.transcript);
        self.judged(&judgement, &played.transcript, Some(&scenario));
    }

    /// A crash that no single call could be made to repeat: still a process that is gone.
    pub fn unexplained_crash(&mut self, report: &CrashReport) {
        let rule = &crate::rules::rpc::survives::RULE;
        let cause = crate::rules::rpc::survives::cause(report);
        let message = format!(
            "{}, and none of the calls in flight could be made to repeat it alone",
            RpcFailure::Crashed(report.clone())
        );
        *self.totals.findings.entry(rule.level.name().to_owned()).or_default() += 1;
        let key = (rule.level, rule.id, String::new(), cause.clone(), None);
        let case = || Case {
            path: AttributePath::root().to_string(),
            message,
            stderr: report.stderr_tail.clone(),
            again: self.replay.clone(),
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
        for judged in &judgement.findings {
            self.found(judged, transcript, scenario);
        }
    }

    fn found(&mut self, judged: &Judged, transcript: &Transcript, scenario: Option<&Scenario>) {
        *self.totals.findings.entry(judged.level.name().to_owned()).or_default() += 1;
        let path = judged.finding.path.schema_path();
        let known = self.known.iter().find(|known| known.excuses(judged.rule.id, &judged.type_name, &path));
        let known = known.map(|known| known.reason.clone());
        let key = (judged.level, judged.rule.id, path.clone(), judged.finding.cause.clone(), known.clone());
        let number = (transcript.scenario.type_name.clone(), transcript.scenario.number);
        // The first in the order of types and numbers is shown, whichever came first.
        let shown = self.groups.get(&key).map(|group| &group.case.scenario);
        let is_first = shown.is_none_or(|label| number < (label.type_name.clone(), label.number));
        let case = is_first.then(|| {
            let kept = scenario.and_then(|scenario| {
                let kept_for = KeptFor {
                    rule: judged.rule.id.to_owned(),
                    path: path.clone(),
                    cause: judged.finding.cause.clone(),
                };
                self.keeper.case(judged.level, transcript, scenario, &kept_for)
            });
            let again = kept.unwrap_or_else(|| again(&self.replay, transcript));
            case(judged, transcript, again, &self.subject)
        });
        let group = self.groups.entry(key).or_insert_with(|| Group {
            rule: judged.rule,
            level: judged.level,
            path,
            cause: judged.finding.cause.clone(),
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

    pub(super) fn finish(&mut self, wall: Duration, provider_cpu: f64, provider_memory: u64, exchanges: u64) {
        let (cpu, memory) = own_usage();
        self.totals.wall_seconds = wall.as_secs_f64();
        self.totals.provider_cpu_seconds = provider_cpu;
        self.totals.provider_peak_memory = provider_memory;
        self.totals.harness_cpu_seconds = cpu;
        self.totals.harness_peak_memory = memory;
        self.totals.exchanges = exchanges;
        for level in Level::ALL {
            self.totals.findings.entry(level.name().to_owned()).or_default();
        }
        for rule in crate::rules::CATALOGUE {
            self.totals.rules.entry(rule.id.to_owned()).or_default();
        }
        self.totals.types = Types::of(&self.per_type());
    }

    fn per_type(&self) -> Vec<TypeLine> {
        self.reached
            .iter()
            .map(|((mode, type_name), entry)| TypeLine {
                mode: *mode,
                type_name: type_name.clone(),
                scenarios: entry.scenarios,
                refused: entry.refused,
                reached: entry.reached,
            })
            .collect()
    }

    pub fn into_report(mut self) -> Report {
        for (kind, (count, why)) in std::mem::take(&mut self.impossible) {
            self.notes.insert(format!("drift ({kind}) was not judged in {count} scenarios: {why}"));
        }
        let per_type = self.per_type();
        self.notes.extend(self.keeper.problems());
        let mut refusals: Vec<Refusal> = self
            .refusals
            .into_iter()
            .map(|((type_name, rpc, message), scenarios)| Refusal { type_name, rpc, message, scenarios })
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
            is_unusable: self.is_unusable,
            inconclusive: self.inconclusive,
        }
    }
}

/// A finding in full. Secrets end here: what a printer gets is text without them.
fn case(judged: &Judged, transcript: &Transcript, again: String, subject: &Subject) -> Case {
    let exchange =
        transcript.exchange(judged.exchange).expect("a finding is about an exchange of its transcript");
    let schema = subject.schema_of(&exchange.call);
    let finding = &judged.finding;
    let hidden = finding.sensitive || schema.is_some_and(|schema| schema.block.is_sensitive(&finding.path));
    let shown = |value: &Value| match schema {
        _ if hidden => "(sensitive value)".to_owned(),
        Some(schema) => masked(value, schema, &finding.path),
        None => value.to_string(),
    };
    let mut objects = Vec::new();
    if let Some(schema) = schema {
        for (role, encoded) in
            exchange.call.values(Side::Request).into_iter().chain(exchange.call.values(Side::Response))
        {
            if let Some(value) = encoded.value().filter(|_| !role.ends_with("identity")) {
                let text = if value.is_null() { "null".to_owned() } else { masked_lines(value, schema) };
                objects.push((spoken(role).to_owned(), text));
            }
        }
    }
    Case {
        scenario: transcript.scenario.clone(),
        step: Some(judged.step),
        exchange: judged.exchange.0 + 1,
        rpc: judged.rpc.to_owned(),
        instance: judged.instance.clone(),
        path: finding.path.to_string(),
        message: finding.message.clone(),
        allowed: finding.allowed.iter().map(|(role, value)| ((*role).to_owned(), shown(value))).collect(),
        actual: finding.actual.as_ref().map(|(role, value)| ((*role).to_owned(), shown(value))),
        objects,
        stderr: stderr_of(exchange),
        again,
    }
}

/// The command that plays everything again.
fn replay(options: &Options) -> String {
    let provider = match &options.origin.program {
        Some(program) if options.origin.args.is_empty() => format!(" {}", program.display()),
        // Whoever needs an interpreter knows how to start it; the arguments go last.
        Some(_) => String::new(),
        None => options.origin.faults.iter().map(|fault| format!(" --fault {fault}")).collect(),
    };
    format!("tfconform check{provider} --seed {}", options.seed)
}

/// The command that plays the type's scenarios again, where no case was kept.
fn again(replay: &str, transcript: &Transcript) -> String {
    match transcript.scenario.type_name.as_str() {
        "" => replay.to_owned(),
        type_name => format!("{replay} --resource {type_name}"),
    }
}

/// The protocol's name of a field, as a sentence has it.
fn spoken(role: &str) -> &str {
    match role {
        "prior_state" => "prior state",
        "current_state" => "current state",
        "config" => "configuration",
        "proposed_new_state" => "proposed new state",
        "planned_state" => "planned state",
        "new_state" => "new state",
        "upgraded_state" => "upgraded state",
        other => other,
    }
}

fn stderr_of(exchange: &Exchange) -> String {
    match exchange.call.failure() {
        Some(RpcFailure::Crashed(report)) => report.stderr_tail.clone(),
        _ => String::new(),
    }
}

/// On one line, what is sensitive below `at` left out.
fn masked(value: &Value, schema: &Schema, at: &AttributePath) -> String {
    let holds_secret = schema.block.any_attribute(&|attribute| attribute.sensitive || attribute.write_only);
    if !holds_secret || value.ty().is_primitive() {
        return value.to_string();
    }
    crate::value::to_hcl_masked(value, &mut |path| schema.block.is_sensitive(&join(at, path)))
}

fn masked_lines(value: &Value, schema: &Schema) -> String {
    crate::value::to_hcl_masked(value, &mut |path| schema.block.is_sensitive(path))
}

fn join(at: &AttributePath, path: &AttributePath) -> AttributePath {
    let steps: Vec<PathStep> = at.steps().iter().chain(path.steps()).cloned().collect();
    AttributePath::new(steps)
}

/// CPU seconds and peak memory in bytes of this process.
fn own_usage() -> (f64, u64) {
    #[cfg(unix)]
    {
        use nix::sys::resource::{UsageWho, getrusage};
        if let Ok(usage) = getrusage(UsageWho::RUSAGE_SELF) {
            let seconds = |time: nix::sys::time::TimeVal| time.tv_sec() as f64 + time.tv_usec() as f64 / 1e6;
            let kilobytes = u64::try_from(usage.max_rss()).unwrap_or_default();
            return (seconds(usage.user_time()) + seconds(usage.system_time()), kilobytes * 1024);
        }
    }
    (0.0, 0)
}
