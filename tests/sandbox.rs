//! The sandbox against programs that try to get out of it.
//!
//! The programs are this same one, in a role selected by a variable. Trials of what
//! the kernel does not allow here are ignored, with the reason as their kind.

#[path = "enclosed/mod.rs"]
mod enclosed;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};
use tfconform::sandbox;

fn main() -> ExitCode {
    sandbox::main_if_asked();
    if let Some(mode) = enclosed::fixture::mode() {
        return enclosed::fixture::run(&mode);
    }
    let arguments = Arguments::from_args();
    let closed = enclosed::closed_here();
    let trials = [
        enclosed::reach::trials(&closed),
        enclosed::shown::trials(&closed),
        enclosed::plugin::trials(&closed),
        enclosed::end::trials(&closed),
        enclosed::limits::trials(&closed),
    ];
    let trials: Vec<Trial> = trials.into_iter().flatten().collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
