//! Where a suite's provider is on this machine.

use std::env;
use std::fs;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use super::Provider;

/// The result of looking for a provider.
#[derive(Clone, Debug, PartialEq, Eq)]
pub enum Located {
    Program {
        path: PathBuf,
    },
    /// A command line, as the suite has it.
    Command {
        words: Vec<String>,
    },
    /// It is already running: its reattach configuration.
    Running {
        json: String,
    },
    Reference,
    /// Not on this machine, with where it was looked for.
    Missing {
        why: String,
    },
    /// There is something else at that path.
    NoProgram {
        why: String,
    },
}

/// Finds the program of a provider; `base` is where the suite's relative paths start.
pub fn locate(provider: &Provider, base: &Path) -> Located {
    if provider.reference {
        return Located::Reference;
    }
    if let Some(json) = &provider.reattach {
        return Located::Running { json: json.clone() };
    }
    if let Some(words) = &provider.command {
        return Located::Command { words: words.clone() };
    }
    if let Some(path) = &provider.path {
        let path = path.clone();
        return if path.is_dir() {
            Located::NoProgram { why: format!("{} is a folder, not a program", path.display()) }
        } else if path.exists() {
            Located::Program { path }
        } else {
            Located::Missing { why: format!("{} does not exist", path.display()) }
        };
    }
    let name = provider.name.as_deref().unwrap_or_default();
    let folders = folders(base);
    let found = folders.iter().find_map(|folder| search(folder, name));
    found.map_or_else(|| missing(name, &folders), |path| Located::Program { path })
}

/// The variable that names the folders of providers.
const VARIABLE: &str = "TFCONFORM_PROVIDERS";

/// `$TFCONFORM_PROVIDERS`, and where the project's own script puts the test providers.
fn folders(base: &Path) -> Vec<PathBuf> {
    let mut folders: Vec<PathBuf> =
        env::var_os(VARIABLE).map(|list| env::split_paths(&list).collect()).unwrap_or_default();
    folders.retain(|folder| !folder.as_os_str().is_empty());
    folders.push(base.join("target/providers"));
    folders
}

fn missing(name: &str, folders: &[PathBuf]) -> Located {
    let folders: Vec<String> = folders.iter().map(|folder| folder.display().to_string()).collect();
    let hint = match env::var_os(VARIABLE).is_none_or(|list| list.is_empty()) {
        true => format!("; ${VARIABLE} is not set"),
        false => String::new(),
    };
    Located::Missing { why: format!("no terraform-provider-{name} in {}{hint}", folders.join(", ")) }
}

/// Files next to a provider in a release that are not providers.
const NO_PROGRAMS: [&str; 5] = [".zip", ".json", ".sig", "SHA256SUMS", ".txt"];

/// The first program, by name, that is the provider or starts with its name and `_` or `.`, as engines look.
fn search(folder: &Path, name: &str) -> Option<PathBuf> {
    let wanted = format!("terraform-provider-{name}");
    let mut names: Vec<String> = fs::read_dir(folder)
        .ok()?
        .filter_map(|entry| entry.ok()?.file_name().into_string().ok())
        .filter(|file| {
            file.strip_prefix(&wanted).is_some_and(|rest| rest.is_empty() || rest.starts_with(['_', '.']))
        })
        .filter(|file| !NO_PROGRAMS.iter().any(|end| file.ends_with(end)))
        .collect();
    names.sort();
    names.into_iter().map(|file| folder.join(file)).find(|path| is_program(path))
}

fn is_program(path: &Path) -> bool {
    fs::metadata(path).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_lies_next_to_a_provider_is_not_taken_for_it() {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, mode: u32| {
            let path = folder.path().join(format!("terraform-provider-acme{name}"));
            fs::write(&path, "").unwrap();
            fs::set_permissions(&path, fs::Permissions::from_mode(mode)).unwrap();
            path
        };
        for name in ["_1.0_SHA256SUMS", "_1.0_linux.zip", "_1.0_manifest.json", "_1.0_SHA256SUMS.sig"] {
            file(name, 0o755);
        }
        file("_1.0_notes", 0o644);
        assert_eq!(search(folder.path(), "acme"), None);
        let program = file("_v1.0_x5", 0o755);
        assert_eq!(search(folder.path(), "acme"), Some(program));
    }

    #[test]
    fn a_folder_is_no_program() {
        let folder = tempfile::tempdir().unwrap();
        let provider = Provider { path: Some(folder.path().into()), ..Provider::default() };
        let Located::NoProgram { why } = locate(&provider, folder.path()) else { panic!("it is a folder") };
        assert!(why.ends_with("is a folder, not a program"), "{why}");
    }

    #[test]
    fn what_is_missing_names_where_it_was_looked_for() {
        let folders = ["/one".into(), "/two".into()];
        let Located::Missing { why } = missing("acme", &folders) else { panic!("it is missing") };
        assert!(why.starts_with("no terraform-provider-acme in /one, /two"), "{why}");
    }
}
