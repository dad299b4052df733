//! The documentation's Rust example as a separate crate, built and run as a user would.

use std::fs;
use std::path::{Path, PathBuf};
use std::process::Command;

use libtest_mimic::{Failed, Trial};

const DOCUMENT: &str = include_str!("../../docs/cargo-test.md");
const MANIFEST: &str = include_str!("../../Cargo.toml");

pub fn trials() -> Vec<Trial> {
    let trial = Trial::test("example/the_documented_crate_tests_a_provider", example);
    vec![match missing() {
        Some(why) => trial.with_kind(why).with_ignored_flag(true),
        None => trial,
    }]
}

/// Why the example cannot be built here.
fn missing() -> Option<String> {
    let cargo = Command::new(cargo()).arg("--version").output().is_ok_and(|output| output.status.success());
    (!cargo).then(|| "needs cargo".to_owned())
}

fn cargo() -> PathBuf {
    std::env::var_os("CARGO").map_or_else(|| "cargo".into(), PathBuf::from)
}

/// A crate in a temporary folder, built in the project's target folder: only dependencies that differ are
/// built.
fn example() -> Result<(), Failed> {
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
        block("```toml\n[[test]]"),
        profile(),
    );
    write("Cargo.toml", &manifest)?;
    write("src/lib.rs", "")?;
    write("tests/conformance.rs", &block("```rust\nuse std::process::ExitCode"))?;
    // The document's suite, with the only provider that is on every machine.
    let suite =
        block("```toml\n[provider]\npath").replace("path = \"terraform-provider-acme\"", "reference = true");
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
