//! A parsed text: its resource and data blocks, its variables and its locals.

use hcl::edit::Span as _;
use hcl::edit::expr::Expression;
use hcl::edit::structure::{Block as HclBlock, Body};

use super::Source;
use crate::schema::Kind;
use crate::suite::line_of;

/// A parsed text.
pub(super) struct Document {
    pub source: Source,
    pub blocks: Vec<Written>,
    /// The defaults of variables, by name.
    pub variables: Vec<(String, Expression)>,
    pub locals: Vec<(String, Expression)>,
}

/// A resource or data block as it is written.
pub(super) struct Written {
    pub kind: Kind,
    pub type_name: String,
    pub name: String,
    pub body: Body,
    /// Counted from 1.
    pub line: u32,
}

impl Document {
    /// Fails with the file, the line and what is wrong.
    pub fn parse(source: &Source) -> Result<Document, String> {
        let body: Body = hcl::edit::parser::parse_body(&source.text).map_err(|error| {
            let line = source.line + error.location().line() as u32 - 1;
            format!("{}:{line}: {}", source.file, error.message())
        })?;
        let mut document = Document {
            source: source.clone(),
            blocks: Vec::new(),
            variables: Vec::new(),
            locals: Vec::new(),
        };
        for block in body.blocks() {
            document.add(block);
        }
        Ok(document)
    }

    fn add(&mut self, block: &HclBlock) {
        let labels: Vec<&str> = block.labels.iter().map(|label| label.as_str()).collect();
        let kind = match block.ident.as_str() {
            "resource" => Some(Kind::Resource),
            "data" => Some(Kind::DataSource),
            _ => None,
        };
        match (kind, block.ident.as_str(), &labels[..]) {
            (Some(kind), _, [type_name, name]) => {
                let line = self.line(block.ident.span());
                let (type_name, name) = ((*type_name).to_owned(), (*name).to_owned());
                self.blocks.push(Written { kind, type_name, name, body: block.body.clone(), line });
            }
            (_, "variable", [name]) => {
                let default = block.body.attributes().find(|attribute| attribute.has_key("default"));
                self.variables.extend(default.map(|found| ((*name).to_owned(), found.value.clone())));
            }
            (_, "locals", []) => {
                let all = block.body.attributes();
                self.locals.extend(all.map(|local| (local.key.as_str().to_owned(), local.value.clone())));
            }
            _ => {}
        }
    }

    /// The line of a place in the text, counted from 1 in its file.
    pub fn line(&self, span: Option<std::ops::Range<usize>>) -> u32 {
        let at = span.map_or(0, |span| span.start);
        self.source.line + line_of(&self.source.text, at) as u32 - 1
    }

    /// Where something is, as messages say it.
    pub fn place(&self, span: Option<std::ops::Range<usize>>) -> String {
        format!("{}:{}", self.source.file, self.line(span))
    }

    /// The first line of what is written at a place; `…` stands for others.
    pub fn written(&self, span: Option<std::ops::Range<usize>>) -> String {
        let text = span.and_then(|span| self.source.text.get(span)).unwrap_or_default().trim();
        match text.split_once('\n') {
            Some((first, _)) => format!("{} …", first.trim_end()),
            None => text.to_owned(),
        }
    }

    /// Whether a block is of the type that the file is about, going by its folder or its name.
    pub fn is_about(&self, idx: usize) -> bool {
        let written = &self.blocks[idx];
        let mut parts = self.source.file.rsplit('/');
        let (file, folder) = (parts.next().unwrap_or_default(), parts.next().unwrap_or_default());
        let page = file.split('.').next().unwrap_or_default();
        // Pages are called without the provider's prefix.
        let is_page =
            !page.is_empty() && written.type_name.split_once('_').is_some_and(|(_, rest)| rest == page);
        folder == written.type_name || page == written.type_name || is_page
    }
}
