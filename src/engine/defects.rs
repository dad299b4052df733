//! Defects of engines: what users meet with them although every provider did right.
//!
//! An entry belongs here if the smallest configurations show it with nothing but what the engine brings itself.
//! `cargo test --test levels defects` plays each under the engines that are on the machine.

/// A defect of an engine.
#[derive(Debug, PartialEq, Eq)]
pub struct EngineDefect {
    pub id: &'static str,
    /// What goes wrong, as one sentence without a full stop.
    pub what: &'static str,
    /// The command that is run.
    pub arguments: &'static [&'static str],
    /// The configurations with which it is, one after the other.
    pub configurations: &'static [&'static str],
    /// What the last of them shows, by the engine that was asked: a part of what it prints.
    pub shown: &'static [(&'static str, &'static str)],
    /// What a user can do.
    pub meanwhile: &'static str,
}

/// The reviewed list.
pub const DEFECTS: &[&EngineDefect] = &[
    &REPLACED_UNDER_A_REMOVED_DEPENDENT,
    &REPLACED_WITH_WHAT_IT_USES,
    &REPLACED_WHILE_WHAT_IT_USES_CHANGES,
    &GENERATED_FOR_ANOTHER_PROVIDER,
];

pub static REPLACED_UNDER_A_REMOVED_DEPENDENT: EngineDefect = EngineDefect {
    id: "replaced-under-a-removed-dependent",
    what: "An object is replaced, and its only dependent, which is created before it is destroyed, is removed in the \
           same run: the order cannot be kept, or the old object stays behind as a deposed one, where the plan promised \
           to destroy it",
    arguments: &["apply", "-auto-approve"],
    configurations: &[
        "resource \"terraform_data\" \"a\" {\n  triggers_replace = \"1\"\n}\n\nresource \"terraform_data\" \"b\" {\n  \
         input = terraform_data.a.id\n\n  lifecycle {\n    create_before_destroy = true\n  }\n}\n",
        "resource \"terraform_data\" \"a\" {\n  triggers_replace = \"2\"\n}\n",
    ],
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
    arguments: &["apply", "-auto-approve"],
    configurations: &[
        "resource \"terraform_data\" \"a\" {\n  triggers_replace = \"1\"\n\n  lifecycle {\n    create_before_destroy = true\n  \
         }\n}\n\nresource \"terraform_data\" \"b\" {\n  triggers_replace = terraform_data.a.id\n}\n",
        "resource \"terraform_data\" \"a\" {\n  triggers_replace = \"2\"\n\n  lifecycle {\n    create_before_destroy = true\n  \
         }\n}\n\nresource \"terraform_data\" \"b\" {\n  triggers_replace = terraform_data.a.id\n}\n",
    ],
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
    what: "An object is replaced while what it uses is updated in place and is one to be created before it is destroyed: \
           the old object is not destroyed and no longer in the state, or the changes are a cycle",
    arguments: &["apply", "-auto-approve"],
    configurations: &[
        "resource \"terraform_data\" \"a\" {\n  input = \"1\"\n\n  lifecycle {\n    create_before_destroy = true\n  \
         }\n}\n\nresource \"terraform_data\" \"b\" {\n  triggers_replace = \"1\"\n  input            = terraform_data.a.id\n}\n",
        "resource \"terraform_data\" \"a\" {\n  input = \"2\"\n\n  lifecycle {\n    create_before_destroy = true\n  \
         }\n}\n\nresource \"terraform_data\" \"b\" {\n  triggers_replace = \"2\"\n  input            = terraform_data.a.id\n}\n",
    ],
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
    arguments: &["plan", "-generate-config-out=generated.tf"],
    configurations: &[
        "terraform {\n  required_providers {\n    reference = {\n      source = \"tfconform/reference\"\n    }\n  }\n}\n\n\
         import {\n  to = reference_safe.a\n  id = \"safe-1\"\n}\n",
    ],
    shown: &[
        ("terraform 1.11.4", "Error: Object does not exist"),
        ("terraform 1.15.9", "Error: Object does not exist"),
        ("terraform 1.16.0-rc2", "unavailable provider \"registry.terraform.io/hashicorp/reference\""),
        ("tofu 1.12.6", "Error: Object does not exist"),
    ],
    meanwhile: "name the provider in the `import` block: `provider = reference`",
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
            protocols; the document is written by `UPDATE_GENERATED=1 cargo test --lib engine`.\n\n\
            | `--engine` | What it is | Compared with | Calls | Not imitated |\n| --- | --- | --- | --- | --- |\n"
            .to_owned();
        for engine in Engine::ALL {
            let (by, n_calls, but) = match engine.confirmed() {
                Some(Confirmed { by, n_calls, but }) => (by, n_calls.to_string(), but.unwrap_or_default()),
                None => ("", String::new(), ""),
            };
            text += &format!("| `{engine}` | {} | {by} | {n_calls} | {but} |\n", engine.about());
        }
        text += "\nWhat each of these real engines shows of a provider that breaks a rule is in [What engines \
            show](levels.md), for every rule; `tfconform reproduce CASE --with terraform,tofu` asks those on your \
            machine.\n\n# Defects of engines\n\nWhat users can meet although every provider did right. If a run of yours ends \
            so, no provider is to blame.\n";
        for EngineDefect { id, what, arguments, configurations, shown, meanwhile } in DEFECTS {
            text += &format!("\n## {id}\n\n{what}. Until it is mended, {meanwhile}.\n");
            let arguments = arguments.join(" ");
            for (number, configuration) in (1..).zip(*configurations) {
                text += &format!("\nRun {number}, `{arguments}`:\n\n```terraform\n{configuration}```\n");
            }
            text += "\n| Engine | It prints |\n| --- | --- |\n";
            for (engine, printed) in *shown {
                text += &format!("| {engine} | “{printed}” |\n");
            }
        }
        crate::files::assert_current("docs/engines.md", &text);
    }
}
