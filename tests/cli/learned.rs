//! What runs learn, kept in a file.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use serde_json::Value as Json;

use super::{Folder, Ran, trial, trial_on};

pub fn trials() -> Vec<Trial> {
    vec![
        trial_on("terraform-provider-zoosdk", "learned/a_second_run_asks_less_and_keeps_the_same", warm),
        trial_on(
            "terraform-provider-zoosdk",
            "learned/one_seed_learns_and_finds_the_same_in_any_run",
            repeats,
        ),
        trial_on(
            "terraform-provider-zoosdk",
            "learned/what_is_refused_alone_is_played_with_what_it_needs",
            required_with,
        ),
        trial("learned/a_line_that_cannot_be_read_is_named", wrong),
    ]
}

/// How many calls a run made.
fn calls(ran: &Ran) -> u64 {
    let (before, _) = ran.out.split_once(" calls in ").unwrap();
    before.rsplit(' ').next().unwrap().parse().unwrap()
}

fn warm(provider: &Path) {
    let folder = Folder::new();
    let check = |resource: &str| {
        let line = format!(
            "check {} --resource {resource} --cases 3 --apply --learned zoo.learned --examples none",
            provider.display()
        );
        let ran = folder.tfconform(&line);
        ran.says(0, &["conforms (exit 0)"]);
        (calls(&ran), fs::read_to_string(folder.path("zoo.learned")).unwrap())
    };
    let (n_cold, cold) = check("zoosdk_enum_prose_list");
    assert!(cold.contains("zoosdk_enum_prose_list may disk_type {\"one-of\":[\"pd-standard\""), "{cold}");
    let (n_warm, warm) = check("zoosdk_enum_prose_list");
    assert!(n_warm < n_cold, "{n_warm} calls after {n_cold}");
    assert_eq!(warm, cold);
    // What is known about other types stays.
    let (_, both) = check("zoosdk_bound_prose");
    assert!(cold.lines().all(|line| both.lines().any(|other| other == line)), "{both}");
    assert!(both.contains("zoosdk_bound_prose may nodes "), "{both}");
    let facts: Vec<&str> = both.lines().filter(|line| !line.starts_with('#')).collect();
    assert!(facts.is_sorted(), "{both}");
}

/// SDKv2 lists its errors in the order of a Go map, and long paths have steps of sibling arguments in them: another
/// order in every run.
fn repeats(provider: &Path) {
    let folder = Folder::new();
    let run = |jobs: usize| {
        let line = format!(
            "check {} --resource zoosdk_nested_five_deep --cases 6 --apply --learned jobs{jobs}.learned --jobs {jobs} \
             --examples none --format json --no-cases --quiet",
            provider.display()
        );
        let ran = folder.tfconform(&line);
        assert_eq!(ran.code, Some(0), "{}", ran.err);
        let lines = ran.out.lines().map(|line| serde_json::from_str(line).unwrap());
        let mut told: Vec<Json> = lines.filter(|line: &Json| line["event"] != "run").collect();
        for line in &mut told {
            // Objects have IDs of their own in each run; a summary has times and memory.
            let keep = [
                "event",
                "key",
                "rule",
                "level",
                "paths",
                "type",
                "total",
                "themes",
                "learning",
                "scenarios",
            ];
            line.as_object_mut().unwrap().retain(|key, _| keep.contains(&key.as_str()));
        }
        (told, fs::read_to_string(folder.path(&format!("jobs{jobs}.learned"))).unwrap())
    };
    let (told, learned) = run(1);
    assert!(learned.contains("must sheet.visual.x_axis.size "), "{learned}");
    for jobs in [2, 7] {
        let (told_again, learned_again) = run(jobs);
        assert_eq!(learned_again, learned);
        assert_eq!(told_again, told);
    }
}

/// The provider refuses to create some objects, and its words do not say which arguments are missing.
fn required_with(provider: &Path) {
    let folder = Folder::new();
    let line = format!(
        "check {} --resource zoosdk_apply_required_with --apply --examples none --no-cases --coverage",
        provider.display()
    );
    let ran = folder.tfconform(&line);
    ran.says(0, &["conforms (exit 0)"]);
    let note = "zoosdk_apply_required_with (ca with subject.common_name, max_path with ca)";
    assert!(ran.unwrapped().contains(note), "{}", ran.out);
    // One without the other cannot be reached.
    assert!(ran.unwrapped().contains("refused by the provider, 3 not reached"), "{}", ran.out);
}

fn wrong() {
    let folder = Folder::new();
    folder.file("a.learned", "# kept\nacme_thing minimal [\"a\"]\nacme_thing must mode {\"one_of\":[]}\n");
    let line = "check --resource reference_plain --cases 1 --learned a.learned";
    folder.tfconform(line).fails(2, &["a.learned:3: unknown variant `one_of`"]);
}
