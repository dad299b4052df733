//! A started process and everything we have to clean up after it.

use std::fs::File;
use std::io;
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use tokio::io::AsyncReadExt as _;
use tokio::net::unix::pipe;
use tokio::sync::watch;
use tokio::task::JoinHandle;
use tokio::time::timeout;

use super::socket_dir::SocketDir;
use super::spawn::{Exit, Spawned};
use super::stderr::StderrLog;
use super::usage::Usage;

/// How long the rest of stderr may take to arrive once the process is gone.
const STDERR_TIMEOUT: Duration = Duration::from_millis(500);
/// How long a killed process may take to disappear.
const KILL_TIMEOUT: Duration = Duration::from_secs(5);

/// A started process; dropping it kills it and its group.
pub struct Child {
    pid: u32,
    exit: watch::Receiver<Option<Exit>>,
    kill: Arc<dyn Fn() + Send + Sync>,
    stderr: StderrLog,
    stderr_over: watch::Receiver<bool>,
    drains: Mutex<Vec<JoinHandle<()>>>,
    peak_memory: Mutex<Option<u64>>,
    socket_dir: Mutex<Option<SocketDir>>,
}

impl Child {
    /// Takes over a process; returns its stdout, to be read first.
    pub fn watch(
        spawned: Spawned,
        socket_dir: SocketDir,
        stderr_copy: Option<File>,
    ) -> io::Result<(Self, pipe::Receiver)> {
        let stderr = StderrLog::new(stderr_copy);
        let (over, stderr_over) = watch::channel(false);
        let child = Self {
            pid: spawned.pid,
            exit: spawned.exit,
            kill: spawned.kill,
            stderr: stderr.clone(),
            stderr_over,
            drains: Mutex::default(),
            peak_memory: Mutex::default(),
            socket_dir: Mutex::new(Some(socket_dir)),
        };
        let stdout = pipe::Receiver::from_owned_fd(spawned.stdout)?;
        let pipe = pipe::Receiver::from_owned_fd(spawned.stderr)?;
        let drain = tokio::spawn(async move {
            drain(pipe, |bytes| stderr.push(bytes)).await;
            over.send_replace(true);
        });
        child.keep(drain);
        Ok((child, stdout))
    }

    /// Reads stdout to its end and discards it: a full pipe would block the process.
    pub fn drain_stdout(&self, stdout: pipe::Receiver) {
        self.keep(tokio::spawn(drain(stdout, |_| {})));
    }

    /// Ends a task with the process.
    pub fn keep(&self, task: JoinHandle<()>) {
        let mut drains = self.drains.lock().unwrap_or_else(PoisonError::into_inner);
        drains.push(task);
    }

    pub fn pid(&self) -> u32 {
        self.pid
    }

    pub fn stderr(&self) -> &StderrLog {
        &self.stderr
    }

    /// How it ended, if it has.
    pub fn exit(&self) -> Option<Exit> {
        *self.exit.borrow()
    }

    /// Waits for its end.
    pub async fn exited(&self) -> Exit {
        let mut exit = self.exit.clone();
        let ended = exit.wait_for(Option::is_some).await;
        match ended.ok().and_then(|exit| *exit) {
            Some(exit) => exit,
            // The thread that reaps it is gone, so its exit is unknown.
            None => Exit::UNKNOWN,
        }
    }

    /// Waits briefly until stderr has been read to its end: another process may hold it open.
    pub async fn last_words(&self) -> String {
        let mut over = self.stderr_over.clone();
        let _ = timeout(STDERR_TIMEOUT, over.wait_for(|over| *over)).await;
        self.stderr.tail()
    }

    /// What it has used so far.
    pub fn usage(&self) -> Usage {
        let now = Usage::of(self.pid);
        let mut peak = self.peak_memory.lock().unwrap_or_else(PoisonError::into_inner);
        let exit = self.exit();
        if exit.is_none() {
            *peak = now.peak_memory.max(*peak);
        }
        Usage {
            cpu: match exit {
                Some(exit) => exit.cpu,
                None => now.cpu,
            },
            peak_memory: *peak,
            queued: now.queued,
        }
    }

    pub fn kill(&self) {
        (self.kill)();
    }

    /// Kills it, waits until it is gone, cleans up after it, and returns the end of its stderr.
    pub async fn discard(&self) -> String {
        self.kill();
        let _ = timeout(KILL_TIMEOUT, self.exited()).await;
        let words = self.last_words().await;
        self.clean_up();
        words
    }

    /// Removes the socket and stops reading.
    pub fn clean_up(&self) {
        let mut drains = self.drains.lock().unwrap_or_else(PoisonError::into_inner);
        drains.drain(..).for_each(|drain| drain.abort());
        let mut dir = self.socket_dir.lock().unwrap_or_else(PoisonError::into_inner);
        // Dropping it removes it; nothing can be done about a failure.
        drop(dir.take());
    }
}

impl Drop for Child {
    fn drop(&mut self) {
        self.kill();
        self.clean_up();
    }
}

async fn drain(mut pipe: pipe::Receiver, mut take: impl FnMut(&[u8])) {
    let mut piece = vec![0; 16 << 10];
    while let Ok(n) = pipe.read(&mut piece).await {
        if n == 0 {
            return;
        }
        take(&piece[..n]);
    }
}
