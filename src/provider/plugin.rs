//! A provider in its own process: calls with a time limit, crashes explained, shut down as Core
//! does it.

use std::future::Future;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use bytes::Bytes;
use serde::{Deserialize, Serialize};
use tokio::net::unix::pipe;
use tokio::sync::mpsc;
use tokio::time::{Instant, sleep, timeout};
use tokio_stream::StreamExt as _;
use tokio_stream::wrappers::ReceiverStream;

use super::channel::{self, CallFailure, Channel, MAX_MESSAGE, RawAnswers};
use super::transport::{Answers, BoxFuture, Transport};
use crate::calls::{Protocol, Rpc};
use crate::process::{Child, Exit, Note, Usage, parse_go_panic};
use crate::transcript::{CrashReport, ExitKind, RpcFailure};

const SHUTDOWN: &str = "/plugin.GRPCController/Shutdown";
const STREAM_STDIO: &str = "/plugin.GRPCStdio/StreamStdio";

/// How long a process may take to exit once its connection broke; the break arrives before the exit
/// status. On a machine under load, writing down what every goroutine did takes seconds.
const EXIT_TIMEOUT: Duration = Duration::from_secs(10);
/// From `StopProvider` to the kill where the stuck call has nothing to leave behind.
const STOP_TIMEOUT: Duration = Duration::from_millis(100);
/// How long an answer may take to arrive once the process is gone.
const ANSWER_TIMEOUT: Duration = Duration::from_millis(250);

/// How long everything may take, and how large an answer may be.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub struct Limits {
    /// From the start to the handshake; Core's is 60 s.
    pub start: Duration,
    /// One call, or one answer of a streaming call; none for no limit, as in Core.
    pub call: Option<Duration>,
    /// From `StopProvider`, sent when a call that changes something took too long, to the kill.
    pub stop: Duration,
    /// From `Shutdown` to the kill; Core's is 2 s.
    pub exit: Duration,
    /// Largest answer accepted, in bytes; Core's is 2³¹ − 1.
    pub message: usize,
}

impl Default for Limits {
    fn default() -> Self {
        Self {
            start: Duration::from_secs(60),
            call: Some(Duration::from_secs(60)),
            stop: Duration::from_secs(2),
            exit: Duration::from_secs(2),
            message: MAX_MESSAGE,
        }
    }
}

/// What a successful start has learned.
pub(super) struct Connected {
    pub protocol: Protocol,
    pub channel: Channel,
    pub notes: Vec<Note>,
}

/// A running provider, connected and ready for calls.
///
/// Dropping it kills the process and its group at once; `close` shuts it down gracefully.
pub struct PluginProcess {
    shared: Arc<Shared>,
}

struct Shared {
    protocol: Protocol,
    channel: Channel,
    child: Child,
    limits: Limits,
    notes: Mutex<Vec<Note>>,
    /// Why we ended it ourselves, set as soon as we decide to.
    ending: Mutex<Option<String>>,
    /// One item for each call in flight.
    in_flight: Arc<()>,
}

/// How a provider's process ended.
#[derive(Clone, Debug, PartialEq, Serialize, Deserialize)]
pub struct Ended {
    /// Its exit code or signal.
    pub exit: ExitKind,
    /// Whether it had to be killed after the grace period.
    pub killed: bool,
    /// From `Shutdown` to its exit.
    pub took: Duration,
    /// What it used in all.
    pub usage: Usage,
    /// What was noticed while it ran and when it exited.
    pub notes: Vec<Note>,
    /// The end of what it wrote to stderr.
    pub stderr_tail: String,
}

impl PluginProcess {
    pub(super) fn new(child: Child, stdout: pipe::Receiver, connected: Connected, limits: Limits) -> Self {
        child.drain_stdout(stdout);
        // Opening the stream waits for its first message, so do not wait here.
        child.keep(tokio::spawn(drain_stdio(connected.channel.clone())));
        let shared = Shared {
            protocol: connected.protocol,
            channel: connected.channel,
            child,
            limits,
            notes: Mutex::new(connected.notes),
            ending: Mutex::default(),
            in_flight: Arc::default(),
        };
        Self { shared: Arc::new(shared) }
    }

    /// The process's PID.
    pub fn pid(&self) -> u32 {
        self.shared.child.pid()
    }

    /// How it ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        self.shared.child.exit()
    }

    /// What it has used so far.
    pub fn usage(&self) -> Usage {
        self.shared.child.usage()
    }

    /// Ends it at once, as a system does that is short of memory. Calls in flight fail with `Abandoned`.
    pub async fn kill(&self) {
        if self.shared.begin_ending("killed".to_owned()) {
            self.shared.child.usage();
            self.shared.child.kill();
        }
        self.shared.child.exited().await;
    }

    /// Ends it as Core does: sends `Shutdown`, waits for the grace period, kills the group.
    ///
    /// The socket's folder is gone afterwards. Calls in flight, and later calls, fail with
    /// `Abandoned`. May be called again; the first call decides. If a stuck call is already ending
    /// it, this waits for that.
    pub async fn close(&self) -> Ended {
        let shared = &self.shared;
        let began = Instant::now();
        // The system forgets the peak when the process exits.
        shared.child.usage();
        let alive = shared.child.exit().is_none();
        // Calls in flight fail with what happened: a process that crashed was not ended by us.
        let first = alive && shared.begin_ending("closed".to_owned());
        let mut killed = false;
        if first && alive {
            let grace = async {
                // Its answer is often cut off by the exit itself.
                let shutdown = shared.channel.unary(SHUTDOWN, Bytes::new());
                tokio::select! {
                    _ = shutdown => {}
                    _ = shared.child.exited() => {}
                }
                shared.child.exited().await
            };
            killed = timeout(shared.limits.exit, grace).await.is_err();
        } else if alive {
            // A stuck call has been asked to stop, and others may finish in the meantime.
            let _ = timeout(shared.limits.stop, shared.child.exited()).await;
        }
        let stderr_tail = shared.child.discard().await;
        let exit = shared.child.exit().unwrap_or(Exit::UNKNOWN).kind;
        if killed {
            shared.note(Note::IgnoredShutdown);
        } else if first && alive && exit != ExitKind::Code(0) {
            shared.note(Note::UncleanExit { exit: exit.to_string() });
        }
        Ended {
            exit,
            killed,
            took: began.elapsed(),
            usage: shared.child.usage(),
            notes: shared.notes(),
            stderr_tail,
        }
    }
}

impl Drop for PluginProcess {
    fn drop(&mut self) {
        self.shared.begin_ending("dropped".to_owned());
        // A task that watches a stuck call may hold the rest a while longer.
        self.shared.child.kill();
        self.shared.child.clean_up();
    }
}

impl Transport for PluginProcess {
    fn protocol(&self) -> Protocol {
        self.shared.protocol
    }

    fn call(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        Box::pin(async move {
            let path = channel::path(rpc, self.shared.protocol)?;
            let channel = self.shared.channel.clone();
            let call = async move { channel.unary(path, request).await };
            self.shared.supervise(rpc, call).await
        })
    }

    fn server_stream(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Answers, RpcFailure>> {
        Box::pin(async move {
            let path = channel::path(rpc, self.shared.protocol)?;
            let channel = self.shared.channel.clone();
            let open = async move { channel.server_stream(path, request).await };
            let answers = self.shared.supervise(rpc, open).await?;
            let (sender, receiver) = mpsc::channel(1);
            tokio::spawn(relay(Arc::clone(&self.shared), rpc, answers, sender));
            Ok(Box::pin(ReceiverStream::new(receiver)) as Answers)
        })
    }

    fn client_stream(&self, rpc: Rpc, requests: Vec<Bytes>) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        Box::pin(async move {
            let path = channel::path(rpc, self.shared.protocol)?;
            let channel = self.shared.channel.clone();
            let call = async move { channel.client_stream(path, requests).await };
            self.shared.supervise(rpc, call).await
        })
    }
}

impl Shared {
    /// Waits for a call, its time limit, or the process's exit, and reports which came first.
    async fn supervise<T, F>(self: &Arc<Self>, rpc: Rpc, call: F) -> Result<T, RpcFailure>
    where
        T: Send + 'static,
        F: Future<Output = Result<T, CallFailure>> + Send + 'static,
    {
        if let Some(reason) = self.ending() {
            return Err(RpcFailure::Abandoned { why: reason });
        }
        let in_flight = Arc::clone(&self.in_flight);
        let mut call = Box::pin(call);
        let gone = async {
            self.child.exited().await;
            sleep(ANSWER_TIMEOUT).await;
        };
        let limit = async {
            match self.limits.call {
                Some(limit) => sleep(limit).await,
                None => std::future::pending().await,
            }
        };
        let failure = tokio::select! {
            biased;
            answer = &mut call => match answer {
                Ok(answer) => return Ok(answer),
                Err(failure) => failure,
            },
            () = gone => return Err(self.crash().await),
            () = limit => {
                let after = self.limits.call.unwrap_or_default();
                drop(in_flight);
                self.end_stuck(rpc, after, call);
                return Err(RpcFailure::TimedOut { after, busy: None });
            }
        };
        match failure {
            CallFailure::Broken(status) => {
                if let Some(reason) = self.ending() {
                    return Err(RpcFailure::Abandoned { why: reason });
                }
                match timeout(EXIT_TIMEOUT, self.child.exited()).await {
                    Ok(_) => Err(self.crash().await),
                    Err(_) => Err(status.into()),
                }
            }
            other => Err(other.into()),
        }
    }

    /// Reports how the process died, or that we ended it.
    async fn crash(&self) -> RpcFailure {
        if let Some(reason) = self.ending() {
            return RpcFailure::Abandoned { why: reason };
        }
        let exit = self.child.exited().await.kind;
        let stderr_tail = self.child.last_words().await;
        RpcFailure::Crashed(CrashReport { exit, go_panic: parse_go_panic(&stderr_tail), stderr_tail })
    }

    /// Asks the provider to stop a call that takes too long, and kills it soon after: with a call
    /// stuck, its answers can no longer be trusted.
    fn end_stuck<T: Send + 'static>(
        self: &Arc<Self>,
        rpc: Rpc,
        after: Duration,
        call: impl Future<Output = T> + Send + 'static,
    ) {
        let reason = format!("killed after {rpc} gave no answer within {after:?}");
        if !self.begin_ending(reason) {
            return;
        }
        let shared = Arc::clone(self);
        tokio::spawn(async move {
            let unwound = async {
                if let Some(path) = Rpc::StopProvider.path(shared.protocol) {
                    let _ = shared.channel.unary(path, Bytes::new()).await;
                }
                call.await;
            };
            tokio::select! {
                _ = timeout(shared.limits.stop, unwound) => {}
                () = shared.idle(), if rpc != Rpc::ApplyResourceChange => {}
            }
            shared.child.usage();
            shared.child.kill();
        });
    }

    /// Waits until no call is in flight, and a little longer for one that was told to stop.
    async fn idle(&self) {
        loop {
            sleep(STOP_TIMEOUT).await;
            if Arc::strong_count(&self.in_flight) == 1 {
                return;
            }
        }
    }

    fn ending(&self) -> Option<String> {
        let ending = self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        ending.clone()
    }

    /// Records why we end the process; false if that was already decided.
    fn begin_ending(&self, reason: String) -> bool {
        let mut ending = self.ending.lock().unwrap_or_else(PoisonError::into_inner);
        let first = ending.is_none();
        ending.get_or_insert(reason);
        first
    }

    fn note(&self, note: Note) {
        let mut notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        if !notes.contains(&note) {
            notes.push(note);
        }
    }

    fn notes(&self) -> Vec<Note> {
        let notes = self.notes.lock().unwrap_or_else(PoisonError::into_inner);
        let mut notes = notes.clone();
        notes.extend(self.child.stderr().notes());
        notes
    }
}

/// Passes on the answers of a stream, each within the limit of a call.
async fn relay(
    shared: Arc<Shared>,
    rpc: Rpc,
    mut answers: RawAnswers,
    sender: mpsc::Sender<Result<Bytes, RpcFailure>>,
) {
    loop {
        let next = async move {
            match answers.next().await {
                Some(Ok(answer)) => Ok(Some((answer, answers))),
                Some(Err(failure)) => Err(failure),
                None => Ok(None),
            }
        };
        let handed_on = match shared.supervise(rpc, next).await {
            Ok(None) => return,
            Ok(Some((answer, rest))) => {
                answers = rest;
                sender.send(Ok(answer)).await
            }
            Err(failure) => {
                let _ = sender.send(Err(failure)).await;
                return;
            }
        };
        // The receiver has closed: dropping the rest cancels the call.
        if handed_on.is_err() {
            return;
        }
    }
}

/// Reads what the provider's code prints and discards it, until the stream ends, which may be at once.
///
/// Otherwise a provider that prints would block.
async fn drain_stdio(channel: Channel) {
    if let Ok(mut pieces) = channel.server_stream(STREAM_STDIO, Bytes::new()).await {
        while let Some(Ok(_)) = pieces.next().await {}
    }
}
