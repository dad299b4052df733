//! How things end: each process, the sandbox, and the harness around it.

use std::io::{BufRead as _, BufReader};
use std::process::{Command, Stdio};
use std::sync::Arc;
use std::time::{Duration, Instant};
use std::{env, fs};

use libtest_mimic::Trial;
use tfconform::process::{SpawnSpec, Spawned, Spawner as _};
use tfconform::sandbox::{Ready, SandboxConfig, SandboxError};
use tfconform::transcript::ExitKind;

use super::{Enclosed, LIMIT, eventually, fixture, processes_with, token, trial, trial_with, us};

pub fn trials(closed: &Result<(), String>) -> Vec<Trial> {
    let with = |name: &str, body: fn()| trial_with(name, closed.clone(), move |()| body());
    vec![
        trial("end/status_and_signal_are_told", status),
        trial("end/killing_ends_the_whole_group", kill),
        with("end/nothing_outlives_the_sandbox", || nothing_outlives("gone")),
        with("end/nothing_outlives_a_killed_harness", || killed_harness("hk", false)),
        trial("end/nothing_outlives_a_killed_harness_without_namespaces", || killed_harness("ho", true)),
        with("end/nothing_outlives_a_killed_supervisor", killed_supervisor),
        trial("end/nothing_outlives_a_killed_supervisor_without_namespaces", || {
            killed_open_supervisor(false)
        }),
        trial("end/nothing_outlives_a_killed_guard_without_namespaces", || killed_open_supervisor(true)),
        with("end/two_hundred_side_by_side", side_by_side),
        trial("end/switched_off_is_not_closed_and_says_so", switched_off),
        with("end/root_needs_no_user_namespaces", root_needs_no_user_namespaces),
        with("end/refused_is_not_closed_and_says_so", refused),
        trial("end/a_supervisor_that_is_none_is_told", no_supervisor),
        trial("end/an_unusable_scratch_folder_is_told", no_scratch),
        trial("end/starts_soon", starts_soon),
    ]
}

fn status() {
    let enclosed = Enclosed::new();
    for code in [0, 1, 255] {
        assert_eq!(enclosed.run("exit", &code.to_string()).status, ExitKind::Code(code));
    }
    assert_eq!(enclosed.run("raise", "SIGKILL").status, ExitKind::Signal(9));
    assert_eq!(enclosed.run("raise", "SIGTERM").status, ExitKind::Signal(15));
    // Many at once, each with a different status.
    let enclosed = Arc::new(enclosed);
    let threads: Vec<_> = (0..40)
        .map(|code| {
            let enclosed = Arc::clone(&enclosed);
            std::thread::spawn(move || (code, enclosed.run("exit", &code.to_string()).status))
        })
        .collect();
    for thread in threads {
        let (code, status) = thread.join().unwrap();
        assert_eq!(status, ExitKind::Code(code));
    }
}

fn spawn(enclosed: &Enclosed, script: &str, token: &str) -> Spawned {
    let spec = SpawnSpec {
        program: "/bin/sh".into(),
        args: ["-c", script, token].map(Into::into).into(),
        env: enclosed.role("", token),
        cwd: None,
    };
    enclosed.sandbox.spawn(&spec).unwrap()
}

fn kill() {
    let enclosed = Enclosed::new();
    let token = token("group");
    let spawned = spawn(&enclosed, "sleep 1000 & sleep 1000", &token);
    assert!(eventually(|| processes_with(&token).len() == 3));
    assert!(processes_with(&token).contains(&spawned.pid));
    (spawned.kill)();
    assert!(eventually(|| spawned.exit.borrow().is_some()));
    assert_eq!(spawned.exit.borrow().unwrap().kind, ExitKind::Signal(9));
    assert!(eventually(|| processes_with(&token).is_empty()));
    // A second kill does nothing.
    (spawned.kill)();
}

fn nothing_outlives(name: &str) {
    let enclosed = Enclosed::new();
    let token = token(name);
    let spawned = spawn(&enclosed, "sleep 1000 & wait", &token);
    enclosed.run("daemon", &token);
    assert!(eventually(|| processes_with(&token).len() >= 3));
    drop(enclosed);
    assert_eq!(processes_with(&token), [0; 0]);
    assert_eq!(spawned.exit.borrow().unwrap().kind, ExitKind::Unknown);
}

fn killed_harness(name: &str, open: bool) {
    let token = token(name);
    let scratch = tempfile::tempdir().unwrap();
    let mut command = Command::new(&us()[0]);
    command
        .env(fixture::MODE, "harness")
        .env(fixture::ARGUMENT, &token)
        // Nothing is left to remove what is in it.
        .env("TMPDIR", scratch.path())
        .stdin(Stdio::piped())
        .stdout(Stdio::piped());
    if open {
        command.env(fixture::OPEN, "1");
    }
    let mut harness = command.spawn().unwrap();
    let mut line = String::new();
    BufReader::new(harness.stdout.take().unwrap()).read_line(&mut line).unwrap();
    // The harness, a service, and a daemon without a parent.
    assert!(processes_with(&token).len() >= 3, "{:?}", processes_with(&token));
    let supervisors = supervisors_of(harness.id());
    assert!(!supervisors.is_empty());
    // SIGKILL.
    harness.kill().unwrap();
    harness.wait().unwrap();
    assert!(eventually(|| processes_with(&token).is_empty()), "{:?}", processes_with(&token));
    assert!(eventually(|| supervisors.iter().all(|pid| is_gone(*pid))));
}

fn is_gone(pid: u32) -> bool {
    // A zombie counts as gone; its new parent may take a while to reap it.
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).unwrap_or_default();
    stat.is_empty() || stat.contains(") Z ")
}

fn supervisors_of(pid: u32) -> Vec<u32> {
    let children = fs::read_dir("/proc").unwrap().flatten();
    let children = children.filter_map(|entry| entry.file_name().to_str()?.parse::<u32>().ok());
    children.filter(|child| parent(*child) == Some(pid)).collect()
}

fn parent(pid: u32) -> Option<u32> {
    let stat = fs::read_to_string(format!("/proc/{pid}/stat")).ok()?;
    stat.rsplit_once(')')?.1.split_whitespace().nth(1)?.parse().ok()
}

fn killed_supervisor() {
    let enclosed = Enclosed::new();
    let token = token("orphan");
    let spawned = spawn(&enclosed, "sleep 1000", &token);
    enclosed.run("daemon", &token);
    let inner = parent(spawned.pid).unwrap();
    let outer = parent(inner).unwrap();
    assert_eq!(parent(outer), Some(std::process::id()));
    let outer = nix::unistd::Pid::from_raw(outer.cast_signed());
    nix::sys::signal::kill(outer, nix::sys::signal::Signal::SIGKILL).unwrap();
    assert!(eventually(|| processes_with(&token).is_empty()));
    assert!(eventually(|| spawned.exit.borrow().is_some()));
    let error = enclosed.sandbox.run(&us(), &enclosed.role("exit", "0"), b"", LIMIT).unwrap_err();
    assert!(error.to_string().starts_with("failed to start "), "{error}");
}

/// Without namespaces, and with one of the two processes that guard each other killed.
fn killed_open_supervisor(outer: bool) {
    let scratch = tempfile::tempdir().unwrap();
    let sandbox = SandboxConfig::new(scratch.path()).start_open().unwrap();
    let enclosed = Enclosed { sandbox, scratch };
    let token = token(if outer { "open-outer" } else { "open-inner" });
    let spawned = spawn(&enclosed, "sleep 1000", &token);
    enclosed.run("daemon", &token);
    assert!(eventually(|| processes_with(&token).len() >= 2));
    let inner = parent(spawned.pid).unwrap();
    let killed = if outer { parent(inner).unwrap() } else { inner };
    assert_ne!(killed, std::process::id());
    nix::sys::signal::kill(
        nix::unistd::Pid::from_raw(killed.cast_signed()),
        nix::sys::signal::Signal::SIGKILL,
    )
    .unwrap();
    assert!(eventually(|| processes_with(&token).is_empty()), "{:?}", processes_with(&token));
}

/// From two processes, as two terminals would.
fn side_by_side() {
    let count = 200;
    let began = Instant::now();
    let mut command = Command::new(&us()[0]);
    command.env(fixture::MODE, "side-by-side").env(fixture::ARGUMENT, (count / 2).to_string());
    let other = command.stdout(Stdio::piped()).stderr(Stdio::piped()).spawn().unwrap();
    start_and_end(count / 2);
    let output = other.wait_with_output().unwrap();
    assert!(output.status.success(), "{}", String::from_utf8_lossy(&output.stderr));
    eprintln!("{count} sandboxes take {:?}", began.elapsed());
}

/// Starts and ends sandboxes in several threads.
pub fn start_and_end(count: usize) {
    let threads: Vec<_> = (0..10)
        .map(|_| {
            std::thread::spawn(move || {
                for _ in 0..count / 10 {
                    let closure = Enclosed::new().sandbox.isolation().clone();
                    assert!(closure.is_closed(), "{:?}", closure.why_not);
                }
            })
        })
        .collect();
    threads.into_iter().for_each(|thread| thread.join().unwrap());
}

fn closure_of(mode: &str, open: bool) -> String {
    let mut command = Command::new(&us()[0]);
    command.env(fixture::MODE, mode).env(fixture::ARGUMENT, "closure");
    if open {
        command.env(fixture::OPEN, "1");
    }
    let output = command.output().unwrap();
    let stderr = String::from_utf8_lossy(&output.stderr);
    assert!(output.status.success(), "{stderr}");
    String::from_utf8(output.stdout).unwrap()
}

fn switched_off() {
    let closure = closure_of("closure", true);
    assert!(closure.contains("\"`--no-sandbox` or `run.sandbox = false` is set\""), "{closure}");
    assert!(closure.ends_with("closed: false\nruns: exit code 3\n"), "{closure}");
    assert!(!closure.contains("network: true"), "{closure}");
}

fn root_needs_no_user_namespaces() {
    let closure = closure_of("without-user-namespaces", false);
    assert!(closure.ends_with("closed: true\nruns: exit code 3\n"), "{closure}");
}

fn refused() {
    let closure = closure_of("without-namespaces", false);
    assert!(closure.contains("the kernel refuses new namespaces ("), "{closure}");
    assert!(closure.contains("sysctl user.max_user_namespaces is 0"), "{closure}");
    assert!(closure.ends_with("closed: false\nruns: exit code 3\n"), "{closure}");
}

fn no_supervisor() {
    let scratch = tempfile::tempdir().unwrap();
    let mut config = SandboxConfig::new(scratch.path());
    config.supervisor = Some("/bin/true".into());
    let error = config.start().err().unwrap();
    assert!(matches!(error, SandboxError::Supervisor(_)), "{error}");
    config.supervisor = Some("/nowhere/supervisor".into());
    assert!(matches!(config.start().err().unwrap(), SandboxError::Start(_)));
}

fn no_scratch() {
    let error = SandboxConfig::new("/nowhere").start().err().unwrap();
    assert!(error.to_string().starts_with("the scratch folder /nowhere cannot be used: "), "{error}");
    let error = SandboxConfig::new(env::temp_dir()).start().err();
    // If it is the default one, it is itself hidden.
    if let Some(error) = error {
        assert!(matches!(error, SandboxError::ScratchTooWide { .. }), "{error}");
    }
}

fn starts_soon() {
    let mut times: Vec<Duration> = (0..9)
        .map(|_| {
            let began = Instant::now();
            drop(Enclosed::new());
            began.elapsed()
        })
        .collect();
    times.sort();
    let began = Instant::now();
    let enclosed = Enclosed::new();
    let started = began.elapsed();
    let began = Instant::now();
    let ready = Ready::After(Duration::ZERO);
    let _service = enclosed.sandbox.start_service(&us(), &enclosed.role("sleep", ""), &ready, LIMIT).unwrap();
    let served = began.elapsed();
    eprintln!("a sandbox takes {started:?}, start and end {:?}, a process in it {served:?}", times[4]);
}
