//! The `tfconform` program.

use std::process::ExitCode;

fn main() -> ExitCode {
    tfconform::cli::main()
}
