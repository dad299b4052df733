//! Where in an object something stands.

use std::fmt;

use super::Value;

/// A path from the root of an object, as the protocol's message of that name, and one step more:
/// an element of a set, which the wire cannot express.
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
    /// An element of a set: its own value is its key.
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

    /// This path with an attribute step behind it.
    pub fn attribute(&self, name: &str) -> AttributePath {
        self.with(PathStep::Attribute(name.to_owned()))
    }

    /// This path with an index step behind it.
    pub fn index(&self, idx: usize) -> AttributePath {
        self.with(PathStep::Index(idx as i64))
    }

    /// This path with a map key behind it.
    pub fn key(&self, key: &str) -> AttributePath {
        self.with(PathStep::Key(key.to_owned()))
    }

    /// The path that goes on with another's steps.
    pub fn join(&self, inside: &AttributePath) -> AttributePath {
        AttributePath::new(self.steps().iter().chain(inside.steps()).cloned())
    }

    /// This path with a step behind it.
    pub fn with(&self, step: PathStep) -> AttributePath {
        let mut path = self.clone();
        path.steps.push(step);
        path
    }

    /// The attribute names alone, joined by dots: `network.subnet.cidr`. Empty for the root.
    pub fn schema_path(&self) -> String {
        let names: Vec<&str> = self
            .steps
            .iter()
            .filter_map(|step| match step {
                PathStep::Attribute(name) => Some(name.as_str()),
                PathStep::Key(_) | PathStep::Index(_) | PathStep::Element(_) => None,
            })
            .collect();
        names.join(".")
    }

    /// The path of attribute names alone that a text such as `disk[0].size` or `disk.size` names.
    pub fn named(text: &str) -> AttributePath {
        let names = text.split('.').map(|part| part.split('[').next().unwrap_or_default());
        AttributePath::new(
            names.filter(|name| !name.is_empty()).map(|name| PathStep::Attribute(name.to_owned())),
        )
    }

    /// Whether a text names this place, one around it, or one inside it. The empty text names everything;
    /// indices and keys are not looked at.
    pub fn touches(&self, text: &str) -> bool {
        let names = |path: &AttributePath| -> Vec<String> {
            let path = path.schema_path();
            path.split('.').filter(|name| !name.is_empty()).map(str::to_owned).collect()
        };
        let (own, named) = (names(self), names(&AttributePath::named(text)));
        own.iter().zip(&named).all(|(a, b)| a == b)
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

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_text_touches_what_is_around_it_and_inside() {
        let path = AttributePath::root().attribute("disk").index(0).attribute("size");
        for text in ["disk", "disk[1].size", "disk.size", "disk.size.unit", ""] {
            assert!(path.touches(text), "{text}");
        }
        for text in ["size", "disk.label", "dis"] {
            assert!(!path.touches(text), "{text}");
        }
        assert!(AttributePath::root().touches("disk"));
    }
}
