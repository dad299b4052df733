//! The program's other roles.
//!
//! A run needs helper processes: the reference provider as a plugin, and the supervisor
//! of the sandbox. Both are this same program, started again with an environment
//! variable that selects the role; every `main` checks here first.

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
