//! The process in between: starts what the sandbox asks for, reaps everything, and kills all of it
//! when it exits.
//!
//! It has one thread, which Linux requires for entering namespaces, and which lets a child be
//! killed with its parent.

use std::env;
use std::io;
use std::os::fd::{FromRawFd as _, RawFd};
use std::os::unix::net::UnixStream;

use nix::unistd::Pid;

#[cfg(target_os = "linux")]
use super::group::{ControlGroup, Membership};
use super::ipc::{Entered, Plan, Report, receive, retry, send};
#[cfg(target_os = "linux")]
use super::namespaces::{self, Settled};
use super::orders::{Supervisor, Surroundings};
use super::probe::{self, Findings};
use super::role::FD;
use crate::process::User;

/// Serves one sandbox until it is gone; returns an exit code.
pub fn main() -> i32 {
    let Some(socket) = inherited() else {
        eprintln!("this role is started by a sandbox and cannot be run by hand");
        return 2;
    };
    // Fails only if we already lead a group, which is just as good.
    let _ = nix::unistd::setsid();
    #[cfg(target_os = "linux")]
    super::namespaces::close_on_exec();
    match receive::<Plan>(&socket) {
        Ok(Some((plan, _))) if plan.enclose => enclosed(socket, plan),
        Ok(Some((plan, _))) => guarded(socket, &plan),
        _ => 1,
    }
}

/// The end of the socket pair that we were started with.
fn inherited() -> Option<UnixStream> {
    let fd: RawFd = env::var(FD).ok()?.parse().ok()?;
    // SAFETY: our parent passed us the descriptor, and nothing else uses it.
    let socket = unsafe { UnixStream::from_raw_fd(fd) };
    let flags = nix::fcntl::FcntlArg::F_SETFD(nix::fcntl::FdFlag::FD_CLOEXEC);
    nix::fcntl::fcntl(&socket, flags).ok()?;
    Some(socket)
}

#[cfg(not(target_os = "linux"))]
fn enclosed(socket: UnixStream, _plan: Plan) -> i32 {
    refuse(&socket, "this system has no namespaces".to_owned(), true)
}

/// Enters namespaces, which splits us in two: one process outside that waits, and one inside that
/// serves as the first process of its namespace.
#[cfg(target_os = "linux")]
fn enclosed(socket: UnixStream, plan: Plan) -> i32 {
    // Made and removed from outside, where its folder can be seen.
    let (made, group) = plan.limits.and_then(ControlGroup::make).unzip();
    if let Err(why) = namespaces::leave(plan.open) {
        return refuse(&socket, why, true);
    }
    // SAFETY: there is no other thread whose locks could be left held.
    match unsafe { nix::unistd::fork() } {
        Err(error) => {
            refuse(&socket, format!("no process can be started in a new PID namespace: {error}"), false)
        }
        Ok(nix::unistd::ForkResult::Parent { child }) => {
            // Only the other process talks to the sandbox.
            drop((socket, group));
            let code = wait_for(child);
            drop(made);
            code
        }
        Ok(nix::unistd::ForkResult::Child) => {
            // The other process removes it.
            std::mem::forget(made);
            inside(&socket, plan, group)
        }
    }
}

/// Serves as the first process of the new namespaces.
#[cfg(target_os = "linux")]
fn inside(socket: &UnixStream, mut plan: Plan, group: Option<Membership>) -> i32 {
    let Settled { user, gaps } = match namespaces::settle(&plan) {
        Ok(settled) => settled,
        Err(why) => return refuse(socket, why, false),
    };
    if let Some(targets) = &mut plan.targets {
        targets.other_user = user.is_some();
    }
    let findings = Findings { sockets: gaps.sockets, ..Findings::default() };
    let user_ids = user.map(|User { user, group }| (user, group));
    let entered = Entered { findings, shortcomings: gaps.shortcomings, user: user_ids };
    serve(socket, &plan, entered, Surroundings { user, group, ..Surroundings::default() })
}

/// Serves without namespaces. Splits us in two as well: whichever process is killed, the other ends
/// everything that was started.
#[cfg(target_os = "linux")]
fn guarded(socket: UnixStream, plan: &Plan) -> i32 {
    use super::descendants::kill_descendants;
    let Ok((guard, held)) = io::pipe() else { return 1 };
    // What the other one leaves behind becomes our own child.
    if nix::sys::prctl::set_child_subreaper(true).is_err() {
        return 1;
    }
    let (made, group) = plan.limits.and_then(ControlGroup::make).unzip();
    // SAFETY: there is no other thread whose locks could be left held.
    match unsafe { nix::unistd::fork() } {
        Err(error) => refuse(&socket, error.to_string(), false),
        Ok(nix::unistd::ForkResult::Parent { child }) => {
            drop((socket, guard, group));
            let code = wait_for(child);
            kill_descendants();
            drop((held, made));
            code
        }
        Ok(nix::unistd::ForkResult::Child) => {
            drop(held);
            // The other process removes it.
            std::mem::forget(made);
            // A signal to the group of the one is not for the other.
            let _ = nix::unistd::setsid();
            let guard = Some(guard.into());
            serve(&socket, plan, Entered::default(), Surroundings { guard, group, ..Surroundings::default() })
        }
    }
}

#[cfg(not(target_os = "linux"))]
fn guarded(socket: UnixStream, plan: &Plan) -> i32 {
    serve(&socket, plan, Entered::default(), Surroundings::default())
}

#[cfg(target_os = "linux")]
fn wait_for(child: Pid) -> i32 {
    use nix::sys::wait::{WaitStatus, waitpid};
    match retry(|| waitpid(child, None)) {
        Ok(WaitStatus::Exited(_, code)) => code,
        _ => 1,
    }
}

fn refuse(socket: &UnixStream, why: String, lasting: bool) -> i32 {
    // If the sandbox is gone, nobody is waiting for the answer.
    let _ = send(socket, &Report::Refused { why, lasting }, &[]);
    1
}

fn serve(socket: &UnixStream, plan: &Plan, mut entered: Entered, around: Surroundings) -> i32 {
    let result = Supervisor::new(socket, plan, around).and_then(|mut supervisor| {
        if let Some(targets) = &plan.targets {
            let findings = probe::run(targets, &plan.scratch, &supervisor.confinement)?;
            entered.findings = findings.with_sockets(std::mem::take(&mut entered.findings.sockets));
        }
        send(socket, &Report::Entered(Box::new(entered)), &[])?;
        let served = supervisor.serve();
        supervisor.end();
        served
    });
    match result {
        Ok(()) => 0,
        Err(error) => refuse(socket, error.to_string(), false),
    }
}
