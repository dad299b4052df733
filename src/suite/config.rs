//! A provider block as a user writes it.

use std::path::{Path, PathBuf};

use serde::de::Error as _;
use serde::{Deserialize, Deserializer};
use serde_json::Value as Json;

use super::block::{Misfit, block_value};
use super::provider_block::ProviderBlock;
use super::{Suite, SuiteError};
use crate::schema::Block;
use crate::value::Value;

/// A provider block as a user writes it.
#[derive(Clone, Debug)]
pub enum Config {
    /// Its arguments. `{ secret_env = "NAME" }` takes a value from the environment.
    Arguments(toml::Table),
    /// A file: JSON if its name ends in `.json`, a suite that has the block if in `.toml`, HCL otherwise.
    File(PathBuf),
    /// A block in HCL that a run made up. No suite has it.
    MadeUp(String),
}

impl Default for Config {
    fn default() -> Config {
        Config::Arguments(toml::Table::new())
    }
}

impl<'de> Deserialize<'de> for Config {
    fn deserialize<D: Deserializer<'de>>(deserializer: D) -> Result<Config, D::Error> {
        match toml::Value::deserialize(deserializer)? {
            toml::Value::Table(arguments) => Ok(Config::Arguments(arguments)),
            toml::Value::String(file) => Ok(Config::File(file.into())),
            _ => Err(D::Error::custom("this must be a table of arguments, or the name of a file")),
        }
    }
}

impl Config {
    /// Whether nothing is set, so that every argument is null.
    pub fn is_unset(&self) -> bool {
        matches!(self, Config::Arguments(arguments) if arguments.is_empty())
    }

    /// The block under a provider's schema. `suite` is the file that arguments are from; errors name it, or
    /// the file that the block is in.
    pub fn value(&self, suite: Option<&Path>, block: &Block) -> Result<Value, String> {
        match (self, suite) {
            (Config::Arguments(table), Some(file)) => config_from_suite(table, file, block),
            (Config::Arguments(table), None) => {
                config_from_toml(table, block).map_err(|misfit| misfit.problem)
            }
            (Config::File(file), _) if is_suite(file) => {
                let suite = Suite::read(file).map_err(|error| error.to_string())?;
                suite.provider.config.value(Some(file), block)
            }
            (Config::File(file), _) => config_from_file(file, block),
            (Config::MadeUp(text), _) => {
                let read = ProviderBlock::parse(text)?;
                block_value(&read.arguments, block, "").map_err(|misfit| misfit.problem)
            }
        }
    }

    /// The provider that the file's block names; `None` if it names none, or cannot be read.
    pub fn label(&self) -> Option<String> {
        match self {
            Config::File(file) if is_suite(file) => Suite::read(file).ok()?.provider.config.label(),
            Config::File(file) => ProviderBlock::read(file).ok()?.label,
            Config::Arguments(_) | Config::MadeUp(_) => None,
        }
    }

    /// What it takes from the environment by `secret_env`, as far as it is set.
    pub fn secrets(&self) -> Vec<String> {
        match self {
            Config::Arguments(table) => secret_texts(table),
            // A file that cannot be read is reported when its value is needed.
            Config::File(file) if is_suite(file) => {
                Suite::read(file).map_or_else(|_| Vec::new(), |suite| suite.provider.config.secrets())
            }
            Config::File(_) | Config::MadeUp(_) => Vec::new(),
        }
    }

    pub(super) fn names_a_suite(&self) -> bool {
        matches!(self, Config::File(file) if is_suite(file))
    }

    pub(super) fn file_mut(&mut self) -> Option<&mut PathBuf> {
        match self {
            Config::File(file) => Some(file),
            Config::Arguments(_) | Config::MadeUp(_) => None,
        }
    }
}

fn is_suite(file: &Path) -> bool {
    file.extension().is_some_and(|extension| extension == "toml")
}

/// Reads a provider block from a file in JSON or HCL.
fn config_from_file(file: &Path, block: &Block) -> Result<Value, String> {
    let read = ProviderBlock::read(file)?;
    let named = |misfit: Misfit| format!("{}: {}", file.display(), misfit.problem);
    block_value(&read.arguments, block, "").map_err(named)
}

/// Builds a provider block from the table of a suite; errors name the suite's file.
fn config_from_suite(table: &toml::Table, file: &Path, block: &Block) -> Result<Value, String> {
    config_from_toml(table, block).map_err(|misfit| {
        let keys = ["provider", "config"].into_iter().chain(misfit.keys.iter().map(String::as_str));
        SuiteError::in_file(file, &keys.collect::<Vec<_>>(), misfit.problem.clone()).to_string()
    })
}

/// Builds a provider block from a suite's table; `{ secret_env = "NAME" }` is looked up.
pub fn config_from_toml(table: &toml::Table, block: &Block) -> Result<Value, Misfit> {
    let json = serde_json::to_value(table).map_err(|error| Misfit::here(error.to_string()))?;
    block_value(&resolve_secrets(json)?, block, "")
}

/// What the table takes from the environment by `secret_env`, as far as it is set.
fn secret_texts(table: &toml::Table) -> Vec<String> {
    fn collect(value: &toml::Value, texts: &mut Vec<String>) {
        match value {
            toml::Value::Table(members) => match members.get("secret_env").and_then(toml::Value::as_str) {
                Some(name) if members.len() == 1 => texts.extend(std::env::var(name)),
                _ => members.values().for_each(|member| collect(member, texts)),
            },
            toml::Value::Array(items) => items.iter().for_each(|item| collect(item, texts)),
            _ => {}
        }
    }
    let mut texts = Vec::new();
    table.values().for_each(|value| collect(value, &mut texts));
    texts
}

fn resolve_secrets(json: Json) -> Result<Json, Misfit> {
    match json {
        Json::Object(members) => match members.get("secret_env").and_then(Json::as_str) {
            Some(name) if members.len() == 1 => std::env::var(name)
                .map(Json::String)
                .map_err(|_| Misfit::here(format!("the environment variable {name} is not set"))),
            _ => members
                .into_iter()
                .map(|(name, value)| match resolve_secrets(value) {
                    Ok(value) => Ok((name, value)),
                    Err(misfit) => Err(misfit.below(name)),
                })
                .collect::<Result<_, _>>()
                .map(Json::Object),
        },
        Json::Array(items) => {
            let items = items.into_iter().enumerate();
            let items = items.map(|(idx, item)| resolve_secrets(item).map_err(|misfit| misfit.below(idx)));
            items.collect::<Result<_, _>>().map(Json::Array)
        }
        other => Ok(other),
    }
}
