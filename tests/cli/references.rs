//! Types with arguments that only another resource can give.

use std::path::Path;

use libtest_mimic::Trial;
use serde_json::Value as Json;

use super::{Folder, PROGRAM, Ran, trial_on};

pub fn trials() -> Vec<Trial> {
    vec![
        trial_on("terraform-provider-zoosdk", "references/chains_are_applied_with_the_sdk", |program| {
            chains(program, "zoosdk");
        }),
        trial_on("terraform-provider-zoofw", "references/chains_are_applied_with_the_framework", |program| {
            chains(program, "zoofw");
        }),
        trial_on(
            "terraform-provider-zoosdk",
            "references/a_data_source_reads_by_a_name_that_was_made",
            |program| {
                read(program, "zoosdk_user_group");
            },
        ),
        trial_on(
            "terraform-provider-zoofw",
            "references/a_data_source_reads_by_the_id_of_its_type",
            |program| {
                read(program, "zoofw_vpc");
            },
        ),
        trial_on("terraform-provider-zoofw", "references/what_is_in_use_is_kept_without_a_finding", in_use),
        trial_on("terraform-provider-zoofw", "references/a_file_that_must_be_there_is", |program| {
            let (_, ran) = check(program, &["zoofw_apply_file"], "--cases 3 --require applied=100%");
            ran.says(0, &["conforms (exit 0)"]);
        }),
        trial_on("terraform-provider-zoofw", "references/jobs_and_the_types_beside_change_nothing", alike),
        trial_on("terraform-provider-zoofw", "references/what_is_skipped_is_never_created", skipped),
    ]
}

fn check(program: &Path, types: &[&str], more: &str) -> (Folder, Ran) {
    let folder = Folder::new();
    let mut command = folder.command(PROGRAM);
    command.args(["check", "--apply", "--no-cases"]).args(more.split_whitespace());
    command.args(types.iter().flat_map(|name| ["--resource", name]));
    let ran = folder.run(command.arg(program));
    (folder, ran)
}

/// An ID, a chain of three, IDs in a set, a key and a name; none of what they need is selected.
fn chains(program: &Path, provider: &str) {
    let types = ["subnet", "instance", "balancer", "certificate", "membership"];
    let types = types.map(|name| format!("{provider}_{name}"));
    let types: Vec<&str> = types.iter().map(String::as_str).collect();
    check(program, &types, "--cases 3 --require applied=100%").1.says(0, &["conforms (exit 0)"]);
}

/// Networks and subnets that cannot be deleted while something lies in them, in every planning behaviour.
fn in_use(program: &Path) {
    let (_, ran) = check(program, &["zoofw_subnet", "zoofw_instance"], "--cases auto -v");
    ran.says(0, &["conforms (exit 0)"]);
    assert!(!ran.out.contains("DependencyViolation"), "no engine deletes them: {}", ran.out);
}

/// A data source that finds only what exists.
fn read(program: &Path, type_name: &str) {
    let (_, ran) = check(program, &[type_name], "--cases 2");
    ran.says(0, &["conforms (exit 0)"]);
    assert!(ran.out.contains("data sources  1 type: 1 validated, 1 read"), "{}", ran.out);
}

/// The configurations that were applied, without what the remote system made.
fn applied(folder: &Folder) -> Vec<String> {
    let mut all = Vec::new();
    for file in folder.files("out", "zoofw_instance-3.jsonl") {
        let text = std::fs::read_to_string(file).unwrap();
        for line in text.lines().skip(1).map(|line| serde_json::from_str::<Json>(line).unwrap()) {
            let config = &line["call"]["ApplyResourceChange"]["request"]["config"]["reads"];
            let comment =
                config.as_str().and_then(|config| config.split_once("comment = ")?.1.split_once(','));
            let comment = comment.map_or("", |(comment, _)| comment);
            all.push(format!("{} {} {comment}", line["phase"], line["instance"]));
        }
    }
    assert!(!all.is_empty());
    all
}

fn alike(program: &Path) {
    let played = |types: &[&str], jobs: &str| {
        let (folder, ran) = check(program, types, &format!("--cases 3 --transcripts out --jobs {jobs}"));
        ran.says(0, &["conforms (exit 0)"]);
        applied(&folder)
    };
    let alone = played(&["zoofw_instance"], "1");
    assert_eq!(alone, played(&["zoofw_instance"], "8"));
    assert_eq!(alone, played(&["zoofw_instance", "zoofw_vpc", "zoofw_subnet"], "8"));
}

fn skipped(program: &Path) {
    let folder = Folder::new();
    let suite = format!(
        "[provider]\npath = {:?}\n[run]\napply = true\ncases = 2\nresources = [\"zoofw_subnet\"]\n\
         [resource.zoofw_vpc]\nskip = \"it is expensive\"\n",
        program.display().to_string()
    );
    folder.file("acme.toml", &suite);
    let ran = folder.tfconform("check --suite acme.toml --no-cases --transcripts out");
    ran.says(4, &["The vpc ID"]);
    for file in folder.files("out", ".jsonl") {
        assert!(!std::fs::read_to_string(file).unwrap().contains("\"zoofw_vpc.b\""));
    }
}
