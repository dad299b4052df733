//! Our own server, as a process, called by our own client and by Terraform.

use std::io::{BufRead as _, BufReader};
use std::path::PathBuf;
use std::process::{Command, Stdio};
use std::time::Duration;
use std::{env, fs};

use bytes::Bytes;
use libtest_mimic::Trial;
use tfconform::calls::{Protocol, Rpc};
use tfconform::provider::reattach;
use tfconform::provider::status::{Code, Status};
use tfconform::provider::transport::Transport as _;
use tfconform::transcript::ExitKind;
use tfconform::transcript::RpcFailure;
use tokio_stream::StreamExt as _;

use super::{Role, command, gone_within, plugin, run, trial, trial_with};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("own/speaks_both_majors_over_unix_and_tcp", every_way),
        trial("own/streams", streams),
        trial("own/unknown_calls_are_unimplemented", unknown_calls),
        trial("own/environment_is_what_was_given", environment),
        trial("own/explains_itself_without_the_cookie", no_cookie),
        trial("own/announces_its_own_major_where_none_is_common", wrong_major),
        trial("own/ends_with_its_parent", ends_with_parent),
        trial("own/reattach", reattach_own),
        trial("own/usage_is_known", usage),
        trial_with("own/terraform_accepts_it", terraform(), terraform_accepts_it),
    ]
}

fn every_way() {
    for mode in ["serve", "serve-tcp"] {
        for tls in [true, false] {
            for protocol in Protocol::ALL {
                let mut role = Role::new(mode);
                role.launch.tls = tls;
                role.launch.protocol = Some(protocol);
                run(async {
                    let process = role.start().await;
                    assert_eq!(process.protocol(), protocol);
                    let spoken = command(&process, "protocol").await.unwrap();
                    assert_eq!(spoken, protocol.to_string());
                    let ended = process.close().await;
                    assert_eq!((ended.exit, ended.killed), (ExitKind::Code(0), false));
                    assert_eq!(ended.notes, []);
                    assert!(ended.took < Duration::from_secs(1), "{:?}", ended.took);
                    let later = command(&process, "echo").await.unwrap_err();
                    assert_eq!(later.to_string(), "abandoned by the harness, because the process was closed");
                });
                role.assert_nothing_left();
            }
        }
    }
}

fn streams() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        let three = Bytes::from_static(b"123");
        let answers = process.server_stream(Rpc::ListResource, three).await;
        let answers: Vec<_> = answers.unwrap().collect().await;
        let lengths: Vec<_> = answers.iter().flatten().map(Bytes::len).collect();
        assert_eq!(lengths, [0, 1, 2]);
        assert_eq!(answers[3], Err(Status::new(Code::DataLoss, "the rest is missing").into()));
        let chunks = ["a", "b", "c"].map(Bytes::from_static_str).to_vec();
        let written = process.client_stream(Rpc::WriteStateBytes, chunks).await;
        assert_eq!(written.unwrap(), "abc");
        process.close().await;
    });
    role.assert_nothing_left();
}

trait FromStaticStr {
    fn from_static_str(text: &'static str) -> Bytes;
}

impl FromStaticStr for Bytes {
    fn from_static_str(text: &'static str) -> Bytes {
        Bytes::from_static(text.as_bytes())
    }
}

fn unknown_calls() {
    let mut role = Role::new("serve");
    role.launch.protocol = Some(Protocol::V5);
    run(async {
        let process = role.start().await;
        let unsent = process.call(Rpc::LockState, Bytes::new()).await;
        assert_eq!(unsent.unwrap_err().to_string(), "gRPC status Unimplemented: protocol 5 has no LockState");
        let refused = process.call(Rpc::GetMetadata, Bytes::new()).await;
        assert_eq!(
            refused.unwrap_err().to_string(),
            "gRPC status Unimplemented: method GetMetadata not implemented"
        );
        process.close().await;
    });
}

fn environment() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        let names = command(&process, "environment").await.unwrap();
        let names = String::from_utf8(names.to_vec()).unwrap();
        let mut names: Vec<&str> = names.split(' ').collect();
        names.sort_unstable();
        assert_eq!(
            names,
            [
                "GOGC",
                "GOMEMLIMIT",
                "PLUGIN_CLIENT_CERT",
                "PLUGIN_MAX_PORT",
                "PLUGIN_MIN_PORT",
                "PLUGIN_PROTOCOL_VERSIONS",
                "PLUGIN_UNIX_SOCKET_DIR",
                "TFCONFORM_TEST_PIDS",
                "TFCONFORM_TEST_ROLE",
                "TF_LOG_SDK",
                "TF_PLUGIN_MAGIC_COOKIE",
            ]
        );
        process.close().await;
    });
}

fn no_cookie() {
    let output =
        Command::new(env::current_exe().unwrap()).env_clear().env(plugin::MODE, "serve").output().unwrap();
    assert_eq!(output.status.code(), Some(1));
    assert_eq!(output.stdout, b"");
    assert_eq!(
        String::from_utf8(output.stderr).unwrap(),
        "this program is a provider for Terraform and OpenTofu, which start it themselves; \
         it cannot be run by hand\n"
    );
}

fn wrong_major() {
    let mut role = Role::new("serve-5");
    role.launch.protocol = Some(Protocol::V6);
    let error = role.refusal(Duration::from_secs(5)).to_string();
    assert!(error.ends_with(": the provider speaks protocol 5, not 6"), "{error}");
}

fn ends_with_parent() {
    let role = Role::new("parent");
    let mut parent = Command::new(env::current_exe().unwrap())
        .envs(&role.launch.env)
        // Nothing is left to remove the socket's folder.
        .env("TMPDIR", role.path(""))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut line = String::new();
    let mut stdout = BufReader::new(parent.stdout.take().unwrap());
    stdout.read_line(&mut line).unwrap();
    let provider: i32 = line.trim().parse().unwrap();
    assert!(!gone_within(provider, Duration::ZERO));
    // SIGKILL.
    parent.kill().unwrap();
    parent.wait().unwrap();
    // It is frozen, so only the kernel can end it.
    assert!(gone_within(provider, Duration::from_secs(5)));
}

fn reattach_own() {
    let role = Role::new("debug");
    let mut server = Command::new(env::current_exe().unwrap())
        .envs(&role.launch.env)
        .env("PLUGIN_UNIX_SOCKET_DIR", role.path("sockets"))
        .stdout(Stdio::piped())
        .spawn()
        .unwrap();
    let mut stdout = BufReader::new(server.stdout.take().unwrap());
    let mut line = String::new();
    while !line.contains(reattach::VARIABLE) {
        line.clear();
        assert_ne!(stdout.read_line(&mut line).unwrap(), 0);
    }
    let json = line.split('\'').nth(1).unwrap();
    let reattach = reattach::parse(json).unwrap().remove(0);
    assert_eq!(reattach.source, "tfconform/test");
    assert_eq!(reattach.pid, i64::from(server.id()));
    assert!(reattach.test);
    run(async {
        for _ in 0..2 {
            let limit = Some(Duration::from_secs(5));
            let provider = reattach.connect(limit, Duration::from_secs(2)).await.unwrap();
            let spoken = Bytes::from_static(b"protocol");
            let spoken = provider.call(Rpc::CallFunction, spoken).await.unwrap();
            assert_eq!(spoken, "6");
        }
        let limit = Some(Duration::from_millis(200));
        let provider = reattach.connect(limit, Duration::from_secs(2)).await.unwrap();
        let hang = Bytes::from_static(b"hang");
        let failure = provider.call(Rpc::CallFunction, hang).await.unwrap_err();
        assert!(matches!(failure, RpcFailure::TimedOut { .. }));
    });
    // It keeps running: we do not own it.
    assert!(server.try_wait().unwrap().is_none());
    server.kill().unwrap();
    server.wait().unwrap();
    let error = run(async {
        let Err(error) = reattach.connect(None, Duration::from_secs(2)).await else {
            panic!("connected to nobody")
        };
        error
    });
    let text = error.to_string();
    assert!(text.starts_with("tfconform/test: failed to connect to unix "), "{text}");
}

fn usage() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        command(&process, "large").await.unwrap();
        let living = process.usage();
        assert!(living.cpu.is_some());
        let ended = process.close().await;
        assert!(ended.usage.cpu.unwrap() > Duration::from_millis(10));
        assert!(ended.usage.peak_memory.unwrap() > 250_000_000);
    });
}

fn terraform() -> Result<PathBuf, &'static str> {
    let path = env::var_os("PATH").unwrap_or_default();
    env::split_paths(&path)
        .map(|dir| dir.join("terraform"))
        .find(|file| file.is_file())
        .ok_or("needs terraform")
}

fn terraform_accepts_it(terraform: PathBuf) {
    let role = Role::new("serve");
    let program = env::current_exe().unwrap();
    let plugins = role.path("plugins");
    fs::create_dir(&plugins).unwrap();
    std::os::unix::fs::symlink(program, plugins.join("terraform-provider-test")).unwrap();
    let rc = format!(
        "provider_installation {{\n  dev_overrides {{\n    \"tfconform/test\" = {plugins:?}\n  }}\n  direct {{}}\n}}\n"
    );
    fs::write(role.path("terraform.rc"), rc).unwrap();
    let work = role.path("work");
    fs::create_dir(&work).unwrap();
    fs::write(
        work.join("main.tf"),
        "terraform {\n  required_providers {\n    test = { source = \"tfconform/test\" }\n  }\n}\n",
    )
    .unwrap();
    for tls in [true, false] {
        let mut command = Command::new(&terraform);
        command
            .args(["providers", "schema", "-json"])
            .current_dir(&work)
            .envs(&role.launch.env)
            .env("TF_CLI_CONFIG_FILE", role.path("terraform.rc"))
            .env("CHECKPOINT_DISABLE", "1")
            .env("PLUGIN_UNIX_SOCKET_DIR", role.path("sockets"));
        if !tls {
            command.env("TF_DISABLE_PLUGIN_TLS", "1");
        }
        let began = std::time::Instant::now();
        let output = command.output().unwrap();
        let stderr = String::from_utf8_lossy(&output.stderr);
        assert!(output.status.success(), "{stderr}");
        let schema: serde_json::Value = serde_json::from_slice(&output.stdout).unwrap();
        let schema = &schema["provider_schemas"]["registry.terraform.io/tfconform/test"];
        assert_eq!(schema["provider"]["version"], 0, "{schema}");
        // A server that ignores Shutdown costs Core two seconds.
        assert!(began.elapsed() < Duration::from_secs(2));
    }
    assert!(!role.pids().is_empty());
    role.assert_nothing_left();
}
