//! What can be written on the command line.

use std::ffi::OsString;
use std::path::PathBuf;

use clap::{Args as ClapArgs, Parser, Subcommand, ValueEnum};

use crate::engine::Engine;
use crate::rule::Level;

/// Conformance testing for Terraform and OpenTofu providers.
#[derive(Debug, Parser)]
#[command(name = "tfconform", version, max_term_width = 100, arg_required_else_help = true)]
#[command(after_help = "\
Examples:
  tfconform check                                      the reference provider, as a demonstration
  tfconform check ./terraform-provider-acme            a provider of your own
  tfconform explain plan/stays-null                    a rule in words
  tfconform replay .tfconform/cases/CASE.jsonl         a finding once more

Exit codes: `tfconform list exit-codes`.
Every rule in words: `tfconform explain RULE`.")]
pub(crate) struct Args {
    #[command(subcommand)]
    pub command: Command,
}

#[derive(Debug, Subcommand)]
pub(crate) enum Command {
    /// Play whole lifecycles on a provider and judge every answer.
    Check(Check),
    /// Explain a rule: what must hold, who says so, what a user sees when it breaks.
    Explain(Explain),
    /// List rules, faults, contract entries or exit codes.
    List(List),
    /// Judge recorded transcripts again, without a provider.
    Judge(Judge),
    /// Play a kept finding again, against the same provider or another one.
    Replay(Replay),
    /// Print a provider's schema: its blocks as `terraform providers schema -json` has them
    Schema(Schema),
    /// Be the reference provider: a plugin that engines start, not people.
    Reference(Reference),
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform check                                      the reference provider, as a demonstration
  tfconform check ./terraform-provider-acme            every type; applied only if it is closed off
  tfconform check ./terraform-provider-acme --apply    applied in any case
  tfconform check -- python3 -m my_provider            a provider that needs an interpreter
  TF_REATTACH_PROVIDERS='{…}' tfconform check          a provider that runs under a debugger
  tfconform check PATH --resource 'acme_net*' --cases 100 --seed 7
  tfconform check --suite suites/acme.toml             with its values and known findings, as cargo test does
  tfconform check PATH --snapshots DIR --accept        keep what it shows; compare without --accept
  tfconform check PATH --format junit > report.xml")]
pub(crate) struct Check {
    /// The provider's program; the reference provider where there is none.
    pub path: Option<PathBuf>,
    /// A command that starts the provider, where it is not a program by itself.
    #[arg(last = true, value_name = "COMMAND", conflicts_with = "path")]
    pub command: Vec<OsString>,
    /// A provider that already runs, as it says itself; TF_REATTACH_PROVIDERS does the same.
    ///
    /// The variable counts where no program and no fault is named. Its process is never ended, one
    /// call is made at a time unless --jobs says otherwise, and objects are made with --apply alone.
    #[arg(long, value_name = "JSON", conflicts_with_all = ["path", "command", "fault"])]
    pub reattach: Option<String>,
    /// Play what a suite file says, as one run: its provider, or PATH in place of it.
    ///
    /// Known findings, values, volatile attributes, what is skipped and what is demanded count as in
    /// `cargo test`; with --resource only those types are played, and nothing is demanded of the whole.
    #[arg(long, value_name = "FILE", conflicts_with_all = [
        "command", "reattach", "cases", "seed", "config", "apply", "no_apply", "timeout", "start_timeout",
        "engine", "strict", "fail_on", "fault", "protocol", "snapshots",
    ])]
    pub suite: Option<PathBuf>,
    /// Only types that match; may be repeated.
    #[arg(long, value_name = "GLOB")]
    pub resource: Vec<String>,
    /// Scenarios per type.
    #[arg(long, value_name = "N", default_value_t = 24, value_parser = above_zero)]
    pub cases: usize,
    /// The same seed sends the same bytes.
    #[arg(long, value_name = "S", default_value = "1", value_parser = seed)]
    pub seed: u64,
    /// The provider block: HCL, JSON where the name ends in `.json`, that of a suite where it ends in `.toml`.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// Create, read, change and destroy objects, even where the provider is not closed off.
    #[arg(long)]
    pub apply: bool,
    /// Validate and plan only.
    #[arg(long, conflicts_with = "apply")]
    pub no_apply: bool,
    /// The longest a call may take, in seconds; raise it where a debugger stops the provider.
    #[arg(long, value_name = "SECONDS", default_value_t = 30.0)]
    pub timeout: f64,
    /// The longest a process may take from its start to its handshake, in seconds.
    #[arg(long, value_name = "SECONDS", default_value_t = 60.0)]
    pub start_timeout: f64,
    /// Scenarios in flight.
    #[arg(long, value_name = "N", value_parser = above_zero)]
    pub jobs: Option<usize>,
    /// Which engine's judgement counts: terraform, opentofu or strict.
    #[arg(long, default_value_t = Engine::Terraform)]
    pub engine: Engine,
    /// Findings at every level fail the run.
    #[arg(long)]
    pub strict: bool,
    /// The lowest level at which a finding fails the run.
    #[arg(long, value_enum, value_name = "LEVEL", conflicts_with = "strict")]
    pub fail_on: Option<FailOn>,
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Arm the reference provider with a fault; may be repeated.
    #[arg(long, value_name = "NAME[@TYPE[.NAME]]", conflicts_with_all = ["path", "command"])]
    pub fault: Vec<String>,
    /// The only protocol to offer, 5 or 6; the reference provider speaks 6 unless told.
    #[arg(long, value_name = "MAJOR", value_parser = clap::value_parser!(u8).range(5..=6))]
    pub protocol: Option<u8>,
    /// Where findings are kept, to be played again with `tfconform replay`.
    #[arg(long, value_name = "DIR", default_value = ".tfconform/cases")]
    pub cases_dir: PathBuf,
    /// Keep no finding.
    #[arg(long)]
    pub no_cases: bool,
    /// Write every transcript here, without secrets; that of the first calls is `start.jsonl`.
    #[arg(long, value_name = "DIR")]
    pub transcripts: Option<PathBuf>,
    /// Compare what the provider shows (schemas, plans, states) with the files in this folder.
    #[arg(long, value_name = "DIR")]
    pub snapshots: Option<PathBuf>,
    /// Have the files hold what the provider shows now.
    #[arg(long, requires = "snapshots")]
    pub accept: bool,
    /// One provider process for everything, for debuggers.
    #[arg(long)]
    pub one_process: bool,
    /// Show every finding in full.
    #[arg(long, short)]
    pub verbose: bool,
    /// No progress.
    #[arg(long, short)]
    pub quiet: bool,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum FailOn {
    Must,
    Tolerated,
    Should,
    Advice,
}

impl FailOn {
    pub fn level(self) -> Level {
        match self {
            FailOn::Must => Level::Must,
            FailOn::Tolerated => Level::Tolerated,
            FailOn::Should => Level::Should,
            FailOn::Advice => Level::Advice,
        }
    }
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum Format {
    /// For people.
    Human,
    /// One JSON object per line: `run`, `finding`, `snapshot`, `summary`.
    Json,
    /// For CI servers.
    Junit,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform explain plan/stays-null    a rule: what must hold, and who says so
  tfconform explain PLAN-013           an entry of the contract: who looks after it")]
pub(crate) struct Explain {
    /// A rule, such as `plan/stays-null`, or an entry of the contract, such as `PLAN-045`.
    pub rule: String,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform list rules         level, name and one sentence of each
  tfconform list faults        what `check --fault` takes
  tfconform list exit-codes    what a script can tell apart")]
pub(crate) struct List {
    #[arg(value_enum)]
    pub what: What,
}

#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum What {
    Rules,
    Faults,
    Contract,
    ExitCodes,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform check PATH --transcripts out         writes what is judged here
  tfconform judge out/*.jsonl                    as it was judged then
  tfconform judge out/*.jsonl --engine opentofu  as another engine would judge it")]
pub(crate) struct Judge {
    /// Transcripts or cases.
    #[arg(required = true, value_name = "FILE")]
    pub files: Vec<PathBuf>,
    /// Which engine's judgement counts: terraform, opentofu or strict; the recorded one where none is given.
    #[arg(long)]
    pub engine: Option<Engine>,
    /// Findings at every level count; those of the recorded one and above where it is not given.
    #[arg(long)]
    pub strict: bool,
    /// What to print on standard output.
    #[arg(long, value_enum, default_value_t = Format::Human)]
    pub format: Format,
    /// Show every finding in full, and the rules that never had anything to judge.
    #[arg(long, short)]
    pub verbose: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Says `still there` or `changed` or `flaky` (exit code 1), or `fixed` (exit code 0).

Examples:
  tfconform replay .tfconform/cases/CASE.jsonl                             as it was found
  tfconform replay .tfconform/cases/CASE.jsonl ./terraform-provider-acme   on a new build
  tfconform replay .tfconform/cases/CASE.jsonl --times 20                  where it comes and goes")]
pub(crate) struct Replay {
    /// A case, as `check` keeps them.
    pub case: PathBuf,
    /// Another program than the one of the case.
    pub path: Option<PathBuf>,
    /// A provider that already runs, as it says itself; TF_REATTACH_PROVIDERS does the same.
    ///
    /// The variable counts where no program is named and the case is not the reference provider's.
    #[arg(long, value_name = "JSON", conflicts_with = "path")]
    pub reattach: Option<String>,
    /// Make the case's objects, even where the provider is not closed off.
    #[arg(long)]
    pub apply: bool,
    /// The reference provider without the fault that the case was found with.
    #[arg(long, conflicts_with_all = ["path", "reattach"])]
    pub no_fault: bool,
    /// The provider block: HCL, JSON where the name ends in `.json`, that of a suite where it ends in `.toml`.
    #[arg(long, value_name = "FILE")]
    pub config: Option<PathBuf>,
    /// How often to play it.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub times: u32,
    /// The longest a call may take, in seconds, where it is not to be what it was when the case was found.
    #[arg(long, value_name = "SECONDS")]
    pub timeout: Option<f64>,
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
    /// A provider that already runs, as it says itself; TF_REATTACH_PROVIDERS does the same.
    #[arg(long, value_name = "JSON", conflicts_with = "path")]
    pub reattach: Option<String>,
}

/// How the reference provider is to behave.
#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Examples:
  tfconform reference --store ./store --debug                             wait for an engine that reattaches
  tfconform reference --store ./store --fault plan/counts-calls --debug   with a fault")]
pub struct Reference {
    /// Where its remote system lives; shared by all its processes.
    #[arg(long, value_name = "FOLDER")]
    pub store: PathBuf,
    #[arg(long, default_value = "1", value_parser = seed)]
    pub seed: u64,
    #[arg(long, value_name = "NAME[@TYPE[.NAME]]")]
    pub fault: Vec<String>,
    #[arg(long, value_name = "MAJOR", default_value_t = 6, value_parser = clap::value_parser!(u8).range(5..=6))]
    pub protocol: u8,
    /// Wait for whoever reattaches, and print what to put in TF_REATTACH_PROVIDERS.
    #[arg(long)]
    pub debug: bool,
}

fn above_zero(text: &str) -> Result<usize, String> {
    let number = text.parse().map_err(|error| format!("{error}"))?;
    if number == 0 { Err("this must be a number above 0".to_owned()) } else { Ok(number) }
}

/// A seed in decimal, or in hexadecimal behind `0x`.
fn seed(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    parsed.map_err(|error| format!("{error}; a seed is a number up to 2^64 - 1, such as 7 or 0x5eed"))
}

impl From<Reference> for crate::reference::serve::Behaviour {
    fn from(reference: Reference) -> Self {
        let Reference { store, seed, fault: faults, protocol, debug: _ } = reference;
        Self { protocol, seed, store, faults }
    }
}
