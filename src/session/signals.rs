//! Signals that end the process.

use std::time::Duration;

use tokio::signal::unix::{SignalKind, signal};

use super::scratch;
use crate::report::Exit;
use crate::run::{Interruption, Signal};

/// How long the end of a run may take once it is urgent: printing, above all.
const LAST_WORDS: Duration = Duration::from_secs(10);

/// Passes signals on to a run. A third one ends the process, and so does a run that has not ended some time
/// after it became urgent.
pub fn watch(interruption: &Interruption) {
    let interruption = interruption.clone();
    in_background(async move |mut signals| {
        let first = signals.next().await;
        interruption.send(first);
        tokio::select! {
            () = interruption.is_overdue() => {}
            second = signals.next() => interruption.send(second),
        }
        tokio::select! {
            () = tokio::time::sleep(LAST_WORDS) => {}
            _ = signals.next() => {}
        }
        end(first);
    });
}

/// Ends the process at the first signal.
pub fn end_at_once() {
    in_background(async |mut signals| end(signals.next().await));
}

/// Ends the process without its scratch folders.
fn end(signal: Signal) -> ! {
    scratch::remove_all();
    std::process::exit(i32::from(Exit::from(signal).code()));
}

fn in_background(watch: impl AsyncFnOnce(Signals) + Send + 'static) {
    std::thread::spawn(move || {
        // Without a runtime or a handler, signals do what they do to any process.
        let Ok(runtime) = tokio::runtime::Builder::new_current_thread().enable_all().build() else { return };
        runtime.block_on(async {
            if let Ok(signals) = Signals::new() {
                watch(signals).await;
            }
        });
    });
}

/// The signals that ask a process to end.
struct Signals {
    interrupt: tokio::signal::unix::Signal,
    terminate: tokio::signal::unix::Signal,
    /// `None` if the process was started to survive it, as by `nohup`.
    hang_up: Option<tokio::signal::unix::Signal>,
}

impl Signals {
    fn new() -> std::io::Result<Signals> {
        let hang_up = if is_ignored(libc::SIGHUP) { None } else { Some(signal(SignalKind::hangup())?) };
        let (interrupt, terminate) = (signal(SignalKind::interrupt())?, signal(SignalKind::terminate())?);
        Ok(Signals { interrupt, terminate, hang_up })
    }

    async fn next(&mut self) -> Signal {
        let hung_up = async {
            match &mut self.hang_up {
                Some(hang_up) => hang_up.recv().await,
                None => std::future::pending().await,
            }
        };
        tokio::select! {
            _ = self.interrupt.recv() => Signal::Interrupt,
            _ = self.terminate.recv() => Signal::Terminate,
            _ = hung_up => Signal::HangUp,
        }
    }
}

/// Whether the process that started us decided that a signal does nothing.
fn is_ignored(signal: i32) -> bool {
    // SAFETY: all zeros is a valid action, and the call only fills it.
    unsafe {
        let mut action: libc::sigaction = std::mem::zeroed();
        libc::sigaction(signal, std::ptr::null(), &raw mut action) == 0
            && action.sa_sigaction == libc::SIG_IGN
    }
}
