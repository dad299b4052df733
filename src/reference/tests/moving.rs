//! Objects that get another type, asked for over the wire.

use super::driver::{Driver, Stored};
use crate::transcript::*;
use crate::value;
use crate::value::{Value, state_json};

const LOCKER: &str = "reference_locker";
const SAFE: &str = "reference_safe";

async fn moved(driver: &Driver, stored: &Stored, from: [&str; 2]) -> MoveResourceStateResponse {
    let json = state_json::encode(&stored.state, driver.schema().implied_type()).unwrap();
    let request = MoveResourceStateRequest {
        source_provider_address: from[0].to_owned(),
        source_type_name: from[1].to_owned(),
        source_schema_version: 0,
        source_state: RawState { json: json.into(), ..RawState::default() },
        target_type_name: if from[1] == SAFE { LOCKER } else { SAFE }.to_owned(),
        source_private: stored.private.clone(),
        source_identity: RawState::default(),
        source_identity_schema_version: 0,
    };
    let asked = driver.carried(AnyCall::MoveResourceState(Call::unanswered(request))).await;
    let AnyCall::MoveResourceState(Call { outcome: Ok(response), .. }) = asked else {
        panic!("{:?}", asked.failure())
    };
    response
}

const OWN: &str = "registry.terraform.io/tfconform/reference";

#[tokio::test]
async fn an_object_is_the_same_under_its_other_name() {
    for protocol in [5, 6] {
        let mut driver = Driver::new(protocol, SAFE);
        let made = driver.bring_to(None, &driver.config(value!({ name: "web", secret: "s", token: "t" })));
        let response = moved(&driver, &made, [OWN, SAFE]).await;
        assert!(response.diagnostics.is_empty());
        let kind = response.target_identity.as_ref().unwrap().value().unwrap().member("kind");
        assert_eq!(kind, Value::string(LOCKER));
        driver.type_name = LOCKER.to_owned();
        let stored = Stored {
            state: response.target_state.value().unwrap().clone(),
            private: response.target_private.clone(),
            identity: response.target_identity.clone(),
        };
        assert_eq!(stored.state, made.state);
        let read = driver.read(&stored).expect("what was moved exists");
        assert_eq!((&read.state, &read.identity), (&stored.state, &stored.identity));
    }
}

#[tokio::test]
async fn another_source_is_refused() {
    let driver = Driver::new(6, SAFE);
    let made = driver.bring_to(None, &driver.config(value!({ name: "web" })));
    let others = [
        ["registry.terraform.io/acme/other", SAFE],
        [OWN, "reference_plain"],
        [OWN, "other_safe"],
        [OWN, ""],
    ];
    for from in others {
        let response = moved(&driver, &made, from).await;
        assert_eq!(response.diagnostics.len(), 1, "{from:?}");
        assert!(response.target_state.value().is_none_or(Value::is_null));
    }
}
