//! Drift is reported; respelling is not drift.

use super::driver::Driver;
use crate::reference::change_remotely;
use crate::reference::schema::definitions;
use crate::scenario::NewValue;
use crate::transcript::DriftKind;
use crate::value;
use crate::value::AttributePath;

#[test]
fn a_read_reports_every_kind_of_drift_but_not_a_respelling() {
    for protocol in [5, 6] {
        for kind in DriftKind::ALL {
            let driver = Driver::new(protocol, "reference_document");
            let config = driver.config(value!({ name: "a", body: "{ \"b\": 1 }", note: "n", labels: ["l"] }));
            let stored = driver.bring_to(None, &config);
            let drift =
                change_remotely(driver.folder.path(), protocol, &driver.type_name, &stored.state, kind, None)
                    .unwrap();
            assert_eq!(drift.kind, kind);
            let read = driver.read(&stored);
            match kind {
                DriftKind::Vanish => {
                    assert!(read.is_none());
                    let plan = driver.plan(Some(&stored), &config);
                    let again = driver.apply(
                        Some(&stored),
                        &config.with_attribute("note", value::Value::string("x")),
                        &plan,
                    );
                    assert!(crate::transcript::has_errors(&again.diagnostics), "an update of what is gone");
                }
                DriftKind::Respell => {
                    assert_eq!(drift.path, "body");
                    assert_eq!(read.unwrap().state, stored.state);
                }
                DriftKind::Change | DriftKind::AddElement => {
                    let read = read.unwrap();
                    let path = AttributePath::root().attribute(&drift.path);
                    assert_ne!(read.state.at(&path), stored.state.at(&path));
                    let mended = driver.bring_to(Some(&read), &config);
                    assert_eq!(mended.state.at(&path), stored.state.at(&path));
                    driver.assert_settled(&mended, &config);
                }
            }
        }
    }
}

#[test]
fn every_type_can_change_and_vanish() {
    for (type_name, _) in definitions(6) {
        let driver = Driver::new(6, &type_name);
        let config = driver.config(match type_name.as_str() {
            "reference_document" => value!({ name: "a", body: "{}" }),
            "reference_placement" => value!({ name: "a", region: "r" }),
            _ => value!({ name: "a" }),
        });
        let stored = driver.bring_to(None, &config);
        let drift = |kind| change_remotely(driver.folder.path(), 6, &type_name, &stored.state, kind, None);
        drift(DriftKind::Change).unwrap();
        assert_ne!(driver.read(&stored).unwrap().state, stored.state, "{type_name}");
        drift(DriftKind::Vanish).unwrap();
        assert!(driver.read(&stored).is_none());
        assert!(drift(DriftKind::Change).is_err());
    }
}

#[test]
fn an_attribute_drifts_to_the_value_that_is_asked_for() {
    let driver = Driver::new(6, "reference_document");
    let stored = driver.bring_to(None, &driver.config(value!({ name: "a", body: "{}", note: "n" })));
    let drift = |path: &str| {
        let to = NewValue { path: path.to_owned(), value: "other".into() };
        let (folder, type_name) = (driver.folder.path(), &driver.type_name);
        change_remotely(folder, 6, type_name, &stored.state, DriftKind::Change, Some(&to))
    };
    assert_eq!(drift("note").unwrap().path, "note");
    assert_eq!(driver.read(&stored).unwrap().state.attribute("note"), Some(&value::Value::string("other")));
    assert_eq!(drift("nowhere").unwrap_err().to_string(), "this reference_document has no nowhere");
}
