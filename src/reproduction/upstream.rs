//! What a run knows only once it is applied: the output of a `terraform_data` resource.

use super::lines::Lines;

/// The results that one run of a scenario gets from outside, each an expression.
#[derive(Debug, Default)]
pub(super) struct Upstream {
    results: Vec<String>,
}

impl Upstream {
    /// Adds a result, and returns the expression that stands for it: unknown while planning.
    pub fn result(&mut self, result: String) -> String {
        self.results.push(result);
        format!("terraform_data.upstream.output.v{}", self.results.len())
    }

    /// The resource, if there is any result. It is new in every run, so that its output is unknown again.
    pub fn write(&self, lines: &mut Lines, run: usize) {
        if self.results.is_empty() {
            return;
        }
        lines.blank();
        lines.line("# Its output is known only after apply.");
        lines.open("resource \"terraform_data\" \"upstream\" {");
        lines.line(&format!("triggers_replace = {run}"));
        lines.open("input = {");
        for (idx, result) in self.results.iter().enumerate() {
            lines.line(&format!("v{} = {result}", idx + 1));
        }
        lines.close();
        lines.close();
    }
}
