//! A scenario under a real engine: its folder is written, and the engine runs there, in the provider's
//! sandbox.

use std::ffi::OsString;
use std::fs;
use std::io::{ErrorKind, Read as _};
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use super::installation::looked_for;
use super::open::open_with;
use super::reference::own_program;
use super::{OpenedProvider, Part, SessionError, options, remote, scratch};
use crate::reproduction::{self, File, Launch, Setup, Shown};
use crate::sandbox::{Sandbox, SandboxConfig, SandboxError};
use crate::scenario::Scenario;
use crate::schema::Schema;
use crate::suite::{Config, Suite};
use crate::transcript::Subject;
use crate::value::Value;

/// What is to be played, and where.
#[derive(Clone, Copy, Debug)]
pub struct Reproduction<'a> {
    /// The provider; its schema has at least the types of the scenario.
    pub subject: &'a Subject,
    pub scenario: &'a Scenario,
    /// Whether objects are created.
    pub applied: bool,
    /// The comments at the top of the script.
    pub about: &'a str,
    /// Where the files are written; created if it is missing.
    pub folder: &'a Path,
    /// The program of the engine; `None` writes the files only.
    pub engine: Option<&'a Path>,
    /// The longest that the engine may take for all its commands.
    pub limit: Duration,
    /// The name of the file with what it prints.
    pub output: &'a str,
}

/// The output of an engine that is read, in bytes.
const OUTPUT: u64 = 16 << 20;
/// The memory that an engine and the provider may each take, in KiB: some faults make an engine allocate
/// whatever a length says.
const MEMORY: u64 = 16 << 20;
/// The usual name of the file with what an engine printed.
pub const PRINTED: &str = "output.txt";
/// The name of the file with what was concluded from it: for each engine a line with its name and version, a tab, and
/// the verdict.
const VERDICT: &str = "verdict.txt";

/// What an engine says about a case.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct EngineVerdict {
    /// Name and version of the engine, such as `terraform 1.11.4`.
    pub engine: String,
    /// The verdict, with its reason.
    pub told: String,
}

/// Where an engine is: a name is looked up in `PATH`, and has to be a program.
pub fn engine(name: &str) -> Option<PathBuf> {
    let path = std::env::var_os("PATH").unwrap_or_default();
    looked_for(name.as_ref(), &path)?.canonicalize().ok().filter(|found| found.is_file())
}

/// The engines that a name stands for, in the order of their names: all of a folder, or the one that it names.
///
/// In a folder, engines are the programs whose names begin with `terraform` or `tofu`.
pub fn engines(name: &str) -> Vec<PathBuf> {
    let Ok(entries) = fs::read_dir(name) else { return engine(name).into_iter().collect() };
    let is_engine = |path: &PathBuf| {
        let name = path.file_name().unwrap_or_default().to_string_lossy();
        let is_named = ["terraform", "tofu"].iter().any(|engine| name.starts_with(engine));
        let is_program = |meta: fs::Metadata| meta.is_file() && meta.permissions().mode() & 0o111 != 0;
        is_named && !name.starts_with("terraform-provider") && fs::metadata(path).is_ok_and(is_program)
    };
    let found = entries.filter_map(|entry| Some(entry.ok()?.path())).filter(is_engine);
    let mut found: Vec<PathBuf> = found.filter_map(|path| path.canonicalize().ok()).collect();
    found.sort();
    found
}

/// Writes the files, and has the engine run them; `None` without an engine.
///
/// Fails if the scenario cannot be played by a real engine, or if objects may not be created.
pub fn reproduce(suite: &Suite, asked: &Reproduction<'_>) -> Result<Option<Shown>, SessionError> {
    let scratch = scratch()?;
    let provider = open_with(suite, scratch.path(), None, asked.engine.map(Path::to_owned))?;
    remote::reset(suite, &provider)?;
    let options = options(suite, &provider, &Part::default())?;
    if asked.applied && !options.apply {
        return Err(SessionError::Usage(format!("the case creates objects: {}", options.apply_reason)));
    }
    let schema = asked.subject.schema.provider.as_deref();
    let config = match (&options.config, schema) {
        (Some(config), Some(schema)) => {
            let config = config.value(schema).map_err(SessionError::Usage)?;
            without_secrets(suite, schema, &config)?;
            Some(config)
        }
        _ => None,
    };
    let setup = Setup {
        name: &asked.subject.name,
        launch: launch(suite, &provider, asked.subject.protocol)?,
        schema: &asked.subject.schema,
        config,
        applied: asked.applied,
    };
    let files = reproduction::files(asked.scenario, &setup, asked.about)
        .map_err(|error| SessionError::Usage(format!("a real engine cannot play the case: {error}")))?;
    write(asked.folder, &files)?;
    // What was concluded from an earlier play is no longer true.
    match fs::remove_file(asked.folder.join(VERDICT)) {
        Err(error) if error.kind() != ErrorKind::NotFound => return Err(error.into()),
        _ => {}
    }
    let Some(engine) = asked.engine else { return Ok(None) };
    let sandbox = sandbox(&provider, scratch.path(), engine)?;
    let inside = sandbox.make_folder("reproduction")?;
    write(&inside, &files)?;
    let ran = run(&sandbox, &provider, &inside, engine, asked.limit);
    let printed = printed(&inside.join(PRINTED))?;
    fs::write(asked.folder.join(asked.output), &printed)?;
    ran?;
    Ok(Some(Shown::read(&printed)))
}

/// Keeps verdicts in the folder of their reproduction.
pub fn store_verdicts(folder: &Path, verdicts: &[EngineVerdict]) -> Result<(), SessionError> {
    let lines = verdicts.iter().map(|EngineVerdict { engine, told }| format!("{engine}\t{told}\n"));
    Ok(fs::write(folder.join(VERDICT), lines.collect::<String>())?)
}

/// The verdicts that were kept in a folder.
pub(super) fn kept_verdicts(folder: &Path) -> Option<Vec<EngineVerdict>> {
    let kept = fs::read_to_string(folder.join(VERDICT)).ok()?;
    let verdict = |line: &str| {
        let (engine, told) = line.split_once('\t')?;
        Some(EngineVerdict { engine: engine.to_owned(), told: told.to_owned() })
    };
    kept.lines().map(verdict).collect()
}

/// Fails if the provider block contains a secret: it would be written to a file.
fn without_secrets(suite: &Suite, schema: &Schema, config: &Value) -> Result<(), SessionError> {
    if matches!(suite.provider.config, Config::MadeUp(_)) {
        return Ok(());
    }
    no_secret_in(schema, config)?;
    if suite.provider.config.secrets().is_empty() {
        return Ok(());
    }
    Err(not_written("the provider block has values of `secret_env`"))
}

/// Fails if a sensitive argument of the provider block is set.
pub(super) fn no_secret_in(schema: &Schema, config: &Value) -> Result<(), SessionError> {
    match schema.block.configured_secret(config) {
        Some(name) => Err(not_written(&format!("`{name}` in the provider block is sensitive"))),
        None => Ok(()),
    }
}

fn not_written(held: &str) -> SessionError {
    SessionError::Usage(format!("{held}, and secrets are not written to files"))
}

/// How an engine starts the provider.
fn launch(suite: &Suite, provider: &OpenedProvider, protocol: u8) -> Result<Launch, SessionError> {
    if provider.was_running() {
        let problem = "the provider was already running; name its program";
        return Err(SessionError::Usage(problem.to_owned()));
    }
    if provider.is_ours {
        let mut command = vec![own_program()?.display().to_string(), "reference".to_owned()];
        let mut add = |option: &str, value: String| command.extend([option.to_owned(), value]);
        add("--protocol", protocol.to_string());
        add("--seed", suite.run.seed.to_string());
        for fault in &suite.provider.faults {
            add("--fault", fault.clone());
        }
        return Ok(Launch { command, folder: None, store: true });
    }
    let program = &provider.program;
    let words = std::iter::once(program.path.clone().into()).chain(program.args.iter().cloned());
    Ok(Launch {
        command: words.map(|word: OsString| word.to_string_lossy().into_owned()).collect(),
        folder: program.cwd.as_ref().map(|folder| folder.display().to_string()),
        store: false,
    })
}

fn write(folder: &Path, files: &[File]) -> std::io::Result<()> {
    for file in files {
        let path = folder.join(&file.name);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(&path, &file.text)?;
        if file.is_executable {
            fs::set_permissions(&path, fs::Permissions::from_mode(0o755))?;
        }
    }
    Ok(())
}

/// The provider's sandbox, or for the reference provider, which has none, one of its own.
fn sandbox(provider: &OpenedProvider, scratch: &Path, engine: &Path) -> Result<Arc<Sandbox>, SessionError> {
    if let Some(sandbox) = &provider.sandbox {
        return Ok(Arc::clone(sandbox));
    }
    let own = own_program()?;
    let config = SandboxConfig {
        program_dirs: vec![engine.to_owned(), own.clone()],
        supervisor: Some(own),
        ..SandboxConfig::new(scratch)
    };
    Ok(Arc::new(config.start().map_err(unusable)?))
}

/// Runs the script; what it prints goes to a file. An engine that does not end in time is killed.
fn run(
    sandbox: &Sandbox,
    provider: &OpenedProvider,
    inside: &Path,
    engine: &Path,
    limit: Duration,
) -> Result<(), SessionError> {
    let script = format!("ulimit -v {MEMORY}; exec \"$0\" \"$1\" >\"$2\" 2>&1");
    let command = [
        "sh".into(),
        "-c".into(),
        script.into(),
        inside.join("run.sh").into_os_string(),
        engine.into(),
        inside.join(PRINTED).into_os_string(),
    ];
    let env = if provider.is_ours {
        sandbox.environment(&Default::default())
    } else {
        provider.program.env.clone()
    };
    match sandbox.run(&command, &env, b"", limit) {
        Ok(_) | Err(SandboxError::TooSlow { .. }) => Ok(()),
        Err(error) => Err(unusable(error)),
    }
}

/// What the script printed, without colours.
fn printed(file: &Path) -> std::io::Result<String> {
    let mut printed = Vec::new();
    fs::File::open(file)?.take(OUTPUT).read_to_end(&mut printed)?;
    Ok(anstream::adapter::strip_str(&String::from_utf8_lossy(&printed)).to_string())
}

fn unusable(error: SandboxError) -> SessionError {
    SessionError::Unusable(error.to_string())
}
