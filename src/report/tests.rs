//! The printers, on reports of every kind.

use serde_json::Value as Json;

use super::events::{Consumer as _, Event, Expected};
use super::human::Style;
use super::samples::{self, everything, refused, report};
use super::{Exit, Group, Report, html, human, json, junit, markdown, sarif};
use crate::judge::Tally;
use crate::record::Masked;
use crate::rule::{Level, Rule};
use crate::rules::CATALOGUE;
use crate::suite::Handling;

fn plain(report: &Report, exit: Exit) -> String {
    human::print(report, exit, &Style::default())
}

/// Every kind of report, with its exit.
fn all_kinds() -> Vec<(Report, Exit)> {
    vec![
        (report(vec![]), Exit::Conforms),
        (everything(), Exit::Violates),
        (report(vec![samples::known_finding()]), Exit::Conforms),
        (refused(), Exit::TooLittle),
        (Report::default(), Exit::Unusable),
        (report(vec![samples::crash_finding()]), Exit::Interrupted),
        (samples::snapshots(), Exit::SnapshotChanged),
        (samples::accepted(), Exit::Conforms),
        (decided(), Exit::Violates),
    ]
}

/// JSON Lines, as a run writes them.
fn as_json(report: &Report, exit: Exit) -> String {
    let mut out = Vec::new();
    let lines = json::Lines::new(&mut out);
    lines.consume(Event::RunStarted { run: &report.run, expected: Expected::default() });
    lines.consume(Event::RunEnded(report));
    lines.consume(Event::Concluded { report, exit });
    String::from_utf8(out).expect("text")
}

/// JSON Lines without what changes from release to release.
fn lines(report: &Report, exit: Exit) -> String {
    let version = format!("\"tfconform\":\"{}\"", env!("CARGO_PKG_VERSION"));
    let text = as_json(report, exit).replace(&version, "\"tfconform\":\"VERSION\"");
    // That one is read back in a test of its own.
    let is_shown = |line: &&str| !line.starts_with("{\"event\":\"report\"");
    text.lines().filter(is_shown).map(|line| format!("{line}\n")).collect()
}

#[test]
fn human_shows_every_kind_of_finding() {
    insta::assert_snapshot!(plain(&everything(), Exit::Violates));
}

#[test]
fn human_in_colours() {
    let style = Style { colour: true, ..Style::default() };
    let groups = vec![samples::plan_finding(), samples::tolerated_finding()];
    let text = human::print(&report(groups), Exit::Violates, &style);
    insta::assert_snapshot!(text.replace('\u{1b}', "␛"));
}

#[test]
fn human_shows_what_changed_in_snapshots() {
    insta::assert_snapshot!(plain(&samples::snapshots(), Exit::SnapshotChanged));
    let text = plain(&samples::accepted(), Exit::Conforms);
    assert!(text.starts_with("NEW  snapshots/acme_bucket.snap, accepted\nCHANGED  "), "{text}");
    assert!(text.contains("1 unchanged, 1 changed, 1 new, 1 removed: accepted\n"), "{text}");
}

#[test]
fn human_verbose_shows_all_of_a_diff() {
    let style = Style { verbose: true, ..Style::default() };
    let text = human::print(&samples::snapshots(), Exit::SnapshotChanged, &style);
    assert!(text.contains("+   size39 = 2") && !text.contains("more line"), "{text}");
}

#[test]
fn junit_has_a_case_for_each_snapshot() {
    let text = junit::print(&samples::snapshots(), Exit::SnapshotChanged);
    let (_, suite) = text.split_once("<testsuite name=\"snapshots\"").expect("there is a suite");
    assert!(suite.starts_with(" tests=\"4\" disabled=\"0\" errors=\"0\" failures=\"3\""), "{suite}");
    assert_eq!(text.matches("<failure").count(), 3, "nothing else fails: {text}");
    assert!(!junit::print(&samples::accepted(), Exit::Conforms).contains("<failure"));
}

#[test]
fn human_verbose_and_narrow() {
    let style = Style { verbose: true, width: 60, ..Style::default() };
    let groups = vec![samples::plan_finding(), samples::tolerated_finding(), samples::advice_finding()];
    insta::assert_snapshot!(human::print(&report(groups), Exit::Violates, &style));
}

#[test]
fn human_of_a_clean_run() {
    insta::assert_snapshot!(plain(&report(vec![]), Exit::Conforms));
}

#[test]
fn human_of_a_refused_run() {
    insta::assert_snapshot!(plain(&refused(), Exit::TooLittle));
}

#[test]
fn human_of_a_provider_that_never_started() {
    let mut report = Report::default();
    report.run.provider = "acme".to_owned();
    report.run.engine = "terraform".to_owned();
    report.notes.push("failed to start ./terraform-provider-acme: permission denied".to_owned());
    insta::assert_snapshot!(plain(&report, Exit::Unusable));
}

#[test]
fn human_shows_a_known_finding_apart_and_it_fails_nothing() {
    let report = report(vec![samples::known_finding()]);
    assert_eq!(report.at_least(Level::Advice), 0);
    let text = plain(&report, Exit::Conforms);
    let line = "  known         1 finding, shown by -v: plan/preserves-sample\n";
    assert!(text.contains(line), "{text}");
    assert!(text.ends_with("conforms, except for 1 finding that is known or allowed (exit 0)\n"), "{text}");
}

#[test]
fn what_the_sdk_gets_wrong_is_one_line_and_fails_only_if_it_is_denied() {
    let report = report(vec![samples::sdk_finding()]);
    assert_eq!(report.at_least(Level::Advice), 0);
    let text = plain(&report, Exit::Conforms);
    let line = "  sdk           1 finding, shown by -v: terraform-plugin-go writes whole numbers";
    assert!(text.contains(line), "{text}");
    assert!(text.ends_with("except for 1 finding that is known, allowed or the SDK's (exit 0)\n"), "{text}");
    let denied = Group { handling: Some(Handling::Deny), ..samples::sdk_finding() };
    assert!(samples::report(vec![denied]).at_least(Level::Advice) > 0);
}

/// One finding that fails the run only because it is denied, one that does not because it is warned of, and one that
/// is not shown.
fn decided() -> Report {
    let denied = Group { handling: Some(Handling::Deny), ..samples::advice_finding() };
    let warned = Group { handling: Some(Handling::Warn), ..samples::plan_finding() };
    let allowed = Group { handling: Some(Handling::Allow), ..samples::crash_finding() };
    report(vec![denied, warned, allowed])
}

#[test]
fn what_the_user_decided_is_in_every_format() {
    let report = decided();
    assert!(report.at_least(Level::Must) > 0);
    let text = plain(&report, Exit::Violates);
    assert!(text.starts_with("ADVICE  schema/describes-sample"), "{text}");
    for line in [
        "  denied        it fails the run whatever its level\n",
        "  warned of     it does not fail the run\n",
        "  allowed       1 finding allowed\n",
        "  findings      1 must, 1 advice\n",
    ] {
        assert!(text.contains(line), "{line} is not in\n{text}");
    }
    let texts = [
        human::print(&report, Exit::Violates, &Style { verbose: true, ..Style::default() }),
        junit::print(&report, Exit::Violates),
        html::print(&report, Exit::Violates, std::time::SystemTime::UNIX_EPOCH),
        markdown::print(&report, Exit::Violates),
    ];
    for text in texts {
        let rest = text.replace("rules by", "");
        assert!(!rest.contains("rpc/answers-sample"), "it is not shown: {text}");
        assert!(text.contains("allowed"), "it is counted: {text}");
    }
    let (junit, markdown) = (junit::print(&report, Exit::Violates), markdown::print(&report, Exit::Violates));
    assert_eq!(junit.matches("<failure").count(), 1, "{junit}");
    assert!(markdown.contains("Not failing the run: 1 warned of, 1 allowed.\n"), "{markdown}");
    let sarif: Json = serde_json::from_str(&sarif::print(&report, Exit::Violates)).expect("it is JSON");
    let results = sarif["runs"][0]["results"].as_array().expect("results");
    let of = |handling: &str| {
        let mut results = results.iter().filter(|result| result["properties"]["handling"] == handling);
        results.next().unwrap_or_else(|| panic!("none is {handling}"))
    };
    assert_eq!(of("allow")["suppressions"][0]["justification"], "allowed by the user");
    assert!(of("deny")["properties"]["fails"] == true && of("warn")["properties"]["fails"] == false);
    let events = events(&report, Exit::Violates);
    let handled: Vec<&Json> = events.iter().filter(|event| event["event"] == "finding").collect();
    let told = |idx: usize| (handled[idx]["handling"].as_str(), handled[idx]["fails"].as_bool());
    assert_eq!(told(0), (Some("deny"), Some(true)));
    assert_eq!(told(2), (Some("allow"), Some(false)));
    let counted = events.iter().find(|event| event["event"] == "statistics").expect("statistics");
    assert_eq!(counted["rules"].as_array().map(Vec::len), Some(2), "{counted:#}");
}

#[test]
fn human_with_statistics() {
    let style = Style { statistics: true, ..Style::default() };
    insta::assert_snapshot!(human::print(&everything(), Exit::Violates, &style));
    let text = human::print(&report(vec![]), Exit::Conforms, &style);
    assert!(text.starts_with("statistics\n  nothing was found\n"), "{text}");
}

#[test]
fn strict_shows_tolerated_findings_in_full() {
    let mut report = report(vec![samples::tolerated_finding()]);
    report.run.fail_on = Level::Tolerated;
    let text = human::print(&report, Exit::Violates, &Style::default());
    assert!(text.starts_with("TOLERATED  plan/stays-sample"), "{text}");
    assert!(text.ends_with("1 finding fails the run (exit 1)\n"), "{text}");
}

#[test]
fn a_finding_fits_a_screen_and_a_summary_too() {
    for group in everything().groups {
        assert!(human::finding(&group, &Style::default()).lines().count() <= 15, "{}", group.rule.id);
    }
    for (report, _) in all_kinds() {
        assert!(human::summary(&report, &Style::default()).lines().count() <= 40);
    }
}

#[test]
fn human_with_coverage() {
    let style = Style { coverage: true, ..Style::default() };
    insta::assert_snapshot!(human::print(&refused(), Exit::TooLittle, &style));
}

#[test]
fn text_without_colours_has_no_escape_codes_and_keeps_the_width() {
    for (report, exit) in all_kinds() {
        for width in [60, 100] {
            for verbose in [false, true] {
                let style = Style { width, verbose, coverage: verbose, ..Style::default() };
                let text = human::print(&report, exit, &style);
                assert!(!text.contains('\u{1b}'), "{text}");
                assert!(text.lines().all(|line| line == line.trim_end()), "{text}");
                let long = text.lines().find(|line| line.chars().count() > width && !is_exempt(line));
                assert_eq!(long, None, "at {width}:\n{text}");
            }
        }
    }
}

/// Commands are to be copied, and the last line is one.
fn is_exempt(line: &str) -> bool {
    line.contains("(exit ")
        || ["  again ", "  try it ", "  replay ", "  more "].iter().any(|label| line.starts_with(label))
}

#[test]
fn masked_values_stay_masked_in_every_format() {
    let report = report(vec![samples::sensitive_finding()]);
    let texts = [
        plain(&report, Exit::Violates),
        as_json(&report, Exit::Violates),
        junit::print(&report, Exit::Violates),
        html::print(&report, Exit::Violates, std::time::SystemTime::UNIX_EPOCH),
        markdown::print(&report, Exit::Violates),
    ];
    for text in texts {
        assert!(text.contains("(sensitive value)"), "{text}");
    }
}

#[test]
fn json_lines_of_every_kind_of_finding() {
    insta::assert_snapshot!(lines(&everything(), Exit::Violates));
}

#[test]
fn json_lines_of_a_refused_run() {
    insta::assert_snapshot!(lines(&refused(), Exit::TooLittle));
}

fn validator() -> jsonschema::Validator {
    let schema: Json = serde_json::from_str(json::SCHEMA).expect("the schema is JSON");
    jsonschema::draft202012::meta::validate(&schema).expect("the schema is a schema");
    jsonschema::draft202012::new(&schema).expect("the schema compiles")
}

fn events(report: &Report, exit: Exit) -> Vec<Json> {
    as_json(report, exit).lines().map(|line| serde_json::from_str(line).expect("each line is JSON")).collect()
}

#[test]
fn json_lines_follow_the_published_schema() {
    let validator = validator();
    for (report, exit) in all_kinds() {
        let events = events(&report, exit);
        let n_changes = report.snapshots.as_ref().map_or(0, |snapshots| snapshots.changes.len());
        let n_types = report.coverage.types.len();
        assert_eq!(events.len(), report.groups.len() + n_changes + n_types + 4);
        for event in &events {
            assert!(validator.is_valid(event), "{event:#}");
        }
    }
    let mut with_every_rule = report(vec![]);
    let tally = |rule: &&'static Rule| (rule.id.to_owned(), Tally::default());
    with_every_rule.totals.rules = CATALOGUE.iter().map(tally).collect();
    assert!(events(&with_every_rule, Exit::Conforms).iter().all(|event| validator.is_valid(event)));
    for exit in Exit::ALL {
        assert!(events(&Report::default(), exit).iter().all(|event| validator.is_valid(event)), "{exit:?}");
    }
}

#[test]
fn the_published_schema_refuses_what_is_wrong() {
    let validator = validator();
    let events_of_all = [everything(), samples::snapshots()].map(|report| events(&report, Exit::Violates));
    for event in events_of_all.into_iter().flatten() {
        let members: Vec<String> = event.as_object().expect("an event").keys().cloned().collect();
        for name in members {
            let mut without = event.clone();
            without.as_object_mut().expect("an event").remove(&name);
            assert!(!validator.is_valid(&without), "without {name}: {without:#}");
        }
        let mut more = event.clone();
        more["surprise"] = Json::Null;
        assert!(!validator.is_valid(&more), "{more:#}");
        let mut later = event.clone();
        later["format"] = 2.into();
        assert!(!validator.is_valid(&later), "{later:#}");
    }
    let mut odd = events(&everything(), Exit::Violates)[1].clone();
    odd["level"] = "fatal".into();
    assert!(!validator.is_valid(&odd));
    assert!(!validator.is_valid(&Json::Null));
}

#[test]
fn the_key_of_a_cause_is_the_same_in_every_run() {
    let mut later = samples::plan_finding();
    later.count = 1;
    later.first.scenario.number = 99;
    assert_eq!(later.key(), samples::plan_finding().key());
    later.cause = Masked::sample("another".to_owned());
    assert_ne!(later.key(), samples::plan_finding().key());
}

#[test]
fn junit_of_every_kind_of_finding() {
    insta::assert_snapshot!(junit::print(&everything(), Exit::Violates));
}

#[test]
fn junit_skips_refused_types_and_errs_where_too_little_was_judged() {
    let mut report = refused();
    report.per_type.retain(|line| ["acme_t00", "acme_t50", "acme_t55"].contains(&line.type_name.as_str()));
    report.totals.types = super::Types::of(&report.per_type);
    insta::assert_snapshot!(junit::print(&report, Exit::TooLittle));
}
