//! Paths to places in an object.

use std::fmt;

use super::Value;

/// A path from the root of an object, like the protocol's message of that name, with one more kind
/// of step: an element of a set, which the wire cannot express.
#[derive(Clone, Debug, Default, PartialEq)]
pub struct AttributePath {
    steps: Vec<PathStep>,
}

#[derive(Clone, Debug, PartialEq)]
pub enum PathStep {
    /// An attribute or nested block type of an object.
    Attribute(String),
    /// A key of a map, or of an object given as an index.
    Key(String),
    /// An index of a list or tuple, counted from 0.
    Index(i64),
    /// An element of a set: its value is its key.
    Element(Value),
}

impl AttributePath {
    /// The whole object.
    pub fn root() -> AttributePath {
        AttributePath::default()
    }

    pub fn new(steps: impl IntoIterator<Item = PathStep>) -> AttributePath {
        AttributePath { steps: steps.into_iter().collect() }
    }

    pub fn steps(&self) -> &[PathStep] {
        &self.steps
    }

    pub fn is_root(&self) -> bool {
        self.steps.is_empty()
    }

    pub fn push(&mut self, step: PathStep) {
        self.steps.push(step);
    }

    pub fn pop(&mut self) -> Option<PathStep> {
        self.steps.pop()
    }

    /// This path with an attribute step appended.
    pub fn attribute(&self, name: &str) -> AttributePath {
        self.with(PathStep::Attribute(name.to_owned()))
    }

    /// This path with an index step appended.
    pub fn index(&self, idx: usize) -> AttributePath {
        self.with(PathStep::Index(idx as i64))
    }

    /// This path with a map key appended.
    pub fn key(&self, key: &str) -> AttributePath {
        self.with(PathStep::Key(key.to_owned()))
    }

    /// This path with another's steps appended.
    pub fn join(&self, inside: &AttributePath) -> AttributePath {
        AttributePath::new(self.steps().iter().chain(inside.steps()).cloned())
    }

    /// This path with a step appended.
    pub fn with(&self, step: PathStep) -> AttributePath {
        let mut path = self.clone();
        path.steps.push(step);
        path
    }

    /// The names of the attributes and nested block types on the way.
    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.steps.iter().filter_map(|step| match step {
            PathStep::Attribute(name) => Some(name.as_str()),
            PathStep::Key(_) | PathStep::Index(_) | PathStep::Element(_) => None,
        })
    }

    /// The path cut before its first set element, where the wire's paths have to end.
    pub fn up_to_set(&self) -> AttributePath {
        let steps = self.steps.iter().take_while(|step| !matches!(step, PathStep::Element(_)));
        AttributePath::new(steps.cloned())
    }
}

/// As a user writes it: `rule[0].ports["http"].number`; the root is `(root)`.
impl fmt::Display for AttributePath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        if self.steps.is_empty() {
            return f.write_str("(root)");
        }
        for (idx, step) in self.steps.iter().enumerate() {
            match step {
                PathStep::Attribute(name) if idx == 0 => f.write_str(name)?,
                PathStep::Attribute(name) => write!(f, ".{name}")?,
                PathStep::Key(key) => write!(f, "[{key:?}]")?,
                PathStep::Index(index) => write!(f, "[{index}]")?,
                PathStep::Element(value) => write!(f, "[{value}]")?,
            }
        }
        Ok(())
    }
}
