//! From a program to a configured pool of instances, with the first calls written down.

use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex};

use super::Options;
use super::launch::{Starter, Unusable};
use crate::provider::client::Client;
use crate::provider::pool::{Member, Pool};
use crate::schema::ProviderSchema;
use crate::transcript::{
    AnyCall, Call, ConfigureProviderRequest, Encoded, Exchange, ExchangeId, PriorOrigin, Purpose, RpcFailure,
    ScenarioLabel, SchemaRequest, Step, Subject, Transcript, ValidateProviderConfigRequest, has_errors,
};
use crate::value::{Type, Value};

/// A provider that is ready to be played with.
pub(super) struct Started {
    pub subject: Arc<Subject>,
    pub pool: Arc<Pool<Unusable>>,
    /// What the first instances were asked and answered.
    pub transcript: Transcript,
    /// Why an engine would not go on, where it would not.
    pub refused: Option<String>,
    pub calls: Arc<Calls>,
    /// What is sensitive about the provider's configuration.
    pub secrets: Vec<String>,
}

/// Counts the calls of every instance there ever was.
#[derive(Default)]
pub(super) struct Calls(Mutex<Vec<Client>>, AtomicU64);

impl Calls {
    fn watch(&self, client: &Client) {
        self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner).push(client.clone());
    }

    pub(super) fn total(&self) -> u64 {
        let clients = self.0.lock().unwrap_or_else(std::sync::PoisonError::into_inner);
        self.1.load(Ordering::Relaxed) + clients.iter().map(Client::calls).sum::<u64>()
    }
}

/// Starts two instances bare, compares nothing yet, and makes the pool.
pub(super) async fn start(options: &Arc<Options>) -> Result<Started, Unusable> {
    let starter = Starter {
        program: options.program.clone(),
        timeout: options.timeout,
        start_timeout: options.start_timeout,
    };
    let calls = Arc::new(Calls::default());
    let (client, keeper) = starter.start().await?;
    calls.watch(&client);
    let (first, took) = client.schema().await;
    let response = match &first.outcome {
        Ok(response) if !has_errors(&response.diagnostics) => response.clone(),
        Ok(response) => {
            let why = response.diagnostics.iter().find(|diagnostic| diagnostic.is_error());
            return Err(Unusable::Call {
                rpc: "GetProviderSchema",
                why: why.map(|d| d.summary.clone()).unwrap_or_default(),
            });
        }
        Err(failure) => return Err(Unusable::Call { rpc: "GetProviderSchema", why: failure.to_string() }),
    };
    if let Some(check) = &options.check {
        check(&response.schema).map_err(Unusable::Suite)?;
    }
    let subject = Arc::new(Subject {
        name: options.program.name.clone(),
        protocol: client.protocol().major() as u8,
        engine: options.engine,
        schema: Arc::from(response.schema.clone()),
    });
    let mut scribe = Scribe::new(Arc::clone(&subject));
    scribe.write(1, AnyCall::Schema(first), took);
    // An engine fetches the schema in a process of its own, so the second instance is asked too.
    let (second_client, second_keeper) = starter.start().await?;
    calls.watch(&second_client);
    let (second, took) = second_client.schema().await;
    scribe.write(2, AnyCall::Schema(second), took);
    let mut metadata = AnyCall::Metadata(Call::unanswered(SchemaRequest {}));
    let took = client.ask(&mut metadata, &subject.schema).await;
    if !matches!(metadata.failure(), Some(RpcFailure::Status { code: 12, .. })) {
        scribe.write(1, metadata, took);
    }
    let refused = refusal(&subject, options);
    let config = match (&options.config, &subject.schema.provider) {
        (Some(make), Some(schema)) => make(schema).map_err(Unusable::Config)?,
        (None, Some(schema)) => schema.empty_value(),
        (_, None) => Value::null(Type::Dynamic),
    };
    let ty = subject.schema.provider.as_ref().map_or(Type::Dynamic, |schema| schema.implied_type().clone());
    let secrets = secrets(&config, &subject);
    let config = Encoded::of(config, &ty);
    if refused.is_none() {
        configure(&client, 1, &config, options, &subject.schema, &mut |process, call, took| {
            scribe.write(process, call, took);
        })
        .await?;
    }
    keeper.close().await;
    second_keeper.close().await;
    let pool = pool(options, starter, config, Arc::clone(&subject), Arc::clone(&calls));
    Ok(Started { subject, pool: Arc::new(pool), transcript: scribe.transcript, refused, calls, secrets })
}

/// The texts at sensitive places of the provider's configuration.
fn secrets(config: &Value, subject: &Subject) -> Vec<String> {
    let Some(schema) = &subject.schema.provider else { return Vec::new() };
    let mut secrets = Vec::new();
    config.walk(&mut |path, value| {
        secrets.extend(value.as_str().filter(|_| schema.block.is_sensitive(path)).map(str::to_owned));
        true
    });
    secrets
}

/// Why an engine refuses the provider as a whole.
fn refusal(subject: &Subject, options: &Options) -> Option<String> {
    let schema = &subject.schema;
    if schema.provider.is_none() {
        return Some("engines refuse this provider: it declares no provider schema".to_owned());
    }
    let all = schema.resources.iter().chain(&schema.data_sources).chain(&schema.ephemeral_resources);
    for (name, schema) in all {
        if let Some(problem) =
            crate::schema::check(schema, options.engine).into_iter().find(|problem| problem.refused)
        {
            return Some(format!(
                "engines refuse this provider because of the schema of {name}, so nothing more was played: {}: {}",
                problem.path, problem.message
            ));
        }
    }
    for (name, identity) in &schema.identities {
        if let Some(problem) = crate::schema::check_identity(identity, options.engine)
            .into_iter()
            .find(|problem| problem.refused)
        {
            return Some(format!(
                "engines refuse this provider because of the identity of {name}, so nothing more was played: {}: {}",
                problem.path, problem.message
            ));
        }
    }
    None
}

fn pool(
    options: &Arc<Options>,
    starter: Starter,
    config: Encoded,
    subject: Arc<Subject>,
    calls: Arc<Calls>,
) -> Pool<Unusable> {
    let options = Arc::clone(options);
    let size = options.processes;
    Pool::new(
        size,
        Box::new(move |number| {
            let (starter, config, subject) = (starter.clone(), config.clone(), Arc::clone(&subject));
            let (options, calls) = (Arc::clone(&options), Arc::clone(&calls));
            Box::pin(async move {
                let (client, keeper) = starter.start().await?;
                calls.watch(&client);
                if !subject.schema.capabilities.get_provider_schema_optional {
                    let (schema, _) = client.schema().await;
                    if let Err(failure) = schema.outcome {
                        return Err(Unusable::Call { rpc: "GetProviderSchema", why: failure.to_string() });
                    }
                }
                // The first two numbers went to the instances that only showed their schema.
                configure(&client, number, &config, &options, &subject.schema, &mut |_, _, _| {}).await?;
                Ok(Member { number: number + 2, client, keeper })
            })
        }),
    )
}

/// Validates the provider configuration and configures the instance with it.
async fn configure(
    client: &Client,
    number: u32,
    config: &Encoded,
    options: &Options,
    schema: &ProviderSchema,
    record: &mut (dyn FnMut(u32, AnyCall, std::time::Duration) + Send),
) -> Result<(), Unusable> {
    let mut validate =
        AnyCall::ValidateProvider(Call::unanswered(ValidateProviderConfigRequest { config: config.clone() }));
    let took = client.ask(&mut validate, schema).await;
    let validated = good(&validate);
    record(number, validate, took);
    validated?;
    let mut configure = AnyCall::Configure(Call::unanswered(ConfigureProviderRequest {
        terraform_version: options.engine.terraform_version().to_owned(),
        config: config.clone(),
        capabilities: Some(options.engine.client_capabilities()),
    }));
    let took = client.ask(&mut configure, schema).await;
    let configured = good(&configure);
    record(number, configure, took);
    configured
}

fn good(call: &AnyCall) -> Result<(), Unusable> {
    if let Some(failure) = call.failure() {
        return Err(Unusable::Call { rpc: call.rpc_name(), why: failure.to_string() });
    }
    match call.diagnostics().iter().find(|diagnostic| diagnostic.is_error()) {
        None => Ok(()),
        Some(error) => {
            let why = format!(
                "{}{}{}",
                error.summary,
                if error.detail.is_empty() { "" } else { ": " },
                error.detail
            );
            Err(Unusable::Call { rpc: call.rpc_name(), why })
        }
    }
}

struct Scribe {
    transcript: Transcript,
}

impl Scribe {
    fn new(subject: Arc<Subject>) -> Scribe {
        let scenario =
            ScenarioLabel { kind: "start".to_owned(), about: "start".to_owned(), ..ScenarioLabel::default() };
        Scribe { transcript: Transcript { subject, scenario, exchanges: Vec::new() } }
    }

    fn write(&mut self, process: u32, call: AnyCall, took: std::time::Duration) {
        self.transcript.exchanges.push(Exchange {
            id: ExchangeId(self.transcript.exchanges.len() as u32),
            step: Step::Start,
            purpose: Purpose::Ordinary,
            instance: String::new(),
            process,
            prior: PriorOrigin::None,
            call,
            took,
        });
    }
}
