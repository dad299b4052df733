//! The faults of `tests/providers/faults.toml`, each committed by a real provider.
//!
//! A trial plays one fault with `tfconform check --resource TYPE` at the defaults, and expects a finding of
//! one of the fault's rules that the same type does not have without the fault. Without a fault there must
//! be no `must`. A few faults are played by default; `TFCONFORM_PLANTED=all` plays them all and prints which
//! were found. What the table says is missed may be missed.
//!
//! Of a few faults, `TFCONFORM_PLANTED=all` also runs the Go test that `tfconform reproduce --as go` writes.
//!
//! Trials whose provider is not on the machine are ignored, with the reason as their kind.

#[path = "planted/go_test.rs"]
mod go_test;
#[path = "planted/play.rs"]
mod play;
#[path = "planted/table.rs"]
mod table;

use std::collections::{BTreeMap, BTreeSet};
use std::process::ExitCode;
use std::sync::{Arc, Mutex, OnceLock, PoisonError};

use libtest_mimic::{Arguments, Failed, Trial};
use play::{Finding, Provider, play};
use table::Fault;

/// The faults that are always played, of different kinds.
const ALWAYS: [&str; 5] = [
    "update_forgets_note",
    "null_tags_are_read_as_empty",
    "panic_on_absent_health_check",
    "random_in_plan",
    "address_is_left_unknown",
];

/// A fault at which an engine stops with every small configuration, and another one of the same type that is found only
/// because the rest is tried again.
const BEHIND_ANOTHER: [[&str; 2]; 3] = [
    ["null_note_becomes_empty", "panic_on_empty_note"],
    ["null_tags_become_empty", "members_are_read_sorted"],
    ["panic_on_absent_health_check", "listeners_are_read_by_port"],
];

/// What became of each fault that was played, by provider and name.
type Results = Arc<Mutex<BTreeMap<(String, String), Outcome>>>;

struct Outcome {
    fault: Fault,
    /// The findings that no run without the fault has, each with its level.
    found: BTreeSet<String>,
    is_expected: bool,
}

fn main() -> ExitCode {
    let everything = std::env::var_os("TFCONFORM_PLANTED").is_some_and(|what| what == "all");
    let results = Results::default();
    let faults = table::read();
    let mut trials = Vec::new();
    for name in ["faultsdk", "faultfw"] {
        let provider = Arc::new(Provider::find(name));
        let of_it: Vec<&Fault> = faults.iter().filter(|fault| fault.providers.contains(name)).collect();
        let resources: BTreeSet<&str> = of_it
            .iter()
            .filter(|fault| everything || is_always(fault))
            .map(|fault| fault.resource.as_str())
            .collect();
        let controls: BTreeMap<&str, Control> =
            resources.into_iter().map(|resource| (resource, Control::default())).collect();
        for (resource, control) in &controls {
            let (provider, control, resource) = (provider.clone(), control.clone(), (*resource).to_owned());
            trials.push(trial(&provider.clone(), format!("{name}/without_a_fault/{resource}"), move || {
                control.findings(&provider, &resource).map(drop)
            }));
        }
        for fault in of_it {
            let (fault, provider, results) = (fault.clone(), provider.clone(), results.clone());
            let title = format!("{name}/{}", fault.name);
            let Some(control) =
                controls.get(fault.resource.as_str()).filter(|_| everything || is_always(&fault))
            else {
                trials.push(not_played(title));
                continue;
            };
            let control = control.clone();
            trials.push(trial(&provider.clone(), title, move || {
                is_found(&fault, &provider, &control, &results)
            }));
        }
    }
    let faultfw = Arc::new(Provider::find("faultfw"));
    trials.extend(BEHIND_ANOTHER.map(|[first, hidden]| {
        let named = |name: &str| faults.iter().find(|fault| fault.name == name).expect("it is in the table");
        let (first, hidden, provider) = (named(first).clone(), named(hidden).clone(), Arc::clone(&faultfw));
        let title = format!("faultfw/{}/behind/{}", hidden.name, first.name);
        match everything {
            true => trial(&faultfw, title, move || is_found_behind(&first, &hidden, &provider)),
            false => not_played(title),
        }
    }));
    trials.extend(go_test::FAULTS.map(|fault| go_test::trial(fault, everything)));
    let conclusion = libtest_mimic::run(&Arguments::from_args(), trials);
    if everything {
        show(&results);
    }
    conclusion.exit_code()
}

fn is_always(fault: &Fault) -> bool {
    ALWAYS.contains(&fault.name.as_str())
}

fn not_played(title: String) -> Trial {
    let trial = Trial::test(title, || Err("it is played with TFCONFORM_PLANTED=all".into()));
    trial.with_kind("TFCONFORM_PLANTED=all plays it").with_ignored_flag(true)
}

/// A trial that is ignored where the provider is not on the machine.
fn trial(
    provider: &Provider,
    name: String,
    body: impl FnOnce() -> Result<(), Failed> + Send + 'static,
) -> Trial {
    match provider.is_there() {
        true => Trial::test(name, body),
        false => {
            let why = format!("needs {} in $TFCONFORM_PROVIDERS", provider.file());
            let told = why.clone();
            Trial::test(name, move || Err(told.into())).with_kind(why).with_ignored_flag(true)
        }
    }
}

/// The findings of a type without a fault, from one run for all its faults.
#[derive(Clone, Default)]
struct Control(Arc<OnceLock<Result<BTreeSet<Finding>, String>>>);

impl Control {
    fn findings(&self, provider: &Provider, resource: &str) -> Result<&BTreeSet<Finding>, Failed> {
        let played = self.0.get_or_init(|| {
            let found = play(provider, resource, None)?;
            match found.iter().find(|finding| finding.level == "must") {
                Some(finding) => Err(format!("without a fault: {finding:?}")),
                None => Ok(found),
            }
        });
        played.as_ref().map_err(|why| why.as_str().into())
    }
}

fn is_found(fault: &Fault, provider: &Provider, control: &Control, results: &Results) -> Result<(), Failed> {
    let without = control.findings(provider, &fault.resource)?;
    let with = play(provider, &fault.resource, Some(&fault.name))?;
    let new: Vec<&Finding> = with.difference(without).collect();
    let is_expected = new.iter().any(|finding| fault.rules.contains(&finding.rule));
    let found = new.iter().map(|finding| format!("{} {}", finding.level, finding.rule)).collect();
    let outcome = Outcome { fault: fault.clone(), found, is_expected };
    let told = format!("none of {:?} reports it; new are {:?}", fault.rules, outcome.found);
    let key = (provider.name().to_owned(), fault.name.clone());
    results.lock().unwrap_or_else(PoisonError::into_inner).insert(key, outcome);
    if is_expected || fault.missed.is_some() { Ok(()) } else { Err(told.into()) }
}

/// Finds both of two faults of one type that are committed together.
fn is_found_behind(first: &Fault, hidden: &Fault, provider: &Provider) -> Result<(), Failed> {
    let found = play(provider, &first.resource, Some(&format!("{},{}", first.name, hidden.name)))?;
    let is_in = |fault: &Fault| found.iter().any(|finding| fault.rules.contains(&finding.rule));
    match [first, hidden].into_iter().find(|fault| !is_in(fault)) {
        None => Ok(()),
        Some(missed) => {
            Err(format!("{}: none of {:?} reports it: {found:?}", missed.name, missed.rules).into())
        }
    }
}

/// Prints what was found, and how much of it.
fn show(results: &Results) {
    let results = results.lock().unwrap_or_else(PoisonError::into_inner);
    for ((provider, name), Outcome { fault, found, is_expected }) in results.iter() {
        let found = found.iter().map(String::as_str).collect::<Vec<_>>().join(", ");
        let (word, told) = match (is_expected, &fault.missed) {
            (true, None) => ("found", found),
            (true, Some(_)) => ("found", format!("{found} (the table says that it is missed)")),
            (false, Some(why)) => ("missed", why.clone()),
            (false, None) => ("missed", "without a known reason".to_owned()),
        };
        println!("{word:7} {provider:9} {name:45} {:32} {told}", fault.kind);
    }
    let n_found = results.values().filter(|outcome| outcome.is_expected).count();
    println!("{n_found} of {} planted faults were found", results.len());
}
