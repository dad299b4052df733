//! What must not be in a snapshot: secrets, and the folder in which the provider ran.

use crate::record::Secrets;
use crate::schema::Block;
use crate::transcript::{Exchange, Subject};
use crate::value::tree::{Hide, SENSITIVE, Tree};
use crate::value::{AttributePath, Value};

/// The placeholder for the scratch folder in texts.
const SCRATCH: &str = "[scratch]";

/// What must not be shown.
#[derive(Clone, Copy)]
pub struct Hidden<'h> {
    pub secrets: &'h Secrets<'h>,
    /// The scratch folder as text; empty if there is none.
    pub scratch: &'h str,
}

/// The same for the objects of one block.
struct OfBlock<'h> {
    hidden: Hidden<'h>,
    block: Option<&'h Block>,
}

impl Hidden<'_> {
    /// A text without secrets and without the scratch folder.
    pub fn text(&self, text: &str) -> String {
        self.without_scratch(self.secrets.shown(text).into_inner())
    }

    /// A text from the answer to a call.
    pub fn said(&self, exchange: &Exchange, subject: &Subject, text: &str) -> String {
        self.without_scratch(self.secrets.said(exchange, subject, text).into_inner())
    }

    fn without_scratch(&self, text: String) -> String {
        if self.scratch.is_empty() { text } else { text.replace(self.scratch, SCRATCH) }
    }

    /// A value; `block` tells what is sensitive in it.
    pub fn value(&self, value: &Value, block: Option<&Block>) -> Tree {
        Tree::of(value, &OfBlock { hidden: *self, block })
    }
}

impl Hide for OfBlock<'_> {
    /// Shows whether a sensitive value is null or unknown: that may change from release to release.
    fn in_place_of(&self, value: &Value, at: &AttributePath) -> Option<String> {
        let is_sensitive = self.block.is_some_and(|block| block.is_sensitive(at));
        let shown = match () {
            () if value.is_null() => return None,
            // A refinement would reveal how the secret begins.
            () if value.is_unknown() => "(known after apply)",
            () => SENSITIVE,
        };
        is_sensitive.then(|| shown.to_owned())
    }

    fn text(&self, text: &str) -> String {
        self.hidden.text(text)
    }
}
