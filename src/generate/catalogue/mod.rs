//! What the words of a provider's errors teach.
//!
//! A catalogue of expressions, in the files of `messages`, says what the messages of the SDKs, of families of
//! providers and of plain prose mean. Errors are brought into an order and a form that do not depend on the request
//! (`complaint`), given to an argument (`attribution`) and matched. Pure: no clock, no disk, no network.

mod absent;
mod attribution;
mod complaint;
mod fault;
mod go_text;
mod key;
mod list;
mod message;
mod places;
mod presence;
mod reading;
mod sent;
mod unwrap;
mod values;

use std::sync::LazyLock;

use regex::Regex;

pub use message::{Message, MessageError, Of, Teaching, Tier, parse};

use self::complaint::{Complaint, complaints};
use self::places::Places;
use self::presence::exactness;
use self::reading::{Body, Hit, Reading};
use self::sent::{ECHO, Sent};
use super::facts::Evidence;
use super::lesson::{Edit, Lesson};
use super::model::SchemaModel;
use crate::calls::Diagnostic;
use crate::value::Value;

/// The files of the catalogue in the order in which their entries are tried.
const FILES: [&str; 8] = [
    include_str!("messages/sdk_schema.toml"),
    include_str!("messages/sdk_validation.toml"),
    include_str!("messages/sdk_v1.toml"),
    include_str!("messages/framework.toml"),
    include_str!("messages/framework_types.toml"),
    include_str!("messages/families.toml"),
    include_str!("messages/formats.toml"),
    include_str!("messages/prose.toml"),
];

static CATALOGUE: LazyLock<Vec<Message>> =
    LazyLock::new(|| parse(&FILES.concat()).expect("the catalogue is tested"));

/// How many letters of a text are kept as evidence.
const SEEN: usize = 300;

/// What the errors of one answer teach, in an order that does not depend on theirs.
///
/// `config` is what was sent, `answer` the number of the answer.
pub fn lessons(
    diagnostics: &[Diagnostic],
    config: &Value,
    model: &SchemaModel<'_>,
    answer: u32,
) -> Vec<Lesson> {
    let places = Places::new(model);
    let sent = Sent::new(config, model);
    let complaints = complaints(diagnostics, &places, &sent);
    let lesson = |complaint| Reading { places: &places, sent: &sent, complaint }.lesson(&CATALOGUE, answer);
    complaints.iter().map(lesson).collect()
}

impl Reading<'_> {
    fn lesson(&self, messages: &[Message], answer: u32) -> Lesson {
        let Complaint { summary, raw, text, unnamed, .. } = self.complaint;
        let fault = fault::fault(summary, text);
        let hits = if fault.is_some() { Vec::new() } else { hits(messages, Body { raw, text, unnamed }) };
        let ids: Vec<&str> = hits.iter().map(|hit| hit.message.id.as_str()).collect();
        let edits = fault.map_or_else(|| self.edits(&hits), |fault| vec![fault]);
        let telling = hits.first().filter(|_| !edits.is_empty()).map(|hit| hit.matched.words());
        let seen = telling.unwrap_or(text).replace(ECHO, "").chars().take(SEEN).collect();
        Lesson {
            path: self.path().map(str::to_owned),
            template: self.complaint.template(),
            evidence: Evidence { via: ids.join(" "), seen, answer },
            names_nothing: absent::names_nothing(text),
            edits,
        }
    }

    fn edits(&self, hits: &[Hit<'_>]) -> Vec<Edit> {
        let mut edits: Vec<Edit> = Vec::new();
        let rules: Vec<_> = hits.iter().map(|hit| (hit, self.presence(hit))).collect();
        let told = rules.iter().filter(|(_, rules)| !rules.is_empty());
        let exactest = told.map(|(hit, _)| exactness(hit)).max();
        for (hit, rules) in rules {
            if Some(exactness(hit)) == exactest {
                let strength = hit.strength();
                edits.extend(rules.into_iter().map(|rule| Edit::Presence { rule, strength }));
            }
            match hit.message.teaches {
                Teaching::SetIfUnset {} => {
                    edits.extend(self.path().map(|path| Edit::SetIfUnset(path.to_owned())));
                }
                Teaching::OneTrue {} => edits.extend(self.one_true(hit)),
                Teaching::Relation {} => edits.extend(self.relation(hit)),
                _ => edits.extend(self.values(hit)),
            }
        }
        let mut known = Vec::new();
        edits.retain(|edit| {
            !known.contains(edit) && {
                known.push(edit.clone());
                true
            }
        });
        edits
    }
}

/// The entries that count: the first of an SDK's words; otherwise those of families and prose, but of formats only
/// the first; otherwise the names of characters.
fn hits<'t>(messages: &'t [Message], body: Body<'t>) -> Vec<Hit<'t>> {
    let matches = |tier: Tier, body: Body<'t>| {
        let of_tier = messages.iter().filter(move |message| message.tier == tier);
        of_tier.filter_map(move |message| {
            let text = if is_format_word(message) { body.unnamed } else { body.text };
            Some(Hit { message, matched: message.matched(text)?, body })
        })
    };
    if let Some(first) = matches(Tier::Sdk, body).next() {
        return vec![first];
    }
    let is_prose = |hit: &Hit<'t>| matches!(hit.message.teaches, Teaching::Prose {});
    let body = matches(Tier::Family, body).find(is_prose).map_or(body, |hit| inside(&hit));
    let mut hits: Vec<Hit<'t>> = matches(Tier::Family, body).chain(matches(Tier::Prose, body)).collect();
    let mut has_format = false;
    hits.retain(|hit| {
        let is_another_format = is_format_word(hit.message) && std::mem::replace(&mut has_format, true);
        !is_prose(hit) && !is_another_format
    });
    if hits.is_empty() { matches(Tier::Characters, body).collect() } else { hits }
}

fn is_format_word(message: &Message) -> bool {
    message.tier != Tier::Sdk && matches!(message.teaches, Teaching::Format { .. } | Teaching::MissingFile {})
}

/// The prose in a message.
fn inside<'t>(hit: &Hit<'t>) -> Body<'t> {
    let text = hit.group("text").unwrap_or(hit.body.text);
    let raw = hit.message.matched(hit.body.raw).and_then(|matched| matched.group("text"));
    Body { raw: raw.unwrap_or(text), text, unnamed: text }
}

/// An expression of ours.
fn compiled(expression: &str) -> Regex {
    Regex::new(expression).expect("it is tested")
}

#[cfg(test)]
mod tests;
