//! What a user selected, and known findings: a TOML file, usually in `suites/`.
//!
//! One file per provider or purpose. It is parsed once, at the edge; unknown
//! keys are errors with the line and a suggestion. The options of the command line
//! replace keys, so that a run without a file is a run of the default suite. Every
//! default is in that of [`Run`].

mod baseline;
mod block;
mod check;
mod config;
mod hints;
mod keys;
mod known;
mod locate;
mod place;
mod policy;
mod provider_block;
mod reports;
mod require;
mod selection;
mod text;

use std::collections::{BTreeMap, BTreeSet};
use std::path::{Component, Path, PathBuf};

use serde::Deserialize;

use crate::files;
use crate::rule::Volatile;
use crate::schema::Kind;

pub use baseline::{Baseline, Entry, IN_THE_BASELINE};
pub use block::Misfit;
pub(crate) use block::block_value;
pub use config::{Config, config_from_toml};
pub use keys::{
    AttributeHints, MOST, Provider, REFERENCE_PROTOCOL, Ready, Remote, ResetBefore, Resource, Run, Trials,
};
pub use known::Known;
pub use locate::{Located, locate};
pub use place::Where;
pub use policy::{Handling, Policy, Selector, Selectors};
pub use reports::{ReportFile, ReportKind};
pub use require::{Amount, Require};
pub use selection::Selection;
pub use text::SuiteError;
pub(crate) use text::line_of;

/// The name of a folder whose suites are about the folder above it.
const SUITES: &str = "suites";

/// One suite: a file with overridden keys, or, without a file, the overrides alone.
#[derive(Clone, Debug, Default, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Suite {
    /// The file that it was read from.
    #[serde(skip)]
    pub file: Option<PathBuf>,
    pub provider: Provider,
    #[serde(default)]
    pub run: Run,
    #[serde(default)]
    pub require: Require,
    #[serde(default)]
    pub remote: Remote,
    /// By resource type.
    #[serde(default)]
    pub resource: BTreeMap<String, Resource>,
    /// By data source.
    #[serde(default)]
    pub data: BTreeMap<String, Resource>,
    /// Findings that are known, each with its reason.
    #[serde(default)]
    pub known: Vec<Known>,
}

impl Suite {
    /// Reads a suite file.
    pub fn read(file: &Path) -> Result<Suite, SuiteError> {
        let text = files::read_text(file)
            .map_err(|error| SuiteError::Read { file: file.to_owned(), error: error.to_string() })?;
        Suite::parse(file, &text)
    }

    /// As [`Suite::read`], from text; `file` is what errors name, and where relative paths come from.
    pub fn parse(file: &Path, text: &str) -> Result<Suite, SuiteError> {
        let mut suite: Suite =
            toml::from_str(text).map_err(|error| SuiteError::syntax(file, text, &error))?;
        suite.check(file, text)?;
        suite.file = Some(file.to_owned());
        let base = suite.base();
        let Provider { path, folder, config, examples, sources, .. } = &mut suite.provider;
        let Run { transcripts, cases_dir, learned, baseline, reports, .. } = &mut suite.run;
        for path in [path, folder, transcripts, cases_dir, learned, baseline]
            .into_iter()
            .flatten()
            .chain(config.file_mut())
            .chain(examples.folder_mut())
            .chain(sources.folder_mut())
            .chain(reports.iter_mut().map(|report| &mut report.file))
        {
            *path = base.join(&*path);
        }
        Ok(suite)
    }

    /// The folder where a suite's relative paths start: that of its file; if it is called `suites`, the one above
    /// it. Without a file it is the working folder.
    pub fn base(&self) -> PathBuf {
        let Some(file) = &self.file else { return PathBuf::from(".") };
        let folder = file.parent().unwrap_or(Path::new(""));
        let here = Path::new(".");
        match folder.components().next_back() {
            Some(Component::Normal(name)) if name == SUITES => {
                here.join(folder.parent().unwrap_or(Path::new("")))
            }
            Some(Component::Normal(_)) => here.join(folder),
            // Only the file system knows what `.` and `..` are called.
            _ => match here.join(folder).canonicalize() {
                Ok(named) if named.file_name().is_some_and(|name| name == SUITES) => folder.join(".."),
                _ => here.join(folder),
            },
        }
    }

    /// An error about a key, with the place of that key in the file, where there is one.
    pub(crate) fn wrong(&self, keys: &[&str], problem: String) -> String {
        match &self.file {
            Some(file) => SuiteError::in_file(file, keys, problem).to_string(),
            None => problem,
        }
    }

    /// The suite as a trial plays it: one type, or all that it selects.
    ///
    /// `[require]` does not apply to a part.
    #[must_use]
    pub fn trial(&self, ty: Option<(Kind, &str)>) -> Suite {
        let mut suite = self.clone();
        if let Some((kind, name)) = ty {
            suite.run.resources = vec![globset::escape(name)];
            suite.require = Require::default();
            // A trial of one type reports itself as skipped.
            let hints = if kind == Kind::DataSource { &mut suite.data } else { &mut suite.resource };
            if let Some(hints) = hints.get_mut(name) {
                hints.skip = None;
            }
        }
        if let (Some(folder), Some(stem)) = (&mut suite.run.transcripts, self.name()) {
            *folder =
                folder.join(stem).join(ty.map_or("provider".to_owned(), |(kind, name)| kind.qualified(name)));
        }
        suite
    }

    /// The name of its trials: that of its file.
    pub fn name(&self) -> Option<String> {
        Some(self.file.as_ref()?.file_stem()?.to_string_lossy().into_owned())
    }

    /// What is known about types, with the kind and the name of each.
    pub fn hints(&self) -> impl Iterator<Item = (Kind, &String, &Resource)> {
        let resources = self.resource.iter().map(|(name, hints)| (Kind::Resource, name, hints));
        resources.chain(self.data.iter().map(|(name, hints)| (Kind::DataSource, name, hints)))
    }

    /// The types that are left out, whatever is selected, each by its name as in an address.
    pub fn skipped(&self) -> BTreeSet<String> {
        let skipped = self.hints().filter(|(_, _, hints)| hints.skip.is_some());
        skipped.map(|(kind, name, _)| kind.qualified(name)).collect()
    }

    /// The attributes that change on their own.
    pub fn volatile(&self) -> Volatile {
        let volatile = |resource: &Resource| {
            let paths = resource
                .attr
                .iter()
                .filter(|(_, hints)| hints.volatile.is_some())
                // An invalid path is not an argument either, and is reported as such.
                .filter_map(|(path, _)| path.parse().ok());
            paths.collect()
        };
        Volatile(self.hints().map(|(kind, name, hints)| (kind.qualified(name), volatile(hints))).collect())
    }
}

#[cfg(test)]
mod tests;
