//! A provider block made up for a provider that refuses one without arguments, where the user gave none.

use super::RunOptions;
use super::instance::{Instance, Log, Sent};
use super::launch::RunError;
use super::source::Source;
use crate::generate;
use crate::learn::{self, Answer, Oracle, Subject};
use crate::reproduction;
use crate::scenario::{Operation, Scenario};
use crate::schema::Kind;
use crate::transcript::{self, AnyCall, Encoded, Transcript};
use crate::value::{Data, Value};

/// A provider block that is not the user's.
pub(super) struct MadeUp {
    pub value: Value,
    /// The same in HCL.
    pub block: String,
    /// What the user should know about it.
    pub note: String,
}

/// Domains that exist; those that take their place never do.
const DOMAINS: [(&str, &str); 3] = [
    ("example.com", "example.invalid"),
    ("example.net", "net.example.invalid"),
    ("example.org", "org.example.invalid"),
];

/// Looks for a block with which the provider can be configured, if a start failed because of the block and the user
/// gave none; `None` if that is not so. Fails with a message if none was found. `refused` is why the start failed, and
/// the transcript is of its calls.
pub(super) async fn make_up(
    refused: &RunError,
    (subject, transcript): (&transcript::Subject, &Transcript),
    options: &RunOptions,
    source: &Source,
) -> Result<Option<MadeUp>, String> {
    let is_wanted = options.learns && options.config.is_none() && options.program.is_started_again();
    let schema = subject.schema.provider.as_deref();
    let Some(schema) = schema.filter(|_| is_wanted && is_about_block(refused, transcript)) else {
        return Ok(None);
    };
    let how = generate::Options { apply: true, ..options.generate.clone() };
    let name = &subject.name;
    let of = Subject { schema, kind: Kind::Provider, type_name: name, options: &how };
    let mut asked = Asked { source, options, subject, unused: None, n_started: 0 };
    let found = learn::provider_block(of, &mut asked).await;
    asked.close().await;
    let value = naming_nothing(found.map_err(|stop| stop.to_string())?);
    let block = reproduction::provider_block(name, &schema.block, &value);
    let note = format!(
        "the provider cannot be configured without arguments ({refused}), so every process got a block with values \
         that were made up and name nothing real; to keep or change it, put it into a file for `--config`:\n{block}"
    );
    Ok(Some(MadeUp { value, block, note }))
}

/// Whether arguments are missing, or the provider answered with an error about its block.
fn is_about_block(refused: &RunError, transcript: &Transcript) -> bool {
    match refused {
        RunError::Config(_) => true,
        RunError::Call { rpc, .. } => transcript.exchanges.iter().any(|exchange| {
            let call = &exchange.call;
            let is_of_block =
                matches!(call, AnyCall::ValidateProviderConfig(_) | AnyCall::ConfigureProvider(_));
            is_of_block && call.rpc_name() == *rpc && call.failure().is_none()
        }),
        _ => false,
    }
}

/// The same with every host one that does not exist.
fn naming_nothing(value: Value) -> Value {
    value.transform(&mut |_, value| match value.data() {
        Data::String(text) => {
            let text = DOMAINS.iter().fold(text.to_string(), |text, (real, none)| text.replace(real, none));
            Value::string(&text)
        }
        _ => value,
    })
}

/// The provider, asked about one block after the other.
struct Asked<'a> {
    source: &'a Source,
    options: &'a RunOptions,
    subject: &'a transcript::Subject,
    /// An instance that was not configured yet: no engine configures one twice.
    unused: Option<Instance>,
    n_started: u32,
}

impl Asked<'_> {
    async fn instance(&mut self) -> Result<Instance, RunError> {
        if let Some(instance) = self.unused.take() {
            return Ok(instance);
        }
        self.n_started += 1;
        Ok(self.source.shown(self.n_started).await?.0)
    }

    async fn close(self) {
        if let Some(instance) = self.unused {
            instance.handle.close().await;
        }
    }

    async fn answer(&mut self, config: &Encoded, operation: Operation) -> Result<Answer, RunError> {
        let mut instance = self.instance().await?;
        let (mut log, sent) = (Log::new(), Sent { config, options: self.options, subject: self.subject });
        let ended = match operation {
            Operation::Validate => sent.validate(&mut instance, &mut log).await,
            _ => sent.configure(&mut instance, &mut log).await,
        };
        let (last, _) = log.pop().expect("a call was made");
        let is_used = matches!(last, AnyCall::ConfigureProvider(_)) || last.failure().is_some();
        match is_used {
            true => instance.handle.close().await,
            false => self.unused = Some(instance),
        }
        Ok(match ended {
            Ok(()) => Answer::Accepted,
            Err(broken) if last.failure().is_some() => Answer::Broken(broken.to_string()),
            Err(_) => Answer::Refused {
                at: if is_used { Operation::Apply } else { Operation::Validate },
                diagnostics: last.diagnostics().into_iter().cloned().collect(),
            },
        })
    }
}

impl Oracle for Asked<'_> {
    async fn ask(&mut self, scenario: Scenario) -> Answer {
        let (run, schema) = (&scenario.runs[0], self.subject.schema.provider.as_deref());
        let (Some(block), Some(schema)) = (run.blocks.first(), schema) else {
            return Answer::Broken("there is nothing to ask".to_owned());
        };
        let config = naming_nothing(block.arguments.unresolved().clone());
        let config = Encoded::of(config, schema.implied_type());
        let answer = self.answer(&config, run.options.operation).await;
        answer.unwrap_or_else(|lost| Answer::Broken(lost.to_string()))
    }
}
