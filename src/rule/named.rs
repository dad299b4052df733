//! Which arguments a provider's words are about.

use std::collections::BTreeSet;

use crate::schema::{Attribute, Block, Schema};
use crate::transcript::Diagnostic;

/// The names of arguments and blocks that a diagnostic leads to or has in its words, wherever they are in the schema.
///
/// Arguments are often called `name` or `value`: in a sentence only what is quoted or has an underscore is a name.
pub fn arguments<'s>(said: &Diagnostic, schema: &'s Schema) -> BTreeSet<&'s str> {
    let text = format!("{} {}", said.summary, said.detail);
    let path = said.attribute.as_ref().map(|path| path.to_path());
    let last = path.as_ref().and_then(|path| path.names().last().map(ToString::to_string));
    let mut all = Vec::new();
    names(&schema.block, &mut all);
    all.into_iter().filter(|name| last.as_deref() == Some(*name) || is_named(&text, name)).collect()
}

/// Every name in a block.
fn names<'s>(block: &'s Block, all: &mut Vec<&'s str>) {
    of_attributes(&block.attributes, all);
    for nested in &block.block_types {
        all.push(&nested.name);
        names(&nested.block, all);
    }
}

fn of_attributes<'s>(attributes: &'s [Attribute], all: &mut Vec<&'s str>) {
    for attribute in attributes {
        all.push(&attribute.name);
        if let Some(nested) = attribute.nested_attributes() {
            of_attributes(&nested.attributes, all);
        }
    }
}

/// Whether a text has a name as a name, and not as a word of a sentence.
fn is_named(text: &str, name: &str) -> bool {
    text.match_indices(name).any(|(start, _)| {
        let before = text[..start].chars().next_back();
        let after = text[start + name.len()..].chars().next();
        let is_letter = |other: char| other.is_alphanumeric() || other == '_' || other == '-';
        let is_whole = !before.is_some_and(is_letter) && !after.is_some_and(is_letter);
        let is_quoted = before.is_some_and(|quote| "\"'`[,.".contains(quote))
            || after.is_some_and(|quote| "\"'`],:[".contains(quote));
        is_whole && (is_quoted || name.contains('_'))
    })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Type;

    #[test]
    fn an_argument_is_named_by_its_path_its_quotes_or_its_underscore() {
        let text = |name: &str| Attribute::typed(name, Type::String).optional();
        let attributes = vec![text("note"), text("value"), text("kms_key")];
        let schema = Schema { version: 0, block: Block::new(attributes, vec![]) };
        let named = |detail: &str| {
            Vec::from_iter(arguments(&Diagnostic::error("Invalid value", detail), &schema)).join(" ")
        };
        assert_eq!(named("Can't configure a value for \"note\"."), "note");
        assert_eq!(named("note: conflicts with kms_key"), "kms_key note");
        assert_eq!(named("one of `note,value` must be specified"), "note value");
        assert_eq!(named("take note of the value"), "");
        assert_eq!(named("\"notes\" or \"foot-note\""), "");
    }
}
