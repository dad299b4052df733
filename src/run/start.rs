//! Starts a program: a configured pool of instances, and a transcript of the first calls.

use std::collections::VecDeque;
use std::sync::{Arc, Mutex, PoisonError};

use super::instance::{Instance, Log, Sent, error_of};
use super::launch::{RunError, Starter};
use super::provider_block::make_up;
use super::source::{Calls, Source};
use super::without_schema::{compare, use_without_schema};
use super::{ProviderConfig, RunOptions};
use crate::calls::Rpc;
use crate::generate::legal::why_impossible;
use crate::provider::client::Fetched;
use crate::provider::pool::{Member, Pool};
use crate::provider::transport::BoxFuture;
use crate::rule::problems;
use crate::schema::ProviderSchema;
use crate::transcript::{
    AnyCall, Call, Encoded, Exchange, ExchangeId, GetMetadataRequest, Phase, PriorOrigin, Purpose,
    RpcFailure, ScenarioLabel, Subject, Transcript,
};
use crate::value::{Type, Value};

/// A provider that is ready for scenarios.
pub(super) struct Started {
    pub subject: Arc<Subject>,
    pub pool: Arc<Pool<RunError>>,
    /// What the pool starts its instances with.
    maker: Arc<Maker>,
    /// Instances that the pool has not taken over yet.
    pub stock: Arc<WarmInstances>,
    /// The calls of the first instances.
    pub transcript: Transcript,
    /// Why an engine would stop here, if it would.
    pub refused: Option<String>,
    /// Why the provider cannot be used, if it returned its schema with an error or could not be
    /// configured.
    pub unusable: Option<RunError>,
    /// What the user should know about the provider's configuration.
    pub note: Option<String>,
    /// The provider block in HCL, if one had to be made up.
    pub made_up: Option<String>,
    pub calls: Arc<Calls>,
}

/// Where scenarios find their processes.
#[derive(Clone)]
pub(super) struct Pools {
    pub shared: Arc<Pool<RunError>>,
    maker: Arc<Maker>,
}

impl Pools {
    /// A pool for scenarios that are played alone. Its processes are new.
    pub fn own(&self) -> Pool<RunError> {
        Arc::clone(&self.maker).pool(Take::New)
    }

    /// Ends such a pool; what it has used counts for the run.
    pub async fn end(&self, own: &Pool<RunError>) {
        own.close().await;
        self.shared.add_usage(own.usage().await);
    }
}

impl Started {
    pub fn pools(&self) -> Pools {
        Pools { shared: Arc::clone(&self.pool), maker: Arc::clone(&self.maker) }
    }
}

/// The first instances of a run, until the pool takes them over: a large provider takes seconds to start.
#[derive(Default)]
pub(super) struct WarmInstances(Mutex<VecDeque<Instance>>);

impl WarmInstances {
    fn add(&self, instance: Instance) {
        self.0.lock().unwrap_or_else(PoisonError::into_inner).push_back(instance);
    }

    /// The next one that is still alive.
    fn take(&self) -> Option<Instance> {
        let mut stock = self.0.lock().unwrap_or_else(PoisonError::into_inner);
        std::iter::from_fn(|| stock.pop_front()).find(|instance| !instance.handle.is_gone())
    }

    /// Stops the instances that were not taken.
    pub(super) async fn close(&self) {
        while let Some(instance) = self.take() {
            instance.handle.close().await;
        }
    }
}

/// Starts two instances at once, without comparing them yet, and creates the pool, which takes them over.
///
/// An engine fetches the schema in a separate process, so there is a second instance. It is asked for its
/// schema last, if the provider declares that call optional.
///
/// The secrets of the provider's configuration are known to the masker of the run from then on.
pub(super) async fn start(options: &Arc<RunOptions>) -> Result<Started, RunError> {
    begin(options).await.map_err(|error| error.masked(&options.masker))
}

/// If the provider refuses its block and the user gave none, it is started again with one that was made up.
async fn begin(options: &Arc<RunOptions>) -> Result<Started, RunError> {
    let starter = Starter::new(options.program.clone(), options.timeout, options.start_timeout);
    let source = Source::new(starter);
    let mut started = begin_with(options, source.clone(), None).await?;
    let Some(refused) = &started.unusable else { return Ok(started) };
    let asked = (&*started.subject, &started.transcript);
    let made_up = match make_up(refused, asked, options, &source).await {
        Ok(Some(made_up)) => made_up,
        Ok(None) => return Ok(started),
        Err(why) => {
            let why = options.masker.shown(&why).into_inner();
            started.unusable = started.unusable.map(|refused| refused.without_block(&why));
            return Ok(started);
        }
    };
    started.stock.close().await;
    let started = begin_with(options, source, Some(made_up.value)).await?;
    Ok(Started { note: Some(made_up.note), made_up: Some(made_up.block), ..started })
}

/// `made_up` is a provider block that takes the place of the user's.
async fn begin_with(
    options: &Arc<RunOptions>,
    source: Source,
    made_up: Option<Value>,
) -> Result<Started, RunError> {
    let ((leader, first), follower) = tokio::try_join!(source.shown(1), source.begin(2))?;
    let (schema, mut unusable) = declared(&first)?;
    if let Some(check) = options.check.as_ref().filter(|_| unusable.is_none()) {
        check(&schema).map_err(RunError::Suite)?;
    }
    let mut subject = Subject {
        name: options.program.name.clone(),
        protocol: leader.client.protocol().major() as u8,
        engine: options.engine,
        schema,
        config: None,
    };
    let refused = refusal(&subject, options);
    let config = configuration(options, &subject, made_up)?;
    subject.config = config.value().cloned();
    let subject = Arc::new(subject);
    unusable = unusable.or_else(|| missing(&config, &subject, options));
    let goes_on = refused.is_none() && unusable.is_none();
    let may_go_unasked = subject.schema.capabilities.get_provider_schema_optional;
    let is_unasked = goes_on && may_go_unasked && options.program.is_started_again();
    let sent = Sent { config: &config, options, subject: &subject };
    let ((leader, led, configured), (follower, followed, works_unasked)) = tokio::try_join!(
        lead(&source, leader, goes_on, &sent),
        follow(&source, follower, is_unasked, &sent)
    )?;

    let mut builder = TranscriptBuilder::new(Arc::clone(&subject));
    builder.write(1, vec![(AnyCall::GetProviderSchema(first.call), first.took)]);
    builder.write(1, led);
    match configured {
        Ok(()) if is_unasked => builder.write(1, compare(&followed, &leader, &subject.schema).await),
        Ok(()) => {}
        Err(why) => unusable = Some(why),
    }
    let unusable = unusable.map(|why| why.masked(&options.masker));
    builder.write(2, followed);
    let stock = Arc::new(WarmInstances::default());
    stock.add(leader);
    // No engine configures an instance twice.
    let is_spent = is_unasked && !follower.is_configured;
    let keeps_follower = options.processes > 1 && !is_spent;
    if keeps_follower {
        stock.add(follower);
    } else {
        follower.handle.close().await;
    }
    let calls = Arc::clone(&source.calls);
    let maker = Maker {
        options: Arc::clone(options),
        source,
        config,
        subject: Arc::clone(&subject),
        stock: Arc::clone(&stock),
        n_closed: u32::from(!keeps_follower),
        asks_schema: !may_go_unasked || !works_unasked,
    };
    let maker = Arc::new(maker);
    let (pool, transcript) = (Arc::new(Arc::clone(&maker).pool(Take::Warm)), builder.transcript);
    let (note, made_up) = (None, None);
    Ok(Started { subject, pool, maker, stock, transcript, refused, unusable, note, made_up, calls })
}

/// The schema, and why the provider cannot be used anyway.
fn declared(fetched: &Fetched) -> Result<(Arc<ProviderSchema>, Option<RunError>), RunError> {
    match &fetched.call.outcome {
        Ok(answer) => {
            Ok((Arc::clone(&answer.schema), error_of(Rpc::GetProviderSchema.name(), &answer.diagnostics)))
        }
        Err(failure) => Err(RunError::Call { rpc: fetched.last.name(), why: failure.to_string() }),
    }
}

/// The provider's configuration.
fn configuration(
    options: &RunOptions,
    subject: &Subject,
    made_up: Option<Value>,
) -> Result<Encoded, RunError> {
    let ty = subject.schema.provider.as_ref().map_or(Type::Dynamic, |schema| schema.implied_type().clone());
    if let Some(made_up) = made_up {
        return Ok(Encoded::of(made_up, &ty));
    }
    if let Some(why) = options.config.as_ref().and_then(|config| meant_for_another(config, subject)) {
        return Err(RunError::Config(why));
    }
    let config = match (&options.config, &subject.schema.provider) {
        (Some(config), Some(schema)) => config.value(schema).map_err(RunError::Config)?,
        (None, Some(schema)) => schema.empty_value(),
        (_, None) => Value::null(Type::Dynamic),
    };
    if let Some(schema) = &subject.schema.provider {
        options.masker.learn_config(&schema.block, &config);
    }
    Ok(Encoded::of(config, &ty))
}

/// Why a provider block is not this provider's: no type begins with the name that it has.
fn meant_for_another(config: &ProviderConfig, subject: &Subject) -> Option<String> {
    let label = config.label.as_deref()?;
    let schema = &subject.schema;
    let mut names = schema.resources.keys().chain(schema.data_sources.keys());
    let prefix = |name: &str| name.split('_').next().unwrap_or_default().to_owned();
    let example = names.next()?;
    // `google-beta` has types that begin with `google_`.
    let is_own = |name: &String| prefix(name) == label.split('-').next().unwrap_or_default();
    if is_own(example) || names.any(is_own) || label == subject.name {
        return None;
    }
    let file = config.file.as_ref().map(|file| format!("{}: ", file.display())).unwrap_or_default();
    Some(format!("{file}the block is of provider `{label}`, and this one has types such as `{example}`"))
}

/// What is missing in the provider's configuration: an engine asks the user for it and makes no call.
fn missing(config: &Encoded, subject: &Subject, options: &RunOptions) -> Option<RunError> {
    let schema = subject.schema.provider.as_ref()?;
    let lacks = why_impossible(schema, config.value()?);
    let lacks: Vec<String> = lacks.iter().map(|lack| format!("`{}`: {}", lack.path, lack.reason)).collect();
    let file = options.config.as_ref().and_then(|config| config.file.as_ref());
    let named = file.map(|file| format!("{}: ", file.display())).unwrap_or_default();
    (!lacks.is_empty()).then(|| RunError::Config(named + &lacks.join("; ")))
}

/// Asks the first instance for its metadata, and configures it if the run goes on.
async fn lead(
    source: &Source,
    mut leader: Instance,
    goes_on: bool,
    sent: &Sent<'_>,
) -> Result<(Instance, Log, Result<(), RunError>), RunError> {
    let mut log = Log::new();
    let mut metadata = AnyCall::GetMetadata(Call::unanswered(GetMetadataRequest {}));
    let took = leader.client.ask(&mut metadata, &sent.subject.schema).await;
    if matches!(metadata.failure(), Some(RpcFailure::Crashed(_) | RpcFailure::TimedOut { .. })) {
        // No engine asks for metadata: replace a process that it broke.
        leader.handle.close().await;
        (leader, _) = source.shown(1).await?;
    }
    if !matches!(metadata.failure(), Some(RpcFailure::Status { code: 12, .. })) {
        log.push((metadata, took));
    }
    let configured = if goes_on { sent.configure(&mut leader, &mut log).await } else { Ok(()) };
    Ok((leader, log, configured))
}

/// Fetches the second instance's schema; if it `is_unasked`, first uses it without. Returns whether that
/// worked.
async fn follow(
    source: &Source,
    mut follower: Instance,
    is_unasked: bool,
    sent: &Sent<'_>,
) -> Result<(Instance, Log, bool), RunError> {
    let mut log = Log::new();
    let works = !is_unasked || use_without_schema(&mut follower, sent, &mut log).await;
    let fetched = source.show(&follower).await;
    log.push((AnyCall::GetProviderSchema(fetched.call), fetched.took));
    Ok((follower, log, works))
}

/// Why an engine refuses the provider as a whole.
fn refusal(subject: &Subject, options: &RunOptions) -> Option<String> {
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

/// Creates the members of the pool.
struct Maker {
    options: Arc<RunOptions>,
    source: Source,
    config: Encoded,
    subject: Arc<Subject>,
    stock: Arc<WarmInstances>,
    /// Instances that got a number at the start and did not join the pool.
    n_closed: u32,
    /// Whether an instance must be asked for its schema before it is used.
    asks_schema: bool,
}

/// Where the members of a pool come from.
#[derive(Clone, Copy, PartialEq, Eq)]
enum Take {
    /// From stock first.
    Warm,
    /// Every one is started for the pool.
    New,
}

impl Maker {
    fn pool(self: Arc<Self>, take: Take) -> Pool<RunError> {
        let size = self.options.processes;
        let unconfigured = Arc::clone(&self);
        let start_unconfigured = move |number| -> BoxFuture<'static, Result<Member, RunError>> {
            let maker = Arc::clone(&unconfigured);
            Box::pin(async move { maker.unconfigured(number).await })
        };
        let start = move |number| -> BoxFuture<'static, Result<Member, RunError>> {
            let maker = Arc::clone(&self);
            Box::pin(async move { maker.member(number, take).await })
        };
        Pool::new(size, Box::new(start)).with_unconfigured(Box::new(start_unconfigured))
    }

    /// A member; configured.
    async fn member(&self, number: u32, take: Take) -> Result<Member, RunError> {
        let warm = if take == Take::Warm { self.stock.take() } else { None };
        let mut instance = match warm {
            Some(instance) => instance,
            None => self.another(number).await?,
        };
        if !instance.is_configured {
            let sent = Sent { config: &self.config, options: &self.options, subject: &self.subject };
            sent.configure(&mut instance, &mut Log::new()).await?;
        }
        let Instance { number, client, handle, .. } = instance;
        Ok(Member { number, client, handle })
    }

    /// An instance as it starts.
    async fn unconfigured(&self, number: u32) -> Result<Member, RunError> {
        let Instance { number, client, handle, .. } = self.another(number).await?;
        Ok(Member { number, client, handle })
    }

    /// An instance that replaces another; `number` is the pool's.
    async fn another(&self, number: u32) -> Result<Instance, RunError> {
        let number = number + self.n_closed;
        if !self.asks_schema {
            return self.source.begin(number).await;
        }
        let (instance, fetched) = self.source.shown(number).await?;
        declared(&fetched).map(|_| instance)
    }
}

struct TranscriptBuilder {
    transcript: Transcript,
}

impl TranscriptBuilder {
    fn new(subject: Arc<Subject>) -> TranscriptBuilder {
        let scenario =
            ScenarioLabel { kind: "start".to_owned(), about: "start".to_owned(), ..ScenarioLabel::default() };
        TranscriptBuilder { transcript: Transcript { subject, scenario, exchanges: Vec::new() } }
    }

    fn write(&mut self, process: u32, calls: Log) {
        for (call, took) in calls {
            self.transcript.exchanges.push(Exchange {
                id: ExchangeId(self.transcript.exchanges.len() as u32),
                phase: Phase::Start,
                purpose: Purpose::Ordinary,
                instance: String::new(),
                process,
                prior: PriorOrigin::None,
                call,
                took,
            });
        }
    }
}
