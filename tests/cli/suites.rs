//! Suites under `cargo test`.

use std::path::Path;

use libtest_mimic::Trial;

use super::command::script_of;
use super::{Folder, PROGRAM, Ran, particular, printed, trial, typed};

/// The variable that makes this program play the suites of a folder.
pub const FOLDER: &str = "TFCONFORM_TEST_SUITES";

pub fn trials() -> Vec<Trial> {
    vec![
        trial("suites/a_suite_is_listed_and_played_by_type", by_type),
        trial("suites/a_misspelt_key_is_a_failing_trial_that_says_where", misspelt),
        trial("suites/a_path_that_leads_nowhere_says_where", nowhere),
        trial("suites/paths_start_at_the_folder_of_the_suite", paths),
        trial("suites/a_missing_provider_is_ignored_with_the_reason", not_there),
        trial("suites/a_provider_that_does_not_start_is_one_failing_trial", does_not_start),
        trial("suites/a_known_finding_does_not_fail_until_it_matches_nothing", known),
        trial("suites/pinned_values_are_what_the_provider_gets", pinned),
        trial("suites/a_hint_without_effect_is_named", without_effect),
        trial("suites/unmet_requirements_are_named", demanded),
        trial("suites/a_provider_has_the_time_that_is_named_to_start", start_timeout),
        trial("suites/a_rerun_command_works_with_the_configuration_of_the_suite", again),
        trial("suites/a_known_finding_needs_an_existing_type_and_path", known_nowhere),
        trial("suites/nothing_is_stale_where_the_provider_could_not_be_configured", not_stale),
        trial("suites/a_provider_block_that_does_not_fit_says_where", misfit),
        trial("suites/check_plays_a_suite_as_one_run", checked),
        trial("suites/check_plays_a_suite_on_another_program", checked_elsewhere),
        trial("suites/options_replace_the_keys_of_a_suite", replaced),
        trial("suites/several_engines_are_played_and_a_finding_says_as_which", several_engines),
        trial("suites/what_is_found_with_options_is_shown_again_with_them", replaced_again),
        trial("suites/snapshots_are_of_what_a_suite_says", shown),
    ]
}

const REFERENCE: &str = "[provider]\nreference = true\n[run]\ncases = 4\nresources = [\"reference_plain\"]\n";
/// The type that does what the legacy flag excuses.
const LEGACY: &str = "[provider]\nreference = true\n\
    faults = [\"plan/fills-what-is-not-computed@*_legacy\", \"apply/rewrites-a-set-element@*_legacy\"]\n\
    [run]\ncases = 6\nfail_on = \"tolerated\"\nresources = [\"*_legacy\"]\n";

fn play(suite: &str, args: &[&str]) -> (Folder, Ran) {
    let folder = Folder::new();
    folder.file("suites/acme.toml", suite);
    let mut command = folder.command(std::env::current_exe().unwrap());
    let ran = folder
        .run(command.args(args).env(FOLDER, folder.path("suites")).env("TFCONFORM_PROGRAM", super::PROGRAM));
    (folder, ran)
}

/// Expects that the trial fails with these words in its message.
#[track_caller]
fn fails(suite: &str, words: &[&str]) {
    play(suite, &[]).1.says(101, words);
}

fn by_type() {
    let (_, ran) = play(REFERENCE, &["--list"]);
    assert_eq!(ran.says(0, &[]).out, "acme/reference_plain/lifecycle: test\n");
    let (_, ran) = play(REFERENCE, &["--exact", "acme/reference_plain/lifecycle"]);
    ran.says(0, &["1 passed"]);
}

fn misspelt() {
    fails(
        "[provider]\nreference = true\n\n[run]\ncase = 4\n",
        &["acme/suite", "suites/acme.toml:5: unknown key `case`, did you mean `cases`?"],
    );
}

fn nowhere() {
    let attr = |line: &str| format!("{REFERENCE}\n[resource.reference_plain.attr]\n{line}\n");
    fails(
        &attr("\"naem\" = { never = true }"),
        &["suites/acme.toml:8: \"naem\" is not an argument of this type"],
    );
    fails(
        &attr("\"name\" = { values = [[1]] }"),
        &["suites/acme.toml:8: \"name\" is a string, which [1] is not"],
    );
    fails(&attr("\"id\" = { values = [\"a\"] }"), &["acme.toml:8: \"id\" cannot be set in a configuration"]);
    fails(
        &format!("{REFERENCE}\n[resource.reference_plian]\nskip = \"why\"\n"),
        &[
            "acme/suite",
            "acme.toml:7: the provider has no type `reference_plian`, did you mean `reference_plain`?",
        ],
    );
    fails(
        &REFERENCE.replace("_plain", "_none"),
        &["acme/suite", "acme.toml:5: no type of the provider matches `reference_none`"],
    );
}

fn paths() {
    let folder = Folder::new();
    let suite = "[provider]\ncommand = [\"sh\", \"run.sh\"]\n[run]\nsandbox = false\ncases = 2\nresources = [\"reference_plain\"]\n\
                 learned = \"learned\"\n";
    let run = script_in(&folder);
    for (working, file, base) in [
        (".", "conformance/acme.toml", "conformance"),
        ("conformance", "acme.toml", "conformance"),
        (".", "project/suites/acme.toml", "project"),
        ("project/suites", "acme.toml", "project"),
    ] {
        folder.file(&format!("{working}/{file}"), suite);
        folder.file(&format!("{base}/run.sh"), &run);
        let mut command = folder.command(PROGRAM);
        command.current_dir(folder.path(working)).args(["check", "--quiet", "--no-cases", "--suite", file]);
        folder.run(&mut command).says(0, &["conforms (exit 0)"]);
        let learned = folder.path(&format!("{base}/learned"));
        std::fs::remove_file(learned).expect("it is written where the suite says");
    }
}

fn not_there() {
    let suite = "[provider]\npath = \"no/such/provider\"\n";
    play(suite, &[]).1.says(0, &["no/such/provider does not exist", "1 ignored"]);
    play(suite, &["--include-ignored"]).1.says(101, &["no/such/provider does not exist", "1 failed"]);
    fails("[provider]\npath = \"suites\"\n", &["acme/start", "suites is a folder, not a program"]);
    let (folder, ran) = play("[provider]\nname = \"no-such\"\n", &[]);
    let searched = folder.path("target/providers");
    ran.says(0, &["no terraform-provider-no-such in ", searched.to_str().unwrap(), "1 ignored"]);
}

fn does_not_start() {
    let suite = "[provider]\npath = \"provider\"\n";
    let folder = Folder::new();
    folder.file("suites/acme.toml", suite);
    folder.script("provider", "#!/bin/sh\necho help\n");
    let mut command = folder.command(std::env::current_exe().unwrap());
    command.env(FOLDER, folder.path("suites")).env("TFCONFORM_PROGRAM", super::PROGRAM);
    folder
        .run(&mut command)
        .says(101, &["acme/start", "provider: the first line on stdout is not a handshake"]);
    command.arg("--list");
    folder.run(&mut command).says(0, &["acme/start: test"]);
}

fn known() {
    let entry = |rule: &str, more: &str| {
        format!("[[known]]\nrule = \"{rule}\"\nreason = \"the SDK does it\"\n{more}")
    };
    let two = entry("plan/stays-null", "") + &entry("apply/keeps-set-elements", "type = \"*_legacy\"\n");
    fails(LEGACY, &["TOLERATED  plan/stays-null"]);
    play(&format!("{LEGACY}{two}"), &[]).1.says(0, &["1 passed"]);
    let whole = LEGACY.replace("[run]\n", "[run]\ntrials = \"provider\"\n");
    play(&format!("{whole}{two}"), &[]).1.says(0, &["1 passed"]);
    // For another type, it excuses nothing.
    fails(
        &format!("{LEGACY}{}", entry("plan/stays-null", "type = \"reference_plain\"\n")),
        &["TOLERATED  plan/stays-null"],
    );

    let stale = "acme.toml: known finding `plan/repeats-itself` (the SDK does it) no longer matches anything; remove it";
    let more = entry("plan/repeats-itself", "");
    let unwrapped = |suite: &str| {
        let (_, ran) = play(suite, &[]);
        ran.says(101, &["(exit 2)"]);
        ran.unwrapped()
    };
    let said = unwrapped(&format!("{whole}{two}{more}"));
    assert!(said.contains(stale), "{said}");
    // A run of one type can only tell if the entry names the type.
    play(&format!("{LEGACY}{two}{more}"), &[]).1.says(0, &["1 passed"]);
    let named = entry("plan/repeats-itself", "type = \"reference_legacy\"\n");
    let said = unwrapped(&format!("{LEGACY}{two}{named}"));
    assert!(said.contains(stale), "{said}");
    // What a suite does not play, it cannot tell either.
    let elsewhere = entry("plan/repeats-itself", "type = \"reference_plain\"\n");
    play(&format!("{whole}{two}{elsewhere}"), &[]).1.says(0, &["1 passed"]);

    fails(
        &format!("{REFERENCE}{}", entry("rpc/survives", "")),
        &["acme.toml:7: a crash is known only by its `cause`"],
    );
}

fn pinned() {
    // The fault shows if a text is omitted; pinned ones never are.
    let suite = LEGACY.replace(", \"apply/rewrites-a-set-element@*_legacy\"", "");
    let texts = ["note", "comment", "kind"].map(|name| format!("{name} = {{ values = [\"pinned\"] }}\n"));
    let pins =
        format!("[resource.reference_legacy.attr]\n{}weight = {{ values = [7, 8] }}\n", texts.concat());
    play(&format!("{suite}{pins}"), &[]).1.says(0, &["1 passed"]);
    // Never set, they show it more often.
    let never = pins.replace("values = [\"pinned\"]", "never = true");
    fails(&format!("{suite}{never}"), &["TOLERATED  plan/stays-null"]);
}

fn without_effect() {
    let folder = Folder::new();
    let hints = "[data.reference_lookup.attr]\nfilter = { never = true }\nquery = { values = [\"a\"] }\n";
    let suite = REFERENCE.replace("reference_plain", "reference_lookup") + hints;
    let check = |more: &str| {
        folder.file("suites/acme.toml", &format!("{suite}{more}"));
        let ran = folder.tfconform("check --suite suites/acme.toml --no-cases");
        ran.says(0, &["conforms"]);
        ran.unwrapped()
    };
    assert!(!check("").contains("never used"));
    let said = check("\"filter.key\" = { values = [\"a\"] }\n");
    assert!(said.contains("`data.reference_lookup.attr.\"filter.key\".values` is never used"), "{said}");
}

fn demanded() {
    let whole = REFERENCE.replace("[run]\n", "[run]\ntrials = \"provider\"\n");
    let suite = format!("{whole}[require]\napplied = 2\nscenarios = 500\nplanned = \"100%\"\n");
    let words = [
        "more types must be applied than 1 of 1",
        "500 scenarios are required, and 4 were played",
        "(exit 4)",
    ];
    fails(&suite, &words);
    // Without `run.trials`, one trial covers the whole provider.
    let suite = suite.replace("trials = \"provider\"\n", "");
    assert_eq!(play(&suite, &["--list"]).1.says(0, &[]).out, "acme/provider: test\n");
    let suite = suite.replace("[run]\n", "[run]\ntrials = \"type\"\n");
    fails(&suite, &["acme/suite", "suites/acme.toml:7: `require` is about the provider as a whole"]);
}

fn start_timeout() {
    let folder = Folder::new();
    let suite = "[provider]\npath = \"provider\"\n[run]\nstart_timeout = 0.5\n";
    folder.script("provider", "#!/bin/sh\nexec sleep 100\n");
    run(&folder, suite).says(101, &["acme/start", "printed no handshake within 500ms"]);
}

/// Runs a suite in a folder, and keeps the scratch folders there.
#[track_caller]
pub(super) fn run(folder: &Folder, suite: &str) -> Ran {
    folder.file("suites/acme.toml", suite);
    let mut command = folder.command(std::env::current_exe().unwrap());
    command.env(FOLDER, folder.path("suites")).env("TFCONFORM_PROGRAM", super::PROGRAM);
    folder.run(command.env("TFCONFORM_SCRATCH", folder.path("scratch")))
}

/// A script that is the reference provider, wherever the program is.
pub(super) fn script_in(folder: &Folder) -> String {
    let program = folder.linked(Path::new(PROGRAM));
    script_of("").replace(PROGRAM, program.to_str().unwrap())
}

fn known_nowhere() {
    let known = |line: &str| {
        format!("{REFERENCE}[[known]]\nrule = \"plan/stays-null\"\n{line}\nreason = \"it does\"\n")
    };
    fails(
        &known("type = \"reference_plian\""),
        &[
            "suites/acme.toml:8: no type of the provider matches `reference_plian`, did you mean `reference_plain`?",
        ],
    );
    fails(
        &known("path = \"naem\""),
        &["suites/acme.toml:8: nothing that this entry covers has `naem`, did you mean `name`?"],
    );
}

/// The suite of the provider that wants its word, with another provider block.
fn with_config(config: &str) -> String {
    of_the_particular().replace("word = { secret_env = \"SESAME\" }", config)
}

fn not_stale() {
    let suite = with_config("word = \"other\"")
        + "trials = \"provider\"\napply = true\n\
           [[known]]\nrule = \"plan/stays-null\"\nreason = \"it does\"\n";
    let (_, ran) = play(&suite, &[]);
    ran.says(101, &["ConfigureProvider failed: not today!", "(exit 3)"]);
    assert!(!ran.unwrapped().contains("no longer matches anything"), "{}", ran.out);
}

fn misfit() {
    fails(
        &with_config("wrod = \"a\""),
        &["suites/acme.toml:3: there is no argument `wrod`, did you mean `word`?"],
    );
}

fn checked() {
    let folder = Folder::new();
    let known = "[[known]]\nrule = \"plan/stays-null\"\nreason = \"the SDK does it\"\n\
                 [[known]]\nrule = \"apply/keeps-set-elements\"\nreason = \"so does this\"\n";
    let check = |suite: &str, more: &str| {
        folder.file("suites/acme.toml", suite);
        folder.tfconform(&format!("check --suite suites/acme.toml --quiet {more}"))
    };
    check(LEGACY, "").says(1, &["TOLERATED  plan/stays-null", "(exit 1)"]);
    let suite = format!("{LEGACY}{known}");
    check(&suite, "")
        .says(0, &["  known         ", "conforms, except for 2 findings that are known or allowed (exit 0)"]);
    check(&suite, "--format json").says(0, &["{\"event\":\"run\"", "\"exit_code\":0"]);
    check(&suite, "--format junit").says(0, &["<testsuite"]);
    // An entry that no longer matches anything is an error, unless only a part is played.
    let suite = format!("{REFERENCE}{known}");
    let ran = check(&suite, "");
    ran.says(2, &["(exit 2)"]);
    assert!(ran.unwrapped().contains("acme.toml: known finding `plan/stays-null`"), "{}", ran.out);
    check(&suite, "--resource *_secret").says(0, &["played        4 scenarios", "conforms (exit 0)"]);
    let demanding = format!("{REFERENCE}[require]\napplied = 2\n");
    check(&demanding, "").says(4, &["more types must be applied than 1 of 1", "(exit 4)"]);
    check(&demanding.replace("cases", "case"), "")
        .fails(2, &["suites/acme.toml:4: unknown key `case`, did you mean `cases`?"]);
    check("[provider]\npath = \"no/such\"\n", "").fails(3, &["no/such does not exist"]);
}

fn checked_elsewhere() {
    let folder = Folder::new();
    let program = folder.linked(Path::new(PROGRAM));
    let behaviour = r#"{"protocol":6,"seed":1,"store":"store","faults":["plan/rewrites-configured-values"]}"#;
    let provider = format!("path = \"/bin/true\"\nenv = {{ TFCONFORM_REFERENCE = '{behaviour}' }}");
    let suite = REFERENCE.replace("reference = true", &provider) + "apply = true\n";
    folder.file("suites/acme.toml", &suite);
    let check = format!("check --suite suites/acme.toml {}", program.display());
    folder.tfconform("check --suite suites/acme.toml").fails(3, &["true: ended before the handshake"]);
    folder.tfconform("check --suite suites/acme.toml suites").fails(3, &["is a folder, not a program"]);
    let rule = "plan/keeps-configured-values";
    let again = |check: &str| {
        let ran = folder.tfconform(check);
        printed(&ran.says(1, &["MUST  plan/keeps-configured-values"]).out, rule)
    };
    // The case names its program.
    folder.run(&mut typed(&folder, &again(&check))).says(1, &["still there"]);
    let line = again(&format!("{check} --no-cases"));
    assert!(
        line.starts_with("tfconform check --suite ") && line.ends_with("--resource reference_plain"),
        "{line}"
    );
    folder.run(&mut typed(&folder, &line)).says(1, &[rule]);
}

fn several_engines() {
    let folder = Folder::new();
    let check = |more: &str| {
        let fault = "--fault schema/lists-nothing --no-cases --quiet";
        folder.tfconform(&format!("check --suite suites/acme.toml {fault} {more}"))
    };
    // OpenTofu looks at no list resources.
    let two = REFERENCE.replace("cases = 4", "cases = 4\nengine = [\"terraform\", \"opentofu\"]");
    folder.file("suites/acme.toml", &two);
    let ran = check("--format human");
    ran.says(
        1,
        &["as terraform and opentofu play it", "found as      terraform only", "played        8 scenarios"],
    );
    // It is shown again by the engine as which it was found.
    assert!(ran.unwrapped().contains("--engine terraform"), "{}", ran.out);
    check("--engine opentofu").says(0, &["as opentofu plays it", "conforms (exit 0)"]);
    check("--engine opentofu,terraform-1.15").says(1, &["found as      terraform-1.15 only"]);
    // A part of a run is one as each of them, and transcripts are kept apart.
    let ran = check("--engine terraform,opentofu-1.12 --shard 1/2 --transcripts out");
    assert!(!ran.out.contains("parts of the run are missing"), "{}", ran.out);
    for engine in ["terraform", "opentofu-1.12"] {
        assert!(!folder.files(&format!("out/{engine}"), "start.jsonl").is_empty(), "{engine}");
    }
    check("--engine terraform,terraform").fails(2, &["`terraform` is named twice"]);
    // What is known as one engine is stale only if no other finds it.
    let known = "[[known]]\nrule = \"schema/list-resources-have-an-identity\"\nreason = \"later\"\n";
    folder.file("suites/acme.toml", &format!("{two}{known}"));
    check("").says(0, &["known or allowed (exit 0)"]);
    folder.file("suites/acme.toml", &format!("{}{known}", two.replace("\"terraform\"", "\"opentofu-1.12\"")));
    check("").says(2, &["longer matches anything", "(exit 2)"]);
}

fn replaced() {
    let folder = Folder::new();
    let check = |suite: &str, more: &str| {
        folder.file("suites/acme.toml", suite);
        folder.tfconform(&format!("check --suite suites/acme.toml --quiet --no-cases {more}"))
    };
    check(REFERENCE, "--cases 3 --seed 7 --engine opentofu")
        .says(0, &["as opentofu plays it, seed 7", "played        3 scenarios"]);
    check(REFERENCE, "--no-apply")
        .says(0, &["nothing applied", "`--no-apply` or `run.apply = false` is set"]);
    check(LEGACY, "").says(1, &["TOLERATED  plan/stays-null"]);
    check(LEGACY, "--fail-on must").says(0, &["conforms (exit 0)"]);
    let ran = check(REFERENCE, "--protocol 5 --transcripts out");
    ran.says(0, &["protocol 5"]);
    assert!(!folder.files("out", "start.jsonl").is_empty());
    // Known findings may be missed if less is played.
    let stale = "[[known]]\nrule = \"plan/repeats-itself\"\nreason = \"it counts\"\n";
    check(&format!("{REFERENCE}{stale}"), "--jobs 2").says(2, &["(exit 2)"]);
    check(&format!("{REFERENCE}{stale}"), "--cases 3").says(0, &["conforms (exit 0)"]);
    let demanding = format!("{REFERENCE}[require]\napplied = 1\n");
    check(&demanding, "--no-apply").fails(
        2,
        &["acme.toml:7: `require.applied` requires objects to be created, and --no-apply forbids it"],
    );
    check("[provider]\npath = \"no/such\"\n", "--fault plan/counts-calls")
        .fails(2, &["--fault: only the reference provider has faults"]);
}

fn replaced_again() {
    let folder = Folder::new();
    folder.file("suites/acme.toml", REFERENCE);
    let rule = "plan/repeats-itself";
    let check = "check --suite suites/acme.toml --quiet --fault plan/counts-calls --seed 3";
    let line = printed(&folder.tfconform(check).says(1, &[rule]).out, rule);
    folder.run(&mut typed(&folder, &line)).says(1, &["still there"]);
    folder.run(&mut typed(&folder, &format!("{line} --no-fault"))).says(0, &["fixed"]);
    let line = printed(&folder.tfconform(&format!("{check} --no-cases")).says(1, &[rule]).out, rule);
    let said = "acme.toml --seed 3 --fault plan/counts-calls --resource reference_plain";
    assert!(line.starts_with("tfconform check --suite /") && line.ends_with(said), "{line}");
    folder.run(&mut typed(&folder, &line)).says(1, &[rule]);
}

fn shown() {
    let folder = Folder::new();
    let check = |value: &str, more: &str| {
        let pinned = format!("[resource.reference_plain.attr]\nname = {{ values = [\"{value}\"] }}\n");
        folder.file("suites/acme.toml", &format!("{REFERENCE}{pinned}"));
        folder.tfconform(&format!(
            "check --suite suites/acme.toml --cases 1 --no-cases --quiet --snapshots kept {more}"
        ))
    };
    folder.file("kept/other.snap", "---\nsource: tfconform\n---\n# resource other\n");
    check("pinned", "").says(5, &["NEW  kept/reference_plain.snap\n", "2 new", "(exit 5)"]);
    check("pinned", "--accept").says(0, &["0 unchanged, 2 new: accepted", "conforms (exit 0)"]);
    let text = std::fs::read_to_string(folder.path("kept/reference_plain.snap")).unwrap();
    assert!(text.contains("name = \"pinned\""), "{text}");
    check("pinned", "").says(0, &["2 unchanged\n", "conforms (exit 0)"]);
    check("other", "").says(5, &["CHANGED  kept/reference_plain.snap\n", "+   name = \"other\"", "(exit 5)"]);
    check("other", "--seed 2").says(5, &["shown for     reference_plain, seed 2"]);
}

/// A suite of the provider that wants its word, which is a secret, and its environment.
fn of_the_particular() -> String {
    let (us, be, variable) = (std::env::current_exe().unwrap(), particular::WORD, particular::VARIABLE);
    format!(
        "[provider]\ncommand = [{us:?}, \"{be}\"]\nconfig = {{ word = {{ secret_env = \"SESAME\" }} }}\n\
         env = {{ {variable} = \"yes\" }}\n[run]\ncases = 3\n"
    )
}

fn again() {
    let folder = Folder::new();
    let secret = ("SESAME", particular::SECRET);
    folder.file("suites/acme.toml", &of_the_particular());
    let mut command = folder.command(std::env::current_exe().unwrap());
    command.env(FOLDER, folder.path("suites")).env("TFCONFORM_PROGRAM", PROGRAM).env(secret.0, secret.1);
    let out = folder.run(&mut command).says(101, &["MUST  wire/decodes"]).out.clone();
    let line = printed(&out, "wire/decodes");
    assert!(line.starts_with("tfconform replay "), "{line}");
    let replayed = |line: &str| folder.run(typed(&folder, line).env(secret.0, secret.1));
    replayed(&line).says(1, &["wire/decodes: still there"]);
    for file in folder.files("target/tfconform/cases", "jsonl") {
        assert!(!std::fs::read_to_string(file).unwrap().contains(particular::SECRET));
    }
    folder.run(&mut typed(&folder, &line)).fails(2, &["the environment variable SESAME is not set"]);
    // Another configuration replaces it, and then the word is wrong.
    folder.file("other.hcl", "word = \"other\"\n");
    replayed(&format!("{line} --config other.hcl")).fails(3, &["ConfigureProvider failed: not today!"]);
    // Another program gets the same.
    replayed(&format!("{line} /bin/true")).fails(3, &["true: ended before the handshake"]);
    // For a provider started by hand, the suite only gives the configuration.
    let us = std::env::current_exe().unwrap();
    let check = format!("tfconform check --config suites/acme.toml -- {} {}", us.display(), particular::WORD);
    replayed(&check).says(3, &["ConfigureProvider failed: not today!"]);
    let check = check.replace("-- ", &format!("-- env {}=yes ", particular::VARIABLE));
    replayed(&check).says(1, &["MUST  wire/decodes"]);
    std::fs::remove_file(folder.path("suites/acme.toml")).unwrap();
    replayed(&line).fails(2, &["acme.toml: No such file"]);
}
