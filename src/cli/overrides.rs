//! Options of the command line that replace keys of a suite.
//!
//! An option is a field here, a key of the suite, its default next to those of
//! [`Run`](crate::suite::Run), and a line of the table below, which leads from one to the other.

use std::path::PathBuf;
use std::time::Duration;

use clap::Args as ClapArgs;
use clap::builder::{PathBufValueParser, PossibleValuesParser, TypedValueParser};

use super::Failed;
use super::table::{Row, Said, Values as _, overrides, say};
use crate::engine::Engines;
use crate::generate::Cases;
use crate::rule::Level;
use crate::suite::{Config, MOST, ReportFile, Require, Selection, Selector, Suite, Where};

/// Options that replace the suite's key of the same meaning.
#[derive(Clone, Debug, Default, ClapArgs)]
#[command(next_help_heading = "Options that replace a key of the suite")]
pub(crate) struct Overrides {
    /// Only types that match: `TYPE` is the resource and the data source of that name, `data.TYPE` the data source
    /// alone, and `'data.*'` all of them; may be repeated.
    #[arg(long, value_name = "GLOB", value_parser = pattern)]
    pub resource: Vec<String>,
    /// Scenarios per type: a number is the most; `auto` is as many as it takes to try everything once or, with more
    /// than 100 types, an equal share of 10,000.
    #[arg(long, value_name = "N")]
    pub cases: Option<Cases>,
    /// The seed of generated values; the same seed sends the same bytes.
    #[arg(long, value_name = "S", value_parser = seed)]
    pub seed: Option<u64>,
    /// The provider block: HCL, JSON in a `.json` file, or the block of a suite in a `.toml` file.
    #[arg(long, value_name = "FILE", value_parser = PathBufValueParser::new().map(Config::File))]
    pub config: Option<Config>,
    /// The examples of the provider's documentation: a folder with HCL and Markdown in the layout of the documentation
    /// generator, `none`, or `auto`: `examples`, `docs` and `templates` next to the program and in the working folder.
    #[arg(long, value_name = "DIR", value_parser = examples)]
    pub examples: Option<Where>,
    /// The root of the provider's repository, for its acceptance tests, pages and Go files; `none`, or `auto`: the Go module
    /// that the program or the working folder is in.
    #[arg(long, value_name = "DIR", value_parser = examples)]
    pub sources: Option<Where>,
    /// Create, read, change and destroy objects, even if the provider is not sandboxed [key: run.apply = true]
    #[arg(long)]
    pub apply: bool,
    /// Validate and plan only [key: run.apply = false]
    #[arg(long, conflicts_with = "apply")]
    pub no_apply: bool,
    /// Let the provider reach whatever this machine can, its own services included; objects still need --apply.
    #[arg(long)]
    pub network: bool,
    /// Let the provider do whatever you can, without a sandbox; objects still need --apply [key: run.sandbox =
    /// false]
    #[arg(long)]
    pub no_sandbox: bool,
    /// The longest a call may take, in seconds; raise it if a debugger stops the provider.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub timeout: Option<Duration>,
    /// The longest a process may take from its start to its handshake, in seconds.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub start_timeout: Option<Duration>,
    /// How long the whole run may take, in seconds or as in 5m; by default, as long as it takes. The time is shared fairly
    /// among the types.
    #[arg(long, value_name = "SECONDS", value_parser = seconds)]
    pub max_time: Option<Duration>,
    /// How many smaller scenarios are tried for a finding, to make its case smaller; 0 leaves it as it was found.
    #[arg(long, value_name = "TRIES")]
    pub shrink: Option<usize>,
    /// Scenarios played at once; by default, enough to keep the provider busy.
    #[arg(long, value_name = "N", value_parser = up_to_most)]
    pub jobs: Option<usize>,
    /// Instances of one scenario for which calls are made at once, as an engine's `-parallelism`; 10 by default.
    #[arg(long, value_name = "N", value_parser = up_to_most)]
    pub parallelism: Option<usize>,
    /// How many runs a random walk (`walk/random`) has after its first; 12 by default.
    #[arg(long, value_name = "RUNS", value_parser = up_to_most)]
    pub walk_length: Option<usize>,
    /// The engine to play and judge as, or several with commas, one after the other: terraform, terraform-1.15,
    /// terraform-1.11, opentofu, opentofu-1.12 or strict.
    #[arg(long, value_name = "ENGINE[,ENGINE…]")]
    pub engine: Option<Engines>,
    /// Findings at every level fail the run [key: run.fail_on = "advice"]
    #[arg(long)]
    pub strict: bool,
    /// The lowest level at which a finding fails the run.
    #[arg(long, value_name = "LEVEL", conflicts_with = "strict", value_parser = level())]
    pub fail_on: Option<Level>,
    /// Findings of these rules fail the run whatever their level, such as `read/*` or `plan/stays-null@acme_*`; may be
    /// repeated. Of several selectors that match, the more precise decides.
    #[arg(long, value_name = "RULE[@TYPE]")]
    pub deny: Vec<Selector>,
    /// Findings of these rules are shown and do not fail the run; may be repeated.
    #[arg(long, value_name = "RULE[@TYPE]")]
    pub warn: Vec<Selector>,
    /// Findings of these rules are counted and not shown; may be repeated.
    #[arg(long, value_name = "RULE[@TYPE]")]
    pub allow: Vec<Selector>,
    /// How much must be judged, or the run ends with 4: `planned` and `applied` types, as numbers or
    /// shares, and `scenarios` [keys: require.planned, require.applied, require.scenarios]
    #[arg(long, value_name = "applied=90%,…")]
    pub require: Option<Require>,
    /// Have the reference provider commit a fault; may be repeated.
    #[arg(long, value_name = "NAME[@TYPE[.NAME]]", conflicts_with_all = ["path", "command"])]
    pub fault: Vec<String>,
    /// The only protocol to offer, 5 or 6; the reference provider speaks 6 by default.
    #[arg(long, value_name = "MAJOR", value_parser = clap::value_parser!(u8).range(5..=6))]
    pub protocol: Option<u8>,
    /// One provider process for everything, for debuggers.
    #[arg(long)]
    pub one_process: bool,
    /// The most processes in the provider's sandbox at once.
    #[arg(long, value_name = "N", value_parser = above_zero)]
    pub max_processes: Option<usize>,
    /// The most memory that they may use, in MiB; by default, three quarters of the machine's.
    #[arg(long, value_name = "MIB", value_parser = above_zero)]
    pub max_memory: Option<usize>,
    /// The largest file that they may write, in MiB.
    #[arg(long, value_name = "MIB", value_parser = above_zero)]
    pub max_file_size: Option<usize>,
    /// How much the files in their scratch folder may take up, in MiB.
    #[arg(long, value_name = "MIB", value_parser = above_zero)]
    pub max_scratch: Option<usize>,
    /// Only findings that are not in this file fail the run; `--write-baseline` writes it.
    #[arg(long, value_name = "FILE")]
    pub baseline: Option<PathBuf>,
    /// Findings of the baseline that are gone fail the run too.
    #[arg(long)]
    pub strict_baseline: bool,
    /// Begin with what earlier runs have learned about the provider, and write what this one learns to the same file.
    #[arg(long, value_name = "FILE")]
    pub learned: Option<PathBuf>,
    /// Where findings are kept for `tfconform replay`; by default, `.tfconform/cases`.
    #[arg(long, value_name = "DIR")]
    pub cases_dir: Option<PathBuf>,
    /// Write every transcript here, without secrets; the first calls go to `start.jsonl`.
    #[arg(long, value_name = "DIR")]
    pub transcripts: Option<PathBuf>,
    /// Also write a report to a file: human, json, junit, sarif, html or markdown; may be repeated.
    #[arg(long, value_name = "KIND=FILE")]
    pub report: Vec<ReportFile>,
}

overrides! {
    resource => run.resources,
    cases => run.cases,
    seed => run.seed,
    config => provider.config,
    examples => provider.examples,
    sources => provider.sources,
    network => run.network,
    timeout => run.timeout,
    start_timeout => run.start_timeout,
    max_time => run.max_time,
    shrink => run.shrink,
    jobs => run.jobs,
    parallelism => run.parallelism,
    walk_length => run.walk_length,
    engine => run.engine,
    fail_on => run.fail_on,
    deny => run.deny,
    warn => run.warn,
    allow => run.allow,
    fault => provider.faults,
    protocol => provider.protocol,
    one_process => run.one_process,
    max_processes => run.max_processes,
    max_memory => run.max_memory,
    max_file_size => run.max_file_size,
    max_scratch => run.max_scratch,
    baseline => run.baseline,
    strict_baseline => run.strict_baseline,
    learned => run.learned,
    cases_dir => run.cases_dir,
    transcripts => run.transcripts,
    report => run.reports,
}

impl Overrides {
    /// Replaces the suite's keys by the options that were given.
    ///
    /// With `--resource` only a part is played, and `[require]` does not apply; `--require` does. Fails if the suite and the
    /// command line contradict each other.
    pub fn apply_to(&self, suite: &mut Suite) -> Result<(), Failed> {
        self.put(suite);
        if !self.resource.is_empty() {
            suite.require = Require::default();
        }
        if let Some(require) = &self.require {
            suite.require.extend(require);
        }
        if self.strict {
            suite.run.fail_on = Level::Advice;
        }
        suite.run.apply = self.may_apply().or(suite.run.apply);
        suite.run.sandbox &= !self.no_sandbox;
        if !self.fault.is_empty() && !suite.provider.reference {
            let problem =
                "--fault: only the reference provider has faults, and the suite tests another provider";
            return Err(Failed::usage(problem));
        }
        if self.no_apply && suite.require.applied.is_some() {
            let why = "requires objects to be created, and --no-apply forbids it";
            return Err(Failed::usage(
                match self.require.as_ref().is_some_and(|said| said.applied.is_some()) {
                    true => format!("--require applied {why}"),
                    false => suite.wrong(&["require", "applied"], format!("`require.applied` {why}")),
                },
            ));
        }
        Ok(())
    }

    /// Whether they change or reduce what is played of a suite, so that known findings may not be found.
    pub fn reduces(&self, suite: &Suite) -> bool {
        let Overrides {
            resource,
            cases,
            seed,
            engine,
            config,
            examples,
            sources,
            protocol,
            no_apply,
            max_time,
            ..
        } = self;
        !resource.is_empty()
            || cases.is_some_and(|cases| cases < suite.run.cases)
            || seed.is_some_and(|seed| seed != suite.run.seed)
            || engine.as_ref().is_some_and(|engine| *engine != suite.run.engine)
            || protocol.is_some_and(|protocol| Some(protocol) != suite.provider.protocol)
            || config.is_some()
            || examples.as_ref().is_some_and(|examples| *examples != suite.provider.examples)
            || sources.as_ref().is_some_and(|sources| *sources != suite.provider.sources)
            || max_time.is_some()
            || *no_apply
    }

    /// The same options as words, without those for types and for what is written.
    pub fn said(&self) -> Vec<String> {
        let again = Overrides {
            resource: Vec::new(),
            cases_dir: None,
            transcripts: None,
            report: Vec::new(),
            ..self.clone()
        };
        let mut words = again.words();
        let flags = [
            ("--apply", self.apply),
            ("--no-apply", self.no_apply),
            ("--no-sandbox", self.no_sandbox),
            ("--strict", self.strict),
        ];
        let required = self.require.iter().flat_map(|require| ["--require".to_owned(), require.to_string()]);
        words.extend(required);
        words.extend(flags.into_iter().filter(|(_, is_said)| *is_said).map(|(flag, _)| flag.to_owned()));
        words
    }

    fn may_apply(&self) -> Option<bool> {
        (self.apply || self.no_apply).then_some(self.apply)
    }
}

fn pattern(text: &str) -> Result<String, String> {
    let pattern = text.to_owned();
    Selection::parse(std::slice::from_ref(&pattern)).map(|_| pattern)
}

fn examples(text: &str) -> Result<Where, String> {
    if text.is_empty() {
        Err("this must be a folder, `auto` or `none`".to_owned())
    } else {
        Ok(Where::parse(text))
    }
}

fn above_zero(text: &str) -> Result<usize, String> {
    let number = text.parse().map_err(|error| format!("{error}"))?;
    if number == 0 { Err("this must be a number above 0".to_owned()) } else { Ok(number) }
}

/// A number of scenarios, instances or runs.
fn up_to_most(text: &str) -> Result<usize, String> {
    let number = text.parse().map_err(|error| format!("{error}"))?;
    if (1..=MOST).contains(&number) { Ok(number) } else { Err(format!("this must be from 1 to {MOST}")) }
}

/// A seed in decimal, or in hexadecimal after `0x`.
pub(super) fn seed(text: &str) -> Result<u64, String> {
    let parsed = match text.strip_prefix("0x") {
        Some(hex) => u64::from_str_radix(hex, 16),
        None => text.parse(),
    };
    parsed.map_err(|error| format!("{error}; a seed is a number up to 2^64 - 1, such as 7 or 0x5eed"))
}

/// A time above 0, in seconds unless it has a unit, and with or without decimals: `90`, `1.5m`, `2h`.
pub(super) fn seconds(text: &str) -> Result<Duration, String> {
    let units = [("s", 1.0), ("m", 60.0), ("h", 3600.0)];
    let with_unit = units.into_iter().find_map(|(unit, worth)| Some((text.strip_suffix(unit)?, worth)));
    let (number, worth) = with_unit.unwrap_or((text, 1.0));
    let number = number.parse::<f64>().ok();
    let duration = number.and_then(|number| Duration::try_from_secs_f64(number * worth).ok());
    let duration = duration.filter(|duration| !duration.is_zero());
    duration.ok_or_else(|| "this must be a time above 0, such as 90, 90s, 1.5m or 2h".to_owned())
}

fn level() -> impl TypedValueParser<Value = Level> {
    PossibleValuesParser::new(Level::ALL.map(Level::name)).map(|name| {
        let level = Level::ALL.into_iter().find(|level| level.name() == name);
        level.expect("the parser takes the names of levels")
    })
}
