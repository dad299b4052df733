//! What real engines show of each rule's fault, against `docs/levels.md`.
//!
//! A trial arms the reference provider with the fault of one rule, has tfconform find it, plays the case
//! under a real engine, and compares what that shows with the document. The control of the fault must
//! show nothing. A few rules are tried by default, `TFCONFORM_LEVELS=all` tries every rule, and
//! `UPDATE_GENERATED=1` writes what was seen into the document.
//!
//! Trials are ignored where the engine that the document is about is not on the machine.

/// As in the program.
#[global_allocator]
static ALLOCATOR: mimalloc::MiMalloc = mimalloc::MiMalloc;

#[path = "engines/mod.rs"]
mod engines;
#[path = "levels/fault.rs"]
mod fault;
#[path = "levels/mod.rs"]
mod levels;
#[path = "proof/mod.rs"]
mod proof;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    if let Some(code) = tfconform::role::play_if_asked() {
        return code;
    }
    // Engines start the provider as the program itself.
    // SAFETY: there is only one thread yet.
    unsafe { std::env::set_var("TFCONFORM_PROGRAM", env!("CARGO_BIN_EXE_tfconform")) };
    libtest_mimic::run(&Arguments::from_args(), levels::trials()).exit_code()
}
