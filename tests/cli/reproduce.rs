//! `reproduce`: a case under the real engine.

use std::fs;
use std::path::{Path, PathBuf};

use libtest_mimic::{Arguments, Trial};
use tfconform::{harness, session};

use super::{Folder, PROGRAM, ignored, trial};

pub fn trials() -> Vec<Trial> {
    let real: [(&'static str, fn()); 4] = [
        ("reproduce/terraform_confirms_a_finding", confirms),
        ("reproduce/terraform_reads_what_is_gone", gone),
        ("reproduce/what_terraform_shows_in_another_run_does_not_count", elsewhere),
        ("reproduce/each_engine_gives_its_verdict", several),
    ];
    let real = real.map(|(name, body)| match session::engine("terraform") {
        Some(_) => trial(name, body),
        None => ignored(name, "needs terraform".to_owned()),
    });
    let mut trials = vec![
        trial("reproduce/without_an_engine_the_folder_is_written", writes),
        trial("reproduce/what_cannot_be_written_is_refused", drift),
        trial("reproduce/a_case_is_written_as_a_test", as_tests),
        trial("reproduce/a_test_fails_while_the_finding_is_there", rust_trial),
        trial("issue/a_case_is_a_bug_report", bug_report),
    ];
    trials.extend(real);
    trials
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
    let said = [
        "`main.tf`:\n\n```hcl\nterraform {\n",
        "change an attribute of reference\\_plain.a outside of Terraform, then `terraform ",
        "tfconform has a mock of it do so",
    ];
    folder.run(folder.command(PROGRAM).arg("issue").arg(&case)).says(0, &said);
}

/// Has the engine play a case.
fn under_terraform(folder: &Folder, case: &Path, more: &[&str]) -> super::Ran {
    folder.run(folder.command(PROGRAM).arg("reproduce").arg(case).args(["--with", "terraform"]).args(more))
}

fn confirms() {
    let folder = Folder::new();
    let case = case(&folder, "plan/rewrites-configured-values", "must");
    let reproduce = |more: &[&str]| under_terraform(&folder, &case, more);
    reproduce(&[]).says(
        0,
        &["plan/keeps-configured-values: confirmed: terraform 1.", "“Provider produced invalid plan”"],
    );
    let printed = std::fs::read_to_string(case.with_extension("").join("output.txt")).unwrap();
    assert!(printed.contains("Provider produced invalid plan"), "{printed}");
    let issue = || folder.run(folder.command(PROGRAM).arg("issue").arg(&case));
    issue().says(0, &["| Engine | terraform 1.", "confirmed: terraform 1."]);
    reproduce(&["--no-fault"])
        .says(1, &["not confirmed: terraform 1.", " shows nothing, and the rule says "]);
    issue().says(0, &["not confirmed: terraform 1."]);
}

/// An engine reads an object that is gone only if somebody else deleted it.
fn gone() {
    let folder = Folder::new();
    let case = case(&folder, "read/fails-when-gone", "must");
    let reproduce = |more: &[&str]| under_terraform(&folder, &case, more);
    reproduce(&[]).says(0, &["read/finds-nothing-when-gone: confirmed: terraform 1."]);
    reproduce(&["--no-fault"]).says(0, &["silent: terraform 1."]);
}

/// A folder with an engine, something that is none, and a program that only claims to be one.
fn several() {
    let folder = Folder::new();
    let case = case(&folder, "plan/rewrites-configured-values", "must");
    let engines = folder.path("engines");
    fs::create_dir(&engines).unwrap();
    let real = session::engine("terraform").expect("it is there");
    std::os::unix::fs::symlink(real, engines.join("terraform-real")).unwrap();
    fs::write(engines.join("terraform-notes.txt"), "no program").unwrap();
    folder.script("engines/tofu", "echo OpenTofu v1.12.6\n");
    folder.script("engines/terraform-0", "echo Terraform v1.4.7\n");
    folder.script("engines/terraform-x", "echo hello\n");
    let reproduce =
        |with: &Path| folder.run(folder.command(PROGRAM).arg("reproduce").arg(&case).arg("--with").arg(with));
    reproduce(&engines).says(
        0,
        &[
            "plan/keeps-configured-values: confirmed: terraform 1.",
            "not confirmed: tofu 1.12.6 shows nothing",
            "terraform-0: no verdict: terraform 1.4.7 is too old: 1.5 is needed; output-terraform-0.txt has ",
            "terraform-x: no verdict: it does not say that it is Terraform or OpenTofu; ",
            "shown by terraform 1.",
            "; not by tofu 1.12.6\n",
        ],
    );
    let issue = folder.run(folder.command(PROGRAM).arg("issue").arg(&case));
    issue.says(0, &[": confirmed: terraform 1.", "not confirmed: tofu 1.12.6"]);
    let outputs = folder.files(case.with_extension("").to_str().unwrap(), ".txt");
    assert_eq!(outputs.len(), 5, "four engines and the verdicts: {outputs:?}");
    // Alone, what is no engine gives no verdict at all.
    reproduce(&engines.join("terraform-x")).says(3, &["no verdict"]);
}

/// The case with another fault in place of its own.
fn with_fault(case: &Path, from: &str, to: &str) {
    let text = fs::read_to_string(case).unwrap();
    let (from, to) = (format!("\"faults\":[\"{from}\"]"), format!("\"faults\":[{to}]"));
    assert!(text.contains(&from), "{text}");
    fs::write(case, text.replace(&from, &to)).unwrap();
}

fn elsewhere() {
    let folder = Folder::new();
    let case = case(&folder, "apply/refuses-updates", "must");
    let reproduce = || {
        let ran =
            folder.run(folder.command(PROGRAM).arg("reproduce").arg(&case).args(["--with", "terraform"]));
        (ran.code, ran.unwrapped())
    };
    let (code, said) = reproduce();
    assert!(code == Some(0) && said.contains("confirmed: terraform 1."), "{said}");
    assert!(said.contains("“Not implemented”"), "{said}");
    // It errs as well, with other words and when the object is created.
    with_fault(&case, "apply/refuses-updates", "\"apply/refuses-to-create\"");
    let (code, said) = reproduce();
    assert!(code == Some(1) && said.contains("not confirmed: terraform 1."), "{said}");
    assert!(said.contains("the rule says the provider's own error: “Not implemented” in run 2"), "{said}");
}

fn as_tests() {
    let folder = Folder::new();
    let case = case(&folder, "apply/rewrites-planned-values", "must");
    let written = |language: &str| {
        folder.run(folder.command(PROGRAM).arg("reproduce").arg(&case).args(["--as", language]))
    };
    written("go")
        .says(0, &["\tresource.UnitTest(t, resource.TestCase{\n", "ProtoV6ProviderFactories: testAcc"]);
    let name = case.file_stem().unwrap().to_str().unwrap().replace('-', "_");
    written("rust").says(0, &[&format!("//! name = \"{name}\"\n"), "tfconform::harness::main_of_cases(&[\""]);
    let kept = fs::read_to_string(&case).unwrap();
    let unplaced = kept.replace("\"found\":{\"run\":0,", "\"found\":{\"run\":null,");
    assert_ne!(unplaced, kept);
    fs::write(&case, unplaced).unwrap();
    written("go").fails(2, &["cannot be written as a Go test: it was found in a part of a run"]);
    let folder = Folder::new();
    let silent = self::case(&folder, "upgrade/loses-the-object", "must");
    let ran = folder.run(folder.command(PROGRAM).arg("reproduce").arg(&silent).args(["--as", "go"]));
    ran.fails(2, &["cannot be written as a Go test: no engine shows the finding"]);
}

/// The trial that `--as rust` makes.
fn rust_trial() {
    let folder = Folder::new();
    let case = case(&folder, "plan/rewrites-configured-values", "must");
    let has_failed = || {
        // What fails here is meant to, and is not printed among the results of the trials.
        let logfile = Some(folder.path("results").display().to_string());
        let arguments = Arguments { logfile, test_threads: Some(1), ..Arguments::default() };
        libtest_mimic::run(&arguments, harness::case_trials(&[&case])).has_failed()
    };
    assert!(has_failed(), "the finding is there");
    with_fault(&case, "plan/rewrites-configured-values", "");
    assert!(!has_failed(), "the finding is gone");
}

fn bug_report() {
    let folder = Folder::new();
    let case = case(&folder, "plan/rewrites-configured-values", "must");
    folder.run(folder.command(PROGRAM).arg("issue").arg(&case)).says(
        0,
        &[
            "# `reference_plain` breaks the provider contract: A plan keeps",
            "| Engine | terraform, imitated |\n",
            "`main.tf`:\n\n```hcl\nterraform {\n",
            "1. With `main.tf`: `terraform ",
            "## Expected\n",
            "## Actual\n\n```text\nMUST  plan/keeps-configured-values  reference_plain",
            "tfconform check --fault plan/rewrites-configured-values --seed ",
            "`tfconform replay plan-keeps-configured-values-",
        ],
    );
}
