//! What a suite says about types, held against the schema it is about.

use std::collections::BTreeMap;
use std::path::Path;

use super::text::{SuiteError, nearest};
use super::{Resource, Suite};
use crate::generate::Pins;
use crate::generate::model::SchemaModel;
use crate::schema::ProviderSchema;

impl Suite {
    /// The arguments whose values the suite decided, by type.
    pub fn pins(&self) -> BTreeMap<String, Pins> {
        self.resource.iter().map(|(name, resource)| (name.clone(), pins(resource))).collect()
    }

    /// The first type the suite speaks of that is none of `names`.
    pub fn unknown_type<'n>(
        &self,
        file: &Path,
        names: impl Iterator<Item = &'n str> + Clone,
    ) -> Result<(), SuiteError> {
        let unknown = self.resource.keys().find(|ty| !names.clone().any(|name| name == ty.as_str()));
        match unknown {
            Some(ty) => {
                let problem = format!("the provider has no type `{ty}`{}", nearest(ty, names));
                Err(SuiteError::in_file(file, &["resource", ty], problem))
            }
            None => Ok(()),
        }
    }

    /// Errs where a path leads nowhere or a value does not fit, in one type or in all.
    pub fn check_hints(
        &self,
        file: &Path,
        schema: &ProviderSchema,
        only: Option<&str>,
    ) -> Result<(), SuiteError> {
        if only.is_none() {
            let names = schema.resources.keys().chain(schema.data_sources.keys());
            self.unknown_type(file, names.map(String::as_str))?;
        }
        for (ty, resource) in self.resource.iter().filter(|(ty, _)| only.is_none_or(|only| only == *ty)) {
            let mut pins = pins(resource);
            // What is only volatile must be there, too.
            pins.never =
                resource.attr.keys().filter(|path| !pins.values.contains_key(*path)).cloned().collect();
            let schemas = [schema.resources.get(ty), schema.data_sources.get(ty)];
            // Where a resource type and a data source share a name, either may be meant.
            let problems =
                schemas.into_iter().flatten().map(|schema| pins.problems(&SchemaModel::new(schema)));
            let problem = problems.map(|problems| problems.into_iter().next()).min_by_key(Option::is_some);
            if let Some(problem) = problem.flatten() {
                return Err(SuiteError::in_file(
                    file,
                    &["resource", ty, "attr", problem.path()],
                    problem.to_string(),
                ));
            }
        }
        Ok(())
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
