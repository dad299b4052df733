//! The real program, as a user runs it: standard output, standard error and exit code together.
//!
//! Trials that need something not on the machine are ignored, with the reason as their kind.

#[path = "cli/mod.rs"]
mod cli;
#[path = "hostile/plugin.rs"]
mod plugin;
#[path = "hostile/refusals.rs"]
mod refusals;

use std::path::Path;
use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    // Runs a folder of suites as `cargo test` does, in a separate process.
    if let Some(folder) = std::env::var_os(cli::suites::FOLDER) {
        return tfconform::harness::main_of(Path::new(&folder));
    }
    if let Some(mode) = plugin::mode() {
        return plugin::run(&mode);
    }
    let roles = [
        tfconform::role::play_if_asked,
        cli::refuser::play_if_asked,
        cli::particular::play_if_asked,
        cli::mock_if_asked,
        cli::meeting_provider::play_if_asked,
        cli::misbehaving_provider::play_if_asked,
        cli::leaky::play_if_asked,
    ];
    if let Some(code) = roles.into_iter().find_map(|role| role()) {
        return code;
    }
    let mut arguments = Arguments::from_args();
    // More than there are CPUs: many wait for a process that hangs.
    arguments.test_threads.get_or_insert(2 * std::thread::available_parallelism().map_or(2, usize::from));
    libtest_mimic::run(&arguments, cli::trials()).exit_code()
}
