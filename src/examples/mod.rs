//! Examples that a provider's author has written: configurations in its documentation.
//!
//! They are in the layout of the documentation generator: `examples/resources/TYPE/resource.tf`,
//! `examples/data-sources/TYPE/data-source.tf`, and blocks of code in `docs/resources/*.md`. Each resource and
//! data block is an example of its type, together with the blocks that it refers to. What only an engine can
//! evaluate is left out.
//!
//! What stands in the author's acceptance tests shows what works, too; it is no promise to anybody, so nothing is said
//! about it if it is refused. The same holds for what pages and descriptions say of arguments in prose (`page`,
//! `prose`), and for literals near an argument's name in the sources (`go`).
//!
//! Pure: whoever calls this has read the files.

mod arguments;
mod beside;
mod claims;
mod completed;
mod document;
mod expression;
mod fit;
mod functions;
mod go;
mod markdown;
mod page;
mod paths;
mod placed;
mod prose;
mod somebodys;

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::generate::facts::Written;
use crate::generate::supplier::Supplier;
use crate::generate::{MADE_UP, Shown};
use crate::scenario::{self, Block, TemplatePart};
use crate::schema::{Kind, ProviderSchema};
use crate::transcript::ExampleOrigin;
use crate::value::PathStep;

use claims::Claims;
use document::Document;
use fit::Fitting;

pub use beside::with_files;
pub use go::configurations;
pub use markdown::code_blocks;
pub use page::Page;

/// A text in the configuration language, and where it is from.
#[derive(Clone, Debug, PartialEq, Eq)]
pub struct Source {
    /// The file, as messages name it.
    pub file: String,
    /// The line of the file at which the text begins, counted from 1.
    pub line: u32,
    pub text: String,
    /// What the text shares its variables, locals and blocks with: the folder of a file, or the page that it is a part of.
    pub module: String,
}

/// Where the examples of a provider are.
#[derive(Clone, Debug, Default)]
pub struct Sources {
    pub texts: Vec<Source>,
    /// Configurations of acceptance tests.
    pub tests: Vec<Source>,
    /// Pages about types, for their prose.
    pub pages: Vec<Page>,
    /// Other files of the provider's sources; the module is the folder.
    pub go: Vec<Source>,
    /// Files that could not be read, and why.
    pub notes: Vec<String>,
    /// The folder, if the user named one.
    pub asked: Option<String>,
}

/// The examples of a provider, under its schema.
#[derive(Debug, Default)]
pub struct Examples {
    /// By kind and type, in the order of their sources.
    pub by_type: BTreeMap<(Kind, String), Vec<Example>>,
    /// The same of acceptance tests.
    tested: BTreeMap<(Kind, String), Vec<Example>>,
    /// What could not be used, each with file and line.
    pub notes: Vec<String>,
    claims: Claims,
}

/// One example of a type.
#[derive(Clone, Debug)]
pub struct Example {
    pub origin: ExampleOrigin,
    /// The example, and after it the blocks that it refers to.
    pub blocks: Vec<Block>,
}

/// The most examples of one type. The first ones are those of the type's own folder.
const MOST: usize = 8;

/// The most configurations of one block in tests that are played one after the other.
const STEPS: usize = 4;

/// How many notes are shown.
const NAMED: usize = 5;

impl Examples {
    /// The examples of some sources; of those that say the same only the first.
    pub fn of(sources: &Sources, schema: &ProviderSchema) -> Examples {
        let mut notes = sources.notes.clone();
        let mut documents = Vec::new();
        for source in &sources.texts {
            match Document::parse(source) {
                Ok(document) => documents.push(document),
                Err(problem) => notes.push(problem),
            }
        }
        let mut fitting = Fitting::new(&documents, schema);
        let by_type = fitting.examples();
        notes.extend(fitting.into_notes());
        if let Some(folder) = sources.asked.as_ref().filter(|_| by_type.is_empty()) {
            notes.push(format!("{folder}: there is no example of a type of this provider"));
        }
        let tests: Vec<Document> =
            sources.tests.iter().filter_map(|source| Document::parse(source).ok()).collect();
        let tested = Fitting::new(&tests, schema).examples();
        Examples { by_type, tested, notes, claims: Claims::of(sources) }
    }

    /// The notes that are shown: the first ones.
    pub fn shown_notes(&self) -> Vec<String> {
        let mut shown: Vec<String> = self.notes.iter().take(NAMED).cloned().collect();
        let more = self.notes.len().saturating_sub(NAMED);
        shown.extend((more > 0).then(|| format!("and {more} more notes on examples")));
        shown
    }

    /// The examples of a type.
    pub fn get(&self, kind: Kind, type_name: &str) -> &[Example] {
        self.by_type.get(&(kind, type_name.to_owned())).map(Vec::as_slice).unwrap_or_default()
    }

    /// What is written about a type, for its learner to begin with.
    pub fn about(&self, kind: Kind, type_name: &str, schema: &ProviderSchema) -> Arc<Written> {
        let shown = self.get(kind, type_name).iter().filter_map(Example::shown);
        let tested = self.tested(kind, type_name).iter().filter_map(Example::shown);
        let shown = shown.chain(tested.map(without_what_is_made_up)).collect();
        let schema = schema.get(kind, type_name);
        let claims = schema.map(|schema| self.claims.about(kind, type_name, schema));
        Arc::new(Written { shown, claims: claims.unwrap_or_default() })
    }

    /// What of the repository is used, in a sentence without a full stop.
    pub fn note_on_repository(&self) -> Option<String> {
        let counted = |n: usize, one: &str| match n {
            0 => None,
            1 => Some(format!("1 {one}")),
            n => Some(format!("{n} {one}s")),
        };
        let n_tests = self.tested.values().map(Vec::len).sum();
        let found = [
            counted(self.claims.n_pages(), "page"),
            counted(n_tests, "configuration").map(|found| format!("{found} of acceptance tests")),
            counted(self.claims.n_files(), "Go file"),
        ];
        let found: Vec<String> = found.into_iter().flatten().collect();
        let is_repository = self.claims.n_files() > 0 || n_tests > 0;
        is_repository.then(|| {
            format!("the repository was read: {}; what they say of arguments is tried", found.join(", "))
        })
    }

    fn tested(&self, kind: Kind, type_name: &str) -> &[Example] {
        self.tested.get(&(kind, type_name.to_owned())).map(Vec::as_slice).unwrap_or_default()
    }

    /// Configurations that tests give one block of a type, in the order of their files: the steps of updates.
    pub fn steps(&self, type_name: &str) -> Vec<Vec<&Example>> {
        let mut by_block: Vec<(&str, &str, Vec<&Example>)> = Vec::new();
        let is_safe = |example: &&Example| example.origin.problems.is_empty() && !example.is_somebodys();
        for example in self.tested(Kind::Resource, type_name).iter().filter(is_safe) {
            let (file, instance) = (example.origin.file.as_str(), example.origin.instance.as_str());
            let known = by_block
                .iter_mut()
                .find(|(of, name, steps)| (*of, *name) == (file, instance) && steps.len() < STEPS);
            match known {
                Some((.., steps)) => steps.push(example),
                None => by_block.push((file, instance, vec![example])),
            }
        }
        by_block.into_iter().map(|(.., steps)| steps).collect()
    }

    /// The arguments of a type that refer to other types of the provider, by schema path; the documentation comes first.
    pub fn references(&self, kind: Kind, type_name: &str) -> BTreeMap<String, Supplier> {
        let mut found = BTreeMap::new();
        let all = self.get(kind, type_name).iter().chain(self.tested(kind, type_name));
        for reference in
            all.flat_map(|example| &example.blocks[..1]).flat_map(|block| block.arguments.references())
        {
            if let scenario::Source::Attribute { of, path } = &reference.source
                && let ([PathStep::Attribute(attribute)], Kind::Resource) = (path.steps(), of.resource.kind)
            {
                let supplier =
                    Supplier { type_name: of.resource.type_name.clone(), attribute: attribute.clone() };
                found.entry(reference.at.schema_path().to_string()).or_insert(supplier);
            }
        }
        found
    }
}

/// Leaves out what a test makes up when it runs, and what belongs to somebody: addresses of people, keys, numbers of
/// accounts.
fn without_what_is_made_up(mut shown: Shown) -> Shown {
    for texts in shown.texts.values_mut().chain(shown.keys.values_mut()) {
        texts.retain(|text| !text.contains(MADE_UP) && !somebodys::is_somebodys(text));
    }
    shown
}

impl Example {
    fn shown(&self) -> Option<Shown> {
        let place = format!("{}:{}", self.origin.file, self.origin.line);
        let shown = Shown::of(self.blocks.first()?, place);
        let is_whole = !self.origin.is_partial && self.origin.problems.is_empty() && !self.is_somebodys();
        Some(Shown { config: shown.config.filter(|_| is_whole), ..shown })
    }

    /// Whether anything in it may belong to somebody.
    fn is_somebodys(&self) -> bool {
        let mut is_somebodys = false;
        for arguments in self.blocks.iter().map(|block| &block.arguments) {
            arguments.resolved().walk(&mut |_, value| {
                is_somebodys |= value.as_str().is_some_and(somebodys::is_somebodys);
                !is_somebodys
            });
            for reference in arguments.references() {
                let scenario::Source::Template { parts } = &reference.source else { continue };
                is_somebodys |= parts.iter().any(|part| match part {
                    TemplatePart::Literal(text) => somebodys::is_somebodys(text),
                    TemplatePart::Interpolation { .. } => false,
                });
            }
        }
        is_somebodys
    }

    fn says_the_same(&self, other: &Example) -> bool {
        let arguments = |example: &Example| example.blocks.first().map(|block| block.arguments.clone());
        arguments(self) == arguments(other) && self.origin.problems == other.origin.problems
    }
}

/// Every block, as the position of its document and its own; those in a folder or page of their type come first.
fn in_order(documents: &[Document]) -> Vec<(usize, usize)> {
    let of_document =
        |(document, has): (usize, &Document)| (0..has.blocks.len()).map(move |idx| (document, idx));
    let mut all: Vec<(usize, usize)> = documents.iter().enumerate().flat_map(of_document).collect();
    all.sort_by_key(|(document, idx)| !documents[*document].is_about(*idx));
    all
}

#[cfg(test)]
mod tests;
