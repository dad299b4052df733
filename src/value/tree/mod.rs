//! A value as it is shown to people: a tree without anything that must not be shown.
//!
//! Reports and snapshots hold trees and lay them out; a layout is never read back.

mod layout;
mod path;

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::{AttributePath, Data, PathStep, Type, Value};

pub use path::{TreePath, TreeStep};

/// Shown instead of a sensitive or write-only value.
pub const SENSITIVE: &str = "(sensitive value)";

/// How an unknown value begins.
const UNKNOWN: &str = "(known after apply";

/// Collections nested deeper are one leaf, so that a written tree can be read back: JSON parsers
/// limit the depth.
const DEEPEST: usize = 32;

/// The most elements of a collection that are shown; nobody reads more.
const MOST_SHOWN: usize = 1_000;

/// A value as it is shown.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum Tree {
    /// On one line, as it is printed.
    Leaf(String),
    /// A list or a tuple.
    List(Vec<Tree>),
    /// Unordered.
    Set(Vec<Tree>),
    /// By attribute name, in the order of the type.
    Object(Vec<(String, Tree)>),
    /// By key, in quotes.
    Map(Vec<(String, Tree)>),
}

/// Hides the parts of a value that must not be shown.
pub trait Hide {
    /// What is shown instead of a value; `None` if the value may be shown.
    fn in_place_of(&self, value: &Value, at: &AttributePath) -> Option<String>;

    /// A text from a value, without what must not be shown.
    fn text(&self, text: &str) -> String;
}

/// Hides nothing.
#[derive(Clone, Copy, Debug)]
pub struct Nothing;

impl Hide for Nothing {
    fn in_place_of(&self, _: &Value, _: &AttributePath) -> Option<String> {
        None
    }

    fn text(&self, text: &str) -> String {
        text.to_owned()
    }
}

impl Tree {
    /// Whether it is an unknown value, refined or not.
    pub fn is_unknown(&self) -> bool {
        matches!(self, Tree::Leaf(text) if text.starts_with(UNKNOWN))
    }

    pub fn leaf(text: &str) -> Tree {
        Tree::Leaf(text.to_owned())
    }

    /// A whole value.
    pub fn of(value: &Value, hide: &dyn Hide) -> Tree {
        Tree::at(value, &AttributePath::root(), hide)
    }

    /// A value at a place in an object.
    pub fn at(value: &Value, place: &AttributePath, hide: &dyn Hide) -> Tree {
        grow(value, &mut place.clone(), 0, hide)
    }
}

fn grow(value: &Value, path: &mut AttributePath, depth: usize, hide: &dyn Hide) -> Tree {
    if let Some(shown) = hide.in_place_of(value, path) {
        return Tree::Leaf(shown);
    }
    let mut inner = |step: PathStep, value: &Value| {
        path.push(step);
        let tree = grow(value, path, depth + 1, hide);
        path.pop();
        tree
    };
    let tree = match value.data() {
        Data::Null | Data::Bool(_) => Tree::Leaf(value.to_string()),
        Data::Unknown(_) | Data::Number(_) => Tree::Leaf(hide.text(&value.to_string())),
        Data::String(text) => Tree::Leaf(quoted(&hide.text(text))),
        Data::Elements(elements) if matches!(value.ty(), Type::Set(_)) => {
            let shown = elements.iter().take(MOST_SHOWN);
            let shown = shown.map(|element| inner(PathStep::Element(element.clone()), element));
            Tree::Set(shown.chain(rest(elements.len())).collect())
        }
        Data::Elements(elements) => {
            let shown = elements.iter().enumerate().take(MOST_SHOWN);
            let shown = shown.map(|(idx, element)| inner(PathStep::Index(idx as i64), element));
            Tree::List(shown.chain(rest(elements.len())).collect())
        }
        Data::Map(entries) => {
            let entry = |(key, element): (&Arc<str>, &Value)| {
                (quoted(&hide.text(key)), inner(PathStep::Key(key.to_string()), element))
            };
            let rest = rest(entries.len()).map(|rest| ("…".to_owned(), rest));
            Tree::Map(entries.iter().take(MOST_SHOWN).map(entry).chain(rest).collect())
        }
        Data::Object(_) => {
            let member = |(name, element): (&str, &Value)| {
                (name.to_owned(), inner(PathStep::Attribute(name.to_owned()), element))
            };
            Tree::Object(value.attributes().map(member).collect())
        }
    };
    if depth == DEEPEST { Tree::Leaf(tree.to_string()) } else { tree }
}

/// What is shown in place of the elements that are not.
fn rest(n_elements: usize) -> Option<Tree> {
    let n_hidden = n_elements.saturating_sub(MOST_SHOWN);
    (n_hidden > 0).then(|| Tree::Leaf(format!("… and {n_hidden} more")))
}

/// A text in the quotes of the configuration language.
pub(super) fn quoted(text: &str) -> String {
    let mut out = String::with_capacity(text.len() + 2);
    super::hcl::write_string(text, &mut out);
    out
}

#[cfg(test)]
mod tests;
