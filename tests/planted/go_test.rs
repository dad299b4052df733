//! What `reproduce --as go` writes fails with the fault that it was found with, and passes without.

use std::ffi::OsStr;
use std::fs;
use std::path::{Path, PathBuf};
use std::process::{Command, Output};

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;
use tfconform::session;

use crate::play::{Provider, repository, suite_with};
use crate::table;

/// Of the framework's provider: what Terraform shows of the first is an error, of the second a change, and of the last
/// nothing.
pub const FAULTS: [&str; 3] =
    ["update_forgets_note_and_reads_back", "update_forgets_note", "read_copies_the_note"];
const PROVIDER: &str = "faultfw";

/// A trial that takes a while: the framework is compiled first.
pub fn trial(fault: &'static str, is_asked: bool) -> Trial {
    let missing = [
        ("needs go", program("go").is_some()),
        ("needs terraform", program("terraform").is_some()),
        ("needs terraform-provider-faultfw in $TFCONFORM_PROVIDERS", Provider::find(PROVIDER).is_there()),
        ("TFCONFORM_PLANTED=all plays it", is_asked),
    ];
    let why = missing.iter().find(|(_, is_there)| !is_there).map(|(why, _)| (*why).to_owned());
    let is_ignored = why.is_some();
    Trial::test(format!("{PROVIDER}/as_go/{fault}"), move || fails_with_the_fault(fault))
        .with_kind(why.unwrap_or_default())
        .with_ignored_flag(is_ignored)
}

fn program(name: &str) -> Option<PathBuf> {
    session::engine(name)
}

fn fails_with_the_fault(fault: &str) -> Result<(), Failed> {
    let folder = TempDir::with_prefix("as-go-")?;
    let written = written(folder.path(), fault)?;
    // The provider is in the package of its program.
    let test = with_change_outside(&written.replace("package provider", "package main"));
    let file = folder.path().join("case_test.go");
    fs::write(&file, &test)?;
    let with = go_test(folder.path(), &file, fault)?;
    let said = String::from_utf8_lossy(&with.stdout).into_owned();
    if with.status.success() || !said.contains("--- FAIL: Test") {
        return Err(
            format!("with the fault:\n{test}\n{said}\n{}", String::from_utf8_lossy(&with.stderr)).into()
        );
    }
    let without = go_test(folder.path(), &file, "")?;
    let said = String::from_utf8_lossy(&without.stdout).into_owned();
    if !without.status.success() || said.contains("no tests to run") {
        return Err(format!(
            "without the fault:\n{test}\n{said}\n{}",
            String::from_utf8_lossy(&without.stderr)
        )
        .into());
    }
    Ok(())
}

/// What the author would write, if the test has a place for it: the objects are files.
fn with_change_outside(test: &str) -> String {
    const STUB: &str = "\tt.Fatalf(\"%s: not written yet\", what)\n";
    const CHANGE: &str = "\
        \tfiles, _ := filepath.Glob(os.Getenv(\"FAULTFW_ROOT\") + \"/*/*.json\")\n\
        \tfor _, file := range files {\n\
        \t\ttext, _ := os.ReadFile(file)\n\
        \t\tvar object map[string]any\n\
        \t\tif err := json.Unmarshal(text, &object); err != nil {\n\t\t\tt.Fatal(what, err)\n\t\t}\n\
        \t\tobject[\"note\"] = \"changed outside\"\n\
        \t\ttext, _ = json.Marshal(object)\n\
        \t\tif err := os.WriteFile(file, text, 0o600); err != nil {\n\t\t\tt.Fatal(what, err)\n\t\t}\n\
        \t}\n";
    if !test.contains(STUB) {
        return test.to_owned();
    }
    let imports = "\t\"encoding/json\"\n\t\"os\"\n\t\"path/filepath\"\n\t\"testing\"\n";
    test.replace(STUB, CHANGE).replacen("\t\"testing\"\n", imports, 1)
}

/// The test of the first case of the fault for one of its rules that can be written as one.
fn written(folder: &Path, fault: &str) -> Result<String, Failed> {
    let planted = table::read().into_iter().find(|planted| planted.name == fault).ok_or("no such fault")?;
    let provider = Provider::find(PROVIDER);
    let suite = folder.join("suite.toml");
    fs::write(&suite, suite_with(&provider, Some(fault))?)?;
    let resource = format!("{PROVIDER}_{}", planted.resource);
    let program = provider.program().ok_or("the provider is not there")?;
    let mut check = tfconform(folder);
    check.args(["check", "--quiet", "--resource", &resource, "--suite"]).arg(&suite).arg(program);
    let checked = check.output()?;
    let cases = fs::read_dir(folder.join(".tfconform/cases"));
    let mut cases: Vec<PathBuf> =
        cases.into_iter().flatten().map(|entry| entry.map(|it| it.path())).collect::<Result<_, _>>()?;
    cases.sort();
    let names: Vec<String> = planted.rules.iter().map(|rule| rule.replace('/', "-")).collect();
    let is_its = |case: &&PathBuf| {
        let name = case.file_stem().unwrap_or_default().to_string_lossy().into_owned();
        names.iter().any(|rule| name.starts_with(rule.as_str()))
    };
    let test = |case: &PathBuf| {
        let output = tfconform(folder).arg("reproduce").arg(case).args(["--as", "go"]).output().ok()?;
        output.status.success().then(|| String::from_utf8_lossy(&output.stdout).into_owned())
    };
    let test = cases.iter().filter(is_its).find_map(test);
    Ok(test.ok_or_else(|| String::from_utf8_lossy(&checked.stdout).into_owned())?)
}

fn tfconform(folder: &Path) -> Command {
    let mut command = Command::new(env!("CARGO_BIN_EXE_tfconform"));
    command.current_dir(folder).env_remove("TFCONFORM_SCRATCH");
    command
}

/// Runs the test as a file of the provider's package, without the network.
fn go_test(folder: &Path, file: &Path, fault: &str) -> Result<Output, Failed> {
    let module = repository().join("tests/providers").join(PROVIDER);
    let overlay = folder.join("overlay.json");
    let replaced =
        serde_json::json!({ "Replace": { module.join("case_test.go").display().to_string(): file } });
    fs::write(&overlay, replaced.to_string())?;
    let test = fs::read_to_string(file)?;
    let name = test.split("func ").nth(1).and_then(|rest| rest.split('(').next()).ok_or("it has no test")?;
    let mut command = Command::new("go");
    command.args(["test", "-count=1", "-run", &format!("^{name}$"), "-overlay"]).arg(&overlay).arg(".");
    command.current_dir(&module).env("GOPROXY", "off").env("GOFLAGS", "-mod=readonly");
    command.env("FAULT", fault).env("FAULTFW_ROOT", folder.join("objects")).env("CHECKPOINT_DISABLE", "1");
    let terraform = program("terraform").ok_or("there is no terraform")?;
    command.env("TF_ACC", "1").env::<&OsStr, _>("TF_ACC_TERRAFORM_PATH".as_ref(), terraform);
    Ok(command.output()?)
}
