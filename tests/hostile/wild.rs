//! A released provider: `time`, a framework server in Go.

use std::env;
use std::path::{Path, PathBuf};
use std::time::Duration;

use bytes::Bytes;
use libtest_mimic::Trial;
use prost::Message as _;
use tfconform::calls::{Protocol, Rpc};
use tfconform::proto::{v5, v6};
use tfconform::provider::transport::Transport as _;
use tfconform::transcript::ExitKind;

use super::{Role, run, trial_with};

pub fn trials() -> Vec<Trial> {
    let time = || time().ok_or("needs terraform-provider-time in $TFCONFORM_PROVIDERS");
    vec![
        trial_with("wild/time_shows_its_schema_with_and_without_tls", time(), |time| {
            shows_its_schema(&time);
        }),
        trial_with("wild/time_is_asked_for_the_other_major", time(), |time| {
            other_major(&time);
        }),
        trial_with("wild/time_answers_many_calls_at_once", time(), |time| {
            many_calls(&time);
        }),
        trial_with("wild/time_is_gone_when_dropped", time(), |time| {
            gone_when_dropped(&time);
        }),
    ]
}

fn time() -> Option<PathBuf> {
    let named = env::var_os("TFCONFORM_PROVIDERS").unwrap_or_default();
    env::split_paths(&named)
        .chain([Path::new(env!("CARGO_MANIFEST_DIR")).join("target/providers")])
        .map(|folder| folder.join("terraform-provider-time"))
        .find(|file| file.is_file())
}

/// What `time` speaks.
const MAJOR: Protocol = Protocol::V5;

fn schema_names(protocol: Protocol, answer: Bytes) -> Vec<String> {
    match protocol {
        Protocol::V5 => {
            let schema = v5::get_provider_schema::Response::decode(answer).unwrap();
            schema.resource_schemas.into_keys().collect()
        }
        Protocol::V6 => {
            let schema = v6::get_provider_schema::Response::decode(answer).unwrap();
            schema.resource_schemas.into_keys().collect()
        }
    }
}

fn shows_its_schema(time: &Path) {
    for tls in [true, false] {
        let mut role = Role::of_program(time);
        role.launch.tls = tls;
        run(async {
            let process = role.start().await;
            let answer = process.call(Rpc::GetProviderSchema, Bytes::new()).await;
            assert_eq!(
                schema_names(process.protocol(), answer.unwrap()),
                ["time_offset", "time_rotating", "time_sleep", "time_static"]
            );
            let ended = process.close().await;
            assert_eq!((ended.exit, ended.killed), (ExitKind::Code(0), false));
            assert_eq!(ended.notes, []);
            assert!(!ended.stderr_tail.contains("trace"), "{}", ended.stderr_tail);
            assert!(ended.took < Duration::from_millis(500));
            assert!(ended.usage.peak_memory.unwrap() > 1 << 20);
        });
        role.assert_nothing_left();
    }
}

fn other_major(time: &Path) {
    let mut role = Role::of_program(time);
    role.launch.protocol = Some(MAJOR);
    run(async {
        let process = role.start().await;
        assert_eq!(process.protocol(), MAJOR);
        process.close().await;
    });
    role.launch.protocol = Some(Protocol::V6);
    let error = role.refusal(Duration::from_secs(5)).to_string();
    assert!(error.ends_with(": the provider speaks protocol 5, not 6"), "{error}");
}

fn many_calls(time: &Path) {
    let role = Role::of_program(time);
    run(async {
        let process = std::sync::Arc::new(role.start().await);
        let calls: Vec<_> = (0..500)
            .map(|_| {
                let process = std::sync::Arc::clone(&process);
                tokio::spawn(async move { process.call(Rpc::GetProviderSchema, Bytes::new()).await })
            })
            .collect();
        for call in calls {
            call.await.unwrap().unwrap();
        }
        process.close().await;
    });
    role.assert_nothing_left();
}

fn gone_when_dropped(time: &Path) {
    let role = Role::of_program(time);
    run(async {
        let process = role.start().await;
        let pid = process.pid().cast_signed();
        drop(process);
        assert!(super::gone_within(pid, Duration::from_secs(2)));
    });
    role.assert_nothing_left();
}
