//! Findings of a baseline fail no run; new ones do, and what is gone is said.

use libtest_mimic::Trial;

use super::{Folder, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("baseline/only_new_findings_fail", only_new),
        trial("baseline/what_is_gone_is_said", gone),
        trial("baseline/what_cannot_be_read_or_written_is_an_error", wrong),
        trial("baseline/a_known_finding_ends_with_its_last_day", expired),
    ]
}

/// One type of the reference provider, every finding of which fails the run.
fn check(folder: &Folder, faults: &[&str], options: &str) -> super::Ran {
    let faults: String = faults.iter().map(|fault| format!("--fault {fault} ")).collect();
    folder.tfconform(&format!("check {faults}--resource reference_plain --cases 4 {options}"))
}

const FAULT: &str = "plan/rewrites-configured-values";

fn only_new() {
    let folder = Folder::new();
    check(&folder, &[FAULT], "--write-baseline b.toml")
        .says(0, &["lines; `--baseline b.toml` fails on new findings"]);
    let written = std::fs::read_to_string(folder.path("b.toml")).unwrap();
    let line =
        "  { rule = \"plan/keeps-configured-values\", type = \"reference_plain\", path = \"name\" },\n";
    assert!(written.contains(line), "{written}");
    // What an engine rejects is still not applied.
    check(&folder, &[FAULT], "--baseline b.toml").says(4, &["known         1 finding"]);
    check(&folder, &[FAULT, "plan/counts-calls"], "--baseline b.toml").says(1, &["plan/repeats-itself"]);
    // A crash is in a baseline too, by its cause.
    check(&folder, &["rpc/panics"], "--write-baseline c.toml").says(0, &["c.toml has 1 line"]);
    let ran = check(&folder, &["rpc/panics"], "--baseline c.toml");
    assert!(!ran.out.contains("MUST"), "{}", ran.out);
}

fn gone() {
    let folder = Folder::new();
    let suite = "[provider]\nreference = true\n[run]\nresources = [\"reference_plain\"]\ncases = 4\nbaseline = \"b.toml\"\n";
    folder.file("suites/acme.toml", suite);
    folder.file(
        "b.toml",
        "known = [{ rule = \"plan/stays-null\", type = \"reference_plain\", path = \"note\" }]\n",
    );
    let said = "b.toml: 1 line matches nothing any more, such as plan/stays-null reference_plain note";
    let ran = folder.tfconform("check --suite suites/acme.toml");
    assert!(ran.unwrapped().contains(said), "{}", ran.out);
    ran.says(0, &[]);
    folder.tfconform("check --suite suites/acme.toml --strict-baseline").says(2, &[]);
    // A run of a part cannot tell.
    let ran = folder.tfconform("check --suite suites/acme.toml --strict-baseline --cases 2");
    ran.says(0, &[]);
}

fn wrong() {
    let folder = Folder::new();
    check(&folder, &[], "--baseline none.toml").fails(2, &["none.toml: "]);
    folder.file("b.toml", "known = [\n  { rules = \"plan/stays-null\" },\n]\n");
    check(&folder, &[], "--baseline b.toml").fails(2, &["b.toml:2: unknown"]);
    check(&folder, &[FAULT], "--write-baseline b.toml/b.toml").says(6, &["the baseline was not written"]);
}

fn expired() {
    let folder = Folder::new();
    let suite = |until: &str| {
        format!(
            "[provider]\nreference = true\nfaults = [\"plan/fills-what-is-not-computed\"]\n\
             [run]\nresources = [\"reference_plain\"]\ncases = 4\n\
             [[known]]\nrule = \"plan/stays-null\"\nreason = \"ticket 7\"\nowner = \"network team\"\nuntil = \"{until}\"\n"
        )
    };
    folder.file("suites/acme.toml", &suite("2020-02-29"));
    let ran = folder.tfconform("check --suite suites/acme.toml");
    let said = "acme.toml:11: `plan/stays-null` (ticket 7, network team) was known until 2020-02-29";
    assert!(ran.unwrapped().contains(said), "{}", ran.out);
    ran.says(1, &["MUST  plan/stays-null"]);
    folder.file("suites/acme.toml", &suite("9999-12-31"));
    let ran = folder.tfconform("check --suite suites/acme.toml");
    assert!(!ran.out.contains("MUST"), "{}", ran.out);
    folder.file("suites/acme.toml", &suite("next week"));
    folder.tfconform("check --suite suites/acme.toml").fails(2, &["acme.toml:11: \"next week\" is no day"]);
}
