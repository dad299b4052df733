//! Collects the secrets of calls.

use std::collections::BTreeSet;

use super::lenient::{self, Parts};
use super::masker::{Masker, Secrets};
use super::matcher::Secret;
use crate::schema::{Block, Found, Place};
use crate::transcript::{AnyCall, Encoded, Field, Subject, Transcript};
use crate::value::{Number, Value};

impl Masker {
    /// Collects the secrets of a transcript: named secrets, and every value of a sensitive or write-only attribute.
    pub fn secrets(&self, transcript: &Transcript) -> Secrets<'_> {
        self.secrets_of(self.own(of_transcript(transcript)))
    }

    /// Adds the secrets of a request or an answer.
    pub fn learn(&self, call: &AnyCall, subject: &Subject) {
        let mut secrets = BTreeSet::new();
        of_call(call, subject, &mut |found| secrets.extend(found.secret()));
        self.remember(secrets.into_iter().filter(Secret::is_telling_elsewhere));
    }

    /// Adds the secrets of a configuration that the user wrote: they are looked for in all that is kept.
    pub fn learn_config(&self, block: &Block, config: &Value) {
        let mut secrets = Vec::new();
        block.each_secret(config, &mut |_, found| secrets.extend(Hit::from(found).secret()));
        self.name(secrets);
    }
}

pub(super) fn of_transcript(transcript: &Transcript) -> BTreeSet<Secret> {
    let mut secrets = BTreeSet::new();
    for exchange in &transcript.exchanges {
        of_call(&exchange.call, &transcript.subject, &mut |found| secrets.extend(found.secret()));
    }
    secrets
}

/// What was found at a secret place.
#[derive(Clone, Debug)]
pub(super) enum Hit {
    Text(String),
    Number(Number),
    Bool(bool),
    Key(String),
    /// Null or unknown.
    Nothing,
}

impl Hit {
    /// What is looked for elsewhere.
    pub fn secret(&self) -> Option<Secret> {
        match self {
            Hit::Text(text) => Secret::text(text),
            Hit::Number(number) => Some(Secret::number(number)),
            Hit::Key(key) => Secret::key(key),
            Hit::Bool(_) | Hit::Nothing => None,
        }
    }
}

impl From<Found<'_>> for Hit {
    fn from(found: Found<'_>) -> Hit {
        let value = match found {
            Found::Key(key) => return Hit::Key(key.to_owned()),
            Found::Value(value) => value,
        };
        match (value.as_str(), value.as_number(), value.as_bool()) {
            (Some(text), ..) => Hit::Text(text.to_owned()),
            (_, Some(number), _) => Hit::Number(number.clone()),
            (.., Some(value)) => Hit::Bool(value),
            _ => Hit::Nothing,
        }
    }
}

/// Visits what is at the secret places of a call, whether or not its objects decode.
pub(super) fn of_call(call: &AnyCall, subject: &Subject, visit: &mut dyn FnMut(Hit)) {
    let addressed = call.address().map_or("", |address| address.name);
    call.fields(&mut |_, field| match field {
        Field::Value { declared, value, .. } => {
            // Without a block, as for an identity, nothing is declared secret.
            let schema = declared.schema(&subject.schema, addressed);
            if let Some(schema) = schema.filter(|schema| schema.block.holds_secret()) {
                of_value(value, &schema.block, visit);
            }
        }
        Field::RawState { declared, state, .. } => {
            let schema = declared.schema(&subject.schema, addressed);
            if let Some(schema) = schema.filter(|schema| schema.block.holds_secret()) {
                let place = Place::object(Some(&schema.block));
                lenient::json(&state.json, place, &mut Collecting(visit));
                for (path, text) in &state.flatmap {
                    if place.flat(path).is_declared_secret() {
                        visit(Hit::Text(text.clone()));
                    }
                }
            }
        }
        _ => {}
    });
}

fn of_value(encoded: &Encoded, block: &Block, visit: &mut dyn FnMut(Hit)) {
    if let Some(value) = encoded.value() {
        block.each_secret(value, &mut |_, found| visit(found.into()));
    } else if let Some(wire) = encoded.wire() {
        let place = Place::object(Some(block));
        lenient::msgpack(&wire.msgpack, place, &mut Collecting(visit));
        lenient::json(&wire.json, place, &mut Collecting(visit));
    }
}

/// Leaves everything as it is.
struct Collecting<'v>(&'v mut dyn FnMut(Hit));

impl Parts for Collecting<'_> {
    fn text(&mut self, place: Place<'_>, text: &str) -> Option<String> {
        if place.is_declared_secret() {
            (self.0)(Hit::Text(text.to_owned()));
        }
        None
    }

    fn number(&mut self, place: Place<'_>, number: &Number) -> Option<Number> {
        if place.is_declared_secret() {
            (self.0)(Hit::Number(number.clone()));
        }
        None
    }

    fn bool(&mut self, place: Place<'_>, value: bool) -> Option<bool> {
        if place.is_declared_secret() {
            (self.0)(Hit::Bool(value));
        }
        None
    }

    fn key(&mut self, place: Place<'_>, key: &str) -> Option<String> {
        if place.is_declared_secret() && !place.declares(key) {
            (self.0)(Hit::Key(key.to_owned()));
        }
        None
    }
}
