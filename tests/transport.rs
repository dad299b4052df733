//! The transport against real processes: a provider from the wild, our own
//! server half, and programs that are not providers at all.
//!
//! The processes are this same program, in a role selected by a variable. Trials
//! that need something that is not on the machine are ignored, with the reason
//! as their kind.

#[path = "hostile/mod.rs"]
mod hostile;

use std::process::ExitCode;

use libtest_mimic::{Arguments, Trial};

fn main() -> ExitCode {
    if let Some(mode) = hostile::plugin::mode() {
        return hostile::plugin::run(&mode);
    }
    let arguments = Arguments::from_args();
    let trials =
        [hostile::start::trials(), hostile::calls::trials(), hostile::own::trials(), hostile::wild::trials()];
    let trials: Vec<Trial> = trials.into_iter().flatten().collect();
    libtest_mimic::run(&arguments, trials).exit_code()
}
