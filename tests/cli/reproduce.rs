//! `reproduce`: a case under the real engine.

use std::path::PathBuf;

use libtest_mimic::Trial;
use tfconform::session;

use super::{Folder, PROGRAM, ignored, trial};

pub fn trials() -> Vec<Trial> {
    let confirmed = "reproduce/terraform_confirms_a_finding";
    vec![
        trial("reproduce/without_an_engine_the_folder_is_written", writes),
        trial("reproduce/what_cannot_be_written_is_refused", drift),
        match session::engine("terraform") {
            Some(_) => trial(confirmed, confirms),
            None => ignored(confirmed, "needs terraform".to_owned()),
        },
    ]
}

/// The first case of a fault in the simplest type.
fn case(folder: &Folder, fault: &str, level: &str) -> PathBuf {
    folder.tfconform(&format!("check --fault {fault} --resource reference_plain --fail-on {level}"));
    folder.files(".tfconform/cases", ".jsonl").remove(0)
}

fn writes() {
    let folder = Folder::new();
    let case = case(&folder, "plan/rewrites-configured-values", "must");
    let ran = folder.run(folder.command(PROGRAM).arg("reproduce").arg(&case).env("PATH", "/nowhere"));
    ran.says(0, &["written to ", "not run: there is neither terraform nor tofu on PATH"]);
    let written = case.with_extension("");
    for name in ["main.tf", "run.sh", "terraform.rc", "plugins/terraform-provider-reference"] {
        assert!(written.join(name).is_file(), "{name}");
    }
    let missing = folder.command(PROGRAM).arg("reproduce").arg(&case).args(["--with", "no-engine"]).output();
    super::Ran::of(&missing.unwrap()).fails(3, &["no such program: no-engine"]);
}

fn drift() {
    let folder = Folder::new();
    let case = case(&folder, "read/copies-the-state", "must");
    let ran = folder.run(folder.command(PROGRAM).arg("reproduce").arg(&case));
    ran.fails(2, &["a real engine cannot play the case: something changes reference_plain.a"]);
}

fn confirms() {
    let folder = Folder::new();
    let case = case(&folder, "plan/rewrites-configured-values", "must");
    let reproduce = |more: &[&str]| {
        folder
            .run(folder.command(PROGRAM).arg("reproduce").arg(&case).args(["--with", "terraform"]).args(more))
    };
    reproduce(&[]).says(
        0,
        &["plan/keeps-configured-values: confirmed: terraform 1.", "“Provider produced invalid plan”"],
    );
    let printed = std::fs::read_to_string(case.with_extension("").join("output.txt")).unwrap();
    assert!(printed.contains("Provider produced invalid plan"), "{printed}");
    reproduce(&["--no-fault"])
        .says(1, &["not confirmed: terraform 1.", " shows nothing, and the rule says "]);
}
