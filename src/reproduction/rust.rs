//! A case as a test target of Cargo.

use std::path::Path;

use super::go::words;

/// A test that replays a case file, and fails while its finding is there.
pub fn rust_test(rule: &str, case: &Path) -> String {
    let id = case.file_stem().unwrap_or_default().to_string_lossy();
    let name = words(&id, "_").to_lowercase();
    let file = case.display().to_string();
    format!(
        "//! Fails while the provider breaks `{rule}` as in the case.\n\
         //!\n\
         //! As `tests/{name}.rs`, with tfconform among the dev-dependencies and this in Cargo.toml:\n\
         //!\n\
         //! ```toml\n\
         //! [[test]]\n\
         //! name = \"{name}\"\n\
         //! harness = false\n\
         //! ```\n\
         \n\
         use std::process::ExitCode;\n\
         \n\
         fn main() -> ExitCode {{\n    \
             // Relative to the folder of Cargo.toml.\n    \
             tfconform::harness::main_of_cases(&[{file:?}])\n\
         }}\n"
    )
}
