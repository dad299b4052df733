//! Arguments, streams and exit codes.

mod args;
mod case;
mod case_args;
mod check;
pub(crate) mod explain;
mod graph;
mod issue;
mod judge;
mod list;
mod output;
mod overrides;
mod provider;
mod replay;
mod report;
mod reproduce;
mod schema;
mod table;
mod why;

use std::io::{ErrorKind, Write as _};
use std::process::ExitCode;

use clap::FromArgMatches as _;

use crate::reference::serve;
use crate::report::Exit;
use crate::report::foreign::shown;
use crate::session::SessionError;
use args::{Args, Command};
use output::print;

/// The whole program: parses the command line, runs the command, returns its exit code.
pub fn main() -> ExitCode {
    if let Some(code) = crate::role::play_if_asked() {
        return code;
    }
    ignore_file_limit();
    let args = match args::command().try_get_matches().and_then(|matches| Args::from_arg_matches(&matches)) {
        Ok(args) => args,
        Err(error) => {
            let asked_for_help = !error.use_stderr();
            let exit = if asked_for_help { Exit::Conforms } else { Exit::Usage };
            return ended(match error.print() {
                Err(error) if asked_for_help && error.kind() != ErrorKind::BrokenPipe => {
                    Err(output::not_written(&error))
                }
                _ => Ok(exit),
            });
        }
    };
    output::choose_colours(args.color);
    let ends_in_dashes = std::env::args_os().next_back().is_some_and(|word| word == "--");
    let outcome = match args.command {
        Command::Check(_) if ends_in_dashes => {
            Err(Failed::usage("`--` must be followed by the command that starts the provider"))
        }
        Command::Check(check) => check::check(&check),
        Command::Why(why) => why::why(&why),
        Command::Explain(explain) => explain::explain(&explain),
        Command::Graph(graph) => graph::graph(&graph),
        Command::List(list) => list::list(&list),
        Command::Issue(issue) => issue::issue(&issue),
        Command::Judge(judge) => judge::judge(&judge),
        Command::Replay(replay) => replay::replay(&replay),
        Command::Report(report) => report::report(&report),
        Command::Reproduce(reproduce) => reproduce::reproduce(&reproduce),
        Command::Schema(schema) => schema::schema(&schema),
        Command::Reference(reference) => {
            let serve = if reference.debug { serve::serve_debug } else { serve::serve };
            return serve(&reference.into());
        }
    };
    ended(outcome)
}

/// Has a write beyond `ulimit -f` fail, so that it is reported, instead of ending us. A handler that does nothing is not
/// inherited by other programs, as ignoring the signal would be.
fn ignore_file_limit() {
    #[cfg(unix)]
    {
        use nix::sys::signal::{SaFlags, SigAction, SigHandler, SigSet, Signal, sigaction};
        extern "C" fn nothing(_: i32) {}
        let action = SigAction::new(SigHandler::Handler(nothing), SaFlags::SA_RESTART, SigSet::empty());
        // SAFETY: the handler does nothing.
        let _ = unsafe { sigaction(Signal::SIGXFSZ, &action) };
    }
}

/// Says why a command failed, and returns its exit code.
fn ended(outcome: Outcome) -> ExitCode {
    let exit = outcome.unwrap_or_else(|failed| {
        let _ = writeln!(std::io::stderr(), "error: {}", shown(&failed.message));
        failed.exit
    });
    ExitCode::from(exit.code())
}

/// Why a command failed, and its exit code.
#[derive(Debug)]
pub(crate) struct Failed {
    exit: Exit,
    message: String,
}

impl Failed {
    fn usage(message: impl Into<String>) -> Failed {
        Failed { exit: Exit::Usage, message: message.into() }
    }
}

impl From<SessionError> for Failed {
    fn from(error: SessionError) -> Failed {
        Failed { exit: error.exit(), message: error.to_string() }
    }
}

pub(crate) type Outcome = Result<Exit, Failed>;

#[cfg(test)]
mod tests;
