//! The kinds of values that deserve a separate scenario.

use super::learned::Learned;
use super::model::Form;
use crate::schema::Nesting;
use crate::value::{Number, Type, Value};

/// A kind of value. For those of a place see
/// [`StoreSnapshot::classes`](super::store::StoreSnapshot::classes).
#[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
pub enum ValueClass {
    /// What a user would write.
    Typical,
    /// Something else that a user would write.
    Second,
    EmptyText,
    Blanks,
    Newline,
    NonAscii,
    Combining,
    Emoji,
    Long,
    Template,
    LeadingZero,
    Decimal,
    Digits,
    Zero,
    One,
    MinusOne,
    TwoTo31,
    Above2To53,
    MaxI64,
    TwoTo63,
    Half,
    Tenth,
    Huge,
    Tiny,
    /// A collection without elements.
    Empty,
    Two,
    Descending,
    Equal,
    NullElement,
    DottedKey,
    BlankKey,
    NonAsciiKey,
    /// Every second member of an object null.
    PartlyNull,
    /// Elements or blocks with all optional members null.
    Bare,
    AsNumber,
    AsBool,
    AsTuple,
    AsObject,
    Capitals,
    InnerBlanks,
    Sentence,
    Quotes,
    Backslashes,
    TrueText,
    Json,
    /// A list that the user chose, with its elements in another order.
    Permuted,
}

use ValueClass::*;

const STRING: &[ValueClass] = &[
    Typical,
    Second,
    EmptyText,
    Decimal,
    Long,
    Digits,
    Capitals,
    NonAscii,
    Blanks,
    LeadingZero,
    Json,
    Newline,
    Combining,
    Template,
    InnerBlanks,
    Emoji,
    Quotes,
    TrueText,
    Backslashes,
    Sentence,
];

/// What a free text must survive, in three groups: those that a provider refuses least come first.
pub(super) const TEXTS: [&[ValueClass]; 3] = [
    &[Capitals, InnerBlanks, LeadingZero, TrueText, Sentence],
    &[Blanks, NonAscii, Combining, Emoji, Newline],
    &[Quotes, Json, Template, Backslashes],
];
const NUMBER: &[ValueClass] =
    &[Typical, Second, Zero, Above2To53, MinusOne, Half, MaxI64, Tenth, TwoTo63, One, Huge, TwoTo31, Tiny];
const BOOL: &[ValueClass] = &[Typical, Second];
const DYNAMIC: &[ValueClass] = &[Typical, Second, AsObject, AsNumber, AsTuple, AsBool];
const LIST: &[ValueClass] = &[Typical, Empty, Equal, Descending, Two, NullElement];
const SET: &[ValueClass] = &[Typical, Empty, Two];
const MAP: &[ValueClass] = &[Typical, Empty, DottedKey, NonAsciiKey, BlankKey, Two];
const ONLY: &[ValueClass] = &[Typical];

/// The classes of a value of a type, the simplest first.
pub fn of_type(ty: &Type) -> &'static [ValueClass] {
    match ty {
        Type::String => STRING,
        Type::Number => NUMBER,
        Type::Bool => BOOL,
        Type::Dynamic => DYNAMIC,
        Type::List(_) => LIST,
        Type::Set(_) => SET,
        Type::Map(_) => MAP,
        Type::Tuple(_) | Type::Object(_) => ONLY,
    }
}

/// The classes of a node that has members, the simplest first.
pub(super) fn of_members(form: &Form<'_>) -> &'static [ValueClass] {
    let is_block = matches!(form, Form::Block(_));
    match form.nesting() {
        None => ONLY,
        Some(Nesting::Single | Nesting::Group | Nesting::Invalid(_)) if is_block => &[Typical, Bare],
        Some(Nesting::Single | Nesting::Group | Nesting::Invalid(_)) => &[Typical, PartlyNull, Bare],
        Some(Nesting::List | Nesting::Set | Nesting::Map) if is_block => &[Typical, Two, Bare],
        Some(Nesting::List) => &[Typical, Empty, Equal, PartlyNull, Two, Bare],
        Some(Nesting::Set) => &[Typical, Empty, Two, PartlyNull, Bare],
        Some(Nesting::Map) => &[Typical, Empty, DottedKey, PartlyNull, NonAsciiKey, Two, BlankKey, Bare],
    }
}

impl ValueClass {
    /// A few words for a scenario's label.
    pub fn about(self) -> &'static str {
        match self {
            Typical => "typical",
            Second => "another value",
            EmptyText => "empty string",
            Blanks => "blanks around",
            Newline => "two lines",
            NonAscii => "é",
            Combining => "combining mark",
            Emoji => "emoji",
            Long => "4,096 letters",
            Template => "looks like a template",
            LeadingZero => "\"01\"",
            Decimal => "\"1.0\"",
            Digits => "\"86400000\"",
            Zero => "0",
            One => "1",
            MinusOne => "-1",
            TwoTo31 => "2^31",
            Above2To53 => "2^53+1",
            MaxI64 => "2^63-1",
            TwoTo63 => "2^63",
            Half => "0.5",
            Tenth => "0.1",
            Huge => "1e30",
            Tiny => "1e-7",
            Empty => "empty",
            Two => "two elements",
            Descending => "descending order",
            Equal => "equal elements",
            NullElement => "a null element",
            DottedKey => "a key with a dot",
            BlankKey => "a key with a blank",
            NonAsciiKey => "a key with é",
            PartlyNull => "members partly null",
            Bare => "optional members null",
            AsNumber => "a number",
            AsBool => "a bool",
            AsTuple => "a tuple",
            AsObject => "an object",
            Capitals => "capital letters",
            InnerBlanks => "blanks inside",
            Sentence => "300 letters",
            Quotes => "quotes",
            Backslashes => "backslashes",
            TrueText => "\"true\"",
            Json => "JSON with white space, its keys unsorted",
            Permuted => "elements in another order",
        }
    }

    /// The text of a string class that does not depend on the place.
    pub(super) fn text(self) -> Option<String> {
        Some(match self {
            EmptyText => String::new(),
            Blanks => " tfc blanks ".to_owned(),
            Newline => "tfc\nlines\n".to_owned(),
            NonAscii => "tfc-\u{e9}".to_owned(),
            // No precomposed form exists, so normalisation leaves two code points.
            Combining => "tfc-q\u{307}".to_owned(),
            Emoji => "tfc-\u{1f469}\u{200d}\u{1f680}".to_owned(),
            Long => "abcdefghijklmnop".repeat(256),
            Template => "${tfc.example} %{ if true }".to_owned(),
            LeadingZero => "01".to_owned(),
            Decimal => "1.0".to_owned(),
            Digits => "86400000".to_owned(),
            TrueText => "true".to_owned(),
            _ => return None,
        })
    }

    /// Whether it is a text made of words, which only fits where any text does.
    pub(super) fn is_of_words(self) -> bool {
        self.text_of("word").is_some()
    }

    /// The text of a string class that is made of the place's own word.
    pub(super) fn text_of(self, word: &str) -> Option<String> {
        let (start, end) = word.split_at(word.len() / 2);
        Some(match self {
            Capitals => {
                let capital = |text: &str| text[..1].to_uppercase() + &text[1..];
                capital(start) + &capital(end)
            }
            InnerBlanks => format!("{start}  {end} x"),
            Sentence => format!("{start} {end} ").repeat(300 / (word.len() + 2) + 1)[..299].to_owned() + "x",
            Quotes => format!("{start} \"{end}\" '{end}'"),
            Backslashes => format!("{start}\\{end}\\n"),
            Json => format!("{{ \"b\": 1,  \"a\": [true, \"{word}\"] }}"),
            _ => return None,
        })
    }

    /// The number of a number class that does not depend on the place.
    pub(super) fn number(self) -> Option<Number> {
        let text = match self {
            Zero => "0",
            One => "1",
            MinusOne => "-1",
            TwoTo31 => "2147483648",
            Above2To53 => "9007199254740993",
            MaxI64 => "9223372036854775807",
            TwoTo63 => "9223372036854775808",
            Half => "0.5",
            Tenth => "0.1",
            Huge => "1e30",
            Tiny => "1e-7",
            _ => return None,
        };
        Some(Number::parse(text).expect("the table holds numbers"))
    }

    /// Whether what the provider's answers said leaves room for a value of the class.
    pub(super) fn is_allowed(self, learned: &Learned) -> bool {
        let holds = |size| learned.count().holds(size);
        match self {
            Second => learned.has_second(),
            Empty => holds(0),
            Two | Descending => holds(2),
            Equal => holds(2) && !learned.is_unique(),
            NullElement => holds(2) && !learned.refuses_null_elements(),
            _ => {
                let text = self.text().or_else(|| self.text_of("tfcabcdef")).map(|text| Value::string(&text));
                let value = text.or_else(|| self.number().map(Value::number));
                value.is_none_or(|value| learned.permits(&value))
            }
        }
    }

    /// The key a map class is about.
    pub(super) fn key(self) -> Option<&'static str> {
        match self {
            DottedKey => Some("a.b"),
            BlankKey => Some("a b"),
            NonAsciiKey => Some("cl\u{e9}"),
            _ => None,
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_of_a_string_or_number_has_its_value() {
        for class in &STRING[2..] {
            assert_ne!(class.text().is_some(), class.text_of("tfcabcdef").is_some(), "{class:?}");
        }
        for class in TEXTS.into_iter().flatten() {
            assert!(STRING.contains(class), "{class:?}");
        }
        assert_eq!(ValueClass::Capitals.text_of("tfcabcdef").as_deref(), Some("TfcaBcdef"));
        assert_eq!(ValueClass::Sentence.text_of("tfcabcdef").map(|text| text.len()), Some(300));
        for class in &NUMBER[2..] {
            assert!(class.number().is_some(), "{class:?}");
        }
        assert_eq!(ValueClass::Long.text().map(|text| text.len()), Some(4_096));
    }

    #[test]
    fn the_texts_are_in_normal_form_already() {
        for class in STRING {
            if let Some(text) = class.text() {
                assert_eq!(*crate::value::nfc(&text), *text, "{class:?}");
            }
        }
    }
}
