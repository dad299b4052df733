//! Cases that are made smaller before they are kept and printed.

use std::fs;

use libtest_mimic::Trial;
use serde_json::Value as Json;

use super::{Folder, Ran, printed, trial, typed};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("shrink/a_case_has_one_run_and_the_arguments_that_matter", small),
        trial("shrink/a_case_of_an_update_keeps_the_change_that_matters", update),
        trial("shrink/the_result_is_the_same_whatever_the_jobs", jobs),
    ]
}

const ADDS: &str = "check --fault apply/adds-an-element --resource reference_everything --cases 12";
const REWRITES: &str = "check --fault plan/rewrites-configured-values --resource reference_plain --cases 24";

/// The runs of the only case of a rule.
#[track_caller]
fn runs(folder: &Folder, rule: &str) -> Vec<Json> {
    let files = folder.files(".tfconform/cases", ".jsonl");
    let of_rule = |file: &&std::path::PathBuf| file.to_string_lossy().contains(&rule.replace('/', "-"));
    let file = files.iter().find(of_rule).unwrap_or_else(|| panic!("no case of {rule} in {files:?}"));
    let text = fs::read_to_string(file).unwrap();
    let header: Json = serde_json::from_str(text.lines().next().unwrap()).unwrap();
    header["intentions"]["runs"].as_array().expect("a case has runs").clone()
}

fn length(runs: &[Json]) -> usize {
    runs.iter().map(|run| run.to_string().len()).sum()
}

/// The line below a label of the only finding.
#[track_caller]
fn shown<'o>(ran: &'o Ran, label: &str) -> &'o str {
    let start = format!("  {label} ");
    ran.out
        .lines()
        .find_map(|line| line.strip_prefix(&start))
        .unwrap_or_else(|| panic!("{label}: {}", ran.out))
        .trim()
}

fn small() {
    let (folder, as_found) = (Folder::new(), Folder::new());
    let (rule, heading) = ("apply/keeps-elements", "MUST  apply/keeps-elements");
    let ran = folder.tfconform(ADDS);
    ran.says(1, &[heading, "confirmed 3 of 3"]);
    as_found.tfconform(&format!("{ADDS} --shrink 0")).says(1, &[heading]);
    let (small, found) = (runs(&folder, rule), runs(&as_found, rule));
    assert_eq!(small.len(), 1);
    assert!(2 * length(&small) < length(&found), "{} of {}", length(&small), length(&found));
    let trigger = shown(&ran, "create");
    assert!(trigger.starts_with("ports = ") && trigger.matches(" = ").count() <= 3, "{trigger}");
    let line = printed(&ran.out, rule);
    folder.run(&mut typed(&folder, &format!("{line} --times 1"))).says(1, &["still there"]);
}

fn update() {
    let folder = Folder::new();
    let check = "check --fault apply/refuses-updates --resource reference_everything --cases 8";
    folder.tfconform(check).says(1, &["MUST  apply/updates-in-place"]);
    assert!(runs(&folder, "apply/updates-in-place").len() >= 2);
}

fn jobs() {
    let findings = |jobs: &str| {
        let folder = Folder::new();
        let ran = folder.tfconform(&format!("{REWRITES} --format json --jobs {jobs}"));
        let is_finding = |line: &&str| line.contains("\"event\":\"finding\"");
        let lines: Vec<String> = ran.out.lines().filter(is_finding).map(str::to_owned).collect();
        (lines, runs(&folder, "plan/keeps-configured-values"))
    };
    assert_eq!(findings("1"), findings("24"));
}
