//! Instances before they are configured.

use std::sync::{Arc, Mutex, PoisonError};

use super::instance::Instance;
use super::launch::{RunError, Starter};
use crate::calls::Seen;
use crate::provider::client::{Client, Fetched};

/// Starts instances.
#[derive(Clone)]
pub(super) struct Source {
    starter: Starter,
    pub calls: Arc<Calls>,
    seen: Arc<Seen>,
}

impl Source {
    pub fn new(starter: Starter) -> Source {
        Source { starter, calls: Arc::default(), seen: Arc::default() }
    }

    /// An instance before its first call.
    pub async fn begin(&self, number: u32) -> Result<Instance, RunError> {
        let (client, handle) = self.starter.start().await?;
        self.calls.watch(&client);
        Ok(Instance { number, client, handle, is_configured: false })
    }

    /// Fetches an instance's schema, on a separate task.
    pub async fn show(&self, instance: &Instance) -> Fetched {
        let (client, seen) = (instance.client.clone(), Arc::clone(&self.seen));
        let fetched = tokio::spawn(async move { client.schema(&seen).await });
        fetched.await.unwrap_or_else(|panicked| std::panic::resume_unwind(panicked.into_panic()))
    }

    /// An instance whose schema was fetched.
    pub async fn shown(&self, number: u32) -> Result<(Instance, Fetched), RunError> {
        let instance = self.begin(number).await?;
        let fetched = self.show(&instance).await;
        Ok((instance, fetched))
    }
}

/// Counts the calls of all instances so far.
#[derive(Default)]
pub(super) struct Calls(Mutex<Vec<Client>>);

impl Calls {
    fn watch(&self, client: &Client) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(client.clone());
    }

    pub(super) fn total(&self) -> u64 {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).iter().map(Client::calls).sum()
    }
}
