//! What a configuration has from another object.

use std::collections::BTreeMap;

use crate::transcript::{AnyCall, Exchange, Transcript};
use crate::value::Value;

/// A shorter text, such as a size, may be the same by chance.
const TELLING: usize = 4;

/// Texts that a provider made for other objects, with the references that a user would have written for them.
#[derive(Default)]
pub(super) struct Referred(BTreeMap<String, String>);

impl Referred {
    /// Those that were made before an exchange, for instances other than its own.
    pub fn of(exchange: &Exchange, transcript: &Transcript) -> Referred {
        let mut references = BTreeMap::new();
        let earlier = transcript.exchanges.iter().take_while(|other| other.id < exchange.id);
        for other in earlier.filter(|other| other.instance != exchange.instance) {
            let AnyCall::ApplyResourceChange(call) = &other.call else { continue };
            let Some(schema) = transcript.subject.schema_of(&other.call) else { continue };
            let response = call.outcome.as_ref().ok();
            let object = response.and_then(|response| response.new_state.value());
            let (Some(object), Some(config)) =
                (object.filter(|object| object.is_set()), call.request.config.value())
            else {
                continue;
            };
            for attribute in schema.block.attributes.iter().filter(|attribute| !attribute.sensitive) {
                let is_configured = config.is_set() && config.member(&attribute.name).is_set();
                let made =
                    object.attribute(&attribute.name).filter(|_| !is_configured).and_then(Value::as_str);
                if let Some(made) = made.filter(|made| is_unlikely_elsewhere(made)) {
                    let reference = format!("{}.{}", other.instance, attribute.name);
                    references.entry(made.to_owned()).or_insert(reference);
                }
            }
        }
        Referred(references)
    }

    /// The reference for a value, such as `acme_network.b.id`.
    pub fn reference(&self, value: &Value) -> Option<String> {
        self.0.get(value.as_str()?).cloned()
    }
}

fn is_unlikely_elsewhere(text: &str) -> bool {
    text.len() >= TELLING && text.contains(|c: char| c.is_ascii_digit())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::rule::example;

    #[test]
    fn what_another_object_was_given_is_a_reference_to_it() {
        let mut transcript = example::lifecycle();
        let is_apply = |exchange: &&mut Exchange| exchange.call.rpc_name() == "ApplyResourceChange";
        let own = transcript.exchanges.last().expect("it has calls").clone();
        let value = Value::string("thing-1");
        assert_eq!(Referred::of(&own, &transcript).reference(&value), None, "it is its own");
        transcript.exchanges.iter_mut().find(is_apply).expect("it applies").instance =
            "acme_thing.b".to_owned();
        let referred = Referred::of(&own, &transcript);
        assert_eq!(referred.reference(&value).as_deref(), Some("acme_thing.b.id"));
        assert_eq!(referred.reference(&Value::string("plain")), None, "a user wrote it");
        let first = transcript.exchanges[0].clone();
        assert_eq!(Referred::of(&first, &transcript).reference(&value), None, "it was made later");
    }
}
