//! Reads the project's documents: the README and those of `docs/`.
//!
//! A comment before a fenced block says what the block is: `<!-- run: 1 -->` commands that end with this code,
//! `<!-- file: acme.toml -->` a file for the commands of the document, `<!-- from: FILE -->` an excerpt of a file.

use std::fs;

use super::repository;

/// One document.
pub struct Document {
    /// Relative to the repository, such as `docs/ci.md`.
    pub name: String,
    pub text: String,
}

/// Every document, the README first.
pub fn documents() -> Vec<Document> {
    let entries = fs::read_dir(repository().join("docs")).unwrap();
    let names = entries.map(|entry| entry.unwrap().file_name().into_string().unwrap());
    let mut names: Vec<String> =
        names.filter(|name| name.ends_with(".md")).map(|name| format!("docs/{name}")).collect();
    names.sort();
    names.insert(0, "README.md".to_owned());
    names.iter().map(|name| Document::read(name)).collect()
}

/// A fenced block.
pub struct Block {
    /// What follows the fence, such as `sh`; empty if nothing does.
    pub language: String,
    /// Its lines, each with its line feed.
    pub text: String,
    /// The key and the value of the comment before it, such as `run` and `1`.
    pub marker: Option<(String, String)>,
}

impl Document {
    pub fn read(name: &str) -> Document {
        let text = fs::read_to_string(repository().join(name)).unwrap();
        Document { name: name.to_owned(), text }
    }

    pub fn blocks(&self) -> Vec<Block> {
        let mut blocks = Vec::new();
        let mut lines = self.text.lines();
        let mut marker = None;
        while let Some(line) = lines.next() {
            let comment = line.strip_prefix("<!-- ").and_then(|rest| rest.strip_suffix(" -->"));
            if let Some((key, value)) = comment.and_then(|comment| comment.split_once(": ")) {
                marker = Some((key.to_owned(), value.to_owned()));
            }
            let Some(language) = line.strip_prefix("```") else { continue };
            let body = lines.by_ref().take_while(|line| !line.starts_with("```"));
            let text = body.map(|line| format!("{line}\n")).collect();
            blocks.push(Block { language: language.to_owned(), text, marker: marker.take() });
        }
        blocks
    }

    /// What is below a heading, up to the next one. `heading` is the whole line.
    #[track_caller]
    pub fn section(&self, heading: &str) -> &str {
        let (_, section) = self.text.split_once(&format!("{heading}\n")).expect("the heading is there");
        section.split("\n#").next().unwrap_or_default()
    }

    /// The first two cells of the table rows below a heading whose first cell passes `fits`.
    #[track_caller]
    pub fn rows(&self, heading: &str, fits: impl Fn(&str) -> bool) -> Vec<(String, String)> {
        let cells = |line: &str| {
            let mut cells = line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned());
            Some((cells.next()?, cells.next()?))
        };
        let rows = self.section(heading).lines().filter(|line| line.starts_with("| "));
        rows.filter_map(cells).filter(|(first, _)| fits(first)).collect()
    }

    /// What is in backticks outside of fenced blocks.
    pub fn code_spans(&self) -> impl Iterator<Item = &str> {
        self.prose().flat_map(|part| part.split('`').skip(1).step_by(2))
    }

    /// The targets of links outside of fenced blocks.
    pub fn links(&self) -> impl Iterator<Item = &str> {
        self.prose().flat_map(|part| part.split("](").skip(1)).filter_map(|rest| rest.split(')').next())
    }

    /// The anchors of its headings, as the forges make them.
    pub fn anchors(&self) -> Vec<String> {
        let headings = self.prose().flat_map(str::lines).filter_map(|line| line.strip_prefix('#'));
        let is_kept = |letter: &char| letter.is_alphanumeric() || matches!(letter, ' ' | '-' | '_');
        let anchor = |heading: &str| -> String {
            let heading = heading.trim_start_matches('#').trim().to_lowercase();
            heading.chars().filter(is_kept).map(|letter| if letter == ' ' { '-' } else { letter }).collect()
        };
        headings.map(anchor).collect()
    }

    fn prose(&self) -> impl Iterator<Item = &str> {
        self.text.split("```").step_by(2)
    }
}
