//! A run for a suite file.

use std::collections::BTreeSet;
use std::ffi::OsString;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::sync::atomic::AtomicBool;

use super::{
    Beside, ChangeHook, Outcome, Provider, SessionError, beside, command, globs, jobs, play, program,
    reference, scratch,
};
use crate::generate;
use crate::provider::rpc::Protocol;
use crate::record::Origin;
use crate::report::events::Consumer;
use crate::report::progress::Quiet;
use crate::report::{Exit, Group, Report};
use crate::run::{self, Options, Starter};
use crate::schema::{Kind, ProviderSchema};
use crate::suite::{
    self, Known, Located, Require, Suite, SuiteError, config_from_suite, locate, secret_texts,
};

/// Plays a suite, or one type of it.
pub fn of_suite(
    suite: &Suite,
    file: &Path,
    base: &Path,
    ty: Option<(Kind, &str)>,
) -> Result<Outcome, SessionError> {
    let part = Part { ty, resources: &[] };
    play_part(suite, file, base, &part, |_| {}, &Quiet)
}

/// Plays a suite as one run, as somebody at a command line wants it: `adjust` has the last word.
///
/// Where `resources` name types only they are played, and what is demanded of the whole is not looked at.
pub fn whole_suite(
    suite: &Suite,
    file: &Path,
    resources: &[String],
    adjust: impl FnOnce(&mut Options),
    consumer: &dyn Consumer,
) -> Result<Outcome, SessionError> {
    let part = Part { ty: None, resources };
    play_part(suite, file, &Suite::base(file), &part, adjust, consumer)
}

/// What of a suite is played.
struct Part<'p> {
    /// The type of a trial; all where there is none.
    ty: Option<(Kind, &'p str)>,
    /// Types in place of those that the suite names.
    resources: &'p [String],
}

fn play_part(
    suite: &Suite,
    file: &Path,
    base: &Path,
    part: &Part<'_>,
    adjust: impl FnOnce(&mut Options),
    consumer: &dyn Consumer,
) -> Result<Outcome, SessionError> {
    let Part { ty, resources } = *part;
    let scratch = scratch()?;
    let provider = of_provider(suite, file, base, scratch.path())?;
    beside::reset(suite, file, base, &provider)?;
    let may_apply = provider.may_apply(suite.run.apply);
    let apply = may_apply.is_ok();
    let select = match ty {
        Some((_, name)) => globs(&[name.to_owned()]),
        None if resources.is_empty() => globs(&suite.run.resources),
        None => globs(resources),
    };
    let table = suite.provider.config.clone();
    let named = std::path::absolute(file)?;
    let config = Some(named.clone()).filter(|_| !table.is_empty());
    let origin = Origin { suite: Some(named), config, ..provider.origin.clone() };
    let mut options = Options {
        program: provider.program.clone(),
        engine: suite.run.engine,
        seed: suite.run.seed,
        cases: suite.run.cases,
        jobs: jobs(),
        processes: 2,
        timeout: suite.run.timeout,
        start_timeout: suite.run.start_timeout,
        select: select.map_err(SessionError::Usage)?,
        skip: match ty {
            // A trial of its own says by itself that it is skipped.
            Some(_) => BTreeSet::new(),
            None => skipped(suite),
        },
        kind: ty.map(|(kind, _)| kind),
        config: (!table.is_empty()).then(|| {
            let secrets = secret_texts(&table);
            let (file, named) = (file.to_owned(), file.to_owned());
            run::ProviderConfig::new(move |schema| config_from_suite(&table, &file, &schema.block))
                .with_secrets(secrets)
                .in_file(named)
        }),
        apply,
        apply_reason: may_apply.err().unwrap_or_default(),
        volatile: suite.volatile(),
        pins: suite.pins(),
        known: suite.known.clone(),
        check: Some(Arc::new({
            let (suite, file, ty) = (suite.clone(), file.to_owned(), ty.map(|(_, name)| name.to_owned()));
            move |schema: &ProviderSchema| {
                suite.check_hints(&file, schema, ty.as_deref()).map_err(|error| error.to_string())
            }
        })),
        generate: generate::Options {
            seed: suite.run.seed,
            cases: suite.run.cases,
            apply,
            safe_to_run: provider.is_closed(),
            scratch: provider.files.clone(),
            ..generate::Options::default()
        },
        fail_on: suite.run.fail_on,
        cases_dir: Some(base.join("target/tfconform/cases")),
        transcripts: suite.run.transcripts.as_ref().map(|folder| {
            base.join(folder)
                .join(file.file_stem().unwrap_or_default())
                .join(ty.map_or_else(|| "provider".to_owned(), |(kind, name)| kind.qualified(name)))
        }),
        origin: Origin { applied: apply, ..origin },
        interrupted: Arc::new(AtomicBool::new(false)),
    };
    adjust(&mut options);
    // What a suite demands of the whole cannot be demanded of a part.
    let nothing = Require::default();
    let is_whole = ty.is_none() && resources.is_empty();
    let require = if is_whole { &suite.require } else { &nothing };
    let mut outcome = play(options, provider.remote.clone(), require, consumer)?;
    let stale = match resources {
        // Who ends it early knows that there may be more.
        _ if outcome.exit == Exit::Interrupted => Vec::new(),
        [] => stale(suite, file, &outcome.report, ty),
        _ => Vec::new(),
    };
    let wrong: Vec<String> = provider.broken_change().into_iter().chain(stale).collect();
    // What was found comes first: it is not lost over this.
    if !wrong.is_empty() && matches!(outcome.exit, Exit::Conforms | Exit::TooLittle) {
        outcome.exit = Exit::Usage;
    }
    outcome.report.notes.extend(wrong);
    Ok(outcome)
}

/// The known findings that a run did not find, where it should have.
///
/// A run of one type misses nothing of other types, and nothing was to be found where nothing was applied.
fn stale(suite: &Suite, file: &Path, report: &Report, ty: Option<(Kind, &str)>) -> Vec<String> {
    let totals = &report.totals;
    // What did not come to an end may have missed anything.
    let is_whole = !report.unusable && !totals.is_lost && !totals.is_stuck && totals.scenarios > 0;
    let is_due = |known: &&Known| {
        let group = known.rule.split('/').next().unwrap_or_default();
        let ours = match (ty, group) {
            (None, _) => true,
            (Some((Kind::DataSource, name)), "data")
            | (Some((Kind::Resource, name)), "plan" | "apply" | "read" | "upgrade") => {
                known.type_name.as_deref() == Some(name)
            }
            _ => false,
        };
        ours && is_whole && (report.run.applied || suite.run.apply == Some(false))
    };
    let is_found = |known: &Known| {
        let names = |group: &Group| match group.types.is_empty() {
            true => vec![String::new()],
            false => group.types.iter().cloned().collect(),
        };
        report
            .groups
            .iter()
            .any(|group| names(group).iter().any(|name| known.excuses(group.rule.id, name, &group.path)))
    };
    let stale = suite.known.iter().filter(is_due).filter(|known| !is_found(known));
    stale
        .map(|known| {
            let (file, rule, reason) = (file.to_owned(), known.rule.clone(), known.reason.clone());
            SuiteError::Stale { file, rule, reason }.to_string()
        })
        .collect()
}

fn skipped(suite: &Suite) -> BTreeSet<String> {
    suite.resource.iter().filter(|(_, hints)| hints.skip.is_some()).map(|(name, _)| name.clone()).collect()
}

/// What a suite's provider declares.
pub fn schema_of_suite(suite: &Suite, file: &Path, base: &Path) -> Result<ProviderSchema, SessionError> {
    let scratch = scratch()?;
    let provider = of_provider(suite, file, base, scratch.path())?;
    let runtime = tokio::runtime::Runtime::new()?;
    let schema = runtime.block_on(run::schema(Starter {
        program: provider.program.clone(),
        timeout: suite.run.timeout,
        start_timeout: suite.run.start_timeout,
    }));
    runtime.shutdown_background();
    Ok(schema?)
}

/// A suite, and its provider as a trial finds it: with its mock, and a remote system at its beginnings.
///
/// `path` is another build of the provider to start instead. Errs where the suite cannot be read.
pub fn as_in_suite(
    file: &Path,
    path: Option<&Path>,
    scratch: &Path,
) -> Result<(Suite, Provider), SessionError> {
    let usage = |error: SuiteError| SessionError::Usage(error.to_string());
    let suite = Suite::read(file).map_err(usage)?;
    let suite = match path {
        Some(path) => on_program(suite, std::path::absolute(path)?),
        None => suite,
    };
    let base = Suite::base(file);
    let provider = of_provider(&suite, file, &base, scratch)?;
    beside::reset(&suite, file, &base, &provider)?;
    Ok((suite, provider))
}

/// A suite with another build of its provider.
pub fn on_program(mut suite: Suite, path: PathBuf) -> Suite {
    let ours = std::mem::take(&mut suite.provider);
    let (faults, path) = (Vec::new(), Some(path));
    suite.provider = suite::Provider { path, reference: false, name: None, command: None, faults, ..ours };
    suite
}

fn of_provider(suite: &Suite, file: &Path, base: &Path, scratch: &Path) -> Result<Provider, SessionError> {
    let env = suite.provider.env.iter().chain(&suite.remote.env);
    let beside = Beside {
        env: env.map(|(name, value)| (name.into(), value.into())).collect(),
        files: beside::files(suite, base),
        ..Beside::default()
    };
    let mut provider = match locate(&suite.provider, base) {
        Located::Reference => {
            let protocol = suite.provider.protocol.unwrap_or(6);
            reference(protocol, suite.run.seed, &suite.provider.faults, scratch)?
        }
        Located::Program { path } => program(&path.canonicalize()?, scratch, &beside)?,
        Located::Command { words } => {
            let words: Vec<OsString> = words.into_iter().map(OsString::from).collect();
            command(&words, base, scratch, &beside)?
        }
        Located::Missing { why } => return Err(SessionError::Unusable(why)),
        Located::NoProgram { why } => {
            let problem = SuiteError::in_file(file, &["provider", "path"], format!("`provider.path`: {why}"));
            return Err(SessionError::Usage(problem.to_string()));
        }
    };
    if let Some(major) = suite.provider.protocol.filter(|_| !provider.is_ours) {
        provider.program.protocol = Protocol::from_major(i64::from(major));
    }
    provider._service = beside::start_mock(suite, file, base, &provider)?;
    if let Some(hook) = beside::hook(&suite.remote.change, base, &provider) {
        let hook = Arc::new(hook);
        provider.remote = Some(Arc::clone(&hook) as _);
        provider.change = Some(ChangeHook { hook, file: file.to_owned() });
    }
    Ok(provider)
}
