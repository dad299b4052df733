//! What can and cannot be reached from inside.

use std::collections::BTreeMap;
use std::net::TcpListener;
use std::os::unix::fs::PermissionsExt as _;
use std::os::unix::net::UnixListener;
use std::path::{Path, PathBuf};
use std::time::Duration;
use std::{env, fs};

use libtest_mimic::Trial;
use tempfile::TempDir;
use tfconform::process::Address;
use tfconform::process::Spawner as _;
use tfconform::sandbox::{Isolation, Openness, Ready};
use tfconform::transcript::ExitKind;

use super::{Enclosed, LIMIT, trial, trial_with, us};

pub fn trials(closed: &Result<(), String>) -> Vec<Trial> {
    let with = |name: &str, body: fn()| trial_with(name, closed.clone(), move |()| body());
    vec![
        with("reach/everything_is_closed", everything_is_closed),
        with("reach/no_network_of_the_machine", network),
        with("reach/the_network_alone_can_stay_open", open_network),
        with("reach/no_socket_of_the_machine", sockets),
        with("reach/no_writing_outside_the_scratch_folder", writing),
        with("reach/nothing_of_the_home", home),
        with("reach/what_must_stay_readable_does", readable),
        with("reach/a_service_answers_inside_alone", service),
        with("reach/host_name_and_folder_are_given", host_name),
        trial("reach/environment_is_what_was_given", environment),
        trial("reach/commands_take_and_give_text", commands),
        trial("reach/a_slow_command_is_ended", slow_command),
        trial("reach/a_service_that_ends_is_quoted", service_ends),
    ]
}

/// Tries actions inside, and returns the outcome of each.
pub fn outcomes(enclosed: &Enclosed, actions: &[String]) -> Vec<String> {
    // Without isolation they would affect the machine.
    let closure = enclosed.sandbox.isolation();
    assert!(closure.writes, "{:?}", closure.why_not);
    let output = enclosed.run("reach", &actions.join("\n"));
    assert_eq!(output.status, ExitKind::Code(0), "{}", String::from_utf8_lossy(&output.stderr));
    String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect()
}

#[track_caller]
pub fn assert_nothing_done(outcomes: &[String]) {
    let done: Vec<_> = outcomes.iter().filter(|outcome| outcome.contains(": done")).collect();
    assert!(done.is_empty(), "{outcomes:?}");
}

fn everything_is_closed() {
    let closure = Enclosed::new().sandbox.isolation().clone();
    let closed = Isolation {
        environment: true,
        home: true,
        network: true,
        host_sockets: true,
        writes: true,
        pids: true,
        private_files: true,
        kernel: true,
        why_not: closure.why_not.clone(),
    };
    assert_eq!(closure, closed);
}

fn network() {
    let listeners = ["127.0.0.1:0", "0.0.0.0:0"].map(|address| TcpListener::bind(address).unwrap());
    let mut actions: Vec<String> =
        listeners.iter().map(|listener| format!("tcp {}", listener.local_addr().unwrap())).collect();
    actions.extend(
        ["1.1.1.1:80", "169.254.169.254:80", "[2606:4700:4700::1111]:80"].map(|a| format!("tcp {a}")),
    );
    let enclosed = Enclosed::new();
    assert_nothing_done(&outcomes(&enclosed, &actions));
    assert_eq!(outcomes(&enclosed, &["listen 127.0.0.1:0".to_owned()]), ["listen: done "]);
}

fn open_network() {
    let listener = TcpListener::bind("127.0.0.1:0").unwrap();
    let enclosed = Enclosed::with(|config| config.open = Openness::Network);
    let closure = enclosed.sandbox.isolation();
    assert!(!closure.network && !closure.host_sockets && !closure.is_closed(), "{closure:?}");
    assert!(closure.home && closure.writes && closure.pids && closure.environment, "{closure:?}");
    assert_eq!(closure.why_not[0], "the network is open because `--network` or `run.network = true` is set");
    let reach = format!("tcp {}", listener.local_addr().unwrap());
    assert_eq!(outcomes(&enclosed, &[reach]), ["tcp: done "]);
    let write = format!("write {}/.tfconform-test-{}", env::var("HOME").unwrap(), std::process::id());
    assert_nothing_done(&outcomes(&enclosed, &[write]));
}

fn sockets() {
    let folders = ["/run", "/var/run", "/tmp", "/var/tmp", "/dev/shm"].map(PathBuf::from);
    let folders = folders.into_iter().chain([PathBuf::from(env::var_os("HOME").unwrap_or_default())]);
    // Not every folder is writable for this user.
    let folders: Vec<TempDir> = folders.flat_map(tempfile::tempdir_in).collect();
    let files: Vec<PathBuf> = folders.iter().map(|folder| folder.path().join("s")).collect();
    let _listeners: Vec<UnixListener> = files.iter().flat_map(UnixListener::bind).collect();
    let actions: Vec<String> = files.iter().map(|file| format!("unix {}", file.display())).collect();
    assert!(actions.len() >= 2);
    assert_nothing_done(&outcomes(&Enclosed::new(), &actions));
}

fn writing() {
    let enclosed = Enclosed::new();
    let file = format!(".tfconform-test-{}", std::process::id());
    let outside = tempfile::tempdir_in("/var/tmp").unwrap();
    let existing = outside.path().join("existing");
    fs::write(&existing, "as it was").unwrap();
    let crate_dir = env!("CARGO_MANIFEST_DIR");
    let home = env::var("HOME").unwrap();
    let exe = env::current_exe().unwrap();
    let outside_dir = outside.path().to_str().unwrap();
    let mut folders = vec![&*home, "/", "/etc", "/usr", "/run", "/dev", outside_dir];
    // Below /tmp it is hidden, and what is written there disappears with the sandbox.
    folders.extend(Some(crate_dir).filter(|folder| !Path::new(folder).starts_with("/tmp")));
    let mut actions: Vec<String> = folders.iter().map(|folder| format!("write {folder}/{file}")).collect();
    actions.push(format!("append {}", existing.display()));
    actions.push(format!("append {}", exe.display()));
    actions.push("write /proc/sys/kernel/core_pattern".to_owned());
    assert_nothing_done(&outcomes(&enclosed, &actions));
    assert_eq!(fs::read_to_string(&existing).unwrap(), "as it was");
    // What is written to folders for temporary files disappears with the sandbox.
    let mine = enclosed.scratch.path().join("mine");
    let actions = [
        format!("write {}", mine.display()),
        format!("write /tmp/{file}"),
        format!("write /var/tmp/{file}"),
        "write /dev/null".to_owned(),
    ];
    assert_eq!(outcomes(&enclosed, &actions), ["write: done "; 4]);
    assert_eq!(fs::read_to_string(mine).unwrap(), "written");
    assert!(["/tmp", "/var/tmp"].iter().all(|folder| !Path::new(folder).join(&file).exists()));
}

fn home() {
    let home = env::var_os("HOME").unwrap();
    let secret = tempfile::Builder::new().prefix(".tfconform-").tempfile_in(home).unwrap();
    fs::write(secret.path(), "secret").unwrap();
    let actions = [format!("read {}", secret.path().display())];
    assert_eq!(outcomes(&Enclosed::new(), &actions), ["read: entity not found"]);
}

fn readable() {
    let home =
        tempfile::Builder::new().prefix("tfconform-").tempdir_in(env::var_os("HOME").unwrap()).unwrap();
    let programs = home.path().join("programs");
    fs::create_dir(&programs).unwrap();
    fs::write(home.path().join("secret"), "secret").unwrap();
    let script = programs.join("script");
    fs::write(&script, "#!/bin/sh\ncat \"$(dirname \"$0\")/data\" 2>&1; cat \"$0/../../secret\"\n").unwrap();
    fs::set_permissions(&script, fs::Permissions::from_mode(0o755)).unwrap();
    fs::write(programs.join("data"), "data").unwrap();
    let enclosed = Enclosed::with(|config| config.program_dirs = vec![programs.clone()]);
    assert!(enclosed.sandbox.isolation().home);
    let env = enclosed.sandbox.environment(&BTreeMap::new());
    let output = enclosed.sandbox.run(&[script.into()], &env, b"", LIMIT).unwrap();
    assert_eq!(String::from_utf8(output.stdout).unwrap(), "data");
    assert_ne!(output.status, ExitKind::Code(0));
    let data = programs.join("data");
    assert_nothing_done(&outcomes(&enclosed, &[format!("append {}", data.display())]));
}

fn service() {
    let enclosed = Enclosed::new();
    let port = 18_080;
    let ready = [Ready::Port(port), Ready::Line(format!("on {}", port + 1)), Ready::After(Duration::ZERO)];
    let services: Vec<_> = (port..)
        .zip(&ready)
        .map(|(port, ready)| {
            let env = enclosed.role("mock", &port.to_string());
            enclosed.sandbox.start_service(&us(), &env, ready, LIMIT).unwrap()
        })
        .collect();
    let address = format!("127.0.0.1:{port}");
    assert_eq!(outcomes(&enclosed, &[format!("tcp {address}")]), ["tcp: done "]);
    let socket = enclosed.sandbox.dial(&Address::Tcp("localhost".to_owned(), port)).unwrap();
    let mut text = String::new();
    std::io::Read::read_to_string(&mut std::net::TcpStream::from(socket), &mut text).unwrap();
    assert_eq!(text, "hello from the mock");
    assert!(std::net::TcpStream::connect(address).is_err());
    assert_eq!(services[0].output(), format!("listening on {port}\n"));
    assert!(services.iter().all(|service| service.exit().is_none()));
    services.into_iter().for_each(tfconform::sandbox::Service::end);
    let gone = enclosed.sandbox.dial(&Address::Tcp("127.0.0.1".to_owned(), port)).unwrap_err();
    assert_eq!(gone.kind(), std::io::ErrorKind::ConnectionRefused);
}

fn host_name() {
    let enclosed = Enclosed::with(|config| config.hostname = "elsewhere".to_owned());
    let output = enclosed.run("whoami", "");
    let scratch = enclosed.scratch.path().canonicalize().unwrap();
    let expected = format!("elsewhere {}\n", scratch.display());
    assert_eq!(String::from_utf8(output.stdout).unwrap(), expected);
}

fn environment() {
    let enclosed = Enclosed::new();
    let output = enclosed.run("environment", "");
    let mut names: Vec<String> =
        String::from_utf8(output.stdout).unwrap().lines().map(str::to_owned).collect();
    names.sort();
    let expected: Vec<String> =
        enclosed.role("", "").into_keys().map(|name| name.into_string().unwrap()).collect();
    assert_eq!(names, expected);
    assert!(!names.iter().any(|name| name.starts_with("CARGO")));
}

fn commands() {
    let enclosed = Enclosed::new();
    let text = "to and fro\n".repeat(100_000);
    let env = enclosed.role("echo", "aside");
    let output = enclosed.sandbox.run(&us(), &env, text.as_bytes(), LIMIT).unwrap();
    assert_eq!((output.status, output.stdout.len()), (ExitKind::Code(0), text.len()));
    assert_eq!(output.stderr, b"aside");
    // A command need not read its stdin.
    let env = enclosed.role("exit", "7");
    let output = enclosed.sandbox.run(&us(), &env, text.as_bytes(), LIMIT).unwrap();
    assert_eq!(output.status, ExitKind::Code(7));
}

fn slow_command() {
    let enclosed = Enclosed::new();
    let limit = Duration::from_millis(200);
    let error = enclosed.sandbox.run(&us(), &enclosed.role("sleep", ""), b"", limit).unwrap_err();
    assert!(error.to_string().ends_with(" took longer than 200ms"), "{error}");
    let ready = Ready::Line("never".to_owned());
    let error = enclosed.sandbox.start_service(&us(), &enclosed.role("sleep", ""), &ready, limit);
    assert!(error.err().unwrap().to_string().ends_with(" took longer than 200ms"));
}

fn service_ends() {
    let enclosed = Enclosed::new();
    let command = ["/bin/sh", "-c", "echo no database >&2; exit 4"].map(Into::into);
    let env = enclosed.sandbox.environment(&BTreeMap::new());
    let error = enclosed.sandbox.start_service(&command, &env, &Ready::Port(1), LIMIT);
    assert_eq!(
        error.err().unwrap().to_string(),
        "/bin/sh ended (exit code 4) before it was ready; its output ends with:\nno database"
    );
    let missing = ["/nowhere/mock".into()];
    let error = enclosed.sandbox.start_service(&missing, &env, &Ready::Port(1), LIMIT);
    assert_eq!(
        error.err().unwrap().to_string(),
        "failed to start /nowhere/mock: No such file or directory (os error 2)"
    );
}
