//! The cases of the verdict comparison, counted by fault and by rule.

use std::collections::{BTreeMap, BTreeSet};
use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use tfconform::rule::Fault;

/// How many errors of how many types are enough for one fault.
const OFTEN: usize = 20;
const TYPES: usize = 5;

/// The cases of a fault or a rule.
#[derive(Default)]
pub struct Tally {
    pub n_accepted: usize,
    pub n_breached: usize,
    /// Not compared, because the engine crashed over one of them, as its rule says that it may.
    pub n_crashed: usize,
    /// Of those with an error.
    pub types: BTreeSet<String>,
}

impl Tally {
    fn is_often(&self) -> bool {
        self.n_breached >= OFTEN && self.types.len() >= TYPES
    }
}

/// What came of the cases of an engine.
#[derive(Default)]
pub struct Verdicts {
    /// By fault or control.
    pub of: BTreeMap<&'static str, Tally>,
    /// How often a rule alone predicted an error.
    pub needed: BTreeMap<&'static str, usize>,
    pub n_disagreements: usize,
}

/// By engine.
pub type Compared = Arc<Mutex<BTreeMap<&'static str, Verdicts>>>;

/// Whether an engine notices a fault, and has not done so often.
pub fn is_rare(fault: &Fault, engine: &str, compared: &Compared) -> bool {
    let compared = compared.lock().unwrap_or_else(PoisonError::into_inner);
    let tally = compared.get(engine).and_then(|verdicts| verdicts.of.get(fault.name));
    tally.is_some_and(|tally| tally.n_breached > 0 && !tally.is_often())
}

/// How many cases agree, for each engine, and for each rule how often it alone predicted an error.
pub fn report(compared: &Compared) -> String {
    let mut text = String::new();
    for (engine, verdicts) in compared.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let Verdicts { of, needed, n_disagreements } = verdicts;
        let sum = |n: fn(&Tally) -> usize| of.values().map(n).sum::<usize>();
        let (accepted, breached) = (sum(|tally| tally.n_accepted), sum(|tally| tally.n_breached));
        let _ = writeln!(
            text,
            "{engine}: {} cases of {} faults and controls: {accepted} accepted, {breached} with an error; {n_disagreements} \
             disagreements; {} more were not compared, because it crashed",
            accepted + breached,
            of.len(),
            sum(|tally| tally.n_crashed),
        );
        let noticed = || of.iter().filter(|(_, tally)| tally.n_breached > 0);
        let n_often = noticed().filter(|(_, tally)| tally.is_often()).count();
        let _ = writeln!(
            text,
            "  {n_often:>6}  of {} faults that it notices, with at least {OFTEN} errors over {TYPES} types",
            noticed().count()
        );
        for (fault, tally) in noticed().filter(|(_, tally)| !tally.is_often()) {
            let n_types = tally.types.len();
            let _ = writeln!(text, "  {:>6}  of {n_types} types with {fault}", tally.n_breached);
        }
        for (rule, n) in needed.iter().filter(|(rule, _)| !rule.is_empty()) {
            let _ = writeln!(text, "  {n:>6}  {rule} alone predicted it");
        }
    }
    text
}
