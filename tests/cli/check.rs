//! `check`, `explain` and `list`.

use std::collections::BTreeMap;
use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use libtest_mimic::Trial;
use serde_json::{Value as Json, json};
use tfconform::report::{Exit, Report};
use tfconform::rule::Level;
use tfconform::{reference, session};

use super::{Folder, refuser, repository, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("check/a_perfect_provider_conforms", a_perfect_provider_conforms),
        trial("check/a_fault_is_one_finding_with_its_replay", a_fault_is_one_finding_with_its_replay),
        trial(
            "check/a_provider_that_ends_at_once_is_judged_by_its_first_answers",
            the_first_answers_are_judged,
        ),
        trial("check/what_the_legacy_flag_excuses_fails_on_demand", excused_fails_on_demand),
        trial("check/misspelt_words_get_a_suggestion", wrong_words),
        trial("check/every_command_s_help_has_examples_that_can_be_typed", examples),
        trial("check/a_provider_of_which_nothing_is_planned_is_not_green", nothing_planned),
        trial("check/no_apply_is_one_reason", not_to_be_applied),
        trial("check/old_states_are_upgraded", old_states),
        trial("check/changes_are_planned_where_nothing_may_be_applied", synthesised),
        trial("check/json_lines_fit_the_schema_and_count_what_happened", json_lines),
        trial("check/no_process_is_configured_twice", configured_once),
        trial("check/junit_is_well_formed_and_counts_the_finding", junit),
        trial("check/more_cases_begin_with_all_that_are_needed", more_cases),
        trial("check/a_call_that_hangs_does_not_outlast_the_time_of_the_run", a_hang_is_cut_short),
        trial("check/a_run_whose_time_is_over_says_how_many_types_were_cut_short", cut_short),
    ]
}

fn a_perfect_provider_conforms() {
    let ran = Folder::new().tfconform("check --resource reference_plain --cases 4 --strict");
    ran.says(0, &["findings      none", "played        4 scenarios (0 refused", "conforms (exit 0)"]);
    assert_eq!(ran.err, "");
}

fn cut_short() {
    let note = "3 types were cut short: the time of the run (--max-time) did not suffice";
    let check = "check --no-apply --quiet --resource *_plain --resource *_echo --resource *_lookup --cases 2";
    let folder = Folder::new();
    let ran = folder.tfconform(&format!("{check} --max-time 0.000001"));
    assert!(ran.unwrapped().contains(note), "{}", ran.out);
    let ran = folder.tfconform(&format!("{check} --max-time 600"));
    assert!(!ran.out.contains("cut short"), "{}", ran.out);
}

/// What an engine stops at is tried again, which must not fall to the random combinations.
fn more_cases() {
    let folder = Folder::new();
    let check =
        "check --fault plan/rewrites-configured-values --resource *_plain --no-cases --quiet --format json";
    let summary = |cases: &str| {
        let ran = folder.tfconform(&format!("{check} --cases {cases}"));
        let lines = ran.out.lines().map(|line| serde_json::from_str(line).unwrap());
        let mut summaries = lines.filter(|line: &Json| line["event"] == "summary");
        summaries.next().unwrap_or_else(|| panic!("{}", ran.out))
    };
    let (needed, few, many) = (summary("auto"), summary("4"), summary("120"));
    assert_eq!(needed["obligations"], many["obligations"]);
    assert!(needed["scenarios"].as_u64() < Some(120), "{needed}");
    assert_eq!([&few["scenarios"], &many["scenarios"]], [4, 120]);
    let parts = ["search", "play", "confirm"].map(|part| many["part_seconds"][part].as_f64().unwrap());
    assert!(parts.iter().all(|seconds| *seconds > 0.0), "{parts:?}");
    assert!(Some(parts.iter().sum()) < many["wall_seconds"].as_f64(), "{many}");
}

/// A call that gets no answer would take 30 seconds, and a finding is confirmed by playing it again.
fn a_hang_is_cut_short() {
    let began = Instant::now();
    let check = "check --fault rpc/hangs --resource *_plain --cases 4 --max-time 4 --no-cases --quiet";
    let ran = Folder::new().tfconform(check);
    let most = Duration::from_secs(4) * 11 / 10 + Duration::from_secs(10);
    assert!(began.elapsed() < most, "{:?}: {}", began.elapsed(), ran.out);
    let note = "not judged: not ended when the time of the run (--max-time) was over";
    assert!(ran.unwrapped().contains(note), "{}", ran.out);
}

fn a_fault_is_one_finding_with_its_replay() {
    let folder = Folder::new();
    let ran =
        folder.tfconform("check --fault plan/counts-calls@reference_plain --cases 6 --resource *_plain");
    let words = ["MUST  plan/repeats-itself", "tfconform replay ", "(exit 1)"];
    ran.says(1, &words);
    assert_eq!(ran.err, "");
    let ran =
        folder.tfconform("check --fault plan/counts-calls --cases 6 --resource *_plain --no-cases --seed 3");
    ran.says(1, &["tfconform check --fault plan/counts-calls --seed 3 --resource reference_plain"]);
}

/// Findings in the first answers are reported and decide; if none fails the run, the way it ended does.
fn the_first_answers_are_judged() {
    let ran = Folder::new().tfconform("check --fault schema/needs-credentials --no-cases");
    let cause = "GetProviderSchema failed: Missing credentials: The endpoint could not be reached.";
    ran.says(1, &["MUST  schema/loads", cause, "(exit 1)"]);
    let report = Report { unusable: true, ..Report::default() };
    assert_eq!(session::exit(&report, Level::Must, None, false), Exit::Unusable);
}

fn excused_fails_on_demand() {
    let folder = Folder::new();
    let perfect = "check --resource reference_legacy --cases 6";
    folder.tfconform(&format!("{perfect} --strict")).says(0, &["conforms (exit 0)"]);
    let legacy = &format!("{perfect} --fault plan/fills-what-is-not-computed@reference_legacy");
    folder.tfconform(legacy).says(0, &["  tolerated     ", "conforms (exit 0)"]);
    folder.tfconform(&format!("{legacy} --fail-on tolerated")).says(1, &["TOLERATED  ", "(exit 1)"]);
    folder.tfconform(&format!("{legacy} --strict")).says(1, &["TOLERATED  ", "(exit 1)"]);
    folder.tfconform(&format!("{legacy} --strict --fail-on must")).fails(2, &["cannot be used with"]);
}

fn wrong_words() {
    let folder = Folder::new();
    for (line, words) in [
        ("check --fault plan/count-calls", &["no fault \"plan/count-calls\"", "plan/counts-calls"][..]),
        ("check --cases-dri x", &["--cases-dir"]),
        ("check --seed 0xnope", &["a seed is a number up to 2^64 - 1"]),
        (
            "check --timeout 0",
            &["--timeout <SECONDS>': this must be a time above 0, such as 90, 90s, 1.5m or 2h"],
        ),
        ("check --cases 0", &["--cases <N>': this must be \"auto\" or a number above 0"]),
        ("check --jobs 0", &["--jobs <N>': this must be from 1 to 1000"]),
        (
            "check --fault plan/counts-calls@reference_plian",
            &["no type of the reference provider matches", "did you mean \"reference_plain\"?"],
        ),
        ("check --resource nothing*", &["no type of the provider matches `nothing*`"]),
        (
            "check --resource reference_plain --resource data.reference_lokup",
            &[
                "no type of the provider matches `data.reference_lokup`, did you mean `data.reference_lookup`?",
            ],
        ),
        ("check --resource {a", &["--resource <GLOB>': \"{a\" is not a valid glob"]),
        (
            "explain plan/stays-nul",
            &["there is no rule, group or entry `plan/stays-nul`", "did you mean `plan/stays-null`?"],
        ),
        ("list exit", &["exit-codes"]),
        ("replay no-such-file", &["there is no case `no-such-file`", "`tfconform check` keeps cases in"]),
    ] {
        folder.tfconform(line).fails(2, words);
    }
    folder.tfconform("list contract").says(
        0,
        &[
            "\nPLAN-013         an attribute that is not computed must be planned as null",
            "\n                   plan/stays-null\n",
            "\n                   (start) ",
        ],
    );
    folder
        .tfconform("explain plan/stays-null")
        .says(0, &["plan/stays-null  (must)", "try it      tfconform check"]);
    folder.tfconform("explain plan-013").says(0, &["plan/stays-null  (must)", "covers      PLAN-013"]);
    folder.tfconform("explain PROC-001").says(0, &["PROC-001  ", "covered by no rule: (start)"]);
    folder.tfconform("explain PLAN-999").fails(2, &["there is no rule, group or entry `PLAN-999`"]);
}

fn examples() {
    let folder = Folder::new();
    for command in ["", "check", "explain", "list", "judge", "replay", "graph", "schema", "reference"] {
        let said = folder.tfconform(&format!("{command} --help")).says(0, &["Example"]).out.clone();
        assert!(said.contains(&format!("  tfconform {command}")), "{said}");
    }
    folder
        .tfconform("judge --help")
        .says(0, &["terraform, terraform-1.11, opentofu, opentofu-1.12 or strict"]);
}

fn nothing_planned() {
    let folder = Folder::new();
    let mut command = folder.command(super::PROGRAM);
    let own = std::env::current_exe().unwrap();
    command.args(["check", "--cases", "3", "--"]).arg(own).arg(refuser::WORD);
    folder
        .run(&mut command)
        .says(4, &["3 refused by the provider", "not today!", "no type was planned", "(exit 4)"]);
}

fn not_to_be_applied() {
    let folder = Folder::new();
    let check = "check --no-apply --quiet --cases 3 --fault plan/rewrites-configured-values@reference_plain \
                 --resource reference_plain --resource reference_secret --resource reference_lookup";
    let ran = folder.tfconform(check);
    let lines = |stage: &str, n: u64, types: &str| {
        let reason = "nothing was applied or read: `--no-apply` or `run.apply = false` is set\n";
        format!("  not {stage:<10}{n} of {types}\n{n:>16}  {reason}")
    };
    ran.says(1, &[&lines("applied", 2, "2 types"), &lines("read", 1, "1 type")]);
    let ran = folder.tfconform(&format!("{check} --format json"));
    let summary: Json = serde_json::from_str(ran.says(1, &[]).out.lines().last().unwrap()).unwrap();
    let stage = |stage: &str, n: u64| {
        let reason = json!({ "message": "nothing was applied or read: `--no-apply` or `run.apply = false` is set", "types": n });
        json!({ "stage": stage, "types": n, "of": n, "already": 0, "reasons": [reason] })
    };
    let not_judged = summary["not_judged"].as_array().unwrap();
    assert_eq!(not_judged[not_judged.len() - 2..], [stage("applied", 2), stage("read", 1)]);
}

/// Faults of updates, upgrades and destroys are found on synthesised states; nothing is wrong without them.
fn synthesised() {
    let folder = Folder::new();
    let check = "check --no-apply --resource reference_plain --cases 8";
    folder.tfconform(&format!("{check} --strict")).says(0, &["findings      none", "(exit 0)"]);
    for (fault, rule, code) in [
        ("plan/replaces-for-nothing-there", "MUST  plan/replace-paths-exist", 1),
        ("plan/destroys-to-the-prior-state", "MUST  plan/destroys-to-nothing", 1),
        ("upgrade/leaves-unknowns", "MUST  upgrade/is-wholly-known", 1),
        ("upgrade/loses-the-object", "SHOULD  upgrade/is-not-null", 0),
        ("plan/forgets-computed-values", "ADVICE  plan/changes-nothing-needlessly", 0),
        ("apply/refuses-to-destroy", "ADVICE  apply/destroys-what-it-created", 0),
    ] {
        let ran = folder.tfconform(&format!("{check} --verbose --fault {fault}"));
        ran.says(code, &[rule, "prior state   synthesised from the plan: nothing was applied"]);
    }
    let case = std::fs::read_dir(folder.path(".tfconform/cases")).unwrap().find_map(|file| {
        let name = file.unwrap().file_name().into_string().unwrap();
        name.starts_with("plan-replace-paths-exist").then_some(name)
    });
    // Where it could be applied, too, the case is only planned.
    let case = case.expect("the case is kept");
    let replay = format!("replay .tfconform/cases/{case}");
    folder.tfconform(&replay).says(1, &["plan/replace-paths-exist: still there"]);
}

/// What is wrong with a state that no version stored matters less.
fn old_states() {
    let folder = Folder::new();
    let check = "check --no-apply --resource reference_versioned --cases 1";
    folder.tfconform(&format!("{check} --strict")).says(0, &["findings      none"]);
    let ran = folder.tfconform(&format!("{check} --verbose --fault upgrade/leaves-unknowns"));
    // The same cause shows in the current state, too, and matters more there.
    ran.says(1, &["MUST  upgrade/is-wholly-known", "prior state   synthesised from the plan"]);
}

fn json_lines() {
    let folder = Folder::new();
    let mut command = folder.command(super::PROGRAM);
    command.args(
        "check --cases 3 --format json --quiet --fault plan/counts-calls --resource *_plain".split(' '),
    );
    let ran = folder.run(command.env("TFCONFORM_SCRATCH", folder.path("scratch")));
    ran.says(1, &[]);
    let text = fs::read_to_string(repository().join("schemas/report.schema.json")).unwrap();
    let schema = jsonschema::validator_for(&serde_json::from_str(&text).unwrap()).unwrap();
    let events: Vec<Json> = ran.out.lines().map(|line| serde_json::from_str(line).unwrap()).collect();
    for event in &events {
        let errors: Vec<String> = schema.iter_errors(event).map(|error| error.to_string()).collect();
        assert!(errors.is_empty(), "{errors:?} in {event}");
    }
    let names: Vec<&str> = events.iter().map(|event| event["event"].as_str().unwrap()).collect();
    assert_eq!((names[0], names[1], *names.last().unwrap()), ("run", "finding", "summary"));
    let summary = events.last().unwrap();
    let log = requests(&folder.path("scratch"));
    assert_eq!(
        summary["exchanges"].as_u64().unwrap(),
        log.iter().flat_map(BTreeMap::values).sum::<u64>(),
        "{log:?}"
    );
    assert_eq!(summary["exit_code"], 1);
    assert_eq!(summary["types"]["managed"], 1);
}

/// An instance that could not be configured before its schema was fetched is not tried again with it.
fn configured_once() {
    let folder = Folder::new();
    let mut command = folder.command(super::PROGRAM);
    command.args("check --cases 2 --quiet --resource *_plain --fault rpc/waits-for-its-schema".split(' '));
    folder.run(command.env("TFCONFORM_SCRATCH", folder.path("scratch"))).says(1, &["rpc/needs-no-schema"]);
    let processes = requests(&folder.path("scratch"));
    for rpc in ["ValidateProviderConfig", "ConfigureProvider"] {
        let n_asked: Vec<u64> = processes.iter().filter_map(|counts| counts.get(rpc).copied()).collect();
        assert!(n_asked.len() > 1 && n_asked.iter().all(|n| *n == 1), "{rpc}: {processes:?}");
    }
}

/// What each process of the reference provider was asked, as it logged itself.
fn requests(scratch: &Path) -> Vec<BTreeMap<String, u64>> {
    let stores = fs::read_dir(scratch).unwrap();
    stores
        .flat_map(|entry| {
            reference::requests(&reference::serve::store_below(&entry.unwrap().path())).unwrap()
        })
        .map(|(_, counts)| counts)
        .collect()
}

fn junit() {
    let folder = Folder::new();
    let ran = folder
        .tfconform("check --cases 4 --format junit --fault plan/counts-calls --resource reference_plain");
    ran.says(1, &["<?xml", "plan/repeats-itself"]);
    let mut reader = quick_xml::Reader::from_str(&ran.out);
    let (mut depth, mut failures) = (0_i32, 0);
    loop {
        match reader.read_event().expect("the XML is well formed") {
            quick_xml::events::Event::Start(tag) => {
                depth += 1;
                failures += i32::from(tag.name().as_ref() == b"failure");
            }
            quick_xml::events::Event::End(_) => depth -= 1,
            quick_xml::events::Event::Eof => break,
            _ => {}
        }
    }
    assert!(depth == 0 && failures > 0, "{}", ran.out);
}
