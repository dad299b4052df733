//! Which classes the values of a place can have, by its type.

use super::ValueClass::{self, *};
use crate::generate::model::Form;
use crate::schema::Nesting;
use crate::value::Type;

/// Those that a provider refuses least come first.
const STRING: &[ValueClass] = &[
    Typical,
    Second,
    Capitals,
    Letters64,
    OtherCase,
    NonCanonical,
    TrueText,
    LeadingZero,
    InnerBlanks,
    NonAscii,
    Combining,
    Quotes,
    Json,
    Emoji,
    Newline,
    Blanks,
    Backslashes,
    Template,
    EmptyText,
    Letters256,
    Decimal,
    Percent,
    Digits,
    TrailingDot,
    Base64,
    TimeOffset,
    JsonNulls,
    UrlLike,
    PathLike,
    Unpadded,
    TimeFraction,
    JsonNested,
    JsonTwice,
    Control,
    Long,
];

const NUMBER: &[ValueClass] = &[
    Typical,
    Second,
    One,
    NumberTwo,
    Zero,
    Above2To53,
    Hundred,
    SixtyThree,
    Half,
    SixtyFour,
    MinusOne,
    SixtyFive,
    MaxByte,
    AboveByte,
    MaxI64,
    Above256,
    MaxI32,
    TwoTo31,
    Tenth,
    AboveTwoTo31,
    TwoTo63,
    MinI64,
    Huge,
    BelowI64,
    Tiny,
];
const BOOL: &[ValueClass] = &[Typical, Second];
const DYNAMIC: &[ValueClass] = &[Typical, Second, AsObject, AsNumber, AsTuple, AsBool];
const LIST: &[ValueClass] = &[Typical, Two, Empty, Equal, Descending, Many, NullElement, EmptyElement];
const SET: &[ValueClass] = &[Typical, Two, Empty, Many, EmptyElement];
const MAP: &[ValueClass] =
    &[Typical, Two, Empty, DottedKey, Many, NonAsciiKey, BlankKey, NullElement, EmptyElement];
const ONLY: &[ValueClass] = &[Typical];

/// How many elements are many.
pub(in crate::generate) const MANY: usize = 20;

/// The classes of a value of a type, the simplest first.
pub fn of_type(ty: &Type) -> Vec<ValueClass> {
    let all = match ty {
        Type::String => STRING,
        Type::Number => NUMBER,
        Type::Bool => BOOL,
        Type::Dynamic => DYNAMIC,
        Type::List(_) => LIST,
        Type::Set(_) => SET,
        Type::Map(_) => MAP,
        Type::Tuple(_) | Type::Object(_) => ONLY,
    };
    let is_nested = ty.element().is_some_and(|inner| inner.element().is_some());
    all.iter().copied().filter(|class| is_nested || *class != EmptyElement).collect()
}

/// The classes of a node that has members, the simplest first.
pub(in crate::generate) fn of_members(form: &Form<'_>) -> &'static [ValueClass] {
    let is_block = matches!(form, Form::Block(_));
    match form.nesting() {
        None => ONLY,
        Some(Nesting::Single | Nesting::Group | Nesting::Invalid(_)) if is_block => &[Typical, Bare],
        Some(Nesting::Single | Nesting::Group | Nesting::Invalid(_)) => &[Typical, PartlyNull, Bare],
        Some(Nesting::List | Nesting::Set | Nesting::Map) if is_block => &[Typical, Two, Bare, Many],
        Some(Nesting::List) => &[Typical, Two, Empty, Equal, PartlyNull, Bare, Many],
        Some(Nesting::Set) => &[Typical, Two, Empty, PartlyNull, Bare, Many],
        Some(Nesting::Map) => {
            &[Typical, Two, Empty, DottedKey, PartlyNull, NonAsciiKey, BlankKey, Bare, Many]
        }
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn every_class_of_a_string_or_number_has_its_value() {
        for class in STRING[2..].iter().filter(|class| !matches!(class, OtherCase | NonCanonical)) {
            assert_ne!(class.text(false).is_some(), class.text_of("tfcabcdef").is_some(), "{class:?}");
        }
        for class in &NUMBER[2..] {
            assert!(class.number().is_some(), "{class:?}");
        }
    }

    #[test]
    fn only_collections_of_collections_have_empty_elements() {
        let flat = Type::list(Type::String);
        assert!(!of_type(&flat).contains(&EmptyElement));
        assert!(of_type(&Type::list(flat)).contains(&EmptyElement));
    }

    #[test]
    fn the_texts_are_in_normal_form_already() {
        for class in STRING {
            let texts = [false, true].map(|is_secret| class.text(is_secret).map(str::to_owned));
            for text in texts.into_iter().chain([class.text_of("tfcabcdef")]).flatten() {
                assert_eq!(*crate::value::nfc(&text), *text, "{class:?}");
            }
        }
    }
}
