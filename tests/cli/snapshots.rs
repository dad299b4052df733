//! `check --snapshots`: what a provider shows, kept and compared.

use std::fs;
use std::path::Path;

use libtest_mimic::Trial;
use serde_json::Value as Json;
use tfconform::generate;
use tfconform::reference::schema;
use tfconform::schema::Kind;

use super::{Folder, PROGRAM, Ran, refuser, repository, trial, trial_on_time};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("snapshots/what_is_accepted_conforms_anywhere_and_later", accepted_conforms),
        trial("snapshots/a_legal_change_is_reported_with_its_attribute", legal_change),
        trial("snapshots/another_build_is_reported_with_its_schema", another_build),
        trial("snapshots/findings_come_first", findings_first),
        trial("snapshots/a_type_that_is_gone_is_removed_unless_others_were_selected", removed),
        trial("snapshots/files_that_cannot_be_used_are_named", unusable),
        trial("snapshots/a_full_disk_is_reported_with_the_file", full_disk),
        trial("snapshots/no_file_holds_a_sensitive_value", no_secret),
        trial("snapshots/json_and_junit_report_them_too", for_programs),
        trial_on_time("snapshots/times_are_volatile_for_more_than_a_second", volatile_times),
    ]
}

const PLAIN: &str = "check --cases 1 --resource reference_plain --no-cases";

/// Accepts what `line` shows.
#[track_caller]
fn accept(folder: &Folder, line: &str) -> Ran {
    let ran = folder.tfconform(&format!("{line} --snapshots kept --accept"));
    ran.says(0, &[]);
    ran
}

/// Every file with its name and text.
fn kept(folder: &Folder) -> Vec<(String, String)> {
    let name = |path: &Path| path.file_name().unwrap().to_string_lossy().into_owned();
    folder.files("kept", "").iter().map(|path| (name(path), fs::read_to_string(path).unwrap())).collect()
}

fn accepted_conforms() {
    let folder = Folder::new();
    let compare = format!("{PLAIN} --snapshots kept");
    folder
        .tfconform(&compare)
        .says(5, &["NEW  kept/reference_plain.snap\n", "2 new", "--accept", "(exit 5)"]);
    assert!(!folder.path("kept").exists(), "nothing is written unless told");
    let ran = accept(&folder, PLAIN);
    ran.says(
        0,
        &["NEW  kept/provider.snap, accepted\n", "0 unchanged, 2 new: accepted", "conforms (exit 0)"],
    );
    let before = kept(&folder);
    let names: Vec<&str> = before.iter().map(|(name, _)| name.as_str()).collect();
    assert_eq!(names, ["provider.snap", "reference_plain.snap"]);
    // Another scratch folder, another home, another number of cases.
    let mut command = folder.command(PROGRAM);
    command.args(compare.replace("--cases 1", "--cases 3").split(' '));
    command.env("TFCONFORM_SCRATCH", folder.path("other")).env("HOME", folder.path("home"));
    folder.run(&mut command).says(0, &["2 unchanged\n", "conforms (exit 0)"]);
    accept(&folder, PLAIN);
    assert_eq!(kept(&folder), before);
}

fn legal_change() {
    let folder = Folder::new();
    accept(&folder, PLAIN);
    let ran = folder.tfconform(&format!("{PLAIN} --fault plan/fills-what-is-computed --snapshots kept"));
    let words = [
        "findings      none",
        "CHANGED  kept/reference_plain.snap\n",
        "  -   choice = (known after apply)\n  +   choice = \"filled\"\n",
        "1 unchanged, 1 changed",
        "what the provider shows differs from its snapshots (exit 5)",
    ];
    ran.says(5, &words);
}

fn another_build() {
    let folder = Folder::new();
    accept(&folder, PLAIN);
    let ran = folder.tfconform(&format!("{PLAIN} --protocol 5 --snapshots kept"));
    ran.says(5, &["CHANGED  kept/provider.snap\n", "  - protocol: 6\n", "  + protocol: 5\n"]);
    let ran = folder.tfconform(&format!("{PLAIN} --seed 2 --snapshots kept"));
    ran.says(5, &["  kept for      reference_plain, seed 1", "  shown for     reference_plain, seed 2"]);
}

fn findings_first() {
    let folder = Folder::new();
    let ran = folder.tfconform(
        "check --cases 2 --resource reference_plain --no-cases --fault plan/counts-calls --snapshots kept",
    );
    ran.says(1, &["MUST  plan/repeats-itself", "NEW  kept/reference_plain.snap", "the run (exit 1)"]);
}

fn removed() {
    let folder = Folder::new();
    let ours = "---\nsource: tfconform\nexpression: \"x\"\n---\n# resource refuser_gone\n";
    folder.file("kept/refuser_gone.snap", ours);
    folder.file("kept/other.snap", &ours.replace("tfconform", "tests/other.rs"));
    let run = |args: &[&str]| {
        let mut command = folder.command(PROGRAM);
        command.args(["check", "--cases", "1", "--no-cases", "--snapshots", "kept"]).args(args);
        folder.run(command.arg("--").arg(std::env::current_exe().unwrap()).arg(refuser::WORD))
    };
    // Nothing was planned, which takes precedence over changes.
    let ran = run(&["--resource", "refuser_thing"]);
    ran.says(4, &["0 unchanged, 2 new;"]);
    let ran = run(&["--accept"]);
    ran.says(4, &["REMOVED  kept/refuser_gone.snap, accepted", "2 new, 1 removed: accepted"]);
    let note = "1 of 2 accepted snapshots hold an error of the provider, such as kept/refuser_thing.snap: error of \
                ValidateResourceConfig: not today!";
    assert!(ran.unwrapped().contains(note), "{}", ran.out);
    let names: Vec<String> = kept(&folder).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["other.snap", "provider.snap", "refuser_thing.snap"]);
    let thing = fs::read_to_string(folder.path("kept/refuser_thing.snap")).unwrap();
    assert!(thing.contains("error of ValidateResourceConfig: not today!\n"), "{thing}");
}

fn unusable() {
    let folder = Folder::new();
    folder.tfconform("check --accept").fails(2, &["--snapshots <DIR>"]);
    folder.file("kept", "");
    let ran = folder.tfconform(&format!("{PLAIN} --snapshots kept"));
    ran.says(2, &["snapshots could not be compared or kept: kept: ", "(exit 2)"]);
    let ran = folder.tfconform(&format!("{PLAIN} --snapshots kept/below --accept"));
    ran.says(2, &["snapshots could not be compared or kept: kept/below", "(exit 2)"]);
}

fn full_disk() {
    let folder = Folder::new();
    let line = PLAIN.replace("_plain", "_legacy");
    // Files are limited to 4 KiB, which fails like a full disk: one fits, the other does not.
    let script = format!("trap '' XFSZ; ulimit -f 4; exec {PROGRAM} {line} --snapshots kept --accept");
    let ran = folder.run(folder.command("bash").args(["-c", &script]));
    let words = ["snapshots could not be compared or kept: kept/reference_legacy.snap: file too", "(exit 2)"];
    ran.says(2, &words);
    let names: Vec<String> = kept(&folder).into_iter().map(|(name, _)| name).collect();
    assert_eq!(names, ["provider.snap"], "what is there is whole");
}

fn no_secret() {
    let folder = Folder::new();
    accept(&folder, &PLAIN.replace("_plain", "_secret"));
    let how = generate::Options { seed: 1, apply: true, safe_to_run: true, ..generate::Options::default() };
    let schema = schema::provider(6, &schema::definitions(6));
    let schema = &schema.resources["reference_secret"];
    let mut secrets = Vec::new();
    for scenario in generate::shown(schema, Kind::Resource, "reference_secret", &how) {
        for block in scenario.blocks() {
            block.arguments.resolved().walk(&mut |path, value| {
                secrets.extend(value.as_str().filter(|_| schema.block.is_sensitive(path)).map(str::to_owned));
                true
            });
        }
    }
    assert!(secrets.len() > 10, "{secrets:?}");
    let files = kept(&folder);
    assert!(files[1].1.contains("  secret = (sensitive value)\n"), "{}", files[1].1);
    for (name, text) in &files {
        let found: Vec<&String> = secrets.iter().filter(|secret| text.contains(secret.as_str())).collect();
        assert!(found.is_empty(), "{found:?} in {name}:\n{text}");
    }
}

fn for_programs() {
    let folder = Folder::new();
    let ran = folder.tfconform(&format!("{PLAIN} --snapshots kept --format json --quiet"));
    ran.says(5, &[]);
    let text = fs::read_to_string(repository().join("schemas/report.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap();
    let events: Vec<Json> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for event in &events {
        assert!(schema.is_valid(event), "{event:#}");
    }
    let snapshots: Vec<&Json> = events.iter().filter(|event| event["event"] == "snapshot").collect();
    let told: Vec<(&str, &str)> = snapshots
        .iter()
        .map(|event| (event["change"].as_str().unwrap(), event["file"].as_str().unwrap()))
        .collect();
    assert_eq!(told, [("new", "kept/provider.snap"), ("new", "kept/reference_plain.snap")]);
    assert!(snapshots[1]["diff"].as_str().unwrap().contains("\n+plan: create\n"), "{}", snapshots[1]);
    assert_eq!(events.last().unwrap()["exit_code"], 5);
    let ran = folder.tfconform(&format!("{PLAIN} --snapshots kept --format junit --quiet"));
    ran.says(5, &["<testsuite name=\"snapshots\" tests=\"2\"", "<testcase name=\"reference_plain.snap\""]);
}

fn volatile_times(time: &Path) {
    let folder = Folder::new();
    accept(&folder, &format!("check {} --cases 1 --resource time_static --no-cases", time.display()));
    let (name, text) = kept(&folder).pop().unwrap();
    assert_eq!(name, "time_static.snap");
    for volatile in ["year", "hour", "minute", "second", "unix", "rfc3339", "id"] {
        assert!(text.contains(&format!("\n  {volatile} = [volatile]\n")), "{volatile}:\n{text}");
    }
    // Configured values are as configured.
    assert!(text.contains("\n  rfc3339 = \"2031-"), "{text}");
}
