//! What a run knows only once it is applied: the output of a `terraform_data` resource.

use super::lines::Lines;
use crate::scenario::ResourceAddress;

/// The results that one block of a run gets from outside, each an expression. Each block has a resource of its own, so
/// that the order of one block's changes says nothing about another's.
#[derive(Debug)]
pub(super) struct Upstream {
    name: String,
    results: Vec<String>,
}

impl Upstream {
    /// That of the only block.
    pub fn alone() -> Upstream {
        Upstream { name: "upstream".to_owned(), results: Vec::new() }
    }

    /// That of one block of several.
    pub fn of(block: &ResourceAddress) -> Upstream {
        Upstream { name: format!("upstream_{}_{}", block.type_name, block.name), results: Vec::new() }
    }

    pub fn is_used(&self) -> bool {
        !self.results.is_empty()
    }

    /// Adds a result, and returns the expression that stands for it: unknown while planning.
    pub fn result(&mut self, result: String) -> String {
        self.results.push(result);
        format!("terraform_data.{}.output.v{}", self.name, self.results.len())
    }

    /// The resource, if there is any result. It is new in every run, so that its output is unknown again.
    pub fn write(&self, lines: &mut Lines, run: usize) {
        if !self.is_used() {
            return;
        }
        lines.blank();
        lines.line("# Its output is known only after apply.");
        lines.open(&format!("resource \"terraform_data\" \"{}\" {{", self.name));
        lines.line(&format!("triggers_replace = {run}"));
        lines.open("input = {");
        for (idx, result) in self.results.iter().enumerate() {
            lines.line(&format!("v{} = {result}", idx + 1));
        }
        lines.close();
        lines.close();
    }
}
