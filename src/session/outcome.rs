//! The outcome of a run.

use super::{Part, baseline, known};
use crate::report::{Exit, Report};
use crate::rule::Level;
use crate::suite::{Baseline, Require, Suite};

/// The outcome of a run.
pub struct Outcome {
    pub report: Report,
    pub exit: Exit,
    /// Whether the only thing that is wrong is that nothing was applied although nobody asked for that.
    pub is_only_unapplied: bool,
}

impl Outcome {
    /// Notes what is wrong with a suite. What was found comes first: it is not lost over this.
    pub(super) fn note_errors_of_the_suite(&mut self, how: impl Iterator<Item = String>) {
        let how: Vec<String> = how.collect();
        if !how.is_empty() && matches!(self.exit, Exit::Conforms | Exit::TooLittle) {
            self.exit = Exit::Usage;
        }
        self.report.notes.extend(how);
    }

    /// Notes what a suite and its baseline know and the run did not find, unless it was ended early or is of a part, and
    /// may have missed it.
    pub(super) fn note_what_is_gone(&mut self, suite: &Suite, baseline: &Baseline, part: &Part) {
        if self.exit.is_early() || part.is_reduced {
            return;
        }
        let stale = known::stale(suite, &self.report, part.ty());
        let gone = baseline::gone(suite, baseline, &self.report, part);
        let (failing, noted) = if suite.run.strict_baseline { (gone, None) } else { (None, gone) };
        self.report.notes.extend(noted);
        self.note_errors_of_the_suite(stale.into_iter().chain(failing));
    }
}

/// The exit code of a report, if findings at `fail_on` and above fail it; `early` is that of the signal which
/// ended the run.
pub fn exit(report: &Report, fail_on: Level, early: Option<Exit>, too_little: bool) -> Exit {
    let (totals, types) = (&report.totals, report.totals.types);
    // A part of a run may have no type, where there are more parts than types.
    let has_no_type = types.total == 0 && report.run.shard.is_none();
    let nothing_judged = has_no_type || (types.managed > 0 && types.planned == 0);
    if totals.defects > 0 {
        Exit::OurBug
    } else if let Some(early) = early {
        // Even with findings: there may be more, and the reader must know.
        early
    } else if report.at_least(fail_on) > 0 {
        Exit::Violates
    } else if report.unusable {
        Exit::Unusable
    } else if too_little || totals.is_lost || totals.is_stuck || nothing_judged {
        Exit::TooLittle
    } else {
        Exit::Conforms
    }
}

/// The outcome of the parts of a run, each with its exit code; `require` is what must have been judged by all.
pub fn merge(parts: Vec<(Report, Exit)>, require: &Require) -> (Report, Exit) {
    let lacks = missing_parts(parts.iter().filter_map(|(report, _)| report.run.shard.as_deref()));
    merge_runs(parts, Some(require), lacks)
}

/// The outcome of runs that belong together; `require` is what they must have judged, if that can be told, and `lacks`
/// says what is missing.
pub(super) fn merge_runs(
    runs: Vec<(Report, Exit)>,
    require: Option<&Require>,
    lacks: Option<String>,
) -> (Report, Exit) {
    let exits: Vec<Exit> = runs.iter().map(|(_, exit)| *exit).collect();
    let mut report = runs.into_iter().map(|(report, _)| report).reduce(Report::merge).unwrap_or_default();
    let too_little = require.map_or_else(Vec::new, |require| too_little(&report, require));
    let too_little: Vec<String> = lacks.into_iter().chain(too_little).collect();
    report.notes.extend(too_little.iter().cloned());
    let early = exits.iter().copied().filter(|exit| exit.is_early()).max();
    let judged = exit(&report, report.run.fail_on, early, !too_little.is_empty());
    // What a report does not tell: a suite that is wrong, files that could not be used.
    let beside = |exit: &Exit| matches!(exit, Exit::Usage | Exit::Unusable | Exit::SnapshotChanged);
    let exit = match (judged, exits.into_iter().filter(beside).min()) {
        (Exit::Conforms, Some(beside)) => beside,
        (Exit::TooLittle, Some(beside)) if beside != Exit::SnapshotChanged => beside,
        (judged, _) => judged,
    };
    (report, exit)
}

/// Which parts of a run are not among those that are named as `1/4`.
fn missing_parts<'p>(named: impl Iterator<Item = &'p str>) -> Option<String> {
    let number =
        |part: &str| Some((part.split_once('/')?.0.parse().ok()?, part.split_once('/')?.1.parse().ok()?));
    let named: Vec<(u32, u32)> = named.filter_map(number).collect();
    let of = named.iter().map(|(_, of)| *of).max()?;
    let is_there = |number: &u32| named.contains(&(*number, of));
    let missing: Vec<String> =
        (1..=of).filter(|number| !is_there(number)).map(|number| format!("{number}/{of}")).collect();
    (!missing.is_empty()).then(|| format!("parts of the run are missing: {}", missing.join(", ")))
}

/// Why too little was judged: what is required and was not reached, why nothing was applied although nobody
/// asked for that, and which types were only refused.
pub(super) fn too_little(report: &Report, require: &Require) -> Vec<String> {
    let why_unapplied = report.why_unapplied();
    let refused = why_unapplied.is_none().then(|| only_refused(report, require)).flatten();
    // As where the time of the run did not suffice for one.
    let is_unjudged = why_unapplied.is_none() && refused.is_none() && report.coverage.is_unjudged();
    let unjudged = is_unjudged.then(|| "no obligation was judged".to_owned());
    missing(report, require).into_iter().chain(why_unapplied).chain(refused).chain(unjudged).collect()
}

/// Types that are named.
const NAMED: usize = 5;

/// Which types were tried in vain, unless the user says how many must be reached.
fn only_refused(report: &Report, require: &Require) -> Option<String> {
    let refused = report.refused_types();
    if refused.is_empty() || require.planned.is_some() || require.applied.is_some() {
        return None;
    }
    let more = match refused.len().saturating_sub(NAMED) {
        0 => String::new(),
        more => format!(" and {more} more"),
    };
    let named = refused[..refused.len().min(NAMED)].join(", ");
    Some(format!(
        "every scenario of {named}{more} was refused: set arguments that the provider accepts in a suite, leave the \
         type out with `--resource` or `resource.TYPE.skip`, or say how much is enough, as `--require planned=90%` does"
    ))
}

/// Whether a report would conform if it did not matter that nothing was applied.
pub(super) fn is_only_unapplied(report: &Report, require: &Require, early: Option<Exit>) -> bool {
    let is_missing = !missing(report, require).is_empty();
    report.is_unapplied() && exit(report, report.run.fail_on, early, is_missing) == Exit::Conforms
}

/// What is required and was not reached.
fn missing(report: &Report, require: &Require) -> Vec<String> {
    let types = report.totals.types;
    let mut missing = Vec::new();
    for (stage, amount, count) in
        [("planned", require.planned, types.planned), ("applied", require.applied, types.applied)]
    {
        if amount.is_some_and(|amount| !amount.is_met(count, types.managed)) {
            missing.push(format!("more types must be {stage} than {count} of {}", types.managed));
        }
    }
    if let Some(least) = require.scenarios.filter(|least| report.totals.scenarios < *least) {
        missing.push(format!("{least} scenarios are required, and {} were played", report.totals.scenarios));
    }
    missing
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::generate::obligation::Theme;
    use crate::report::TypeLine;
    use crate::report::coverage::{Counts, Coverage, TypeCoverage};
    use crate::schema::Kind;

    fn of_one_type() -> Report {
        let mut report = Report::default();
        report.totals.types.total = 1;
        report
    }

    #[test]
    fn a_part_that_is_missing_is_named() {
        let missing = |named: &[&str]| missing_parts(named.iter().copied());
        assert_eq!(missing(&["2/3", "1/3", "3/3"]), None);
        assert_eq!(missing(&[]), None);
        let told = missing(&["3/4", "1/4"]).expect("two are missing");
        assert_eq!(told, "parts of the run are missing: 2/4, 4/4");
    }

    #[test]
    fn a_run_that_judged_no_type_does_not_conform() {
        assert_eq!(exit(&of_one_type(), Level::Must, None, false), Exit::Conforms);
        assert_eq!(exit(&Report::default(), Level::Must, None, false), Exit::TooLittle);
        let mut part = Report::default();
        part.run.shard = Some("9/9".to_owned());
        assert_eq!(exit(&part, Level::Must, None, false), Exit::Conforms, "there are more parts than types");
    }

    #[test]
    fn a_run_that_judged_no_obligation_does_not_conform() {
        let report = |counts| {
            let themes = [(Theme::Set, counts)].into();
            let type_name = "acme_disk".to_owned();
            let (behaviours, unmet) = ([].into(), Vec::new());
            let ty =
                TypeCoverage { kind: Kind::Resource, type_name, learning: None, themes, behaviours, unmet };
            let coverage = Coverage { types: vec![ty], ..Coverage::default() };
            Report { coverage, ..of_a_data_source() }
        };
        let told = |counts| too_little(&report(counts), &Require::default());
        assert_eq!(told(Counts { unplayed: 7, ..Counts::default() }), ["no obligation was judged"]);
        assert!(told(Counts { accepted: 1, unplayed: 7, ..Counts::default() }).is_empty());
    }

    fn of_a_data_source() -> Report {
        let mut line = TypeLine::new(Kind::DataSource, "acme_image".to_owned());
        line.reached.read = true;
        Report { per_type: vec![line], ..of_one_type() }
    }

    #[test]
    fn the_parts_of_a_run_end_as_the_whole_would() {
        let merged = |exits: &[Exit]| {
            let parts = exits.iter().map(|exit| (of_a_data_source(), *exit)).collect();
            merge(parts, &Require::default()).1
        };
        assert_eq!(merged(&[Exit::Conforms, Exit::Conforms]), Exit::Conforms);
        assert_eq!(merged(&[Exit::Conforms, Exit::TooLittle]), Exit::Conforms, "together it was enough");
        assert_eq!(merged(&[Exit::SnapshotChanged, Exit::Usage]), Exit::Usage);
        assert_eq!(merged(&[Exit::SnapshotChanged, Exit::Conforms]), Exit::SnapshotChanged);
        assert_eq!(merged(&[Exit::Interrupted, Exit::Conforms]), Exit::Interrupted);
        let require = Require { scenarios: Some(1), ..Require::default() };
        let (report, exit) = merge(vec![(of_a_data_source(), Exit::Conforms)], &require);
        assert_eq!((exit, report.notes.lines().len()), (Exit::TooLittle, 1));
    }

    #[test]
    fn a_run_that_lost_its_provider_does_not_conform() {
        let mut report = of_one_type();
        assert_eq!(exit(&report, Level::Must, None, false), Exit::Conforms);
        report.totals.is_lost = true;
        assert_eq!(exit(&report, Level::Must, None, false), Exit::TooLittle);
    }

    #[test]
    fn a_run_whose_every_apply_hangs_does_not_conform() {
        let mut report = of_one_type();
        report.totals.is_stuck = true;
        assert_eq!(exit(&report, Level::Must, None, false), Exit::TooLittle);
    }
}
