//! Checks what a suite says about types against the schema.

use std::collections::{BTreeMap, BTreeSet};

use super::text::nearest;
use super::{Known, Resource, Suite};
use crate::generate::Pins;
use crate::generate::model::{Form, SchemaModel};
use crate::schema::{Kind, ProviderSchema};

impl Suite {
    /// The arguments whose values the suite decided, by the name of a type as in an address.
    pub fn pins(&self) -> BTreeMap<String, Pins> {
        self.hints().map(|(kind, name, hints)| (kind.qualified(name), pins(hints))).collect()
    }

    /// Fails at the first type in the suite that is not one of `types`.
    pub fn unknown_type<'n>(
        &self,
        types: impl Iterator<Item = (Kind, &'n str)> + Clone,
    ) -> Result<(), String> {
        for (idx, known) in self.known.iter().enumerate() {
            let glob = known.type_name.as_deref().unwrap_or_default();
            if !types.clone().any(|ty| known.is_about(Some(ty))) && known.type_name.is_some() {
                let addresses: Vec<String> = types.map(|(kind, name)| kind.qualified(name)).collect();
                let hint = nearest(glob, addresses.iter().map(String::as_str));
                let problem = format!("no type of the provider matches `{glob}`{hint}");
                return Err(self.wrong(&["known", &idx.to_string(), "type"], problem));
            }
        }
        let is_there = |kind: Kind, name: &str| types.clone().any(|known| known == (kind, name));
        let unknown = self.hints().find(|(kind, name, _)| !is_there(*kind, name));
        let Some((kind, name, _)) = unknown else { return Ok(()) };
        let other = if kind == Kind::Resource { Kind::DataSource } else { Kind::Resource };
        let of_kind = types.clone().filter(|(known, _)| *known == kind).map(|(_, name)| name);
        let hint = match is_there(other, name) {
            true => format!("; the {other} of this name is `{}.{name}`", key(other)),
            false => nearest(name, of_kind),
        };
        let what = if kind == Kind::Resource { "type" } else { "data source" };
        Err(self.wrong(&[key(kind), name], format!("the provider has no {what} `{name}`{hint}")))
    }

    /// Fails if a path leads nowhere or a value does not fit, in one type or in all.
    pub fn check_hints(&self, schema: &ProviderSchema, only: Option<&str>) -> Result<(), String> {
        if only.is_none() {
            let types = [Kind::Resource, Kind::DataSource]
                .into_iter()
                .flat_map(|kind| schema.names(kind).into_iter().map(move |name| (kind, name)));
            self.unknown_type(types)?;
            self.check_policy(schema)?;
        }
        for (kind, name, hints) in self.hints().filter(|(_, name, _)| only.is_none_or(|only| only == *name)) {
            let Some(schema) = schema.get(kind, name) else { continue };
            let mut pins = pins(hints);
            // An attribute that is only volatile must exist, too.
            pins.never = hints.attr.keys().filter(|path| !pins.values.contains_key(*path)).cloned().collect();
            if let Some(problem) = pins.problems(&SchemaModel::new(schema)).first() {
                let keys = [key(kind), name, "attr", problem.path()];
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
            let mut kinds = Kind::WITH_TYPES.into_iter();
            if only.is_some_and(|only| !kinds.any(|kind| known.is_about(Some((kind, only))))) {
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

/// The key of what is known about types of a kind.
fn key(kind: Kind) -> &'static str {
    if kind == Kind::DataSource { "data" } else { "resource" }
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
        let of_kind = |kind: Kind, name: &str| known.is_about(Some((kind, name)));
        let resources = schema.resources.iter().filter(|(name, _)| of_kind(Kind::Resource, name));
        let data_sources = schema.data_sources.iter().filter(|(name, _)| of_kind(Kind::DataSource, name));
        let blocks = resources.chain(data_sources).map(|(_, schema)| schema);
        let own = [&schema.provider, &schema.provider_meta].into_iter().flatten();
        for schema in blocks.chain(own.filter(|_| known.type_name.is_none())) {
            let model = SchemaModel::new(schema);
            for node in &model.nodes {
                paths.add(&node.path, matches!(node.form, Form::Leaf) && !node.ty.is_primitive());
            }
        }
        for (_, identity) in schema.identities.iter().filter(|(name, _)| of_kind(Kind::Resource, name)) {
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
    let attr = || resource.attr.iter();
    let values = attr().filter(|(_, hints)| !hints.values.is_empty());
    Pins {
        values: values.map(|(path, hints)| (path.clone(), hints.values.clone())).collect(),
        formats: attr().filter_map(|(path, hints)| Some((path.clone(), hints.format?))).collect(),
        never: resource.attr.iter().filter(|(_, hints)| hints.never).map(|(path, _)| path.clone()).collect(),
    }
}
