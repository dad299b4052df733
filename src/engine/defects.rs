//! Defects of engines: what users meet with them although every provider did right.
//!
//! An entry belongs here if the smallest configurations show it with what the engine brings itself, or else with the
//! reference provider. A create that fails is no wrong of a provider.
//! `cargo test --test levels defects` plays each under the engines that are on the machine.

/// A defect of an engine.
#[derive(Debug, PartialEq, Eq)]
pub struct EngineDefect {
    pub id: &'static str,
    /// What goes wrong, as one sentence without a full stop.
    pub what: &'static str,
    /// What is armed in the reference provider, if that serves them.
    pub fault: Option<&'static str>,
    /// The command that is run.
    pub arguments: &'static [&'static str],
    /// The configurations with which it is, one after the other.
    pub configurations: &'static [&'static str],
    /// Which of the engines that were asked have it.
    pub has: &'static [&'static str],
    /// What the last of them shows, by the engine that was asked: a part of what it prints.
    pub shown: &'static [(&'static str, &'static str)],
    /// What a user can do.
    pub meanwhile: &'static str,
}

const APPLY: &[&str] = &["apply", "-auto-approve"];

/// The reviewed list.
pub const DEFECTS: &[&EngineDefect] = &[
    &REPLACED_UNDER_A_REMOVED_DEPENDENT,
    &REPLACED_WITH_WHAT_IT_USES,
    &REPLACED_WHILE_WHAT_IT_USES_CHANGES,
    &GENERATED_FOR_ANOTHER_PROVIDER,
    &FAILED_CREATES_AT_ONCE,
    &DESTROYS_WHAT_IS_REPLACED,
];

pub static REPLACED_UNDER_A_REMOVED_DEPENDENT: EngineDefect = EngineDefect {
    id: "replaced-under-a-removed-dependent",
    what: "An object is replaced, and its only dependent, which is created before it is destroyed, is removed in the \
           same run: the order cannot be kept, or the old object stays behind as a deposed one, where the plan promised \
           to destroy it",
    fault: None,
    arguments: APPLY,
    configurations: &[
        r#"resource "terraform_data" "a" {
  triggers_replace = "1"
}

resource "terraform_data" "b" {
  input = terraform_data.a.id

  lifecycle {
    create_before_destroy = true
  }
}
"#,
        r#"resource "terraform_data" "a" {
  triggers_replace = "2"
}
"#,
    ],
    has: &["terraform 1.11.4", "terraform 1.15.9", "terraform 1.16.0-rc2", "tofu 1.12.6"],
    shown: &[
        ("terraform 1.11.4", "Error: Cycle"),
        ("terraform 1.15.9", "Error: Cycle"),
        ("terraform 1.16.0-rc2", "Resources: 1 added, 0 changed, 1 destroyed"),
        ("tofu 1.12.6", "Error: Cycle"),
    ],
    meanwhile: "remove the dependent in a run of its own",
};

pub static REPLACED_WITH_WHAT_IT_USES: EngineDefect = EngineDefect {
    id: "replaced-with-what-it-uses",
    what: "An object is replaced together with what it uses, and only that is created before it is destroyed: the old \
           object stays behind as a deposed one, where the plan promised to destroy it",
    fault: None,
    arguments: APPLY,
    configurations: &[
        r#"resource "terraform_data" "a" {
  triggers_replace = "1"

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "b" {
  triggers_replace = terraform_data.a.id
}
"#,
        r#"resource "terraform_data" "a" {
  triggers_replace = "2"

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "b" {
  triggers_replace = terraform_data.a.id
}
"#,
    ],
    has: &["terraform 1.16.0-rc2"],
    shown: &[
        ("terraform 1.11.4", "Resources: 2 added, 0 changed, 2 destroyed"),
        ("terraform 1.15.9", "Resources: 2 added, 0 changed, 2 destroyed"),
        ("terraform 1.16.0-rc2", "Resources: 2 added, 0 changed, 1 destroyed"),
        ("tofu 1.12.6", "Resources: 2 added, 0 changed, 2 destroyed"),
    ],
    meanwhile: "apply once more, which destroys what stayed behind, or create both first",
};

pub static REPLACED_WHILE_WHAT_IT_USES_CHANGES: EngineDefect = EngineDefect {
    id: "replaced-while-what-it-uses-changes",
    what: "An object is replaced while what it uses is updated in place and has `create_before_destroy`: the old object \
           is not destroyed and no longer in the state, or the changes are a cycle",
    fault: None,
    arguments: APPLY,
    configurations: &[
        r#"resource "terraform_data" "a" {
  input = "1"

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "b" {
  triggers_replace = "1"
  input            = terraform_data.a.id
}
"#,
        r#"resource "terraform_data" "a" {
  input = "2"

  lifecycle {
    create_before_destroy = true
  }
}

resource "terraform_data" "b" {
  triggers_replace = "2"
  input            = terraform_data.a.id
}
"#,
    ],
    has: &["terraform 1.16.0-rc2"],
    shown: &[
        ("terraform 1.11.4", "Resources: 1 added, 1 changed, 1 destroyed"),
        ("terraform 1.15.9", "Resources: 1 added, 1 changed, 1 destroyed"),
        ("terraform 1.16.0-rc2", "Resources: 1 added, 1 changed, 0 destroyed"),
        ("tofu 1.12.6", "Resources: 1 added, 1 changed, 1 destroyed"),
    ],
    meanwhile: "change the two in runs of their own, or create both first",
};

pub static GENERATED_FOR_ANOTHER_PROVIDER: EngineDefect = EngineDefect {
    id: "generated-for-another-provider",
    what: "An object is imported whose configuration is to be written (`-generate-config-out`), and the engine looks for \
           its type in `hashicorp/NAME`, whatever `required_providers` says of `NAME`",
    fault: None,
    arguments: &["plan", "-generate-config-out=generated.tf"],
    configurations: &[r#"terraform {
  required_providers {
    reference = {
      source = "tfconform/reference"
    }
  }
}

import {
  to = reference_safe.a
  id = "safe-1"
}
"#],
    has: &["terraform 1.16.0-rc2"],
    shown: &[
        ("terraform 1.11.4", "Error: Object does not exist"),
        ("terraform 1.15.9", "Error: Object does not exist"),
        ("terraform 1.16.0-rc2", "unavailable provider \"registry.terraform.io/hashicorp/reference\""),
        ("tofu 1.12.6", "Error: Object does not exist"),
    ],
    meanwhile: "name the provider in the `import` block: `provider = reference`",
};

pub static FAILED_CREATES_AT_ONCE: EngineDefect = EngineDefect {
    id: "failed-creates-at-once",
    what: "Several creates fail at once, each with a part of its object: the engine crashes while it writes the state, \
           and the file is empty afterwards",
    fault: Some("apply/refuses-to-create"),
    arguments: APPLY,
    configurations: &[r#"terraform {
  required_providers {
    reference = {
      source = "tfconform/reference"
    }
  }
}

resource "reference_plain" "a" {
  count = 40
  name  = "plain ${count.index}"
  note  = "an option"
}
"#],
    has: &["terraform 1.16.0-rc2"],
    shown: &[
        ("terraform 1.11.4", "Error: 400 Bad Request"),
        ("terraform 1.15.9", "Error: 400 Bad Request"),
        ("terraform 1.16.0-rc2", "which cannot be saved"),
        ("tofu 1.12.6", "Error: 400 Bad Request"),
    ],
    meanwhile: "apply with `-parallelism=1` where creates may fail",
};

pub static DESTROYS_WHAT_IS_REPLACED: EngineDefect = EngineDefect {
    id: "destroys-what-is-replaced",
    what: "An object whose block says `destroy = false` is destroyed when it is replaced, unless it is tainted",
    fault: None,
    arguments: APPLY,
    configurations: &[
        r#"resource "terraform_data" "a" {
  triggers_replace = "1"

  lifecycle {
    destroy = false
  }
}
"#,
        r#"resource "terraform_data" "a" {
  triggers_replace = "2"

  lifecycle {
    destroy = false
  }
}
"#,
    ],
    has: &["terraform 1.16.0-rc2"],
    shown: &[
        ("terraform 1.11.4", "An argument named \"destroy\" is not expected here."),
        ("terraform 1.15.9", "An argument named \"destroy\" is not expected here."),
        ("terraform 1.16.0-rc2", "Resources: 1 added, 0 changed, 1 destroyed"),
        ("tofu 1.12.6", "Resources: 1 added, 0 changed, 0 destroyed"),
    ],
    meanwhile: "say `prevent_destroy = true` as well, which refuses such a plan",
};

#[cfg(test)]
mod tests {
    use super::*;
    use crate::engine::{Confirmed, Engine};

    /// Which engines were asked, and the list, as authors read them.
    #[test]
    fn the_document_of_the_engines_is_current() {
        let mut text = "# Engines\n\ntfconform imitates engines: `--engine NAME`, or `run.engine` in a suite. Each was compared \
            with a real one, call by call, in sequences of runs of objects alone, of graphs and of targets, in both \
            protocols; and verdict by verdict, in protocol 6, with each fault of an answer and its control armed in turn: for \
            each object its errors were predicted before the engine's output was read. `--engine terraform,opentofu` plays \
            as several, one after the other. The document is written by `UPDATE_GENERATED=1 cargo test --lib engine`.\n\n\
            | `--engine` | What it is | Compared with | Calls | Verdicts | Not imitated |\n\
            | --- | --- | --- | --- | --- | --- |\n"
            .to_owned();
        for engine in Engine::ALL {
            let about = engine.about();
            text += &match engine.confirmed() {
                Some(Confirmed { by, n_calls, n_verdicts, but }) => {
                    let but = but.unwrap_or_default();
                    format!("| `{engine}` | {about} | {by} | {n_calls} | {n_verdicts} | {but} |\n")
                }
                None => format!("| `{engine}` | {about} |  |  |  |  |\n"),
            };
        }
        text += "\nWhat each of these real engines shows of a provider that breaks a rule is in [What engines \
            show](levels.md), for every rule; `tfconform reproduce CASE --with terraform,tofu` asks those on your \
            machine.\n\n# Defects of engines\n\nWhat users can meet although every provider did right. If a run of yours ends \
            so, no provider is to blame.\n";
        for EngineDefect { id, what, fault, arguments, configurations, has, shown, meanwhile } in DEFECTS {
            text += &format!("\n## {id}\n\n{what}. Until it is mended, {meanwhile}.\n");
            if let Some(fault) = fault {
                text += &format!("\nThe provider is `tfconform reference --fault {fault}`.\n");
            }
            let arguments = arguments.join(" ");
            for (number, configuration) in (1..).zip(*configurations) {
                text += &format!("\nRun {number}, `{arguments}`:\n\n```terraform\n{configuration}```\n");
            }
            text += "\n| Engine | It prints | |\n| --- | --- | --- |\n";
            for (engine, printed) in *shown {
                let is_right = if has.contains(engine) { "the defect" } else { "as it should be" };
                text += &format!("| {engine} | “{printed}” | {is_right} |\n");
            }
        }
        crate::files::assert_current("docs/engines.md", &text);
    }
}
