//! Runs that end early.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::Path;
use std::process::{Child, Stdio};

use libtest_mimic::Trial;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value as Json;

use super::{Folder, PROGRAM, processes_of, trial, trial_on_time, wait_for};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("end/ctrl_c_prints_what_was_found_so_far", ctrl_c),
        trial("end/a_killed_run_leaves_no_reference_provider", killed_on_reference),
        trial_on_time("end/a_killed_run_leaves_no_provider_of_others", killed_on_time),
        trial("end/a_call_that_hangs_ends_its_process_and_not_the_run", hangs),
        trial("end/a_closed_reader_is_not_a_failure", reader_gone),
    ]
}

fn started(folder: &Folder, words: &[&str]) -> Child {
    let mut command = folder.command(PROGRAM);
    command.arg("check").args(words).args(["--cases", "3000"]).env("TFCONFORM_SCRATCH", folder.path("s"));
    command.stdout(Stdio::piped()).stderr(Stdio::null()).spawn().unwrap()
}

fn ctrl_c() {
    let folder = Folder::new();
    let mut child = started(&folder, &["--fault", "plan/counts-calls", "--resource", "reference_plain"]);
    wait_for("a finding", || !folder.files(".tfconform/cases", ".jsonl").is_empty());
    kill(Pid::from_raw(child.id() as i32), Signal::SIGINT).unwrap();
    let mut out = String::new();
    child.stdout.take().unwrap().read_to_string(&mut out).unwrap();
    assert_eq!(child.wait().unwrap().code(), Some(130), "{out}");
    for words in ["MUST  plan/repeats-itself", "interrupted", "(exit 130)"] {
        assert!(out.contains(words), "{out}");
    }
}

fn killed_on_reference() {
    killed(&["--resource", "reference_plain"]);
}

fn killed_on_time(time: &Path) {
    killed(&[time.to_str().unwrap()]);
}

fn killed(words: &[&str]) {
    let folder = Folder::new();
    let mut child = started(&folder, words);
    let own = child.id();
    let others = || processes_of(&folder.path("s")).into_iter().filter(|pid| *pid != own).count();
    wait_for("provider processes", || others() >= 2);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for("the end of every process", || others() == 0);
}

fn hangs() {
    let folder = Folder::new();
    let line = "check --fault rpc/hangs --resource reference_plain --cases 2 --jobs 1 --timeout 0.5 --strict";
    let mut command = folder.command(PROGRAM);
    command.args(line.split(' ')).args(["--transcripts", "out"]).env("TFCONFORM_SCRATCH", folder.path("s"));
    let words = ["SHOULD  rpc/answers-in-time", "no answer within 0.5 s", "played        2 scenarios"];
    folder.run(&mut command).says(1, &words);
    wait_for("the end of every process", || processes_of(&folder.path("s")).is_empty());
    let mut n_hangs = 0;
    for file in folder.files("out", ".jsonl") {
        let text = fs::read_to_string(file).unwrap();
        let mut ended = BTreeSet::new();
        for line in text.lines().skip(1) {
            let exchange: Json = serde_json::from_str(line).unwrap();
            let process = exchange["process"].as_u64().unwrap();
            assert!(!ended.contains(&process), "process {process} serves after it hung: {text}");
            if line.contains("\"timed-out\"") {
                ended.insert(process);
                n_hangs += 1;
            }
        }
    }
    assert!(n_hangs >= 2, "{n_hangs}");
}

fn reader_gone() {
    let folder = Folder::new();
    let script = format!("{PROGRAM} list rules | head -n 1; exit ${{PIPESTATUS[0]}}");
    let ran = folder.run(folder.command("bash").args(["-c", &script]));
    ran.says(0, &["wire/"]);
    assert_eq!(ran.err, "");
}
