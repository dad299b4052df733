//! Objects that are imported, asked for over the wire.

use super::driver::{Driver, Stored};
use crate::transcript::*;
use crate::value;
use crate::value::Value;

async fn import(driver: &Driver, id: &str, identity: Option<Encoded>) -> ImportResourceStateResponse {
    let request = ImportResourceStateRequest {
        type_name: driver.type_name.clone(),
        id: id.to_owned(),
        capabilities: None,
        identity,
    };
    let asked = driver.carried(AnyCall::ImportResourceState(Call::unanswered(request))).await;
    let AnyCall::ImportResourceState(Call { outcome: Ok(response), .. }) = asked else {
        panic!("{:?}", asked.failure())
    };
    response
}

fn made(driver: &Driver) -> Stored {
    driver.bring_to(None, &driver.config(value!({ name: "web" })))
}

fn id_of(stored: &Stored) -> &str {
    stored.state.attribute("id").and_then(Value::as_str).unwrap()
}

#[tokio::test]
async fn an_object_is_imported_by_its_id_as_it_is_read() {
    for protocol in [5, 6] {
        let driver = Driver::new(protocol, "reference_plain");
        let made = made(&driver);
        let response = import(&driver, id_of(&made), None).await;
        let [imported] = &response.imported_resources[..] else { panic!("{:?}", response.diagnostics) };
        let stored = Stored {
            state: imported.state.value().unwrap().clone(),
            private: imported.private.clone(),
            identity: imported.identity.clone(),
        };
        let read = driver.read(&stored).expect("what is imported exists");
        assert_eq!((&read.state, &read.private), (&stored.state, &stored.private));
        assert_eq!(read.identity, stored.identity);
        assert_eq!(stored.state, made.state);
    }
}

#[tokio::test]
async fn an_identity_finds_the_same_object() {
    let driver = Driver::new(6, "reference_document");
    let made = driver.bring_to(None, &driver.config(value!({ name: "a", body: "{}" })));
    let identity = made.identity.clone().expect("the type has an identity");
    let response = import(&driver, "", Some(identity.clone())).await;
    let [imported] = &response.imported_resources[..] else { panic!("{:?}", response.diagnostics) };
    assert_eq!(imported.identity, Some(identity));
    assert_eq!(imported.state.value().unwrap(), &made.state);
}

#[tokio::test]
async fn what_does_not_exist_is_not_imported() {
    let driver = Driver::new(6, "reference_plain");
    for id in ["web", ""] {
        let response = import(&driver, id, None).await;
        assert!(response.imported_resources.is_empty());
        assert!(has_errors(&response.diagnostics));
    }
}
