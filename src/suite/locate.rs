//! Where a suite's provider is on this machine.

use std::env;
use std::path::{Path, PathBuf};

use super::Provider;

/// What was found of a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Located {
    Program {
        path: PathBuf,
    },
    /// A command line, as the suite has it.
    Command {
        words: Vec<String>,
    },
    Reference,
    /// Not on this machine, with where it was looked for.
    Missing {
        why: String,
    },
}

/// Finds the program of a provider; `base` is where relative paths start.
pub fn locate(provider: &Provider, base: &Path) -> Located {
    if provider.reference {
        return Located::Reference;
    }
    if let Some(words) = &provider.command {
        return Located::Command { words: words.clone() };
    }
    if let Some(path) = &provider.path {
        let path = base.join(path);
        return if path.is_file() {
            Located::Program { path }
        } else {
            Located::Missing { why: format!("{} does not exist", path.display()) }
        };
    }
    let name = provider.name.as_deref().unwrap_or_default();
    let folders = folders(base);
    for folder in &folders {
        if let Some(path) = search(folder, name) {
            return Located::Program { path };
        }
    }
    Located::Missing {
        why: format!("terraform-provider-{name} is in none of the folders of $TFCONFORM_PROVIDERS"),
    }
}

/// `$TFCONFORM_PROVIDERS`, and where the project's own script puts the test providers.
fn folders(base: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        env::var_os("TFCONFORM_PROVIDERS").map(|list| env::split_paths(&list).collect()).unwrap_or_default();
    folders.push(base.join("target/providers"));
    folders
}

/// The first regular file, by name, that is the provider or starts with its name and `_` or `.`, as engines look.
fn search(folder: &Path, name: &str) -> Option<PathBuf> {
    let wanted = format!("terraform-provider-{name}");
    let mut names: Vec<String> = std::fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|file| {
            file.strip_prefix(&wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '.']))
        })
        .collect();
    names.sort();
    names.into_iter().map(|file| folder.join(file)).find(|path| path.is_file())
}
