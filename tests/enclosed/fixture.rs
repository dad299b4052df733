//! The roles that this program plays inside a sandbox, and around one.

use std::io::{Read as _, Write as _};
use std::net::{TcpListener, TcpStream};
use std::os::unix::fs::OpenOptionsExt as _;
use std::os::unix::net::{UnixDatagram, UnixStream};
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
        "grow" => grow(&argument),
        "side-by-side" => super::end::start_and_end(argument.parse().unwrap()),
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
        "mounted-as-root" => with_mounts(),
        "mounted-as-user" => {
            own_user_namespace(1000);
            with_mounts();
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
        "datagram" => {
            UnixDatagram::unbound().and_then(|socket| socket.connect(target)).map(|()| String::new())
        }
        "pipe" => {
            let mut options = fs::OpenOptions::new();
            options.write(true).custom_flags(libc::O_NONBLOCK).open(target).map(|_| String::new())
        }
        "kernel" => kernel(target).map(|()| String::new()),
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

/// Uses an interface of the kernel.
fn kernel(what: &str) -> io::Result<()> {
    let null = std::ptr::null::<u8>();
    let parameters = [0_u8; 128];
    // SAFETY: the calls take numbers, and memory that lives longer than they last.
    let result = unsafe {
        match what {
            "vsock" => libc::socket(libc::AF_VSOCK, libc::SOCK_STREAM, 0).into(),
            "io_uring" => libc::syscall(libc::SYS_io_uring_setup, 1, parameters.as_ptr()),
            "user" => libc::unshare(libc::CLONE_NEWUSER).into(),
            "clone" => {
                libc::syscall(libc::SYS_clone, libc::CLONE_NEWUSER | libc::SIGCHLD, null, null, null, null)
            }
            "clone3" => libc::syscall(libc::SYS_clone3, null, 0),
            // The keyring of the session.
            "keys" => libc::syscall(libc::SYS_keyctl, 0, -3, 0),
            "add-key" => libc::syscall(
                libc::SYS_add_key,
                c"user".as_ptr(),
                c"tfconform".as_ptr(),
                c"k".as_ptr(),
                1,
                -3,
            ),
            _ => panic!("no interface {what}"),
        }
    };
    match (what, result) {
        // The child of a clone that succeeds does nothing else.
        ("clone", 0) => std::process::exit(0),
        (_, 0..) => Ok(()),
        _ => Err(io::Error::last_os_error()),
    }
}

/// Uses more and more of something, for ever.
fn grow(what: &str) -> ! {
    let (mut held, mut open) = (Vec::new(), Vec::new());
    for n in 0_u64.. {
        match what {
            "processes" => {
                let child = Command::new("sleep").arg("1000").spawn();
                held.extend(child.is_err().then(Vec::new));
                thread::sleep(Duration::from_millis(1));
            }
            "memory" => held.push(vec![1_u8; 4 << 20]),
            "file" => {
                let file = fs::OpenOptions::new().append(true).create(true).open("file");
                file.unwrap().write_all(&[1; 1 << 20]).unwrap();
            }
            "scratch" => {
                fs::write(format!("file{n}"), [1; 1 << 20]).unwrap();
                thread::sleep(Duration::from_millis(1));
            }
            "files in memory" => {
                let file =
                    nix::sys::memfd::memfd_create("grown", nix::sys::memfd::MFdFlags::empty()).unwrap();
                fs::File::from(file.try_clone().unwrap()).write_all(&[1; 4 << 20]).unwrap();
                open.push(fs::File::from(file));
            }
            "deleted files" => {
                let mut file = fs::File::create("deleted").unwrap();
                fs::remove_file("deleted").unwrap();
                file.write_all(&[1; 1 << 20]).unwrap();
                open.push(file);
                thread::sleep(Duration::from_millis(1));
            }
            _ => panic!("nothing to grow: {what}"),
        }
    }
    sleep_for_ever()
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

/// Becomes that user, the only one in a new user namespace.
fn own_user_namespace(id: u32) {
    let (user, group) = (nix::unistd::geteuid(), nix::unistd::getegid());
    nix::sched::unshare(nix::sched::CloneFlags::CLONE_NEWUSER).unwrap();
    fs::write("/proc/self/setgroups", "deny").unwrap();
    fs::write("/proc/self/gid_map", format!("{id} {group} 1")).unwrap();
    fs::write("/proc/self/uid_map", format!("{id} {user} 1")).unwrap();
}

/// Starts a sandbox that shows a folder in which something is mounted.
fn with_mounts() {
    nix::sched::unshare(nix::sched::CloneFlags::CLONE_NEWNS).unwrap();
    let private = nix::mount::MsFlags::MS_REC | nix::mount::MsFlags::MS_PRIVATE;
    nix::mount::mount(None::<&str>, "/", None::<&str>, private, None::<&str>).unwrap();
    super::shown::show_mounted();
}

/// Plays another role without access to user namespaces: as root, who can still create the others,
/// or as an ordinary user.
fn nested(mode: &str, root: bool) -> ExitCode {
    own_user_namespace(0);
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
