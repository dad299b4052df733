//! Text in indented lines.

/// Lines, indented by two blanks for each open brace.
#[derive(Debug, Default)]
pub(super) struct Lines {
    text: String,
    depth: usize,
}

impl Lines {
    pub fn line(&mut self, line: &str) {
        self.text.push_str(&"  ".repeat(self.depth));
        self.text.push_str(line);
        self.text.push('\n');
    }

    pub fn blank(&mut self) {
        self.text.push('\n');
    }

    /// A line that ends in an opening brace.
    pub fn open(&mut self, line: &str) {
        self.line(line);
        self.depth += 1;
    }

    /// The closing brace.
    pub fn close(&mut self) {
        self.depth -= 1;
        self.line("}");
    }

    pub fn into_text(self) -> String {
        self.text
    }
}
