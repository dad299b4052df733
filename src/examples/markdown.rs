//! Blocks of code in Markdown.

use super::Source;

/// What authors call the configuration language.
const LANGUAGES: [&str; 4] = ["terraform", "hcl", "tf", "opentofu"];

/// The blocks of a page that are in the configuration language. What a generator still has to fill in is left out.
pub fn code_blocks(file: &str, text: &str) -> Vec<Source> {
    let mut found = Vec::new();
    let mut open: Option<(Fence, Source)> = None;
    for (number, line) in (1..).zip(text.lines()) {
        let fence = Fence::of(line);
        match (&mut open, fence) {
            (Some((begin, _)), Some(end)) if end.ends(begin) => {
                let (begin, source) = open.take().expect("one is open");
                found.extend(Some(source).filter(|_| begin.is_config()));
            }
            (Some((_, source)), _) => {
                source.text.push_str(line);
                source.text.push('\n');
            }
            (None, Some(fence)) => {
                let source = Source {
                    file: file.to_owned(),
                    line: number + 1,
                    text: String::new(),
                    module: file.to_owned(),
                };
                open = Some((fence, source));
            }
            (None, None) => {}
        }
    }
    found.retain(|source| !source.text.contains("{{"));
    found
}

/// Tells blocks of code from prose.
#[derive(Default)]
pub(super) struct Fences(Option<Fence>);

impl Fences {
    /// Whether a line, which comes after those that were asked about before, is in a block or at its end.
    pub fn holds(&mut self, line: &str) -> bool {
        match (&self.0, Fence::of(line)) {
            (Some(begin), Some(end)) if end.ends(begin) => {
                self.0 = None;
                true
            }
            (Some(_), _) => true,
            (None, fence) => {
                self.0 = fence;
                self.0.is_some()
            }
        }
    }
}

/// A line that begins or ends a block of code.
struct Fence {
    mark: char,
    length: usize,
    /// What is said about the block.
    info: String,
}

impl Fence {
    fn of(line: &str) -> Option<Fence> {
        let line = line.trim();
        let mark = line.chars().next().filter(|mark| matches!(mark, '`' | '~'))?;
        let length = line.chars().take_while(|c| *c == mark).count();
        let info = line[length..].trim().to_owned();
        (length >= 3 && !info.contains('`')).then_some(Fence { mark, length, info })
    }

    fn ends(&self, begin: &Fence) -> bool {
        self.mark == begin.mark && self.length >= begin.length && self.info.is_empty()
    }

    fn is_config(&self) -> bool {
        let language = self.info.split(|c: char| !c.is_alphanumeric()).find(|word| !word.is_empty());
        language.is_some_and(|language| LANGUAGES.contains(&language.to_lowercase().as_str()))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn blocks_of_the_configuration_language_are_found_with_their_lines() {
        let page = "# Title\n\n```terraform\na = 1\n```\n\n~~~~ hcl title=\"x\"\n~~~\nb = 2\n~~~~\n\n\
                    ```shell\nterraform import\n```\n```hcl\n{{ tffile \"x\" }}\n```\n```hcl\nopen = 1\n";
        let found: Vec<(u32, String)> =
            code_blocks("docs/a.md", page).into_iter().map(|source| (source.line, source.text)).collect();
        assert_eq!(found, [(4, "a = 1\n".to_owned()), (8, "~~~\nb = 2\n".to_owned())]);
    }
}
