//! The place of a value, as people are shown it.

use std::fmt;

use serde::{Deserialize, Serialize};

use super::{Hide, Tree, quoted};
use crate::value::{AttributePath, PathStep};

/// An [`AttributePath`] in which nothing is left that must not be shown.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(transparent)]
pub struct TreePath {
    steps: Vec<TreeStep>,
}

#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
#[serde(rename_all = "lowercase")]
pub enum TreeStep {
    Attribute(String),
    /// Without quotes.
    Key(String),
    /// Counted from 0.
    Index(i64),
    /// An element of a set, on one line.
    Element(String),
}

impl TreePath {
    pub fn of(path: &AttributePath, hide: &dyn Hide) -> TreePath {
        let mut place = AttributePath::root();
        let steps = path.steps().iter().map(|step| {
            place.push(step.clone());
            match step {
                PathStep::Attribute(name) => TreeStep::Attribute(name.clone()),
                PathStep::Key(key) => TreeStep::Key(hide.text(key)),
                PathStep::Index(index) => TreeStep::Index(*index),
                PathStep::Element(value) => TreeStep::Element(Tree::at(value, &place, hide).to_string()),
            }
        });
        TreePath { steps: steps.collect() }
    }

    pub fn steps(&self) -> &[TreeStep] {
        &self.steps
    }

    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }
}

impl TreeStep {
    /// Whether it leads to a member of this label in a [`Tree::Object`] or a [`Tree::Map`].
    pub fn names(&self, label: &str) -> bool {
        match self {
            TreeStep::Attribute(name) => label == name,
            // Attributes of objects may be given as keys too.
            TreeStep::Key(key) => label == key || label == quoted(key),
            TreeStep::Index(_) | TreeStep::Element(_) => false,
        }
    }
}

/// As [`AttributePath`] is displayed.
impl fmt::Display for TreePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.is_root() {
            return f.write_str("(root)");
        }
        for (idx, step) in self.steps.iter().enumerate() {
            match step {
                TreeStep::Attribute(name) if idx == 0 => f.write_str(name)?,
                TreeStep::Attribute(name) => write!(f, ".{name}")?,
                TreeStep::Key(key) => write!(f, "[{key:?}]")?,
                TreeStep::Index(index) => write!(f, "[{index}]")?,
                TreeStep::Element(text) => write!(f, "[{text}]")?,
            }
        }
        Ok(())
    }
}
