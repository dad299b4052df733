//! The kinds of values that deserve a separate scenario.

mod of_place;

use super::learned::Learned;
use super::witness::Nth;
use crate::value::{Number, Value};

pub use of_place::of_type;
pub(super) use of_place::{MANY, of_members};

/// Where the value of a class comes from.
#[derive(Clone, Copy)]
enum Content {
    /// From the place: its typical value, or what is built of it.
    Place,
    /// The same text everywhere, and another one in secret places: what masks that one leaves this one alone.
    Text(&'static str, &'static str),
    /// A text made of the place's own word, which only fits where any text does.
    Words(fn(&str) -> String),
    /// The same, also for places whose name suggests a format: a name proves nothing.
    AnyWords(fn(&str) -> String),
    Number(&'static str),
    /// A map with this key.
    Key(&'static str),
}

use Content::{AnyWords, Key, Number as Digit, Place, Text, Words};

/// Declares the classes: a name, a few words for a scenario's label, and where the value comes from.
macro_rules! classes {
    ($($(#[$doc:meta])* $name:ident $about:literal $content:expr;)*) => {
        /// A kind of value. For those of a place see
        /// [`StoreSnapshot::classes`](super::store::StoreSnapshot::classes).
        #[derive(Clone, Copy, Debug, PartialEq, Eq, Hash, PartialOrd, Ord)]
        pub enum ValueClass {
            $($(#[$doc])* $name,)*
        }

        impl ValueClass {
            pub const ALL: &[ValueClass] = &[$(ValueClass::$name),*];

            /// A few words for a scenario's label.
            pub fn about(self) -> &'static str {
                match self {
                    $(ValueClass::$name => $about,)*
                }
            }

            fn content(self) -> Content {
                match self {
                    $(ValueClass::$name => $content,)*
                }
            }
        }
    };
}

classes! {
    /// What a user would write.
    Typical "typical" Place;
    /// Something else that a user would write.
    Second "another value" Place;

    EmptyText "empty string" Text("", "");
    Capitals "capital letters" Words(capitals);
    /// The typical value with every letter in the other case, such as a member of an enumeration.
    OtherCase "in the other case" Place;
    InnerBlanks "blanks inside" Words(|word| format!("{word}  x y"));
    LeadingZero "\"01\"" Text("01", "02");
    TrueText "a bool as text" Text("true", "false");
    Decimal "\"1.0\"" Text("1.0", "2.0");
    Digits "eight digits" Text("86400000", "43200000");
    Letters64 "64 letters" Words(|word| letters(word, 64));
    Letters256 "256 letters" Words(|word| letters(word, 256));
    Long "5,000 letters" Words(|word| letters(word, 5_000));
    Blanks "blanks around" AnyWords(|word| format!(" {word} x "));
    NonAscii "é" AnyWords(|word| format!("{word}-\u{e9}"));
    /// The mark has no precomposed form, so NFC leaves two code points. Only NFKC takes the ligature apart.
    Combining "combining mark and ligature" AnyWords(|word| format!("{word}-q\u{307}\u{fb01}"));
    Emoji "emoji" AnyWords(|word| format!("{word}-\u{1f469}\u{200d}\u{1f680}"));
    Newline "two lines" AnyWords(|word| format!("{word}\nx\n"));
    Control "control characters" AnyWords(|word| format!("{word}\t\u{1}\u{7f}x"));
    Quotes "quotes" Words(|word| format!("{word} \"x\" 'y'"));
    Backslashes "backslashes" Words(|word| format!("{word}\\x\\n"));
    Template "looks like a template" AnyWords(|word| format!("${{{word}.x}} %{{ if true }}"));
    Percent "per cent signs" AnyWords(|word| format!("{word} 100% %s %20"));
    PathLike "looks like a path" AnyWords(|word| format!("{word}/./x//path/"));
    UrlLike "looks like a URL" AnyWords(|word| format!("https://Example.com:443/a%20b/?q={word}"));
    TrailingDot "a name with a trailing dot" AnyWords(|word| format!("{word}.example.com."));
    Json "JSON with white space, its keys unsorted"
        Words(|word| format!("{{ \"b\": 1,  \"a\": [true, \"{word}\"] }}"));
    JsonNulls "JSON with null members" AnyWords(|word| format!("{{\"{word}\":null,\"b\":[null]}}"));
    JsonNested "nested JSON"
        AnyWords(|word| format!("{{\"b\":{{\"d\":[{{\"f\":1.0,\"e\":{{}}}}],\"c\":[],\"a\":\"{word}\"}}}}"));
    JsonTwice "JSON with a key twice" AnyWords(|word| format!("{{\"{word}\":1,\"{word}\":2}}"));
    Base64 "base64" Text("dGZjIA==", "dGZjIQ==");
    Unpadded "base64 without padding" Text("dGZjIA", "dGZjIQ");
    TimeFraction "a time with a fraction" Text("2031-01-06T15:00:00.120Z", "2031-01-07T15:00:00.120Z");
    TimeOffset "a time with an offset" Text("2031-01-06T15:00:00+02:00", "2031-01-07T15:00:00+02:00");
    /// What a format allows and few programs write: a network with host bits, a host in capitals.
    NonCanonical "not in canonical form" Place;

    Zero "0" Digit("0");
    One "1" Digit("1");
    NumberTwo "2" Digit("2");
    SixtyThree "63" Digit("63");
    SixtyFour "64" Digit("64");
    SixtyFive "65" Digit("65");
    Hundred "100" Digit("100");
    MaxByte "255" Digit("255");
    AboveByte "256" Digit("256");
    Above256 "257" Digit("257");
    MinusOne "-1" Digit("-1");
    MaxI32 "2^31-1" Digit("2147483647");
    TwoTo31 "2^31" Digit("2147483648");
    AboveTwoTo31 "2^31+1" Digit("2147483649");
    Above2To53 "2^53+1" Digit("9007199254740993");
    MaxI64 "2^63-1" Digit("9223372036854775807");
    TwoTo63 "2^63" Digit("9223372036854775808");
    MinI64 "-2^63" Digit("-9223372036854775808");
    BelowI64 "-2^63-1" Digit("-9223372036854775809");
    Half "0.5" Digit("0.5");
    Tenth "0.1" Digit("0.1");
    Huge "1e30" Digit("1e30");
    Tiny "1e-7" Digit("1e-7");

    /// A collection without elements.
    Empty "empty" Place;
    Two "two elements" Place;
    Many "many elements" Place;
    Descending "descending order" Place;
    Equal "equal elements" Place;
    NullElement "a null element" Place;
    /// A collection of collections, the second of which is empty.
    EmptyElement "an empty element" Place;
    DottedKey "a key with a dot" Key("a.b");
    BlankKey "a key with a blank" Key("a b");
    NonAsciiKey "a key with é" Key("cl\u{e9}");
    /// Every second member of an object null.
    PartlyNull "members partly null" Place;
    /// Elements or blocks with all optional members null.
    Bare "optional members null" Place;
    /// A list that the user chose, with its elements in another order.
    Permuted "elements in another order" Place;

    AsNumber "a number" Place;
    AsBool "a bool" Place;
    AsTuple "a tuple" Place;
    AsObject "an object" Place;
}

impl ValueClass {
    /// Whether it is a value that a user would write anyway.
    pub fn is_usual(self) -> bool {
        matches!(self, ValueClass::Typical | ValueClass::Second)
    }

    /// The text of a string class that depends on nothing but whether the place is sensitive or write-only.
    pub(super) fn text(self, is_secret: bool) -> Option<&'static str> {
        match self.content() {
            Text(open, secret) => Some(if is_secret { secret } else { open }),
            _ => None,
        }
    }

    /// Whether it is a text made of the place's own word.
    pub(super) fn is_of_words(self) -> bool {
        matches!(self.content(), Words(_) | AnyWords(_))
    }

    /// Whether it is such a text that only fits where any text does.
    pub(super) fn is_for_any_text(self) -> bool {
        matches!(self.content(), Words(_))
    }

    /// The text of a string class that is made of the place's own word.
    pub(super) fn text_of(self, word: &str) -> Option<String> {
        match self.content() {
            Words(make) | AnyWords(make) => Some(make(word)),
            _ => None,
        }
    }

    /// The number of a number class that does not depend on the place.
    pub(super) fn number(self) -> Option<Number> {
        match self.content() {
            Digit(text) => Some(Number::parse(text).expect("the table holds numbers")),
            _ => None,
        }
    }

    /// Whether its value is a number that does not depend on the place.
    pub fn is_number(self) -> bool {
        matches!(self.content(), Digit(_))
    }

    /// Whether what the provider's answers said leaves room for a value of the class.
    pub(super) fn is_allowed(self, learned: &Learned) -> bool {
        let holds = |size| learned.count().holds(size);
        match self {
            ValueClass::Second => learned.has_second(),
            ValueClass::Empty => holds(0),
            ValueClass::Two | ValueClass::Descending | ValueClass::EmptyElement => holds(2),
            ValueClass::Many => holds(MANY as u64),
            ValueClass::Equal => holds(2) && !learned.is_unique(),
            ValueClass::NullElement => holds(2) && !learned.refuses_null_elements(),
            ValueClass::OtherCase => {
                let typical = learned.text(SAMPLE, Nth::new(0, 0));
                typical.is_none_or(|text| learned.permits(&Value::string(&in_other_case(&text))))
            }
            _ => {
                let text = self.text(false).map(str::to_owned).or_else(|| self.text_of(SAMPLE));
                let text = text.map(|text| Value::string(&text));
                let value = text.or_else(|| self.number().map(Value::number));
                value.is_none_or(|value| learned.permits(&value))
            }
        }
    }

    /// The key a map class is about.
    pub(super) fn key(self) -> Option<&'static str> {
        match self.content() {
            Key(key) => Some(key),
            _ => None,
        }
    }
}

/// Like the words that scenarios make up.
const SAMPLE: &str = "tfcabcdef";

/// Of each half the first letter.
fn capitals(word: &str) -> String {
    let capital = |text: &str| text[..1].to_uppercase() + &text[1..];
    let (first, second) = word.split_at(word.len() / 2);
    capital(first) + &capital(second)
}

/// A word over and over, so many letters long; `word` is not empty.
pub(super) fn letters(word: &str, length: usize) -> String {
    word.chars().cycle().take(length).collect()
}

/// A text with every letter in the other case.
pub(super) fn in_other_case(text: &str) -> String {
    let other = |letter: char| match letter.is_ascii_lowercase() {
        true => letter.to_ascii_uppercase(),
        false => letter.to_ascii_lowercase(),
    };
    text.chars().map(other).collect()
}

/// A text of JSON spread over several lines; any other text as it is.
pub(super) fn with_white_space(text: &str) -> String {
    let json = serde_json::from_str::<serde_json::Value>(text);
    json.and_then(|json| serde_json::to_string_pretty(&json)).unwrap_or_else(|_| text.to_owned())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_document_means_the_same_with_white_space() {
        assert_eq!(with_white_space("{\"a\":[1]}"), "{\n  \"a\": [\n    1\n  ]\n}");
        assert_eq!(with_white_space("a b"), "a b");
    }

    #[test]
    fn texts_are_made_of_the_word_of_their_place() {
        assert_eq!(ValueClass::Capitals.text_of("tfcabcdef").as_deref(), Some("TfcaBcdef"));
        assert_eq!(in_other_case("us-East-1"), "US-eAST-1");
        let lengths = [(ValueClass::Letters64, 64), (ValueClass::Letters256, 256), (ValueClass::Long, 5_000)];
        for (class, length) in lengths {
            assert_eq!(class.text_of("tfcabcdef").map(|text| text.len()), Some(length));
        }
    }
}
