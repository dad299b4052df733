//! Programs that cannot be used as a provider: each soon ends with a message that says why, and
//! leaves nothing behind.

use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::time::Duration;

use libtest_mimic::Trial;

use super::refusals::{LINES, REFUSALS};
use super::{Role, trial};

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("start/not_executable", not_executable),
        trial("start/no_such_program", no_such_program),
        trial("start/not_for_this_machine", not_for_this_machine),
        trial("start/hang", hang),
        trial("start/hang_with_children", hang_with_children),
        trial("start/mute", mute),
        trial("start/flood_stderr", flood_stderr),
        trial("start/refused_address", refused_address),
        trial("start/unasked_certificate", unasked_certificate),
        trial("start/cancelled", cancelled),
    ];
    trials.extend(REFUSALS.iter().map(|(mode, message)| {
        trial(&format!("start/{}", mode.replace('-', "_")), || {
            assert_refused(Role::new(mode), message);
        })
    }));
    trials.extend(LINES.iter().map(|(name, line, message)| {
        trial(&format!("start/line/{name}"), || {
            let mut role = Role::new("line");
            role.set("LINE", line);
            assert_refused(role, message);
        })
    }));
    trials
}

const SOON: Duration = Duration::from_secs(5);

#[track_caller]
fn assert_refused(role: Role, message: &str) {
    let error = role.refusal(SOON);
    let program = role.launch.program.display().to_string();
    assert_eq!(error.to_string().replace(&program, "PROGRAM"), message);
}

fn file_with_mode(role: &Role, content: &[u8], mode: u32) -> std::path::PathBuf {
    let file = role.path("program");
    fs::write(&file, content).unwrap();
    fs::set_permissions(&file, fs::Permissions::from_mode(mode)).unwrap();
    file
}

fn not_executable() {
    let mut role = Role::new("help");
    role.launch.program = file_with_mode(&role, b"#!/bin/sh\n", 0o644);
    assert_refused(
        role,
        "PROGRAM: failed to start: Permission denied (os error 13)\n\
         hint: is the file executable?",
    );
}

fn no_such_program() {
    let mut role = Role::new("help");
    role.launch.program = role.path("nowhere");
    assert_refused(
        role,
        "PROGRAM: failed to start: No such file or directory (os error 2)\n\
         hint: do the file and its interpreter exist?",
    );
}

fn not_for_this_machine() {
    let mut role = Role::new("help");
    role.launch.program = file_with_mode(&role, b"MZ\x90\0\x03\0\0\0", 0o755);
    assert_refused(
        role,
        "PROGRAM: failed to start: Exec format error (os error 8)\n\
         hint: is it built for this machine?",
    );
}

fn hang() {
    let mut role = Role::new("hang");
    role.launch.limits.start = Duration::from_millis(300);
    assert_refused(
        role,
        "PROGRAM: printed no handshake within 300ms\n\
         hint: a provider must print one line as soon as it listens",
    );
}

fn hang_with_children() {
    let mut role = Role::new("hang-with-children");
    role.launch.limits.start = Duration::from_secs(1);
    let error = role.refusal(SOON);
    assert!(error.to_string().contains("printed no handshake within 1s"));
    assert_eq!(role.pids().len(), 2);
}

fn mute() {
    assert_refused(Role::new("mute"), "PROGRAM: closed stdout before the handshake");
}

fn flood_stderr() {
    let mut role = Role::new("flood-stderr");
    role.launch.stderr_copy = Some(role.path("stderr"));
    let copy = role.path("stderr");
    let error = role.refusal(SOON);
    let text = error.to_string();
    assert!(text.contains(": ended before the handshake (exit code 4)\nstderr: a very long story"));
    assert_eq!(text.lines().count(), 11);
    assert_eq!(error.stderr_tail.len(), 128 << 10);
    assert_eq!(fs::metadata(copy).unwrap().len(), 37_000_000);
}

fn refused_address() {
    let mut role = Role::new("line");
    role.set("LINE", "1|6|unix|/nowhere/at/all|grpc|\n");
    assert_refused(
        role,
        "PROGRAM: failed to connect to unix /nowhere/at/all: \
         No such file or directory (os error 2)",
    );
    let mut role = Role::new("line");
    role.set("LINE", "1|6|tcp|127.0.0.1:1|grpc|\n");
    assert_refused(role, "PROGRAM: failed to connect to tcp 127.0.0.1:1: Connection refused (os error 111)");
}

fn unasked_certificate() {
    let mut role = Role::new("unasked-certificate");
    role.launch.tls = false;
    assert_refused(
        role,
        "PROGRAM: announced a certificate without being asked for one\n\
         hint: Terraform crashes on this; use TLS with this provider",
    );
}

fn cancelled() {
    let role = Role::new("hang");
    super::run(async {
        let start = role.launch.start();
        let outcome = tokio::time::timeout(Duration::from_millis(500), start).await;
        assert!(outcome.is_err());
    });
    let pids = role.pids();
    assert_eq!(pids.len(), 1);
    assert!(super::gone_within(pids[0], SOON));
    role.assert_nothing_left();
}
