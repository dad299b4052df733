//! Defects of engines: what users meet with them although every provider did right.
//!
//! An entry belongs here if the smallest configurations show it with nothing but what the engine brings itself.
//! `cargo test --test levels defects` plays each under the engines that are on the machine.

/// A defect of an engine.
pub struct EngineDefect {
    pub id: &'static str,
    /// What goes wrong, as one sentence without a full stop.
    pub what: &'static str,
    /// The configurations that are applied, one after the other.
    pub configurations: &'static [&'static str],
    /// What the last of them shows, by the engine that was asked: a part of what it prints.
    pub shown: &'static [(&'static str, &'static str)],
    /// What a user can do.
    pub meanwhile: &'static str,
}

/// The reviewed list.
pub const DEFECTS: &[EngineDefect] = &[EngineDefect {
    id: "replaced-under-a-removed-dependent",
    what: "An object is replaced, and its only dependent, which is created before it is destroyed, is removed in the \
           same run: the order cannot be kept, or the old object stays behind as a deposed one, where the plan promised \
           to destroy it",
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
}];

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
        for EngineDefect { id, what, configurations, shown, meanwhile } in DEFECTS {
            text += &format!("\n## {id}\n\n{what}. Until it is mended, {meanwhile}.\n");
            for (number, configuration) in (1..).zip(*configurations) {
                text += &format!("\nRun {number}:\n\n```terraform\n{configuration}```\n");
            }
            text += "\n| Engine | It prints |\n| --- | --- |\n";
            for (engine, printed) in *shown {
                text += &format!("| {engine} | “{printed}” |\n");
            }
        }
        crate::files::assert_current("docs/engines.md", &text);
    }
}
