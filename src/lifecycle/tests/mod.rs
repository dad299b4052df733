//! Scenarios played on the reference provider in memory.

mod credits;
mod failures;
mod frame;
mod sent;
mod synthesised;
mod targeted;
mod world;

use std::sync::Arc;
use std::sync::atomic::{AtomicUsize, Ordering};

use bytes::Bytes;

use super::{Changed, Options, Played, Remote, RemoteChange, play};
use crate::calls::{Protocol, Rpc};
use crate::engine::Engine;
use crate::provider::client::Client;
use crate::provider::pool::{Member, NoProcess, Pool};
use crate::provider::transport::{Answers, BoxFuture, Transport};
use crate::reference::Offered;
use crate::reference::serve::{Behaviour, DriftInjector, in_memory, store_below};
use crate::scenario::Scenario;
use crate::schema::ProviderSchema;
use crate::transcript::{RpcFailure, Subject};

/// A reference provider, and how busy it was.
struct Stage {
    schema: Arc<ProviderSchema>,
    behaviour: Behaviour,
    busy: Arc<Busy>,
    /// Whether an attribute can be named that is to change.
    knows_paths: bool,
    _folder: tempfile::TempDir,
}

/// How many calls are in flight, and how many were at most.
#[derive(Default)]
struct Busy {
    now: AtomicUsize,
    most: AtomicUsize,
}

impl Stage {
    fn new() -> Stage {
        Stage::with(&[])
    }

    /// A provider that commits some faults.
    fn with(faults: &[&str]) -> Stage {
        Stage::of(Offered::Features, faults)
    }

    fn of(types: Offered, faults: &[&str]) -> Stage {
        let faults = faults.iter().map(|fault| (*fault).to_owned()).collect();
        let folder = tempfile::tempdir().unwrap();
        let store = store_below(folder.path());
        let behaviour = Behaviour { protocol: 6, seed: 1, store, faults, types, log: None };
        let schema = Arc::new(types.provider(6, &types.definitions(6)));
        Stage { schema, behaviour, busy: Arc::default(), knows_paths: true, _folder: folder }
    }

    fn play(&self, scenario: &Scenario) -> Played {
        self.play_with(scenario, &Options::new(true))
    }

    /// Plays it where nothing may be applied.
    fn plan(&self, scenario: &Scenario) -> Played {
        self.play_with(scenario, &Options::new(false))
    }

    fn play_with(&self, scenario: &Scenario, options: &Options) -> Played {
        let subject = Arc::new(Subject {
            name: "reference".to_owned(),
            protocol: 6,
            engine: Engine::default(),
            schema: Arc::clone(&self.schema),
            config: None,
        });
        let (behaviour, busy) = (self.behaviour.clone(), Arc::clone(&self.busy));
        let pool: Pool<String> = Pool::new(
            2,
            Box::new(move |number| {
                let (behaviour, busy) = (behaviour.clone(), Arc::clone(&busy));
                Box::pin(async move {
                    let transport = Arc::new(Counting { inner: in_memory(&behaviour)?, busy });
                    Ok(Member { number, client: Client::new(transport), handle: Box::new(NoProcess) })
                })
            }),
        );
        let remote = Hook { inner: DriftInjector::of(&self.behaviour), knows_paths: self.knows_paths };
        let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build().unwrap();
        runtime.block_on(play(scenario, &subject, &pool, Some(&remote as &dyn Remote), options, 0))
    }
}

/// What changes remote objects: an older one knows no paths.
struct Hook {
    inner: DriftInjector,
    knows_paths: bool,
}

impl Remote for Hook {
    fn change<'a>(&'a self, wanted: RemoteChange<'a>) -> BoxFuture<'a, Changed> {
        let to = wanted.to.filter(|_| self.knows_paths);
        self.inner.change(RemoteChange { to, ..wanted })
    }
}

/// Lets others run before it answers.
struct Counting {
    inner: Arc<dyn Transport>,
    busy: Arc<Busy>,
}

impl Transport for Counting {
    fn protocol(&self) -> Protocol {
        self.inner.protocol()
    }

    fn call(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        Box::pin(async move {
            let now = self.busy.now.fetch_add(1, Ordering::Relaxed) + 1;
            self.busy.most.fetch_max(now, Ordering::Relaxed);
            tokio::task::yield_now().await;
            let answer = self.inner.call(rpc, request).await;
            self.busy.now.fetch_sub(1, Ordering::Relaxed);
            answer
        })
    }

    fn server_stream(&self, rpc: Rpc, request: Bytes) -> BoxFuture<'_, Result<Answers, RpcFailure>> {
        self.inner.server_stream(rpc, request)
    }

    fn client_stream(&self, rpc: Rpc, requests: Vec<Bytes>) -> BoxFuture<'_, Result<Bytes, RpcFailure>> {
        self.inner.client_stream(rpc, requests)
    }
}
