//! Every suite of `suites/` as trials.

use std::process::ExitCode;

fn main() -> ExitCode {
    tfconform::harness::main()
}
