//! Providers whose applies fail: such a run is never green.

use libtest_mimic::Trial;

use super::{Folder, PROGRAM, suites, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("applies/a_provider_whose_every_create_fails_ends_with_4", nothing_created),
        trial("applies/a_trial_of_such_a_provider_fails", nothing_created_in_trials),
        trial("applies/a_trial_of_one_such_type_says_so", one_type_in_trials),
        trial("applies/a_run_with_one_such_type_counts_it", one_type),
        trial("applies/refused_updates_and_destroys_fail_the_run", refused_changes),
        trial("applies/require_can_be_said_on_the_command_line", required),
    ]
}

/// The fault refuses to create objects with an optional argument, and this one is always set.
const NEVER_CREATED: &str = "[provider]\nreference = true\nfaults = [\"apply/refuses-to-create@reference_plain\"]\n\
    [run]\ncases = 4\nresources = [\"reference_plain\"]\n\
    [resource.reference_plain.attr]\nabsent = { values = [\"always\"] }\n";

/// The same, and a type that can be created.
fn beside_another() -> String {
    NEVER_CREATED.replace("[\"reference_plain\"]", "[\"reference_plain\", \"reference_versioned\"]")
}

fn check(suite: &str, options: &str) -> super::Ran {
    let folder = Folder::new();
    folder.file("suites/acme.toml", suite);
    folder.tfconform(&format!("check --suite suites/acme.toml {options}"))
}

fn play(suite: &str) -> super::Ran {
    let folder = Folder::new();
    folder.file("suites/acme.toml", suite);
    let mut command = folder.command(std::env::current_exe().unwrap());
    command.env(suites::FOLDER, folder.path("suites")).env("TFCONFORM_PROGRAM", PROGRAM);
    folder.run(&mut command)
}

fn nothing_created() {
    let ran = check(NEVER_CREATED, "");
    ran.says(4, &["apply/succeeds-as-planned", "1 of 1 type: plans accepted, applies fail", "(exit 4)"]);
    let note = "nothing was applied: 1 of 1 resource types were planned; failed applies: “400 Bad Request: The \
                service has no such option.” in 4 scenarios; if the remote system refuses generated values, set \
                its own with `resource.TYPE.attr.PATH.values` in a suite";
    assert!(ran.unwrapped().contains(note), "{}", ran.out);
    // Findings come first.
    check(NEVER_CREATED, "--strict").says(1, &["the run (exit 1)"]);
    // Nobody is told about objects that were not to be created.
    check(NEVER_CREATED, "--no-apply").says(0, &["conforms (exit 0)"]);
}

fn nothing_created_in_trials() {
    play(NEVER_CREATED).says(101, &["nothing was applied", "(exit 4)"]);
}

fn one_type_in_trials() {
    let ran = play(&beside_another());
    ran.says(0, &["reference_plain: ok, not applied: nothing was applied", "2 passed"]);
}

fn one_type() {
    let ran = check(&beside_another(), "");
    ran.says(4, &["the notes name the types that were only refused", "(exit 4); "]);
    let note =
        "every scenario of reference_plain was refused: set arguments that the provider accepts in a suite";
    assert!(ran.unwrapped().contains(note), "{}", ran.out);
    // Unless the user says how much is enough.
    let ran = check(&beside_another(), "--require planned=100%");
    ran.says(0, &["1 of 2 types conform; 1 was never applied (exit 0)"]);
    let ran = check(&beside_another(), "--require applied=100%");
    ran.says(4, &["more types must be applied than 1 of 2", "(exit 4)"]);
}

fn refused_changes() {
    let folder = Folder::new();
    for (fault, rule) in [
        ("apply/refuses-updates", "MUST  apply/updates-in-place"),
        ("apply/refuses-to-destroy", "MUST  apply/destroys-what-it-created"),
        ("rpc/reports-a-defect", "MUST  rpc/reports-no-defect"),
    ] {
        let line = format!("check --fault {fault} --resource reference_plain --no-cases --cases 8");
        folder.tfconform(&line).says(1, &[rule, "(exit 1)"]);
    }
}

fn required() {
    let folder = Folder::new();
    let line = "check --resource reference_plain --cases 4 --require";
    folder.tfconform(&format!("{line} applied=100%,planned=1,scenarios=4")).says(0, &["conforms (exit 0)"]);
    folder
        .tfconform(&format!("{line} scenarios=5"))
        .says(4, &["5 scenarios are required, and 4 were played"]);
    folder.tfconform(&format!("{line} applied")).fails(2, &["has no amount, as in applied=90%"]);
}
