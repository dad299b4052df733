//! A case as a test with terraform-plugin-testing.

use std::collections::BTreeSet;
use std::fmt::Write as _;

use super::{Setup, Sought, Unsupported, can_be_written, changes_outside, configuration};
use crate::rule::Says;
use crate::rules::read::reports_drift;
use crate::scenario::{Block, EngineRun, Operation, PlanningMode, Scenario, WorldChange};
use crate::schema::Kind;

/// A test file for a provider of this major protocol version; `id` tells tests of one rule apart. `failed` are
/// the runs, counted from 0, in which the provider has reported an error.
///
/// The framework fails a test at every error of the engine, and at every plan after an apply that has something
/// left to do, so the steps alone fail while the finding is there.
///
/// Fails if the framework cannot play the scenario, and if no engine shows the finding.
pub fn go_test(
    scenario: &Scenario,
    setup: &Setup<'_>,
    sought: &Sought<'_>,
    failed: &BTreeSet<usize>,
    (protocol, id): (u8, &str),
) -> Result<String, Unsupported> {
    let scenario = &sought.only_its_runs(scenario, failed);
    can_be_written(scenario)?;
    // The framework runs Terraform, and a plan that has nothing to do after a change outside is what is wrong.
    let misses_drift = sought.rule.id == reports_drift::RULE.id;
    if !misses_drift && !sought.is_shown_by_terraform() {
        return Err(Unsupported::Silent);
    }
    let is_special = |run: &EngineRun| {
        let has_options = !run.options.targets.is_empty() || !run.options.replace.is_empty();
        let is_outside = |change: &WorldChange| matches!(change, WorldChange::Drift { .. });
        let is_changed_inside = !run.before.iter().all(is_outside);
        has_options || run.options.without_refresh || is_changed_inside || !run.imports.is_empty()
    };
    if scenario.runs.iter().any(is_special) {
        return Err(Unsupported::Options);
    }
    let leaves_changes = sought.says() == Says::Change;
    let mut steps = String::new();
    let mut applied: Option<&EngineRun> = None;
    for ((idx, run), outside) in scenario.runs.iter().enumerate().zip(changes_outside(scenario)) {
        let misses_drift = misses_drift && run.has_drift();
        let step =
            Step { run, outside, applied, checks_plan: leaves_changes, misses_drift, applies: setup.applied };
        step.write(&mut steps, idx + 1, setup)?;
        if run.options.operation == Operation::Apply && setup.applied {
            applied = Some(run);
        }
    }
    let plancheck = "\n\t\"github.com/hashicorp/terraform-plugin-testing/plancheck\"";
    let (rule, headline) = (sought.rule.id, sought.rule.headline());
    Ok(format!(
        "package provider\n\n\
         import (\n\t\"testing\"\n\n\
         \t\"github.com/hashicorp/terraform-plugin-testing/helper/resource\"{}\n)\n\n\
         // Test{} fails while the provider breaks {rule}: {headline}.\n\
         // Terraform shows {}.\n\
         func Test{}(t *testing.T) {{\n\
         \tresource.UnitTest(t, resource.TestCase{{\n\
         \t\t// As in the provider's other acceptance tests.\n\
         \t\tProtoV{protocol}ProviderFactories: testAccProtoV{protocol}ProviderFactories,\n\
         \t\tSteps: []resource.TestStep{{\n{steps}\t\t}},\n\t}})\n}}\n{}",
        if steps.contains("plancheck.") { plancheck } else { "" },
        words(id, ""),
        if misses_drift { "nothing: the plan after the change is empty".to_owned() } else { sought.told() },
        words(id, ""),
        if steps.contains(CHANGE_OUTSIDE) { OUTSIDE } else { "" },
    ))
}

/// Called before a step.
const CHANGE_OUTSIDE: &str = "changeOutside(";

/// What only the author can write.
const OUTSIDE: &str = "
// changeOutside does in the remote system what somebody else could do there: write it for yours.
func changeOutside(t *testing.T, what string) {
\tt.Helper()
\tt.Fatalf(\"%s: not written yet\", what)
}
";

/// One run as a step.
struct Step<'a> {
    run: &'a EngineRun,
    /// What happens before it outside of Terraform.
    outside: Vec<String>,
    /// Whether what happened is to be seen, and is not.
    misses_drift: bool,
    /// The run that was applied last.
    applied: Option<&'a EngineRun>,
    /// Whether the finding is a plan after an apply that has changes.
    checks_plan: bool,
    /// Whether objects are created.
    applies: bool,
}

impl Step<'_> {
    fn write(&self, out: &mut String, number: usize, setup: &Setup<'_>) -> Result<(), Unsupported> {
        let options = &self.run.options;
        let applies = self.applies && options.operation == Operation::Apply;
        let mut lines = Vec::new();
        let of = match options.mode {
            PlanningMode::Normal => self.run,
            // What is destroyed or refreshed is what there is.
            PlanningMode::Destroy | PlanningMode::RefreshOnly => self.applied.unwrap_or(self.run),
        };
        let config = configuration::blocks(of, number, setup)?;
        if !self.outside.is_empty() {
            let calls = self.outside.iter().map(|what| format!("{CHANGE_OUTSIDE}t, {what:?})"));
            let calls = calls.collect::<Vec<_>>().join("; ");
            lines.push(format!("PreConfig: func() {{ {calls} }},"));
        }
        match (options.mode, applies && !self.misses_drift) {
            (PlanningMode::RefreshOnly, _) => lines.push("RefreshState: true,".to_owned()),
            (PlanningMode::Destroy, true) => {
                lines.push(format!("Config: {},", raw(&config)));
                lines.push("Destroy: true,".to_owned());
            }
            (PlanningMode::Destroy, false) => return Ok(()),
            (PlanningMode::Normal, true) => lines.push(format!("Config: {},", raw(&config))),
            (PlanningMode::Normal, false) => {
                lines.push(format!("Config: {},", raw(&config)));
                lines.push("PlanOnly: true,".to_owned());
                if self.misses_drift || self.has_changes() {
                    lines.push("ExpectNonEmptyPlan: true,".to_owned());
                }
            }
        }
        if self.checks_plan && applies && options.mode == PlanningMode::Normal {
            lines.push(
                "ConfigPlanChecks: resource.ConfigPlanChecks{\n\
                 \t\t\t\t\tPostApplyPostRefresh: []plancheck.PlanCheck{plancheck.ExpectEmptyPlan()},\n\
                 \t\t\t\t},"
                    .to_owned(),
            );
        }
        out.push_str("\t\t\t{\n");
        for line in lines {
            let _ = writeln!(out, "\t\t\t\t{line}");
        }
        out.push_str("\t\t\t},\n");
        Ok(())
    }

    /// Whether a plan of it is expected to have something to do.
    fn has_changes(&self) -> bool {
        let is_managed =
            |block: &Block| block.address.kind == Kind::Resource || block.arguments.has_upstream();
        let is_new = self.applied.is_none_or(|applied| applied.blocks != self.run.blocks);
        is_new && self.run.blocks.iter().any(is_managed)
    }
}

/// A string of Go: as it is, apart from backticks.
fn raw(text: &str) -> String {
    format!("`\n{}`", text.trim_start_matches('\n').replace('`', "` + \"`\" + `"))
}

/// The words of a name, each with a capital letter, with something between them.
pub(super) fn words(name: &str, between: &str) -> String {
    let words = name.split(|c: char| !c.is_ascii_alphanumeric()).filter(|word| !word.is_empty());
    let capital = |word: &str| {
        let (first, rest) = word.split_at(1);
        first.to_uppercase() + rest
    };
    words.map(capital).collect::<Vec<_>>().join(between)
}
