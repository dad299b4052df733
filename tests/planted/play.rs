//! One run of a provider that commits a fault, or none.

use std::collections::BTreeSet;
use std::path::{Path, PathBuf};
use std::process::Command;
use std::{env, fs};

use serde_json::Value as Json;
use tempfile::TempDir;

/// A provider with faults.
pub struct Provider {
    name: &'static str,
    program: Option<PathBuf>,
}

impl Provider {
    pub fn find(name: &'static str) -> Provider {
        let named = env::var_os("TFCONFORM_PROVIDERS").unwrap_or_default();
        let mut provider = Provider { name, program: None };
        provider.program = env::split_paths(&named)
            .chain([repository().join("target/providers")])
            .map(|folder| folder.join(provider.file()))
            .find(|file| file.is_file());
        provider
    }

    pub fn name(&self) -> &str {
        self.name
    }

    pub fn file(&self) -> String {
        format!("terraform-provider-{}", self.name)
    }

    pub fn program(&self) -> Option<&Path> {
        self.program.as_deref()
    }

    pub fn is_there(&self) -> bool {
        self.program.is_some()
    }
}

pub fn repository() -> &'static Path {
    Path::new(env!("CARGO_MANIFEST_DIR"))
}

/// What tells one finding from another.
#[derive(Debug, PartialEq, Eq, PartialOrd, Ord)]
pub struct Finding {
    pub rule: String,
    pub level: String,
    path: String,
}

/// The findings of a run at the defaults, by the provider's own suite.
pub fn play(provider: &Provider, resource: &str, fault: Option<&str>) -> Result<BTreeSet<Finding>, String> {
    let program = provider.program.as_ref().ok_or("the provider is not there")?;
    let folder = TempDir::with_prefix("planted-").map_err(|error| error.to_string())?;
    let suite = folder.path().join("suite.toml");
    fs::write(&suite, suite_with(provider, fault)?).map_err(|error| error.to_string())?;
    let ran = Command::new(env!("CARGO_BIN_EXE_tfconform"))
        .args(["check", "--quiet", "--no-cases", "--format", "json", "--cases", "auto", "--suite"])
        .arg(&suite)
        .args(["--resource", &format!("{}_{resource}", provider.name)])
        .arg(program)
        .current_dir(folder.path())
        .env_remove("TFCONFORM_SCRATCH")
        .output()
        .map_err(|error| error.to_string())?;
    // 1 is for findings, whose lines come before the summary.
    let out = String::from_utf8_lossy(&ran.stdout);
    if !matches!(ran.status.code(), Some(0 | 1)) {
        return Err(format!("{}\n{out}{}", ran.status, String::from_utf8_lossy(&ran.stderr)));
    }
    let lines: Vec<Json> = out
        .lines()
        .map(serde_json::from_str)
        .collect::<Result<_, _>>()
        .map_err(|error| format!("{error}\n{out}"))?;
    let text = |line: &Json, key: &str| line[key].as_str().unwrap_or_default().to_owned();
    let findings = lines.iter().filter(|line| line["event"] == "finding");
    Ok(findings
        .map(|line| Finding {
            rule: text(line, "rule"),
            level: text(line, "level"),
            path: text(line, "path"),
        })
        .collect())
}

/// The provider's suite, with the fault in the provider's environment.
pub fn suite_with(provider: &Provider, fault: Option<&str>) -> Result<String, String> {
    let file = repository().join("suites").join(format!("{}.toml", provider.name));
    let text = fs::read_to_string(&file).map_err(|error| format!("{}: {error}", file.display()))?;
    let mut suite: toml::Table = text.parse().map_err(|error| format!("{}: {error}", file.display()))?;
    if let Some(fault) = fault {
        let variables = toml::Table::from_iter([("FAULT".to_owned(), fault.into())]);
        suite["provider"]
            .as_table_mut()
            .ok_or("the suite has no provider")?
            .insert("env".to_owned(), variables.into());
    }
    Ok(suite.to_string())
}
