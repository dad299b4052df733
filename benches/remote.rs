//! The time until a planted fault is shown, where the remote system takes long to answer.
//!
//! A run as `check` makes it of one resource type, from its start: the first object, the first twenty scenarios, and the
//! first finding of the rule that the fault breaks.

mod support;

use std::path::Path;
use std::sync::Mutex;
use std::time::Instant;

use support::table::Goal;
use support::{Spread, Table, block_on, program};

use tfconform::generate::{self, Cases};
use tfconform::report::events::{Consumer, Event};
use tfconform::run::{self, RunOptions};
use tfconform::suite::Selection;

const PROVIDER: &str = "faultfw";

/// Faults of its types, each with the rule that finds it.
const FAULTS: [(&str, &str, &str); 3] = [
    ("update_forgets_note", "faultfw_server", "read/sees-the-change"),
    ("update_forgets_listener_host", "faultfw_service", "read/sees-the-change"),
    ("random_in_plan", "faultfw_server", "plan/repeats-itself"),
];

/// What a request takes, in milliseconds.
const LATENCIES: [u64; 4] = [0, 20, 100, 300];

/// The scenarios that matter most.
const FIRST: usize = 20;

fn main() {
    for latency in LATENCIES {
        let mut table = Table::new(format!("remote: {PROVIDER}, {latency} ms for a request"));
        match support::provider(PROVIDER) {
            Ok(path) => FAULTS.iter().for_each(|fault| measure(*fault, latency, &path, &mut table)),
            Err(why) => table.skipped(PROVIDER, &why),
        }
        table.print();
    }
}

fn measure((fault, type_name, rule): (&str, &str, &str), latency: u64, path: &Path, table: &mut Table) {
    let home = tempfile::tempdir().expect("a folder can be made");
    let mut program = program(path, home.path());
    for (name, value) in [("FAULT", fault.to_owned()), ("REMOTE_LATENCY", format!("{latency}ms"))] {
        program.env.insert(name.into(), value.into());
    }
    let generate = generate::Options { cases: Cases::Auto, apply: true, ..generate::Options::default() };
    let options = RunOptions {
        select: Selection::parse(&[type_name.to_owned()]).expect("it is the name of a type"),
        has_outside: true,
        learns: true,
        ..support::options(program, generate)
    };
    let marks = Marks::new(rule);
    block_on(run::run(options, None, &marks)).expect("the provider can be used");
    let seen = marks.seen.into_inner().expect("nothing panics under the lock");
    let mut row = |what: &str, at: Option<f64>, goal: Goal| {
        let what = format!("{fault}: {what}");
        match at {
            Some(seconds) => table.row(&what, Spread::of([seconds]), "s", goal),
            None => table.skipped(&what, "not seen"),
        }
    };
    row("first object", seen.object, Goal::AtMost(20.0));
    row(&format!("{FIRST} scenarios"), seen.scenarios, Goal::AtMost(120.0));
    row(rule, seen.finding, Goal::None);
}

/// When something was seen first, in seconds from the start.
#[derive(Default)]
struct Seen {
    n_scenarios: usize,
    object: Option<f64>,
    scenarios: Option<f64>,
    finding: Option<f64>,
}

struct Marks {
    began: Instant,
    rule: String,
    seen: Mutex<Seen>,
}

impl Marks {
    fn new(rule: &str) -> Marks {
        Marks { began: Instant::now(), rule: rule.to_owned(), seen: Mutex::default() }
    }
}

impl Consumer for Marks {
    fn consume(&self, event: Event<'_>) {
        let now = self.began.elapsed().as_secs_f64();
        let mut seen = self.seen.lock().expect("nothing panics under the lock");
        match event {
            Event::ScenarioFinished(judged) => {
                seen.n_scenarios += 1;
                if judged.ended().is_some_and(|ended| ended.reached.applied) {
                    seen.object.get_or_insert(now);
                }
                if seen.n_scenarios == FIRST {
                    seen.scenarios = Some(now);
                }
            }
            Event::Finding(finding) if finding.rule().id == self.rule => {
                seen.finding.get_or_insert(now);
            }
            _ => {}
        }
    }
}
