//! What stands around the code is true: the script that makes rules.

use std::fs;
use std::path::Path;
use std::process::{Command, Output};

fn root() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// A copy of the script and of one group of rules, in which the script can be run.
struct Copy(tempfile::TempDir);

impl Copy {
    fn of(group: &str) -> Copy {
        let copy = Copy(tempfile::tempdir().unwrap());
        let rules = copy.0.path().join("src/rules").join(group);
        fs::create_dir_all(&rules).unwrap();
        for entry in root().join("src/rules").join(group).read_dir().unwrap() {
            let entry = entry.unwrap();
            fs::copy(entry.path(), rules.join(entry.file_name())).unwrap();
        }
        fs::create_dir(copy.0.path().join("ci")).unwrap();
        fs::copy(root().join("ci/new-rule.sh"), copy.0.path().join("ci/new-rule.sh")).unwrap();
        copy
    }

    fn new_rule(&self, arguments: &[&str]) -> Output {
        Command::new("sh").arg(self.0.path().join("ci/new-rule.sh")).args(arguments).output().unwrap()
    }

    fn read(&self, file: &str) -> String {
        fs::read_to_string(self.0.path().join("src/rules").join(file)).unwrap()
    }
}

#[test]
fn a_new_rule_is_a_copy_without_words_and_is_listed() {
    let copy = Copy::of("plan");
    let output = copy.new_rule(&["plan/stays-nullish", "plan/stays-null"]);
    assert!(output.status.success(), "{output:?}");
    let rule = copy.read("plan/stays_nullish.rs");
    for owed in [
        "    /// OWED: what holds, in one sentence.\n",
        "    \"plan/stays-nullish\", Must, legacy: Excused,\n    covers: [\"OWED-000\"],\n    title: None,\n",
        "    cites: \"OWED\", \"OWED\":\n        \"OWED\";\n    check: Check::Plan(check);\n",
        "        name: \"plan/stays-nullish-fault\",\n        about: \"OWED\",\n",
        "        name: \"plan/stays-nullish-twin\",\n        about: \"OWED\",\n",
    ] {
        assert!(rule.contains(owed), "{owed}\n{rule}");
    }
    let (_, code) = rule.split_once("\nfn check(").unwrap();
    assert!(copy.read("plan/stays_null.rs").ends_with(code), "{code}");
    let list = copy.read("plan/mod.rs");
    assert!(list.contains("\npub mod stays_null;\npub mod stays_nullish;\n"), "{list}");
    assert!(list.ends_with("    &stays_nullish::RULE,\n];\n"), "{list}");
}

#[test]
fn a_new_rule_may_be_the_first_or_last_of_its_group() {
    let copy = Copy::of("data");
    for id in ["data/abc", "data/xyz"] {
        let output = copy.new_rule(&[id]);
        assert!(output.status.success(), "{output:?}");
    }
    let list = copy.read("data/mod.rs");
    let modules: Vec<&str> = list.lines().filter(|line| line.starts_with("pub mod ")).collect();
    assert!(modules.is_sorted() && modules[0] == "pub mod abc;", "{list}");
    assert_eq!(modules.last(), Some(&"pub mod xyz;"), "{list}");
    assert!(list.ends_with("    &abc::RULE,\n    &xyz::RULE,\n];\n"), "{list}");
}

#[test]
fn a_new_rule_may_be_the_one_that_makes_a_list_too_long_for_a_line() {
    let copy = Copy::of("validate");
    let line = "\npub(super) const RULES: &[&Rule] = &[&one::RULE, &two::RULE];\n";
    let list = format!("//! Two.\n\npub mod one;\npub mod two;\n{line}");
    fs::write(copy.0.path().join("src/rules/validate/mod.rs"), list).unwrap();
    let output = copy.new_rule(&["validate/three"]);
    assert!(output.status.success(), "{output:?}");
    let list = copy.read("validate/mod.rs");
    let lines = "&[\n    &one::RULE,\n    &two::RULE,\n    &three::RULE,\n];\n";
    assert!(list.ends_with(lines) && list.contains("pub mod three;\npub mod two;\n"), "{list}");
}

#[test]
fn a_new_rule_that_cannot_be_made_leaves_everything_as_it_is() {
    let copy = Copy::of("data");
    let list = copy.read("data/mod.rs");
    for (arguments, error) in [
        (&["data"][..], "\"data\" is not GROUP/NAME"),
        (&["data/Is_Odd"], "\"data/Is_Odd\" is not GROUP/NAME"),
        (&["plans/is-odd"], "there is no group plans, only: data"),
        (&["data/conforms"], "conforms.rs is there already"),
        (&["data/is-odd", "data/is-even"], "there is no rule data/is-even"),
        (&["data/is-odd", "plan/conforms"], "plan/conforms is of another group"),
    ] {
        let output = copy.new_rule(arguments);
        assert_eq!(output.status.code(), Some(2), "{arguments:?}");
        let said = String::from_utf8(output.stderr).unwrap();
        assert!(said.contains(error), "{arguments:?}: {said}");
        assert_eq!(copy.read("data/mod.rs"), list, "{arguments:?}");
    }
}
