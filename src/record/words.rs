//! Short secrets in texts about the attribute that holds them.
//!
//! A bool, or a number of one digit, is found everywhere by chance. In a diagnostic that points to a sensitive
//! attribute it is probably its value, so there it is left out as a word.

use std::collections::BTreeSet;

use super::collect::{Hit, of_call};
use super::masked::Masked;
use super::masker::Secrets;
use crate::transcript::{Diagnostic, Exchange, Subject};
use crate::value::tree::SENSITIVE;

/// The values of the sensitive attributes of one exchange, as words.
#[derive(Debug, Default)]
pub(super) struct Words(Vec<String>);

impl Secrets<'_> {
    /// A text for people from the answer to a call.
    pub fn said(&self, exchange: &Exchange, subject: &Subject, text: &str) -> Masked<String> {
        Masked::new(Words::said_in(exchange, subject).shown(&self.shown(text)))
    }
}

impl Words {
    /// Those of an exchange, if one of its diagnostics points to a sensitive attribute.
    pub fn said_in(exchange: &Exchange, subject: &Subject) -> Words {
        let Some(schema) = subject.schema_of(&exchange.call).filter(|schema| schema.block.holds_secret())
        else {
            return Words::default();
        };
        let points = |diagnostic: &&Diagnostic| {
            let path = diagnostic.attribute.as_ref().map(|attribute| attribute.to_path());
            path.is_some_and(|path| schema.block.is_sensitive(&path))
        };
        match exchange.call.diagnostics().iter().any(points) {
            true => Words::of(exchange, subject),
            false => Words::default(),
        }
    }

    /// Those of an exchange.
    pub fn of(exchange: &Exchange, subject: &Subject) -> Words {
        let mut words = BTreeSet::new();
        of_call(&exchange.call, subject, &mut |found| {
            words.extend(match found {
                Hit::Text(text) | Hit::Key(text) => Some(text).filter(|text| !text.is_empty()),
                Hit::Number(number) => Some(number.to_string()),
                Hit::Bool(value) => Some(value.to_string()),
                Hit::Nothing => None,
            });
        });
        Words::from(words)
    }

    /// A text for people without these words.
    pub fn shown(&self, text: &str) -> String {
        self.hide(text, |_| SENSITIVE.to_owned())
    }

    /// A text in which each of these words is replaced.
    pub fn hide(&self, text: &str, stand_in: impl Fn(&str) -> String) -> String {
        if self.0.is_empty() {
            return text.to_owned();
        }
        let mut hidden = String::with_capacity(text.len());
        let mut at = 0;
        while let Some(next) = text[at..].chars().next() {
            let is_inside = text[..at].chars().next_back().is_some_and(char::is_alphanumeric);
            let here = |word: &&String| text[at..].strip_prefix(word.as_str()).is_some_and(ends_word);
            match self.0.iter().find(here).filter(|_| !is_inside) {
                Some(word) => {
                    hidden.push_str(&stand_in(word));
                    at += word.len();
                }
                None => {
                    hidden.push(next);
                    at += next.len_utf8();
                }
            }
        }
        hidden
    }
}

impl From<BTreeSet<String>> for Words {
    fn from(words: BTreeSet<String>) -> Words {
        let mut words: Vec<String> = words.into_iter().collect();
        // The longest first: it may hold others.
        words.sort_by_key(|word| std::cmp::Reverse(word.len()));
        Words(words)
    }
}

fn ends_word(rest: &str) -> bool {
    !rest.starts_with(char::is_alphanumeric)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn only_whole_words_are_hidden() {
        let words = Words(vec!["true".to_owned(), "-7".to_owned(), "7".to_owned()]);
        let hide = |text: &str| words.hide(text, |_| "*".to_owned());
        assert_eq!(hide("pin 7 (not 17, 7a or -7) is true, untrue"), "pin * (not 17, 7a or *) is *, untrue");
        assert_eq!(hide("7"), "*");
        assert_eq!(Words::default().hide("7", |_| "*".to_owned()), "7");
    }
}
