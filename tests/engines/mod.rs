//! The real engines on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use tfconform::reproduction::Shown;
use tfconform::session;

/// The program of an engine such as `terraform 1.15.9`, or why it cannot be used: in `PATH`, or where `ci/terraform.sh`
/// and `ci/opentofu.sh` put it.
pub fn find(engine: &str) -> Result<PathBuf, String> {
    let (name, number) = engine.split_once(' ').unwrap_or((engine, ""));
    let built = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/engines");
    let own = [format!("{name}-{number}"), name.to_owned()].map(|program| built.join(program));
    let found = session::engine(name).into_iter().chain(own.into_iter().filter(|own| own.is_file()));
    let mut others = Vec::new();
    for program in found {
        match version(&program) {
            Some(version) if version == engine => return Ok(program),
            other => others.extend(other),
        }
    }
    match others.first() {
        Some(other) => Err(format!("needs {engine}, and {other} is here")),
        None => Err(format!("needs {engine}")),
    }
}

/// An engine's name and version, such as `terraform 1.11.4`.
fn version(program: &Path) -> Option<String> {
    // Without a file of its own, so that no warning about it comes first.
    let mut version = Command::new(program);
    version.arg("version").env("CHECKPOINT_DISABLE", "1").env("TF_CLI_CONFIG_FILE", "/dev/null");
    let output = version.output().ok()?;
    Shown::read(&format!("== version\n{}", String::from_utf8_lossy(&output.stdout))).engine()
}
