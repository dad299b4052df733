//! Examples under a provider's schema.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::Example;
use super::arguments::{Arguments, Reference};
use super::completed::completed;
use super::document::{Document, Written};
use super::expression::{Part, Scope, Step, Target};
use super::placed;
use crate::generate::legal::why_impossible;
use crate::scenario::{self, Block, ResourceAddress, Source, TemplatePart};
use crate::schema::{AttributeKind, Kind, ProviderSchema, Schema};
use crate::suite::block_value;
use crate::transcript::ExampleOrigin;
use crate::value::{Type, Value};

/// How many parts of one example may not fit before it is given up.
const MISFITS: usize = 20;

/// A block, by its document and its position in it.
type Key = (usize, usize);

pub(super) struct Fitting<'d> {
    documents: &'d [Document],
    schema: &'d ProviderSchema,
    /// By module.
    scopes: BTreeMap<String, Scope>,
    /// What became of each block; `None` while it is being made.
    fitted: BTreeMap<Key, Option<Fitted>>,
    notes: BTreeSet<String>,
}

/// A block under its schema.
#[derive(Clone)]
struct Fitted {
    block: Block,
    /// The blocks that it refers to.
    others: BTreeSet<Key>,
    problems: Vec<String>,
    is_partial: bool,
    /// Whether an engine would play it.
    is_possible: bool,
}

impl<'d> Fitting<'d> {
    pub fn new(documents: &'d [Document], schema: &'d ProviderSchema) -> Fitting<'d> {
        let modules: BTreeSet<&String> = documents.iter().map(|document| &document.source.module).collect();
        let scope = |module: &String| {
            let of_module = documents.iter().filter(|document| document.source.module == *module);
            (module.clone(), Scope::of(of_module))
        };
        let scopes = modules.into_iter().map(scope).collect();
        Fitting { documents, schema, scopes, fitted: BTreeMap::new(), notes: BTreeSet::new() }
    }

    /// What could not be used, each with file and line, in order.
    pub fn into_notes(self) -> Vec<String> {
        self.notes.into_iter().collect()
    }

    /// The examples of every type; of those that say the same only the first.
    pub fn examples(&mut self) -> BTreeMap<(Kind, String), Vec<Example>> {
        let mut by_type: BTreeMap<(Kind, String), Vec<Example>> = BTreeMap::new();
        for (document, idx) in super::in_order(self.documents) {
            let written = &self.documents[document].blocks[idx];
            let Some(example) = self.example(document, idx) else { continue };
            let known = by_type.entry((written.kind, written.type_name.clone())).or_default();
            let is_new = known.iter().all(|other| !other.says_the_same(&example));
            if is_new && known.len() < super::MOST {
                known.push(example);
            }
        }
        by_type
    }

    /// A block as an example of its type; `None` if the provider has no such type, or what could not be
    /// evaluated is required.
    fn example(&mut self, document: usize, idx: usize) -> Option<Example> {
        let fitted = self.fitted((document, idx))?;
        let (document, written) = (&self.documents[document], &self.documents[document].blocks[idx]);
        if !fitted.is_possible && fitted.problems.is_empty() {
            return None;
        }
        let mut blocks = vec![fitted.block.clone()];
        for key in self.all_others(&fitted) {
            blocks.extend(self.fitted(key).map(|other| other.block));
        }
        let origin = ExampleOrigin {
            file: document.source.file.clone(),
            line: written.line,
            instance: fitted.block.address.instance(None).to_string(),
            problems: fitted.problems,
            is_partial: fitted.is_partial,
        };
        Some(Example { origin, blocks })
    }

    /// The blocks that a block refers to, directly or through others.
    fn all_others(&mut self, fitted: &Fitted) -> BTreeSet<Key> {
        let (mut all, mut left) = (BTreeSet::new(), fitted.others.clone());
        while let Some(key) = left.pop_first() {
            if all.insert(key) {
                left.extend(self.fitted(key).map(|other| other.others).unwrap_or_default());
            }
        }
        all
    }

    fn fitted(&mut self, key: Key) -> Option<Fitted> {
        if let Some(known) = self.fitted.get(&key) {
            return known.clone();
        }
        // What refers to itself gets no answer.
        self.fitted.insert(key, None);
        let fitted = self.fit(key);
        self.fitted.insert(key, fitted.clone());
        fitted
    }

    fn fit(&mut self, (document, idx): Key) -> Option<Fitted> {
        let documents = self.documents;
        let (document, at) = (&documents[document], document);
        let written = &document.blocks[idx];
        let schema: &Schema = self.schema.get(written.kind, &written.type_name)?;
        let mut arguments = {
            let scope = &self.scopes[&document.source.module];
            Arguments::of(&written.body, document, scope)
        };
        arguments.json = completed(arguments.json, &schema.block);
        let mut others = BTreeMap::new();
        for reference in arguments.references.clone() {
            match self.parts(at, &reference, &mut others) {
                Some(parts) => arguments.resolve(&reference, parts),
                None => drop_argument(&mut arguments, &reference),
            }
        }
        let mut problems = Vec::new();
        let config = self.config(schema, &mut arguments, &mut problems, document, written)?;
        let made = self.referring(config, schema, &mut arguments, &others)?;
        let targets = arguments.references.iter().flat_map(|reference| reference.referred.targets());
        let others = targets.filter_map(|to| others.get(to));
        let lacks = why_impossible(schema, &made.evaluate(false, None, &|_| None));
        let is_partial = !arguments.dropped.is_empty();
        let is_possible = lacks.is_empty() && problems.is_empty();
        if !is_partial {
            let line = written.line;
            problems.extend(
                lacks
                    .iter()
                    .map(|lack| format!("{}:{line}: `{}`: {}", document.source.file, lack.path, lack.reason)),
            );
        }
        self.note(&arguments.dropped, written, is_partial && !is_possible && problems.is_empty());
        let address = ResourceAddress::new(written.kind, &written.type_name, &written.name);
        Some(Fitted {
            block: Block::new(address, made),
            others: others.copied().collect(),
            problems,
            is_partial,
            is_possible,
        })
    }

    fn note(&mut self, dropped: &[String], written: &Written, is_lost: bool) {
        let what = match is_lost {
            true => format!("the example of {} cannot be played", written.type_name),
            false => "it is left out".to_owned(),
        };
        let why = "only an engine can evaluate this, or it leads to another provider";
        self.notes.extend(dropped.iter().map(|place| format!("{place}: {why}: {what}")));
    }

    /// The parts of a reference, if all that it leads to can be played or made up.
    fn parts(
        &mut self,
        from: usize,
        reference: &Reference,
        others: &mut BTreeMap<Target, Key>,
    ) -> Option<Vec<Part>> {
        let parts = reference.referred.parts.iter().map(|part| match part {
            Part::Literal(_) => Some(part.clone()),
            Part::Interpolation(to) => match self.leads_to(from, to) {
                Some(key) => {
                    others.insert(to.clone(), key);
                    Some(part.clone())
                }
                None => made_up(to).map(|text| Part::Literal(text.to_owned())),
            },
        });
        parts.collect()
    }

    /// The block that a reference leads to, if it is one of this provider that can be played.
    fn leads_to(&mut self, from: usize, to: &Target) -> Option<Key> {
        let documents = self.documents;
        let module = &documents[from].source.module;
        let of_module = |idx: &usize| documents[*idx].source.module == *module;
        // The same file first.
        let all = std::iter::once(from).chain((0..documents.len()).filter(of_module));
        let mut found =
            all.flat_map(|document| (0..documents[document].blocks.len()).map(move |idx| (document, idx)));
        let key = found.find(|(document, idx)| {
            let block = &documents[*document].blocks[*idx];
            block.kind == to.kind && block.type_name == to.type_name && block.name == to.name
        })?;
        self.fitted(key).filter(|other| other.is_possible).map(|_| key)
    }

    /// The configuration; what does not fit becomes a problem and is left out.
    fn config(
        &self,
        schema: &Schema,
        arguments: &mut Arguments,
        problems: &mut Vec<String>,
        document: &Document,
        written: &Written,
    ) -> Option<Value> {
        for _ in 0..MISFITS {
            let misfit = match block_value(&arguments.json, &schema.block, "") {
                Ok(config) => return Some(config),
                Err(misfit) => misfit,
            };
            let at = steps(&arguments.json, misfit.keys());
            let place = format!("{}:{}", document.source.file, line_of_argument(document, written, &at));
            match is_free(schema, &at) {
                true => arguments.dropped.push(format!("{place}: {misfit}")),
                false => problems.push(format!("{place}: {misfit}")),
            }
            if at.is_empty() {
                return None;
            }
            arguments.remove(&at);
        }
        None
    }

    /// The configuration with its references. An argument in which one is impossible is left out.
    fn referring(
        &self,
        mut config: Value,
        schema: &Schema,
        arguments: &mut Arguments,
        others: &BTreeMap<Target, Key>,
    ) -> Option<scenario::Arguments> {
        let attribute = |to: &Target| {
            let (document, idx) = others.get(to)?;
            let other = &self.documents[*document].blocks[*idx];
            let of = self.schema.get(other.kind, &other.type_name)?;
            let (path, found) = placed::path(of.implied_type(), &to.path)?;
            let address = ResourceAddress::new(other.kind, &other.type_name, &other.name);
            Some((address.instance(None), path, found))
        };
        let possible = |json: &Json, reference: &Reference| {
            let (at, ty) = placed::in_configuration(json, &reference.referred.at, schema)?;
            if let [Part::Interpolation(to)] = &reference.referred.parts[..] {
                let (of, path, found) = attribute(to)?;
                return (found == ty).then_some((at, Source::Attribute { of, path }));
            }
            let parts = reference.referred.parts.iter().map(|part| match part {
                Part::Literal(text) => Some(TemplatePart::Literal(text.clone())),
                Part::Interpolation(to) => {
                    let (of, path, found) = attribute(to)?;
                    let is_primitive = matches!(found, Type::String | Type::Number | Type::Bool);
                    is_primitive.then_some(TemplatePart::Interpolation { of, path })
                }
            });
            let parts = parts.collect::<Option<Vec<TemplatePart>>>()?;
            (ty == Type::String).then_some((at, Source::Template { parts }))
        };
        let lost: Vec<Reference> = arguments
            .references
            .iter()
            .filter(|reference| possible(&arguments.json, reference).is_none())
            .cloned()
            .collect();
        if !lost.is_empty() {
            lost.iter().for_each(|reference| drop_argument(arguments, reference));
            config = block_value(&arguments.json, &schema.block, "").ok()?;
        }
        let made = scenario::Arguments::known(config);
        let references =
            arguments.references.iter().filter_map(|reference| possible(&arguments.json, reference));
        Some(references.fold(made, |made, (at, source)| made.refer(at, source)))
    }
}

/// A value for what other providers make up: no other provider is started.
fn made_up(to: &Target) -> Option<&'static str> {
    let [Step::Member(attribute)] = &to.path[..] else { return None };
    Some(match (to.type_name.as_str(), attribute.as_str()) {
        ("random_id", "hex") => "5f3c9a1e",
        ("random_id", "dec") | ("random_integer", "result") => "4711",
        ("random_id" | "random_pet" | "random_string", _) => "tfcmade",
        ("random_password", "result") => "Tfc-made-5f3c9a1e",
        ("random_uuid", "result") => "8a0c5d0e-7c51-4d6c-9a3a-2f4b9c6d1e70",
        ("time_static" | "time_rotating" | "time_offset", "rfc3339" | "id") => "2030-01-01T00:00:00Z",
        _ => return None,
    })
}

/// Whether a place is in an argument whose elements may have any type, which is not decided here.
fn is_free(schema: &Schema, at: &[Step]) -> bool {
    let Some(Step::Member(name)) = at.first() else { return false };
    match schema.block.attribute(name).map(|attribute| &attribute.kind) {
        Some(AttributeKind::Typed(ty)) => ty.has_dynamic(),
        _ => false,
    }
}

fn drop_argument(arguments: &mut Arguments, reference: &Reference) {
    if !arguments.dropped.contains(&reference.written) {
        arguments.dropped.push(reference.written.clone());
    }
    arguments.remove(&reference.argument);
}

/// Keys as steps into a value, as far as they lead.
fn steps(json: &Json, keys: &[String]) -> Vec<Step> {
    let (mut here, mut steps) = (Some(json), Vec::new());
    for key in keys {
        (here, steps) = match here {
            Some(Json::Object(members)) => {
                steps.push(Step::Member(key.clone()));
                (members.get(key), steps)
            }
            Some(Json::Array(items)) => match key.parse::<usize>() {
                Ok(idx) => {
                    steps.push(Step::Element(idx));
                    (items.get(idx), steps)
                }
                Err(_) => {
                    // One block stands for a list of one.
                    steps.push(Step::Element(0));
                    steps.push(Step::Member(key.clone()));
                    (items.first().and_then(|item| item.get(key)), steps)
                }
            },
            _ => break,
        };
    }
    steps
}

/// The line of the outermost argument or block on the way to a place.
fn line_of_argument(document: &Document, written: &Written, at: &[Step]) -> u32 {
    use hcl::edit::Span as _;
    let mut steps = at.iter();
    let (Some(Step::Member(name)), idx) = (steps.next(), steps.next()) else { return written.line };
    if let Some(attribute) = written.body.get_attribute(name) {
        return document.line(attribute.key.span());
    }
    let idx = if let Some(Step::Element(idx)) = idx { *idx } else { 0 };
    let block = written.body.get_blocks(name).nth(idx);
    block.map_or(written.line, |block| document.line(block.ident.span()))
}
