//! The command line.

use std::path::PathBuf;

use clap::{Args as ClapArgs, CommandFactory as _, Parser, Subcommand, ValueEnum};

use super::case_args::{Graph, Issue, Replay, Reproduce};
use super::output::Output;
use super::overrides::{Overrides, seed};
use super::report::Report;
use crate::engine::Engine;
use crate::reference::Offered;
use crate::run::Shard;
use crate::suite::{REFERENCE_PROTOCOL, ReportFile, Selector};

/// Conformance testing for Terraform and OpenTofu providers.
#[derive(Debug, Parser)]
#[command(name = "tfconform", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  tfconform check                                      the reference provider, as a demonstration
  tfconform check ./terraform-provider-acme            your own provider
  tfconform explain plan/stays-null                    what a rule requires, and why
  tfconform replay 1b717882                            play a finding again, by its ID

Exit codes: `tfconform list exit-codes`.
Rules: `tfconform list rules`, `tfconform explain RULE`.")]
pub(crate) struct Args {
    /// When to write colours; by default as the terminal, `NO_COLOR`, `CLICOLOR` and `CLICOLOR_FORCE` say.
    #[arg(long, global = true, value_name = "WHEN", value_enum, default_value_t = clap::ColorChoice::Auto, help_heading = "Output")]
    pub color: clap::ColorChoice,
    #[command(subcommand)]
    pub command: Command,
}

/// Options that are about what is played, judged or kept, which `why` does not do.
const NOT_OF_WHY: [&str; 16] = [
    "resource",
    "cases",
    "shrink",
    "walk_length",
    "strict",
    "fail_on",
    "deny",
    "warn",
    "allow",
    "require",
    "baseline",
    "strict_baseline",
    "learned",
    "cases_dir",
    "transcripts",
    "report",
];

/// The command line, with the keys that options replace and their defaults in its help.
pub(super) fn command() -> clap::Command {
    let mut rows = Overrides::table();
    let mut told = move |arg: clap::Arg| {
        let Some(at) = rows.iter().position(|row| row.option == arg.get_id()) else { return arg };
        let row = rows.swap_remove(at);
        let default = row.default.map(|default| format!(", default: {default}")).unwrap_or_default();
        let help = arg.get_help().map(ToString::to_string).unwrap_or_default();
        arg.help(format!("{} [key: {}{default}]", help.trim_end_matches('.'), row.key))
    };
    let command = Args::command().mut_subcommand("check", |check| check.mut_args(&mut told));
    let of_why = |arg: clap::Arg| match (arg.get_id().as_str(), NOT_OF_WHY.contains(&arg.get_id().as_str())) {
        (_, true) => arg.hide(true).conflicts_with("type_name"),
        ("suite", _) => {
            arg.help("The suite that the provider, its block and its values are from").long_help(None)
        }
        _ => arg,
    };
    command.mut_subcommand("why", |why| why.mut_args(of_why))
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play whole lifecycles against a provider and judge every answer.
    Check(Box<Check>),
    /// Show why a provider refuses a type: what was tried, what it answered, and what would help.
    Why(Box<Why>),
    /// Explain a rule: what it requires, which document says so, and what users see when it is broken.
    Explain(Explain),
    /// List rules, faults, contract entries or exit codes.
    List(List),
    /// Judge recorded transcripts again, without a provider.
    Judge(Judge),
    /// Play a kept finding again, on the same provider or another build.
    Replay(Replay),
    /// Show what waits for what in the runs of a kept finding.
    Graph(Graph),
    /// Make one report of several, such as those of the parts of a run.
    #[command(subcommand)]
    Report(Report),
    /// Write a kept finding as a configuration with a script, and play it with the real terraform or tofu.
    Reproduce(Reproduce),
    /// Print a kept finding as a bug report.
    Issue(Issue),
    /// Print a provider's schema: its blocks in the format of `terraform providers schema -json`
    Schema(Schema),
    /// Run as the reference provider: a plugin, started by engines and not by people.
    Reference(Reference),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform check                                      the reference provider, as a demonstration
  tfconform check ./terraform-provider-acme            every type; applied only if it is sandboxed
  tfconform check ./terraform-provider-acme --apply    applied even if it is not sandboxed
  tfconform check -- python3 -m my_provider            a provider that needs an interpreter
  TF_REATTACH_PROVIDERS='{…}' tfconform check          a provider that is running in a debugger
  tfconform check PATH --resource 'acme_net*' --cases 100 --seed 7
  tfconform check --suite suites/acme.toml             with its values and known findings
  tfconform check --suite suites/acme.toml --seed 7    with a different seed
  tfconform check --suite suites/acme.toml PATH        on another build of its provider
  tfconform check PATH --coverage                      what was tried of each type, and what was not
  tfconform check PATH --write-baseline acme.toml      begin with a provider that has findings, and then
  tfconform check PATH --baseline acme.toml            fail on new ones alone
  tfconform check PATH --snapshots DIR --accept        store its snapshots; without --accept, compare
  tfconform check PATH --report junit=report.xml --report html=report.html
  tfconform check PATH --shard 1/4 --report json=1.json   the first of four parts; see `tfconform report merge`")]
pub(crate) struct Check {
    #[command(flatten)]
    pub tested: Tested,
    /// Do not keep findings.
    #[arg(help_heading = "Output", long)]
    pub no_cases: bool,
    /// Compare what the provider shows (schemas, plans, states) with the files in this folder.
    #[arg(help_heading = "Output", long, value_name = "DIR")]
    pub snapshots: Option<PathBuf>,
    /// Write what the provider shows now to the snapshot files.
    #[arg(help_heading = "Output", long, requires = "snapshots")]
    pub accept: bool,
    /// Write the findings that fail this run to a file, as a baseline for later ones; they then fail none.
    #[arg(help_heading = "Output", long, value_name = "FILE")]
    pub write_baseline: Option<PathBuf>,
    /// Play one of several parts of the types, such as `1/4`, which take about the same time.
    ///
    /// The parts are the same on every machine with the same options, and every type is in one of them. A
    /// `[require]` is ignored: `tfconform report merge --require` judges all parts.
    #[arg(long, value_name = "I/N", conflicts_with = "require")]
    pub shard: Option<Shard>,
    #[command(flatten)]
    pub output: Output,
    /// Show for each type what was tried, what of it the provider accepted, and why not the rest.
    #[arg(help_heading = "Output", long)]
    pub coverage: bool,
    /// Show no progress.
    #[arg(help_heading = "Output", long, short)]
    pub quiet: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform why acme_server ./terraform-provider-acme
  tfconform why data.acme_image ./terraform-provider-acme --config provider.tf --network
  tfconform why acme_server --suite suites/acme.toml      with its provider block and values

Exit codes: 0 if a configuration was applied, or as much as may be; 4 if none was.")]
pub(crate) struct Why {
    /// The type: `acme_server`, or `data.acme_image` for a data source.
    #[arg(value_name = "TYPE")]
    pub type_name: String,
    #[command(flatten)]
    pub tested: Tested,
}

/// What is tested: a provider, a suite, and what replaces its keys.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct Tested {
    #[command(flatten)]
    pub provider: ProviderArgs,
    /// Run a suite as one; the other options replace its keys.
    ///
    /// Known findings, values, volatile attributes, skipped types and `[require]` count as in `cargo test`. With
    /// `--resource` only those types are played, and `[require]` is ignored. A known finding that is not found
    /// is an error, unless the options change what is played.
    #[arg(long, value_name = "FILE")]
    pub suite: Option<PathBuf>,
    #[command(flatten)]
    pub overrides: Overrides,
}

/// The provider, in place of the suite's.
#[derive(Clone, Debug, Default, ClapArgs)]
pub(crate) struct ProviderArgs {
    /// The provider's program; without it, the suite's provider or else the reference provider.
    pub path: Option<PathBuf>,
    /// A command that starts the provider, if it needs an interpreter.
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "path")]
    pub command: Vec<String>,
    /// A provider that is already running, as the JSON it prints; TF_REATTACH_PROVIDERS does the same.
    ///
    /// The variable is used if no program, suite or fault is given. The process is never stopped, one call is
    /// made at a time unless `--jobs` says otherwise, and objects are created only with `--apply`.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["path", "command", "fault"])]
    pub reattach: Option<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform explain plan/stays-null       a rule: what it requires, why, and how it is mended
  tfconform explain plan                  the rules of a group
  tfconform explain PLAN-013              an entry of the contract: what it says, what covers it
  tfconform explain null becomes empty    suggests rules by their words")]
pub(crate) struct Explain {
    /// A rule, such as `plan/stays-null`, a group of rules, such as `plan`, or an entry of the contract, such as
    /// `PLAN-045`; other words suggest rules.
    #[arg(required = true)]
    pub rule: Vec<String>,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform list rules         level, name and one sentence of each
  tfconform list faults        what `check --fault` takes
  tfconform list scenarios     what is done to resource instances
  tfconform list engines       what `--engine` takes, and which real engines it was compared with
  tfconform list exit-codes    the exit codes and their meaning")]
pub(crate) struct List {
    #[arg(value_enum)]
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    Rules,
    Faults,
    Scenarios,
    Contract,
    Engines,
    ExitCodes,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform check PATH --transcripts out         writes the transcripts
  tfconform judge out/*.jsonl                    as the recorded engine
  tfconform judge out/*.jsonl --engine opentofu  as another engine")]
pub(crate) struct Judge {
    /// Transcripts or cases.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// The engine to judge as: terraform, terraform-1.11, opentofu, opentofu-1.12 or strict; by default the recorded one.
    #[arg(long)]
    pub engine: Option<Engine>,
    /// Findings at every level count; by default, those at the recorded level and above.
    #[arg(long)]
    pub strict: bool,
    /// Findings of these rules fail whatever their level, as for `check`; stronger than what was recorded.
    #[arg(long, value_name = "RULE[@TYPE]")]
    pub deny: Vec<Selector>,
    /// Findings of these rules are shown and do not fail.
    #[arg(long, value_name = "RULE[@TYPE]")]
    pub warn: Vec<Selector>,
    /// Findings of these rules are counted and not shown.
    #[arg(long, value_name = "RULE[@TYPE]")]
    pub allow: Vec<Selector>,
    /// Also write a report to a file; may be repeated.
    #[arg(help_heading = "Output", long, value_name = "KIND=FILE")]
    pub report: Vec<ReportFile>,
    #[command(flatten)]
    pub output: Output,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform schema ./terraform-provider-acme
  tfconform schema ./terraform-provider-acme | jq '.resource_schemas | keys'
  TF_REATTACH_PROVIDERS='{…}' tfconform schema")]
pub(crate) struct Schema {
    /// The provider's program.
    pub path: Option<PathBuf>,
    /// A provider that is already running, as the JSON it prints; TF_REATTACH_PROVIDERS does the same.
    #[arg(long, value_name = "JSON", conflicts_with = "path")]
    pub reattach: Option<String>,
}

/// How the reference provider behaves.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform reference --store ./store --debug                             wait for an engine to reattach
  tfconform reference --store ./store --fault plan/counts-calls --debug   with a fault")]
pub struct Reference {
    /// The folder of its remote system, shared by all its processes.
    #[arg(long, value_name = "FOLDER")]
    pub store: PathBuf,
    #[arg(long, default_value = "1", value_parser = seed)]
    pub seed: u64,
    #[arg(long, value_name = "NAME[@TYPE[.NAME]]")]
    pub fault: Vec<String>,
    #[arg(long, value_name = "MAJOR", default_value_t = REFERENCE_PROTOCOL, value_parser = clap::value_parser!(u8).range(5..=6))]
    pub protocol: u8,
    /// Offer a small world in place of types with every feature: networks, machines, disks and others that use each other.
    #[arg(long)]
    pub world: bool,
    /// Wait for engines to reattach, and print the value for TF_REATTACH_PROVIDERS.
    #[arg(long)]
    pub debug: bool,
}

impl From<Reference> for crate::reference::serve::Behaviour {
    fn from(reference: Reference) -> Self {
        let Reference { store, seed, fault: faults, protocol, world, debug: _ } = reference;
        let types = if world { Offered::World } else { Offered::Features };
        Self { protocol, seed, store, faults, types, log: None }
    }
}
