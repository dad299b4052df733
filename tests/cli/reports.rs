//! Reports in files, what GitHub Actions is told, and parts of a run that become one report.

use std::collections::BTreeSet;
use std::fs;

use libtest_mimic::Trial;
use serde_json::Value as Json;

use super::{Folder, PROGRAM, Ran, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("reports/several_are_written_beside_standard_output", several),
        trial("reports/a_suite_names_them_too", of_a_suite),
        trial("reports/what_cannot_be_written_is_named", unwritable),
        trial("reports/github_gets_annotations_and_a_summary", github),
        trial("reports/parts_are_the_whole", parts),
        trial("reports/what_cannot_be_merged_is_refused", unmergeable),
    ]
}

const CHECK: &str = "check --resource reference_plain --cases 3 --quiet --no-cases";
const FAULT: &str = "--fault plan/counts-calls";
const KINDS: [(&str, &str); 6] = [
    ("human", "MUST  plan/repeats-itself"),
    ("json", "{\"event\":\"run\""),
    ("junit", "<testsuites"),
    ("sarif", "\"version\": \"2.1.0\""),
    ("html", "<!DOCTYPE html>"),
    ("markdown", "## tfconform"),
];

fn read(folder: &Folder, file: &str) -> String {
    fs::read_to_string(folder.path(file)).unwrap()
}

fn several() {
    let folder = Folder::new();
    let reports: String = KINDS.iter().map(|(kind, _)| format!(" --report {kind}=out/{kind}")).collect();
    let ran = folder.tfconform(&format!("{CHECK} {FAULT}{reports}"));
    ran.says(1, &["MUST  plan/repeats-itself", "(exit 1)"]);
    for (kind, words) in KINDS {
        let text = read(&folder, &format!("out/{kind}"));
        assert!(text.contains(words) && text.contains("plan/repeats-itself"), "{kind}: {text}");
    }
    // The same on standard output, apart from what was measured.
    for (kind, words) in KINDS {
        folder
            .tfconform(&format!("{CHECK} {FAULT} --format {kind}"))
            .says(1, &[words, "plan/repeats-itself"]);
    }
}

fn of_a_suite() {
    let folder = Folder::new();
    folder.file(
        "suites/acme.toml",
        "[provider]\nreference = true\n[run]\ncases = 1\nresources = [\"reference_plain\"]\n\
         reports = [\"junit=out/a.xml\", \"html=out/a.html\"]\n",
    );
    folder.tfconform("check --quiet --suite suites/acme.toml").says(0, &["conforms (exit 0)"]);
    assert!(
        read(&folder, "out/a.xml").starts_with("<?xml")
            && read(&folder, "out/a.html").starts_with("<!DOCTYPE")
    );
    fs::remove_dir_all(folder.path("out")).unwrap();
    let line = "check --quiet --suite suites/acme.toml --report markdown=b.md";
    folder.tfconform(line).says(0, &["conforms (exit 0)"]);
    assert!(folder.path("b.md").exists() && !folder.path("out").exists(), "the option replaces the key");
    folder.file("suites/odd.toml", "[provider]\nreference = true\n[run]\nreports = [\"pdf=a\"]\n");
    let said = ["suites/odd.toml:4: ", "there is no kind of report `pdf`, only human, json"];
    folder.tfconform("check --suite suites/odd.toml").fails(2, &said);
}

fn unwritable() {
    let folder = Folder::new();
    folder.file("file", "");
    for (kind, _) in KINDS {
        let late = folder.tfconform(&format!("{CHECK} --report {kind}=/dev/full"));
        late.says(6, &["conforms (exit 0)"]);
        assert!(
            late.err.contains(&format!("error: failed to write the report {kind}=/dev/full: No space"))
                || late.err.contains(&format!(
                    "error: failed to write the report {kind}=/dev/full: no storage space"
                )),
            "{}",
            late.err
        );
        let early = folder.tfconform(&format!("{CHECK} --report {kind}=file/below"));
        early.fails(6, &[&format!("error: failed to write the report {kind}=file/below: ")]);
        assert_eq!(early.out, "", "it fails before it plays");
    }
    folder
        .tfconform(&format!("{CHECK} --report html=a --report json=a"))
        .fails(2, &["--report json=a: another"]);
    folder.tfconform(&format!("{CHECK} --report html")).fails(2, &["`html` is not KIND=FILE"]);
}

fn github() {
    let folder = Folder::new();
    folder.file("summary", "before\n");
    let run = |line: &str| -> Ran {
        let mut command = folder.command(PROGRAM);
        command.args(line.split_whitespace()).env("GITHUB_ACTIONS", "true");
        folder.run(command.env("GITHUB_STEP_SUMMARY", folder.path("summary")))
    };
    let ran = run(&format!("{CHECK} {FAULT}"));
    ran.says(1, &["(exit 1)\n::error title=MUST plan/repeats-itself reference_plain::"]);
    let summary = read(&folder, "summary");
    assert!(summary.starts_with("before\n## tfconform: ❌ reference\n"), "{summary}");
    assert!(summary.contains("<details><summary><code>plan/repeats-itself</code>"), "{summary}");
    let ran = run(&format!("{CHECK} {FAULT} --no-github"));
    assert!(!ran.says(1, &[]).out.contains("::error"), "{}", ran.out);
    assert_eq!(read(&folder, "summary"), summary);
    // A report for programs stays one.
    let ran = run(&format!("{CHECK} {FAULT} --format json"));
    ran.says(1, &[]).out.lines().for_each(|line| drop(serde_json::from_str::<Json>(line).unwrap()));
    assert_ne!(read(&folder, "summary"), summary);
}

/// The events of a report in JSON with this name.
fn events(text: &str, name: &str) -> Vec<Json> {
    let events = text.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    events.filter(|event| event["event"] == name).collect()
}

/// What must be the same, however the run was divided: its findings, its types and its rules.
fn found(text: &str) -> (BTreeSet<String>, BTreeSet<String>, u64) {
    let finding = |event: &Json| format!("{} {} {}", event["key"], event["level"], event["attributes"]);
    let findings = events(text, "finding").iter().map(finding).collect();
    let types =
        events(text, "coverage").iter().map(|event| format!("{} {}", event["kind"], event["type"])).collect();
    let [summary] = &events(text, "summary")[..] else { panic!("one summary: {text}") };
    (findings, types, summary["scenarios"].as_u64().unwrap())
}

fn parts() {
    let folder = Folder::new();
    let check = "check --cases 2 --quiet --no-cases --fault plan/rewrites-configured-values";
    let whole = folder.tfconform(&format!("{check} --format json"));
    let mut types = 0;
    for part in 1..=3 {
        let ran = folder.tfconform(&format!("{check} --shard {part}/3 --report json={part}.json"));
        assert!(matches!(ran.code, Some(0 | 1)), "{}{}", ran.out, ran.err);
        types += events(&read(&folder, &format!("{part}.json")), "coverage").len();
    }
    let merge = "report merge 1.json 2.json 3.json";
    let merged = folder.tfconform(&format!("{merge} --format json"));
    assert_eq!(merged.code, whole.code, "{}", merged.err);
    assert_eq!(found(&merged.out), found(&whole.out));
    assert_eq!(types, events(&whole.out, "coverage").len(), "no type is in two parts");
    let other = folder.tfconform("report merge 3.json 1.json 2.json --format json");
    assert_eq!(other.out, merged.out, "the order does not matter");
    let twice = folder.tfconform("report merge 1.json 2.json 1.json");
    twice.fails(2, &["1.json and 1.json are the same part of the run: 1/3"]);
    let conforming = "check --cases 2 --quiet --no-cases --shard 1/3 --report json=one.json";
    folder.tfconform(conforming).says(0, &[]);
    folder
        .tfconform("report merge one.json")
        .says(4, &["parts of the run are missing: 2/3, 3/3", "the notes say what is required (exit 4)"]);
    let ran = folder.tfconform(&format!("{merge} --html all.html --report junit=all.xml"));
    ran.says(1, &["MUST  plan/keeps-configured-values", "(exit 1)"]);
    assert!(
        read(&folder, "all.html").contains("plan/keeps-configured-values")
            && read(&folder, "all.xml").contains("<failure")
    );
    // Of two parts of one type, one is empty.
    let check = "check --cases 2 --quiet --no-cases --resource reference_plain";
    for (part, said) in
        [(1, "1 type"), (2, "part 2/2 of the run has no type: there are more parts than types")]
    {
        let ran = folder.tfconform(&format!("{check} --shard {part}/2 --report json={part}of2.json"));
        ran.says(0, &["(exit 0)"]);
        assert!(ran.unwrapped().contains(said), "{}", ran.out);
    }
    folder.tfconform("report merge 1of2.json 2of2.json").says(0, &["conforms (exit 0)"]);
    folder.tfconform(&format!("{check} --resource nosuch_*")).fails(2, &["nosuch_*"]);
}

fn unmergeable() {
    let folder = Folder::new();
    folder.tfconform(&format!("{CHECK} --report json=a.json")).says(0, &[]);
    folder.tfconform(&format!("{CHECK} --report json=b.json --engine opentofu")).says(0, &[]);
    let cut: Vec<String> = read(&folder, "a.json").lines().take(1).map(str::to_owned).collect();
    folder.file("cut.json", &cut.join("\n"));
    folder.file("other.json", "{}");
    let same_name = read(&folder, "a.json").replace("\"types_digest\":\"", "\"types_digest\":\"0");
    folder.file("same-name.json", &same_name);
    for (files, problem) in [
        ("a.json b.json", "a.json and b.json are not parts of one run: the engine differs"),
        ("a.json cut.json", "cut.json: it is incomplete"),
        ("a.json same-name.json", "not parts of one run: the set of the provider's types differs"),
        ("other.json", "other.json: line 1 is not an event of a report in JSON"),
        ("a.json none.json", "none.json: No such file"),
    ] {
        folder.tfconform(&format!("report merge {files}")).fails(2, &[problem]);
    }
    let ran = folder.tfconform("report merge a.json --require scenarios=1000");
    ran.says(4, &["1000 scenarios are required"]);
}
