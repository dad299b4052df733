//! Runs that end early.

use std::collections::BTreeSet;
use std::fs;
use std::io::Read as _;
use std::path::{Path, PathBuf};
use std::process::{Child, Stdio};
use std::thread;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use nix::sys::signal::{Signal, kill};
use nix::unistd::Pid;
use serde_json::Value as Json;

use super::suites::script_in;
use super::{Folder, PROGRAM, ignored, processes_of, trial, trial_on_time, wait_for};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("end/ctrl_c_prints_what_was_found_so_far", ctrl_c),
        trial("end/a_killed_run_leaves_no_reference_provider", killed_on_reference),
        trial_on_time("end/a_killed_run_leaves_no_provider_of_others", killed_on_time),
        trial("end/a_killed_run_leaves_no_command_of_a_suite", killed_in_a_command),
        trial("end/a_limit_that_is_passed_is_named", limit),
        trial("end/what_uses_too_much_memory_is_named_and_the_rest_goes_on", memory),
        trial("end/a_closed_standard_output_is_said", no_stdout),
        trial("end/a_file_that_may_not_grow_is_an_error", file_limit),
        trial("end/too_few_threads_are_an_error", threads),
        trial("end/a_call_that_hangs_ends_its_process_and_not_the_run", hangs),
        trial("end/a_closed_reader_is_not_a_failure", reader_gone),
        trial("end/a_termination_prints_what_was_found_so_far", terminated),
        trial_of_hangups("end/a_hangup_prints_what_was_found_so_far"),
        trial("end/a_termination_does_not_wait_for_a_provider_that_hangs", terminated_while_it_hangs),
        trial("end/a_terminated_replay_or_schema_leaves_no_scratch_folder", terminated_elsewhere),
        trial("end/a_report_that_cannot_be_written_is_an_error", unwritable),
        trial("end/a_killed_run_loses_nothing_that_it_printed", killed_while_printing),
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

/// Ends a run by a signal, and returns its exit code and what it printed.
fn ended_by(signal: Signal, mut child: Child) -> (Option<i32>, String) {
    kill(Pid::from_raw(child.id() as i32), signal).unwrap();
    let mut stdout = child.stdout.take().unwrap();
    let reading = thread::spawn(move || {
        let mut out = String::new();
        stdout.read_to_string(&mut out).map(|_| out)
    });
    wait_for("the end of the run", || child.try_wait().unwrap().is_some());
    (child.wait().unwrap().code(), reading.join().unwrap().unwrap())
}

/// A trial of SIGHUP, ignored under `nohup`: the program that it starts ignores the signal there, as it should.
fn trial_of_hangups(name: &'static str) -> Trial {
    let status = fs::read_to_string("/proc/self/status").unwrap();
    let signals = status.lines().find_map(|line| line.strip_prefix("SigIgn:")).unwrap();
    match u64::from_str_radix(signals.trim(), 16).unwrap() & 1 {
        0 => trial(name, hung_up),
        _ => ignored(name, "SIGHUP is ignored, as under nohup".to_owned()),
    }
}

fn terminated() {
    prints_what_was_found_so_far(Signal::SIGTERM, 143, "terminated");
}

fn hung_up() {
    prints_what_was_found_so_far(Signal::SIGHUP, 129, "SIGHUP");
}

#[track_caller]
fn prints_what_was_found_so_far(signal: Signal, code: i32, word: &str) {
    let folder = Folder::new();
    let mut command = folder.command(PROGRAM);
    command.args("check --cases 100000 --fault plan/counts-calls --resource reference_plain".split(' '));
    command.env("TMPDIR", folder.path("")).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    wait_for("a finding", || !folder.files(".tfconform/cases", ".jsonl").is_empty());
    let (ended, out) = ended_by(signal, child);
    assert_eq!(ended, Some(code), "{out}");
    for words in ["MUST  plan/repeats-itself", word, &format!("(exit {code})")] {
        assert!(out.contains(words), "{out}");
    }
    assert_eq!(left(&folder), Vec::<PathBuf>::new());
}

/// The scratch folders that a run left in its folder for temporary files.
fn left(folder: &Folder) -> Vec<PathBuf> {
    let files = folder.files("", "").into_iter();
    files.filter(|file| file.file_name().unwrap().to_string_lossy().starts_with("tfconform-")).collect()
}

fn terminated_while_it_hangs() {
    let folder = Folder::new();
    let mut command = folder.command(PROGRAM);
    command.args("check --fault rpc/hangs --resource reference_plain --timeout 600 --quiet".split(' '));
    command.env("TMPDIR", folder.path("")).stdout(Stdio::piped()).stderr(Stdio::null());
    let child = command.spawn().unwrap();
    wait_for("a scratch folder", || !left(&folder).is_empty());
    std::thread::sleep(Duration::from_secs(2));
    let began = Instant::now();
    let (code, out) = ended_by(Signal::SIGTERM, child);
    assert_eq!(code, Some(143), "{out}");
    assert!(began.elapsed() < Duration::from_secs(14), "{:?}", began.elapsed());
    assert!(out.contains("scenarios were being played") && out.contains("(exit 143)"), "{out}");
    assert_eq!(left(&folder), Vec::<PathBuf>::new());
}

fn terminated_elsewhere() {
    let folder = Folder::new();
    folder.script("sleeps", "#!/bin/sh\nexec sleep 100\n");
    let found = "check --fault plan/counts-calls --resource reference_plain --cases 4 --quiet";
    folder.tfconform(found).says(1, &["MUST  plan/repeats-itself"]);
    let case = folder.files(".tfconform/cases", ".jsonl").remove(0).display().to_string();
    for words in [vec!["schema", "./sleeps"], vec!["replay", &case, "./sleeps"]] {
        let mut command = folder.command(PROGRAM);
        command.args(&words).env("TMPDIR", folder.path("")).stdout(Stdio::piped()).stderr(Stdio::null());
        let child = command.spawn().unwrap();
        wait_for("a provider process", || processes_of(folder.0.path()).len() > 1);
        assert_eq!(ended_by(Signal::SIGTERM, child), (Some(143), String::new()), "{words:?}");
        assert_eq!(left(&folder), Vec::<PathBuf>::new(), "{words:?}");
    }
}

fn unwritable() {
    let folder = Folder::new();
    let check = "check --resource reference_plain --cases 1 --quiet";
    folder.tfconform(&format!("{check} --transcripts out")).says(0, &[]);
    let transcript = folder.files("out", ".jsonl").remove(0).display().to_string();
    let formats = ["human", "json", "junit", "sarif", "html", "markdown"]
        .map(|format| format!("{check} --format {format}"));
    let others = ["list rules", "explain plan/repeats-itself", "--help"].map(str::to_owned);
    for line in formats.into_iter().chain(others).chain([format!("judge {transcript}")]) {
        let full = fs::OpenOptions::new().write(true).open("/dev/full").unwrap();
        let ran = folder.run(folder.command(PROGRAM).args(line.split(' ')).stdout(full));
        ran.fails(6, &["error: failed to write ", "No space left on device"]);
    }
}

fn killed_while_printing() {
    let folder = Folder::new();
    let report = folder.path("report");
    let mut command = folder.command(PROGRAM);
    // Snapshots come after the findings, and take a while.
    let line = "check --fault plan/counts-calls --resource reference_plain --cases 4 --quiet --format json";
    command.args(line.split(' ')).args(["--snapshots", "kept"]).env("TFCONFORM_SCRATCH", folder.path("s"));
    let mut child = command.stdout(fs::File::create(&report).unwrap()).stderr(Stdio::null()).spawn().unwrap();
    let printed = || fs::read_to_string(&report).unwrap();
    wait_for("a finding", || printed().contains("\"event\":\"finding\""));
    child.kill().unwrap();
    child.wait().unwrap();
    let printed = printed();
    assert!(printed.ends_with('\n') && !printed.contains("\"event\":\"summary\""), "{printed}");
    for line in printed.lines() {
        serde_json::from_str::<Json>(line).unwrap();
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

/// Outside every sandbox, with a process in a session of its own left behind.
fn killed_in_a_command() {
    let folder = Folder::new();
    folder.file(
        "suites/acme.toml",
        "[provider]\nreference = true\n[remote]\nreset = [\"sh\", \"-c\", \"setsid sleep 1000 & sleep 1000\"]\n",
    );
    let mut child = started(&folder, &["--suite", "suites/acme.toml"]);
    let own = child.id();
    let others = || processes_of(&folder.path("s")).into_iter().filter(|pid| *pid != own).count();
    wait_for("the command and what it starts", || others() >= 3);
    child.kill().unwrap();
    child.wait().unwrap();
    wait_for("the end of every process", || others() == 0);
}

fn limit() {
    let folder = Folder::new();
    let fill = "(sleep 2; head -c 3000000 /dev/zero >$HOME/big) >/dev/null 2>&1 &\n";
    folder.file("run.sh", &format!("{fill}{}", script_in(&folder)));
    let line = "check --max-scratch 2 --cases 300 --resource reference_plain -- sh run.sh";
    let ran = folder.tfconform(line);
    let says = |words: &str| {
        let said = "the scratch folder took up more than 2 MiB (`run.max_scratch`)";
        ran.unwrapped().contains(&format!("{words} {said}"))
    };
    assert!(says("note in the sandbox,"), "{}", ran.out);
    // The provider may be in a call then, or about to be started again.
    let is_named = says("tfconform: killed in the sandbox:") || says("the sandbox was ended because");
    assert!(is_named, "{}", ran.out);
}

/// A process next to the provider eats memory once; only what it belongs to is ended.
fn memory() {
    let folder = Folder::new();
    let eat = "if [ ! -e $HOME/eaten ]; then touch $HOME/eaten; (sleep 0.5; head -c 900000000 /dev/zero | tail -c 900000000 >/dev/null) >/dev/null 2>&1 & fi\n";
    folder.file("run.sh", &format!("{eat}{}", script_in(&folder)));
    let line = "check --max-memory 600 --resource reference_plain --cases 200 -- sh run.sh";
    let ran = folder.tfconform(line);
    let text = ran.unwrapped();
    let limit = "more memory than 600 MiB was used (`run.max_memory`)";
    assert!(text.contains(&format!("note in the sandbox, {limit}")), "{}", ran.out);
    assert!(!text.contains("MUST"), "{}", ran.out);
    assert!(text.contains("100.0 %"), "{}", ran.out);
}

fn no_stdout() {
    let folder = Folder::new();
    let script = format!("{PROGRAM} check --resource reference_plain --cases 2 >&-");
    let ran = folder.run(folder.command("sh").args(["-c", &script]));
    assert!(ran.err.contains("note: standard output is closed"), "{}", ran.err);
}

/// The report is larger than a file may be.
fn file_limit() {
    let folder = Folder::new();
    let script = format!(
        "ulimit -f 1; exec {PROGRAM} check --resource reference_plain --cases 2 --report json=report.json"
    );
    let ran = folder.run(folder.command("bash").args(["-c", &script]));
    assert!(ran.err.contains("failed to write the report json=report.json"), "{}", ran.err);
    assert_eq!(ran.code, Some(6));
}

/// Root has no such limit.
fn threads() {
    let folder = Folder::new();
    let as_user = "setpriv --reuid 54321 --regid 54321 --clear-groups";
    let limited = format!("ulimit -u 3; exec {PROGRAM} check");
    let script = match nix::unistd::geteuid().is_root() {
        true => format!("{as_user} true || exit 99; exec {as_user} bash -c '{limited}'"),
        false => limited,
    };
    let ran = folder.run(folder.command("bash").args(["-c", &script]));
    // Not every machine lets others run what root has built.
    if ran.code == Some(7) {
        assert!(ran.err.contains("no more threads can be started (`ulimit -u`"), "{}", ran.err);
    } else {
        assert!(matches!(ran.code, Some(99 | 126 | 127)), "{:?} {}", ran.code, ran.err);
    }
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
