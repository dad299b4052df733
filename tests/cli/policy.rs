//! What a user decides about rules, how much is told, and colours.

use std::process::Command;

use libtest_mimic::Trial;
use serde_json::Value as Json;

use super::{Folder, PROGRAM, Ran, printed, trial, typed};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("policy/a_rule_is_denied_warned_of_or_allowed", decided),
        trial("policy/a_suite_decides_and_the_command_line_before_it", suite),
        trial("policy/a_wrong_selector_is_an_error", wrong),
        trial("policy/an_allowed_finding_is_in_no_baseline", baseline),
        trial("policy/what_follows_from_an_excused_finding_is_excused", excused),
        trial("policy/calls_are_shown_on_request", calls),
        trial("policy/colours_are_as_the_user_wants", colours),
        trial("policy/explain_helps_who_does_not_know_the_name", explain),
    ]
}

/// One type of the reference provider, with a fault that one `must` finds.
fn check(folder: &Folder, options: &str) -> Ran {
    folder
        .tfconform(&format!("check --fault read/capitalises --resource reference_plain --cases 4 {options}"))
}

const RULE: &str = "read/keeps-the-form";

fn decided() {
    let folder = Folder::new();
    check(&folder, "--transcripts out").says(1, &["MUST  read/keeps-the-form"]);
    let ran = check(&folder, "--warn *@reference_* --no-cases --statistics");
    ran.says(
        0,
        &["MUST  read/keeps-the-form", "warned of     it does not fail the run", "findings     types"],
    );
    let ran = check(&folder, "--allow *");
    ran.says(0, &["allowed       1 finding allowed", "findings      none"]);
    let other = Folder::new();
    check(&other, "--allow *").says(0, &[]);
    assert!(!other.path(".tfconform/cases").exists(), "an allowed finding has no case");
    // A recorded run is judged with what is decided later.
    let judged = |options: &[&str]| {
        let mut judge = folder.command(PROGRAM);
        judge.arg("judge").args(options).args(folder.files("out", ".jsonl"));
        folder.run(&mut judge)
    };
    judged(&[]).says(1, &["MUST  read/keeps-the-form"]);
    judged(&["--allow", "*"]).says(0, &["1 finding allowed"]);
    judged(&["--allow", "*", "--deny", RULE]).says(1, &["denied        it fails the run"]);
}

fn suite() {
    let folder = Folder::new();
    let suite = "[provider]\nreference = true\nfaults = [\"read/capitalises\"]\n\
                 [run]\nresources = [\"reference_plain\"]\ncases = 4\nallow = [\"*\"]\n";
    folder.file("suites/acme.toml", suite);
    let ran = folder.tfconform("check --suite suites/acme.toml --format json");
    let events: Vec<Json> =
        ran.says(0, &[]).out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    assert_eq!(events[0]["policy"], serde_json::json!(["allow *"]));
    assert_eq!(events.last().unwrap()["allowed"].as_u64().map(|n| n > 0), Some(true));
    folder
        .tfconform("check --suite suites/acme.toml --deny */keeps-the-form")
        .says(1, &["MUST  read/keeps-the-form"]);
}

fn excused() {
    const FOLLOWER: &str = "plan/changes-nothing-needlessly";
    let folder = Folder::new();
    let check = |options: &str| {
        let faulty = "check --fault read/capitalises --resource reference_plain --cases 12";
        folder.tfconform(&format!("{faulty} {options}"))
    };
    check("").says(1, &["MUST  read/keeps-the-form", &format!("also          {FOLLOWER}")]);
    check(&format!("--warn {RULE}")).says(0, &[]);
    check(&format!("--allow {RULE}")).says(0, &["allowed"]);
    check(&format!("--allow {RULE} --deny {FOLLOWER}")).says(1, &[&format!("MUST  {FOLLOWER}")]);
    let suite = format!(
        "[provider]\nreference = true\nfaults = [\"read/capitalises\"]\n\
         [run]\nresources = [\"reference_plain\"]\ncases = 12\n\
         [[known]]\nrule = \"{RULE}\"\nreason = \"the API does it\"\n"
    );
    folder.file("suites/acme.toml", &suite);
    folder.tfconform("check --suite suites/acme.toml").says(0, &["known"]);
}

fn wrong() {
    let folder = Folder::new();
    check(&folder, "--deny read/keeps-the-for").fails(2, &["no rule matches `read/keeps-the-for`", RULE]);
    let said = [
        "--allow plan/*@reference_plian: no type of the provider matches",
        "did you mean `reference_plain`?",
    ];
    check(&folder, "--allow plan/*@reference_plian").fails(2, &said);
    let suite =
        |key: &str| format!("[provider]\nreference = true\n[run]\nresources = [\"*_plain\"]\n{key}\n");
    folder.file("suites/acme.toml", &suite("warn = [\"plam/*\"]"));
    let said = ["acme.toml:5: `run.warn`: no rule matches `plam/*`, did you mean `plan/*`?"];
    folder.tfconform("check --suite suites/acme.toml").fails(2, &said);
    folder.file("suites/acme.toml", &suite("warn = [\"plan/*@reference_plian\"]"));
    let said = ["acme.toml:5: `run.warn`: no type of the provider matches `reference_plian`"];
    folder.tfconform("check --suite suites/acme.toml").fails(2, &said);
}

fn baseline() {
    let folder = Folder::new();
    let nothing = "no finding fails the run, so b.toml was not written";
    check(&folder, "--write-baseline b.toml --allow *").says(0, &[nothing]);
    assert!(!folder.path("b.toml").exists());
    check(&folder, "--write-baseline b.toml").says(0, &["lines; `--baseline b.toml`"]);
    check(&folder, "--baseline b.toml --deny read/*").says(0, &["known         1 finding"]);
}

fn calls() {
    let folder = Folder::new();
    let ran = check(&folder, "-vv");
    let out = ran.says(1, &[". ReadResource reference_plain.", "asked     current state = {"]).out.clone();
    assert!(!check(&folder, "-v --no-cases").out.contains(". ReadResource reference_plain."));
    let line = printed(&out, RULE);
    let ran = folder.run(&mut typed(&folder, &format!("{line} --times 1 -v")));
    ran.says(
        1,
        &[
            "step create: ",
            ". ApplyResourceChange reference_plain.",
            "answered  new state = {",
            "still there",
        ],
    );
}

fn colours() {
    let folder = Folder::new();
    let is_coloured = |options: &str, variables: &[(&str, &str)]| {
        let mut command: Command = folder.command(PROGRAM);
        command.args(
            "check --fault read/capitalises --resource reference_plain --cases 2 --no-cases".split(' '),
        );
        command.env_remove("NO_COLOR").args(options.split_whitespace()).envs(variables.iter().copied());
        folder.run(&mut command).out.contains('\u{1b}')
    };
    assert!(!is_coloured("", &[]), "a pipe has none");
    assert!(is_coloured("--color always", &[("NO_COLOR", "1")]));
    assert!(is_coloured("", &[("CLICOLOR_FORCE", "1")]));
    assert!(!is_coloured("--color never", &[("CLICOLOR_FORCE", "1")]));
    assert!(!is_coloured("--color auto", &[("NO_COLOR", "1"), ("CLICOLOR", "0")]));
}

fn explain() {
    let folder = Folder::new();
    let ran = folder.tfconform("explain plan");
    ran.says(0, &["must       plan/stays-null  ", "docs/rules/plan.md"]);
    assert!(!ran.out.contains(" read/"), "{}", ran.out);
    let said = ["there is no rule, group or entry `plan/stays-nul`", "did you mean `plan/stays-null`?"];
    folder.tfconform("explain plan/stays-nul").fails(2, &said);
    folder
        .tfconform("explain empty instead of null")
        .fails(2, &["hint: `read/tells-null-from-empty`: A read tells"]);
    let said = [
        "framework   ",
        "sdkv2       ",
        "breaks it   ",
        "conforms    ",
        "related     ",
        "docs/rules/plan.md#stays-null",
    ];
    folder.tfconform("explain plan/stays-null").says(0, &said);
}
