//! The remote system of a suite: how it is started, reset and changed.

use std::env;

use libtest_mimic::Trial;

use super::suites::{run, script_in};
use super::{Folder, mock as the_mock, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("remote/a_mock_is_reset_and_changed_where_it_runs", mock),
        trial("remote/a_hook_is_played_by_a_provider_behind_an_interpreter", hook),
        trial("remote/a_remote_system_that_is_not_reset_fails_the_trial", not_reset),
        trial("remote/a_change_hook_that_is_broken_fails_the_trial", not_changed),
    ]
}

/// A suite of the reference provider behind a shell, with this of its remote system.
fn behind_a_shell(remote: &str) -> String {
    format!(
        "[provider]\ncommand = [\"sh\", \"run.sh\"]\n[run]\ncases = 24\napply = true\n\
         resources = [\"reference_plain\"]\n[remote]\n{remote}"
    )
}

/// The log of a mock, in any scratch folder.
fn told(folder: &Folder) -> Vec<String> {
    let scratch = folder.files("scratch", "").into_iter().map(|run| run.join(the_mock::LOG));
    let logs = scratch.flat_map(std::fs::read_to_string);
    logs.flat_map(|log| log.lines().map(str::to_owned).collect::<Vec<_>>()).collect()
}

fn mock() {
    let folder = Folder::new();
    // The hook answers on its own, and forwards its request to the mock.
    let us = env::current_exe().unwrap();
    let (us, be, tell) = (us.display(), the_mock::BE, the_mock::TELL);
    folder.file("run.sh", &script_in(&folder));
    folder.file(
        "change.sh",
        &format!("cat >/dev/null\n{us} {tell} 18931 change && echo '{{\"result\":\"impossible\"}}'\n"),
    );
    let suite = behind_a_shell(&format!(
        "start = [\"{us}\", \"{be}\", \"18931\"]\nready = {{ port = 18931 }}\n\
         reset = [\"{us}\", \"{tell}\", \"18931\", \"reset\"]\nchange = [\"sh\", \"change.sh\"]\n"
    ));
    run(&folder, &suite).says(0, &["1 passed"]);
    let told: Vec<String> = told(&folder).into_iter().filter(|word| !word.is_empty()).collect();
    assert_eq!(told[0], "reset");
    assert!(told.len() > 1 && told[1..].iter().all(|word| word == "change"), "{told:?}");
}

fn hook() {
    let folder = Folder::new();
    let hook = "echo \"$*\" >>hook.log\ncat >/dev/null\necho '{\"result\":\"impossible\"}'";
    folder.file("run.sh", &format!("if [ $# -gt 0 ]; then\n{hook}\nelse\n{}fi\n", script_in(&folder)));
    run(&folder, &behind_a_shell("change = [\"{provider}\", \"remote-change\"]\n")).says(0, &["1 passed"]);
    let log = std::fs::read_to_string(folder.path("hook.log")).unwrap();
    assert!(log.lines().count() > 0 && log.lines().all(|line| line == "remote-change"), "{log}");
}

fn not_reset() {
    let folder = Folder::new();
    folder.file("run.sh", &script_in(&folder));
    let suite = behind_a_shell("reset = [\"sh\", \"-c\", \"echo no such table >&2; exit 3\"]\n");
    run(&folder, &suite).says(101, &["suites/acme.toml:8: `remote.reset`: exit code 3: no such table"]);
    let suite = behind_a_shell("reset = [\"no-such-program\"]\n");
    run(&folder, &suite).says(101, &["suites/acme.toml:8: `remote.reset`: no such program: no-such-program"]);
}

fn not_changed() {
    let folder = Folder::new();
    folder.file("run.sh", &script_in(&folder));
    for (hook, why) in [
        ("[\"no-such-program\"]", "no such program: no-such-program"),
        ("[\"sh\", \"-c\", \"echo no such table >&2; exit 3\"]", "exit code 3: no such table"),
        ("[\"sh\", \"-c\", \"cat >/dev/null; echo {}\"]", "its `result` is neither done nor impossible"),
    ] {
        let ran = run(&folder, &behind_a_shell(&format!("change = {hook}\n")));
        ran.says(101, &["(exit 2)"]);
        let said = format!("suites/acme.toml:8: `remote.change`: {why}");
        assert!(ran.unwrapped().contains(&said), "{}", ran.out);
    }
}
