//! Armed faults act where they are armed, and nowhere else.

use super::driver::{Driver, unanswered};
use crate::reference::{Offered, Reference, Reply, faults};
use crate::rule::Injection;
use crate::transcript::*;
use crate::value;
use crate::value::Value;

#[test]
fn an_armed_provider_breaks_its_rule_and_only_there() {
    for (armed, want) in [
        ("plan/fills-what-is-not-computed", true),
        ("plan/fills-what-is-not-computed@reference_pl*", true),
        ("plan/fills-what-is-not-computed@reference_plain.a", true),
        ("plan/fills-what-is-not-computed@reference_plain.b", false),
        ("plan/fills-what-is-not-computed@reference_document", false),
    ] {
        let driver = Driver::armed(6, "reference_plain", &[armed]);
        let config = driver.config(value!({ name: "a" }));
        let planned = driver.plan(None, &config).planned_state.value().unwrap().clone();
        assert_eq!(planned.member("note") == Value::string("filled"), want, "{armed}");
        let stored = driver.bring_to(None, &config);
        assert_eq!(stored.state.member("note") == Value::string("filled"), want, "{armed}");
        assert_eq!(driver.read(&stored).unwrap().state, stored.state);
    }
}

#[test]
fn a_counting_provider_counts_in_each_process_and_its_control_does_not() {
    for (armed, same) in [("plan/counts-calls", false), ("plan/forgets-to-count", true)] {
        let driver = Driver::armed(6, "reference_everything", &[armed]);
        let config = driver.config(value!({ name: "a" }));
        let revisions: Vec<Value> = (0..3)
            .map(|_| driver.plan(None, &config).planned_state.value().unwrap().member("revision"))
            .collect();
        assert!(revisions.iter().all(Value::is_set));
        assert_eq!(revisions.windows(2).all(|pair| pair[0] == pair[1]), same, "{revisions:?}");
    }
}

#[test]
fn every_fault_can_be_armed_in_both_protocols() {
    for fault in faults() {
        for protocol in [5, 6] {
            let folder = tempfile::tempdir().unwrap();
            let armed = vec![fault.name.parse().unwrap()];
            let opened = Reference::open(Offered::Features, protocol, folder.path(), 1, armed);
            // A corrupted schema of protocol 6 may use what protocol 5 does not have.
            assert!(opened.is_ok() || protocol == 5, "{}", fault.name);
            if let (Ok(reference), Injection::Schema(_)) = (&opened, fault.injection) {
                assert!(!reference.schema().resources.is_empty());
            }
        }
    }
}

#[test]
fn requests_are_counted_by_process() {
    let driver = Driver::new(6, "reference_plain");
    for _ in 0..4 {
        let call = Call { request: GetProviderSchemaRequest {}, outcome: unanswered() };
        let (answered, reply) = driver.call(AnyCall::GetProviderSchema(call));
        assert_eq!(reply, Reply::Answered);
        assert!(answered.succeeded());
    }
    let requests = driver.reference().requests().unwrap();
    assert_eq!(requests.len(), 2);
    assert!(requests.values().all(|counts| counts["GetProviderSchema"] == 2));
}
