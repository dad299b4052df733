//! From a program to a configured pool of instances, with the first calls written down.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::Options;
use super::launch::{Starter, Unusable};
use crate::provider::client::Client;
use crate::provider::pool::{Keeper, Member, Pool};
use crate::schema::ProviderSchema;
use crate::transcript::{
    AnyCall, Call, ConfigureProviderRequest, Diagnostic, Encoded, Exchange, ExchangeId, PriorOrigin, Purpose,
    RpcFailure, ScenarioLabel, SchemaRequest, SchemaResponse, Step, Subject, Transcript,
    ValidateProviderConfigRequest,
};
use crate::value::{Type, Value};

/// A provider that is ready to be played with.
pub(super) struct Started {
    pub subject: Arc<Subject>,
    pub pool: Arc<Pool<Unusable>>,
    /// Instances that the pool has not taken over yet.
    pub stock: Arc<Stock>,
    /// What the first instances were asked and answered.
    pub transcript: Transcript,
    /// Why an engine would not go on, where it would not.
    pub refused: Option<String>,
    /// Why nothing more can be asked, where the provider itself reported an error.
    pub ended: Option<Unusable>,
    pub calls: Arc<Calls>,
    /// What is sensitive about the provider's configuration.
    pub secrets: Vec<String>,
}

/// Counts the calls of every instance there ever was.
#[derive(Default)]
pub(super) struct Calls(Mutex<Vec<Client>>, AtomicU64);

impl Calls {
    fn watch(&self, client: &Client) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push(client.clone());
    }

    pub(super) fn total(&self) -> u64 {
        let clients = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        self.1.load(Ordering::Relaxed) + clients.iter().map(Client::calls).sum::<u64>()
    }
}

/// An instance that has shown its schema.
struct Shown {
    number: u32,
    client: Client,
    keeper: Box<dyn Keeper>,
    is_configured: bool,
}

/// The first instances of a run, until the pool takes them over: a large provider takes seconds to start.
#[derive(Default)]
pub(super) struct Stock(Mutex<VecDeque<Shown>>);

impl Stock {
    fn add(&self, shown: Shown) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(shown);
    }

    /// The next one that still lives.
    fn take(&self) -> Option<Shown> {
        let mut stock = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| stock.pop_front()).find(|shown| !shown.keeper.is_gone())
    }

    /// Ends the instances that nobody took.
    pub(super) async fn close(&self) {
        while let Some(shown) = self.take() {
            shown.keeper.close().await;
        }
    }
}

/// Starts an instance and has it show its schema, on a thread of its own.
async fn show(
    starter: &Starter,
    number: u32,
    calls: &Arc<Calls>,
) -> Result<(Shown, Call<SchemaRequest, SchemaResponse>, Duration), Unusable> {
    let (starter, calls) = (starter.clone(), Arc::clone(calls));
    let shown = tokio::spawn(async move {
        let (client, keeper) = starter.start().await?;
        calls.watch(&client);
        let (call, took) = client.schema().await;
        Ok((Shown { number, client, keeper, is_configured: false }, call, took))
    });
    match shown.await {
        Ok(shown) => shown,
        Err(panicked) => std::panic::resume_unwind(panicked.into_panic()),
    }
}

/// Starts two instances at once, compares nothing yet, and makes the pool, which takes them over.
pub(super) async fn start(options: &Arc<Options>) -> Result<Started, Unusable> {
    let starter = Starter {
        program: options.program.clone(),
        timeout: options.timeout,
        start_timeout: options.start_timeout,
    };
    let calls = Arc::new(Calls::default());
    // An engine fetches the schema in a process of its own, so a second instance is asked too.
    let (first_shown, second_shown) = tokio::try_join!(show(&starter, 1, &calls), show(&starter, 2, &calls))?;
    let (mut shown, first, took) = first_shown;
    let (second_shown, second, second_took) = second_shown;
    let (schema, mut ended): (Arc<ProviderSchema>, _) = match &first.outcome {
        Ok(response) => {
            (Arc::from(response.schema.clone()), error_of("GetProviderSchema", &response.diagnostics))
        }
        Err(failure) => return Err(Unusable::Call { rpc: "GetProviderSchema", why: failure.to_string() }),
    };
    if let Some(check) = options.check.as_ref().filter(|_| ended.is_none()) {
        check(&schema).map_err(Unusable::Suite)?;
    }
    let subject = Arc::new(Subject {
        name: options.program.name.clone(),
        protocol: shown.client.protocol().major() as u8,
        engine: options.engine,
        schema,
    });
    let mut scribe = Scribe::new(Arc::clone(&subject));
    scribe.write(1, AnyCall::Schema(first), took);
    scribe.write(2, AnyCall::Schema(second), second_took);
    let mut metadata = AnyCall::Metadata(Call::unanswered(SchemaRequest {}));
    let took = shown.client.ask(&mut metadata, &subject.schema).await;
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
    if refused.is_none() && ended.is_none() {
        let record = &mut |process, call, took| scribe.write(process, call, took);
        ended = configure(&shown.client, 1, &config, options, &subject.schema, record).await.err();
        shown.is_configured = ended.is_none();
    }
    let stock = Arc::new(Stock::default());
    stock.add(shown);
    if options.processes > 1 {
        stock.add(second_shown);
    } else {
        second_shown.keeper.close().await;
    }
    let pool = pool(options, starter, config, Arc::clone(&subject), Arc::clone(&calls), Arc::clone(&stock));
    let transcript = scribe.transcript;
    Ok(Started { subject, pool: Arc::new(pool), stock, transcript, refused, ended, calls, secrets })
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
    stock: Arc<Stock>,
) -> Pool<Unusable> {
    let options = Arc::clone(options);
    let size = options.processes;
    // The pool counts the instances it asks for; the one that is closed by now had a number too.
    let closed = 2_usize.saturating_sub(size) as u32;
    Pool::new(
        size,
        Box::new(move |number| {
            let (starter, config, subject) = (starter.clone(), config.clone(), Arc::clone(&subject));
            let (options, calls, stock) = (Arc::clone(&options), Arc::clone(&calls), Arc::clone(&stock));
            Box::pin(async move {
                let shown = match stock.take() {
                    Some(shown) => shown,
                    None => {
                        let (client, keeper) = starter.start().await?;
                        calls.watch(&client);
                        if !subject.schema.capabilities.get_provider_schema_optional {
                            let (schema, _) = client.schema().await;
                            if let Err(failure) = schema.outcome {
                                return Err(Unusable::Call {
                                    rpc: "GetProviderSchema",
                                    why: failure.to_string(),
                                });
                            }
                        }
                        Shown { number: number + closed, client, keeper, is_configured: false }
                    }
                };
                let Shown { number, client, keeper, is_configured } = shown;
                if !is_configured {
                    configure(&client, number, &config, &options, &subject.schema, &mut |_, _, _| {}).await?;
                }
                Ok(Member { number, client, keeper })
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
    record: &mut (dyn FnMut(u32, AnyCall, Duration) + Send),
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
    error_of(call.rpc_name(), call.diagnostics()).map_or(Ok(()), Err)
}

/// The first error that an answer reports.
fn error_of(rpc: &'static str, diagnostics: &[Diagnostic]) -> Option<Unusable> {
    let error = diagnostics.iter().find(|diagnostic| diagnostic.is_error())?;
    let colon = if error.detail.is_empty() { "" } else { ": " };
    Some(Unusable::Call { rpc, why: format!("{}{colon}{}", error.summary, error.detail) })
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

    fn write(&mut self, process: u32, call: AnyCall, took: Duration) {
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
