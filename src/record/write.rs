//! Writing transcripts and cases.

use std::collections::{BTreeMap, BTreeSet};
use std::io::{self, Write};
use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::Serialize;

use super::{Case, FORMAT, Header, Masked, MaskedJudgement};
use crate::calls::{
    AnyCall, Field, GetProviderSchemaResponse, GetResourceIdentitySchemasResponse, Message as _, Protocol,
};
use crate::scenario::Scenario;
use crate::schema::ProviderSchema;
use crate::transcript::{Encoded, Subject, Transcript};

/// Writes a transcript; with `case` as a case.
pub fn write(out: &mut dyn Write, judged: &MaskedJudgement<'_>, case: Option<Case<'_>>) -> io::Result<()> {
    let transcript = judged.transcript();
    let subject = &transcript.subject;
    let needed = needed_schema(transcript, case.map(|case| &**case.scenario));
    let identities =
        GetResourceIdentitySchemasResponse { identities: needed.identities.clone(), diagnostics: Vec::new() };
    let schema = GetProviderSchemaResponse {
        schema: Arc::new(needed),
        size: 0,
        digest: String::new(),
        diagnostics: Vec::new(),
    };
    let header = Header {
        tfconform: FORMAT,
        provider: subject.name.clone(),
        protocol: subject.protocol,
        engine: subject.engine,
        scenario: transcript.scenario.clone(),
        schema: STANDARD.encode(schema.encode(Protocol::V6)),
        identities: STANDARD.encode(identities.encode(Protocol::V6)),
        config: config(subject),
        settings: judged.settings().clone(),
        ended: judged.ended().cloned(),
        intentions: case.map(|case| (**case.scenario).clone()),
        beside: Vec::new(),
        kept_for: case.map(|case| (**case.kept_for).clone()),
        origin: case.map(|case| case.origin.clone()),
    };
    line(out, &header)?;
    for exchange in &transcript.exchanges {
        line(out, exchange)?;
    }
    out.flush()
}

/// Writes a case that was written before once more, with the scenarios that are to be played beside its own.
pub fn write_beside(out: &mut dyn Write, case: &str, beside: &[Masked<Scenario>]) -> io::Result<()> {
    let (first, rest) = case.split_once('\n').ok_or(io::ErrorKind::UnexpectedEof)?;
    let header: Header = serde_json::from_str(first)?;
    let beside = beside.iter().map(|scenario| (**scenario).clone()).collect();
    line(out, &Header { beside, ..header })?;
    out.write_all(rest.as_bytes())
}

fn config(subject: &Subject) -> Option<Encoded> {
    let (config, schema) = (subject.config.clone()?, subject.schema.provider.as_ref()?);
    Some(Encoded::of(config, schema.implied_type()))
}

fn line(out: &mut dyn Write, what: &impl Serialize) -> io::Result<()> {
    serde_json::to_writer(&mut *out, what)?;
    out.write_all(b"\n")
}

/// The schemas of the types that occur, asked about or not; all of them if the schema itself was fetched.
fn needed_schema(transcript: &Transcript, scenario: Option<&Scenario>) -> ProviderSchema {
    let whole = &transcript.subject.schema;
    let asks_schema =
        transcript.exchanges.iter().any(|exchange| matches!(exchange.call, AnyCall::GetProviderSchema(_)));
    if asks_schema {
        return (**whole).clone();
    }
    let mut names = BTreeSet::new();
    let blocks = scenario.into_iter().flat_map(Scenario::blocks);
    names.extend(blocks.map(|block| block.address.type_name.as_str()));
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
