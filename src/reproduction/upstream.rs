//! What a run knows only once it is applied: the output of a `terraform_data` resource.

use super::lines::Lines;
use crate::scenario::{Block, ResourceAddress};

/// The results that one block of a run gets from outside, each an expression. Each block has a resource of its own, so
/// that the order of one block's changes says nothing about another's.
#[derive(Clone, Debug)]
pub(super) struct Upstream {
    name: String,
    results: Vec<String>,
    /// The block, and the run that got them, counted from 1.
    of: Option<(ResourceAddress, usize)>,
}

impl Upstream {
    /// Of a configuration that is wholly known: it is never written.
    pub fn none() -> Upstream {
        Upstream { name: "upstream".to_owned(), results: Vec::new(), of: None }
    }

    /// Of one block of a run, counted from 1.
    pub fn of(block: &ResourceAddress, run: usize, is_alone: bool) -> Upstream {
        let name = format!("upstream_{}_{}", block.type_name, block.name);
        let upstream = Upstream { of: Some((block.clone(), run)), ..Upstream::none() };
        if is_alone { upstream } else { Upstream { name, ..upstream } }
    }

    /// Whether the next run keeps it: its block is still there, and needs no new results. OpenTofu finds a cycle if it is
    /// removed while its block is replaced.
    pub fn stays(&self, blocks: &[Block], needed: &[Upstream]) -> bool {
        let Some((of, _)) = &self.of else { return false };
        blocks.iter().any(|block| block.address == *of) && needed.iter().all(|other| other.name != self.name)
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
    pub fn write(&self, lines: &mut Lines) {
        let Some((_, run)) = &self.of else { return };
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
