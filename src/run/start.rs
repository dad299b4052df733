//! From a program to a configured pool of instances, with the first calls written down.

use std::collections::VecDeque;
use std::sync::atomic::{AtomicU64, Ordering};
use std::sync::{Arc, Mutex, PoisonError};
use std::time::Duration;

use super::Options;
use super::launch::{Starter, Unusable};
use crate::provider::client::{Client, Fetched};
use crate::provider::convert::schema::Seen;
use crate::provider::pool::{Keeper, Member, Pool};
use crate::provider::rpc::Rpc;
use crate::provider::transport::BoxFuture;
use crate::record::Masker;
use crate::rule::problems;
use crate::schema::ProviderSchema;
use crate::transcript::{
    AnyCall, Call, ConfigureProviderRequest, Diagnostic, Encoded, Exchange, ExchangeId, PriorOrigin, Purpose,
    RpcFailure, ScenarioLabel, SchemaRequest, Step, Subject, Transcript, ValidateProviderConfigRequest,
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
    /// Why the provider cannot be used, where it showed its schema and reported an error then, or could not
    /// be configured.
    pub unusable: Option<Unusable>,
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
    seen: &Arc<Seen>,
) -> Result<(Shown, Fetched), Unusable> {
    let (starter, calls, seen) = (starter.clone(), Arc::clone(calls), Arc::clone(seen));
    let shown = tokio::spawn(async move {
        let (client, keeper) = starter.start().await?;
        calls.watch(&client);
        let fetched = client.schema(&seen).await;
        Ok((Shown { number, client, keeper, is_configured: false }, fetched))
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
    let seen = Arc::new(Seen::default());
    let (first_shown, second_shown) =
        tokio::try_join!(show(&starter, 1, &calls, &seen), show(&starter, 2, &calls, &seen))?;
    let (mut shown, first) = first_shown;
    let (second_shown, second) = second_shown;
    let (schema, mut unusable): (Arc<ProviderSchema>, _) = match &first.call.outcome {
        Ok(response) => {
            (Arc::clone(&response.schema), error_of(Rpc::GetProviderSchema.name(), &response.diagnostics))
        }
        Err(failure) => {
            return Err(Unusable::Call { rpc: first.last.name(), why: failure.to_string() });
        }
    };
    if let Some(check) = options.check.as_ref().filter(|_| unusable.is_none()) {
        check(&schema).map_err(Unusable::Suite)?;
    }
    let subject = Arc::new(Subject {
        name: options.program.name.clone(),
        protocol: shown.client.protocol().major() as u8,
        engine: options.engine,
        schema,
    });
    let mut scribe = Scribe::new(Arc::clone(&subject));
    scribe.write(1, AnyCall::Schema(first.call), first.took);
    scribe.write(2, AnyCall::Schema(second.call), second.took);
    let mut metadata = AnyCall::Metadata(Call::unanswered(SchemaRequest {}));
    let took = shown.client.ask(&mut metadata, &subject.schema).await;
    if matches!(metadata.failure(), Some(RpcFailure::Crashed(_) | RpcFailure::TimedOut { .. })) {
        // No engine asks for metadata: what it did to the process is no reason to go without one.
        shown.keeper.close().await;
        (shown, _) = show(&starter, 1, &calls, &seen).await?;
    }
    if !matches!(metadata.failure(), Some(RpcFailure::Status { code: 12, .. })) {
        scribe.write(1, metadata, took);
    }
    let refused = refusal(&subject, options);
    let config = match (&options.config, &subject.schema.provider) {
        (Some(config), Some(schema)) => config.value(schema).map_err(Unusable::Config)?,
        (None, Some(schema)) => schema.empty_value(),
        (_, None) => Value::null(Type::Dynamic),
    };
    let ty = subject.schema.provider.as_ref().map_or(Type::Dynamic, |schema| schema.implied_type().clone());
    let mut secrets = secrets(&config, &subject);
    secrets.extend(options.config.iter().flat_map(|config| config.secrets.iter().cloned()));
    let config = Encoded::of(config, &ty);
    if refused.is_none() && unusable.is_none() {
        let mut record = |process, call, took| scribe.write(process, call, took);
        match configure(&shown.client, 1, &config, options, &subject.schema, &mut record).await {
            Ok(()) => shown.is_configured = true,
            // What it was configured with may stand in what it says about that.
            Err(why) => unusable = Some(why.masked(&Masker::new(secrets.clone()))),
        }
    }
    let stock = Arc::new(Stock::default());
    stock.add(shown);
    if options.processes > 1 {
        stock.add(second_shown);
    } else {
        second_shown.keeper.close().await;
    }
    let maker = Maker {
        options: Arc::clone(options),
        starter,
        config,
        subject: Arc::clone(&subject),
        calls: Arc::clone(&calls),
        stock: Arc::clone(&stock),
        seen,
    };
    let pool = maker.pool();
    let transcript = scribe.transcript;
    Ok(Started { subject, pool: Arc::new(pool), stock, transcript, refused, unusable, calls, secrets })
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
    let refused = problems(schema, options.engine).into_iter().find(|declared| declared.problem.refused)?;
    let (what, problem) = (refused.what(), &refused.problem);
    let place = if problem.path.is_root() { String::new() } else { format!("{}: ", problem.path) };
    Some(format!(
        "engines refuse this provider because of its declaration of {what}, so nothing more was played: {place}{}",
        problem.message
    ))
}

/// Makes the members of the pool.
struct Maker {
    options: Arc<Options>,
    starter: Starter,
    config: Encoded,
    subject: Arc<Subject>,
    calls: Arc<Calls>,
    stock: Arc<Stock>,
    seen: Arc<Seen>,
}

impl Maker {
    fn pool(self) -> Pool<Unusable> {
        let size = self.options.processes;
        let maker = Arc::new(self);
        let start = move |number| -> BoxFuture<'static, Result<Member, Unusable>> {
            let maker = Arc::clone(&maker);
            Box::pin(async move { maker.member(number).await })
        };
        Pool::new(size, Box::new(start))
    }

    /// A member from stock, or a new one; configured.
    async fn member(&self, number: u32) -> Result<Member, Unusable> {
        let Shown { number, client, keeper, is_configured } = match self.stock.take() {
            Some(shown) => shown,
            None => self.another(number).await?,
        };
        if !is_configured {
            let (options, schema) = (&self.options, &self.subject.schema);
            configure(&client, number, &self.config, options, schema, &mut |_, _, _| {}).await?;
        }
        Ok(Member { number, client, keeper })
    }

    /// An instance that takes the place of another; `number` is the pool's.
    async fn another(&self, number: u32) -> Result<Shown, Unusable> {
        let (client, keeper) = self.starter.start().await?;
        self.calls.watch(&client);
        if !self.subject.schema.capabilities.get_provider_schema_optional {
            let fetched = client.schema(&self.seen).await;
            if let Err(failure) = fetched.call.outcome {
                return Err(Unusable::Call { rpc: fetched.last.name(), why: failure.to_string() });
            }
        }
        // The pool counts the instances it asks for; one that was closed at the start had a number too.
        let closed = 2_usize.saturating_sub(self.options.processes) as u32;
        Ok(Shown { number: number + closed, client, keeper, is_configured: false })
    }
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
