//! Another resource's attribute as the value of an argument, and what stands for that value in a configuration.

use std::fmt;

use crate::value::Value;

/// An attribute of a resource type whose value an argument of another type can have.
#[derive(Clone, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub struct Supplier {
    pub type_name: String,
    /// A text at the top of the object.
    pub attribute: String,
}

/// Stands in a configuration for the value of an attribute of another resource.
#[derive(Clone, Debug, PartialEq, Eq)]
pub(super) struct Mark {
    pub supplier: Supplier,
    /// Which object of the type, counted from 0.
    pub nth: usize,
}

impl Mark {
    pub fn value(&self) -> Value {
        Value::string(&self.to_string())
    }

    /// Reads what `Display` writes.
    pub fn parse(text: &str) -> Option<Mark> {
        let (named, number) = text.strip_prefix("{")?.strip_suffix('}')?.split_once(" #")?;
        let (type_name, attribute) = named.split_once('.')?;
        let supplier = Supplier { type_name: type_name.to_owned(), attribute: attribute.to_owned() };
        Some(Mark { supplier, nth: number.parse::<usize>().ok()?.checked_sub(1)? })
    }
}

impl fmt::Display for Mark {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{{{} #{}}}", self.supplier, self.nth + 1)
    }
}

impl fmt::Display for Supplier {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        write!(f, "{}.{}", self.type_name, self.attribute)
    }
}

/// The marks in a value.
pub(super) fn marks(value: &Value) -> Vec<Mark> {
    let mut marks = Vec::new();
    value.walk(&mut |_, value| {
        marks.extend(value.as_str().and_then(Mark::parse));
        true
    });
    marks
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_mark_reads_back_as_it_was_written_and_nothing_else_is_one() {
        let supplier = Supplier { type_name: "acme_network".to_owned(), attribute: "id".to_owned() };
        let mark = Mark { supplier, nth: 1 };
        assert_eq!(Mark::parse(&mark.to_string()), Some(mark));
        for text in ["", "{}", "{word}", "{\"a\": 1}", "{acme_network.id}", "{acme_network #1}", "{a.b #0}"] {
            assert_eq!(Mark::parse(text), None, "{text}");
        }
    }
}
