//! The real engines on this machine.

use std::path::{Path, PathBuf};
use std::process::Command;

use tfconform::reproduction::Shown;
use tfconform::session;

/// The program of an engine such as `terraform`: in `PATH`, or where `ci/opentofu.sh` puts it.
pub fn program(name: &str) -> Option<PathBuf> {
    let own = Path::new(env!("CARGO_MANIFEST_DIR")).join("target/engines").join(name);
    session::engine(name).or(Some(own).filter(|own| own.is_file()))
}

/// An engine's name and version, such as `terraform 1.11.4`.
pub fn version(program: &Path) -> Option<String> {
    // Without a file of its own, so that no warning about it comes first.
    let mut version = Command::new(program);
    version.arg("version").env("CHECKPOINT_DISABLE", "1").env("TF_CLI_CONFIG_FILE", "/dev/null");
    let output = version.output().ok()?;
    Shown::read(&format!("== version\n{}", String::from_utf8_lossy(&output.stdout))).engine()
}
