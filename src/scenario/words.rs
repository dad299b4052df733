//! The words by which scenarios keep their remote objects apart.
//!
//! A word is `tfc` and six letters. Generated names contain one, and no two scenarios that run at the same
//! time share any. If a scenario is played again, objects of its earlier play may be left: its words are
//! renamed on the way to the provider and back, so that transcripts do not change.

use std::borrow::Cow;

use bytes::Bytes;
use serde_json::Value as Json;

use crate::value::made_up::places;
pub use crate::value::made_up::{LETTERS, START};
use crate::value::{Data, Value};

/// Which words a play uses: those of its scenario, or others in their place.
///
/// The second and the third letter say which, so words keep their length and their order.
#[derive(Clone, Copy, Debug, Default, PartialEq, Eq)]
pub struct Words(u8);

/// Letters that hardly ever follow a `t`, and that may stand between them and the rest; the last of each are those of
/// [`START`].
const SECOND: &[u8; 11] = b"bdgjkpqvxzf";
const THIRD: &[u8; 21] = b"bdfghjklmnpqrstvwxyzc";

/// How many other words there are for a scenario.
pub const OTHERS: u32 = (SECOND.len() * THIRD.len()) as u32 - 1;

impl Words {
    /// The scenario's own words.
    pub const OWN: Words = Words(0);

    /// Other words for each play of a scenario; they repeat after [`OTHERS`].
    pub fn of_play(nth: u32) -> Words {
        Words(1 + (nth % OTHERS) as u8)
    }

    /// How they begin.
    fn start(self) -> [u8; 3] {
        let nth = usize::from(self.0).checked_sub(1).unwrap_or(OTHERS as usize);
        [b't', SECOND[nth / THIRD.len()], THIRD[nth % THIRD.len()]]
    }

    /// What the provider gets for bytes of the scenario.
    pub fn renamed(self, bytes: &Bytes) -> Bytes {
        replaced(bytes, Words::OWN.start(), self.start())
    }

    /// What the transcript gets for bytes of the provider.
    pub fn named_back(self, bytes: &Bytes) -> Bytes {
        replaced(bytes, self.start(), Words::OWN.start())
    }

    /// The same for a text of the provider.
    pub fn named_back_in(self, text: &str) -> String {
        let bytes = self.named_back(&Bytes::copy_from_slice(text.as_bytes()));
        String::from_utf8(bytes.to_vec()).expect("letters become letters")
    }

    /// The same for a value in JSON.
    pub fn renamed_json(self, value: &Json) -> Json {
        let bytes = self.renamed(&Bytes::from(value.to_string()));
        serde_json::from_slice(&bytes).expect("letters become letters")
    }

    /// What the remote system gets for a value of the transcript.
    pub fn renamed_value(self, value: &Value) -> Value {
        if self == Words::OWN {
            return value.clone();
        }
        value.transform(&mut |_, value| match value.data() {
            Data::String(text) => {
                let bytes = self.renamed(&Bytes::copy_from_slice(text.as_bytes()));
                Value::string(&String::from_utf8_lossy(&bytes))
            }
            _ => value,
        })
    }
}

/// The words in a text.
pub fn of_text(text: &str) -> impl Iterator<Item = &str> {
    places(text.as_bytes(), Words::OWN.start()).map(|place| &text[place])
}

/// Replaces the start of every word, in upper case too.
fn replaced(bytes: &Bytes, from: [u8; 3], to: [u8; 3]) -> Bytes {
    if from == to {
        return bytes.clone();
    }
    let mut changed = Cow::Borrowed(bytes.as_ref());
    for place in places(bytes, from) {
        for (letter, to) in changed.to_mut()[place].iter_mut().zip(to) {
            *letter = if letter.is_ascii_uppercase() { to.to_ascii_uppercase() } else { to };
        }
    }
    match changed {
        Cow::Borrowed(_) => bytes.clone(),
        Cow::Owned(changed) => Bytes::from(changed),
    }
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::value::Type;

    #[test]
    fn words_are_renamed_and_back_and_nothing_else_is() {
        let text =
            "tfcabcdef, /tmp/tfczzzzzz.txt, TFCABCDEF, tfcabc, tfc-\u{e9}abcdef, {\"a\":\"tfcqqqqqq\"}";
        let renamed =
            "tbdabcdef, /tmp/tbdzzzzzz.txt, TBDABCDEF, tfcabc, tfc-\u{e9}abcdef, {\"a\":\"tbdqqqqqq\"}";
        let words = Words::of_play(1);
        assert_eq!(words.renamed(&Bytes::from(text)), renamed);
        assert_eq!(words.named_back_in(renamed), text);
        assert_eq!(Words::OWN.renamed(&Bytes::from(text)), text);
        let found: Vec<&str> = of_text(text).collect();
        assert_eq!(found, ["tfcabcdef", "tfczzzzzz", "TFCABCDEF", "tfcqqqqqq"]);
    }

    #[test]
    fn every_play_has_words_of_its_own() {
        let plays = (0..OTHERS).map(Words::of_play).chain([Words::OWN]);
        let starts: std::collections::BTreeSet<[u8; 3]> = plays.map(Words::start).collect();
        assert_eq!(starts.len(), 231);
        assert_eq!(Words::OWN.start(), *START.as_bytes());
    }

    #[test]
    fn a_value_keeps_its_type() {
        let value = Value::object([("name", Value::string("tfcabcdef")), ("no", Value::null(Type::String))]);
        let renamed = Words::of_play(0).renamed_value(&value);
        assert_eq!(renamed.attribute("name").and_then(Value::as_str), Some("tbbabcdef"));
        assert_eq!(renamed.ty(), value.ty());
    }
}
