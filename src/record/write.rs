//! Writing transcripts and cases.

use std::io::{self, Write};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::{Case, FORMAT, Header, MaskedJudgement, StoredScenario};
use crate::provider::convert::schema;
use crate::provider::rpc::Protocol;
use crate::schema::ProviderSchema;
use crate::transcript::{AnyCall, SchemaResponse, Transcript};

/// Writes a transcript; with `case` as a case.
pub fn write(out: &mut dyn Write, judged: &MaskedJudgement<'_>, case: Option<Case<'_>>) -> io::Result<()> {
    let transcript = judged.transcript();
    let subject = &transcript.subject;
    let needed = needed_schema(transcript);
    let identities = STANDARD.encode(schema::encode_identities(&needed.identities));
    let response =
        SchemaResponse { schema: Arc::new(needed), size: 0, digest: String::new(), diagnostics: Vec::new() };
    let header = Header {
        tfconform: FORMAT,
        provider: subject.name.clone(),
        protocol: subject.protocol,
        engine: subject.engine,
        scenario: transcript.scenario.clone(),
        schema: STANDARD.encode(schema::encode(Protocol::V6, &response)),
        identities,
        settings: judged.settings().clone(),
        ended: judged.ended().cloned(),
        intentions: case.map(|case| StoredScenario::of(case.scenario)),
        kept_for: case.map(|case| (**case.kept_for).clone()),
        origin: case.map(|case| case.origin.clone()),
    };
    line(out, &header)?;
    for exchange in &transcript.exchanges {
        line(out, exchange)?;
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
    let asks_schema = transcript.exchanges.iter().any(|exchange| matches!(exchange.call, AnyCall::Schema(_)));
    if asks_schema {
        return (**whole).clone();
    }
    let mut needed = ProviderSchema {
        provider: whole.provider.clone(),
        provider_meta: whole.provider_meta.clone(),
        capabilities: whole.capabilities,
        ..ProviderSchema::default()
    };
    for name in transcript.exchanges.iter().filter_map(|exchange| exchange.call.type_name()) {
        let name = name.to_owned();
        if let Some(schema) = whole.resources.get(&name) {
            needed.resources.insert(name.clone(), Arc::clone(schema));
        }
        if let Some(schema) = whole.data_sources.get(&name) {
            needed.data_sources.insert(name.clone(), Arc::clone(schema));
        }
        if let Some(identity) = whole.identities.get(&name) {
            needed.identities.insert(name, Arc::clone(identity));
        }
    }
    needed
}
