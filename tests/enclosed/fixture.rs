//! The roles that this program plays inside a sandbox, and around one.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::net::UnixStream;
use std::os::unix::process::CommandExt as _;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs, io, thread};

use bytes::Bytes;
use nix::sys::signal::{Signal, raise};
use tfconform::calls::Rpc;
use tfconform::provider::handler::{Handler, MakeHandler};
use tfconform::provider::serve::{Server, serve_plugin};
use tfconform::provider::status::Status;
use tfconform::sandbox::Openness;

use super::{Enclosed, us};

/// The role of this process; unset for the trials themselves.
pub const MODE: &str = "TFCONFORM_TEST_ROLE";
/// If it is set, the sandbox that this process starts leaves everything open.
pub const OPEN: &str = "TFCONFORM_TEST_OPEN";
/// The argument of the role.
pub const ARGUMENT: &str = "TFCONFORM_TEST_ARGUMENT";

pub fn mode() -> Option<String> {
    env::var(MODE).ok()
}

pub fn run(mode: &str) -> ExitCode {
    let argument = env::var(ARGUMENT).unwrap_or_default();
    match mode {
        "reach" => argument.lines().for_each(reach),
        "exit" => return ExitCode::from(argument.parse::<u8>().unwrap()),
        "raise" => raise(argument.parse::<Signal>().unwrap()).unwrap(),
        "echo" => {
            io::copy(&mut io::stdin(), &mut io::stdout()).unwrap();
            eprint!("{argument}");
        }
        "sleep" => sleep_for_ever(),
        "daemon" => daemon(&argument),
        "mock" => mock(&argument),
        "whoami" => {
            let host = nix::unistd::gethostname().unwrap();
            println!("{} {}", host.display(), env::current_dir().unwrap().display());
        }
        "environment" => env::vars().for_each(|(name, _)| println!("{name}")),
        "serve" => return serve(false),
        "serve-tcp" => return serve(true),
        "harness" => harness(&argument),
        "closure" => {
            let enclosed = asked_for();
            println!("{:#?}", enclosed.sandbox.isolation());
            println!("closed: {}", enclosed.sandbox.is_closed());
            println!("runs: {}", enclosed.run("exit", "3").status);
        }
        "without-user-namespaces" => return nested(&argument, true),
        "without-namespaces" => return nested(&argument, false),
        other => panic!("no role {other}"),
    }
    ExitCode::SUCCESS
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1000));
    }
}

/// Tries one action and prints the outcome.
fn reach(action: &str) {
    let (verb, target) = action.split_once(' ').unwrap();
    let limit = Duration::from_secs(1);
    let result: io::Result<String> = match verb {
        "tcp" => TcpStream::connect_timeout(&target.parse().unwrap(), limit).map(|_| String::new()),
        "unix" => UnixStream::connect(target).map(|_| String::new()),
        "read" => fs::read_to_string(target),
        "write" => fs::write(target, "written").map(|()| String::new()),
        "append" => {
            let file = fs::OpenOptions::new().append(true).open(target);
            file.and_then(|mut file| file.write_all(b"more")).map(|()| String::new())
        }
        "listen" => {
            let listener = TcpListener::bind(target).unwrap();
            let address = listener.local_addr().unwrap();
            TcpStream::connect_timeout(&address, limit).map(|_| String::new())
        }
        _ => panic!("no action {verb}"),
    };
    match result {
        Ok(text) => println!("{verb}: done {text}"),
        Err(error) => println!("{verb}: {}", error.kind()),
    }
}

/// Leaves a process behind that cannot be found by group, session or parent.
fn daemon(token: &str) {
    let mut command = Command::new("/bin/sh");
    // The intermediate shell exits at once.
    command.args(["-c", "sleep 1000 & exit 0", token]).env(ARGUMENT, token);
    command.stdin(Stdio::null()).stdout(Stdio::null()).stderr(Stdio::null());
    // SAFETY: the call only creates a session.
    unsafe {
        command.pre_exec(|| Ok(nix::unistd::setsid().map(drop)?));
    }
    command.status().unwrap();
}

/// A mock API: gives every client the same answer.
fn mock(port: &str) {
    let listener = TcpListener::bind(format!("127.0.0.1:{port}")).unwrap();
    println!("listening on {port}");
    for mut stream in listener.incoming().flatten() {
        let _ = stream.write_all(b"hello from the mock");
    }
}

/// A sandbox as the environment asks for it.
fn asked_for() -> Enclosed {
    Enclosed::with(|config| {
        if env::var_os(OPEN).is_some() {
            config.open = Openness::Everything;
        }
    })
}

/// A harness with a sandbox full of processes that waits to be killed.
fn harness(token: &str) {
    let enclosed = asked_for();
    let env = enclosed.role("sleep", token);
    let ready = tfconform::sandbox::Ready::After(Duration::ZERO);
    let _service = enclosed.sandbox.start_service(&us(), &env, &ready, super::LIMIT).unwrap();
    assert_eq!(enclosed.run("daemon", token).status.to_string(), "exit code 0");
    println!("{}", enclosed.scratch.path().display());
    io::stdout().flush().unwrap();
    let _ = io::stdin().read(&mut [0]);
    sleep_for_ever();
}

/// Plays another role without access to user namespaces: as root, who can still create the others,
/// or as an ordinary user.
fn nested(mode: &str, root: bool) -> ExitCode {
    use nix::sched::{CloneFlags, unshare};
    let (user, group) = (nix::unistd::geteuid(), nix::unistd::getegid());
    unshare(CloneFlags::CLONE_NEWUSER).unwrap();
    fs::write("/proc/self/setgroups", "deny").unwrap();
    fs::write("/proc/self/gid_map", format!("0 {group} 1")).unwrap();
    fs::write("/proc/self/uid_map", format!("0 {user} 1")).unwrap();
    fs::write("/proc/sys/user/max_user_namespaces", "0").unwrap();
    if !root {
        for power in 0..64 {
            // SAFETY: the call only takes numbers; it fails for capabilities that do not exist.
            unsafe { libc::prctl(libc::PR_CAPBSET_DROP, power, 0, 0, 0) };
        }
    }
    let error = Command::new(env::current_exe().unwrap()).env(MODE, mode).exec();
    panic!("{error}")
}

fn serve(tcp: bool) -> ExitCode {
    let server = Server { tcp, ..Server::default() };
    let make: MakeHandler = Arc::new(|_| Arc::new(Bare));
    serve_plugin(&server, &make)
}

/// A provider with an empty schema.
struct Bare;

impl Handler for Bare {
    fn call(&self, rpc: Rpc, _request: Bytes) -> Result<Bytes, Status> {
        match rpc {
            // `provider` and its block, both empty.
            Rpc::GetProviderSchema => Ok(Bytes::from_static(&[0x0a, 0x02, 0x12, 0x00])),
            _ => Err(Status::unimplemented(rpc)),
        }
    }
}
