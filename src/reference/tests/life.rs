//! Whole lives of objects of every type.

use super::driver::Driver;
use crate::reference::schema::definitions;
use crate::transcript::*;
use crate::value;
use crate::value::{Literal, Type, Value};

/// What every type requires, and one thing to change.
fn configs(type_name: &str) -> (Literal, Literal) {
    match type_name {
        "reference_document" => {
            (value!({ name: "a", body: "{\"b\": 1}" }), value!({ name: "a", body: "{\"b\": 2}", note: "n" }))
        }
        "reference_placement" => (
            value!({ name: "a", region: "north" }),
            value!({ name: "a", region: "north", labels: ["x"], rule: [{ port: 1 }, { port: 2, path: "p" }] }),
        ),
        _ => (value!({ name: "a" }), value!({ name: "a", note: "n" })),
    }
}

#[test]
fn every_type_lives_and_dies() {
    for protocol in [5, 6] {
        for type_name in definitions(protocol).keys() {
            let driver = Driver::new(protocol, type_name);
            let (first, second) = configs(type_name);
            let (first, second) = (driver.config(first), driver.config(second));
            assert_eq!(driver.validate(&first), []);
            let created = driver.bring_to(None, &first);
            assert!(created.state.is_wholly_known(), "{}", created.state);
            driver.assert_settled(&created, &first);
            let updated = driver.bring_to(Some(&created), &second);
            assert_eq!(updated.state.member("id"), created.state.member("id"));
            assert_ne!(updated.state.member("revision"), created.state.member("revision"));
            driver.assert_settled(&updated, &second);
            driver.destroy(&updated);
        }
    }
}

#[test]
fn equal_requests_in_equal_stores_get_equal_answers() {
    let live = || {
        let driver = Driver::new(6, "reference_everything");
        let config = driver.config(value!({ name: "a", rule: [{ port: 1 }, { port: 2 }] }));
        [driver.bring_to(None, &config).state, driver.bring_to(None, &config).state]
    };
    let [first, second] = live();
    assert_ne!(first.member("id"), second.member("id"));
    assert_eq!(live(), [first, second]);
}

#[test]
fn a_new_region_replaces_the_object_and_so_does_a_smaller_capacity() {
    let driver = Driver::new(6, "reference_placement");
    let config = driver.config(
        value!({ name: "a", region: "n", capacity: 5, disk: [{ size: 1 }], network: { subnet: "s" } }),
    );
    let stored = driver.bring_to(None, &config);
    for (change, want) in [
        (
            value!({ name: "a", region: "s", capacity: 5, disk: [{ size: 1 }], network: { subnet: "s" } }),
            vec!["address", "region"],
        ),
        (
            value!({ name: "a", region: "n", capacity: 6, disk: [{ size: 1 }], network: { subnet: "s" } }),
            vec![],
        ),
        (
            value!({ name: "a", region: "n", capacity: 4, disk: [{ size: 1 }], network: { subnet: "s" } }),
            vec!["capacity"],
        ),
        (
            value!({ name: "a", region: "n", capacity: 5, disk: [{ size: 2 }], network: { subnet: "s" } }),
            vec!["disk[0].size"],
        ),
        (
            value!({ name: "a", region: "n", capacity: 5, disk: [{ size: 1 }, { size: 9 }], network: { subnet: "s" } }),
            vec![],
        ),
        (
            value!({ name: "a", region: "n", capacity: 5, disk: [{ size: 1 }], network: { subnet: "t" } }),
            vec!["network.subnet"],
        ),
        (
            value!({ name: "a", region: "n", capacity: unknown, disk: [{ size: 1 }], network: { subnet: "s" } }),
            vec!["capacity"],
        ),
    ] {
        let plan = driver.plan(Some(&stored), &driver.config(change));
        let mut paths: Vec<String> =
            plan.requires_replace.iter().map(|path| path.to_path().to_string()).collect();
        paths.sort();
        assert_eq!(paths, want);
    }
}

#[test]
fn planned_values_are_kept_whoever_planned_them() {
    let driver = Driver::new(6, "reference_everything");
    let config = driver.config(value!({ name: "a", rule: [{ port: 1 }] }));
    let mut plan = driver.plan(None, &config);
    let planned = plan.planned_state.value().unwrap();
    let planned = planned
        .with_attribute("id", Value::string("chosen"))
        .with_attribute("note", Value::string("not configured"));
    plan.planned_state = Encoded::of(planned, driver.schema().implied_type());
    let response = driver.apply(None, &config, &plan);
    let state = response.new_state.value().unwrap();
    assert_eq!(state.member("id"), Value::string("chosen"));
    assert_eq!(state.member("note"), Value::string("not configured"));
    let stored = super::driver::Stored {
        state: state.clone(),
        private: Default::default(),
        identity: response.new_identity.clone(),
    };
    assert_eq!(driver.read(&stored).unwrap().state, *state, "found without private data, by its id");
}

#[test]
fn unknowns_stay_and_the_final_plan_keeps_what_was_promised() {
    let driver = Driver::new(6, "reference_everything");
    let known = driver.config(value!({ name: "a", size: 3, rule: [{ port: 1 }], disk: [{ size: 1 }] }));
    let stored = driver.bring_to(None, &known);
    let unknown = known
        .with_attribute("name", Value::unknown(Type::String))
        .with_attribute("rule", Value::unknown(known.member("rule").ty().clone()));
    assert_eq!(driver.validate(&unknown), []);
    let planned = driver.plan(Some(&stored), &unknown).planned_state.value().unwrap().clone();
    assert!(planned.member("name").is_unknown() && planned.member("rule").is_unknown());
    assert!(planned.member("revision").is_unknown() && planned.member("id").is_set());
}

#[test]
fn write_only_values_leave_no_trace() {
    for protocol in [5, 6] {
        let driver = Driver::new(protocol, "reference_secret");
        let config = driver.config(value!({ name: "a", token: "hunter2", token_version: 1, holder: [{ label: "l", key: "hunter2" }] }));
        let stored = driver.bring_to(None, &config);
        assert!(!stored.state.to_string().contains("hunter2"));
        driver.assert_settled(&stored, &config);
        let renewed = driver.config(value!({ name: "a", token: "hunter3", token_version: 2, holder: [{ label: "l", key: "hunter2" }] }));
        driver.assert_settled(&driver.bring_to(Some(&stored), &renewed), &renewed);
        for entry in
            std::fs::read_dir(driver.folder.path().join(format!("v{protocol}/reference_secret"))).unwrap()
        {
            let text = std::fs::read_to_string(entry.unwrap().path()).unwrap();
            assert!(!text.contains("hunter"), "{text}");
        }
    }
}

#[test]
fn the_spelling_of_the_configuration_is_kept() {
    let driver = Driver::new(6, "reference_document");
    let config = driver.config(value!({ name: "a", body: "{ \"b\": 1,  \"a\": 2 }", code: "AbC" }));
    let stored = driver.bring_to(None, &config);
    assert_eq!(stored.state.member("code"), Value::string("AbC"));
    driver.assert_settled(&stored, &config);
    let respelt = driver.config(value!({ name: "a", body: "{\"a\":2,\"b\":1}", code: "abc" }));
    assert_eq!(driver.plan(Some(&stored), &respelt).planned_state.value(), Some(&stored.state));
}

#[test]
fn the_legacy_type_departs_from_its_configuration_when_told_to_and_settles_anyway() {
    let config = value!({ name: "a" });
    for (armed, comment) in [
        ("apply/rewrites-planned-values@reference_legacy", Value::string("b-applied")),
        ("apply/rewrites-planned-values", Value::string("b")),
    ] {
        let driver = Driver::armed(5, "reference_legacy", &[armed]);
        let config = driver.config(config.clone()).with_attribute("comment", Value::string("b"));
        assert!(driver.plan(None, &config).legacy_type_system);
        let stored = driver.bring_to(None, &config);
        assert_eq!(stored.state.member("comment"), comment);
        driver.assert_settled(&stored, &config);
    }
}

#[test]
fn computed_values_in_a_configuration_are_refused_at_any_depth() {
    let driver = Driver::new(6, "reference_everything");
    for config in [
        value!({ name: "a", id: "x" }),
        value!({ name: "a", rule: [{ port: 1, id: "x" }] }),
        value!({ name: "a", chosen: [{ token_id: "x" }] }),
        value!({ name: "a", status: { phase: "x" } }),
        value!({ name: "a", keyed: [null] }),
    ] {
        assert_eq!(driver.validate(&driver.config(config.clone())).len(), 1, "{config:?}");
    }
    let everything =
        value!({ name: unknown, size: unknown, rule: unknown, disk: [{ size: unknown }], single: unknown });
    assert_eq!(driver.validate(&driver.config(everything)), []);
}

#[test]
fn bad_requests_are_errors() {
    let driver = Driver::new(6, "reference_plain");
    let request = ValidateResourceConfigRequest {
        type_name: "reference_nothing".to_owned(),
        config: Encoded::received(None),
        capabilities: None,
    };
    let call = AnyCall::ValidateResourceConfig(Call { request, outcome: super::driver::unanswered() });
    assert!(has_errors(driver.call(call).0.diagnostics()));
    let garbage =
        Encoded::received(Some(DynamicValue { msgpack: b"\xc1"[..].into(), json: Default::default() }));
    for type_name in ["reference_plain", "reference_nothing"] {
        let request = ReadDataSourceRequest {
            type_name: "reference_echo".to_owned(),
            config: garbage.clone(),
            provider_meta: None,
            capabilities: None,
        };
        assert!(has_errors(
            driver
                .call(AnyCall::ReadDataSource(Call { request, outcome: super::driver::unanswered() }))
                .0
                .diagnostics()
        ));
        let request = ApplyResourceChangeRequest {
            type_name: type_name.to_owned(),
            prior_state: garbage.clone(),
            planned_state: garbage.clone(),
            config: garbage.clone(),
            planned_private: b"not ours"[..].into(),
            provider_meta: None,
            planned_identity: None,
        };
        assert!(has_errors(
            driver
                .call(AnyCall::ApplyResourceChange(Call { request, outcome: super::driver::unanswered() }))
                .0
                .diagnostics()
        ));
    }
}

#[test]
fn data_sources_echo_what_was_asked_and_repeat_themselves() {
    for protocol in [5, 6] {
        let driver = Driver::new(protocol, "reference_plain");
        let schema = driver.reference().schema().data_sources["reference_echo"].clone();
        let config = value!({ name: "a", tags: { x: "y" }, any: [1, "b"], disk: [{ size: 1 }], rule: [{ port: 1 }, { port: 2 }], zone: {}, group: {}, loose: [], loose_by_name: {} })
            .of(schema.implied_type());
        let read = || {
            let request = ReadDataSourceRequest {
                type_name: "reference_echo".to_owned(),
                config: Encoded::of(config.clone(), schema.implied_type()),
                provider_meta: None,
                capabilities: None,
            };
            let (answered, _) =
                driver.call(AnyCall::ReadDataSource(Call { request, outcome: super::driver::unanswered() }));
            let AnyCall::ReadDataSource(Call { outcome: Ok(response), .. }) = answered else {
                panic!("no answer")
            };
            assert_eq!(response.diagnostics, []);
            response.state.value().unwrap().clone()
        };
        let state = read();
        assert!(state.is_wholly_known());
        assert_eq!(state, read());
        assert_eq!(state.member("tags"), config.member("tags"));
        assert!(state.member("note").is_null() && state.member("id").is_set());
        assert_eq!(state.member("rule").elements().unwrap().len(), 2);
    }
}
