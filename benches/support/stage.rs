//! A pool of configured processes, as in a run, that a bench can play on directly.

use std::path::PathBuf;
use std::sync::Arc;

use tfconform::calls::Seen;
use tfconform::engine::Engine;
use tfconform::lifecycle::{self, Played};
use tfconform::process::Usage;
use tfconform::provider::client::Client;
use tfconform::provider::launch::Launch;
use tfconform::provider::plugin::PluginProcess;
use tfconform::provider::pool::{InstanceHandle, Member, Pool};
use tfconform::provider::transport::BoxFuture;
use tfconform::run::{Program, ProviderConfig};
use tfconform::scenario::Scenario;
use tfconform::transcript::{
    AnyCall, Call, ConfigureProviderRequest, Encoded, Subject, ValidateProviderConfigRequest,
};

use super::PROCESSES;
use super::recorder::{Log, Recorder};

/// Where scenarios are played.
pub struct Stage {
    pub subject: Arc<Subject>,
    pub pool: Pool<String>,
    /// The calls of the processes, until they are drained; grows without bound otherwise.
    pub log: Log,
}

impl Stage {
    /// Starts the processes and configures them.
    ///
    /// `objects` is as with [`Recorder`]; `config` as with a run.
    pub async fn set(
        program: &Program,
        objects: Option<(PathBuf, PathBuf)>,
        config: Option<ProviderConfig>,
    ) -> Stage {
        let log = Log::default();
        let launch = Launch { env: program.env.clone(), ..Launch::new(&program.path) };
        let process = launch.start().await.expect("the provider starts");
        let client = Client::new(Arc::new(process));
        let schema = client.schema(&Seen::default()).await.call;
        let schema = schema.outcome.expect("the provider shows its schema").schema;
        let subject = Arc::new(Subject {
            name: program.name.clone(),
            protocol: client.protocol().major() as u8,
            engine: Engine::default(),
            schema,
            config: None,
        });
        let start = Start { launch, subject: Arc::clone(&subject), log: log.clone(), objects, config };
        let start = Arc::new(start);
        let pool = Pool::new(
            PROCESSES,
            Box::new(move |number| {
                let start = Arc::clone(&start);
                Box::pin(async move { start.member(number).await })
            }),
        );
        let stage = Stage { subject, pool, log };
        for turn in 0..PROCESSES {
            stage.pool.member(turn).await.expect("the provider starts again");
        }
        stage
    }

    pub async fn play(&self, scenario: &Scenario, apply: bool, turn: usize) -> Played {
        let may = lifecycle::Options::new(apply);
        lifecycle::play(scenario, &self.subject, &self.pool, None, &may, turn).await
    }
}

struct Start {
    launch: Launch,
    subject: Arc<Subject>,
    log: Log,
    objects: Option<(PathBuf, PathBuf)>,
    config: Option<ProviderConfig>,
}

impl Start {
    async fn member(&self, number: u32) -> Result<Member, String> {
        let process = Arc::new(self.launch.start().await.map_err(|error| error.to_string())?);
        let recorder = Recorder {
            process: Arc::clone(&process),
            number: number as usize - 1,
            log: self.log.clone(),
            objects: self.objects.clone(),
        };
        let client = Client::new(Arc::new(recorder));
        let schema = self.subject.schema.provider.as_ref().expect("providers declare themselves");
        let config = match &self.config {
            Some(config) => config.value(schema)?,
            None => schema.empty_value(),
        };
        let config = Encoded::of(config, schema.implied_type());
        let validate = ValidateProviderConfigRequest { config: config.clone() };
        let configure = ConfigureProviderRequest {
            terraform_version: self.subject.engine.terraform_version().to_owned(),
            config,
            capabilities: Some(self.subject.client_capabilities()),
        };
        client.schema(&Seen::default()).await;
        for mut call in [
            AnyCall::ValidateProviderConfig(Call::unanswered(validate)),
            AnyCall::ConfigureProvider(Call::unanswered(configure)),
        ] {
            client.ask(&mut call, &self.subject.schema).await;
            if !call.succeeded() {
                return Err(format!("{}: {:?}", call.rpc_name(), call.diagnostics()));
            }
        }
        Ok(Member { number, client, handle: Box::new(Held(process)) })
    }
}

struct Held(Arc<PluginProcess>);

impl InstanceHandle for Held {
    fn close(&self) -> BoxFuture<'_, ()> {
        Box::pin(async {
            self.0.close().await;
        })
    }

    fn is_gone(&self) -> bool {
        self.0.exit().is_some()
    }

    fn usage(&self) -> Usage {
        self.0.usage()
    }
}
