//! An opened suite → the options of a run.

use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::SystemTime;

use object::ReadCache;

use super::{OpenedProvider, SessionError};
use crate::files;
use crate::generate;
use crate::record::{Masker, Origin};
use crate::run::{Interruption, ProviderConfig, Remembered, RunOptions, Shard};
use crate::schema::{Kind, ProviderSchema};
use crate::sdk::{self, Modules};
use crate::suite::{Config, Policy, ResetBefore, Selection, Suite};

/// What the caller decides about a run of a suite, apart from the suite's keys.
#[derive(Clone, Debug, Default)]
pub struct Part {
    /// The type of a trial; if `None`, all that the suite selects.
    pub ty: Option<(Kind, String)>,
    /// The part of the selected types that is played here; if `None`, all.
    pub shard: Option<Shard>,
    /// Where findings are kept as cases; if `None`, they are not kept.
    pub cases_dir: Option<PathBuf>,
    /// Whether less is played than the suite says, so that a known finding may be missed.
    pub is_reduced: bool,
    /// Whether the provider was named in place of the suite's.
    pub replaced: bool,
    /// The options that replaced the suite's keys, for the rerun command.
    pub said: Vec<String>,
    /// Whether findings come with the calls of their step.
    pub shows_calls: bool,
    /// Ends the run early, from outside.
    pub interruption: Interruption,
}

impl Part {
    /// The kind and the name of the type of a trial.
    pub(super) fn ty(&self) -> Option<(Kind, &str)> {
        self.ty.as_ref().map(|(kind, name)| (*kind, name.as_str()))
    }
}

/// The options of a run of a suite on its provider.
///
/// Fails if a glob of the suite is invalid.
pub fn options(suite: &Suite, provider: &OpenedProvider, part: &Part) -> Result<RunOptions, SessionError> {
    let run = &suite.run;
    let may_apply = provider.may_apply(run.apply);
    let apply = may_apply.is_ok();
    Ok(RunOptions {
        program: provider.program.clone(),
        engine: run.engine.first(),
        seed: run.seed,
        cases: run.cases,
        jobs: match suite.remote.reset_before {
            // A reset takes away what other scenarios have created.
            ResetBefore::Scenario => 1,
            ResetBefore::Trial => run.jobs.unwrap_or_else(|| provider.jobs()),
        },
        parallelism: run.parallelism,
        processes: if run.one_process { 1 } else { 2 },
        timeout: run.timeout,
        start_timeout: run.start_timeout,
        max_time: run.max_time,
        shrink: run.shrink,
        select: Selection::parse(&run.resources).map_err(SessionError::Usage)?,
        skip: suite.skipped(),
        shard: part.shard,
        kind: part.ty().map(|(kind, _)| kind),
        config: config(suite),
        examples: super::examples::sources(suite, provider)?,
        masker: Arc::new(Masker::new(suite.provider.config.secrets())),
        apply,
        has_outside: provider.has_outside(),
        apply_reason: may_apply.err().unwrap_or_default(),
        sandbox_failed: !apply && provider.has_failed_sandbox(suite),
        volatile: suite.volatile(),
        pins: suite.pins(),
        known: {
            let now = SystemTime::now();
            suite.known.iter().filter(|known| !known.is_expired(now)).cloned().collect()
        },
        modules: modules(&provider.program.path),
        check: Some(Arc::new({
            let (suite, ty) = (suite.clone(), part.ty.clone());
            move |schema: &ProviderSchema| {
                suite.check_hints(schema, ty.as_ref().map(|(_, name)| name.as_str()))
            }
        })),
        learns: true,
        remembered: run.learned.as_deref().map(Remembered::read).transpose().map_err(SessionError::Usage)?,
        generate: generate::Options {
            drifts: provider.remote.is_some(),
            is_reattached: !provider.program.is_started_again(),
            walk_length: run.walk_length,
            seed: run.seed,
            cases: run.cases,
            apply,
            safe_to_run: provider.is_closed(),
            scratch: provider.files.clone(),
            temporary: provider.sandbox.as_ref().map(|sandbox| sandbox.temporary().to_owned()),
            ..generate::Options::default()
        },
        fail_on: run.fail_on,
        policy: Policy::of(run),
        cases_dir: part.cases_dir.clone(),
        transcripts: run.transcripts.clone(),
        origin: Origin {
            suite: suite.file.as_deref().map(std::path::absolute).transpose()?,
            config: config_file(suite).map(std::path::absolute).transpose()?,
            replaced: part.replaced,
            applied: apply,
            ..provider.origin.clone()
        },
        said: part.said.clone(),
        shows_calls: part.shows_calls,
        interruption: part.interruption.clone(),
    })
}

/// What a program was built of; none if it cannot be read.
fn modules(program: &Path) -> Modules {
    files::open(program).map(|program| sdk::read(&ReadCache::new(program))).unwrap_or_default()
}

/// The provider block, built once the schema is known.
fn config(suite: &Suite) -> Option<ProviderConfig> {
    let config = &suite.provider.config;
    if config.is_unset() {
        return None;
    }
    let made = ProviderConfig::new({
        let (config, file) = (config.clone(), suite.file.clone());
        move |schema| config.value(file.as_deref(), &schema.block)
    });
    let made = made.labelled(config.label());
    Some(match config_file(suite) {
        Some(file) => made.in_file(file.to_owned()),
        None => made,
    })
}

/// The file that the provider block is in.
fn config_file(suite: &Suite) -> Option<&Path> {
    match &suite.provider.config {
        config if config.is_unset() => None,
        Config::File(file) => Some(file),
        Config::Arguments(_) | Config::MadeUp(_) => suite.file.as_deref(),
    }
}
