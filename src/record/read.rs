//! Reading transcripts and cases back.

use std::io::{BufRead, BufReader};
use std::path::Path;
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use serde::Deserialize;

use super::{FORMAT, Header, RecordError, Recorded};
use crate::calls::{
    AnyCall, GetProviderSchemaResponse, GetResourceIdentitySchemasResponse, Message as _, Protocol,
};
use crate::files;
use crate::scenario::Scenario;
use crate::schema::ProviderSchema;
use crate::transcript::{Exchange, Subject, Transcript};

/// What every format has.
#[derive(Deserialize)]
struct Version {
    tfconform: u32,
}

/// Reads a file back; every value is decoded.
pub fn read(file: &Path) -> Result<Recorded, RecordError> {
    let opened = files::open(file);
    let opened = opened.map_err(|error| RecordError::Read { file: file.to_owned(), error })?;
    read_from(file, BufReader::new(opened))
}

/// Like [`read`], from the content of a file; `file` is for messages.
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
            let foreign = |error| malformed(format!("this is not a transcript: {error}"));
            let Version { tfconform: format } = serde_json::from_str(&text).map_err(foreign)?;
            if format != FORMAT {
                return Err(malformed(format!("the format is {format}, and this program reads {FORMAT}")));
            }
            let parsed: Header = serde_json::from_str(&text).map_err(foreign)?;
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
        settings: header.settings,
        ended: header.ended,
        scenario,
        beside: header.beside,
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
    let schema = ProviderSchema { identities, ..Arc::unwrap_or_clone(decoded.schema) };
    let config = header.config.clone().zip(schema.provider.as_ref()).and_then(|(mut config, schema)| {
        config.decode(schema.implied_type());
        config.value().cloned()
    });
    Ok(Subject {
        name: header.provider.clone(),
        protocol: header.protocol,
        engine: header.engine,
        schema: Arc::new(schema),
        config,
    })
}
