//! Paths to places in a schema.

use std::fmt;
use std::sync::Arc;

use super::{AttributePath, PathStep};

/// A path from the root block of a schema: names of attributes and nested block types, without the
/// keys and indices of a path into a value.
///
/// As text the names are joined by dots, `network.subnet.cidr`; the root is the empty text.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Hash)]
pub struct SchemaPath {
    names: Vec<Arc<str>>,
}

impl SchemaPath {
    /// The root block.
    pub fn root() -> SchemaPath {
        SchemaPath::default()
    }

    pub fn new<N: Into<Arc<str>>>(names: impl IntoIterator<Item = N>) -> SchemaPath {
        SchemaPath { names: names.into_iter().map(Into::into).collect() }
    }

    /// The place named by a text that is a path into a value, such as `disk[0].size`; the root if
    /// it is not a path.
    pub fn named_by(text: &str) -> SchemaPath {
        text.parse::<AttributePath>().map(|path| path.schema_path()).unwrap_or_default()
    }

    pub fn names(&self) -> impl Iterator<Item = &str> {
        self.names.iter().map(|name| &**name)
    }

    pub fn is_root(&self) -> bool {
        self.names.is_empty()
    }

    /// This path with a name appended.
    pub fn child(&self, name: &str) -> SchemaPath {
        let mut names = Vec::with_capacity(self.names.len() + 1);
        names.extend(self.names.iter().cloned());
        names.push(name.into());
        SchemaPath { names }
    }

    /// Whether a place is this one, or inside it.
    pub fn holds(&self, place: &SchemaPath) -> bool {
        place.names.starts_with(&self.names)
    }

    /// Whether a place is this one, contains it, or is inside it.
    pub fn touches(&self, place: &SchemaPath) -> bool {
        self.holds(place) || place.holds(self)
    }
}

impl fmt::Display for SchemaPath {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        for (idx, name) in self.names.iter().enumerate() {
            if idx > 0 {
                f.write_str(".")?;
            }
            f.write_str(name)?;
        }
        Ok(())
    }
}

impl AttributePath {
    /// The names alone: the place in the schema.
    pub fn schema_path(&self) -> SchemaPath {
        SchemaPath::new(self.names())
    }
}

/// The same names as a path into a value, meaning all values at the place.
impl From<SchemaPath> for AttributePath {
    fn from(path: SchemaPath) -> AttributePath {
        AttributePath::new(path.names().map(|name| PathStep::Attribute(name.to_owned())))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_place_touches_what_is_around_it_and_inside() {
        let path = AttributePath::root().attribute("disk").index(0).attribute("size").schema_path();
        assert_eq!(path.to_string(), "disk.size");
        for text in ["disk", "disk[1].size", "disk.size", "disk.size.unit", ""] {
            assert!(path.touches(&SchemaPath::named_by(text)), "{text}");
        }
        for text in ["size", "disk.label", "dis"] {
            assert!(!path.touches(&SchemaPath::named_by(text)), "{text}");
        }
        assert!(SchemaPath::root().touches(&path));
    }

    #[test]
    fn a_place_holds_itself_and_what_is_inside() {
        let disk = SchemaPath::new(["disk"]);
        assert!(disk.holds(&disk) && disk.holds(&disk.child("size")));
        assert!(!disk.child("size").holds(&disk) && !disk.holds(&SchemaPath::new(["disks"])));
    }
}
