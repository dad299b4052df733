//! Transcripts as files: JSON Lines, without secrets, judged and played again.
//!
//! The first line says what was run and holds the schemas that the rest needs;
//! every other line is one exchange. A *case* is such a file with two things more:
//! the scenario's materialised intentions, so that it can be played again without
//! seed or generator, and the finding it was kept for.

mod mask;

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, BufRead, BufReader, Write};
use std::path::{Path, PathBuf};
use std::sync::Arc;
use std::time::Duration;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::{Deserialize, Serialize};

use crate::calls::{
    AnyCall, Field, GetProviderSchemaResponse, GetResourceIdentitySchemasResponse, Message as _, Protocol,
};
use crate::engine::Engine;
use crate::scenario::Scenario;
use crate::schema::ProviderSchema;
use crate::transcript::{Exchange, ScenarioLabel, Subject, Transcript};

pub use mask::{Masker, Secrets};

/// The version of the format; files of another are refused.
pub const FORMAT: u32 = 2;

/// What a case was kept for.
#[derive(Clone, Debug, PartialEq, Eq, Serialize, Deserialize)]
pub struct KeptFor {
    pub rule: String,
    /// The attribute's schema path.
    pub path: String,
    pub cause: String,
    /// The call whose answer it is about, where that was a good answer otherwise; empty where it was not.
    #[serde(default)]
    pub answered: String,
}

/// The first line of a file.
#[derive(Debug, Serialize, Deserialize)]
struct Header {
    tfconform: u32,
    provider: String,
    protocol: u8,
    engine: Engine,
    scenario: ScenarioLabel,
    /// The schemas the exchanges need, as a protocol 6 message in base64.
    schema: String,
    identities: String,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    intentions: Option<Scenario>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    kept_for: Option<KeptFor>,
    #[serde(default, skip_serializing_if = "Option::is_none")]
    origin: Option<Origin>,
}

/// How the provider of a case was started.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Origin {
    /// The program; absent for the reference provider, and for one that was already running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub program: Option<PathBuf>,
    /// The reattach configuration of a provider that was already running.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub reattached: Option<String>,
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub args: Vec<String>,
    /// Where it was started, where a command was named and not a program.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub folder: Option<PathBuf>,
    /// What the reference provider was armed with.
    #[serde(default, skip_serializing_if = "Vec::is_empty")]
    pub faults: Vec<String>,
    /// The file of the provider block, where the user named one; a suite that has one names itself.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub config: Option<PathBuf>,
    /// The suite that says how the provider is started and what runs beside it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub suite: Option<PathBuf>,
    /// Whether the program was named in place of the suite's.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub replaced: bool,
    /// The longest that a call might take, where somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub timeout: Option<Duration>,
    /// The longest that a process might take to its handshake, where somebody said so.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub start_timeout: Option<Duration>,
    /// The only protocol that was offered, where one was wanted of another than the reference provider.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub wanted_protocol: Option<u8>,
    /// Whether objects were made.
    pub applied: bool,
    /// Whether nothing kept it from the world, so that to make objects takes the user's word.
    #[serde(default, skip_serializing_if = "std::ops::Not::not")]
    pub open: bool,
}

impl Origin {
    pub fn is_reference(&self) -> bool {
        self.program.is_none() && self.reattached.is_none()
    }
}

/// What makes a transcript a case.
#[derive(Clone, Copy, Debug)]
pub struct Case<'c> {
    pub scenario: &'c Scenario,
    pub kept_for: &'c KeptFor,
    pub origin: &'c Origin,
}

/// A file, read.
#[derive(Debug)]
pub struct Recorded {
    pub transcript: Transcript,
    pub scenario: Option<Scenario>,
    pub kept_for: Option<KeptFor>,
    pub origin: Option<Origin>,
}

/// What is wrong about a file.
#[derive(Debug, thiserror::Error)]
pub enum RecordError {
    #[error("{}: {error}", .file.display())]
    Read { file: PathBuf, error: io::Error },
    #[error("{}:{line}: {problem}", .file.display())]
    Malformed { file: PathBuf, line: usize, problem: String },
}

/// Writes a transcript, masked; with `case` as a case.
pub fn write(
    out: &mut dyn Write,
    transcript: &Transcript,
    masker: &Masker,
    case: Option<Case<'_>>,
) -> io::Result<()> {
    let subject = &transcript.subject;
    let needed = needed_schema(transcript);
    let identities =
        GetResourceIdentitySchemasResponse { identities: needed.identities.clone(), diagnostics: Vec::new() };
    let schema = GetProviderSchemaResponse {
        schema: Arc::new(needed),
        size: 0,
        digest: String::new(),
        diagnostics: Vec::new(),
    };
    let secrets = masker.secrets(transcript);
    let header = Header {
        tfconform: FORMAT,
        provider: subject.name.clone(),
        protocol: subject.protocol,
        engine: subject.engine,
        scenario: transcript.scenario.clone(),
        schema: STANDARD.encode(schema.encode(Protocol::V6)),
        identities: STANDARD.encode(identities.encode(Protocol::V6)),
        intentions: case.map(|case| secrets.scenario(case.scenario, &subject.schema)),
        kept_for: case
            .map(|case| KeptFor { cause: secrets.text(&case.kept_for.cause), ..case.kept_for.clone() }),
        origin: case.map(|case| case.origin.clone()),
    };
    line(out, &header)?;
    for exchange in &transcript.exchanges {
        line(out, &secrets.exchange(exchange, subject))?;
    }
    out.flush()
}

fn line(out: &mut dyn Write, what: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, what)?;
    out.write_all(b"\n")
}

/// The schemas of the types that occur; all of them where the schema itself was asked for.
fn needed_schema(transcript: &Transcript) -> ProviderSchema {
    let whole = &transcript.subject.schema;
    let asks_schema =
        transcript.exchanges.iter().any(|exchange| matches!(exchange.call, AnyCall::GetProviderSchema(_)));
    if asks_schema {
        return (**whole).clone();
    }
    let mut names = BTreeSet::new();
    for exchange in &transcript.exchanges {
        names.extend(exchange.call.address().map(|address| address.name));
        exchange.call.fields(&mut |_, field| {
            if let Field::Value { declared, .. } = field {
                names.extend(declared.name());
            }
        });
    }
    ProviderSchema {
        provider: whole.provider.clone(),
        provider_meta: whole.provider_meta.clone(),
        resources: of_names(&names, &whole.resources),
        data_sources: of_names(&names, &whole.data_sources),
        ephemeral_resources: of_names(&names, &whole.ephemeral_resources),
        list_resources: of_names(&names, &whole.list_resources),
        state_stores: of_names(&names, &whole.state_stores),
        actions: of_names(&names, &whole.actions),
        functions: of_names(&names, &whole.functions),
        identities: of_names(&names, &whole.identities),
        capabilities: whole.capabilities,
    }
}

fn of_names<T>(names: &BTreeSet<&str>, all: &BTreeMap<String, Arc<T>>) -> BTreeMap<String, Arc<T>> {
    let declared = names.iter().filter_map(|name| all.get_key_value(*name));
    declared.map(|(name, what)| (name.clone(), Arc::clone(what))).collect()
}

/// Reads a file back; every value is decoded.
pub fn read(file: &Path) -> Result<Recorded, RecordError> {
    let opened = std::fs::File::open(file);
    let opened = opened.map_err(|error| RecordError::Read { file: file.to_owned(), error })?;
    read_from(file, BufReader::new(opened))
}

/// As [`read`], from what a file holds; `file` is for messages.
pub fn read_from(file: &Path, reader: impl BufRead) -> Result<Recorded, RecordError> {
    let failed = |error| RecordError::Read { file: file.to_owned(), error };
    let mut header: Option<(Header, Arc<Subject>)> = None;
    let mut exchanges = Vec::new();
    for (idx, text) in reader.lines().enumerate() {
        let text = text.map_err(failed)?;
        let malformed =
            |problem: String| RecordError::Malformed { file: file.to_owned(), line: idx + 1, problem };
        if text.trim().is_empty() {
            continue;
        }
        let Some((_, subject)) = &header else {
            let parsed: Header = serde_json::from_str(&text)
                .map_err(|error| malformed(format!("this is no transcript: {error}")))?;
            if parsed.tfconform != FORMAT {
                return Err(malformed(format!(
                    "format {} is not the one of this program, {FORMAT}",
                    parsed.tfconform
                )));
            }
            let subject = Arc::new(subject_of(&parsed).map_err(malformed)?);
            header = Some((parsed, subject));
            continue;
        };
        let mut exchange: Exchange =
            serde_json::from_str(&text).map_err(|error| malformed(error.to_string()))?;
        if let AnyCall::GetProviderSchema(call) = &mut exchange.call
            && let Ok(response) = &mut call.outcome
        {
            response.schema = Arc::clone(&subject.schema);
        }
        exchange.call.decode(&subject.schema);
        exchanges.push(exchange);
    }
    let Some((header, subject)) = header else {
        return Err(RecordError::Malformed {
            file: file.to_owned(),
            line: 1,
            problem: "the file is empty".to_owned(),
        });
    };
    let scenario = header.intentions.map(|runs| Scenario { label: header.scenario.clone(), ..runs });
    Ok(Recorded {
        transcript: Transcript { subject, scenario: header.scenario, exchanges },
        scenario,
        kept_for: header.kept_for,
        origin: header.origin,
    })
}

fn subject_of(header: &Header) -> Result<Subject, String> {
    let bytes =
        |text: &str| STANDARD.decode(text).map(Bytes::from).map_err(|error| format!("the schema: {error}"));
    let decoded = GetProviderSchemaResponse::decode(Protocol::V6, bytes(&header.schema)?)
        .map_err(|error| format!("the schema: {error}"))?;
    let identities = GetResourceIdentitySchemasResponse::decode(Protocol::V6, bytes(&header.identities)?)
        .map_err(|error| format!("the identities: {error}"))?
        .identities;
    Ok(Subject {
        name: header.provider.clone(),
        protocol: header.protocol,
        engine: header.engine,
        schema: Arc::new(ProviderSchema { identities, ..Arc::unwrap_or_clone(decoded.schema) }),
    })
}

#[cfg(test)]
mod tests;
