//! `ci/install.sh`, and what a release has for it.

use std::collections::BTreeSet;
use std::fs;
use std::process::Command;

use libtest_mimic::Trial;
use serde_norway::Value as Yaml;
use sha2::{Digest as _, Sha256};

use super::{Folder, Ran, repository, trial};

pub const SCRIPT: &str = include_str!("../../ci/install.sh");
const VERSION: &str = env!("CARGO_PKG_VERSION");

pub fn trials() -> Vec<Trial> {
    vec![
        trial("install/from_a_folder_and_from_a_file_address", installs),
        trial("install/what_is_there_already_is_left_alone", cached),
        trial("install/a_wrong_checksum_is_refused", wrong_sum),
        trial("install/what_is_missing_is_named", missing),
        trial("install/a_release_has_what_it_asks_for", targets),
    ]
}

/// A program that only knows its version.
fn program() -> String {
    format!("#!/bin/sh\necho tfconform {VERSION}\n")
}

/// The target of this machine, as the script has it.
fn target() -> String {
    let printed = |option: &str| {
        let output = Command::new("uname").arg(option).output().unwrap();
        String::from_utf8(output.stdout).unwrap().trim().to_owned()
    };
    let machine = printed("-m").replace("arm64", "aarch64");
    let system = if printed("-s") == "Darwin" { "apple-darwin" } else { "unknown-linux-musl" };
    format!("{machine}-{system}")
}

fn archive() -> String {
    format!("tfconform-{VERSION}-{}.tar.gz", target())
}

/// Makes a release of this program in the folder `releases`; returns the checksum of its archive.
pub fn release(folder: &Folder, program: &str) -> String {
    folder.script("release/tfconform", program);
    let archive = archive();
    let files = format!("releases/v{VERSION}");
    fs::create_dir_all(folder.path(&files)).unwrap();
    let mut tar = folder.command("tar");
    tar.args(["-czf", &format!("{files}/{archive}"), "-C", "release", "tfconform"]);
    folder.run(&mut tar).says(0, &[]);
    let bytes = fs::read(folder.path(&format!("{files}/{archive}"))).unwrap();
    let sum: String = Sha256::digest(bytes).iter().map(|byte| format!("{byte:02x}")).collect();
    folder.file(&format!("{files}/SHA256SUMS"), &format!("{sum}  {archive}\n"));
    sum
}

fn install(folder: &Folder, from: &str, more: &[&str]) -> Ran {
    let mut command = folder.command("sh");
    command.arg(repository().join("ci/install.sh")).args(["--from", from]).args(more);
    folder.run(command.env("HOME", folder.path("home")))
}

fn installs() {
    let folder = Folder::new();
    let sum = release(&folder, &program());
    install(&folder, "releases", &[]).says(0, &[]);
    let ran = folder.run(&mut folder.command(folder.path("home/.local/bin/tfconform")));
    assert_eq!(ran.out, format!("tfconform {VERSION}\n"));
    let address = format!("file://{}/", folder.path("releases").display());
    install(&folder, &address, &["--to", "a/b", "--version", &format!("v{VERSION}"), "--sha256", &sum])
        .says(0, &[]);
    assert!(folder.path("a/b/tfconform").exists());
    // Nothing else stays there.
    assert_eq!(folder.files("a/b", "").len(), 1);
}

fn cached() {
    let folder = Folder::new();
    release(&folder, &program());
    install(&folder, "releases", &["--to", "bin"]).says(0, &[]);
    install(&folder, "nowhere", &["--to", "bin"]).says(0, &[]);
    let ran = install(&folder, "nowhere", &["--to", "bin", "--version", "9.9.9"]);
    ran.fails(1, &["failed to get tfconform-9.9.9-"]);
}

fn wrong_sum() {
    let folder = Folder::new();
    let sum = release(&folder, &program());
    let zeros = "0".repeat(64);
    let why = format!("has the checksum {sum} and not {zeros}: nothing is installed");
    install(&folder, "releases", &["--to", "bin", "--sha256", &zeros]).fails(1, &[&why]);
    folder.file(&format!("releases/v{VERSION}/SHA256SUMS"), &format!("{zeros}  {}\n", archive()));
    install(&folder, "releases", &["--to", "bin"]).fails(1, &[&why]);
    assert!(folder.files("bin", "").is_empty());
    folder.file(&format!("releases/v{VERSION}/SHA256SUMS"), &format!("{sum}  another.tar.gz\n"));
    install(&folder, "releases", &["--to", "bin"]).fails(1, &["SHA256SUMS has no line for"]);
}

fn missing() {
    let folder = Folder::new();
    install(&folder, "", &[]).fails(2, &["--from is required"]);
    install(&folder, "releases", &["--too", "bin"]).fails(2, &["unknown option --too"]);
    install(&folder, "releases", &["--to"]).fails(2, &["--to needs a value"]);
    let address = format!("file://{}", folder.path("releases").display());
    install(&folder, &address, &["--to", "bin"]).fails(1, &[&format!("failed to get {}", archive())]);
    // A program for another machine.
    folder.script("bin/uname", "#!/bin/sh\necho Plan9\n");
    let mut command = folder.command("sh");
    let path = format!("{}:{}", folder.path("bin").display(), std::env::var("PATH").unwrap());
    command.arg(repository().join("ci/install.sh")).args(["--from", "releases"]).env("PATH", path);
    folder.run(&mut command).fails(2, &["there is no program for Plan9 on Plan9"]);
}

/// The workflow builds every target that the script names, and the script's own version is the package's.
fn targets() {
    assert!(SCRIPT.contains(&format!("\nversion={VERSION}\n")), "the version of the script");
    assert!(SCRIPT.contains(&format!("(default: {VERSION})")), "the version in its usage");
    let named = SCRIPT.split(";;").filter_map(|arm| Some(arm.split_once("target=")?.1.trim()));
    let named: BTreeSet<&str> = named.collect();
    let workflow = fs::read_to_string(repository().join(".github/workflows/release.yml")).unwrap();
    let yaml: Yaml = serde_norway::from_str(&workflow).unwrap();
    let matrix = yaml["jobs"]["program"]["strategy"]["matrix"]["include"].as_sequence().unwrap();
    let built: BTreeSet<&str> = matrix.iter().filter_map(|row| row["target"].as_str()).collect();
    assert_eq!(built, named);
    assert!(named.contains(target().as_str()) && named.len() == 4, "{named:?}");
    // Every script of the workflow is one that a shell can read.
    let jobs = yaml["jobs"].as_mapping().unwrap().values();
    let steps = jobs.flat_map(|job| job["steps"].as_sequence().unwrap());
    let scripts: Vec<&str> = steps.filter_map(|step| step["run"].as_str()).collect();
    assert!(scripts.len() > 5, "{scripts:?}");
    for script in scripts {
        let folder = Folder::new();
        folder.run(folder.command("bash").args(["-n", "-c", script])).says(0, &[]);
    }
}
