//! Providers that need an interpreter.

use libtest_mimic::Trial;

use super::{Folder, PROGRAM, trial};

pub fn trials() -> Vec<Trial> {
    vec![trial("command/a_script_in_the_working_folder_is_played", script)]
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
