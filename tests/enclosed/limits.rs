//! What everything in a sandbox may use.

use libtest_mimic::Trial;
use tfconform::process::SpawnSpec;
use tfconform::process::Spawner as _;
use tfconform::sandbox::Limits;
use tfconform::transcript::ExitKind;

use super::{Enclosed, LIMIT, eventually, trial_with, us};

pub fn trials(closed: &Result<(), String>) -> Vec<Trial> {
    let with = |name: &str, body: fn()| trial_with(name, closed.clone(), move |()| body());
    vec![
        with("limits/too_many_processes_end_what_started_them", || {
            let limits = Limits { processes: 20, ..Limits::default() };
            passed("processes", limits, 9, "more processes than 20 ran at once");
        }),
        with("limits/too_much_memory_ends_what_uses_most", || {
            let limits = Limits { memory: Some(200 << 20), ..Limits::default() };
            passed("memory", limits, 9, "more memory than 200 MiB was used");
        }),
        with("limits/files_in_memory_count_as_memory", || {
            let limits = Limits { memory: Some(200 << 20), ..Limits::default() };
            passed("files in memory", limits, 9, "more memory than 200 MiB was used");
        }),
        with("limits/deleted_files_that_are_open_count", || {
            let limits = Limits { scratch: 30 << 20, ..Limits::default() };
            passed("deleted files", limits, 9, "the scratch folder took up more than 30 MiB");
        }),
        with("limits/what_uses_little_survives_what_uses_most", survives),
        with("limits/a_file_that_grows_too_large_ends_its_process", || {
            let limits = Limits { file: 8 << 20, ..Limits::default() };
            passed("file", limits, libc::SIGXFSZ, "a file was to be larger than it may be");
        }),
        with("limits/too_large_a_scratch_folder_ends_all", || {
            let limits = Limits { scratch: 30 << 20, ..Limits::default() };
            passed("scratch", limits, 9, "the scratch folder took up more than 30 MiB");
        }),
        with("limits/what_stays_below_is_left_alone", below),
    ]
}

/// Has a process grow until it is ended by that signal, and the limit is named.
fn passed(what: &str, limits: Limits, signal: i32, told: &str) {
    let enclosed = Enclosed::with(|config| config.limits = limits);
    let spec = SpawnSpec {
        program: us()[0].clone().into(),
        args: Vec::new(),
        env: enclosed.role("grow", what),
        cwd: None,
    };
    let spawned = enclosed.sandbox.spawn(&spec).unwrap();
    assert!(eventually(|| spawned.exit.borrow().is_some()), "{what}");
    assert_eq!(spawned.exit.borrow().unwrap().kind, ExitKind::Signal(signal));
    assert!(eventually(|| !enclosed.sandbox.passed_limits().is_empty()));
    let limits = enclosed.sandbox.passed_limits();
    assert!(limits.len() == 1 && limits[0].starts_with(told), "{limits:?}");
    if signal == 9 {
        let mut stderr = String::new();
        std::io::Read::read_to_string(&mut std::fs::File::from(spawned.stderr), &mut stderr).unwrap();
        assert!(stderr.contains(&format!("tfconform: killed in the sandbox: {told}")), "{stderr}");
    }
    let again = enclosed.sandbox.run(&us(), &enclosed.role("exit", "3"), b"", LIMIT);
    match again {
        Ok(output) => assert!(what != "scratch" && output.status == ExitKind::Code(3)),
        // It cannot be told who filled it.
        Err(error) => {
            assert!(
                what == "scratch" && error.to_string().contains(&format!("ended because {told}")),
                "{error}"
            );
        }
    }
}

fn survives() {
    let limits = Limits { memory: Some(200 << 20), ..Limits::default() };
    let enclosed = Enclosed::with(|config| config.limits = limits);
    let start = |role: &str, argument: &str| {
        let program = us()[0].clone().into();
        let env = enclosed.role(role, argument);
        enclosed.sandbox.spawn(&SpawnSpec { program, args: Vec::new(), env, cwd: None }).unwrap()
    };
    let (modest, greedy) = (start("sleep", ""), start("grow", "memory"));
    assert!(eventually(|| greedy.exit.borrow().is_some()));
    assert!(eventually(|| !enclosed.sandbox.passed_limits().is_empty()));
    assert!(modest.exit.borrow().is_none(), "it is not to blame");
}

fn below() {
    let enclosed = Enclosed::new();
    for _ in 0..5 {
        assert_eq!(enclosed.run("exit", "0").status, ExitKind::Code(0));
        std::thread::sleep(std::time::Duration::from_millis(120));
    }
    assert_eq!(enclosed.sandbox.passed_limits(), [""; 0]);
}
