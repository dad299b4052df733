//! `report merge`: reports of parts of a run become one.

use std::collections::BTreeMap;
use std::io::BufReader;
use std::path::{Path, PathBuf};

use clap::{Args as ClapArgs, Subcommand};

use super::output::{Output, Outputs};
use super::{Failed, Outcome};
use crate::files;
use crate::report::{self, Exit, json};
use crate::session;
use crate::suite::{ReportFile, ReportKind, Require};

#[derive(Debug, Subcommand)]
pub(crate) enum Report {
    /// Merge reports in JSON, such as those of `check --shard`: findings with one cause become one.
    Merge(Merge),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The exit code is that of a run that had played all of it.

Examples:
  tfconform check PATH --shard 1/2 --report json=1.json    on one machine
  tfconform check PATH --shard 2/2 --report json=2.json    on another
  tfconform report merge 1.json 2.json --html all.html     one report of both")]
pub(crate) struct Merge {
    /// Reports in JSON, written by the same version.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Write the report for browsers to a file, as `--report html=FILE`.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub html: Option<PathBuf>,
    /// Also write a report to a file; may be repeated.
    #[arg(help_heading = "Output", long, value_name = "KIND=FILE")]
    pub report: Vec<ReportFile>,
    #[command(flatten)]
    pub output: Output,
    /// Show for each type what was tried, what of it the provider accepted, and why not the rest.
    #[arg(help_heading = "Output", long)]
    pub coverage: bool,
    /// How much must be judged by all of them, as for `check`.
    #[arg(long, value_name = "applied=90%,…")]
    pub require: Option<Require>,
}

pub(super) fn report(Report::Merge(merge): &Report) -> Outcome {
    let parts = merge.files.iter().map(|file| read(file)).collect::<Result<Vec<_>, Failed>>()?;
    for (file, (part, _)) in merge.files.iter().zip(&parts).skip(1) {
        let (first, one) = (&merge.files[0], &parts[0].0);
        if let Some(what) = difference(one, part) {
            let (first, file) = (first.display(), file.display());
            return Err(Failed::usage(format!(
                "{first} and {file} are not parts of one run: {what} differs"
            )));
        }
    }
    let mut seen: BTreeMap<&str, &Path> = BTreeMap::new();
    for (file, (part, _)) in merge.files.iter().zip(&parts) {
        let Some(shard) = part.run.shard.as_deref() else { continue };
        if let Some(other) = seen.insert(shard, file) {
            let (other, file) = (other.display(), file.display());
            return Err(Failed::usage(format!("{other} and {file} are the same part of the run: {shard}")));
        }
    }
    let outputs = Outputs::open(&merge.output, merge.output.is_verbose(), merge.coverage, &written(merge))?;
    let require = merge.require.clone().unwrap_or_default();
    let (report, exit) = session::merge(parts, &require);
    outputs.print(&report, exit)
}

fn read(file: &Path) -> Result<(report::Report, Exit), Failed> {
    let problem = |problem: String| Failed::usage(format!("{}: {problem}", file.display()));
    let lines = BufReader::new(files::open(file).map_err(|error| problem(error.to_string()))?);
    json::read(lines).map_err(|error| problem(error.to_string()))
}

/// What two reports do not have in common that all parts of a run have.
fn difference(one: &report::Report, other: &report::Report) -> Option<&'static str> {
    let (one, other) = (&one.run, &other.run);
    let alike = [
        ("the provider", one.provider == other.provider),
        ("the set of the provider's types", one.types_digest == other.types_digest),
        ("the protocol", one.protocol == other.protocol),
        ("the engine", one.engine == other.engine),
        ("the level that fails a run", one.fail_on == other.fail_on),
        ("what is denied, warned of or allowed", one.policy == other.policy),
    ];
    alike.into_iter().find(|(_, is_alike)| !is_alike).map(|(what, _)| what)
}

fn written(merge: &Merge) -> Vec<ReportFile> {
    let html =
        merge.html.iter().map(|file: &PathBuf| ReportFile { kind: ReportKind::Html, file: file.clone() });
    merge.report.iter().cloned().chain(html).collect()
}
