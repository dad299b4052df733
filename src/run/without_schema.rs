//! The first calls of an instance that was not asked for its schema.
//!
//! An engine that has a cached schema skips GetProviderSchema when the provider allows it.

use super::instance::{Instance, Log, Sent};
use super::{RunOptions, work};
use crate::generate;
use crate::schema::Kind;
use crate::schema::ProviderSchema;
use crate::transcript::{
    AnyCall, Call, Encoded, Subject, ValidateDataResourceConfigRequest, ValidateResourceConfigRequest,
};

/// Configures an instance and has it validate one type of each kind. Returns whether it can be used.
pub(super) async fn use_without_schema(instance: &mut Instance, sent: &Sent<'_>, log: &mut Log) -> bool {
    if sent.configure(instance, log).await.is_err() {
        return false;
    }
    for mut call in validations(sent.options, sent.subject) {
        let took = instance.client.ask(&mut call, &sent.subject.schema).await;
        let is_usable = call.failure().is_none();
        log.push((call, took));
        if !is_usable {
            return false;
        }
    }
    true
}

/// Repeats the validations that did not succeed on an instance that was asked for its schema: what fails
/// there too has another cause.
pub(super) async fn compare(without_schema: &Log, asked: &Instance, schema: &ProviderSchema) -> Log {
    let mut log = Log::new();
    for (call, _) in without_schema {
        if call.succeeded() || call.type_name().is_none() {
            continue;
        }
        let mut again = call.clone();
        let took = asked.client.ask(&mut again, schema).await;
        log.push((again, took));
    }
    log
}

/// A validation of the first type and of the first data source that are played.
fn validations(options: &RunOptions, subject: &Subject) -> Vec<AnyCall> {
    let types = work(options, subject);
    let first = |kind| types.iter().find(move |(of, _)| *of == kind).map(|(_, name)| name);
    [Kind::Resource, Kind::DataSource]
        .into_iter()
        .filter_map(|kind| validation(options, subject, kind, first(kind)?))
        .collect()
}

fn validation(options: &RunOptions, subject: &Subject, kind: Kind, name: &str) -> Option<AnyCall> {
    let schema = subject.schema.get(kind, name)?;
    let pins = options.pins.get(&kind.qualified(name)).cloned().unwrap_or_default();
    let how = generate::Options { pins, cases: generate::Cases::Number(1), ..options.generate.clone() };
    let scenario = generate::scenarios(schema, kind, name, &how).next()?;
    let config = scenario.blocks().next()?.arguments.unresolved().clone();
    let (type_name, config) = (name.to_owned(), Encoded::of(config, schema.implied_type()));
    Some(match kind {
        Kind::DataSource => {
            AnyCall::ValidateDataResourceConfig(Call::unanswered(ValidateDataResourceConfigRequest {
                type_name,
                config,
            }))
        }
        _ => {
            let capabilities = Some(subject.client_capabilities());
            let request = ValidateResourceConfigRequest { type_name, config, capabilities };
            AnyCall::ValidateResourceConfig(Call::unanswered(request))
        }
    })
}
