//! Runs the reference provider, armed or conforming, and returns what was found.

use std::collections::{BTreeMap, BTreeSet};
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use tfconform::engine::Engine;
use tfconform::generate;
use tfconform::lifecycle::PARALLELISM;
use tfconform::record::{Masker, Origin};
use tfconform::report::progress::Quiet;
use tfconform::report::{Exit, Family, Group, Report};
use tfconform::rule::{Fault, Injection, Legacy, Level, Volatile};
use tfconform::rules::CATALOGUE;
use tfconform::run::{Interruption, RunOptions};
use tfconform::session;
use tfconform::suite::{Policy, Require, Selection};

pub const PROTOCOLS: [u8; 2] = [6, 5];

/// The type that sets the legacy flag.
const LEGACY_TYPE: &str = "reference_legacy";

/// The simplest type.
const PLAIN_TYPE: &str = "reference_plain";

/// Objects of either can be moved to the other.
const MOVED_TYPES: [&str; 2] = ["reference_locker", "reference_safe"];

/// Together they have every feature of a managed type, and of a data source.
const RICH_TYPES: [&str; 2] = ["reference_everything", PLAIN_TYPE];
const RICH_SOURCES: [&str; 3] = ["reference_lookup", "reference_echo", "reference_census"];

/// Scenarios per type: enough that each fault has something to act on.
const CASES: usize = 12;

/// Enough that each class of scenarios occurs.
const ALL_CLASSES: usize = 28;

fn cases() -> usize {
    number("TFCONFORM_CASES", CASES)
}

/// As many scenarios as suffice for types whose process keeps hanging or ending.
const FEW_CASES: usize = 6;

/// For calls to a provider that may hang, and to one that does not.
const SHORT_TIMEOUT: Duration = Duration::from_secs(2);
const LONG_TIMEOUT: Duration = Duration::from_secs(60);

/// Where a fault acts.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Place {
    /// Wherever it can, except in the legacy type.
    Everywhere,
    /// Only in the legacy type.
    Legacy,
}

impl Place {
    /// As `check --fault` takes it.
    fn armed(self, fault: &Fault) -> String {
        match self {
            Place::Everywhere => fault.name.to_owned(),
            Place::Legacy => format!("{}@{LEGACY_TYPE}", fault.name),
        }
    }
}

/// What was found: each rule and level with its first finding as text, and how many findings of it are printed, as those
/// that follow from others are not.
#[derive(Clone, Debug, Default)]
pub struct Seen(pub BTreeMap<(&'static str, Level), String>, pub BTreeMap<(&'static str, Level), usize>);

impl Seen {
    pub fn rules(&self) -> BTreeSet<&'static str> {
        self.0.keys().map(|(id, _)| *id).collect()
    }

    /// What was found with another seed, too.
    fn extend(&mut self, other: Seen) {
        self.0.extend(other.0);
        for (what, n) in other.1 {
            let most = self.1.entry(what).or_default();
            *most = n.max(*most);
        }
    }

    /// What was found, as text.
    pub fn told(&self) -> String {
        let words: Vec<&str> = self.0.values().map(String::as_str).collect();
        if words.is_empty() { "nothing was found".to_owned() } else { words.join("\n") }
    }

    /// The expected exit codes, without and with `--strict`.
    fn exits(&self) -> (Exit, Exit) {
        let violates = |any| if any { Exit::Violates } else { Exit::Conforms };
        (violates(self.0.keys().any(|(_, level)| *level == Level::Must)), violates(!self.0.is_empty()))
    }
}

/// Whether all is played that may be left out by default.
pub fn plays_all() -> bool {
    std::env::var_os("TFCONFORM_FAULTS").is_some_and(|what| what == "all")
}

/// Whether only a planning behaviour shows a fault.
fn is_about_behaviours(fault: &Fault) -> bool {
    let mut rules =
        CATALOGUE.iter().filter(|rule| [rule.fault.name, rule.control.name].contains(&fault.name));
    rules.any(|rule| !rule.behaviours.is_empty())
}

/// Whether only a run that learns what the provider accepts shows a fault.
fn is_learned(fault: &Fault) -> bool {
    ["validate/demands-an-option", "validate/recommends-an-option"].contains(&fault.name)
}

/// The types to run for a fault; `None` means all, as `TFCONFORM_FAULTS=all` asks for every fault.
fn types(fault: &Fault, place: Place) -> Option<Vec<&'static str>> {
    let group = fault.name.split('/').next().unwrap_or_default();
    match (place, group) {
        (Place::Legacy, _) => Some(vec![LEGACY_TYPE]),
        (_, "move") => Some(MOVED_TYPES.to_vec()),
        // One with an identity and a write-only attribute.
        (_, "import") => Some(vec![PLAIN_TYPE, MOVED_TYPES[0]]),
        _ if needs_process(fault) || is_about_behaviours(fault) || is_learned(fault) => {
            Some(vec![PLAIN_TYPE])
        }
        _ if plays_all() => None,
        // One that had older versions.
        (_, "upgrade") => Some([&RICH_TYPES[..], &["reference_versioned"]].concat()),
        (_, "plan" | "apply" | "read") => Some(RICH_TYPES.to_vec()),
        (_, "data") => Some(RICH_SOURCES.to_vec()),
        _ => Some([&RICH_TYPES[..], &RICH_SOURCES].concat()),
    }
}

/// Runs one seed in one protocol, on the types that the fault needs, or on `only` one.
pub fn play(
    protocol: u8,
    seed: u64,
    fault: Option<(&Fault, Place)>,
    only: Option<&str>,
) -> Result<Report, String> {
    play_and_shrink(protocol, seed, fault, only, 0)
}

/// The same, with so many tries for each finding to make its case smaller.
pub fn play_and_shrink(
    protocol: u8,
    seed: u64,
    fault: Option<(&Fault, Place)>,
    only: Option<&str>,
    shrink: usize,
) -> Result<Report, String> {
    let scratch = session::scratch().map_err(|error| error.to_string())?;
    let faults: Vec<String> = fault.iter().map(|(fault, place)| place.armed(fault)).collect();
    let has_processes = fault.is_some_and(|(fault, _)| needs_process(fault));
    let open = if has_processes { session::reference } else { session::reference_in_memory };
    let provider = open(protocol, seed, &faults, scratch.path()).map_err(|error| error.to_string())?;
    let cases = match fault {
        // Planning behaviours come after what most rules need, and what contradicts the lessons comes last.
        None => usize::MAX,
        Some((fault, _)) if is_about_behaviours(fault) || is_learned(fault) => usize::MAX,
        Some(_) if has_processes => FEW_CASES,
        // The schema is judged before anything is played; the scenarios only show what else reports it.
        Some((fault, _)) if fault.name.starts_with("schema/") && !plays_all() => FEW_CASES,
        // Only one type is played.
        Some((_, Place::Legacy)) => cases().max(ALL_CLASSES),
        Some(_) => cases(),
    };
    let cases = if cases == usize::MAX { generate::Cases::Auto } else { generate::Cases::Number(cases) };
    let select = match fault {
        Some((fault, place)) => types(fault, place),
        None => only.map(|only| vec![only]),
    };
    let options = RunOptions {
        program: provider.program.clone(),
        engine: Engine::default(),
        seed,
        cases,
        jobs: session::jobs(),
        processes: 2,
        timeout: if has_processes { SHORT_TIMEOUT } else { LONG_TIMEOUT },
        select: selection(&select.unwrap_or_default())?,
        skip: BTreeSet::new(),
        shard: None,
        kind: None,
        start_timeout: LONG_TIMEOUT,
        parallelism: PARALLELISM,
        max_time: None,
        shrink,
        pins: BTreeMap::new(),
        known: Vec::new(),
        modules: Default::default(),
        policy: Policy::default(),
        shows_calls: false,
        check: None,
        config: None,
        examples: session::reference_examples(),
        masker: Arc::new(Masker::new(Vec::new())),
        apply: true,
        // Each object is the run's own, as in a sandbox.
        has_outside: shrink == 0,
        apply_reason: String::new(),
        sandbox_failed: false,
        volatile: Volatile::default(),
        learns: fault.is_some_and(|(fault, _)| is_learned(fault)),
        remembered: None,
        generate: generate::Options {
            seed,
            cases,
            apply: true,
            safe_to_run: true,
            // Bare names are relative to the working folder, which is the scratch folder: the same seed
            // sends the same bytes.
            scratch: None,
            ..generate::Options::default()
        },
        fail_on: Level::Must,
        cases_dir: None,
        transcripts: None,
        origin: Origin::default(),
        said: Vec::new(),
        interruption: Interruption::default(),
    };
    let outcome = session::play(options, provider.remote, Some(&Require::default()), &Quiet);
    Ok(outcome.map_err(|error| error.to_string())?.report)
}

/// What differs between processes shows only if there are several.
fn needs_process(fault: &Fault) -> bool {
    matches!(fault.injection, Injection::Process(_) | Injection::Start(_))
        || fault.name == "schema/describes-the-process"
}

/// These types, or all.
fn selection(names: &[&str]) -> Result<Selection, String> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    Selection::parse(&names)
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

pub fn seeds() -> std::ops::Range<u64> {
    0..number("TFCONFORM_SEEDS", 1) as u64
}

/// What a report says, in short; fails if its exit codes do not match.
pub fn look(report: &Report) -> Result<Seen, String> {
    let mut seen = Seen::default();
    for group in &report.groups {
        seen.0.entry((group.rule.id, group.level)).or_insert_with(|| words(group));
    }
    let groups: Vec<&Group> = report.groups.iter().collect();
    for family in Family::all(&groups) {
        *seen.1.entry((family.first().rule.id, family.first().level)).or_default() += 1;
    }
    let exits =
        (session::exit(report, Level::Must, None, false), session::exit(report, Level::Advice, None, false));
    if exits == seen.exits() { Ok(seen) } else { Err(format!("exit codes {exits:?} with {}", seen.told())) }
}

fn words(group: &Group) -> String {
    let first = &group.first;
    format!(
        "{} ({}), {} times in {}, first in {} of {}: {}: {}",
        group.rule.id,
        group.level,
        group.count,
        group.address(),
        first.rpc,
        first.scenario.about,
        first.evidence.path,
        first.evidence.message
    )
}

/// One run of a fault, once it is done.
type Played = OnceLock<Result<Seen, String>>;

/// What was found for each fault, by name, place and protocol; each is run once.
static SEEN: LazyLock<BTreeMap<(&str, Place, u8), Played>> = LazyLock::new(|| {
    let everywhere = CATALOGUE.iter().flat_map(|rule| [&rule.fault, &rule.control]);
    let everywhere = everywhere.map(|fault| (fault.name, Place::Everywhere));
    let excused = CATALOGUE.iter().filter(|rule| rule.legacy == Legacy::Excused);
    let legacy = excused.map(|rule| (rule.fault.name, Place::Legacy));
    let faults: Vec<_> = everywhere.chain(legacy).collect();
    let keys = faults.into_iter().flat_map(|(name, place)| PROTOCOLS.map(|protocol| (name, place, protocol)));
    keys.map(|key| (key, OnceLock::new())).collect()
});

/// What all seeds found together; fails if one of them did not find `rule`.
pub fn seen(
    fault: &'static Fault,
    place: Place,
    protocol: u8,
    rule: Option<&'static str>,
) -> Result<Seen, String> {
    let played = SEEN[&(fault.name, place, protocol)].get_or_init(|| {
        let mut all = Seen::default();
        for seed in seeds() {
            let one = look(&play(protocol, seed, Some((fault, place)), None)?)?;
            if rule.is_some_and(|rule| !one.rules().contains(rule)) {
                return Err(format!("seed {seed}: {}", one.told()));
            }
            all.extend(one);
        }
        Ok(all)
    });
    played.clone().map_err(|why| format!("protocol {protocol}: {why}"))
}
