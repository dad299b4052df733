//! Our lifecycle and the real engines on the reference provider: both must ask it the same.
//!
//! A sequence of runs is played by our lifecycle in memory, and by a real engine on its own copy of the remote
//! system, with the same configurations. What the provider is asked is compared object by object and walk by
//! walk: which calls, in which order, and every field of each. Our own probes are left out. What may differ is
//! in `oracle/reasons.rs`, with the reason.
//!
//! With faults armed in it, what we say of its answers and what the engine says of them must be the same, too
//! (`oracle/verdicts.rs`).
//!
//! A few sequences are played by default; `TFCONFORM_ORACLE=all` plays more, and prints the figures.
//! Trials are ignored where the engine is not on the machine.

#[path = "engines/mod.rs"]
mod engines;
#[path = "oracle/mod.rs"]
mod oracle;

use std::process::ExitCode;

use libtest_mimic::Arguments;

fn main() -> ExitCode {
    if let Some(code) = tfconform::role::play_if_asked() {
        return code;
    }
    let (found, compared) = (oracle::Found::default(), oracle::Compared::default());
    let arguments = Arguments::from_args();
    let conclusion = libtest_mimic::run(&arguments, oracle::trials(&found, &compared));
    if !arguments.list {
        print!("{}{}", oracle::report(&found), oracle::report_verdicts(&compared));
    }
    conclusion.exit_code()
}
