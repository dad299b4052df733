//! The script that runs an engine, and what it needs to find the provider.

use std::fmt::Write as _;

use super::configuration::options;
use super::{Launch, Setup};
use crate::process::shell_word;
use crate::scenario::{EngineRun, Operation, PlanningMode, Scenario};

/// The marks that the script prints around each command, for [`super::Shown`].
pub(super) const MARK: &str = "== ";
pub(super) const EXIT: &str = "== exit code ";

/// The name of the configuration file of a run, counted from 1.
pub(super) fn configuration(number: usize) -> String {
    if number == 1 { "main.tf".to_owned() } else { format!("step{number}.tf") }
}

/// `run.sh`: plays the runs one after the other in the folder `work`, and destroys what is left.
pub(super) fn run_script(scenario: &Scenario, setup: &Setup<'_>, about: &str) -> String {
    let mut text = String::from("#!/bin/sh\n");
    for line in about.lines() {
        let _ = writeln!(text, "{}", format!("# {line}").trim_end());
    }
    text.push_str(concat!(
        "# Usage: ./run.sh [ENGINE], where ENGINE is terraform, tofu or the path of one of them.\n",
        "engine=${1:-terraform}\n",
        "cd \"$(dirname \"$0\")\" || exit 1\n",
        "rm -rf work && mkdir work && cd work || exit 1\n",
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
    for (idx, run) in scenario.runs.iter().enumerate() {
        let destroys = run.options.mode == PlanningMode::Destroy;
        if !destroys {
            let _ = writeln!(text, "\ncp ../{} main.tf", configuration(idx + 1));
        }
        let step = |command: &&str| format!("step {command}{}", options(run, *command != AGAIN));
        let steps: Vec<String> = commands(run, setup.applied).iter().map(step).collect();
        let _ = writeln!(text, "{}", steps.join(" &&\n    "));
    }
    let is_destroyed = scenario.runs.last().is_some_and(|run| run.options.mode == PlanningMode::Destroy);
    if setup.applied && !is_destroyed {
        text.push_str("\nstep destroy -auto-approve -input=false\n");
    }
    text
}

/// The command after an apply: it shows what is still to do.
const AGAIN: &str = "plan -input=false -detailed-exitcode";
const PLAN: &str = "plan -input=false";

/// The commands of a run.
fn commands(run: &EngineRun, applied: bool) -> &'static [&'static str] {
    match (run.options.mode, run.options.operation) {
        (_, Operation::Validate) => &["validate"],
        (PlanningMode::Normal, Operation::Apply) if applied => &["apply -auto-approve -input=false", AGAIN],
        (PlanningMode::Normal, _) => &[PLAN],
        (PlanningMode::RefreshOnly, Operation::Apply) if applied => {
            &["apply -refresh-only -auto-approve -input=false", AGAIN]
        }
        (PlanningMode::RefreshOnly, _) => &["plan -refresh-only -input=false"],
        (PlanningMode::Destroy, Operation::Apply) if applied => &["destroy -auto-approve -input=false"],
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
