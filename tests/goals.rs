//! What the project wants to reach with providers, measured.
//!
//! `TFCONFORM_GOALS=all cargo test --test goals` plays every suite at the defaults, prints a table of
//! figures, and fails where one is below its goal. That takes minutes, so the trials are ignored otherwise. All
//! figures are from the report of a run: what counts was accepted by the provider, or is named as not.
//!
//! `TFCONFORM_GOALS=all cargo test --test goals proof` plays every `must` finding of every fault under the real
//! `terraform`, and prints how many it confirms and which it does not. A few are played by default.

#[path = "levels/fault.rs"]
mod fault;
#[path = "proof/mod.rs"]
mod proof;
#[path = "goals/proven.rs"]
mod proven;
#[path = "planted/table.rs"]
mod table;

use std::path::{Path, PathBuf};
use std::process::ExitCode;
use std::sync::{Mutex, PoisonError};
use std::time::Duration;

use libtest_mimic::{Arguments, Failed, Trial};
use tfconform::generate::Cases;
use tfconform::generate::obligation::Theme;
use tfconform::report::coverage::Counts;
use tfconform::report::{Report, TypeLine};
use tfconform::schema::Kind;
use tfconform::session;
use tfconform::suite::{Located, Suite, locate};

/// Providers that need no service: everything they make exists only in their state or memory.
const OFFLINE: [&str; 8] = ["time", "fwfix", "sdkfix", "muxfix", "zoofw", "zoosdk", "faultfw", "faultsdk"];

/// The large provider, of which nothing can be applied.
const LARGE: &str = "aws";

/// Scenarios per type of the large provider: the smallest configuration, the same unknown, and the largest.
const LARGE_CASES: usize = 4;

/// Arguments and blocks of a type that is not among the largest.
const FEW_ARGUMENTS: u32 = 500;

/// One line of the table.
struct Line {
    provider: &'static str,
    what: &'static str,
    figure: String,
    goal: String,
    is_met: bool,
}

static TABLE: Mutex<Vec<Line>> = Mutex::new(Vec::new());

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

/// A suite without its hints, if its provider is on the machine.
fn suite(name: &str) -> Result<Suite, String> {
    let mut suite = Suite::read(&repository().join("suites").join(format!("{name}.toml")))
        .map_err(|error| error.to_string())?;
    if let Located::Missing { why } = locate(&suite.provider, &repository()) {
        return Err(why);
    }
    // Only the configuration of the provider counts.
    suite.resource.clear();
    suite.run.resources = Vec::new();
    suite.run.cases = Cases::Auto;
    suite.require = Default::default();
    Ok(suite)
}

/// Notes figures of a provider, each with the least it should be.
struct Noted {
    provider: &'static str,
    is_met: bool,
}

impl Noted {
    fn share(&mut self, what: &'static str, part: u64, whole: u64, goal: f64) {
        let percent = if whole == 0 { 100.0 } else { part as f64 * 100.0 / whole as f64 };
        self.line(what, format!("{part} of {whole} ({percent:.1} %)"), format!("{goal} %"), percent >= goal);
    }

    fn at_most(&mut self, what: &'static str, figure: f64, goal: f64) {
        self.line(what, format!("{figure:.1}"), format!("at most {goal}"), figure <= goal);
    }

    fn line(&mut self, what: &'static str, figure: String, goal: String, is_met: bool) {
        self.is_met &= is_met;
        let line = Line { provider: self.provider, what, figure, goal, is_met };
        TABLE.lock().unwrap_or_else(PoisonError::into_inner).push(line);
    }

    fn concluded(self) -> Result<(), Failed> {
        if self.is_met { Ok(()) } else { Err("a figure is below its goal; the table has them all".into()) }
    }
}

/// What every provider has: types with an accepted configuration, and what that takes.
fn learning(report: &Report, noted: &mut Noted, least: f64) {
    let questions = report.coverage.questions(Kind::Resource);
    let accepted = questions.map_or(0, |questions| questions.types);
    let learned = report.coverage.n_learned(Kind::Resource);
    noted.share("types with an accepted configuration", accepted, learned, least);
    if let Some(questions) = questions {
        noted.at_most("questions for each of them, mean", questions.mean, 2.5);
        noted.at_most("questions for 95 % of them", f64::from(questions.usual), 8.0);
    }
}

fn theme(report: &Report, theme: Theme) -> Counts {
    report.coverage.themes().get(&theme).copied().unwrap_or_default()
}

/// A provider that works offline.
fn offline(name: &'static str) -> Result<(), Failed> {
    let outcome = session::play_trial(&suite(name)?, None)?;
    let report = outcome.report;
    let mut noted = Noted { provider: name, is_met: true };
    learning(&report, &mut noted, 90.0);
    let managed: Vec<&TypeLine> = report.per_type.iter().filter(|line| line.kind == Kind::Resource).collect();
    let applied = managed.iter().filter(|line| line.reached.applied).count() as u64;
    noted.share("types applied", applied, managed.len() as u64, 90.0);
    let is_applied = |name: &str| managed.iter().any(|line| line.type_name == name && line.reached.applied);
    let mut total = Counts::default();
    let of_applied = report.coverage.types.iter().filter(|ty| is_applied(&ty.type_name));
    of_applied.for_each(|ty| total.add(ty.total()));
    noted.share("obligations of those met", total.met(), total.feasible(), 95.0);
    let pairs = theme(&report, Theme::Pair);
    noted.share("pairs of arguments accepted", pairs.accepted, pairs.feasible(), 95.0);
    noted.concluded()
}

/// A large provider, of which nothing is applied.
fn large() -> Result<(), Failed> {
    let mut suite = suite(LARGE)?;
    suite.run.cases = Cases::Number(LARGE_CASES);
    let outcome = session::play_trial(&suite, None)?;
    let report = outcome.report;
    let mut noted = Noted { provider: LARGE, is_met: true };
    learning(&report, &mut noted, 98.8);
    let managed = report.per_type.iter().filter(|line| line.kind == Kind::Resource);
    let valid: Vec<&TypeLine> = managed.filter(|line| line.reached.validated && !line.is_refused()).collect();
    let planned = valid.iter().filter(|line| line.reached.planned).count() as u64;
    noted.share("create plans accepted, of valid types", planned, valid.len() as u64, 98.0);
    let (accepted, of) = report.coverage.arguments_accepted(Kind::Resource, FEW_ARGUMENTS);
    noted.share("arguments accepted, of types with up to 500", accepted, of, 97.0);
    let (accepted, of) = report.coverage.arguments_accepted(Kind::Resource, u32::MAX);
    noted.line("arguments accepted, of all types", format!("{accepted} of {of}"), "any".to_owned(), true);
    noted.at_most("seconds", report.totals.wall.as_secs_f64(), Duration::from_secs(300).as_secs_f64());
    let memory = report.totals.harness_peak_memory as f64 / f64::from(1 << 20);
    noted.at_most("MiB of memory in tfconform", memory, 1024.0);
    noted.concluded()
}

/// A trial of what the real engine confirms; without one it is ignored.
fn proof(of: proven::Of, is_asked: bool) -> Trial {
    let missing = match of {
        _ if session::engine("terraform").is_none() => Some("needs terraform".to_owned()),
        proven::Of::Few => None,
        _ if !is_asked => Some("TFCONFORM_GOALS=all plays it".to_owned()),
        proven::Of::Reference => None,
        proven::Of::Provider(name) | proven::Of::Planted(name) => suite(name).err(),
    };
    let is_ignored = missing.is_some();
    let play = move || {
        let found = proven::play(of)?;
        let mut noted = Noted { provider: of.name(), is_met: true };
        found.lines(&mut noted);
        noted.concluded()
    };
    Trial::test(format!("proof/{}", of.name()), play)
        .with_kind(missing.unwrap_or_default())
        .with_ignored_flag(is_ignored)
}

fn trial(name: &'static str, is_asked: bool, play: fn(&'static str) -> Result<(), Failed>) -> Trial {
    let missing = if is_asked { suite(name).err() } else { Some("TFCONFORM_GOALS=all plays it".to_owned()) };
    let is_ignored = missing.is_some();
    Trial::test(name, move || play(name)).with_kind(missing.unwrap_or_default()).with_ignored_flag(is_ignored)
}

fn main() -> ExitCode {
    if let Some(code) = tfconform::role::play_if_asked() {
        return code;
    }
    // Engines start the reference provider as the program itself.
    // SAFETY: there is only one thread yet.
    unsafe { std::env::set_var("TFCONFORM_PROGRAM", env!("CARGO_BIN_EXE_tfconform")) };
    let is_asked = std::env::var_os("TFCONFORM_GOALS").is_some_and(|what| what == "all");
    let mut trials: Vec<Trial> = OFFLINE.into_iter().map(|name| trial(name, is_asked, offline)).collect();
    trials.push(trial(LARGE, is_asked, |_| large()));
    trials.extend(proven::Of::ALL.map(|of| proof(of, is_asked)));
    // One after the other: each may use all of the machine.
    let arguments = Arguments { test_threads: Some(1), ..Arguments::from_args() };
    let conclusion = libtest_mimic::run(&arguments, trials);
    for Line { provider, what, figure, goal, is_met } in
        TABLE.lock().unwrap_or_else(PoisonError::into_inner).iter()
    {
        let verdict = if *is_met { "" } else { "  below" };
        println!("{provider:<10} {what:<44} {figure:>26}   goal {goal}{verdict}");
    }
    conclusion.exit_code()
}
