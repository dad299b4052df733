//! Problems of the schemas a provider declares, found once for all rules about them.

use crate::engine::Engine;
use crate::rule::{Context, Finding, Findings};
use crate::schema::{self, Problem, ProviderSchema, Schema};

/// A problem, and the schema it was found in.
#[derive(Clone, Debug)]
pub struct Declared {
    /// What kind of thing the schema describes.
    pub kind: &'static str,
    pub name: String,
    pub problem: Problem,
}

const INCOMPLETE: &str = "SCHEMA-002";
const NEGATIVE_VERSION: &str = "SCHEMA-003";

/// Every problem of everything declared that `engine` looks at.
///
/// Source: contract section 3.3, introduction and SCHEMA-003.
pub fn problems(provider: &ProviderSchema, engine: Engine) -> Vec<Declared> {
    let mut found = Vec::new();
    let mut add = |kind, name: &str, problems: Vec<Problem>, heeds: &dyn Fn(&str) -> bool| {
        let heeded = problems.into_iter().filter(|problem| heeds(problem.covers));
        found.extend(heeded.map(|problem| Declared { kind, name: name.to_owned(), problem }));
    };
    let all = |schema: &Schema| schema::check(schema, engine);
    let every = |_: &str| true;
    let versionless = |covers: &str| covers != NEGATIVE_VERSION;
    let ephemeral = |covers: &str| engine.checks_ephemeral_versions() || versionless(covers);
    let loaded = |covers: &str| covers == INCOMPLETE || covers == NEGATIVE_VERSION;
    let converted = |covers: &str| covers == INCOMPLETE;

    if let Some(schema) = &provider.provider {
        add("provider configuration", "", all(schema), &loaded);
    }
    if let Some(schema) = &provider.provider_meta {
        add("provider_meta", "", all(schema), &converted);
    }
    for (name, schema) in &provider.resources {
        add("resource type", name, all(schema), &every);
    }
    for (name, schema) in &provider.data_sources {
        add("data source", name, all(schema), &every);
    }
    for (name, schema) in &provider.ephemeral_resources {
        add("ephemeral resource type", name, all(schema), &ephemeral);
    }
    for (name, function) in &provider.functions {
        add("function", name, schema::check_function(name, function, engine), &every);
    }
    for (name, schema) in &provider.identities {
        add("identity of", name, schema::check_identity(schema, engine), &every);
    }
    // OpenTofu and older releases of Terraform do not use the rest, and never check it.
    if engine.knows_list_resources() {
        for (name, schema) in &provider.list_resources {
            add("list resource type", name, all(schema), &versionless);
        }
        for (name, schema) in &provider.actions {
            add("action", name, all(schema), &converted);
        }
        for (name, schema) in &provider.state_stores {
            add("state store", name, all(schema), &converted);
        }
    }
    found
}

impl Declared {
    /// What is declared, for a message.
    pub fn what(&self) -> String {
        format!("{} {}", self.kind, self.name).trim_end().to_owned()
    }

    pub fn finding(&self) -> Finding {
        declared(self.kind, &self.name, &self.problem.message).at_place(self.problem.path.clone())
    }
}

/// A finding about something declared, which does not belong to a particular object.
pub fn declared(kind: &str, name: &str, message: &str) -> Finding {
    let what = format!("{kind} {name}");
    Finding::new(Default::default(), format!("{}: {message}", what.trim_end())).caused_by(what.trim_end())
}

impl Context<'_> {
    /// Reports every problem of the declared schemas that satisfies a predicate.
    pub fn report_declared(
        &self,
        provider: &ProviderSchema,
        findings: &mut Findings,
        holds: impl Fn(&Declared) -> bool,
    ) {
        let problems = self.declared.get_or_init(|| problems(provider, self.engine));
        problems
            .iter()
            .filter(|declared| holds(declared))
            .for_each(|declared| findings.add(declared.finding()));
    }

    /// Reports every problem of one entry of the contract for which the engine refuses the provider.
    pub fn report_refused(&self, provider: &ProviderSchema, findings: &mut Findings, entry: &str) {
        self.report_declared(provider, findings, |declared| {
            declared.problem.refused && declared.problem.covers == entry
        });
    }
}

impl ProviderSchema {
    /// What a user writes blocks of: the provider itself, whose name here is empty, and every
    /// managed, data and ephemeral type, each with its kind and name.
    pub fn configurable(&self) -> Vec<(&'static str, &str, &Schema)> {
        let provider = self.provider.iter().map(|schema| ("provider configuration", "", &**schema));
        let kinds = [
            ("resource type", &self.resources),
            ("data source", &self.data_sources),
            ("ephemeral resource type", &self.ephemeral_resources),
        ];
        let types = kinds.into_iter().flat_map(|(kind, schemas)| {
            schemas.iter().map(move |(name, schema)| (kind, name.as_str(), &**schema))
        });
        provider.chain(types).collect()
    }
}
