//! Checks a suite without knowing its provider.

use std::path::Path;

use super::{REFERENCE_PROTOCOL, Selection, Suite, SuiteError, Trials};
use crate::reference::{Armed, Offered};

impl Suite {
    pub(super) fn check(&self, file: &Path, text: &str) -> Result<(), SuiteError> {
        let wrong = |keys: &[&str], problem: String| Err(SuiteError::at(file, text, keys, problem));
        let provider = &self.provider;
        let ways = [
            provider.name.is_some(),
            provider.path.is_some(),
            provider.command.is_some(),
            provider.reference,
            provider.reattach.is_some(),
        ];
        if ways.iter().filter(|way| **way).count() != 1 {
            let problem = "`provider` needs exactly one of name, path, command, reference and reattach";
            return wrong(&["provider"], problem.to_owned());
        }
        if provider.command.as_ref().is_some_and(|words| words.first().is_none_or(String::is_empty)) {
            let problem = "`provider.command` is empty: it is the program and its arguments";
            return wrong(&["provider", "command"], problem.to_owned());
        }
        if provider.folder.is_some() && provider.command.is_none() {
            let problem = "`provider.folder` is for `provider.command`, which is not set";
            return wrong(&["provider", "folder"], problem.to_owned());
        }
        if provider.config.names_a_suite() {
            let problem =
                "`provider.config`: the provider block of a suite is a table, or a file in HCL or JSON";
            return wrong(&["provider", "config"], problem.to_owned());
        }
        if !provider.faults.is_empty() && !provider.reference {
            let problem = "`provider.faults`: only the reference provider has faults";
            return wrong(&["provider", "faults"], problem.to_owned());
        }
        if let Some(protocol) = provider.protocol.filter(|protocol| !matches!(protocol, 5 | 6)) {
            let problem = format!("`provider.protocol`: there is no protocol {protocol}, only 5 and 6");
            return wrong(&["provider", "protocol"], problem);
        }
        for (idx, fault) in provider.faults.iter().enumerate() {
            let protocol = provider.protocol.unwrap_or(REFERENCE_PROTOCOL);
            let armed = Armed::in_protocol(fault, Offered::Features, protocol);
            if let Err(error) = armed {
                let keys = ["provider", "faults", &idx.to_string()];
                return wrong(&keys, format!("`provider.faults`: {error}"));
            }
        }
        for (idx, pattern) in self.run.resources.iter().enumerate() {
            if let Err(problem) = Selection::parse(std::slice::from_ref(pattern)) {
                let keys = ["run", "resources", &idx.to_string()];
                return wrong(&keys, format!("`run.resources`: {problem}"));
            }
        }
        if self.run.trials == Trials::Type && !self.require.is_empty() {
            let problem = "`require` is about the provider as a whole, which `run.trials = \"type\"` never tests; \
                           remove one of the two";
            return wrong(&["require"], problem.to_owned());
        }
        for (idx, known) in self.known.iter().enumerate() {
            if let Err((key, problem)) = known.check() {
                return wrong(&["known", &idx.to_string(), key], problem);
            }
        }
        Ok(())
    }
}
