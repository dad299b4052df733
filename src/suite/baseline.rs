//! Findings that a provider had when its baseline was written, which do not fail a run.

use std::fmt::Write as _;
use std::path::Path;

use serde::{Deserialize, Serialize};

use super::{Known, SuiteError};
use crate::files;

/// The findings of a baseline: a TOML file with one of them, at one attribute, in each line.
#[derive(Clone, Debug, Default, PartialEq, Eq, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Baseline {
    #[serde(default)]
    pub known: Vec<Entry>,
}

/// A finding at one attribute.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Entry {
    pub rule: String,
    /// As reports show it, `acme_server` or `data.acme_image`; empty if the finding is about no type.
    #[serde(rename = "type", default)]
    pub type_name: String,
    /// A schema path; empty for the whole object.
    #[serde(default)]
    pub path: String,
    /// What distinguishes the cause, if the place does not.
    #[serde(default)]
    pub cause: String,
}

/// Why findings of a baseline do not fail a run.
pub const IN_THE_BASELINE: &str = "in the baseline";

const HEAD: &str = "# Findings that do not fail a run with `--baseline`. Written by `tfconform check --write-baseline`;\n\
                    # each line is a finding at one attribute. Remove a line to have it fail again.\n";

impl Baseline {
    /// Reads a baseline. Errors name the file and the line.
    pub fn read(file: &Path) -> Result<Baseline, SuiteError> {
        let text = files::read_text(file)
            .map_err(|error| SuiteError::Read { file: file.to_owned(), error: error.to_string() })?;
        toml::from_str(&text).map_err(|error| SuiteError::syntax(file, &text, &error))
    }

    /// The text of the file: sorted, so that two branches merge.
    pub fn text(&self) -> String {
        let mut entries: Vec<&Entry> = self.known.iter().collect();
        entries.sort();
        entries.dedup();
        let mut text = format!("{HEAD}known = [\n");
        for Entry { rule, type_name, path, cause } in entries {
            let keys = [("rule", rule), ("type", type_name), ("path", path), ("cause", cause)];
            let set = keys.into_iter().filter(|(_, value)| !value.is_empty());
            let set: Vec<String> =
                set.map(|(key, value)| format!("{key} = {}", toml::Value::from(value.as_str()))).collect();
            writeln!(text, "  {{ {} }},", set.join(", ")).expect("a string takes all text");
        }
        text + "]\n"
    }

    /// Writes the file, all of it or nothing.
    pub fn write(&self, file: &Path) -> std::io::Result<()> {
        files::replace(file, self.text())
    }
}

impl Entry {
    /// The finding as a known one.
    pub fn as_known(&self) -> Known {
        Known {
            rule: self.rule.clone(),
            type_name: Some(globset::escape(&self.type_name)),
            path: Some(self.path.clone()),
            cause: Some(self.cause.clone()),
            reason: IN_THE_BASELINE.to_owned(),
            until: None,
            owner: None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::Kind;

    fn entry(rule: &str, type_name: &str, path: &str, cause: &str) -> Entry {
        let [rule, type_name, path, cause] = [rule, type_name, path, cause].map(str::to_owned);
        Entry { rule, type_name, path, cause }
    }

    #[test]
    fn a_baseline_is_sorted_and_read_back() {
        let known = vec![
            entry("read/keeps-the-form", "acme_b", "tags", ""),
            entry("plan/stays-null", "acme_a", "", "a \"quoted\" cause"),
            entry("read/keeps-the-form", "acme_b", "tags", ""),
        ];
        let text = Baseline { known: known.clone() }.text();
        assert_eq!(
            text.lines().skip(2).collect::<Vec<_>>(),
            [
                "known = [",
                "  { rule = \"plan/stays-null\", type = \"acme_a\", cause = 'a \"quoted\" cause' },",
                "  { rule = \"read/keeps-the-form\", type = \"acme_b\", path = \"tags\" },",
                "]",
            ]
        );
        let folder = tempfile::tempdir().unwrap();
        let file = folder.path().join("baseline.toml");
        Baseline { known }.write(&file).unwrap();
        let read = Baseline::read(&file).unwrap();
        assert_eq!(read.known.len(), 2);
        assert_eq!(read.text(), text);
        std::fs::write(&file, "known = [\n  { rule = 1 },\n]\n").unwrap();
        let error = Baseline::read(&file).unwrap_err().to_string();
        assert!(error.contains("baseline.toml:2: "), "{error}");
    }

    #[test]
    fn an_entry_excuses_its_finding_and_no_other() {
        let known = entry("plan/stays-null", "acme_a", "tags", "x").as_known();
        let resource = |name| Some((Kind::Resource, name));
        assert!(known.excuses("plan/stays-null", resource("acme_a"), "tags", "x"));
        assert!(!known.excuses("plan/stays-null", Some((Kind::DataSource, "acme_a")), "tags", "x"));
        for (type_name, path, cause) in
            [("acme_ab", "tags", "x"), ("acme_a", "", "x"), ("acme_a", "tags", "")]
        {
            assert!(!known.excuses("plan/stays-null", resource(type_name), path, cause));
        }
        // A crash is known by its cause alone, which an entry always has.
        let crash = entry("rpc/survives", "acme_a", "", "main.boom: index out of range").as_known();
        assert!(crash.excuses("rpc/survives", resource("acme_a"), "", "main.boom: index out of range"));
        assert!(!crash.excuses("rpc/survives", resource("acme_a"), "", "main.bang: index out of range"));
    }
}
