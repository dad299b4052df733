//! Defects of SDKs, shown by providers that have nothing of their own.

use std::path::Path;

use libtest_mimic::Trial;

use super::{Folder, PROGRAM, trial_on};

pub fn trials() -> Vec<Trial> {
    vec![
        trial_on(
            "terraform-provider-plain",
            "sdk/a_defect_of_plugin_go_fails_only_if_it_is_denied",
            plugin_go,
        ),
        trial_on("terraform-provider-plainsdk", "sdk/defects_of_sdkv2_are_told_apart", sdkv2),
        trial_on("terraform-provider-zoosdk", "sdk/a_defect_needs_no_entry_in_a_suite", required_with),
    ]
}

fn plugin_go(program: &Path) {
    let folder = Folder::new();
    let check = |options: &[&str]| {
        let mut check = folder.command(PROGRAM);
        folder.run(check.arg("check").arg(program).args(["--no-cases", "--transcripts", "out"]).args(options))
    };
    let sdk = "sdk           1 finding, shown by -v: terraform-plugin-go writes whole numbers";
    let ran = check(&[]);
    ran.says(0, &[sdk, "built with    terraform-plugin-framework 1.19.0, terraform-plugin-go 0.31.0, Go 1."]);
    let mut judge = folder.command(PROGRAM);
    judge.arg("judge").args(folder.files("out", ".jsonl"));
    folder.run(&mut judge).says(0, &[sdk]);
    check(&["--deny", "apply/keeps-planned-values"])
        .says(1, &["MUST  apply/keeps-planned-values  plain_ratio"]);
}

fn sdkv2(program: &Path) {
    let folder = Folder::new();
    let mut check = folder.command(PROGRAM);
    folder.run(check.arg("check").arg(program).arg("--no-cases")).says(
        0,
        &[
            "built with    terraform-plugin-sdk/v2 2.40.1",
            "terraform-plugin-sdk/v2 leaves an update of the timeouts out",
            "terraform-plugin-sdk/v2 reads whole numbers of a stored",
            "terraform-plugin-sdk/v2 stores a whole number near 2^63 as",
        ],
    );
}

fn required_with(program: &Path) {
    let folder = Folder::new();
    let mut check = folder.command(PROGRAM);
    let options = ["--resource", "zoosdk_required_with", "--cases", "4", "--no-cases"];
    let said = "terraform-plugin-sdk/v2 takes an unknown argument for one";
    folder.run(check.arg("check").arg(program).args(options)).says(0, &[said]);
}
