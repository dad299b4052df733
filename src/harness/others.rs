//! Whether anything of a suite can be applied, if one of its types cannot.

use std::collections::BTreeMap;
use std::path::PathBuf;
use std::sync::{Mutex, PoisonError};

use crate::generate::Cases;
use crate::report::progress::Quiet;
use crate::session::{self, Part};
use crate::suite::{Require, Suite};

/// Scenarios per type: enough to see whether one can be applied.
const CASES: usize = 3;

/// What was found out, by the file of the suite.
static APPLIED: Mutex<BTreeMap<PathBuf, bool>> = Mutex::new(BTreeMap::new());

/// Whether some type that the suite selects can be applied. Plays all of them, once for each suite.
///
/// Trials know nothing of each other: they may be filtered, or run in a process each.
pub(super) fn are_applied(suite: &Suite) -> bool {
    let mut known = APPLIED.lock().unwrap_or_else(PoisonError::into_inner);
    let file = suite.file.clone().unwrap_or_default();
    *known.entry(file).or_insert_with(|| {
        let mut suite = suite.clone();
        suite.run.cases = Cases::Number(CASES);
        suite.run.transcripts = None;
        suite.require = Require::default();
        let outcome = session::play_suite(&suite, &Part::default(), &Quiet);
        outcome.is_ok_and(|outcome| !outcome.report.is_unapplied())
    })
}
