//! The script that runs an engine, and what it needs to find the provider.

use std::fmt::Write as _;

use super::configuration::{IMPORT_ID, options};
use super::expression::instance;
use super::{Launch, Setup, exported, vanishing};
use crate::process::shell_word;
use crate::scenario::{EngineRun, Operation, PlanningMode, Scenario, WorldChange};

/// The marks that the script prints around each command, for [`super::Shown`].
pub(super) const MARK: &str = "== ";
pub(super) const EXIT: &str = "== exit code ";
/// Before the commands of a run, with its number, counted from 1. What is left is destroyed in a run of its own.
pub(super) const RUN: &str = "== run ";

/// The name of the configuration file of a run, counted from 1.
pub(super) fn configuration(number: usize) -> String {
    if number == 1 { "main.tf".to_owned() } else { format!("step{number}.tf") }
}

/// The folder of files that configurations name.
pub(super) const FILES: &str = "files";

/// `run.sh`: plays the runs one after the other in the folder `work`, and destroys what is left.
pub(super) fn run_script(scenario: &Scenario, setup: &Setup<'_>, about: &str, has_files: bool) -> String {
    let mut text = String::from("#!/bin/sh\n");
    for line in about.lines() {
        let _ = writeln!(text, "{}", format!("# {line}").trim_end());
    }
    text.push_str(concat!(
        "# Usage: ./run.sh [ENGINE], where ENGINE is terraform, tofu or the path of one of them.\n",
        "engine=${1:-terraform}\n",
        "cd \"$(dirname \"$0\")\" || exit 1\n",
        "rm -rf work && mkdir work && cd work || exit 1\n",
    ));
    if has_files {
        let _ = writeln!(text, "cp -r ../{FILES}/. .");
    }
    text.push_str(concat!(
        "exec 2>&1\n",
        "export TF_CLI_CONFIG_FILE=../terraform.rc CHECKPOINT_DISABLE=1\n",
        "step() {\n",
        "    echo \"== $*\"\n",
        "    \"$engine\" \"$@\"\n",
        "    code=$?\n",
        "    echo \"== exit code $code\"\n",
        "    return $code\n",
        "}\n",
        "step version\n",
    ));
    for (idx, commands) in steps(scenario, setup.applied).into_iter().enumerate() {
        let _ = writeln!(text, "\necho \"{RUN}{}\"", idx + 1);
        if scenario.runs.get(idx).is_some_and(|run| run.options.mode != PlanningMode::Destroy) {
            let _ = writeln!(text, "cp ../{} main.tf", configuration(idx + 1));
        }
        let changes = scenario.runs.get(idx).map_or(&[][..], |run| &run.before);
        for of in changes.iter().filter_map(vanishing).filter(|_| setup.applied) {
            let target = shell_word(&instance(of));
            let _ = writeln!(text, "# As if somebody else deleted it: the state is put back.");
            let _ = writeln!(text, "cp terraform.tfstate kept.tfstate");
            let _ = writeln!(text, "step {DESTROY} -target={target}");
            let _ = writeln!(text, "cp kept.tfstate terraform.tfstate");
        }
        let commands: Vec<String> = commands.iter().map(|command| format!("step {command}")).collect();
        let _ = writeln!(text, "{}", commands.join(" &&\n    "));
        if exported(scenario, idx).is_some() {
            let _ = writeln!(
                text,
                "TF_VAR_{IMPORT_ID}=$(\"$engine\" output -raw {IMPORT_ID}) && export TF_VAR_{IMPORT_ID}"
            );
        }
    }
    text
}

/// The commands of each run of a scenario, and of the destruction of what is left, without the engine's name.
pub fn steps(scenario: &Scenario, applied: bool) -> Vec<Vec<String>> {
    let of = |run: &EngineRun| {
        let line = |command: &&str| format!("{command}{}", options(run, *command != AGAIN));
        let before = run.before.iter().filter(|_| applied).filter_map(state_command);
        before.chain(commands(run, applied).iter().map(line)).collect()
    };
    let is_destroyed = scenario.runs.last().is_some_and(|run| run.options.mode == PlanningMode::Destroy);
    let end = (applied && !is_destroyed).then(|| vec![DESTROY.to_owned()]);
    scenario.runs.iter().map(of).chain(end).collect()
}

/// The command for what a user does to the state before a run.
fn state_command(change: &WorldChange) -> Option<String> {
    let (command, of) = match change {
        WorldChange::Taint { of } => ("taint", of),
        WorldChange::Untaint { of } => ("untaint", of),
        WorldChange::Drift { .. } | WorldChange::Depose { .. } | WorldChange::StoredWithout { .. } => {
            return None;
        }
    };
    Some(format!("{command} {}", shell_word(&instance(of))))
}

/// The command after an apply: it shows what is still to do.
const AGAIN: &str = "plan -input=false -detailed-exitcode";
const PLAN: &str = "plan -input=false";
/// Writes the configuration of what it imports to a new file.
const PLAN_GENERATED: &str = "plan -input=false -generate-config-out=generated.tf";
const DESTROY: &str = "destroy -auto-approve -input=false";

/// The commands of a run.
fn commands(run: &EngineRun, applied: bool) -> &'static [&'static str] {
    match (run.options.mode, run.options.operation) {
        (_, Operation::Validate) => &["validate"],
        (PlanningMode::Normal, Operation::Apply) if applied => &["apply -auto-approve -input=false", AGAIN],
        (PlanningMode::Normal, _) if run.imports.iter().any(|import| import.generates) => &[PLAN_GENERATED],
        (PlanningMode::Normal, _) => &[PLAN],
        (PlanningMode::RefreshOnly, Operation::Apply) if applied => {
            &["apply -refresh-only -auto-approve -input=false", AGAIN]
        }
        (PlanningMode::RefreshOnly, _) => &["plan -refresh-only -input=false"],
        (PlanningMode::Destroy, Operation::Apply) if applied => &[DESTROY],
        (PlanningMode::Destroy, _) => &["plan -destroy -input=false"],
    }
}

/// `terraform.rc`: where engines find the provider.
pub(super) fn cli_configuration(setup: &Setup<'_>) -> String {
    format!(
        "provider_installation {{\n  dev_overrides {{\n    {:?} = \"../plugins\"\n  }}\n  direct {{}}\n}}\n",
        setup.source()
    )
}

/// The program in `plugins` that starts the provider.
pub(super) fn plugin(launch: &Launch) -> String {
    let mut text = String::from("#!/bin/sh\n");
    if launch.store {
        // An engine starts it in the folder `work`.
        text.push_str("store=$(pwd)/store\n");
    }
    if let Some(folder) = &launch.folder {
        let _ = writeln!(text, "cd {} || exit 1", shell_word(folder));
    }
    let words: Vec<String> = launch.command.iter().map(|word| shell_word(word)).collect();
    let _ = write!(text, "exec {}", words.join(" "));
    text.push_str(if launch.store { " --store \"$store\" \"$@\"\n" } else { " \"$@\"\n" });
    text
}
