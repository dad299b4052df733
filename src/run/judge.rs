//! Judges recorded transcripts again, without a provider: files → report.

use std::collections::BTreeSet;
use std::path::PathBuf;
use std::time::Instant;

use sha2::{Digest as _, Sha256};

use super::rerun_command;
use crate::engine::Engine;
use crate::judge::{self, Settings};
use crate::process::Usage;
use crate::record::{MaskedJudgement, Masker, Recorded, RunSettings};
use crate::report::collect::Collector;
use crate::report::events::send_judged;
use crate::report::{Group, Report, RunLine};
use crate::reproduction::can_be_played;
use crate::rule::Level;
use crate::rules::CATALOGUE;
use crate::schema::ProviderSchema;
use crate::suite::{Handling, Selector};
use crate::transcript::Subject;

/// What was run, as shown in a report.
pub(super) fn run_line(subject: &Subject, engine: Engine, settings: &RunSettings) -> RunLine {
    RunLine {
        shard: None,
        provider: subject.name.clone(),
        program: settings.program.clone(),
        protocol: subject.protocol,
        engine: engine.name().to_owned(),
        seed: settings.seed,
        cases: settings.cases,
        applied: settings.applied,
        fail_on: settings.fail_on,
        policy: settings.policy.clone(),
        modules: settings.modules.clone(),
        types_digest: digest_of_names(&subject.schema),
    }
}

/// Tells providers apart that have the same name; 16 hexadecimal digits.
fn digest_of_names(schema: &ProviderSchema) -> String {
    let mut hash = Sha256::new();
    for kind in super::PLAYED {
        let names: BTreeSet<&str> = schema.names(kind).into_iter().collect();
        names.into_iter().for_each(|name| hash.update(format!("{}\n", kind.qualified(name))));
    }
    hash.finalize().iter().take(8).map(|byte| format!("{byte:02x}")).collect()
}

/// What the user wants judged in another way than it was recorded.
pub struct Replaced<'r> {
    pub engine: Option<Engine>,
    pub fail_on: Option<Level>,
    /// Whether findings come with the calls of their step.
    pub shows_calls: bool,
    /// Stronger than what was recorded.
    pub decisions: [(Handling, &'r [Selector]); 3],
}

impl Replaced<'static> {
    /// All is judged as it was recorded.
    pub const NOTHING: Replaced<'static> = Replaced {
        engine: None,
        fail_on: None,
        shows_calls: false,
        decisions: [(Handling::Deny, &[]), (Handling::Warn, &[]), (Handling::Allow, &[])],
    };
}

/// Judges each file like the run that wrote it: by its engine, at its level, with its volatile attributes, known
/// findings and policy, unless something is replaced.
///
/// One report for all, independent of their order.
pub fn judge(files: &[(PathBuf, Recorded)], replaced: &Replaced<'_>) -> Report {
    let (began, before) = (Instant::now(), Usage::own());
    let reports = files.iter().map(|(file, recorded)| of_file(file, recorded, replaced));
    let mut report = reports.reduce(Report::merge).unwrap_or_default();
    report.run.fail_on = replaced.fail_on.unwrap_or(report.run.fail_on);
    let unmeasured = Usage::default();
    report.totals.used(began.elapsed(), Usage::own().since(before), unmeasured);
    report
}

fn of_file(file: &std::path::Path, recorded: &Recorded, replaced: &Replaced<'_>) -> Report {
    let (transcript, settings) = (&recorded.transcript, &recorded.settings);
    let engine = replaced.engine.unwrap_or(transcript.subject.engine);
    let how = Settings { engine, volatile: settings.volatile.clone() };
    let judgement = judge::judge(CATALOGUE, transcript, &how);
    // Secrets were masked when the file was written.
    let masker = Masker::new(Vec::new());
    let mut run = run_line(&transcript.subject, engine, settings);
    run.policy.add(replaced.decisions);
    let collector = Collector::new(run, None).with_calls(replaced.shows_calls);
    send_judged(&MaskedJudgement::of_file(&masker, recorded, &judgement), &collector);
    let mut report = collector.into_report(|totals| totals.exchanges = transcript.exchanges.len() as u64);
    let again = |_: &Group| match &recorded.origin {
        Some(origin) => rerun_command::replay(file, origin),
        None => rerun_command::judge(file),
    };
    for group in &mut report.groups {
        group.first.rerun = again(group);
        let scenario = recorded.scenario.as_ref().filter(|_| recorded.origin.is_some());
        group.first.is_for_engines = scenario.is_some_and(|scenario| can_be_played(scenario).is_ok());
    }
    report
}
