//! Several processes and threads on one store.

use std::collections::BTreeSet;
use std::process::Command;
use std::time::Instant;

use super::driver::Driver;
use crate::reference::{Offered, Reference};
use crate::transcript::*;
use crate::value;
use crate::value::Value;

const STORE: &str = "TFCONFORM_TEST_STORE";

/// Plays whole lives against a store, and returns the ids.
fn live(store: &std::path::Path, n_lives: usize) -> Vec<String> {
    let reference = Reference::open(Offered::Features, 6, store, 1, vec![]).unwrap();
    let schema = reference.schema().resources["reference_plain"].clone();
    let ty = schema.implied_type();
    let config = value!({ name: "same" }).of(ty);
    let apply = |prior: &Value, planned: &Value, private: &[u8]| {
        let request = ApplyResourceChangeRequest {
            type_name: "reference_plain".to_owned(),
            prior_state: Encoded::of(prior.clone(), ty),
            planned_state: Encoded::of(planned.clone(), ty),
            config: Encoded::of(config.clone(), ty),
            planned_private: private.to_vec().into(),
            provider_meta: None,
            planned_identity: None,
        };
        let mut exchange = Exchange {
            id: ExchangeId(0),
            phase: Phase::Create,
            purpose: Purpose::Ordinary,
            instance: String::new(),
            process: 1,
            prior: PriorOrigin::None,
            call: AnyCall::ApplyResourceChange(Call { request, outcome: super::driver::unanswered() }),
            took: Default::default(),
        };
        reference.answer(&mut exchange);
        let AnyCall::ApplyResourceChange(Call { outcome: Ok(response), .. }) = exchange.call else {
            panic!("no answer")
        };
        assert_eq!(response.diagnostics, []);
        response
    };
    let mut planned = config.clone();
    for name in ["id", "revision"] {
        planned = planned.with_attribute(name, Value::unknown(planned.member(name).ty().clone()));
    }
    (0..n_lives)
        .map(|_| {
            let created = apply(&schema.null(), &planned, b"");
            let state = created.new_state.value().unwrap().clone();
            let updated = planned.with_attribute("id", state.member("id"));
            apply(&state, &updated, &created.private);
            apply(&state, &schema.null(), &created.private);
            state.member("id").as_str().unwrap().to_owned()
        })
        .collect()
}

#[test]
fn processes_share_a_store_and_never_an_id() {
    if let Ok(store) = std::env::var(STORE) {
        let started = Instant::now();
        let ids = live(store.as_ref(), 200);
        // Three operations per life.
        println!("\nper operation {:?}", started.elapsed() / 600);
        println!("\nids {}", ids.join(" "));
        return;
    }
    let folder = tempfile::tempdir().unwrap();
    let children: Vec<_> = (0..2)
        .map(|_| {
            Command::new(std::env::current_exe().unwrap())
                .args([
                    "--exact",
                    "reference::tests::sharing::processes_share_a_store_and_never_an_id",
                    "--nocapture",
                ])
                .env(STORE, folder.path())
                .stdout(std::process::Stdio::piped())
                .spawn()
                .unwrap()
        })
        .collect();
    let mut ids = BTreeSet::new();
    for child in children {
        let output = child.wait_with_output().unwrap();
        assert!(output.status.success());
        let text = String::from_utf8(output.stdout).unwrap();
        let line = text.lines().find_map(|line| line.strip_prefix("ids ")).expect("the child says its ids");
        ids.extend(line.split(' ').map(str::to_owned));
        println!("{}", text.lines().find(|line| line.starts_with("per operation")).unwrap_or_default());
    }
    assert_eq!(ids.len(), 400);
}

#[test]
fn threads_share_a_process() {
    let driver = Driver::new(6, "reference_plain");
    let store = driver.folder.path();
    let ids: BTreeSet<String> = std::thread::scope(|scope| {
        let threads: Vec<_> = (0..4).map(|_| scope.spawn(|| live(store, 20))).collect();
        threads.into_iter().flat_map(|thread| thread.join().unwrap()).collect()
    });
    assert_eq!(ids.len(), 80);
}

#[test]
fn a_provider_can_be_called_from_several_threads() {
    fn assert_shared<T: Send + Sync>() {}
    assert_shared::<Reference>();
}
