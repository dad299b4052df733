//! Providers that need an interpreter.

use std::path::Path;

use libtest_mimic::Trial;

use super::{Folder, PROGRAM, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("command/a_script_in_the_working_folder_is_played", script),
        trial("command/what_a_finding_prints_works_with_an_interpreter", again),
    ]
}

/// A script that is the reference provider.
pub fn script_of(faults: &str) -> String {
    format!("exec {PROGRAM} reference --store store {faults}\n")
}

const CHECK: &str = "check --resource reference_plain --cases 3 --quiet";

fn script() {
    let folder = Folder::new();
    folder.file("the provider.sh", &script_of(""));
    let mut command = folder.command(PROGRAM);
    command.args(CHECK.split(' ')).args(["--", "sh", "the provider.sh"]);
    folder.run(&mut command).says(0, &["played        3 scenarios (0 refused", "conforms (exit 0)"]);
}

fn again() {
    let folder = Folder::new();
    let script = folder.file("the provider.sh", &script_of("--fault plan/counts-calls"));
    folder.file("its block.hcl", "provider \"x\" {\n  token = \"t\"\n}\n");
    let run = |more: &[&str]| {
        let mut command = folder.command(PROGRAM);
        command.args(CHECK.split(' ')).args(["--config", "its block.hcl"]).args(more);
        let ran = folder.run(command.args(["--", "sh", "the provider.sh"]));
        ran.says(1, &["MUST  plan/repeats-itself"]).out.clone()
    };
    let printed = |out: &str| {
        let (_, finding) = out.split_once("plan/repeats-itself").unwrap();
        finding.split_once("  again         ").unwrap().1.lines().next().unwrap().to_owned()
    };
    let case = printed(&run(&[]));
    assert!(case.starts_with("tfconform replay .tfconform/cases/"), "{case}");
    let line = printed(&run(&["--no-cases"]));
    assert!(line.ends_with(&format!("-- sh '{}'", script.canonicalize().unwrap().display())), "{line}");
    for (line, words) in [(case, "plan/repeats-itself: still there"), (line, "MUST  plan/repeats-itself")] {
        let bin = Path::new(PROGRAM).parent().unwrap().display().to_string();
        let path = format!("{bin}:{}", std::env::var("PATH").unwrap());
        folder.run(folder.command("bash").args(["-c", &line]).env("PATH", path)).says(1, &[words]);
    }
}
