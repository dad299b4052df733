//! The documentation's Rust example: it is what this project does, and with `TFCONFORM_EXAMPLE=all` it is built and
//! run as a separate crate, as a user would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

const DOCUMENT: &str = include_str!("../../docs/cargo-test.md");
const MANIFEST: &str = include_str!("../../Cargo.toml");
/// This project's own suites are tested by the documented program.
const PROGRAM: &str = include_str!("../conformance.rs");

pub fn trials() -> Vec<Trial> {
    let built = Trial::test("example/the_documented_crate_tests_a_provider", built);
    vec![
        Trial::test("example/the_documented_crate_is_like_this_project", as_here),
        match missing() {
            Some(why) => built.with_kind(why).with_ignored_flag(true),
            None => built,
        },
    ]
}

/// Why the example is not built here.
fn missing() -> Option<&'static str> {
    let has_cargo =
        || Command::new(cargo()).arg("--version").output().is_ok_and(|said| said.status.success());
    match std::env::var_os("TFCONFORM_EXAMPLE") {
        // It compiles the project once more.
        None => Some("TFCONFORM_EXAMPLE=all builds it"),
        Some(_) => (!has_cargo()).then_some("needs cargo"),
    }
}

/// The beginnings of the document's blocks.
const TARGET: &str = "```toml\n[[test]]";
const CODE: &str = "```rust\nuse std::process::ExitCode";
const SUITE: &str = "```toml\n[provider]\npath";

fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// What is built and played here anyway.
fn as_here() -> Result<(), Failed> {
    let target = block(TARGET);
    assert!(MANIFEST.contains(&target), "Cargo.toml lacks what the document says:\n{target}");
    let program = block(CODE);
    assert!(PROGRAM.contains(&program), "tests/conformance.rs lacks what the document says:\n{program}");
    Ok(())
}

/// A crate in a temporary folder, built in the project's target folder: only dependencies that differ are
/// built.
fn built() -> Result<(), Failed> {
    let repository = Path::new(env!("CARGO_MANIFEST_DIR"));
    let crate_dir = tempfile::TempDir::with_prefix("example-")?;
    let write = |name: &str, text: &str| -> std::io::Result<()> {
        let file = crate_dir.path().join(name);
        fs::create_dir_all(file.parent().unwrap_or(Path::new(".")))?;
        fs::write(file, text)
    };
    let manifest = format!(
        "[package]\nname = \"acme-conformance\"\nversion = \"0.0.0\"\nedition = \"2024\"\npublish = false\n\n\
         [dev-dependencies]\ntfconform = {{ path = {repository:?} }}\n\n{}\n\
         {}",
        block(TARGET),
        profile(),
    );
    write("Cargo.toml", &manifest)?;
    write("src/lib.rs", "")?;
    write("tests/conformance.rs", &block(CODE))?;
    // The document's suite, with the only provider that is on every machine.
    let suite = block(SUITE).replace("path = \"terraform-provider-acme\"", "reference = true");
    let suite = suite.replace("cases = 10", "cases = 2\nresources = [\"reference_plain\"]");
    write("suites/acme.toml", &suite)?;
    // The same versions, so that built dependencies are reused.
    fs::copy(repository.join("Cargo.lock"), crate_dir.path().join("Cargo.lock"))?;

    let output = Command::new(cargo())
        .args(["test", "--offline", "--test", "conformance"])
        .current_dir(crate_dir.path())
        .env("CARGO_TARGET_DIR", target(repository))
        .env_remove("CARGO_MANIFEST_DIR")
        .output()?;
    let said =
        format!("{}\n{}", String::from_utf8_lossy(&output.stdout), String::from_utf8_lossy(&output.stderr));
    let passed = said.contains("test acme/reference_plain/lifecycle ... ok") && said.contains("1 passed");
    if output.status.success() && passed { Ok(()) } else { Err(said.into()) }
}

/// Where the project's own dependencies were built: the folder above this program's profile.
fn target(repository: &Path) -> PathBuf {
    let own = std::env::current_exe().ok();
    let target = own.as_deref().and_then(|own| own.ancestors().nth(3)).map(Path::to_owned);
    target.unwrap_or_else(|| repository.join("target"))
}

/// How the project compiles its dependencies: with another profile all of them would be built again. The project
/// itself is built again anyway, with other features of its dependencies, and plays little here.
fn profile() -> String {
    let from = MANIFEST.find("[profile.dev]").expect("the project has a profile");
    let to = MANIFEST.find("[profile.release]").expect("it has another one");
    let own = "[profile.dev.package.tfconform]\nopt-level = ";
    MANIFEST[from..to].replace(&format!("{own}1"), &format!("{own}0"))
}

/// The document's fenced block with this beginning, without its fences.
fn block(begin: &str) -> String {
    let at = DOCUMENT.find(begin).expect("the document shows it");
    let (_, body) = DOCUMENT[at..].split_once('\n').expect("a block has lines");
    body.split("```").next().unwrap_or_default().to_owned()
}
