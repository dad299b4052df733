//! Conclusions about values.

use std::sync::LazyLock;

use regex::Regex;

use super::go_text::{maybe_escaped, unquoted};
use super::list::members;
use super::message::{Of, Teaching};
use super::reading::{Hit, Reading};
use super::sent::ECHO;
use super::{compiled, key};
use crate::generate::facts::{Constraint, Span, Strength};
use crate::generate::lesson::Edit;
use crate::generate::model::NodeId;
use crate::generate::witness::Format;
use crate::value::{Number, Type};

static OF_LETTERS: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?i)character|letter|long\b|length|digit|byte"));
static OF_ELEMENTS: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?i)\b(?:item|element|block|entries|entry)"));

impl Reading<'_> {
    /// What a hit says of values; nothing if it says nothing of them.
    pub fn values(&self, hit: &Hit<'_>) -> Vec<Edit> {
        let Some((at, is_told)) = self.valued() else { return Vec::new() };
        let mut edits = Vec::new();
        let mut add = |constraint, strength| {
            edits.push(Edit::Value { path: self.places.path(at).to_owned(), constraint, strength });
        };
        let of = match hit.message.teaches {
            Teaching::Bytes { of, .. } | Teaching::Pattern { of } if of != Of::Either => of,
            _ => self.refused_in_map(),
        };
        for constraint in self.constraint(hit, at).into_iter().filter(|one| self.may_have(at, one)) {
            let strength = match constraint {
                _ if !is_told => Strength::Soft,
                // One accepted text does not make others wrong.
                Constraint::Literal(_) => Strength::Soft,
                Constraint::OneOf(_) if !is_sure(hit) => Strength::Soft,
                _ => hit.strength(),
            };
            let of_keys = || Constraint::Key(Box::new(constraint.clone()));
            match of {
                Of::Keys => add(of_keys(), strength),
                Of::Either if may_be_of_keys(&constraint) => {
                    add(of_keys(), Strength::Soft);
                    add(constraint, Strength::Soft);
                }
                Of::Either | Of::Values => add(constraint, strength),
            }
        }
        edits
    }

    /// The argument that a value belongs to: that of the complaint, or the only one in it that the text mentions.
    /// Also whether it is more than mentioned.
    fn valued(&self) -> Option<(NodeId, bool)> {
        let at = self.complaint.at;
        let has_value = |id: NodeId| self.places.primitive(id).is_some();
        if at.is_some_and(has_value) {
            return at.map(|at| (at, true));
        }
        let mentioned = self.mentioned(&self.complaint.text);
        let mut inside = mentioned.iter().filter_map(|path| self.places.absolute(path));
        match (inside.next(), inside.next()) {
            (Some(only), None) if has_value(only) => Some((only, false)),
            _ => at.map(|at| (at, true)),
        }
    }

    /// Whether values of an argument can be as a constraint says.
    fn may_have(&self, at: NodeId, constraint: &Constraint) -> bool {
        let is_of_elements =
            matches!(constraint, Constraint::Count(_) | Constraint::Unique | Constraint::NoNullElements);
        is_of_elements
            || self.places.primitive(at).is_some()
            || self.places.model.node(at).ty == Type::Dynamic
    }

    fn constraint(&self, hit: &Hit<'_>, at: NodeId) -> Vec<Constraint> {
        let text = || hit.group("text").map(str::to_owned).filter(|text| !text.is_empty() && text != ECHO);
        let pattern = || hit.group("pattern").map(maybe_escaped);
        let primitive = self.places.primitive(at);
        let is_text = matches!(primitive, Some(Type::String));
        let one = match &hit.message.teaches {
            Teaching::OneOf {} => self.one_of(hit).map(Constraint::OneOf),
            Teaching::NoneOf {} => {
                let texts = hit.raw_list().map(|list| members(list).texts).unwrap_or_default();
                (!texts.is_empty()).then_some(Constraint::NoneOf(texts))
            }
            Teaching::Bytes { .. } | Teaching::Chars {} if !is_text => None,
            Teaching::Bytes { min, max, .. } => span(hit, *min, *max).map(Constraint::Bytes),
            Teaching::Chars {} => span(hit, None, None).map(Constraint::Chars),
            Teaching::Range { .. } if is_text && hit.strength() == Strength::Soft && is_of_letters(hit) => {
                None
            }
            Teaching::Range { min, max } => range(hit, *min, *max),
            Teaching::Size {} => return self.size(hit, at),
            Teaching::DivisibleBy {} => {
                hit.group("size").and_then(|size| size.parse().ok()).map(Constraint::DivisibleBy)
            }
            Teaching::Pattern { .. } => pattern().map(Constraint::Pattern),
            Teaching::NotPattern {} => pattern().map(Constraint::NotPattern),
            Teaching::NoneOfChars {} => {
                // Unlike an expression it never has backslashes that stand for themselves.
                let quoted = hit.group("pattern").map(|inside| format!("\"{inside}\""));
                quoted.and_then(|quoted| unquoted(&quoted)).map(|(chars, _)| Constraint::NoneOfChars(chars))
            }
            Teaching::Count {} => span(hit, None, None).map(Constraint::Count),
            Teaching::Unique {} => Some(Constraint::Unique),
            Teaching::NoNullElements {} => Some(Constraint::NoNullElements),
            Teaching::Whole {} => Some(Constraint::Whole),
            Teaching::Format { format } => {
                let format = format.or_else(|| primitive_format(hit.group("format")?));
                match (format, primitive) {
                    (Some(Format::Int), Some(Type::Number)) => Some(Constraint::Whole),
                    (_, Some(Type::Number | Type::Bool)) => None,
                    (format, _) => format.map(Constraint::Format),
                }
            }
            Teaching::Literal { text: always } => text().or_else(|| always.clone()).map(Constraint::Literal),
            Teaching::Prefix {} => text().map(Constraint::Prefix),
            Teaching::Suffix {} => text().map(|text| Constraint::Suffix(symbol(text))),
            Teaching::Contains {} => text().map(Constraint::Contains),
            Teaching::Layout {} => text().map(Constraint::Layout),
            Teaching::Characters {} => {
                // The name of the argument may sound like a kind of characters (`digits`), and the path that the framework
                // puts in front (`Attribute x[{…}]`) differs from answer to answer: both are left out.
                Some(Constraint::Characters(hit.body.unnamed.replace("Attribute  ", "").trim().to_owned()))
            }
            Teaching::UrlSchemes {} => {
                let schemes: Vec<String> = hit
                    .group("list")
                    .map(key::split)
                    .unwrap_or_default()
                    .into_iter()
                    .map(str::to_owned)
                    .collect();
                (!schemes.is_empty()).then_some(Constraint::UrlSchemes(schemes))
            }
            Teaching::PrefixLength {} => span(hit, None, None).map(Constraint::PrefixLength),
            // Of a path with folders it may be one of these that is missing, and the file is to be written.
            Teaching::MissingFile {} => {
                let is_name = self.refused().is_some_and(|name| !name.contains(['/', '\\']));
                (is_name && is_text).then_some(Constraint::Format(Format::File))
            }
            Teaching::NextSegment {} => {
                text().map(|segment| Constraint::Literal(self.longer(&format!("/{segment}/example"))))
            }
            Teaching::PadSegment {} => Some(Constraint::Literal(self.longer("/example"))),
            Teaching::Required {}
            | Teaching::Forbidden {}
            | Teaching::RequiredWhen {}
            | Teaching::ForbiddenWhen {}
            | Teaching::Mentioned {}
            | Teaching::AtMostOne { .. }
            | Teaching::AtLeastOne { .. }
            | Teaching::ExactlyOne { .. }
            | Teaching::Together {}
            | Teaching::SetIfUnset {}
            | Teaching::OneTrue {}
            | Teaching::Relation {}
            | Teaching::Prose {} => None,
        };
        one.into_iter().collect()
    }

    /// The members of a list without the value that was refused, which prose repeats.
    fn one_of(&self, hit: &Hit<'_>) -> Option<Vec<String>> {
        let mut texts = members(hit.raw_list()?).texts;
        texts.retain(|text| Some(text.as_str()) != self.refused() && text != ECHO);
        (!texts.is_empty()).then_some(texts)
    }

    /// A range of numbers, as what the type and the words say.
    fn size(&self, hit: &Hit<'_>, at: NodeId) -> Vec<Constraint> {
        let text = hit.body.text;
        let lengths = || span(hit, None, None);
        let is_collection = self.places.is_collection(at);
        let found = match self.places.primitive(at) {
            _ if is_collection && OF_ELEMENTS.is_match(text) => [lengths().map(Constraint::Count), None],
            Some(Type::Number) => [range(hit, None, None), None],
            Some(Type::String) if is_of_letters(hit) => [lengths().map(Constraint::Bytes), None],
            Some(Type::String) => [lengths().map(Constraint::Bytes), range(hit, None, None)],
            _ => [None, None],
        };
        found.into_iter().flatten().collect()
    }

    /// The path that was refused with more at its end; a name that is no path yet gives way to one.
    fn longer(&self, end: &str) -> String {
        let sent = self.refused().filter(|sent| sent.contains('/')).unwrap_or_default();
        format!("{}{end}", sent.trim_end_matches('/'))
    }
}

/// Whether its numbers count letters.
fn is_of_letters(hit: &Hit<'_>) -> bool {
    OF_LETTERS.is_match(hit.body.text)
}

fn is_sure(hit: &Hit<'_>) -> bool {
    hit.raw_list().is_none_or(|list| members(list).is_sure)
}

/// Whether validators of map keys say it.
fn may_be_of_keys(constraint: &Constraint) -> bool {
    matches!(
        constraint,
        Constraint::OneOf(_)
            | Constraint::NoneOf(_)
            | Constraint::Pattern(_)
            | Constraint::NotPattern(_)
            | Constraint::Bytes(_)
            | Constraint::Chars(_)
    )
}

/// The ends of a range of sizes; a negative one is open.
fn span(hit: &Hit<'_>, min: Option<i64>, max: Option<i64>) -> Option<Span> {
    let read = |group: &str, fixed: Option<i64>| {
        let found = hit.group(group).or_else(|| hit.group("size")).and_then(|text| text.parse().ok());
        found.or_else(|| fixed.and_then(|end| u64::try_from(end).ok()))
    };
    Some(Span::new(read("min", min), read("max", max))).filter(|span| *span != Span::default())
}

fn range(hit: &Hit<'_>, min: Option<i64>, max: Option<i64>) -> Option<Constraint> {
    let read = |group: &str, fixed: Option<i64>| {
        let text = hit.group(group).or_else(|| hit.group("size"));
        // A full stop may follow.
        let found = text.and_then(|text| Number::parse(text.trim_end_matches('.')).ok());
        found.or_else(|| fixed.map(Number::from_i64))
    };
    let next = |group: &str, step: f64| {
        let end: f64 = hit.group(group)?.parse().ok()?;
        // Most such numbers are whole; the end itself is refused.
        let inside = if end.fract() == 0.0 { end + step } else { end };
        Number::from_f64(inside).ok()
    };
    let (min, max) =
        (read("min", min).or_else(|| next("above", 1.0)), read("max", max).or_else(|| next("below", -1.0)));
    (min.is_some() || max.is_some()).then_some(Constraint::Range { min, max })
}

/// The format of a text that is parsed as a primitive type of Go.
fn primitive_format(ty: &str) -> Option<Format> {
    match ty {
        "bool" | "boolean" => Some(Format::Bool),
        "int" | "uint" => Some(Format::Int),
        "float" => Some(Format::Float),
        _ => None,
    }
}

/// A character that is called by its name, or the text as it is.
fn symbol(text: String) -> String {
    let named = match text.to_ascii_lowercase().as_str() {
        "dot" | "period" => ".",
        "slash" => "/",
        "hyphen" => "-",
        "newline" => "\n",
        _ => return text,
    };
    named.to_owned()
}
