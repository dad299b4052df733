//! Providers inside a sandbox, called from outside.

use std::env;
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use bytes::Bytes;
use libtest_mimic::Trial;
use tempfile::TempDir;
use tfconform::calls::Rpc;
use tfconform::provider::launch::Launch;
use tfconform::provider::transport::Transport as _;
use tfconform::sandbox::{Sandbox, SandboxConfig};
use tfconform::transcript::ExitKind;

use super::{Enclosed, trial, trial_with, us};

pub fn trials(closed: &Result<(), String>) -> Vec<Trial> {
    let time = || time().ok_or_else(|| "needs terraform-provider-time in $TFCONFORM_PROVIDERS".to_owned());
    let time = closed.clone().and_then(|()| time());
    vec![
        trial("plugin/answers_over_a_socket_file", || answers("serve")),
        trial("plugin/answers_over_tcp", || answers("serve-tcp")),
        trial("plugin/answers_from_a_folder_with_a_long_path", || long_path(false)),
        trial("plugin/answers_from_a_folder_with_a_long_path_without_namespaces", || long_path(true)),
        trial("plugin/that_is_no_program_is_refused", no_program),
        trial_with("plugin/time_runs_closed", time, |time| time_runs(&time)),
    ]
}

fn time() -> Option<PathBuf> {
    let named = env::var_os("TFCONFORM_PROVIDERS");
    let folders = named.map(|folders| env::split_paths(&folders).collect::<Vec<_>>());
    let target = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/providers");
    let mut folders = folders.unwrap_or_else(|| vec![target]).into_iter();
    folders.find_map(|folder| {
        let file = folder.join("terraform-provider-time");
        file.is_file().then_some(file)
    })
}

/// Starts a provider in a sandbox, calls it, and ends it.
fn call(enclosed: Enclosed, launch: Launch) -> Bytes {
    let Enclosed { sandbox, scratch } = enclosed;
    let sandbox: Arc<Sandbox> = Arc::new(sandbox);
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let answer = runtime.block_on(async {
        let process = launch.start_with(sandbox.clone()).await.unwrap_or_else(|error| panic!("{error}"));
        let answer = process.call(Rpc::GetProviderSchema, Bytes::new()).await.unwrap();
        // The PID is the one out here, although it has another inside.
        assert!(process.usage().peak_memory.is_some());
        let ended = process.close().await;
        assert_eq!((ended.exit, ended.killed), (ExitKind::Code(0), false));
        assert!(ended.usage.cpu.is_some());
        assert!(ended.took < Duration::from_secs(1), "{:?}", ended.took);
        answer
    });
    drop(sandbox);
    assert_nothing_left(&scratch);
    answer
}

#[track_caller]
fn assert_nothing_left(scratch: &TempDir) {
    let left = std::fs::read_dir(scratch.path()).unwrap().flatten().map(|entry| entry.file_name());
    let mut left: Vec<_> = left.collect();
    left.sort();
    left.retain(|name| name != "home" && name != "tmp");
    assert!(left.is_empty(), "{left:?}");
}

fn answers(mode: &str) {
    for tls in [true, false] {
        let enclosed = Enclosed::new();
        let mut launch = Launch::new(&us()[0]);
        launch.tls = tls;
        launch.env = enclosed.role(mode, "");
        assert_eq!(call(enclosed, launch), [0x0a, 0x02, 0x12, 0x00].as_slice());
    }
}

/// Longer than the address of a socket may be.
fn long_path(open: bool) {
    let folder = tempfile::tempdir().unwrap();
    let long = folder.path().join("x".repeat(100));
    std::fs::create_dir(&long).unwrap();
    let scratch = tempfile::tempdir_in(&long).unwrap();
    let config = SandboxConfig::new(scratch.path());
    let sandbox = if open { config.start_open() } else { config.start() };
    let enclosed = Enclosed { sandbox: sandbox.unwrap(), scratch };
    let mut launch = Launch::new(&us()[0]);
    launch.env = enclosed.role("serve", "");
    assert_eq!(call(enclosed, launch), [0x0a, 0x02, 0x12, 0x00].as_slice());
}

fn no_program() {
    let enclosed = Enclosed::new();
    let sandbox = Arc::new(enclosed.sandbox);
    let text = enclosed.scratch.path().join("text");
    std::fs::write(&text, "no program").unwrap();
    let runtime = tokio::runtime::Runtime::new().unwrap();
    let refusal = |program: &Path| {
        let started = runtime.block_on(Launch::new(program).start_with(sandbox.clone()));
        started.err().unwrap().to_string()
    };
    let missing = refusal(Path::new("/nowhere/provider"));
    assert!(missing.contains("No such file or directory"), "{missing}");
    let unexecutable = refusal(&text);
    assert!(unexecutable.contains("Permission denied"), "{unexecutable}");
}

fn time_runs(time: &Path) {
    let enclosed = Enclosed::with(|config| config.program_dirs = vec![time.parent().unwrap().into()]);
    assert!(enclosed.sandbox.is_closed());
    let mut launch = Launch::new(time);
    launch.env = enclosed.sandbox.environment(&Default::default());
    let schema = call(enclosed, launch);
    let name = b"time_rotating";
    assert!(schema.windows(name.len()).any(|window| window == name));
}
