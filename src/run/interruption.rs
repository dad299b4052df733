//! Ending a run early.

use std::sync::Arc;
use std::time::Duration;

use tokio::sync::watch;

use crate::report::Exit;

/// How long calls in flight may take after SIGTERM or SIGHUP. Whoever sends these kills us soon after.
const GRACE: Duration = Duration::from_secs(5);

/// A signal that asks a process to end.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Signal {
    HangUp,
    Interrupt,
    Terminate,
}

impl From<Signal> for Exit {
    fn from(signal: Signal) -> Exit {
        match signal {
            Signal::HangUp => Exit::HungUp,
            Signal::Interrupt => Exit::Interrupted,
            Signal::Terminate => Exit::Terminated,
        }
    }
}

/// Whether a run must end early, and by which signal; shared by the one who decides and all who work.
#[derive(Clone, Debug, Default)]
pub struct Interruption(Arc<watch::Sender<State>>);

#[derive(Clone, Copy, Debug, Default)]
struct State {
    signal: Option<Signal>,
    /// Whether not even calls in flight are waited for.
    is_urgent: bool,
}

impl Interruption {
    /// Ends the run: nothing new is started. The first signal is kept; a second one also gives up the calls
    /// that are in flight.
    pub fn send(&self, signal: Signal) {
        self.0.send_modify(|state| match state.signal {
            None => state.signal = Some(signal),
            Some(_) => state.is_urgent = true,
        });
    }

    /// The signal, if there was one.
    pub fn signal(&self) -> Option<Signal> {
        self.0.borrow().signal
    }

    pub fn is_set(&self) -> bool {
        self.signal().is_some()
    }

    /// Waits for the first signal.
    pub async fn happened(&self) -> Signal {
        let state = self.wait(|state| state.signal.is_some()).await;
        state.signal.expect("this was waited for")
    }

    /// Waits until calls in flight are not waited for any longer: a second signal, or a while after SIGTERM
    /// or SIGHUP. After Ctrl-C alone they may destroy what they created.
    pub async fn is_overdue(&self) {
        let patience = async {
            match self.happened().await {
                Signal::Interrupt => std::future::pending().await,
                Signal::HangUp | Signal::Terminate => tokio::time::sleep(GRACE).await,
            }
        };
        tokio::select! {
            () = patience => {}
            _ = self.wait(|state| state.is_urgent) => {}
        }
    }

    async fn wait(&self, is_met: impl FnMut(&State) -> bool) -> State {
        let mut receiver = self.0.subscribe();
        *receiver.wait_for(is_met).await.expect("the sender is part of us")
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    fn at_once(future: impl Future<Output = ()>) -> bool {
        let runtime = tokio::runtime::Builder::new_current_thread().enable_all().build().unwrap();
        let limit = Duration::from_millis(50);
        runtime.block_on(async { tokio::time::timeout(limit, future).await }).is_ok()
    }

    #[test]
    fn the_first_signal_counts_and_the_second_makes_it_urgent() {
        let interruption = Interruption::default();
        assert_eq!(interruption.signal(), None);
        interruption.send(Signal::Interrupt);
        assert!(!at_once(interruption.is_overdue()));
        interruption.send(Signal::Terminate);
        assert_eq!(interruption.signal(), Some(Signal::Interrupt));
        assert!(at_once(interruption.is_overdue()));
    }

    #[test]
    fn calls_in_flight_have_a_while_after_a_termination() {
        let interruption = Interruption::default();
        interruption.send(Signal::Terminate);
        assert!(!at_once(interruption.is_overdue()));
    }
}
