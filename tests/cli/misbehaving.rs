//! Providers that misbehave, as a user sees them: the messages, the exit code, earlier findings, and that no
//! process is left.

use std::env;

use libtest_mimic::Trial;
use tfconform::record;
use tfconform::transcript::AnyCall;
use tfconform::value::Value;

use super::{Folder, Ran, misbehaving_provider, printed, processes_of, trial, wait_for};
use crate::plugin;
use crate::refusals::{LINES, REFUSALS};

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("misbehaving/a_program_that_is_not_executable_is_named", not_executable),
        trial("misbehaving/a_program_that_hangs_or_floods_before_the_handshake_is_abandoned", given_up),
    ];
    for (mode, message) in REFUSALS {
        trials
            .push(named(format!("misbehaving/start/{mode}"), || no_plugin(&[(plugin::MODE, mode)], message)));
    }
    for (name, line, message) in LINES {
        let vars = move || no_plugin(&[(plugin::MODE, "line"), ("LINE", line)], message);
        trials.push(named(format!("misbehaving/start/line-{name}"), vars));
    }
    for rpc in START {
        for (action, cause, rule) in ACTIONS {
            trials.push(named(format!("misbehaving/{rpc}/{action}"), || {
                in_the_first_calls(rpc, action, cause, rule)
            }));
        }
    }
    for rpc in PLAY {
        for (action, cause, rule) in ACTIONS {
            trials.push(named(format!("misbehaving/{rpc}/{action}"), || {
                in_play(rpc, action, &[rpc, cause, rule], 1)
            }));
        }
    }
    for rpc in ["ReadResource", "UpgradeResourceState"] {
        let name = format!("misbehaving/{rpc}/internal-leaves-no-object");
        trials.push(named(name, || destroyed_all_the_same(rpc, "internal")));
    }
    trials.push(trial(
        "misbehaving/a_possible_leftover_of_an_apply_without_an_answer_is_reported",
        left_behind,
    ));
    trials.push(trial("misbehaving/schema/the_name_of_a_type_is_no_path_and_no_command", hostile_name));
    trials.push(trial("misbehaving/what_needs_other_calls_is_confirmed_beside_them", mixed_up));
    for (rpc, action, words, code) in OTHERS {
        trials.push(named(format!("misbehaving/{rpc}/{action}"), || in_play(rpc, action, words, *code)));
    }
    for (engine, action, words, code) in SCHEMAS {
        trials.push(named(format!("misbehaving/schema/{action}-{engine}"), || {
            schema(engine, action, words, *code)
        }));
    }
    trials
}

/// What the provider does at a call, the message, and the rule that reports it.
const ACTIONS: &[(&str, &str, &str)] = &[
    ("die", "the provider process ended (exit status 7)", "MUST  rpc/survives"),
    ("hang", "no answer within 1 s", "SHOULD  rpc/answers-in-time"),
    ("garbage", "the answer is not the expected message", "MUST  rpc/answers"),
    ("internal", "gRPC status Internal: the database is on fire", "MUST  rpc/answers"),
    ("unavailable", "gRPC status Unavailable: come back later", "MUST  rpc/answers"),
];

/// Without an answer to these, an engine cannot use a provider at all.
const START: &[&str] =
    &["GetProviderSchema", "GetResourceIdentitySchemas", "ValidateProviderConfig", "ConfigureProvider"];

/// The calls of a lifecycle.
const PLAY: &[&str] = &[
    "ValidateResourceConfig",
    "PlanResourceChange",
    "ApplyResourceChange",
    "UpgradeResourceState",
    "ReadResource",
    "ValidateDataResourceConfig",
    "ReadDataSource",
];

/// Calls, actions, words of the report, and the exit code.
const OTHERS: &[(&str, &str, &[&str], i32)] = &[
    ("GetMetadata", "die", &["MUST  rpc/survives", "GetMetadata", "exit status 7"], 1),
    ("GetMetadata", "hang", &["SHOULD  rpc/answers-in-time", "GetMetadata"], 1),
    // No engine asks for it.
    ("GetMetadata", "garbage", &["conforms (exit 0)"], 0),
    ("GetMetadata", "empty", &["SHOULD  schema/metadata-agrees"], 1),
    ("PlanResourceChange", "unimplemented", &["MUST  rpc/implements-what-it-declares"], 1),
    ("ValidateResourceConfig", "empty", &["conforms (exit 0)"], 0),
    ("PlanResourceChange", "empty", &["MUST  plan/exists-when-configured"], 1),
    ("ApplyResourceChange", "empty", &["MUST  apply/returns-an-object"], 1),
    ("UpgradeResourceState", "empty", &["MUST  upgrade/is-not-null"], 1),
    ("ReadResource", "empty", &["MUST  ", "ReadResource"], 1),
    ("ReadDataSource", "empty", &["MUST  data/is-not-null"], 1),
    ("GetProviderSchema", "large", &["MUST  wire/schema-fits", "GetProviderSchema"], 1),
    ("PlanResourceChange", "large", &["conforms (exit 0)"], 0),
    ("PlanResourceChange", "nan", &["MUST  wire/numbers-are-finite"], 1),
    ("PlanResourceChange", "impossible-bounds", &["MUST  wire/refinements-are-sound"], 1),
    ("PlanResourceChange", "mixed-elements", &["MUST  wire/elements-share-one-type"], 1),
    ("PlanResourceChange", "endless-array", &["MUST  wire/headers-are-honest"], 1),
    ("PlanResourceChange", "endless-text", &["MUST  wire/", "PlanResourceChange"], 1),
    ("PlanResourceChange", "cut", &["MUST  wire/decodes"], 1),
    ("PlanResourceChange", "deep-value", &["MUST  wire/", "PlanResourceChange"], 1),
];

/// Engines, what is wrong with the schema, the message, and the exit code.
const SCHEMAS: &[(&str, &str, &[&str], i32)] = &[
    ("terraform", "empty", &["MUST  schema/configures-the-provider"], 1),
    ("terraform", "no-provider", &["MUST  schema/configures-the-provider"], 1),
    ("terraform", "no-block", &["MUST  schema/blocks-are-declared", "resource type broken_thing"], 1),
    ("terraform", "no-provider-block", &["MUST  schema/blocks-are-declared", "provider configuration"], 1),
    ("terraform", "no-nested-block", &["MUST  schema/blocks-are-declared", "rule"], 1),
    ("terraform", "no-action-schema", &["MUST  schema/blocks-are-declared", "action broken_act"], 1),
    ("opentofu", "no-action-schema", &["conforms (exit 0)"], 0),
    ("terraform", "no-type", &["MUST  schema/attributes-have-one-type"], 1),
    ("terraform", "odd-type", &["MUST  schema/types-can-be-read"], 1),
    ("terraform", "odd-optional-type", &["MUST  schema/types-can-be-read"], 1),
    ("terraform", "deep-type", &["MUST  schema/types-can-be-read"], 1),
    ("terraform", "odd-nesting", &["MUST  schema/blocks-have-a-mode"], 1),
    ("terraform", "odd-text", &["conforms (exit 0)"], 0),
    ("terraform", "twice", &["schema/names-are-given-once"], 0),
    ("terraform", "attribute-and-block", &["MUST  schema/names-differ"], 1),
    ("terraform", "no-return", &["MUST  schema/functions-have-types"], 1),
    ("terraform", "odd-function-text", &["conforms (exit 0)"], 0),
    ("opentofu", "odd-function-text", &["MUST  schema/functions-have-types"], 1),
];

/// Always found once the schema is known: one type does not begin as the others do.
const EARLIER: &str = "ADVICE  schema/types-are-prefixed";

fn named(name: String, body: impl FnOnce() + Send + 'static) -> Trial {
    Trial::test(name, move || {
        body();
        Ok(())
    })
}

/// Runs `check` with these words; no process may be left.
#[track_caller]
fn check(folder: &Folder, words: &[&str]) -> Ran {
    let scratch = folder.path("scratch");
    let mut command = folder.command(super::PROGRAM);
    command.args(["check", "-v", "--apply", "--cases", "1"]).args(words);
    let ran = folder.run(command.env("TFCONFORM_SCRATCH", &scratch));
    wait_for("the end of every process", || processes_of(&scratch).is_empty());
    ran
}

#[track_caller]
fn check_misbehaving(rpc: &str, action: &str, more: &[&str]) -> Ran {
    let own = env::current_exe().unwrap();
    let words = [more, &["--", own.to_str().unwrap(), misbehaving_provider::WORD, rpc, action]].concat();
    check(&Folder::new(), &words)
}

/// Alone no call finds what another one has left: it takes several at once.
fn mixed_up() {
    let folder = Folder::new();
    let own = env::current_exe().unwrap();
    let own = own.to_str().unwrap();
    let words = ["--", own, misbehaving_provider::WORD, "ApplyResourceChange", "mixes-up"];
    let mut command = folder.command(super::PROGRAM);
    command.args(["check", "--apply", "--cases", "40", "--jobs", "8", "--shrink", "0"]).args(words);
    let ran = folder.run(&mut command);
    let said = [
        "MUST  ",
        " beside 7 others",
        "needs         other calls in the same process at the same time (PROC-003)",
    ];
    ran.says(1, &said);
    let line = printed(&ran.out, " beside 7 others");
    let finding =
        ran.out.split("\n\n").find(|finding| finding.contains(" beside 7 others")).expect("it is there");
    let replay =
        finding.lines().find_map(|line| line.split_once("tfconform replay ")).expect("it has a case").1;
    let id = replay.split_whitespace().next().expect("it has an ID");
    let again = folder.tfconform(&format!("replay {id} --times 5"));
    assert!(again.code == Some(1), "{line}\n{}{}", again.out, again.err);
    folder.tfconform(&format!("reproduce {id}")).fails(2, &["needs other scenarios at the same time"]);
}

fn no_plugin(vars: &[(&str, &str)], message: &str) {
    let folder = Folder::new();
    let own = folder.linked(&env::current_exe().unwrap());
    let vars: String = vars.iter().map(|(name, value)| format!("export {name}='{value}'\n")).collect();
    folder.file("program.sh", &format!("{vars}exec {}\n", own.display()));
    check(&folder, &["--", "sh", "program.sh"]).fails(3, &[&message.replace("PROGRAM", "sh")]);
}

fn not_executable() {
    let folder = Folder::new();
    folder.file("text", "not a program\n");
    check(&folder, &["text"])
        .fails(3, &["text: failed to start: Permission denied", "is the file executable?"]);
}

fn given_up() {
    let folder = Folder::new();
    for (name, script, words) in [
        ("hangs", "exec sleep 100", "hangs: printed no handshake within 1s"),
        ("loops", "while :; do :; done", "loops: printed no handshake within 1s"),
        ("has-children", "sleep 100 & sleep 100", "has-children: printed no handshake within 1s"),
        ("floods", "exec tr '\\0' x < /dev/zero", "floods: the first line on stdout is longer than 64 KiB"),
        ("complains", "yes no >&2 & exec sleep 100", "complains: printed no handshake within 1s"),
    ] {
        folder.script(name, &format!("#!/bin/sh\n{script}\n"));
        check(&folder, &[name, "--start-timeout", "1"]).fails(3, &[words]);
    }
}

fn in_the_first_calls(rpc: &str, action: &str, cause: &str, rule: &str) {
    let ran = check_misbehaving(rpc, action, &["--timeout", "1"]);
    if rpc.starts_with("Get") {
        ran.fails(3, &[&format!("{rpc} failed: {cause}")]);
    } else {
        let said = ran.unwrapped();
        assert!(said.contains(&format!("{rpc} failed: {cause}")), "{}", ran.out);
        // A broken rule counts even if it leaves the provider unconfigured.
        ran.says(if rule.starts_with("MUST") { 1 } else { 3 }, &[EARLIER, rule]);
    }
}

fn in_play(rpc: &str, action: &str, words: &[&str], code: i32) {
    let mut more = vec!["--timeout", if action == "large" { "100" } else { "1" }];
    if words.iter().any(|words| words.starts_with("SHOULD")) {
        more.extend(["--fail-on", "should"]);
    }
    let ran = check_misbehaving(rpc, action, &more);
    let said = ran.says(code, &[EARLIER]).unwrapped();
    for words in words {
        let words = words.split_whitespace().collect::<Vec<_>>().join(" ");
        assert!(said.contains(&words), "{words:?} is missing from:\n{}", ran.out);
    }
}

/// An engine stops before it comes to the delete; what a test has created is deleted anyway.
fn destroyed_all_the_same(rpc: &str, action: &str) {
    let folder = Folder::new();
    let transcripts = folder.path("transcripts");
    let more = ["--transcripts", transcripts.to_str().unwrap()];
    let ran = check_misbehaving(rpc, action, &more);
    ran.says(1, &[]);
    assert!(!ran.out.contains("left an object behind"), "{}", ran.out);
    let mut n_created = 0;
    for file in folder.files("transcripts", "") {
        let transcript = record::read(&file).unwrap().transcript;
        let applies = transcript.exchanges.iter().filter_map(|exchange| match &exchange.call {
            AnyCall::ApplyResourceChange(call) if exchange.call.succeeded() => {
                call.request.planned_state.value()
            }
            _ => None,
        });
        let (deletes, creates): (Vec<&Value>, Vec<&Value>) = applies.partition(|planned| planned.is_null());
        assert_eq!(creates.is_empty(), deletes.is_empty(), "{}", file.display());
        n_created += creates.len();
    }
    assert!(n_created > 0, "{}", ran.out);
}

fn left_behind() {
    let words = ["may have left an object behind", "broken_thing"];
    for action in ["die", "die-of-plans"] {
        check_misbehaving("ApplyResourceChange", action, &[]).says(1, &words);
    }
}

fn schema(engine: &str, action: &str, words: &[&str], code: i32) {
    check_misbehaving("GetProviderSchema", action, &["--engine", engine]).says(code, words);
}

fn hostile_name() {
    let folder = Folder::new();
    let own = folder.linked(&env::current_exe().unwrap());
    let mut command = folder.command(super::PROGRAM);
    command.args(["check", "--verbose", "--cases", "1", "--transcripts", "a/b/c", "--"]).arg(own);
    command.args([misbehaving_provider::WORD, "GetProviderSchema", "hostile-name"]);
    let ran = folder.run(command.env("GITHUB_ACTIONS", "true"));
    assert!(ran.out.contains("../../../escaped"), "{}", ran.out);
    let obeyed = |line: &str| line.contains("##[") || line.trim_start().starts_with("::error::gone");
    assert!(!ran.out.lines().any(obeyed), "{}", ran.out);
    let written = folder.files("a/b/c", ".jsonl");
    assert!(written.iter().any(|file| file.to_string_lossy().contains("escaped")), "{written:?}");
    for outside in ["", "a", "a/b"] {
        let files = folder.files(outside, ".jsonl");
        assert!(files.is_empty(), "{files:?}");
    }
}
