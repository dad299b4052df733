//! Checks what a suite says about types against the schema.

use std::collections::{BTreeMap, BTreeSet};

use super::text::nearest;
use super::{Known, Resource, Suite};
use crate::generate::Pins;
use crate::generate::model::{Form, SchemaModel};
use crate::schema::ProviderSchema;

impl Suite {
    /// The arguments whose values the suite decided, by type.
    pub fn pins(&self) -> BTreeMap<String, Pins> {
        self.resource.iter().map(|(name, resource)| (name.clone(), pins(resource))).collect()
    }

    /// Fails at the first type in the suite that is not one of `names`.
    pub fn unknown_type<'n>(&self, names: impl Iterator<Item = &'n str> + Clone) -> Result<(), String> {
        for (idx, known) in self.known.iter().enumerate() {
            let glob = known.type_name.as_deref().unwrap_or_default();
            if !names.clone().any(|name| known.is_about(name)) && known.type_name.is_some() {
                let problem = format!("no type of the provider matches `{glob}`{}", nearest(glob, names));
                return Err(self.wrong(&["known", &idx.to_string(), "type"], problem));
            }
        }
        let unknown = self.resource.keys().find(|ty| !names.clone().any(|name| name == ty.as_str()));
        match unknown {
            Some(ty) => {
                let problem = format!("the provider has no type `{ty}`{}", nearest(ty, names));
                Err(self.wrong(&["resource", ty], problem))
            }
            None => Ok(()),
        }
    }

    /// Fails if a path leads nowhere or a value does not fit, in one type or in all.
    pub fn check_hints(&self, schema: &ProviderSchema, only: Option<&str>) -> Result<(), String> {
        if only.is_none() {
            let names = schema.resources.keys().chain(schema.data_sources.keys());
            self.unknown_type(names.map(String::as_str))?;
        }
        for (ty, resource) in self.resource.iter().filter(|(ty, _)| only.is_none_or(|only| only == *ty)) {
            let mut pins = pins(resource);
            // An attribute that is only volatile must exist, too.
            pins.never =
                resource.attr.keys().filter(|path| !pins.values.contains_key(*path)).cloned().collect();
            let schemas = [schema.resources.get(ty), schema.data_sources.get(ty)];
            // If a resource type and a data source share a name, either may be meant.
            let problems =
                schemas.into_iter().flatten().map(|schema| pins.problems(&SchemaModel::new(schema)));
            let problem = problems.map(|problems| problems.into_iter().next()).min_by_key(Option::is_some);
            if let Some(problem) = problem.flatten() {
                let keys = ["resource", ty, "attr", problem.path()];
                return Err(self.wrong(&keys, problem.to_string()));
            }
        }
        self.check_known_paths(schema, only)
    }

    /// Fails if no type that a known finding covers has its path.
    fn check_known_paths(&self, schema: &ProviderSchema, only: Option<&str>) -> Result<(), String> {
        for (idx, known) in self.known.iter().enumerate() {
            // A finding about a declaration may be about a function, too.
            let may_be_anywhere = known.rule.starts_with("schema/");
            let Some(path) = known.path.as_deref().filter(|_| !may_be_anywhere) else { continue };
            if only.is_some_and(|only| !known.is_about(only)) {
                continue;
            }
            let paths = Paths::of(known, schema);
            if !paths.hold(path) {
                let hint = nearest(path, paths.all.iter().map(String::as_str));
                let problem = format!("nothing that this entry covers has `{path}`{hint}");
                return Err(self.wrong(&["known", &idx.to_string(), "path"], problem));
            }
        }
        Ok(())
    }
}

/// The paths at which a known finding can be.
#[derive(Default)]
struct Paths {
    all: BTreeSet<String>,
    /// Those that may have members that the schema does not declare.
    open: Vec<String>,
}

impl Paths {
    fn of(known: &Known, schema: &ProviderSchema) -> Paths {
        let mut paths = Paths::default();
        let types = schema.resources.iter().chain(&schema.data_sources);
        let blocks = types.filter(|(name, _)| known.is_about(name)).map(|(_, schema)| schema);
        let own = [&schema.provider, &schema.provider_meta].into_iter().flatten();
        for schema in blocks.chain(own.filter(|_| known.type_name.is_none())) {
            let model = SchemaModel::new(schema);
            for node in &model.nodes {
                paths.add(&node.path, matches!(node.form, Form::Leaf) && !node.ty.is_primitive());
            }
        }
        for (_, identity) in schema.identities.iter().filter(|(name, _)| known.is_about(name)) {
            identity.attributes.iter().for_each(|attribute| paths.add(&attribute.name, false));
        }
        paths
    }

    fn add(&mut self, path: &str, is_open: bool) {
        if is_open && !path.is_empty() {
            self.open.push(format!("{path}."));
        }
        self.all.insert(path.to_owned());
    }

    fn hold(&self, path: &str) -> bool {
        self.all.contains(path) || self.open.iter().any(|open| path.starts_with(open))
    }
}

fn pins(resource: &Resource) -> Pins {
    let values = resource.attr.iter().filter(|(_, hints)| !hints.values.is_empty());
    Pins {
        values: values
            .map(|(path, hints)| {
                let values = hints.values.iter().filter_map(|value| serde_json::to_value(value).ok());
                (path.clone(), values.collect())
            })
            .collect(),
        never: resource.attr.iter().filter(|(_, hints)| hints.never).map(|(path, _)| path.clone()).collect(),
    }
}
