//! A scenario as a folder in which a real engine plays it, and what the engine's output says about a
//! finding.
//!
//! Text both ways: configuration files and a script from a scenario and a schema, and a verdict from
//! what the script printed. Running the script is [`crate::session`]'s.
//!
//! What an engine never asks for is left out: plans, reads and deletes that are repeated.

mod body;
mod configuration;
mod expression;
mod go;
mod lines;
mod output;
mod rust;
mod script;
mod sought;
mod upstream;
mod verdict;

use crate::scenario::{
    EngineRun, ImportBy, InstanceAddress, NewValue, Operation, PlanningMode, Scenario, WorldChange,
    existing_files,
};
use crate::schema::{self, ProviderSchema};
use crate::transcript::DriftKind;
use crate::value::Value;

pub use configuration::provider_block;
pub use go::go_test;
pub use output::{Command, Diagnostic, Shown};
pub use rust::rust_test;
pub use script::steps;
pub use sought::{Runs, Sought};
pub use verdict::{Seen, Verdict, verdict};

/// The provider of a scenario, and how an engine starts it.
#[derive(Clone, Debug)]
pub struct Setup<'a> {
    /// Its name in configurations, such as `acme`.
    pub name: &'a str,
    pub launch: Launch,
    pub schema: &'a ProviderSchema,
    /// The provider block, under the provider's schema; `None` leaves every argument unset.
    pub config: Option<Value>,
    /// Whether objects are created; otherwise every run is only planned.
    pub applied: bool,
}

/// The command that starts a provider.
#[derive(Clone, Debug, Default, PartialEq, Eq)]
pub struct Launch {
    /// The program and its arguments; the program is not empty.
    pub command: Vec<String>,
    /// Where it runs; `None` for any folder.
    pub folder: Option<String>,
    /// Whether it takes the folder of its remote system as `--store`.
    pub store: bool,
}

/// A file of the folder.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct File {
    /// Relative to the folder.
    pub name: String,
    pub text: String,
    pub is_executable: bool,
}

/// Why a scenario cannot be played by a real engine.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum Unsupported {
    #[error("something changes {0} behind the provider's back, which a configuration cannot do")]
    Drift(String),
    #[error("it starts with objects that no run creates")]
    Initial,
    #[error("it imports an object by its identity, which is known only when the scenario is played")]
    Import,
    #[error("a run that ended too early left a deposed object behind, which no command does")]
    Deposed,
    #[error("an older release of the provider stored the state, which no command does")]
    StoredWithout,
    #[error("a run ends while a change is in flight, which a script cannot time")]
    Interrupted,
    #[error("it upgrades states that no version of the provider stored")]
    OldStates,
    #[error("the schema of {0} is not in the case")]
    NoSchema(String),
    #[error("no engine shows the finding, so such a test would pass; `--as rust` writes one that fails")]
    Silent,
    #[error("the test framework has no -target, no -replace, no taint and no import that waits for an ID")]
    Options,
}

impl Setup<'_> {
    fn source(&self) -> String {
        format!("tfconform/{}", self.name)
    }

    /// The schema of the provider block, and its values; `None` if no argument is set.
    fn configured(&self) -> Option<(&schema::Block, &Value)> {
        Some((&self.schema.provider.as_ref()?.block, self.config.as_ref()?))
    }
}

/// The files of a scenario; `about` are the comments at the top of the script.
///
/// `run.sh` takes the engine as its argument, plays the runs in the folder `work`, and prints what
/// [`Shown::read`] reads.
pub fn files(scenario: &Scenario, setup: &Setup<'_>, about: &str) -> Result<Vec<File>, Unsupported> {
    can_be_played(scenario)?;
    let mut files = configurations(scenario, setup)?;
    let text = |name: String, text: String| File { name, text, is_executable: false };
    files.push(text("terraform.rc".to_owned(), script::cli_configuration(setup)));
    let program = |name: String, text: String| File { name, text, is_executable: true };
    files.push(program(format!("plugins/terraform-provider-{}", setup.name), script::plugin(&setup.launch)));
    let mentioned = files.iter().flat_map(|file| existing_files::mentioned_in(&file.text));
    let mut needed: Vec<File> =
        mentioned.map(|file| text(format!("{}/{}", script::FILES, file.path), file.content)).collect();
    needed.sort_by(|a, b| a.name.cmp(&b.name));
    needed.dedup_by(|a, b| a.name == b.name);
    let has_files = !needed.is_empty();
    files.extend(needed);
    files.push(program("run.sh".to_owned(), script::run_script(scenario, setup, about, has_files)));
    Ok(files)
}

/// The configuration of each run of a scenario, also where something else changes objects between them
/// ([`changes_outside`]).
pub fn configurations(scenario: &Scenario, setup: &Setup<'_>) -> Result<Vec<File>, Unsupported> {
    can_be_written(scenario)?;
    let mut upstreams = Vec::new();
    let configuration = |(idx, run): (usize, &EngineRun)| {
        let text = configuration::write(run, idx + 1, exported(scenario, idx), &mut upstreams, setup)?;
        Ok(File { name: script::configuration(idx + 1), text, is_executable: false })
    };
    scenario.runs.iter().enumerate().map(configuration).collect()
}

/// The blocks of a run, without saying where the provider comes from.
pub fn blocks(run: &EngineRun, setup: &Setup<'_>) -> Result<String, Unsupported> {
    configuration::blocks(run, 1, setup)
}

/// Fails if a scenario cannot be written down for an engine, with what happens outside in words.
fn can_be_written(scenario: &Scenario) -> Result<(), Unsupported> {
    match can_be_played(scenario) {
        Err(why) if !matches!(why, Unsupported::Drift(_)) => Err(why),
        _ => Ok(()),
    }
}

/// By run, what is done to objects before it without the provider, as sentences without a full stop.
pub fn changes_outside(scenario: &Scenario) -> Vec<Vec<String>> {
    let told = |change: &WorldChange| match change {
        WorldChange::Drift { of, to: Some(NewValue { path, value }), .. } => {
            Some(format!("change {path} of {of} to {value} outside of Terraform"))
        }
        WorldChange::Drift { of, kind, to: None } => Some(match kind {
            DriftKind::Change => format!("change an attribute of {of} outside of Terraform"),
            DriftKind::Vanish => format!("delete {of} outside of Terraform"),
            DriftKind::AddElement => format!("add an element to a collection of {of} outside of Terraform"),
            DriftKind::Respell => {
                format!("have the remote system spell a value of {of} in another way that means the same")
            }
        }),
        WorldChange::Taint { .. }
        | WorldChange::Untaint { .. }
        | WorldChange::Depose { .. }
        | WorldChange::StoredWithout { .. } => None,
    };
    scenario.runs.iter().map(|run| run.before.iter().filter_map(told).collect()).collect()
}

/// The instance whose ID a later run imports, if a run, counted from 0, creates it.
fn exported(scenario: &Scenario, run: usize) -> Option<&InstanceAddress> {
    let blocks = &scenario.runs.get(run)?.blocks;
    let mut imports = scenario.runs[run + 1..].iter().flat_map(|run| &run.imports);
    let import =
        imports.find(|import| blocks.iter().any(|block| block.address == import.forgotten.resource))?;
    Some(&import.forgotten)
}

/// The instance that somebody else deletes. An engine can delete it in a script, and then be given its state back.
fn vanishing(change: &WorldChange) -> Option<&InstanceAddress> {
    match change {
        WorldChange::Drift { of, kind: DriftKind::Vanish, .. } => Some(of),
        _ => None,
    }
}

/// Whether another block refers to an instance: an engine destroys both.
fn is_used(scenario: &Scenario, of: &InstanceAddress) -> bool {
    let blocks = scenario.runs.iter().flat_map(|run| &run.blocks);
    blocks.flat_map(|block| block.arguments.used_instances()).any(|used| used.resource == of.resource)
}

/// The scenario with a plan of what somebody else deleted after a run, counted from 0.
///
/// That is how an engine reads what is gone; after a destroy it reads nothing.
#[must_use]
pub fn with_plan_of_what_is_gone(scenario: &Scenario, after: Option<usize>) -> Scenario {
    let mut scenario = scenario.clone();
    let is_applied = |run: &EngineRun| {
        (run.options.operation, run.options.mode) == (Operation::Apply, PlanningMode::Normal)
            && !run.blocks.is_empty()
    };
    let last = after.map_or(scenario.runs.len(), |after| after + 1).min(scenario.runs.len());
    let Some(at) = scenario.runs[..last].iter().rposition(is_applied) else { return scenario };
    let blocks = scenario.runs[at].blocks.clone();
    let managed = blocks.iter().filter(|block| block.address.kind == schema::Kind::Resource);
    let instances = managed.flat_map(|block| block.instances()).filter(|of| !is_used(&scenario, of));
    let vanish = |of| WorldChange::Drift { of, kind: DriftKind::Vanish, to: None };
    let before: Vec<WorldChange> = instances.map(vanish).collect();
    if !before.is_empty() {
        scenario.runs.insert(at + 1, EngineRun::new(Operation::Plan, blocks).after(before));
    }
    scenario
}

/// Fails if a real engine cannot play a scenario.
pub fn can_be_played(scenario: &Scenario) -> Result<(), Unsupported> {
    if !scenario.initial.is_empty() {
        return Err(Unsupported::Initial);
    }
    if scenario.runs.iter().any(|run| run.options.operation == Operation::Upgrade) {
        return Err(Unsupported::OldStates);
    }
    if scenario.has_mishap() {
        return Err(Unsupported::Interrupted);
    }
    let mut imports = scenario.runs.iter().flat_map(|run| &run.imports);
    if imports.any(|import| import.by == ImportBy::Identity) {
        return Err(Unsupported::Import);
    }
    for change in scenario.runs.iter().flat_map(|run| &run.before) {
        match change {
            _ if vanishing(change).is_some_and(|of| !is_used(scenario, of)) => {}
            WorldChange::Drift { of, .. } => return Err(Unsupported::Drift(of.to_string())),
            WorldChange::Depose { .. } => return Err(Unsupported::Deposed),
            WorldChange::StoredWithout { .. } => return Err(Unsupported::StoredWithout),
            WorldChange::Taint { .. } | WorldChange::Untaint { .. } => {}
        }
    }
    Ok(())
}

/// The name that engines give the provider of a type unless a configuration says otherwise.
pub fn provider_name(type_name: &str) -> &str {
    type_name.split('_').next().unwrap_or(type_name)
}

#[cfg(test)]
mod tests;
