//! The suites under cargo-nextest, which runs each trial in a process of its own.

use std::process::Command;

use libtest_mimic::Trial;

use super::{Ran, repository, trial};

pub fn trials() -> Vec<Trial> {
    let lists = trial("nextest/lists_the_suites_and_runs_what_a_filter_selects", lists_and_runs);
    let installed = Command::new("cargo").args(["nextest", "--version"]).output();
    vec![if installed.is_ok_and(|output| output.status.success()) {
        lists
    } else {
        lists.with_kind("needs cargo-nextest").with_ignored_flag(true)
    }]
}

const TRIAL: &str = "reference/reference_plain/lifecycle";

#[track_caller]
fn nextest(words: &[&str]) -> Ran {
    let mut command = Command::new("cargo");
    command.arg("nextest").args(words).args(["--test", "conformance"]).current_dir(repository());
    Ran::of(&command.output().unwrap())
}

fn lists_and_runs() {
    let filter = format!("test(={TRIAL})");
    nextest(&["list"]).says(0, &[TRIAL]);
    let listed = nextest(&["list", "-E", &filter]);
    assert!(!listed.says(0, &[TRIAL]).out.contains("reference_legacy"), "{}", listed.out);
    let ran = nextest(&["run", "-E", &filter]);
    ran.holds(0, &ran.err, &["1 test run: 1 passed"]);
    let ran = nextest(&["run", "-E", "test(=no/such/trial)", "--no-tests", "pass"]);
    ran.holds(0, &ran.err, &["0 tests run"]);
}
