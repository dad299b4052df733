//! Our verdicts on answers, and those of a real engine.
//!
//! A fault or a control is armed in the reference provider, and objects of every type with generated configurations
//! are created, changed and destroyed, by us and by an engine. Before the engine's output is read, our judgement predicts
//! its errors: of which object, with which title. A case is one object with one fault, up to the first error.
//!
//! A few faults are played by default; `TFCONFORM_ORACLE=all` plays all, and prints for each rule how often it alone
//! predicted an error.

use std::collections::{BTreeMap, BTreeSet};
use std::ops::Range;
use std::process::Output;
use std::sync::{Arc, PoisonError};

use libtest_mimic::{Failed, Trial};
use serde_json::Value as Json;
use tempfile::TempDir;
use tfconform::engine::Engine;
use tfconform::judge::{self, Settings, WeighedFinding};
use tfconform::lifecycle::{End, Played, Task, Walk};
use tfconform::reference::serve::{Behaviour, store_below};
use tfconform::reference::{Offered, faults};
use tfconform::rule::{Fault, Injection, Says, is_titled};
use tfconform::rules::CATALOGUE;
use tfconform::schema::ProviderSchema;
use tfconform::transcript::{Exchange, Purpose, Transcript};

use super::objects;
use super::ours::{self, Attempt};
use super::real::{self, Real};
use super::tally::{Compared, is_rare};
use super::walks::WalkKind;

/// Faults that are played by default.
const FEW: [&str; 6] = [
    "wire/writes-text-as-a-number",
    "plan/misshapes-blocks",
    "read/plans-unknowns",
    "apply/leaves-unknowns",
    "data/capitalises",
    "read/loses-the-object",
];

/// Objects of each type.
const OBJECTS: usize = 3;

/// How many disagreements of one fault are shown.
const SHOWN: usize = 4;

/// How often more objects are played, with all faults, until there are enough errors of one that the engine notices.
const ROUNDS: u64 = 12;

/// What an engine shows of an object.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
enum Error {
    Titled(String),
    /// With the title of the provider, or of what decodes values.
    InOwnWords,
    Crash,
}

/// In which walk of an engine an answer is given.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Walked {
    Validated,
    /// We validate what is known and what is not in one walk; an engine validates again what it plans.
    ValidatedAgain,
    Planned,
    Applied,
}

/// The errors of each object, each with the rule that predicts it; empty for the provider's own errors.
type Predicted = BTreeMap<String, BTreeSet<(Error, &'static str)>>;

pub fn trials(
    name: &'static str,
    real: &Result<Real, String>,
    schema: &Arc<ProviderSchema>,
    compared: &Compared,
    everything: bool,
) -> Vec<Trial> {
    let seeds = std::env::var("TFCONFORM_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(1);
    let of_seed = |(number, fault): (u64, &'static Fault)| {
        (1..=seeds).map(move |seed: u64| (seed * 1000 + number, fault))
    };
    let trial = |(seed, fault): (u64, &'static Fault)| {
        let (real, schema, compared) = (real.clone(), Arc::clone(schema), Arc::clone(compared));
        let why = match (&real, why_not(fault, name)) {
            (Err(why), _) => Some(why.clone()),
            (_, Some(why)) => Some(why.to_owned()),
            _ if everything || FEW.contains(&fault.name) => None,
            _ => Some("TFCONFORM_ORACLE=all plays it".to_owned()),
        };
        let title = format!("{}/verdicts/{}/{seed}", name.replace(' ', "-"), fault.name);
        let agree = move || {
            let real = real?;
            let agree = |round: u64| agrees(&real, fault, seed + round * 100_000, &schema, name, &compared);
            agree(0)?;
            let n_more = if everything { ROUNDS } else { 0 };
            (1..=n_more).take_while(|_| is_rare(fault, name, &compared)).try_for_each(agree)
        };
        let trial = Trial::test(title, agree);
        match why {
            Some(why) => trial.with_kind(why).with_ignored_flag(true),
            None => trial,
        }
    };
    (1..).zip(faults()).flat_map(of_seed).map(trial).collect()
}

/// Whether the faults that are listed here exist.
pub fn lists_are_current() -> Result<(), Failed> {
    let listed = FEW.into_iter().chain(NOT_PLAYED.map(|(_, name, _)| name));
    let missing: Vec<&str> = listed.filter(|name| faults().all(|fault| fault.name != *name)).collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no such faults: {missing:?}").into()) }
}

/// Faults that are not played, with the engine, named before its version, and the reason.
const NOT_PLAYED: [(&str, &str, &str); 9] = [
    ("", "wire/describes-without-end", "no schema arrives"),
    ("", "schema/needs-credentials", "no schema arrives"),
    ("", "rpc/demands-its-schema", IS_OF_A_PROCESS),
    ("", "rpc/wears-out", IS_OF_A_PROCESS),
    ("", "apply/mixes-up-many", IS_OF_A_PROCESS),
    ("", "apply/keeps-what-was-replaced", IS_OF_A_PROCESS),
    ("", "plan/counts-calls", IS_OF_A_PROCESS),
    (
        "",
        "wire/writes-latin-1",
        "engines keep the bytes of a text until they store it, and we keep its characters",
    ),
    (
        "tofu",
        "read/leaves-unknowns",
        "it plans with the unknown value and applies with what its state can hold of it: an error in place of the change \
         that the rule names",
    ),
];

const IS_OF_A_PROCESS: &str = "it remembers earlier calls, and our processes live longer than an engine's";

/// Why a fault is not played under an engine; `None` if it is.
fn why_not(fault: &Fault, engine: &str) -> Option<&'static str> {
    let is_it = |(only, name, _): &&(&str, &str, &str)| engine.starts_with(only) && *name == fault.name;
    match fault.injection {
        Injection::Schema(_) | Injection::Process(_) | Injection::Start(_) => {
            Some("all objects share it: `--test levels` plays it")
        }
        Injection::Nothing(why) => Some(why),
        Injection::Answer(_) | Injection::Call(..) | Injection::Message(_) => {
            NOT_PLAYED.iter().find(is_it).map(|(_, _, why)| *why)
        }
    }
}

fn agrees(
    real: &Real,
    fault: &'static Fault,
    seed: u64,
    schema: &Arc<ProviderSchema>,
    name: &'static str,
    compared: &Compared,
) -> Result<(), Failed> {
    let folders = [TempDir::with_prefix("oracle-")?, TempDir::with_prefix("oracle-")?];
    let [ours, theirs] = folders.each_ref().map(|folder| Behaviour {
        protocol: 6,
        seed: 1,
        store: store_below(folder.path()),
        faults: vec![fault.name.to_owned()],
        types: Offered::Features,
        log: None,
    });
    let scenario = objects::sequence(schema, seed, OBJECTS);
    let (attempts, played) = ours::play_to_the_end(&scenario, &ours, real.engine, schema)?;
    let findings = judged(&played.transcript, real.engine);
    // An answer that is stored may crash the engine when it is sent back.
    let may_crash = findings.iter().any(|found| !found.rule.shows.crashes.is_empty());
    let mut cases = Cases { may_crash, ..Cases::default() };
    let settling = settling_at_the_end(&played);
    let (mut is_over, mut n_played) = (false, 0);
    real::play_each(real, &attempts, &theirs, schema, |table, attempt| {
        n_played += 1;
        let in_walks = |exchanges: &[(WalkKind, Range<usize>)], walks: &[Walked]| {
            predicted(exchanges, walks, &played.transcript, &findings, real.engine)
        };
        let of = |walks: &[Walked]| in_walks(&attempt.exchanges, walks);
        // What is not valid is not planned.
        let invalid = of(&[Walked::Validated]);
        let planned =
            if invalid.is_empty() { of(&[Walked::ValidatedAgain, Walked::Planned]) } else { invalid };
        is_over =
            !cases.compare("plan", attempt, &planned, &table.plan(&attempt.run)?) || attempt.defect.is_some();
        if !is_over && !attempt.only_plans {
            is_over = !cases.compare("apply", attempt, &of(&[Walked::Applied]), &table.apply()?);
        }
        if let Some(settling) = settling.clone().filter(|_| !is_over && n_played == attempts.len()) {
            let again = in_walks(&[(WalkKind::Plan, settling)], &[Walked::Planned]);
            cases.compare("plan again", attempt, &again, &table.plan(&attempt.run)?);
        }
        Ok(!is_over)
    })?;
    if !is_over && played.end != End::Done && settling.is_none() {
        cases.disagree(format!("we end early, and the engine does not: {:?}", played.end));
    }
    cases.record(fault.name, name, compared)
}

/// The exchanges in which a scenario ended early, if we asked for them after an apply: an engine does so in its next run.
fn settling_at_the_end(played: &Played) -> Option<Range<usize>> {
    let is_of_a_run = |walk: &&Walk| matches!(walk.task, Task::Validate | Task::Plan | Task::Settle);
    let last = played.walks.iter().rev().find(is_of_a_run)?;
    (played.end != End::Done && last.task == Task::Settle).then(|| last.exchanges.clone())
}

/// What breaks a rule.
fn judged(transcript: &Transcript, engine: Engine) -> Vec<WeighedFinding> {
    let settings = Settings { engine, ..Settings::default() };
    judge::judge(CATALOGUE, transcript, &settings).findings
}

/// What the engine is going to show in some of its walks.
fn predicted(
    exchanges: &[(WalkKind, Range<usize>)],
    walks: &[Walked],
    transcript: &Transcript,
    findings: &[WeighedFinding],
    engine: Engine,
) -> Predicted {
    let mut predicted = Predicted::new();
    let mut validated = BTreeSet::new();
    let of_kind = |(kind, exchanges): &(WalkKind, Range<usize>)| {
        let kind = *kind;
        transcript.exchanges[exchanges.clone()].iter().map(move |exchange| (kind, exchange))
    };
    for (kind, exchange) in exchanges.iter().flat_map(of_kind) {
        let walked = match kind {
            WalkKind::Validate if validated.insert(&exchange.instance) => Walked::Validated,
            WalkKind::Validate => Walked::ValidatedAgain,
            WalkKind::Plan => Walked::Planned,
            WalkKind::Apply => Walked::Applied,
        };
        if !walks.contains(&walked) || matches!(exchange.purpose, Purpose::Repeat { .. }) {
            continue;
        }
        let mut add = |error: Error, rule: &'static str| {
            predicted.entry(exchange.instance.clone()).or_default().insert((error, rule));
        };
        for found in findings.iter().filter(|found| found.exchange == exchange.id) {
            if let Some(error) = shown(found, engine) {
                add(error, found.rule.id);
            }
        }
        for summary in own_errors(exchange) {
            add(Error::Titled(summary), "");
        }
    }
    predicted
}

/// The provider's own errors, which an engine passes on.
fn own_errors(exchange: &Exchange) -> Vec<String> {
    let errors = exchange.call.diagnostics().into_iter().filter(|diagnostic| diagnostic.is_error());
    errors.map(|diagnostic| diagnostic.summary.clone()).collect()
}

/// What an engine shows of a finding; `None` for nothing.
fn shown(found: &WeighedFinding, engine: Engine) -> Option<Error> {
    if let Some(text) = &found.finding.shows {
        let quoted = text.split_once('“').and_then(|(_, rest)| Some(rest.rsplit_once('”')?.0));
        return match (quoted, text.contains("crashes")) {
            (_, true) => Some(Error::Crash),
            (Some(title), false) => Some(Error::Titled(title.to_owned())),
            (None, false) if text.contains("own words") => Some(Error::InOwnWords),
            (None, false) => None,
        };
    }
    match found.rule.shows.says {
        Says::TitleIn { engine: only, .. } if only.is_opentofu() != engine.is_opentofu() => None,
        Says::Title(title) | Says::TitleIn { title, .. } => Some(Error::Titled(title.to_owned())),
        Says::OwnWords(_) => Some(Error::InOwnWords),
        Says::Change | Says::ImportChange | Says::Nothing => None,
    }
}

/// The objects of one sequence, until the first error.
#[derive(Default)]
struct Cases {
    /// Whether there was an error of it.
    objects: BTreeMap<String, bool>,
    needed: BTreeMap<&'static str, usize>,
    /// Whether it may crash in place of an error.
    may_crash: bool,
    n_crashed: usize,
    disagreements: Vec<String>,
}

impl Cases {
    /// Compares what one command shows, and returns whether the next one can be played.
    fn compare(&mut self, command: &str, attempt: &Attempt, predicted: &Predicted, output: &Output) -> bool {
        let instances = attempt.run.blocks.iter().flat_map(tfconform::scenario::Block::instances);
        for instance in instances {
            self.objects.entry(instance.to_string()).or_default();
        }
        let mut all = predicted.values().flatten().map(|(error, _)| error);
        if let Some(words) = crash(output) {
            if !self.may_crash && !all.any(|error| *error == Error::Crash) {
                self.disagree(format!("{command}: it crashes, which was not predicted: {words}"));
            }
            self.n_crashed = std::mem::take(&mut self.objects).len();
            return false;
        }
        if all.any(|error| *error == Error::Crash) {
            self.disagree(format!("{command}: a crash was predicted, and it does not crash"));
            return false;
        }
        let mut errors = errors(output, self.objects.keys());
        let nobodys = errors.remove("").unwrap_or_default();
        for title in &nobodys {
            let of = predicted.iter().find(|(object, expected)| {
                !errors.contains_key(*object) && expected.iter().any(|(error, _)| error.is(title))
            });
            match of {
                Some((object, _)) => errors.entry(object.clone()).or_default().push(title.clone()),
                None => self.disagree(format!("{command}: “{title}” of no object was not predicted")),
            }
        }
        let none = BTreeSet::new();
        let objects: BTreeSet<&String> = errors.keys().chain(predicted.keys()).collect();
        for object in &objects {
            let expected = predicted.get(*object).unwrap_or(&none);
            let titles = errors.get(*object).map_or(&[][..], Vec::as_slice);
            let is_unexpected = |title: &&String| !expected.iter().any(|(error, _)| error.is(title));
            match titles.iter().find(is_unexpected) {
                _ if titles.is_empty() => {
                    self.disagree(format!("{command}, {object}: no error, and {expected:?} was predicted"))
                }
                Some(title) => {
                    self.disagree(format!("{command}, {object}: “{title}”, and {expected:?} was predicted"))
                }
                None => {
                    let rules: BTreeSet<&str> = expected.iter().map(|(_, rule)| *rule).collect();
                    if let [rule] = rules.iter().collect::<Vec<_>>()[..] {
                        *self.needed.entry(rule).or_default() += 1;
                    }
                }
            }
            self.objects.insert((*object).clone(), true);
        }
        objects.is_empty() && self.disagreements.is_empty()
    }

    fn disagree(&mut self, how: String) {
        self.disagreements.push(how);
    }

    fn record(self, fault: &'static str, engine: &'static str, compared: &Compared) -> Result<(), Failed> {
        let mut compared = compared.lock().unwrap_or_else(PoisonError::into_inner);
        let verdicts = compared.entry(engine).or_default();
        let tally = verdicts.of.entry(fault).or_default();
        tally.n_crashed += self.n_crashed;
        for (object, is_breached) in &self.objects {
            *if *is_breached { &mut tally.n_breached } else { &mut tally.n_accepted } += 1;
            if *is_breached {
                tally.types.extend(object.split('.').find(|part| *part != "data").map(str::to_owned));
            }
        }
        for (rule, n) in self.needed {
            *verdicts.needed.entry(rule).or_default() += n;
        }
        verdicts.n_disagreements += self.disagreements.len();
        match self.disagreements.len() {
            0 => Ok(()),
            n => {
                let shown = self.disagreements[..n.min(SHOWN)].join("\n");
                Err(format!("{n} disagreements, such as\n{shown}").into())
            }
        }
    }
}

impl Error {
    /// Whether an engine's error with this title is it.
    fn is(&self, title: &str) -> bool {
        match self {
            Error::Titled(own) => is_titled(title, own),
            Error::InOwnWords => true,
            Error::Crash => false,
        }
    }
}

/// What an engine says of its own crash.
fn crash(output: &Output) -> Option<String> {
    let said = [&output.stdout, &output.stderr].map(|said| String::from_utf8_lossy(said));
    let is_crash = |line: &&str| line.starts_with("panic: ") || line.starts_with("fatal error: ");
    let words = said.iter().flat_map(|said| said.lines()).find(is_crash).map(str::to_owned);
    // OpenTofu says it in a box.
    words.or_else(|| said.iter().any(|said| said.contains(" CRASH ")).then(|| output.status.to_string()))
}

/// The titles of an engine's errors, by object; of those that name none, by "".
fn errors<'o>(
    output: &Output,
    objects: impl Iterator<Item = &'o String> + Clone,
) -> BTreeMap<String, Vec<String>> {
    let mut errors: BTreeMap<String, Vec<String>> = BTreeMap::new();
    let stdout = String::from_utf8_lossy(&output.stdout);
    for line in stdout.lines() {
        let Ok(message) = serde_json::from_str::<Json>(line) else { continue };
        let diagnostic = &message["diagnostic"];
        if diagnostic["severity"] != "error" {
            continue;
        }
        let text = |name: &str| diagnostic[name].as_str().unwrap_or_default();
        let is_named = |object: &&String| {
            let said = [text("address"), text("summary"), text("detail")];
            said.iter().any(|said| names(said, object))
        };
        let object = objects.clone().find(is_named).cloned().unwrap_or_default();
        errors.entry(object).or_default().push(text("summary").to_owned());
    }
    errors
}

/// Whether a text names an object, and not one whose name is longer.
fn names(text: &str, object: &str) -> bool {
    text.match_indices(object).any(|(at, _)| {
        let next = text[at + object.len()..].chars().next();
        next.is_none_or(|next| !next.is_alphanumeric() && next != '_' && next != '-')
    })
}
