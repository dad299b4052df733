//! Providers that start well and then misbehave.

use std::time::{Duration, Instant};

use bytes::Bytes;
use libtest_mimic::Trial;
use tfconform::calls::Rpc;
use tfconform::process::Note;
use tfconform::provider::status::Code;
use tfconform::provider::transport::Transport as _;
use tfconform::transcript::ExitKind;
use tfconform::transcript::RpcFailure;
use tokio_stream::StreamExt as _;

use super::{Role, command, run, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("calls/death_is_reported_with_its_exit_code", death),
        trial("calls/go_panic_is_traced", go_panic),
        trial("calls/hang_is_ended_after_the_limit", hang),
        trial("calls/frozen_process_is_ended_after_the_limit", freeze),
        trial("calls/neighbour_of_a_stuck_call_has_its_answer", neighbour),
        trial("calls/hanging_stream_is_ended_after_the_limit", hanging_stream),
        trial("calls/answer_of_300_mb_arrives", large),
        trial("calls/answer_above_the_limit_is_refused", too_large),
        trial("calls/long_status_message_arrives", long_message),
        trial("calls/status_message_above_16_mib_breaks_the_call", huge_message),
        trial("calls/noise_does_not_block", noise),
        trial("calls/log_line_that_crashes_core_is_noted", log),
        trial("calls/frozen_process_is_killed_at_close", close_frozen),
        trial("calls/drop_kills", drop_kills),
    ]
}

fn death() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        let stuck = command(&process, "hang");
        let died = command(&process, "die");
        let (stuck, died) = tokio::join!(stuck, died);
        for failure in [stuck, died] {
            let failure = failure.unwrap_err();
            assert_eq!(failure.to_string(), "the provider process ended (exit status 7)");
        }
        let later = command(&process, "echo").await.unwrap_err();
        assert_eq!(later.to_string(), "the provider process ended (exit status 7)");
        let ended = process.close().await;
        assert_eq!((ended.exit, ended.killed), (ExitKind::Code(7), false));
    });
    role.assert_nothing_left();
}

fn go_panic() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        let failure = command(&process, "go-panic").await.unwrap_err();
        assert_eq!(
            failure.to_string(),
            "the provider process ended (exit status 2): panic: assignment to entry in nil map in \
             github.com/acme/terraform-provider-acme/internal.(*bucket).Read \
             at /src/internal/bucket.go:42"
        );
        let RpcFailure::Crashed(crash) = failure else { panic!("{failure}") };
        assert!(crash.stderr_tail.starts_with("panic: assignment"));
        let go_panic = crash.go_panic.unwrap();
        assert_eq!(go_panic.location.as_deref(), Some("/src/internal/bucket.go:42"));
    });
    role.assert_nothing_left();
}

fn hang() {
    assert_ended_after_the_limit("hang");
}

fn freeze() {
    assert_ended_after_the_limit("freeze");
}

#[track_caller]
fn assert_ended_after_the_limit(action: &str) {
    let mut role = Role::new("serve");
    role.launch.limits.call = Some(Duration::from_millis(300));
    role.launch.limits.stop = Duration::from_millis(300);
    let began = Instant::now();
    run(async {
        let process = role.start().await;
        let failure = command(&process, action).await.unwrap_err();
        assert_eq!(failure.to_string(), "no answer within 0.3 s");
        let later = command(&process, "echo").await.unwrap_err();
        let why = "killed after CallFunction gave no answer within 300ms".to_owned();
        assert_eq!(later, RpcFailure::Abandoned { why });
        let ended = process.close().await;
        assert_eq!(ended.exit, ExitKind::Signal(9));
    });
    assert!(began.elapsed() < Duration::from_secs(4));
    role.assert_nothing_left();
}

/// Calls in flight are still answered during the grace period of the stuck call.
fn neighbour() {
    let mut role = Role::new("serve");
    role.launch.limits.call = Some(Duration::from_secs(1));
    role.launch.limits.stop = Duration::from_secs(2);
    run(async {
        let process = role.start().await;
        let stuck = async {
            let failure = command(&process, "hang").await.unwrap_err();
            assert!(matches!(failure, RpcFailure::TimedOut { .. }), "{failure}");
            process.close().await;
        };
        let slow = async {
            tokio::time::sleep(Duration::from_millis(700)).await;
            command(&process, "be-slow").await
        };
        let (answer, ()) = tokio::join!(slow, stuck);
        answer.unwrap();
    });
    role.assert_nothing_left();
}

fn hanging_stream() {
    let mut role = Role::new("serve");
    role.launch.limits.call = Some(Duration::from_millis(300));
    run(async {
        let process = role.start().await;
        let answers = process.server_stream(Rpc::InvokeAction, Bytes::new()).await;
        let answers: Vec<_> = answers.unwrap().collect().await;
        assert_eq!(answers[0], Ok(Bytes::from_static(b"one")));
        assert!(matches!(answers[1], Err(RpcFailure::TimedOut { .. })));
        assert_eq!(answers.len(), 2);
    });
    role.assert_nothing_left();
}

fn large() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        let answer = command(&process, "large").await.unwrap();
        assert_eq!(answer.len(), 300_000_000);
        process.close().await;
    });
    role.assert_nothing_left();
}

fn too_large() {
    let mut role = Role::new("serve");
    role.launch.limits.message = 64 << 20;
    run(async {
        let process = role.start().await;
        let failure = command(&process, "large").await.unwrap_err();
        assert!(matches!(failure, RpcFailure::TooLarge { limit: 0x400_0000, .. }), "{failure}");
        assert_eq!(command(&process, "echo").await.unwrap(), "echo");
        process.close().await;
    });
    role.assert_nothing_left();
}

fn long_message() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        let Err(RpcFailure::Status { code, message, .. }) = command(&process, "long-message").await else {
            panic!("no status")
        };
        assert_eq!((Code::from_number(code), message.len()), (Code::Internal, 1 << 20));
        process.close().await;
    });
    role.assert_nothing_left();
}

fn huge_message() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        let failure = command(&process, "huge-message").await.unwrap_err();
        // The whole connection is abandoned, with the reason.
        assert!(matches!(failure, RpcFailure::Status { code: 14, .. }), "{failure}");
        assert!(failure.to_string().contains("too_many_continuations"), "{failure}");
        process.close().await;
    });
    role.assert_nothing_left();
}

fn noise() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        assert_eq!(command(&process, "chatter").await.unwrap(), "chatter");
        assert_eq!(command(&process, "chatter").await.unwrap(), "chatter");
        let ended = process.close().await;
        assert_eq!(ended.exit, ExitKind::Code(0));
    });
    role.assert_nothing_left();
}

fn log() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        command(&process, "log").await.unwrap();
        let ended = process.close().await;
        let note =
            Note::LogLineCrashesCore { member: "@message".into(), line: r#""{\"@message\":5}""#.into() };
        assert_eq!(ended.notes, [note]);
        assert_eq!(ended.stderr_tail, "{\"@message\":5}\n");
    });
    role.assert_nothing_left();
}

fn close_frozen() {
    let mut role = Role::new("serve");
    role.launch.limits.exit = Duration::from_millis(300);
    run(async {
        let process = role.start().await;
        let freeze = command(&process, "freeze");
        let _ = tokio::time::timeout(Duration::from_millis(200), freeze).await;
        let ended = process.close().await;
        assert_eq!((ended.exit, ended.killed), (ExitKind::Signal(9), true));
        assert_eq!(ended.notes, [Note::IgnoredShutdown]);
        assert!(ended.took >= Duration::from_millis(300));
    });
    role.assert_nothing_left();
}

fn drop_kills() {
    let role = Role::new("serve");
    run(async {
        let process = role.start().await;
        let pid = process.pid();
        drop(process);
        assert!(super::gone_within(pid.cast_signed(), Duration::from_secs(2)));
    });
    role.assert_nothing_left();
}
