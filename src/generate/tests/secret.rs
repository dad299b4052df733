//! What secret places are given.

use std::collections::BTreeSet;

use super::*;

/// A secret that is masked hides no other value, because nothing else has the same text.
#[test]
fn no_other_place_is_given_what_a_secret_one_is() {
    let text = |name: &str| Attribute::typed(name, Type::String).optional();
    let names = ["body", "role_arn", "endpoint_url", "policy", "expires_at", "certificate"];
    let open = || names.map(text).to_vec();
    let secret = || names.map(|name| text(name).sensitive()).to_vec();
    let part = |name: &str, attributes| NestedBlock::new(name, Nesting::List, Block::new(attributes, vec![]));
    let block = Block::new(vec![], vec![part("open", open()), part("secret", secret())]);
    let schema = Schema { version: 0, block };
    let (mut hidden, mut shown) = (BTreeSet::new(), BTreeSet::new());
    for scenario in managed(&schema, &applied(200)) {
        for config in configs(&scenario) {
            config.walk(&mut |path, value| {
                let texts = if schema.block.is_sensitive(path) { &mut hidden } else { &mut shown };
                texts.extend(value.as_str().map(str::to_owned));
                true
            });
        }
    }
    // Nothing is hidden by no text, and of keys there are few.
    let is_telling = |text: &&&String| !text.is_empty() && !text.contains("PRIVATE KEY");
    let both: Vec<&String> = hidden.intersection(&shown).collect();
    assert_eq!(both.iter().filter(is_telling).collect::<Vec<_>>(), Vec::<&&String>::new());
    assert!(hidden.len() > 50 && shown.len() > 50, "{} and {}", hidden.len(), shown.len());
}
