//! Old states become new ones, from the stored state alone.

use super::driver::Driver;
use crate::value;
use crate::value::state_json;

const OLDEST: &str = r#"{"id":"x","title":"a","size":"12","tags":["k=v","w"],"gone":{"b":1},"note":null}"#;

#[test]
fn every_version_is_upgraded_in_one_call_and_a_second_changes_nothing() {
    for protocol in [5, 6] {
        let driver = Driver::new(protocol, "reference_versioned");
        let upgraded = driver.upgrade(0, OLDEST).unwrap();
        let want = driver.config(value!({ id: "x", name: "a", size: 12, tags: { k: "v", w: "" } }));
        assert_eq!(upgraded, want);
        let json = state_json::encode(&upgraded, driver.schema().implied_type()).unwrap();
        assert_eq!(driver.upgrade(2, &json).unwrap(), upgraded);
        let newer = OLDEST.replace("title", "name").replace("\"12\"", "12");
        assert_eq!(driver.upgrade(1, &newer).unwrap(), upgraded);
        assert_eq!(driver.upgrade(0, OLDEST).unwrap(), upgraded);
        assert!(
            driver
                .read(&super::driver::Stored { state: upgraded, private: Default::default(), identity: None })
                .is_none()
        );
    }
}

#[test]
fn what_is_not_a_state_is_refused() {
    let driver = Driver::new(6, "reference_versioned");
    for (version, json) in
        [(3, "{}"), (-1, "{}"), (2, "null"), (2, ""), (2, "[]"), (2, "{\"size\":{}}"), (0, "{")]
    {
        assert!(driver.upgrade(version, json).is_err(), "version {version}: {json}");
    }
    assert_eq!(driver.upgrade(0, "{}").unwrap(), driver.schema().empty_value());
}

#[test]
fn a_value_that_became_write_only_is_dropped() {
    let driver = Driver::new(6, "reference_secret");
    let upgraded = driver.upgrade(0, r#"{"name":"a","token":"t","holder":[{"key":"k"}]}"#).unwrap();
    assert_eq!(upgraded, driver.config(value!({ name: "a", holder: [{}] })));
}
