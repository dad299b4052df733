//! Every fault against a live provider: its rule reports it, and no other.
//!
//! A trial arms the reference provider with one fault or control, runs scenarios of types that have
//! every feature, in one protocol and with one seed, and checks what was found. For faults in
//! values, bytes or messages the provider answers in memory; for faults of the process, it runs in
//! its own processes. What the legacy flag excuses is armed once more, for the type that sets it.
//!
//! What only planning behaviours show is played scenario by scenario, to see that nothing else shows it.
//!
//! `matrix` comes last and compares all results with a snapshot. Alone, as under
//! cargo-nextest, it runs them all again.
//!
//! `TFCONFORM_SEEDS` sets the number of seeds, `TFCONFORM_CASES` the number of scenarios per
//! type, and `TFCONFORM_FAULTS=all` runs every type for each fault, and each in both protocols; by default
//! they take turns.

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[path = "matrix/mod.rs"]
mod matrix;

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::process::ExitCode;

use libtest_mimic::{Arguments, Failed, Trial};
use matrix::behaviours;
use matrix::play::{PROTOCOLS, Place, look, play, plays_all, seeds, seen};
use matrix::tables::{self, ABSENT, AFTER_FORGIVENESS, COMPANIONS, DIFFER, UNSTEADY, companions, is_absent};
use tfconform::reference::schema::{definitions, provider};
use tfconform::rule::{Check, Fault, Injection, Legacy, Level, Rule};
use tfconform::rules::CATALOGUE;
use tfconform::rules::behaviours::BEHAVIOUR_FAULTS;
use tfconform::rules::planned_private::PRIVATE_FAULTS;

/// The protocols that have a place for a fault.
fn protocols(fault: &Fault) -> impl Iterator<Item = u8> {
    PROTOCOLS.into_iter().filter(|protocol| !is_absent(fault, *protocol))
}

/// The protocols that a fault or control is played in. Rules do not look at the protocol, so one is enough by
/// default: rules take turns.
fn played_protocols(rule: usize, fault: &Fault) -> Vec<u8> {
    let has_place: Vec<u8> = protocols(fault).collect();
    if plays_all() || DIFFER.contains(&fault.name) {
        return has_place;
    }
    has_place.get(rule % has_place.len().max(1)).copied().into_iter().collect()
}

/// Its rule reports it, and no unrelated one does; each companion does somewhere.
fn is_caught(nth: usize, rule: &'static Rule, place: Place) -> Result<(), Failed> {
    let table = if place == Place::Legacy { AFTER_FORGIVENESS } else { COMPANIONS };
    let expected: BTreeSet<&str> = companions(table, &rule.fault).iter().copied().chain([rule.id]).collect();
    let level = if place == Place::Legacy { rule.level.min(Level::Tolerated) } else { rule.level };
    let mut reported = BTreeSet::new();
    for protocol in played_protocols(nth, &rule.fault) {
        let seen = seen(&rule.fault, place, protocol, Some(rule.id))?;
        let is_weighed = seen.0.keys().filter(|(id, _)| *id == rule.id).all(|(_, found)| *found <= level);
        if !seen.rules().is_subset(&expected) || !is_weighed {
            return Err(format!("protocol {protocol}: {}", seen.told()).into());
        }
        reported.extend(seen.rules());
    }
    let silent: Vec<&&str> = expected.difference(&reported).collect();
    if silent.is_empty() { Ok(()) } else { Err(format!("{silent:?} said nothing").into()) }
}

fn stays_silent(nth: usize, control: &'static Fault) -> Result<(), Failed> {
    for protocol in played_protocols(nth, control) {
        let seen = seen(control, Place::Everywhere, protocol, None)?;
        if !seen.0.is_empty() {
            return Err(format!("protocol {protocol}: {}", seen.told()).into());
        }
    }
    Ok(())
}

/// A protocol has no place for a fault: the fault finds nothing to corrupt. What it declares may also be
/// lost on the wire, so that its rule does not report the fault, or another rule reports the control.
fn is_absent_indeed(name: &str, protocol: u8) -> Result<(), Failed> {
    let rule = CATALOGUE.iter().find(|rule| [rule.fault.name, rule.control.name].contains(&name));
    let rule = rule.ok_or("no rule has it")?;
    let is_control = rule.control.name == name;
    let fault = if is_control { &rule.control } else { &rule.fault };
    for seed in seeds() {
        let report = match play(protocol, seed, Some((fault, Place::Everywhere)), None) {
            Ok(report) => report,
            Err(why) if why.contains("finds nothing in the schema to act on") => continue,
            Err(why) => return Err(why.into()),
        };
        let seen = look(&report)?;
        let is_absent = match fault.injection {
            Injection::Schema(_) if is_control => !seen.0.is_empty(),
            Injection::Schema(_) => !seen.rules().contains(rule.id),
            // Such a control has no findings in any case.
            _ => !is_control && seen.0.is_empty(),
        };
        if !is_absent {
            return Err(format!("protocol {protocol} has a place for it: {}", seen.told()).into());
        }
    }
    Ok(())
}

/// The conforming provider breaks nothing, each of its types gets through every phase it can, and
/// every rule is exercised enough.
fn is_perfect(protocol: u8) -> Result<(), Failed> {
    let schema = provider(protocol, &definitions(protocol));
    let names: BTreeSet<&String> = schema.resources.keys().chain(schema.data_sources.keys()).collect();
    let mut passes: BTreeMap<String, (u64, u64)> = BTreeMap::new();
    for (name, seed) in names.iter().flat_map(|name| seeds().map(move |seed| (*name, seed))) {
        let report = play(protocol, seed, None, Some(name))?;
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
        let seen = look(&report)?;
        if !seen.0.is_empty() {
            return Err(format!("{name}: {}", seen.told()).into());
        }
    }
    let mut wanting = String::new();
    for rule in CATALOGUE {
        let (n_passes, n_types) = passes.get(rule.id).copied().unwrap_or_default();
        let enough = match rule.check {
            Check::Schema(_) | Check::EverySchema(_) => n_passes > 0,
            // The conforming provider demands and refuses no optional argument, so there is nothing to test.
            _ if rule.id == "validate/optional-is-optional" => n_passes == 0,
            // One type has older versions, each of which is upgraded as it is once.
            _ if rule.id == "upgrade/accepts-older-versions" => n_passes >= 2,
            // An object is imported by its identity once for each type that has one.
            _ if rule.id == "import/returns-the-identity" => n_passes >= 5 && n_types >= 5,
            // Objects are moved once for each of two types.
            _ if rule.group() == "move" => n_passes >= 2 && n_types >= 2,
            _ => n_passes >= 10 && n_types >= 2,
        };
        if !enough {
            writeln!(wanting, "{}: {n_passes} passes in {n_types} types", rule.id)
                .expect("a string takes all text");
        }
    }
    if wanting.is_empty() { Ok(()) } else { Err(wanting.into()) }
}

/// Which rules report which fault, as a snapshot.
fn snapshot() -> Result<(), Failed> {
    let mut table = String::new();
    for (nth, rule) in CATALOGUE.iter().enumerate() {
        line(&mut table, nth, &rule.fault, Place::Everywhere, Some(rule.id))?;
        if rule.legacy == Legacy::Excused {
            line(&mut table, nth, &rule.fault, Place::Legacy, Some(rule.id))?;
        }
        line(&mut table, nth, &rule.control, Place::Everywhere, None)?;
    }
    insta::with_settings!({ prepend_module_to_snapshot => false, omit_expression => true }, {
        insta::assert_snapshot!("faults__matrix", table);
    });
    Ok(())
}

fn line(
    table: &mut String,
    nth: usize,
    fault: &'static Fault,
    place: Place,
    rule: Option<&'static str>,
) -> Result<(), String> {
    let shown = PROTOCOLS.map(|protocol| {
        if is_absent(fault, protocol) {
            return Ok("not there".to_owned());
        }
        // What was not played shows what the other protocol does.
        let plays = played_protocols(nth, fault);
        let played = if plays.contains(&protocol) { protocol } else { plays[0] };
        let seen = seen(fault, place, played, rule)?;
        let printed = |what: &(&str, Level)| match seen.1.get(what) {
            _ if UNSTEADY.contains(&fault.name) => String::new(),
            None => "also ".to_owned(),
            Some(1) => String::new(),
            Some(n) => format!("{n} × "),
        };
        let found = seen.0.keys().map(|what| format!("{}{} ({})", printed(what), what.0, what.1));
        let found: Vec<String> = found.collect();
        Ok::<_, String>(if found.is_empty() { "nothing".to_owned() } else { found.join(", ") })
    });
    let [six, five] = shown;
    let (six, five) = (six?, five?);
    let shown = if six == five { six } else { format!("{six}; in protocol 5 {five}") };
    let flag = if place == Place::Legacy { " under the legacy flag" } else { "" };
    writeln!(table, "{}{flag}: {shown}", fault.name).expect("a string takes all text");
    Ok(())
}

fn main() -> ExitCode {
    if let Some(code) = tfconform::role::play_if_asked() {
        return code;
    }
    let mut trials = vec![Trial::test("tables", tables::are_true)];
    trials.extend(
        PROTOCOLS.map(|protocol| Trial::test(format!("perfect/{protocol}"), move || is_perfect(protocol))),
    );
    trials.extend(ABSENT.iter().map(|(name, protocol, _)| {
        Trial::test(format!("absent/{protocol}/{name}"), move || is_absent_indeed(name, *protocol))
    }));
    for (nth, rule) in CATALOGUE.iter().copied().enumerate() {
        trials.push(Trial::test(format!("fault/{}", rule.fault.name), move || {
            is_caught(nth, rule, Place::Everywhere)
        }));
        trials.push(Trial::test(format!("control/{}", rule.control.name), move || {
            stays_silent(nth, &rule.control)
        }));
        if rule.legacy == Legacy::Excused {
            trials.push(Trial::test(format!("legacy/{}", rule.fault.name), move || {
                is_caught(nth, rule, Place::Legacy)
            }));
        }
    }
    trials.extend(BEHAVIOUR_FAULTS.iter().map(|one| {
        Trial::test(format!("behaviour/{}", one.fault.name), move || behaviours::is_found_there_alone(one))
    }));
    trials.extend(PRIVATE_FAULTS.iter().map(|one| {
        let name = format!("planned-private/{}", one.fault.name);
        Trial::test(name, move || behaviours::is_found_by_planned_private(one))
    }));
    trials.push(Trial::test("matrix", snapshot));
    let mut arguments = Arguments::from_args();
    // More threads than processors: some wait for a process that hangs.
    arguments.test_threads.get_or_insert(2 * std::thread::available_parallelism().map_or(2, usize::from));
    libtest_mimic::run(&arguments, trials).exit_code()
}
