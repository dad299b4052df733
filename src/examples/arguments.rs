//! The arguments of a block as they are written, before a schema gives them types.

use hcl::edit::Span as _;
use hcl::edit::expr::Expression;
use hcl::edit::structure::Body;
use serde_json::{Map, Value as Json};

use super::document::Document;
use super::expression::{Part, Referred, Scope, Step};

/// Arguments and blocks that are for engines, not for the provider.
const FOR_ENGINES: [&str; 8] =
    ["count", "for_each", "depends_on", "provider", "providers", "lifecycle", "connection", "provisioner"];

/// The arguments of a block; nested blocks are arrays.
#[derive(Debug)]
pub(super) struct Arguments {
    pub json: Json,
    pub references: Vec<Reference>,
    /// What was left out because only an engine can evaluate it, each with file and line.
    pub dropped: Vec<String>,
}

/// A place that is set from another block.
#[derive(Clone, Debug)]
pub(super) struct Reference {
    pub referred: Referred,
    /// The argument that the place is in: it is left out as a whole.
    pub argument: Vec<Step>,
    /// The file, the line and the expression.
    pub written: String,
}

impl Arguments {
    pub fn of(body: &Body, document: &Document, scope: &Scope) -> Arguments {
        let mut arguments = Arguments { json: Json::Null, references: Vec::new(), dropped: Vec::new() };
        let repeated = body.get_attribute("for_each").map(|found| scope.repeated(&found.value));
        let scope = repeated.as_ref().unwrap_or(scope);
        arguments.json = arguments.body(body, document, scope, &mut Vec::new(), true);
        arguments
    }

    /// The members of a body; `at` is where it is.
    fn body(
        &mut self,
        body: &Body,
        document: &Document,
        scope: &Scope,
        at: &mut Vec<Step>,
        is_outermost: bool,
    ) -> Json {
        let mut members = Map::new();
        let is_ours = |name: &str| !is_outermost || !FOR_ENGINES.contains(&name);
        for attribute in body.attributes().filter(|attribute| is_ours(attribute.key.as_str())) {
            let name = attribute.key.as_str();
            at.push(Step::Member(name.to_owned()));
            if let Some(value) = self.attribute(&attribute.value, document, scope, at) {
                members.insert(name.to_owned(), value);
            }
            at.pop();
        }
        for block in body.blocks().filter(|block| is_ours(block.ident.as_str())) {
            let name = block.ident.as_str();
            if name == "dynamic" {
                self.dropped.push(format!("{}: a dynamic block", document.place(block.ident.span())));
                continue;
            }
            let idx = members.get(name).and_then(Json::as_array).map_or(0, Vec::len);
            at.extend([Step::Member(name.to_owned()), Step::Element(idx)]);
            let value = self.body(&block.body, document, scope, at, false);
            at.truncate(at.len() - 2);
            match members.entry(name).or_insert_with(|| Json::Array(Vec::new())) {
                Json::Array(blocks) => blocks.push(value),
                // An attribute of that name is there too, which no schema allows.
                other => *other = value,
            }
        }
        Json::Object(members)
    }

    fn attribute(
        &mut self,
        expression: &Expression,
        document: &Document,
        scope: &Scope,
        at: &[Step],
    ) -> Option<Json> {
        match scope.evaluate(expression) {
            Ok((value, references)) => {
                let span = expression.span();
                let written = format!("{}: {}", document.place(span.clone()), document.written(span));
                self.references.extend(references.into_iter().map(|mut referred| {
                    referred.at.splice(0..0, at.iter().cloned());
                    Reference { referred, argument: at.to_vec(), written: written.clone() }
                }));
                Some(value)
            }
            Err(span) => {
                let span = span.or_else(|| expression.span());
                self.dropped.push(format!("{}: {}", document.place(span.clone()), document.written(span)));
                None
            }
        }
    }

    /// What a reference is found to be: of parts that are all known the text is the value.
    pub fn resolve(&mut self, reference: &Reference, parts: Vec<Part>) {
        let texts: Option<Vec<&str>> = parts
            .iter()
            .map(|part| match part {
                Part::Literal(text) => Some(text.as_str()),
                Part::Interpolation(_) => None,
            })
            .collect();
        let at = &reference.referred.at;
        if let Some(texts) = texts {
            if let Some(place) = step_into(&mut self.json, at) {
                *place = Json::from(texts.concat());
            }
            self.references.retain(|known| known.referred.at != *at);
        } else if let Some(known) = self.references.iter_mut().find(|known| known.referred.at == *at) {
            known.referred.parts = parts;
        }
    }

    /// Leaves out what is at a place, and the references in it.
    pub fn remove(&mut self, at: &[Step]) {
        remove(&mut self.json, at);
        self.references.retain(|reference| !reference.referred.at.starts_with(at));
    }
}

/// What is at a place.
pub(super) fn step_into<'j>(json: &'j mut Json, at: &[Step]) -> Option<&'j mut Json> {
    at.iter().try_fold(json, |json, step| match step {
        Step::Member(name) => json.get_mut(name),
        Step::Element(idx) => json.get_mut(idx),
    })
}

fn remove(json: &mut Json, at: &[Step]) {
    match (at, json) {
        ([Step::Member(name)], Json::Object(members)) => {
            members.shift_remove(name);
        }
        ([Step::Member(name), rest @ ..], Json::Object(members)) => {
            if let Some(inside) = members.get_mut(name) {
                remove(inside, rest);
            }
        }
        // The elements after it keep their places.
        ([Step::Element(idx)], Json::Array(items)) => {
            if let Some(item) = items.get_mut(*idx) {
                *item = Json::Null;
            }
        }
        ([Step::Element(idx), rest @ ..], Json::Array(items)) => {
            if let Some(item) = items.get_mut(*idx) {
                remove(item, rest);
            }
        }
        _ => {}
    }
}
