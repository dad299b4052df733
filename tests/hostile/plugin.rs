//! The roles that this program plays as a child process.

use std::io::{Read as _, Write as _};
use std::os::unix::net::UnixListener;
use std::process::{Command, ExitCode, Stdio};
use std::sync::Arc;
use std::time::Duration;
use std::{env, fs, io, process, thread};

use bytes::Bytes;
use nix::sys::signal::{Signal, raise};
use tfconform::calls::{Protocol, Rpc};
use tfconform::process::Address;
use tfconform::provider::handler::{Handler, MakeHandler};
use tfconform::provider::handshake;
use tfconform::provider::launch::Launch;
use tfconform::provider::serve::{Server, serve_debug, serve_plugin};
use tfconform::provider::status::{Code, Status};
use tfconform::provider::tls::Identity;
use tfconform::provider::transport::Transport as _;

/// The role of this process; unset for the trials themselves.
pub const MODE: &str = "TFCONFORM_TEST_ROLE";
/// A file to which every role appends its PID.
pub const PID_FILE: &str = "TFCONFORM_TEST_PIDS";

pub fn mode() -> Option<String> {
    env::var(MODE).ok()
}

pub fn run(mode: &str) -> ExitCode {
    if let Some(file) = env::var_os(PID_FILE) {
        let mut pids = fs::OpenOptions::new().create(true).append(true).open(file);
        writeln!(pids.as_mut().unwrap(), "{}", process::id()).unwrap();
    }
    match mode {
        "help" => println!("usage: frobnicate [OPTION]… FILE\n\nFrobnicates FILE."),
        "empty-line" => println!(),
        "nothing" => {}
        "exit-3" => {
            eprintln!("config.ini: no such file");
            return ExitCode::from(3);
        }
        "hang" => sleep_for_ever(),
        "hang-with-children" => {
            // Also holds the pipes open.
            let mut child = Command::new("/bin/sleep").arg("1000").spawn().unwrap();
            let file = env::var_os(PID_FILE).unwrap();
            let mut pids = fs::OpenOptions::new().append(true).open(file).unwrap();
            writeln!(pids, "{}", child.id()).unwrap();
            child.wait().unwrap();
        }
        "mute" => {
            // Closes stdout and keeps running.
            // SAFETY: nothing else uses the descriptor afterwards.
            unsafe { libc::close(1) };
            sleep_for_ever();
        }
        "flood-stdout" => loop {
            if io::stdout().write_all(&[b'x'; 4096]).is_err() {
                sleep_for_ever();
            }
        },
        "flood-stderr" => {
            let line = [b"a very long story, told line by line\n".as_slice(); 1000].concat();
            (0..1000).for_each(|_| io::stderr().write_all(&line).unwrap());
            return ExitCode::from(4);
        }
        "other-cookie" => {
            eprintln!("This binary is a plugin. These are not meant to be executed directly.");
            return ExitCode::from(1);
        }
        "line" => {
            print!("{}", env::var("LINE").unwrap());
            io::stdout().flush().unwrap();
            sleep_for_ever();
        }
        "truncated" => print!("1|6|unix"),
        "unasked-certificate" => announce(Some(Identity::generate().unwrap().der())),
        "no-certificate" => announce(Some(&[7; 100])),
        "plaintext-behind-certificate" => {
            announce(Some(Identity::generate().unwrap().der()));
        }
        "other-certificate" => return other_certificate(),
        "parent" => parent(),
        "serve" => return serve_plugin(&server(), &obedient()),
        "serve-5" => {
            let protocols = vec![Protocol::V5];
            return serve_plugin(&Server { protocols, ..server() }, &obedient());
        }
        "serve-tcp" => {
            let tcp = true;
            return serve_plugin(&Server { tcp, ..server() }, &obedient());
        }
        "debug" => return serve_debug(&server(), "tfconform/test", &obedient()),
        other => panic!("no role {other}"),
    }
    ExitCode::SUCCESS
}

fn sleep_for_ever() -> ! {
    loop {
        thread::sleep(Duration::from_secs(1000));
    }
}

fn print_line(line: &str) {
    println!("{line}");
    io::stdout().flush().unwrap();
}

/// Announces a socket with that certificate and answers in plaintext nonsense.
fn announce(certificate: Option<&[u8]>) {
    let path = env::temp_dir().join(format!("p{}", process::id()));
    let dir = env::var_os(handshake::SOCKET_DIR).map_or(path.clone(), |dir| dir.into());
    let path = dir.join("socket");
    let listener = UnixListener::bind(&path).unwrap();
    print_line(&handshake::announce(Protocol::V6, &Address::Unix(path), certificate));
    for mut stream in listener.incoming().flatten() {
        let _ = stream.write_all(b"HTTP/1.1 400 Bad Request\r\n\r\n");
        let _ = stream.read(&mut [0; 1024]);
    }
}

/// A server that presents a different certificate than it announces: the real one is started as a
/// child, and its line is rewritten.
fn other_certificate() -> ExitCode {
    let mut child =
        Command::new(env::current_exe().unwrap()).env(MODE, "serve").stdout(Stdio::piped()).spawn().unwrap();
    let mut line = String::new();
    let mut stdout = io::BufReader::new(child.stdout.take().unwrap());
    io::BufRead::read_line(&mut stdout, &mut line).unwrap();
    let announced = handshake::parse(&line, &Protocol::ALL).unwrap();
    let stranger = Identity::generate().unwrap();
    print_line(&handshake::announce(announced.protocol, &announced.address, Some(stranger.der())));
    let _ = child.wait();
    ExitCode::SUCCESS
}

/// A harness that starts a provider, freezes it so that it cannot notice anything itself, and waits
/// to be killed.
fn parent() {
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let _process = runtime.block_on(async {
        let mut launch = Launch::new(env::current_exe().unwrap());
        launch.env =
            [MODE, PID_FILE].into_iter().filter_map(|name| Some((name.into(), env::var_os(name)?))).collect();
        launch.env.insert(MODE.into(), "serve".into());
        let process = launch.start().await.unwrap();
        let stop = process.call(Rpc::CallFunction, Bytes::from_static(b"freeze"));
        let _ = tokio::time::timeout(Duration::from_millis(300), stop).await;
        println!("{}", process.pid());
        process
    });
    sleep_for_ever();
}

fn server() -> Server {
    Server { max_message: 1 << 30, ..Server::default() }
}

fn obedient() -> MakeHandler {
    Arc::new(|protocol| Arc::new(Obedient(protocol)))
}

/// A provider with an empty schema that does what the bytes of its
/// `CallFunction` tell it to.
struct Obedient(Protocol);

impl Handler for Obedient {
    fn call(&self, rpc: Rpc, request: Bytes) -> Result<Bytes, Status> {
        match rpc {
            // `provider` and its block, both empty.
            Rpc::GetProviderSchema => Ok(Bytes::from_static(&[0x0a, 0x02, 0x12, 0x00])),
            Rpc::StopProvider => Ok(Bytes::new()),
            Rpc::CallFunction => self.obey(std::str::from_utf8(&request).unwrap()),
            _ => Err(Status::unimplemented(rpc)),
        }
    }

    fn server_stream(
        &self,
        rpc: Rpc,
        request: Bytes,
        answer: &mut dyn FnMut(Bytes) -> bool,
    ) -> Result<(), Status> {
        match rpc {
            Rpc::ListResource => {
                let n = request.len();
                (0..n).take_while(|n| answer(Bytes::from(vec![1; *n]))).count();
                Err(Status::new(Code::DataLoss, "the rest is missing"))
            }
            Rpc::InvokeAction => {
                answer(Bytes::from_static(b"one"));
                sleep_for_ever()
            }
            _ => Err(Status::unimplemented(rpc)),
        }
    }

    fn client_stream(&self, _rpc: Rpc, requests: Vec<Bytes>) -> Result<Bytes, Status> {
        Ok(requests.concat().into())
    }
}

impl Obedient {
    fn obey(&self, command: &str) -> Result<Bytes, Status> {
        match command {
            "protocol" => return Ok(Bytes::from(self.0.to_string())),
            "environment" => {
                let names = env::vars().map(|(name, _)| name);
                return Ok(names.collect::<Vec<_>>().join(" ").into());
            }
            "die" => process::exit(7),
            "hang" => sleep_for_ever(),
            "be-slow" => thread::sleep(Duration::from_millis(600)),
            "freeze" => raise(Signal::SIGSTOP).unwrap(),
            "large" => return Ok(vec![b'x'; 300_000_000].into()),
            "long-message" => return Err(Status::new(Code::Internal, "m".repeat(1 << 20))),
            "huge-message" => return Err(Status::new(Code::Internal, "m".repeat(32 << 20))),
            "go-panic" => {
                eprint!(
                    "panic: assignment to entry in nil map\n\n\
                     goroutine 21 [running]:\n\
                     github.com/acme/terraform-provider-acme/internal.(*bucket).Read(0x0)\n\
                     \t/src/internal/bucket.go:42 +0x1d\n"
                );
                process::exit(2);
            }
            "log" => eprintln!("{{\"@message\":5}}"),
            "chatter" => {
                let noise = vec![b'x'; 1 << 20];
                io::stdout().write_all(&noise).unwrap();
                io::stderr().write_all(&noise).unwrap();
            }
            _ => {}
        }
        Ok(Bytes::copy_from_slice(command.as_bytes()))
    }
}
