//! What the documentation page of a type says about its arguments.
//!
//! A page is read line by line: an item of a list or a row of a table that begins with the name of an argument is about
//! it, with what follows in the same item. The heading or the sentence before a list says which block it is about.

use std::sync::LazyLock;

use regex::Regex;

use super::markdown::Fences;
use super::paths::Paths;
use crate::schema::Kind;

/// A page of the documentation.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Page {
    /// The file, as messages name it.
    pub file: String,
    pub text: String,
}

/// What is said about one argument.
#[derive(Debug, PartialEq, Eq)]
pub(super) struct Item {
    pub path: String,
    /// Counted from 1.
    pub line: u32,
    pub text: String,
}

impl Page {
    /// The kind of the types that the page's folder is about, and the page's name, which is that of a type, mostly
    /// without the provider's prefix.
    pub(super) fn subject(&self) -> Option<(Kind, String)> {
        let (folders, file) = self.file.rsplit_once('/')?;
        let folder = folders.rsplit('/').next()?;
        let kind = match folder {
            "resources" | "r" => Kind::Resource,
            "data-sources" | "d" => Kind::DataSource,
            _ => return None,
        };
        Some((kind, file.split('.').next()?.replace('-', "_")))
    }

    /// What is said about arguments that a type has.
    pub(super) fn items(&self, paths: &Paths<'_>) -> Vec<Item> {
        let mut reading = Reading { paths, blocks: Vec::new(), open: Vec::new(), found: Vec::new() };
        let mut fences = Fences::default();
        for (number, line) in (1..).zip(self.text.lines()) {
            if !fences.holds(line) {
                reading.line(number, line);
            }
        }
        reading.found
    }
}

struct Words {
    heading: Regex,
    /// An item of a list: its indent, its name, what follows.
    item: Regex,
    /// A row of a table: the first cell and the others.
    row: Regex,
    /// A name in back-ticks or bold.
    name: Regex,
}

static WORDS: LazyLock<Words> = LazyLock::new(|| {
    let regex = |pattern: &str| Regex::new(pattern).expect("the expressions are tested");
    Words {
        heading: regex(r"^\s*#{1,6}\s+(.*)$"),
        item: regex(r"^(\s*)[-*+]\s+(?:\*\*|__)?\[?`?([a-z][\w.]*)`?(?:\]\([^)]*\))?(?:\*\*|__)?(.*)$"),
        row: regex(r"^\s*\|\s*(?:\*\*)?`?([a-z][\w.]*)`?(?:\*\*)?\s*\|(.*)$"),
        name: regex(r"(?:`|\*\*)([a-z][\w.]*)(?:`|\*\*)"),
    }
});

struct Reading<'p, 's> {
    paths: &'p Paths<'s>,
    /// The blocks that the section is about; none at the top.
    blocks: Vec<String>,
    /// The items that are not at their end, by indent and position; each is inside the one before.
    open: Vec<(usize, Vec<usize>)>,
    found: Vec<Item>,
}

impl Reading<'_, '_> {
    fn line(&mut self, number: u32, line: &str) {
        let indent = line.len() - line.trim_start().len();
        if let Some(heading) = WORDS.heading.captures(line) {
            self.open.clear();
            self.blocks = self.blocks_of(&heading[1], true);
        } else if let Some(item) = WORDS.item.captures(line) {
            self.open.retain(|(outer, _)| *outer < indent);
            self.item(number, indent, &item[2], &item[3], line);
        } else if let Some(row) = WORDS.row.captures(line) {
            self.open.clear();
            self.item(number, indent, &row[1], &row[2], line);
        } else if indent == 0 && line.trim_end().ends_with(':') {
            self.open.clear();
            let blocks = self.blocks_of(line, false);
            if !blocks.is_empty() {
                self.blocks = blocks;
            }
        } else if !line.trim().is_empty() {
            // A list of values may begin at the margin, but a text there is another paragraph.
            let is_list = line.trim_start().starts_with(['*', '-', '+']);
            self.open.retain(|(outer, _)| *outer < indent || is_list);
            self.append(line.trim());
        }
    }

    /// The blocks of the schema that a heading or a sentence names.
    fn blocks_of(&self, text: &str, is_heading: bool) -> Vec<String> {
        let text = text.trim().trim_end_matches(':');
        let named = WORDS.name.captures_iter(text).map(|name| name[1].to_owned());
        let whole =
            text.trim_end_matches(" Block").trim_end_matches(" block").to_lowercase().replace(' ', "_");
        let named: Vec<String> = named.chain(is_heading.then_some(whole)).collect();
        named.into_iter().filter(|name| self.paths.holds_members(name)).collect()
    }

    fn item(&mut self, number: u32, indent: usize, name: &str, rest: &str, line: &str) {
        let outer = self.open.last().map(|(_, idxs)| idxs.clone()).unwrap_or_default();
        let inside: Vec<String> =
            outer.iter().flat_map(|idx| self.paths.find(&[self.found[*idx].path.clone()], name)).collect();
        let mut paths = inside;
        if paths.is_empty() && self.open.is_empty() {
            paths = self.paths.find(&self.blocks, name);
        }
        if paths.is_empty() {
            return self.append(line.trim());
        }
        let first = self.found.len();
        let item = |path| Item { path, line: number, text: rest.to_owned() };
        self.found.extend(paths.into_iter().map(item));
        self.open.push((indent, (first..self.found.len()).collect()));
    }

    fn append(&mut self, line: &str) {
        for idx in self.open.last().map(|(_, idxs)| idxs.clone()).unwrap_or_default() {
            let text = &mut self.found[idx].text;
            text.push('\n');
            text.push_str(line);
        }
    }
}
