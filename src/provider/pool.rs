//! The provider instances used by a run.
//!
//! An engine starts a fresh process for every phase, so a provider must be able to apply in one
//! process what it planned in another. Several instances imitate that: each phase of a scenario
//! goes to the next one.

use std::sync::Arc;
use std::sync::atomic::{AtomicU32, Ordering};

use tokio::sync::Mutex;

use super::client::Client;
use super::transport::BoxFuture;
use crate::process::Usage;

/// One instance: configured and ready.
pub struct Member {
    /// Counted from 1 over the whole life of the pool, restarts included.
    pub number: u32,
    pub client: Client,
    pub handle: Box<dyn InstanceHandle>,
}

/// What keeps an instance alive.
pub trait InstanceHandle: Send + Sync {
    /// Shuts the instance down gracefully; a second call does nothing.
    fn close(&self) -> BoxFuture<'_, ()>;

    /// Whether the process is gone.
    fn is_gone(&self) -> bool;

    /// What it has used so far; unknown if the process is not ours.
    fn usage(&self) -> Usage;

    /// Ends it at once, with calls in flight; as [`InstanceHandle::close`] where there is no process to kill.
    fn kill(&self) -> BoxFuture<'_, ()> {
        self.close()
    }
}

/// The handle of an instance without a process of its own: there is nothing to end or to measure.
pub struct NoProcess;

impl InstanceHandle for NoProcess {
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {})
    }

    fn is_gone(&self) -> bool {
        false
    }

    fn usage(&self) -> Usage {
        Usage::default()
    }
}

/// Starts an instance with the given number and configures it.
pub type Start<E> = Box<dyn Fn(u32) -> BoxFuture<'static, Result<Member, E>> + Send + Sync>;

/// A fixed number of instances, each started when first needed and restarted after it dies.
pub struct Pool<E> {
    start: Start<E>,
    /// Starts an instance that is not configured.
    start_unconfigured: Option<Start<E>>,
    slots: Vec<Mutex<Option<Arc<Member>>>>,
    started: AtomicU32,
    retired: std::sync::Mutex<Usage>,
}

impl<E> Pool<E> {
    /// # Panics
    /// If `size` is 0.
    pub fn new(size: usize, start: Start<E>) -> Pool<E> {
        assert!(size > 0, "a run needs an instance");
        let slots = (0..size).map(|_| Mutex::new(None)).collect();
        Pool {
            start,
            start_unconfigured: None,
            slots,
            started: AtomicU32::new(0),
            retired: std::sync::Mutex::default(),
        }
    }

    /// The same, with instances that are not configured where one is asked for.
    #[must_use]
    pub fn with_unconfigured(self, start: Start<E>) -> Pool<E> {
        Pool { start_unconfigured: Some(start), ..self }
    }

    /// A new instance that is not configured, if there is a way to start one. It is not in the pool: close it with
    /// [`Pool::close_unconfigured`].
    pub async fn unconfigured(&self) -> Result<Arc<Member>, E> {
        let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
        let start = self.start_unconfigured.as_ref().unwrap_or(&self.start);
        start(number).await.map(Arc::new)
    }

    pub async fn close_unconfigured(&self, member: &Member) {
        member.handle.close().await;
        self.remember(member);
    }

    pub fn size(&self) -> usize {
        self.slots.len()
    }

    /// The instance of a turn, started if it is not running.
    pub async fn member(&self, turn: usize) -> Result<Arc<Member>, E> {
        let mut slot = self.slots[turn % self.slots.len()].lock().await;
        if let Some(member) = slot.as_ref().filter(|member| !member.handle.is_gone()) {
            return Ok(Arc::clone(member));
        }
        if let Some(dead) = slot.take() {
            self.remember(&dead);
        }
        let number = self.started.fetch_add(1, Ordering::Relaxed) + 1;
        let member = Arc::new((self.start)(number).await?);
        *slot = Some(Arc::clone(&member));
        Ok(member)
    }

    /// Retires an instance: the next turn gets a new one.
    pub async fn retire(&self, number: u32) {
        for slot in &self.slots {
            let found = slot.lock().await.take_if(|member| member.number == number);
            if let Some(member) = found {
                member.handle.close().await;
                self.remember(&member);
            }
        }
    }

    /// Ends every instance.
    pub async fn close(&self) {
        for slot in &self.slots {
            if let Some(member) = slot.lock().await.take() {
                member.handle.close().await;
                self.remember(&member);
            }
        }
    }

    /// The total time of all instances so far, and the peak memory of the largest.
    pub async fn usage(&self) -> Usage {
        let mut usage = *self.retired.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        for slot in &self.slots {
            if let Some(member) = slot.lock().await.as_ref() {
                usage = usage.and(member.handle.usage());
            }
        }
        usage
    }

    fn remember(&self, member: &Member) {
        self.add_usage(member.handle.usage());
    }

    /// Adds what instances outside the pool have used.
    pub fn add_usage(&self, usage: Usage) {
        let mut retired = self.retired.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        *retired = retired.and(usage);
    }
}
