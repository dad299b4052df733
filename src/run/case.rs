//! A finding as people read it: in full, and without secrets.

use crate::judge::Judged;
use crate::record::{Masker, Secrets};
use crate::report::Case;
use crate::schema::Schema;
use crate::transcript::{Declared, Exchange, Field, RpcFailure, Subject, Transcript};
use crate::value::{AttributePath, Value};

/// Leaves secrets out of what people read.
pub(super) struct Shown<'a> {
    pub secrets: &'a Secrets<'a>,
    pub masker: &'a Masker,
}

impl Shown<'_> {
    /// A case of which no text holds a secret, wherever that came from.
    pub fn case(&self, case: Case) -> Case {
        let pair = |(role, text): (String, String)| (role, self.secrets.shown(&text));
        Case {
            path: self.secrets.shown(&case.path),
            message: self.masker.shown(&case.message),
            allowed: case.allowed.into_iter().map(pair).collect(),
            actual: case.actual.map(pair),
            objects: case.objects.into_iter().map(pair).collect(),
            stderr: self.masker.shown(&case.stderr),
            ..case
        }
    }
}

/// The call that a finding is about, where it was answered without an error.
pub(super) fn answered(transcript: &Transcript, judged: &Judged) -> Option<&'static str> {
    let exchange = transcript.exchange(judged.exchange)?;
    exchange.call.succeeded().then(|| exchange.call.rpc_name())
}

/// A finding in full, without the values of sensitive places.
pub(super) fn case(judged: &Judged, transcript: &Transcript, again: String, subject: &Subject) -> Case {
    let exchange =
        transcript.exchange(judged.exchange).expect("a finding is about an exchange of its transcript");
    let schema = subject.schema_of(&exchange.call);
    let finding = &judged.finding;
    let hidden = finding.sensitive || schema.is_some_and(|schema| schema.block.is_sensitive(&finding.path));
    let shown = |value: &Value| match schema {
        _ if hidden => "(sensitive value)".to_owned(),
        Some(schema) => masked(value, schema, &finding.path),
        None => value.to_string(),
    };
    let mut objects = Vec::new();
    let addressed = exchange.call.address().map_or("", |address| address.name);
    exchange.call.fields(&mut |_, field| {
        let Field::Value { name, declared, value } = field else { return };
        // Nobody compares what the configuration says about the provider.
        let schema =
            declared.schema(&subject.schema, addressed).filter(|_| declared != Declared::ProviderMeta);
        if let (Some(schema), Some(value)) = (schema, value.value()) {
            let text = if value.is_null() { "null".to_owned() } else { masked_lines(value, schema) };
            objects.push((spoken(name).to_owned(), text));
        }
    });
    Case {
        scenario: transcript.scenario.clone(),
        step: Some(judged.step),
        exchange: judged.exchange.0 + 1,
        rpc: judged.rpc.to_owned(),
        kind: exchange.call.kind(),
        instance: judged.instance.clone(),
        path: finding.path.to_string(),
        message: finding.message.clone(),
        allowed: finding.allowed.iter().map(|(role, value)| ((*role).to_owned(), shown(value))).collect(),
        actual: finding.actual.as_ref().map(|(role, value)| ((*role).to_owned(), shown(value))),
        objects,
        stderr: stderr_of(exchange),
        again,
    }
}

/// The protocol's name of a field, as a sentence has it.
fn spoken(role: &str) -> &str {
    match role {
        "prior_state" => "prior state",
        "current_state" => "current state",
        "config" => "configuration",
        "proposed_new_state" => "proposed new state",
        "planned_state" => "planned state",
        "new_state" => "new state",
        "upgraded_state" => "upgraded state",
        other => other,
    }
}

fn stderr_of(exchange: &Exchange) -> String {
    match exchange.call.failure() {
        Some(RpcFailure::Crashed(report)) => report.stderr_tail.clone(),
        _ => String::new(),
    }
}

/// On one line, what is sensitive below `at` left out.
fn masked(value: &Value, schema: &Schema, at: &AttributePath) -> String {
    if !schema.block.holds_secret() || value.ty().is_primitive() {
        return value.to_string();
    }
    crate::value::to_hcl_masked(value, &mut |path| schema.block.is_sensitive(&at.join(path)))
}

fn masked_lines(value: &Value, schema: &Schema) -> String {
    crate::value::to_hcl_masked(value, &mut |path| schema.block.is_sensitive(path))
}
