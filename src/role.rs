//! What else this program may be asked to be.
//!
//! A run needs helpers of its own: the reference provider as a plugin process,
//! and the supervisor of the sandbox. Both are this very program, started again
//! with an environment variable that says so; whoever owns `main` asks here first.

use std::io::Write as _;
use std::process::ExitCode;

use crate::reference::serve;
use crate::sandbox;

/// Plays the role the environment asks for; `None` where it asks for none.
pub fn play_if_asked() -> Option<ExitCode> {
    sandbox::main_if_asked();
    match serve::asked()? {
        Ok(behaviour) => Some(serve::serve(&behaviour)),
        Err(message) => {
            let _ = writeln!(std::io::stderr(), "error: {message}");
            Some(ExitCode::FAILURE)
        }
    }
}
