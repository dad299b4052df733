//! The arguments of commands about a kept case.

use std::path::PathBuf;
use std::time::Duration;

use clap::builder::{PathBufValueParser, TypedValueParser as _};
use clap::{Args as ClapArgs, ValueEnum};

use super::overrides::seconds;
use crate::suite::Config;

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Prints `still there`, `changed` or `flaky` (exit code 1), or `fixed` (exit code 0).

Examples:
  tfconform replay 1b717882                             as it was found
  tfconform replay 1b717882 ./terraform-provider-acme   on a new build
  tfconform replay 1b717882 -v                          with what was asked and answered
  tfconform replay cases/CASE.jsonl --times 20          a file, if it comes and goes
  tfconform replay --all .tfconform/cases ./terraform-provider-acme
                                                        which of all findings are fixed?")]
pub(crate) struct Replay {
    #[command(flatten)]
    pub case: CaseArgs,
    /// Play every case in a folder, which is named in place of the case: which of them are fixed?
    #[arg(long)]
    pub all: bool,
    /// How often to play it.
    #[arg(long, value_name = "N", default_value_t = 3, value_parser = clap::value_parser!(u32).range(1..))]
    pub times: u32,
    /// The longest a call may take, in seconds; by default, as when the case was found.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// Show what was asked and answered, step by step.
    #[arg(long, short)]
    pub verbose: bool,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
The folder is named after the case. `run.sh` in it takes the engine as its argument. Prints for each engine
`confirmed` or `silent`, if the rule says that it shows nothing (exit code 0), or `not confirmed` (1 if no
other engine confirms it).

Examples:
  tfconform reproduce 1b717882                           with terraform or else tofu, if there is one
  tfconform reproduce 1b717882 --with tofu               with OpenTofu
  tfconform reproduce 1b717882 --with terraform,tofu     with both
  tfconform reproduce 1b717882 --with ~/engines          with every terraform* and tofu* in a folder
  tfconform reproduce 1b717882 --as go >case_test.go     as a test with terraform-plugin-testing
  tfconform reproduce 1b717882 --as rust >tests/case.rs  as a test target that uses tfconform")]
pub(crate) struct Reproduce {
    #[command(flatten)]
    pub case: CaseArgs,
    /// The engines: terraform, tofu, the path of either, or a folder of them; several with commas between them.
    #[arg(long, value_name = "ENGINE", value_delimiter = ',')]
    pub with: Vec<String>,
    /// Print the case as a test that fails while the finding is there; nothing is run.
    #[arg(long = "as", value_name = "LANGUAGE", conflicts_with = "with")]
    pub as_test: Option<AsTest>,
    /// The longest that all of it may take, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds, default_value = "120")]
    pub limit: Duration,
}

/// The language of a test.
#[derive(Clone, Copy, Debug, PartialEq, Eq, ValueEnum)]
pub(crate) enum AsTest {
    /// For terraform-plugin-testing.
    Go,
    /// For `cargo test` with the crate tfconform.
    Rust,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Prints Markdown for a bug report: what was found, with which configuration, what should be, and how to see it
again. Nothing is run. If `reproduce` has played the case, its verdict is cited. Secrets are not shown.

Examples:
  tfconform issue 1b717882                  by its ID
  tfconform issue cases/CASE.jsonl >bug.md  a file
  tfconform issue 1b717882 | gh issue create --title 'Inconsistent final plan' --body-file -")]
pub(crate) struct Issue {
    #[command(flatten)]
    pub case: CaseArgs,
}

#[derive(Debug, ClapArgs)]
#[command(after_help = "\
Plays the case once, as `replay` does, and prints the graphs of its runs: what is done to which object, and what
that waits for. An object that is replaced is in it twice. `(all)` stands for all instances of a block.

Examples:
  tfconform graph 1b717882                                  as text
  tfconform graph 1b717882 --dot | dot -Tsvg >graph.svg     drawn by Graphviz
  tfconform graph cases/CASE.jsonl --mermaid >graph.mmd     for Markdown that draws Mermaid")]
pub(crate) struct Graph {
    #[command(flatten)]
    pub case: CaseArgs,
    /// Print it in the language of Graphviz.
    #[arg(long)]
    pub dot: bool,
    /// Print it in the language of Mermaid.
    #[arg(long, conflicts_with = "dot")]
    pub mermaid: bool,
}

/// A case, and the provider to play it on.
#[derive(Clone, Debug, ClapArgs)]
pub(crate) struct CaseArgs {
    /// A case, as `check` keeps them: its ID, its file, or the folder of its reproduction.
    pub case: PathBuf,
    /// Another program than the one in the case.
    pub path: Option<PathBuf>,
    /// A provider that is already running, as the JSON it prints; TF_REATTACH_PROVIDERS does the same.
    ///
    /// The variable is used if no program is given and the case is not the reference provider's.
    #[arg(long, value_name = "JSON", conflicts_with = "path")]
    pub reattach: Option<String>,
    /// Create the case's objects, even if the provider is not sandboxed.
    #[arg(long)]
    pub apply: bool,
    /// Let the provider use the network.
    #[arg(long)]
    pub network: bool,
    /// Do not sandbox the provider.
    #[arg(long)]
    pub no_sandbox: bool,
    /// Run the reference provider without the fault that the case was found with.
    #[arg(long, conflicts_with_all = ["path", "reattach"])]
    pub no_fault: bool,
    /// The provider block: HCL, JSON in a `.json` file, or the block of a suite in a `.toml` file.
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(Config::File))]
    pub config: Option<Config>,
}
