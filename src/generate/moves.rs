//! Types that objects of another type may be moved to, as far as their declarations tell.

use std::cmp::Reverse;
use std::collections::BTreeSet;
use std::sync::Arc;

use crate::schema::{ProviderSchema, Schema};

/// A type that may stand for the same objects as another one.
#[derive(Clone, Debug)]
pub struct Successor {
    pub type_name: String,
    pub schema: Arc<Schema>,
}

/// As many are worth a look: only the provider knows whether it is any of them.
const MOST: usize = 5;

/// The types that have the shape of a managed type or a name like it, the likeliest first; `None` if the provider does
/// not declare that it moves objects to other types.
pub fn successors(provider: &ProviderSchema, type_name: &str) -> Option<Vec<Successor>> {
    if !provider.capabilities.move_resource_state {
        return None;
    }
    let own = provider.resources.get(type_name)?;
    let others = provider.resources.iter().filter(|(name, _)| *name != type_name);
    let mut found: Vec<(bool, bool, Successor)> = others
        .map(|(name, schema)| {
            let is_alike = are_alike(type_name, name);
            let has_shape = own.implied_type() == schema.implied_type();
            (is_alike, has_shape, Successor { type_name: name.clone(), schema: Arc::clone(schema) })
        })
        .filter(|(is_alike, has_shape, _)| *is_alike || *has_shape)
        .collect();
    found.sort_by_key(|(is_alike, has_shape, _)| Reverse((*is_alike, *has_shape)));
    found.truncate(MOST);
    Some(found.into_iter().map(|(.., successor)| successor).collect())
}

/// The words of a name but the first, which all types of a provider share.
fn words(name: &str) -> BTreeSet<&str> {
    name.split('_').skip(1).collect()
}

/// Whether two names have the same words but for one: `acme_bucket_object` and `acme_object`, or
/// `acme_db_proxy_rule` and `acme_db_proxy_entry`.
fn are_alike(a: &str, b: &str) -> bool {
    // A large provider has a million pairs, and for nearly all of them this is enough.
    let n_words = |name: &str| name.bytes().filter(|byte| *byte == b'_').count();
    if n_words(a).abs_diff(n_words(b)) > 1 {
        return false;
    }
    let (a, b) = (words(a), words(b));
    let n_common = a.intersection(&b).count();
    match (a.len() - n_common, b.len() - n_common) {
        (0 | 1, 0) | (0, 1) => n_common >= 1,
        (1, 1) => n_common >= 2,
        _ => false,
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Attribute, Block, ServerCapabilities};
    use crate::value::Type;

    fn provider(types: &[(&str, &[&str])], move_resource_state: bool) -> ProviderSchema {
        let schema = |names: &[&str]| {
            let attributes = names.iter().map(|name| Attribute::typed(name, Type::String).optional());
            Arc::new(Schema { version: 0, block: Block::new(attributes.collect(), vec![]) })
        };
        ProviderSchema {
            resources: types.iter().map(|(name, names)| ((*name).to_owned(), schema(names))).collect(),
            capabilities: ServerCapabilities { move_resource_state, ..ServerCapabilities::default() },
            ..ProviderSchema::default()
        }
    }

    #[test]
    fn what_is_alike_in_name_and_shape_comes_first() {
        let types: [(&str, &[&str]); 5] = [
            ("acme_bucket_object", &["key"]),
            ("acme_object", &["key"]),
            ("acme_bucket", &["name"]),
            ("acme_card", &["key"]),
            ("acme_user", &["name"]),
        ];
        let names = |found: Vec<Successor>| {
            found.into_iter().map(|successor| successor.type_name).collect::<Vec<_>>()
        };
        let found = successors(&provider(&types, true), "acme_bucket_object").map(names);
        assert_eq!(found.unwrap(), ["acme_object", "acme_bucket", "acme_card"]);
        assert!(successors(&provider(&types, false), "acme_bucket_object").is_none());
    }

    #[test]
    fn names_are_alike_that_differ_in_one_word() {
        assert!(are_alike("acme_bucket_object", "acme_object"));
        assert!(are_alike("acme_db_proxy_rule", "acme_db_proxy_entry"));
        assert!(!are_alike("acme_network_rule", "acme_network_port"));
        assert!(!are_alike("acme_a", "acme_b"));
        assert!(!are_alike("acme", "acme_b"));
    }
}
