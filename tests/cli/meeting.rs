//! Scenarios that are played at the same time: none is blamed for what another one does.

use std::env;
use std::path::PathBuf;

use libtest_mimic::Trial;
use serde_json::{Value as Json, json};

use super::{Folder, PROGRAM, Ran, meeting_provider, mock as the_mock, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("meeting/a_crash_is_blamed_on_its_scenario_whatever_is_played_beside_it", crashes),
        trial("meeting/a_crash_after_a_create_is_found_although_the_object_is_left", crashes_after_create),
        trial("meeting/a_hang_is_blamed_on_its_scenario_alone", hangs),
        trial("meeting/scenarios_that_share_a_pinned_value_do_not_meet", pinned),
        trial("meeting/a_word_in_a_pinned_value_is_another_one_in_each_scenario", words),
        trial("meeting/a_remote_system_that_allows_one_object_is_not_blamed", allows_one),
        trial("meeting/what_is_refused_at_once_and_done_later_is_found", busy),
        trial("meeting/what_only_calls_at_once_show_is_confirmed", at_once),
        trial("meeting/a_change_that_is_interrupted_or_killed_may_be_left_undone", stops),
        trial("meeting/an_interrupted_change_that_was_not_made_is_not_claimed", claims_when_stopped),
        trial("meeting/a_provider_that_ends_when_it_is_told_to_stop_is_found", exits_when_stopped),
        trial("meeting/a_finding_says_whether_replays_confirm_it", confirmed),
        trial("meeting/what_follows_from_the_end_of_a_mock_is_not_judged", mock_ends),
        trial("meeting/the_remote_system_is_reset_before_each_scenario", reset_each_time),
    ]
}

/// The words that start the provider.
fn provider(mode: &str) -> Vec<String> {
    let own = env::current_exe().unwrap().display().to_string();
    vec![own, meeting_provider::WORD.to_owned(), mode.to_owned()]
}

/// Checks the provider in a mode; words are divided at blanks.
fn check(folder: &Folder, mode: &str, more: &str) -> Ran {
    let mut command = folder.command(PROGRAM);
    command.args(["check", "--apply", "--quiet"]).args(more.split_whitespace());
    folder.run(command.arg("--").args(provider(mode)))
}

/// The findings of a report in JSON, without those about declarations.
fn findings(ran: &Ran) -> Vec<Json> {
    let lines = ran.out.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let is_wanted =
        |line: &Json| line["event"] == "finding" && !line["rule"].as_str().unwrap().starts_with("schema/");
    lines.filter(is_wanted).collect()
}

/// The findings that are the same with one scenario at a time and with many.
#[track_caller]
fn whatever_the_jobs(mode: &str, more: &str) -> Vec<Json> {
    let with_jobs = |jobs: &str| {
        let folder = Folder::new();
        findings(&check(&folder, mode, &format!("--format json --jobs {jobs} {more}")))
    };
    let (alone, many) = (with_jobs("1"), with_jobs("24"));
    assert!(!alone.is_empty());
    assert_eq!(alone, many);
    alone
}

fn of_rule<'f>(findings: &'f [Json], rule: &str) -> Vec<&'f Json> {
    findings.iter().filter(|finding| finding["rule"] == rule).collect()
}

fn crashes() {
    let found = whatever_the_jobs("panics", "");
    let crashes = of_rule(&found, "rpc/survives");
    let [one, other] = crashes[..] else { panic!("{crashes:?}") };
    for crash in [one, other] {
        assert_eq!(crash["types"][0], "meeting_thing");
        assert_eq!(crash["case"]["rpc"], "PlanResourceChange");
        assert_eq!(crash["replays"]["verdict"], "confirmed");
    }
    // One function that fails in two ways fails twice.
    let cause = "main.(*thing).Plan: runtime error: invalid memory address or nil pointer dereference";
    let mut causes = [&one["cause"], &other["cause"]].map(|cause| cause.as_str().unwrap());
    causes.sort_unstable();
    assert_eq!(causes, [cause, &format!("{cause}, place 2")]);
    assert_ne!(one["key"], other["key"]);
    assert_eq!(found.len(), 2, "{found:?}");
}

fn crashes_after_create() {
    let found = whatever_the_jobs("panics-after-create", "");
    let crashes = of_rule(&found, "rpc/survives");
    assert_eq!(crashes.len(), 1);
    assert_eq!(crashes[0]["case"]["rpc"], "ApplyResourceChange");
    assert_eq!(crashes[0]["replays"]["verdict"], "confirmed");
    assert_eq!(found.len(), 1, "{found:?}");
}

fn hangs() {
    let found = whatever_the_jobs("hangs", "--timeout 1 --strict --cases 8");
    let hangs = of_rule(&found, "rpc/answers-in-time");
    assert_eq!(hangs.len(), 1);
    assert_eq!(hangs[0]["types"][0], "meeting_thing");
    // Only what a process does for one scenario alone is measured.
    assert_eq!(hangs[0]["case"]["message"], "no answer within 1 s, in which the process waited");
    // A second play would cost another time limit.
    assert_eq!(hangs[0]["replays"], json!({ "verdict": "confirmed", "seen": 1, "of": 1, "beside": 0 }));
}

/// A suite of the provider in a mode, with this of its type and more.
fn suite(folder: &Folder, mode: &str, attributes: &str, more: &str) -> Ran {
    let suite = format!(
        "[provider]\ncommand = {:?}\n[run]\napply = true\njobs = 24\n[resource.meeting_thing.attr]\n{attributes}\n{more}",
        provider(mode)
    );
    folder.file("suites/meeting.toml", &suite);
    folder.tfconform("check --quiet --format json --suite suites/meeting.toml --transcripts out")
}

fn pinned() {
    let folder = Folder::new();
    let ran = suite(&folder, "well", "zone = { values = [\"example.com.\"] }", "");
    assert_eq!(findings(&ran), Vec::<Json>::new());
    ran.says(0, &[]);
}

fn words() {
    let folder = Folder::new();
    let attributes = "zone = { values = [\"{word}.example.com.\", '{\"a\":[\"{word}\"]}'] }";
    let ran = suite(&folder, "well", attributes, "");
    assert_eq!(findings(&ran), Vec::<Json>::new());
    ran.says(0, &[]);
    let all: String =
        folder.files("out", ".jsonl").iter().map(|file| std::fs::read_to_string(file).unwrap()).collect();
    assert!(!all.contains("{word}"), "a placeholder was sent");
    assert!(all.contains(".example.com."));
}

/// Planning behaviours have two objects at once, of which the second is refused.
fn allows_one() {
    let folder = Folder::new();
    let ran = check(&folder, "allows-one", "--jobs 1 --strict --format json --transcripts out");
    assert_eq!(findings(&ran), Vec::<Json>::new());
    let refused = |file: &PathBuf| std::fs::read_to_string(file).unwrap().contains("there is one already");
    assert!(folder.files("out", ".jsonl").iter().any(refused), "it never had a second object");
}

/// The same instances are created in the next run, beside as many others.
fn busy() {
    let folder = Folder::new();
    let found = findings(&check(&folder, "busy", "--jobs 1 --strict --format json"));
    let [refused] = &found[..] else { panic!("{found:?}") };
    assert_eq!(
        (&refused["rule"], &refused["cause"]),
        (&json!("apply/succeeds-as-planned"), &json!("too many requests"))
    );
    assert_eq!(refused["replays"]["verdict"], "confirmed", "{refused}");
}

/// With one scenario at a time only the instances of one scenario are created at once.
fn at_once() {
    let folder = Folder::new();
    let found = findings(&check(&folder, "mixes-up", "--jobs 1 --format json"));
    assert!(found.iter().any(|finding| finding["rule"] == "read/keeps-the-form"), "{found:?}");
    for finding in &found {
        assert_eq!(finding["replays"]["verdict"], "confirmed", "{finding}");
    }
    let found = findings(&check(&Folder::new(), "mixes-up", "--jobs 1 --parallelism 1 --format json"));
    assert_eq!(found, Vec::<Json>::new());
}

/// What scenarios play in which the user interrupts a change.
fn interrupted(mode: &str) -> Vec<Json> {
    findings(&check(&Folder::new(), mode, "--strict --format json"))
}

fn stops() {
    let folder = Folder::new();
    let ran = check(&folder, "waits-when-stopped", "--strict --format json --transcripts out");
    assert_eq!(findings(&ran), Vec::<Json>::new());
    let calls = |kind: &str| {
        let kind = format!("\"kind\":\"{kind}\"");
        let read = |file: PathBuf| std::fs::read_to_string(file).unwrap();
        folder.files("out", ".jsonl").into_iter().map(read).find(|calls| calls.contains(&kind)).unwrap()
    };
    assert!(calls("run/interrupted").contains("\"summary\":\"interrupted\""), "it was never told to stop");
    assert!(calls("run/killed").contains("\"why\":\"killed\""), "it was never killed");
}

fn claims_when_stopped() {
    let found = interrupted("claims-when-stopped");
    let [claimed] = &found[..] else { panic!("{found:?}") };
    assert_eq!(claimed["rule"], "apply/claims-only-what-it-changed");
    assert_eq!(claimed["case"]["scenario"]["kind"], "run/interrupted");
    assert_eq!(claimed["replays"]["verdict"], "confirmed", "{claimed}");
}

fn exits_when_stopped() {
    let found = interrupted("exits-when-stopped");
    let [ended] = &found[..] else { panic!("{found:?}") };
    assert_eq!((&ended["rule"], &ended["case"]["step"]), (&json!("rpc/survives"), &json!("interrupted")));
    assert_eq!(ended["replays"]["verdict"], "confirmed", "{ended}");
}

fn confirmed() {
    let folder = Folder::new();
    let check = |mode: &str, more: &str| check(&folder, mode, &format!("--cases 1 --jobs 1 {more}"));
    check("wrong", "").says(1, &["MUST  read/", "confirmed 3 of 3"]);
    check("wrong-at-times", "").says(1, &["MUST  read/", "flaky 1 of 5"]);
    check("wrong-at-times", "--format junit").says(1, &["read/keeps-the-form, flaky 1 of 5"]);
    let found = findings(&check("wrong-at-times", "--format json"));
    let replays = &found.iter().find(|finding| finding["level"] == "must").unwrap()["replays"];
    assert_eq!(*replays, serde_json::json!({ "verdict": "flaky", "seen": 1, "of": 5, "beside": 0 }));
    // What does not appear again is no must.
    check("wrong-once", "").says(0, &["  should        1 finding, shown by -v: read/"]);
    let ran = check("wrong-once", "--verbose");
    ran.says(0, &["SHOULD  read/", "unconfirmed 0 of 5", "replay        tfconform replay"]);
    assert!(!ran.out.contains("MUST"), "{}", ran.out);
}

fn mock_ends() {
    let folder = Folder::new();
    let own = env::current_exe().unwrap().display().to_string();
    let port = "18937";
    let remote = format!(
        "[remote]\nstart = [{own:?}, {:?}, {port:?}, \"9\"]\nready = {{ line = \"ready\" }}\n",
        the_mock::BE
    );
    let words = [provider("well"), vec![port.to_owned()]].concat();
    let suite = format!("[provider]\ncommand = {words:?}\n[run]\napply = true\n{remote}");
    folder.file("suites/meeting.toml", &suite);
    let ran = folder.tfconform("check --quiet --suite suites/meeting.toml");
    let said = ran.says(4, &["findings      none"]).unwrapped();
    let why = "not judged: the mock of the remote system ended (exit code 3): ready out of memory";
    assert!(said.contains(why), "{said}");
}

fn reset_each_time() {
    let folder = Folder::new();
    let remote =
        "[remote]\nreset = [\"sh\", \"-c\", \"echo reset >>resets.log\"]\nreset_before = \"scenario\"\n";
    // An object that is left by one scenario would be met by the next.
    let ran = suite(&folder, "panics-after-create", "zone = { values = [\"example.com.\"] }", remote);
    let _ = findings(&ran);
    let resets = std::fs::read_to_string(folder.path("resets.log")).unwrap().lines().count();
    assert!(resets > 24, "{resets}");
}
