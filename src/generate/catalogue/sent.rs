//! The values of a request, to tell them from the provider's own words.

use std::collections::BTreeSet;

use crate::generate::model::SchemaModel;
use crate::scenario::words;
use crate::value::{AttributePath, Data, Value};

/// What stands for a value of the request in a text.
pub(super) const ECHO: &str = "…";
/// A shorter value is only taken for an echo where the text announces one.
const LENGTH: usize = 4;
/// The words that announce the value that was refused.
const ANNOUNCING: [&str; 7] = ["got", "Got", "Value", "value is", "provided", "given", "Given"];

/// All known primitive values and map keys of a request.
pub(super) struct Sent {
    values: Vec<SentValue>,
    /// A value that is also a name in the schema may well be meant as one.
    names: BTreeSet<String>,
}

#[derive(Debug)]
pub(super) struct SentValue {
    /// Schema path.
    pub path: String,
    /// Of a map key: of the map.
    pub place: AttributePath,
    pub text: String,
    is_text: bool,
}

impl Sent {
    pub fn new(config: &Value, model: &SchemaModel<'_>) -> Sent {
        let mut values = Vec::new();
        config.walk(&mut |place, value| {
            let mut add = |text: String, is_text| {
                let path = place.schema_path().to_string();
                values.push(SentValue { path, place: place.clone(), text, is_text });
            };
            match value.data() {
                Data::String(text) => add(text.to_string(), true),
                Data::Number(number) => add(number.to_string(), false),
                Data::Bool(value) => add(value.to_string(), false),
                Data::Map(entries) => entries.keys().for_each(|key| add(key.to_string(), true)),
                Data::Null | Data::Unknown(_) | Data::Elements(_) | Data::Object(_) => {}
            }
            true
        });
        values.retain(|value| !value.text.is_empty());
        Sent { values, names: model.nodes.iter().map(|node| node.name.to_string()).collect() }
    }

    /// The values at a schema path or inside it.
    pub fn below<'s>(&'s self, path: Option<&str>) -> impl Iterator<Item = &'s SentValue> {
        self.values.iter().filter(move |value| match path {
            None => true,
            Some(path) => {
                value.path.strip_prefix(path).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
            }
        })
    }

    pub fn is_set(&self, path: &str) -> bool {
        self.below(Some(path)).next().is_some()
    }

    /// The value that was refused, as far as it can be told: the one at the place that the provider names, or the
    /// one that it announces, or the only one.
    pub fn refused<'s>(&'s self, path: &str, place: &AttributePath, text: &str) -> Option<&'s str> {
        let values: Vec<&'s SentValue> = self.below(Some(path)).filter(|value| value.path == path).collect();
        let exact = values.iter().copied().find(|value| value.place == *place);
        let announced = || values.iter().copied().find(|value| is_announced_in(text, &value.text));
        let only =
            || values.iter().copied().find(|value| values.iter().all(|other| other.text == value.text));
        exact.or_else(announced).or_else(only).map(|value| value.text.as_str())
    }

    /// The only schema path of which a text holds a value, of those at a schema path or inside it.
    pub fn echoed(&self, text: &str, within: Option<&str>) -> Option<&str> {
        let mut found = self.below(within).filter(|value| self.is_telling_in(text, value));
        let first = found.next()?;
        found.all(|other| other.path == first.path).then_some(first.path.as_str())
    }

    /// Whether a text holds a value that was sent at a schema path.
    pub fn is_echoed(&self, text: &str, path: &str) -> bool {
        let mut values = self.values.iter().filter(|value| value.path == path);
        values.any(|value| is_announced_in(text, &value.text) || self.is_telling_in(text, value))
    }

    /// A text with [`ECHO`] for the values at a schema path, or for all if there is none.
    ///
    /// Names that were made up for a scenario are replaced wherever they are.
    pub fn stripped(&self, text: &str, path: Option<&str>) -> String {
        let made_up = self.values.iter().filter(|value| words::of_text(&value.text).next().is_some());
        let mut values: Vec<(String, bool)> = Vec::new();
        for value in self.below(path).chain(made_up) {
            let anywhere = self.is_telling(value);
            let quoted = format!("{:?}", value.text);
            values.push((quoted[1..quoted.len() - 1].to_owned(), anywhere));
            values.push((value.text.clone(), anywhere));
        }
        // The longest first: it may hold others.
        values.sort_by(|(a, _), (b, _)| b.len().cmp(&a.len()).then_with(|| a.cmp(b)));
        values.dedup();
        values.iter().fold(text.to_owned(), |text, (value, anywhere)| replaced(&text, value, *anywhere))
    }

    fn is_telling_in(&self, text: &str, value: &SentValue) -> bool {
        self.is_telling(value) && occurrences(text, &value.text).next().is_some()
    }

    /// Whether the value in a text is an echo wherever it is.
    fn is_telling(&self, value: &SentValue) -> bool {
        value.is_text && value.text.len() >= LENGTH && !self.names.contains(&value.text)
    }
}

fn replaced(text: &str, value: &str, anywhere: bool) -> String {
    let mut kept = String::new();
    let mut end = 0;
    for start in occurrences(text, value) {
        if anywhere || is_announced(&text[..start]) {
            kept.push_str(&text[end..start]);
            kept.push_str(ECHO);
            end = start + value.len();
        }
    }
    kept.push_str(&text[end..]);
    kept
}

/// Where a value is in a text, not as part of a longer word.
fn occurrences(text: &str, value: &str) -> impl Iterator<Item = usize> {
    let is_word =
        |letter: Option<char>| letter.is_some_and(|c| c.is_alphanumeric() || matches!(c, '_' | '-'));
    let joined = move |left: Option<char>, right: Option<char>| is_word(left) && is_word(right);
    text.match_indices(value).map(|(start, _)| start).filter(move |start| {
        let (before, after) = (&text[..*start], &text[start + value.len()..]);
        !joined(before.chars().next_back(), value.chars().next())
            && !joined(value.chars().next_back(), after.chars().next())
    })
}

fn is_announced(before: &str) -> bool {
    let before = before.trim_end_matches([' ', '\n', '"', '\'', '`', '(', ':', '=']);
    ANNOUNCING.iter().any(|word| before.ends_with(word))
}

/// Whether a text announces a value as the one that was refused.
pub(super) fn is_announced_in(text: &str, value: &str) -> bool {
    occurrences(text, value).any(|start| is_announced(&text[..start]))
}
