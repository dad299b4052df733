//! What can be wrong with the bytes a provider sends.

use std::fmt;

use crate::value::{AttributePath, NumberError, TypeError};

/// One issue of an encoding: what it is, and where in the value and in the bytes.
#[derive(Clone, Debug, PartialEq)]
pub struct Issue {
    pub path: AttributePath,
    /// Byte offset, counted from 0.
    pub offset: usize,
    pub kind: IssueKind,
}

/// What Core does when it meets an issue.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum Effect {
    /// It accepts the value, perhaps changed, and reports nothing.
    Accepted,
    /// It shows an error and drops the response.
    Refused,
    /// It panics, or runs out of memory.
    Crash,
}

/// The issues, by the decoder rows of wire section 4.9.
#[derive(Clone, Debug, PartialEq)]
pub enum IssueKind {
    /// Bytes end inside a value, or a marker has no meaning.
    Malformed(&'static str),
    /// A JSON encoding that does not decode.
    Json(String),
    /// Deeper nesting than any schema warrants.
    TooDeep,
    /// More than we read, although an engine might; says what.
    TooLarge(String),
    /// A value of a different shape than the type requires.
    WrongShape {
        wanted: &'static str,
        found: &'static str,
    },
    /// An object with the wrong number of attributes.
    AttributeCount {
        wanted: usize,
        found: usize,
    },
    /// An empty map instead of an object that has attributes.
    EmptyObject,
    UnsupportedAttribute(String),
    DuplicateAttribute(String),
    MissingAttribute(String),
    AttributeNameNotAString,
    /// In a map: read as the empty string, and what follows may be misread.
    KeyNotAString,
    TupleLength {
        wanted: usize,
        found: usize,
    },
    /// A dynamic value that is not the two-element form.
    DynamicForm,
    DynamicType(TypeError),
    /// Elements of one collection with different concrete types.
    MixedElementTypes,
    NotANumber,
    BadNumber(NumberError),
    /// An infinity: it decodes but can never be stored.
    Infinity,
    /// An integer beyond 64 bits sent as a double: its text is a different number.
    IntegralDoubleLosesDigits,
    /// An integer sent as a double.
    IntegralDouble,
    InvalidUtf8,
    NotNfc,
    /// Binary where a string belongs, or the reverse.
    BinaryString,
    /// Longer than needed, single precision, and the like.
    NotMinimal,
    DuplicateKey(String),
    DuplicateElement,
    /// An extension code other than 0 for a plain unknown.
    ExtensionCode(i8),
    UnsupportedExtension(i8),
    /// A refinement payload without refinements.
    EmptyRefinement,
    RefinementTooLong(usize),
    /// A refinement that the type does not allow, or a malformed one.
    BadRefinement(&'static str),
    UnknownRefinement(i64),
    /// Bounds that exclude every value.
    ContradictoryRefinement,
    TrailingBytes(usize),
    /// A header that announces more elements than there are bytes.
    HugeHeader(u64),
}

impl IssueKind {
    pub fn effect(&self) -> Effect {
        match self {
            IssueKind::NotANumber
            | IssueKind::MixedElementTypes
            | IssueKind::ContradictoryRefinement
            | IssueKind::HugeHeader(_) => Effect::Crash,
            IssueKind::Malformed(_)
            | IssueKind::Json(_)
            | IssueKind::TooDeep
            | IssueKind::TooLarge(_)
            | IssueKind::WrongShape { .. }
            | IssueKind::AttributeCount { .. }
            | IssueKind::EmptyObject
            | IssueKind::UnsupportedAttribute(_)
            | IssueKind::DuplicateAttribute(_)
            | IssueKind::MissingAttribute(_)
            | IssueKind::AttributeNameNotAString
            | IssueKind::TupleLength { .. }
            | IssueKind::DynamicForm
            | IssueKind::DynamicType(_)
            | IssueKind::BadNumber(_)
            | IssueKind::UnsupportedExtension(_)
            | IssueKind::RefinementTooLong(_)
            | IssueKind::BadRefinement(_) => Effect::Refused,
            IssueKind::KeyNotAString
            | IssueKind::Infinity
            | IssueKind::IntegralDoubleLosesDigits
            | IssueKind::IntegralDouble
            | IssueKind::InvalidUtf8
            | IssueKind::NotNfc
            | IssueKind::BinaryString
            | IssueKind::NotMinimal
            | IssueKind::DuplicateKey(_)
            | IssueKind::DuplicateElement
            | IssueKind::ExtensionCode(_)
            | IssueKind::EmptyRefinement
            | IssueKind::UnknownRefinement(_)
            | IssueKind::TrailingBytes(_) => Effect::Accepted,
        }
    }

    /// The contract entry that the issue belongs to.
    pub fn entry(&self) -> &'static str {
        match self {
            IssueKind::Malformed(_)
            | IssueKind::Json(_)
            | IssueKind::TooDeep
            | IssueKind::TooLarge(_)
            | IssueKind::WrongShape { .. }
            | IssueKind::TupleLength { .. } => "WIRE-001",
            IssueKind::AttributeCount { .. }
            | IssueKind::EmptyObject
            | IssueKind::UnsupportedAttribute(_)
            | IssueKind::DuplicateAttribute(_)
            | IssueKind::MissingAttribute(_)
            | IssueKind::AttributeNameNotAString => "WIRE-004",
            IssueKind::DynamicForm | IssueKind::DynamicType(_) => "WIRE-006",
            IssueKind::MixedElementTypes => "WIRE-007",
            IssueKind::NotANumber
            | IssueKind::BadNumber(_)
            | IssueKind::Infinity
            | IssueKind::IntegralDouble
            | IssueKind::IntegralDoubleLosesDigits => "WIRE-008",
            IssueKind::InvalidUtf8 | IssueKind::NotNfc => "WIRE-009",
            IssueKind::KeyNotAString | IssueKind::DuplicateKey(_) => "WIRE-010",
            IssueKind::DuplicateElement => "WIRE-011",
            IssueKind::ExtensionCode(_) | IssueKind::UnsupportedExtension(_) => "WIRE-012",
            IssueKind::EmptyRefinement
            | IssueKind::RefinementTooLong(_)
            | IssueKind::BadRefinement(_)
            | IssueKind::UnknownRefinement(_)
            | IssueKind::ContradictoryRefinement => "WIRE-013",
            IssueKind::NotMinimal | IssueKind::BinaryString => "WIRE-015",
            IssueKind::TrailingBytes(_) | IssueKind::HugeHeader(_) => "WIRE-017",
        }
    }
}

impl fmt::Display for IssueKind {
    fn fmt(&self, f: &mut fmt::Formatter<'_>) -> fmt::Result {
        match self {
            IssueKind::Json(problem) => write!(f, "{problem}"),
            IssueKind::Malformed(what) => write!(f, "malformed MessagePack: {what}"),
            IssueKind::TooDeep => f.write_str("nested too deeply"),
            IssueKind::TooLarge(what) => f.write_str(what),
            IssueKind::WrongShape { wanted, found } => write!(f, "{wanted} is required, {found} was sent"),
            IssueKind::AttributeCount { wanted, found } => {
                write!(f, "an object with {wanted} attributes is required ({found} given)")
            }
            IssueKind::EmptyObject => f.write_str("an empty map stands for an object that has attributes"),
            IssueKind::UnsupportedAttribute(name) => write!(f, "unsupported attribute {name:?}"),
            IssueKind::DuplicateAttribute(name) => write!(f, "attribute {name:?} is given twice"),
            IssueKind::MissingAttribute(name) => write!(f, "attribute {name:?} is missing"),
            IssueKind::AttributeNameNotAString => f.write_str("the name of an attribute is not a string"),
            IssueKind::KeyNotAString => f.write_str("a key is not a string"),
            IssueKind::TupleLength { wanted, found } => {
                write!(f, "a tuple of {wanted} elements is required ({found} given)")
            }
            IssueKind::DynamicForm => f.write_str("a dynamic value must be an array of type and value"),
            IssueKind::DynamicType(error) => write!(f, "the type of a dynamic value is malformed: {error}"),
            IssueKind::MixedElementTypes => f.write_str("elements of one collection have different types"),
            IssueKind::NotANumber => f.write_str("NaN is not a valid number"),
            IssueKind::BadNumber(error) => write!(f, "a number is required: {error}"),
            IssueKind::Infinity => f.write_str("an infinity can never be stored in state"),
            IssueKind::IntegralDoubleLosesDigits => f.write_str(
                "an integer beyond 64 bits is sent as a double, so that its text is another number",
            ),
            IssueKind::IntegralDouble => f.write_str("an integer is sent as a double"),
            IssueKind::InvalidUtf8 => f.write_str("a string is not UTF-8"),
            IssueKind::NotNfc => f.write_str("a string is not in Unicode normalisation form C"),
            IssueKind::BinaryString => f.write_str("binary and string families are exchanged"),
            IssueKind::NotMinimal => f.write_str("a number is written longer than needed"),
            IssueKind::DuplicateKey(key) => write!(f, "map key {key:?} is given twice"),
            IssueKind::DuplicateElement => f.write_str("a set holds an element twice"),
            IssueKind::ExtensionCode(code) => {
                write!(f, "a plain unknown has extension code {code} instead of 0")
            }
            IssueKind::UnsupportedExtension(code) => write!(f, "extension code {code} is not supported"),
            IssueKind::EmptyRefinement => f.write_str("a refined unknown has no refinement"),
            IssueKind::RefinementTooLong(length) => {
                write!(f, "a refinement of {length} bytes, 1024 are allowed")
            }
            IssueKind::BadRefinement(what) => write!(f, "bad refinement: {what}"),
            IssueKind::UnknownRefinement(key) => write!(f, "unknown refinement {key}"),
            IssueKind::ContradictoryRefinement => f.write_str("the bounds of an unknown exclude every value"),
            IssueKind::TrailingBytes(1) => f.write_str("1 byte follows the value"),
            IssueKind::TrailingBytes(count) => write!(f, "{count} bytes follow the value"),
            IssueKind::HugeHeader(count) => {
                write!(f, "a header announces {count} elements that are not there")
            }
        }
    }
}
