//! The document follows the standard, as far as we use it.

use super::*;
use crate::record::Masked;
use crate::report::{Broken, Exit, samples};
use crate::rules::CATALOGUE;

fn validator() -> jsonschema::Validator {
    let schema: Json = serde_json::from_str(include_str!("part.schema.json")).expect("the schema is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    jsonschema::draft202012::new(&schema).expect("the schema compiles")
}

fn document(report: &Report, exit: Exit) -> Json {
    let document: Json = serde_json::from_str(&print(report, exit)).expect("it is JSON");
    if let Err(error) = validator().validate(&document) {
        panic!("{} at {}: {document:#}", error, error.instance_path());
    }
    document
}

#[test]
fn every_kind_of_report_follows_the_standard() {
    for (report, exit) in [
        (samples::everything(), Exit::Violates),
        (samples::report(vec![samples::known_finding()]), Exit::Conforms),
        (samples::refused(), Exit::TooLittle),
        (samples::snapshots(), Exit::SnapshotChanged),
        (Report::default(), Exit::Unusable),
    ] {
        let document = document(&report, exit);
        let run = &document["runs"][0];
        assert_eq!(run["results"].as_array().map(Vec::len), Some(report.groups.len()));
        assert_eq!(run["invocations"][0]["exitCode"], exit.code());
        let rules = run["tool"]["driver"]["rules"].as_array().expect("there are rules");
        for result in run["results"].as_array().expect("there are results") {
            let at = result["ruleIndex"].as_u64().expect("it has a rule") as usize;
            assert_eq!(rules[at]["id"], result["ruleId"]);
        }
    }
}

#[test]
fn every_rule_can_be_described() {
    let groups = CATALOGUE.iter().map(|rule| Group { rule, ..samples::plan_finding() });
    let document = document(&samples::report(groups.collect()), Exit::Violates);
    let rules = document["runs"][0]["tool"]["driver"]["rules"].as_array().expect("there are rules");
    assert_eq!(rules.len(), CATALOGUE.len());
    assert!(
        rules.iter().all(|rule| rule["help"]["text"]
            .as_str()
            .is_some_and(|text| text.contains("tfconform explain ")))
    );
}

#[test]
fn a_result_has_its_key_its_type_and_its_attributes() {
    let mut finding = samples::plan_finding();
    finding.attributes.insert(String::new(), Broken::once(&finding.first));
    let key = finding.key();
    let document = document(&samples::report(vec![finding]), Exit::Violates);
    let result = &document["runs"][0]["results"][0];
    assert_eq!(result["fingerprints"]["tfconformKey/v1"], key.as_str());
    let location = &result["locations"][0];
    let names: Vec<&str> = location["logicalLocations"]
        .as_array()
        .expect("there are some")
        .iter()
        .filter_map(|at| at["fullyQualifiedName"].as_str())
        .collect();
    assert_eq!(names, ["acme_bucket", "acme_bucket.lifecycle.name"]);
    assert_eq!(location["physicalLocation"]["artifactLocation"]["uri"], "terraform-provider-acme");
    assert_eq!((&result["level"], &result["occurrenceCount"]), (&Json::from("error"), &Json::from(112)));
}

#[test]
fn a_known_finding_is_suppressed_with_its_reason() {
    let document = document(&samples::report(vec![samples::known_finding()]), Exit::Conforms);
    let suppressions = &document["runs"][0]["results"][0]["suppressions"];
    assert_eq!(suppressions, &json!([{ "kind": "external", "justification": "fixed in the next release" }]));
}

#[test]
fn a_panic_is_at_its_line() {
    let mut finding = samples::crash_finding();
    finding.site = Masked::sample("/src/my disk.go:71".to_owned());
    let document = document(&samples::report(vec![finding]), Exit::Violates);
    let physical = &document["runs"][0]["results"][0]["locations"][0]["physicalLocation"];
    assert_eq!(
        physical,
        &json!({ "artifactLocation": { "uri": "file:///src/my%20disk.go" }, "region": { "startLine": 71 } })
    );
}

#[test]
fn text_of_others_is_neither_a_placeholder_nor_a_link() {
    assert_eq!(message("{0} [x](http://y) {{"), "{{0}} [x] (http://y) {{{{");
}
