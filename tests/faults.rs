//! Every fault, live: its rule is reported, and no other.
//!
//! A trial arms the reference provider with one fault or twin, plays the default scenarios
//! of all of its types in each protocol, and looks at what was found. Where a fault is
//! about values, bytes or messages the provider answers in memory; where it is about the
//! process, it has processes of its own.
//!
//! `matrix` comes last and holds all results to a snapshot. Alone, as under cargo-nextest,
//! it plays them all again.
//!
//! One seed is played: `TFCONFORM_SEEDS=3` plays three. `TFCONFORM_CASES` says how many
//! scenarios each type has; the default is that of `check`.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::path::Path;
use std::process::ExitCode;
use std::sync::atomic::AtomicBool;
use std::sync::{Arc, LazyLock, OnceLock};
use std::time::Duration;

use globset::GlobSet;
use libtest_mimic::{Arguments, Failed, Trial};
use tfconform::engine::Engine;
use tfconform::generate;
use tfconform::record::Origin;
use tfconform::reference::schema::{definitions, provider};
use tfconform::report::progress::Quiet;
use tfconform::report::{Exit, Group, Report};
use tfconform::rule::{Act, Check, Fault, Level, Rule, Volatile};
use tfconform::rules::CATALOGUE;
use tfconform::run::{Modes, Options};
use tfconform::session;
use tfconform::suite::Require;

/// Rules that speak of another rule's fault, and why that cannot be helped.
const COMPANIONS: &[(&str, &[&str], &str)] = &[
    ("plan/counts-calls", &["plan/final-plan-agrees"], "the final plan is one more call"),
    (
        "plan/drops-a-block-of-a-set",
        &["plan/changes-nothing-needlessly"],
        "engines let it pass, and then the configuration still asks for the block",
    ),
    (
        "plan/rewrites-a-set-element",
        &["plan/changes-nothing-needlessly", "plan/final-plan-agrees"],
        "engines let it pass, and then the configuration still asks for the other value",
    ),
    (
        "apply/renames-a-block",
        &["plan/changes-nothing-needlessly"],
        "engines let it pass, and then the configuration still asks for the other name",
    ),
    (
        "apply/nullifies-empty-blocks",
        &["plan/changes-nothing-needlessly", "read/blocks-are-not-null", "upgrade/same-version-is-identity"],
        "the state is kept, and whoever is given it gives it back",
    ),
    (
        "read/nullifies-empty-blocks",
        &["plan/changes-nothing-needlessly"],
        "the state is kept, and differs from the configuration",
    ),
    (
        "read/capitalises",
        &["plan/changes-nothing-needlessly"],
        "the state is kept, and differs from the configuration",
    ),
    (
        "upgrade/capitalises",
        &["read/keeps-the-form", "plan/final-plan-agrees", "plan/final-plan-keeps-action"],
        "the read that follows knows better, and the plan of the apply phase follows an upgrade alone",
    ),
];

/// Faults that a protocol has no place for.
const ABSENT: &[(&str, u8, &str)] = &[
    ("plan/nullifies-elements-around-write-only", 5, NESTED),
    ("plan/drops-nested-attributes", 5, NESTED),
    ("plan/drops-a-nested-element", 5, NESTED),
    ("plan/destroys-to-the-prior-state", 5, "the reference provider plans destruction only in protocol 6"),
    ("schema/demands-computed-blocks", 5, COMPUTED_BLOCKS),
    ("schema/computes-half-a-block", 5, COMPUTED_BLOCKS),
    (
        "validate/prepares-the-configuration",
        6,
        "only protocol 5 returns the provider's configuration from its validation",
    ),
];

const COMPUTED_BLOCKS: &str = "protocol 5 cannot declare computed blocks";
const NESTED: &str = "protocol 5 has no nested attributes";

/// Rules that the perfect provider gives fewer than ten exchanges of two types to look at.
const SELDOM: &[(&str, &str)] =
    &[("plan/destroys-to-nothing", "the reference provider plans destruction only in protocol 6")];

/// What the legacy type does and engines forgive, even when it is perfect.
const LEGACY_TYPE: &str = "reference_legacy";

/// The simplest type there is.
const PLAIN_TYPE: &str = "reference_plain";

const PROTOCOLS: [u8; 2] = [6, 5];

/// Played for each fault: between them they have every feature. `TFCONFORM_FAULTS=all` plays every type.
const RICH_TYPES: [&str; 5] =
    ["reference_everything", "reference_plain", "reference_lookup", "reference_echo", "reference_census"];

/// Whether everything is to be played: every type, in both protocols.
fn plays_all() -> bool {
    std::env::var_os("TFCONFORM_FAULTS").is_some_and(|what| what == "all")
}

/// The protocols a fault is played in: the newest that has a place for it, or all.
fn protocols(fault: &Fault) -> Vec<u8> {
    let there = PROTOCOLS.into_iter().filter(|protocol| !is_absent(fault, *protocol));
    there.take(if plays_all() { PROTOCOLS.len() } else { 1 }).collect()
}

/// For calls of a provider that may hang, and of one that does not.
const IMPATIENCE: Duration = Duration::from_secs(2);
const PATIENCE: Duration = Duration::from_secs(60);

/// What a run found, beside what is forgiven; with the exit codes, plain and strict.
#[derive(Clone, Debug)]
struct Seen {
    found: BTreeSet<(&'static str, Level)>,
    /// The first finding of each, in words.
    words: Vec<String>,
    exit: Exit,
    strict: Exit,
}

/// Plays one seed in one protocol; `only` is the one type to play.
fn play(protocol: u8, seed: u64, fault: Option<&Fault>, only: Option<&str>) -> Result<Report, String> {
    let scratch = session::scratch().map_err(|error| error.to_string())?;
    let faults: Vec<String> = fault.iter().map(|fault| fault.name.to_owned()).collect();
    // What differs between processes shows only where there are several.
    let needs_process = fault.is_some_and(|fault| {
        matches!(fault.act, Act::Process(_) | Act::Start(_)) || fault.name == "schema/describes-the-process"
    });
    let open = if needs_process { session::reference } else { session::reference_in_memory };
    let provider = open(protocol, seed, &faults, scratch.path()).map_err(|error| error.to_string())?;
    let cases = number("TFCONFORM_CASES", generate::Options::default().cases);
    let options = Options {
        program: provider.program.clone(),
        engine: Engine::default(),
        seed,
        cases,
        jobs: session::jobs(),
        processes: 2,
        timeout: if needs_process { IMPATIENCE } else { PATIENCE },
        // A process that ends or hangs again and again takes its time: one type shows it.
        select: match only.or(needs_process.then_some(PLAIN_TYPE)) {
            Some(only) => Some(globs(&[only])?),
            None if fault.is_some() && !plays_all() => Some(globs(&RICH_TYPES)?),
            None => None,
        },
        skip: BTreeSet::new(),
        modes: Modes::Both,
        start_timeout: PATIENCE,
        pins: BTreeMap::new(),
        known: Vec::new(),
        check: None,
        config: None,
        apply: true,
        apply_reason: String::new(),
        volatile: Volatile::default(),
        generate: generate::Options {
            seed,
            cases,
            apply: true,
            safe_to_run: true,
            // Bare names lie below the working folder, which is the scratch folder: the same seed sends
            // the same bytes.
            scratch: None,
            ..generate::Options::default()
        },
        fail_on: Level::Must,
        cases_dir: None,
        transcripts: None,
        origin: Origin::default(),
        interrupted: Arc::new(AtomicBool::new(false)),
    };
    let outcome = session::play(options, provider.remote, &Require::default(), &Quiet);
    Ok(outcome.map_err(|error| error.to_string())?.report)
}

fn globs(names: &[&str]) -> Result<GlobSet, String> {
    let names: Vec<String> = names.iter().map(|name| (*name).to_owned()).collect();
    Ok(session::globs(&names)?.expect("there is a pattern"))
}

fn number(variable: &str, default: usize) -> usize {
    std::env::var(variable).ok().and_then(|text| text.parse().ok()).unwrap_or(default)
}

fn seeds() -> std::ops::Range<u64> {
    0..number("TFCONFORM_SEEDS", 1) as u64
}

fn is_forgiven(group: &Group) -> bool {
    group.level == Level::Tolerated && group.types.iter().eq([LEGACY_TYPE])
}

fn look(mut report: Report) -> Seen {
    report.groups.retain(|group| !is_forgiven(group));
    let words = |group: &Group| {
        let case = &group.case;
        let types: Vec<&str> = group.types.iter().map(String::as_str).collect();
        format!(
            "{} ({}), {} times in {}, first in {} of {}: {}: {}",
            group.rule.id,
            group.level,
            group.count,
            types.join(", "),
            case.rpc,
            case.scenario.about,
            case.path,
            case.message
        )
    };
    Seen {
        found: report.groups.iter().map(|group| (group.rule.id, group.level)).collect(),
        words: report.groups.iter().map(words).collect(),
        exit: session::exit(&report, Level::Must, false, false),
        strict: session::exit(&report, Level::Advice, false, false),
    }
}

/// One play of a fault, once it is made.
type Played = OnceLock<Result<Seen, String>>;

/// What was seen of each fault, by name and protocol; every one is played once.
static SEEN: LazyLock<BTreeMap<(&str, u8), Played>> = LazyLock::new(|| {
    let names = CATALOGUE.iter().flat_map(|rule| [rule.fault.name, rule.twin.name]);
    names.flat_map(|name| PROTOCOLS.map(|protocol| ((name, protocol), OnceLock::new()))).collect()
});

/// What all seeds show together.
fn seen(fault: &'static Fault, protocol: u8) -> Result<Seen, String> {
    let played = SEEN[&(fault.name, protocol)].get_or_init(|| {
        let mut all: Option<Seen> = None;
        for seed in seeds() {
            let one = look(play(protocol, seed, Some(fault), None)?);
            match &all {
                None => all = Some(one),
                Some(all) if all.found == one.found => {}
                Some(all) => {
                    return Err(format!("seed {seed} shows {:?}, not {:?}", one.words, all.words));
                }
            }
        }
        all.ok_or_else(|| "TFCONFORM_SEEDS must be 1 or more".to_owned())
    });
    played.clone().map_err(|why| format!("protocol {protocol}: {why}"))
}

fn is_absent(fault: &Fault, protocol: u8) -> bool {
    ABSENT.iter().any(|(name, from, _)| *name == fault.name && *from == protocol)
}

/// What is not as it should be yet, and why. A trial fails once its fault is, so that the line goes.
const OPEN: &[(&str, &str)] = &[
    (
        "schema/needs-credentials",
        "the run ends as unusable (exit code 3) before the answer without a schema is judged",
    ),
    ("plan/keeps-prior-values", "the twin's plan keeps a value that the next configuration sets"),
    ("plan/rewrites-a-set-element", "which companions speak depends on the types that are played"),
    ("plan/fills-a-set-element", "the twin fills an element whose pairing is still unknown"),
    ("plan/forgets-computed-values-on-change", "the twin's fresh value is planned again without a change"),
    ("apply/misshapes-blocks", "the misshapen state is kept, and the read gives it back"),
];

fn expected(name: &str, outcome: Result<(), Failed>) -> Result<(), Failed> {
    let open = OPEN.iter().find(|(open, _)| *open == name);
    match (open, outcome) {
        (None, outcome) => outcome,
        (Some(_), Err(_)) => Ok(()),
        (Some((name, _)), Ok(())) => {
            Err(format!("{name} is as it should be now: take it off the table").into())
        }
    }
}

/// Its rule is reported, with no unrelated one, and the exit code says as much.
fn is_caught(rule: &'static Rule) -> Result<(), Failed> {
    let companions = COMPANIONS.iter().find(|(fault, ..)| *fault == rule.fault.name);
    let companions = companions.map_or(&[][..], |(_, rules, _)| rules);
    for protocol in protocols(&rule.fault) {
        let seen = seen(&rule.fault, protocol)?;
        let reported: BTreeSet<&str> = seen.found.iter().map(|(id, _)| *id).collect();
        let expected: BTreeSet<&str> = companions.iter().copied().chain([rule.id]).collect();
        if reported != expected {
            return Err(format!("protocol {protocol}: {}", or_nothing(&seen.words)).into());
        }
        let violates = seen.found.iter().any(|(_, level)| *level == Level::Must);
        let exit = if violates { Exit::Violates } else { Exit::Conforms };
        if (seen.exit, seen.strict) != (exit, Exit::Violates) {
            return Err(format!("protocol {protocol}: {:?}, strictly {:?}", seen.exit, seen.strict).into());
        }
    }
    Ok(())
}

fn or_nothing(words: &[String]) -> String {
    if words.is_empty() { "nothing was found".to_owned() } else { words.join("\n") }
}

fn is_let_be(twin: &'static Fault) -> Result<(), Failed> {
    for protocol in protocols(twin) {
        let seen = seen(twin, protocol)?;
        if !seen.words.is_empty() || seen.strict != Exit::Conforms {
            return Err(format!("protocol {protocol}: {:?}: {}", seen.strict, seen.words.join("\n")).into());
        }
    }
    Ok(())
}

/// The perfect provider breaks nothing, every type of it comes as far as it can, and every rule has
/// enough to look at.
fn is_perfect(protocol: u8) -> Result<(), Failed> {
    let schema = provider(protocol, &definitions(protocol));
    let names: BTreeSet<&String> = schema.resources.keys().chain(schema.data_sources.keys()).collect();
    let mut passes: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for name in names {
        let report = play(protocol, 0, None, Some(name))?;
        for line in &report.per_type {
            let reached = line.reached;
            let far = reached.validated && (reached.read || reached.planned && reached.applied);
            if !far || line.refused > 0 {
                return Err(format!("{name}: {line:?}: {:?}", report.refusals).into());
            }
        }
        for (id, tally) in &report.totals.rules {
            let (n_passes, n_types) = passes.entry(id.clone()).or_default();
            *n_passes += tally.pass;
            *n_types += u64::from(tally.pass > 0);
        }
        let seen = look(report);
        if !seen.words.is_empty() || seen.strict != Exit::Conforms {
            return Err(format!("{name}: {:?}: {}", seen.strict, seen.words.join("\n")).into());
        }
    }
    let mut wanting = String::new();
    for rule in CATALOGUE {
        let (n_passes, n_types) = passes.get(rule.id).copied().unwrap_or_default();
        let enough = match rule.check {
            Check::Schema(_) | Check::EverySchema(_) => n_passes > 0,
            _ => n_passes >= 10 && n_types >= 2,
        };
        let excused = SELDOM.iter().any(|(id, _)| *id == rule.id);
        if !enough && !excused {
            writeln!(wanting, "{}: {n_passes} passes in {n_types} types", rule.id)
                .expect("a string takes all text");
        }
    }
    if wanting.is_empty() { Ok(()) } else { Err(wanting.into()) }
}

/// Who reports what of which fault, as a snapshot.
fn matrix() -> Result<(), Failed> {
    let mut table = String::new();
    for rule in CATALOGUE {
        for fault in [&rule.fault, &rule.twin] {
            let shown = PROTOCOLS.map(|protocol| {
                if is_absent(fault, protocol) {
                    return Ok("not there".to_owned());
                }
                let found = seen(fault, protocol)?.found;
                let found: Vec<String> = found.iter().map(|(id, level)| format!("{id} ({level})")).collect();
                Ok::<_, String>(if found.is_empty() { "nothing".to_owned() } else { found.join(", ") })
            });
            let [six, five] = shown;
            let (six, five) = (six?, five?);
            let line = match six == five {
                true => six,
                false => format!("{six}; in protocol 5 {five}"),
            };
            writeln!(table, "{}: {line}", fault.name).expect("a string takes all text");
        }
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("faults__matrix", table);
    });
    Ok(())
}

/// The tables above speak of what there is, and give reasons.
fn tables() -> Result<(), Failed> {
    let is_fault =
        |name: &str| CATALOGUE.iter().any(|rule| [rule.fault.name, rule.twin.name].contains(&name));
    let is_rule = |id: &str| CATALOGUE.iter().any(|rule| rule.id == id);
    for (fault, rules, reason) in COMPANIONS {
        if !is_fault(fault) || !rules.iter().all(|id| is_rule(id)) || reason.is_empty() {
            return Err(format!("{fault} of the companions").into());
        }
    }
    for (fault, protocol, reason) in ABSENT {
        if !is_fault(fault) || !PROTOCOLS.contains(protocol) || reason.is_empty() {
            return Err(format!("{fault} that is not in protocol {protocol}").into());
        }
    }
    for (rule, reason) in SELDOM {
        if !is_rule(rule) || reason.is_empty() {
            return Err(format!("{rule} that passes seldom").into());
        }
    }
    Ok(())
}

fn main() -> ExitCode {
    if let Some(code) = tfconform::role::play_if_asked() {
        return code;
    }
    let mut trials = vec![Trial::test("tables", tables)];
    trials.extend(
        PROTOCOLS.map(|protocol| Trial::test(format!("perfect/{protocol}"), move || is_perfect(protocol))),
    );
    for rule in CATALOGUE.iter().copied() {
        trials.push(Trial::test(format!("fault/{}", rule.fault.name), move || {
            expected(rule.fault.name, is_caught(rule))
        }));
        trials.push(Trial::test(format!("twin/{}", rule.twin.name), move || {
            expected(rule.twin.name, is_let_be(&rule.twin))
        }));
    }
    // Until its snapshot is recorded: `INSTA_UPDATE=always`, `--ignored matrix`.
    let recorded = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/snapshots/faults__matrix.snap").exists();
    trials.push(
        Trial::test("matrix", matrix)
            .with_kind(if recorded { "" } else { "no snapshot is recorded yet" })
            .with_ignored_flag(!recorded),
    );
    libtest_mimic::run(&Arguments::from_args(), trials).exit_code()
}
