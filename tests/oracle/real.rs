//! A real engine on the reference provider, offline.

use std::collections::BTreeSet;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};
use std::sync::Arc;

use tempfile::TempDir;
use tfconform::engine::Engine;
use tfconform::reference::serve::Behaviour;
use tfconform::reference::{Logged, change_remotely, logged};
use tfconform::reproduction::{Launch, Setup, configurations};
use tfconform::scenario::{EngineRun, InstanceAddress, PlanningMode, Scenario, WorldChange};
use tfconform::schema::ProviderSchema;
use tfconform::transcript::{Protocol, Rpc, ScenarioLabel};

use super::asked::Asked;
use super::ours::Attempt;
use super::walks::{WalkKind, Walks};

/// An engine on this machine.
#[derive(Clone)]
pub struct Real {
    pub program: PathBuf,
    /// Which of those that we imitate it is.
    pub engine: Engine,
    /// Whether the blocks are in a module, which the configuration calls.
    pub in_module: bool,
}

/// The folder of the module.
const MODULE: &str = "module";

/// Plays the attempts of a scenario, and returns what was asked in each of them.
pub fn play(
    real: &Real,
    attempts: &[Attempt],
    behaviour: &Behaviour,
    schema: &Arc<ProviderSchema>,
) -> Result<Vec<Walks>, String> {
    let mut all = Vec::new();
    play_each(real, attempts, behaviour, schema, |table, attempt| {
        all.push(table.play(attempt)?);
        Ok(true)
    })?;
    Ok(all)
}

/// Has each attempt of a scenario played in one folder, until the last one or one that says so.
pub fn play_each(
    real: &Real,
    attempts: &[Attempt],
    behaviour: &Behaviour,
    schema: &Arc<ProviderSchema>,
    mut play: impl FnMut(&Table<'_>, &Attempt) -> Result<bool, String>,
) -> Result<(), String> {
    let folder = TempDir::with_prefix("oracle-").map_err(|error| error.to_string())?;
    let mut table = Table { real, folder: folder.path(), behaviour, schema, import_id: None };
    table.lay().map_err(|error| error.to_string())?;
    // What happens before a run is not in its configuration.
    let alone = |attempt: &Attempt| EngineRun { before: Vec::new(), ..attempt.run.clone() };
    let runs = attempts.iter().map(alone).collect();
    let setup = Setup { name: "reference", launch: Launch::default(), schema, config: None, applied: true };
    let files = configurations(&Scenario::new(ScenarioLabel::default(), runs), &setup)
        .map_err(|error| error.to_string())?;
    for (attempt, file) in attempts.iter().zip(&files) {
        // A destroy is of what the last configuration created.
        if attempt.run.options.mode != PlanningMode::Destroy {
            table.write(&file.text)?;
        }
        if !play(&table, attempt)? {
            break;
        }
        if file.text.contains("output \"import_id\"") {
            table.import_id = Some(table.run(&["output", "-raw", "import_id"].map(str::to_owned))?);
        }
    }
    Ok(())
}

/// A folder in which an engine runs.
pub struct Table<'t> {
    real: &'t Real,
    folder: &'t Path,
    behaviour: &'t Behaviour,
    schema: &'t Arc<ProviderSchema>,
    /// The ID of the object that a later run imports.
    import_id: Option<String>,
}

const PLAN: &str = "planned";
const LOG: &str = "log";

impl Table<'_> {
    /// Puts the provider where the engine finds it: it is this program.
    fn lay(&self) -> std::io::Result<()> {
        let plugins = self.folder.join("plugins");
        fs::create_dir(&plugins)?;
        std::os::unix::fs::symlink(std::env::current_exe()?, plugins.join("terraform-provider-reference"))?;
        let overrides = format!("dev_overrides {{ {:?} = {plugins:?} }}", "tfconform/reference");
        fs::write(self.folder.join("rc"), format!("provider_installation {{\n{overrides}\ndirect {{}}\n}}\n"))
    }

    /// Writes the configuration of a run.
    fn write(&self, text: &str) -> Result<(), String> {
        let put = |path: PathBuf, text: &str| fs::write(path, text).map_err(|error| error.to_string());
        let root = self.folder.join("main.tf");
        if !self.real.in_module {
            return put(root, text);
        }
        let module = self.folder.join(MODULE);
        fs::create_dir_all(&module).map_err(|error| error.to_string())?;
        put(module.join("main.tf"), text)?;
        put(root, &calling(text))?;
        self.run(&["get".to_owned()]).map(drop)
    }

    fn play(&self, attempt: &Attempt) -> Result<Walks, String> {
        let run = &attempt.run;
        for drifted in &attempt.drifts {
            let Behaviour { store, protocol, .. } = self.behaviour;
            change_remotely(
                store,
                *protocol,
                &drifted.type_name,
                &drifted.state,
                drifted.kind,
                drifted.to.as_ref(),
            )
            .map_err(|error| error.to_string())?;
        }
        for change in &run.before {
            let command = match change {
                WorldChange::Taint { .. } => "taint",
                WorldChange::Untaint { .. } => "untaint",
                WorldChange::Drift { .. } => continue,
                WorldChange::StoredWithout { .. } => {
                    return Err("no command stores what an older release did".to_owned());
                }
                WorldChange::Depose { .. } => return Err("no command leaves a deposed object".to_owned()),
            };
            self.run(&[command.to_owned(), change.of().to_string()])?;
        }
        let mut walks = Walks::default();
        let is_prevented = run.blocks.iter().any(|block| block.meta.lifecycle.prevent_destroy);
        match (self.command(&mut walks, WalkKind::Plan, &plan(run)), &attempt.cycle) {
            (Err(said), Some(cycle)) if cycle_in(&said).as_ref() == Some(cycle) => {}
            (said, Some(cycle)) => return Err(format!("the engine finds no cycle {cycle:?}: {said:?}")),
            (Err(_), None) if is_prevented && attempt.only_plans => {}
            // Whether it finds a cycle is a matter of chance.
            (Err(said), None) if attempt.defect.is_some() && cycle_in(&said).is_some() => {}
            (planned, None) => planned?,
        }
        if !attempt.only_plans {
            let apply = ["apply", "-input=false", PLAN].map(str::to_owned);
            let applied = self.command(&mut walks, WalkKind::Apply, &apply);
            match run.blocks.iter().any(|block| block.meta.provisioner_fails) {
                true if applied.is_ok() => return Err("no provisioner failed".to_owned()),
                true => {}
                false => applied?,
            }
        }
        Ok(walks)
    }

    /// Runs a command, and adds what the provider was asked.
    fn command(&self, walks: &mut Walks, kind: WalkKind, arguments: &[String]) -> Result<(), String> {
        let ended = self.run(arguments);
        let protocol = if self.behaviour.protocol == 5 { Protocol::V5 } else { Protocol::V6 };
        let log = self.folder.join(LOG);
        let requests = logged(&log, protocol, self.schema).map_err(|error| error.to_string())?;
        // A walk has processes of its own. Only that which validates does not configure them.
        let is_configuring = |request: &&Logged| request.call.rpc() == Rpc::ConfigureProvider;
        let configured: BTreeSet<u32> =
            requests.iter().filter(is_configuring).map(|request| request.process).collect();
        for request in &requests {
            let kind = if configured.contains(&request.process) { kind } else { WalkKind::Validate };
            let span = (request.began, request.ended.unwrap_or(request.began));
            if let Some(asked) = Asked::of(&request.call, self.schema, span) {
                walks.add(kind, asked);
            }
        }
        let _ = fs::remove_file(log);
        ended.map(drop)
    }

    /// What an engine says in JSON while it plans.
    pub fn plan(&self, run: &EngineRun) -> Result<Output, String> {
        self.output(&[plan(run), vec!["-json".to_owned()]].concat())
    }

    /// What it says while it applies that, one object at a time: the defect `failed-creates-at-once`.
    pub fn apply(&self) -> Result<Output, String> {
        self.output(&["apply", "-input=false", "-json", "-parallelism=1", PLAN].map(str::to_owned))
    }

    /// Runs a command, and returns what it printed; fails with that.
    fn run(&self, arguments: &[String]) -> Result<String, String> {
        let output = self.output(arguments)?;
        if output.status.success() {
            return Ok(String::from_utf8_lossy(&output.stdout).into_owned());
        }
        let said = [output.stdout, output.stderr].map(|said| String::from_utf8_lossy(&said).into_owned());
        Err(format!("{} failed:\n{}", arguments.join(" "), said.concat()))
    }

    fn output(&self, arguments: &[String]) -> Result<Output, String> {
        let behaviour = Behaviour { log: Some(self.folder.join(LOG)), ..self.behaviour.clone() };
        let (variable, value) = behaviour.environment();
        let mut command = Command::new(&self.real.program);
        command.args(&arguments[..1]).arg("-no-color").args(&arguments[1..]).current_dir(self.folder);
        command.env(variable, value).env("TF_CLI_CONFIG_FILE", self.folder.join("rc"));
        command.env("CHECKPOINT_DISABLE", "1");
        command.envs(self.import_id.iter().map(|id| ("TF_VAR_import_id", id)));
        command.output().map_err(|error| error.to_string())
    }
}

/// The configuration that calls the module with those blocks.
fn calling(module: &str) -> String {
    let source =
        "terraform {\n  required_providers {\n    reference = { source = \"tfconform/reference\" }\n  }\n}\n";
    let imports = module.contains("variable \"import_id\"");
    let variable = if imports { "variable \"import_id\" {}\n" } else { "" };
    let argument = if imports { "  import_id = var.import_id\n" } else { "" };
    let exports = module.contains("output \"import_id\"");
    let output = if exports { "output \"import_id\" {\n  value = module.a.import_id\n}\n" } else { "" };
    format!("{source}{variable}{output}module \"a\" {{\n  source = \"./{MODULE}\"\n{argument}}}\n")
}

/// The changes that wait for each other, as an engine says it: in one line, or since Terraform 1.16 each in its own. It
/// also names the blocks of which they are.
fn cycle_in(said: &str) -> Option<BTreeSet<String>> {
    let (_, cycle) = said.split_once("Error: Cycle:")?;
    let (first, others) = cycle.split_once('\n')?;
    let others = others.lines().take_while(|line| !line.trim().is_empty()).map(str::trim);
    let changes = first.trim().split(", ").filter(|name| !name.is_empty()).chain(others);
    Some(changes.filter(|node| !node.ends_with(" (expand)")).map(without_key).collect())
}

/// The name of a change, without the key of a deposed object: an engine draws it, and also names one that a
/// replacement is about to depose.
pub fn without_key(change: &str) -> String {
    let name = change.split_once(" (destroy deposed ").map(|(address, _)| format!("{address} (destroy)"));
    name.unwrap_or_else(|| change.to_owned())
}

/// The command that plans a run.
fn plan(run: &EngineRun) -> Vec<String> {
    let mode = match run.options.mode {
        PlanningMode::Normal => None,
        PlanningMode::RefreshOnly => Some("-refresh-only".to_owned()),
        PlanningMode::Destroy => Some("-destroy".to_owned()),
    };
    let each = |name: &str, of: &[InstanceAddress]| -> Vec<String> {
        of.iter().map(|address| format!("-{name}={address}")).collect()
    };
    let (targets, replace) = (each("target", &run.options.targets), each("replace", &run.options.replace));
    let command = ["plan".to_owned(), "-input=false".to_owned(), format!("-out={PLAN}")];
    let refresh = run.options.without_refresh.then(|| "-refresh=false".to_owned());
    let generates = run.imports.iter().any(|import| import.generates);
    let generate = generates.then(|| "-generate-config-out=generated.tf".to_owned());
    command.into_iter().chain(mode).chain(refresh).chain(generate).chain(targets).chain(replace).collect()
}
