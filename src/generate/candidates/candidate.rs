//! A way to write a value.

use std::path::{Path, PathBuf};
use std::sync::Arc;

use super::Place;
use super::go_regex::GoRegex;
use super::network;
use super::rules::Rules;
use super::slots::{self, Slot, filled};
use super::walk;
use crate::generate::names;
use crate::generate::witness::{self, Format, Nth};
use crate::value::Type;

/// A way to write a value of one place.
#[derive(Clone, Debug)]
pub struct Candidate {
    name: String,
    form: Form,
    ty: Type,
    /// What the text of any element must satisfy, if the first one does.
    rules: Arc<Rules>,
}

#[derive(Clone, Debug, PartialEq)]
enum Form {
    /// A text, and those that further elements of a set get.
    Fixed {
        text: String,
        others: Vec<String>,
    },
    Text(Vec<Slot>),
    /// A file of this folder, or of none in particular.
    File {
        folder: Option<PathBuf>,
        slots: Vec<Slot>,
    },
    Format {
        format: Format,
        style: usize,
        at_apply: bool,
    },
    Network {
        is_v6: bool,
        bits: u64,
    },
    Number {
        is_port: bool,
        in_set: bool,
    },
    Bool,
}

impl Form {
    fn file(slots: Vec<Slot>, place: &Place<'_>) -> Form {
        Form::File { folder: place.scratch.map(Path::to_owned), slots }
    }
}

impl Candidate {
    fn new(name: String, form: Form, place: &Place<'_>) -> Candidate {
        Candidate { name, form, ty: place.ty.clone(), rules: Arc::default() }
    }

    /// A text of the provider's or ours; the source tells apart where it is from.
    pub(super) fn fixed(source: &str, text: &str, place: &Place<'_>) -> Candidate {
        let form = Form::Fixed { text: text.to_owned(), others: Vec::new() };
        Candidate::new(format!("{source} {text}"), form, place)
    }

    /// A text that is made up. In a place that names a file of the machine it is one of the scratch folder.
    pub(super) fn text(slots: Vec<Slot>, place: &Place<'_>) -> Candidate {
        let expression = slots::expression(&slots);
        let name = if expression == WORD { "word".to_owned() } else { format!("text {expression}") };
        let form = if place.is_file() { Form::file(slots, place) } else { Form::Text(slots) };
        Candidate::new(name, form, place)
    }

    /// The default text.
    pub(super) fn word(place: &Place<'_>) -> Candidate {
        Candidate::text(slots::free(witness::WORD_LENGTH, ""), place)
    }

    /// A format in one of its styles, counted from 0.
    pub(super) fn format(format: Format, style: usize, place: &Place<'_>) -> Candidate {
        let name = match style {
            0 => format.name().to_owned(),
            _ => format!("{} {}", format.name(), style + 1),
        };
        let form = match format {
            Format::Path if place.at_apply => Form::file(slots::free(witness::WORD_LENGTH, ""), place),
            Format::AbsolutePath if place.at_apply => Form::File {
                folder: place.folder().map(Path::to_owned),
                slots: slots::free(witness::WORD_LENGTH, ""),
            },
            _ => Form::Format { format, style, at_apply: place.at_apply },
        };
        Candidate::new(name, form, place)
    }

    /// The default number.
    pub(super) fn number(place: &Place<'_>) -> Candidate {
        let form = Form::Number { is_port: names::is_port(place.name), in_set: place.in_set };
        Candidate::new("number".to_owned(), form, place)
    }

    /// One bool, and the other one for the next element.
    pub(super) fn bool(place: &Place<'_>) -> Candidate {
        Candidate::new("bool".to_owned(), Form::Bool, place)
    }

    /// A network of either family.
    pub(super) fn network(is_v6: bool, bits: u64, place: &Place<'_>) -> Candidate {
        let family = if is_v6 { Format::Cidr6 } else { Format::Cidr4 };
        Candidate::new(format!("{} /{bits}", family.name()), Form::Network { is_v6, bits }, place)
    }

    /// The candidate of a name, for any place; `None` if no candidate has it.
    pub(super) fn named(name: &str, place: &Place<'_>) -> Option<Candidate> {
        let (first, rest) = name.split_once(' ').unwrap_or((name, ""));
        match first {
            "word" => Some(Candidate::word(place)),
            "text" => walk::only(GoRegex::parse(rest)?.hir()).map(|slots| Candidate::text(slots, place)),
            "enum" | "literal" | "other" => Some(Candidate::fixed(first, rest, place)),
            "number" if rest.is_empty() => Some(Candidate::number(place)),
            "number" => Some(Candidate::fixed(first, rest, place)),
            "bool" if *place.ty == Type::Bool => Some(Candidate::bool(place)),
            _ => {
                let format = Format::named(first)?;
                if let Some(bits) = rest.strip_prefix('/') {
                    return Some(Candidate::network(format == Format::Cidr6, bits.parse().ok()?, place));
                }
                let style = if rest.is_empty() { 0 } else { rest.parse::<usize>().ok()?.checked_sub(1)? };
                let is_known = style < witness::n_styles(format, place.at_apply);
                is_known.then(|| Candidate::format(format, style, place))
            }
        }
    }

    /// Stable: facts that come to be known later do not change what a name stands for.
    pub fn name(&self) -> &str {
        &self.name
    }

    /// Whether the word is part of the value, so that different scenarios get different values.
    pub fn holds_word(&self) -> bool {
        match &self.form {
            Form::Text(slots) | Form::File { slots, .. } => {
                slots.iter().any(|slot| matches!(slot, Slot::Free(_)))
            }
            Form::Format { format, style, at_apply } => witness::holds_word(*format, *style, *at_apply),
            _ => false,
        }
    }

    /// The value as a text; that of a number or a bool is what a configuration would say.
    ///
    /// The word consists of lower-case letters, and differs from element to element.
    pub fn render(&self, word: &str, nth: Nth) -> String {
        let text = self.written(word, nth);
        // Other elements of a format may be longer than the first one.
        if self.rules.permits_text(&self.ty, &text) { text } else { self.written(word, FIRST) }
    }

    /// The same candidate, whose further elements keep to the rules too.
    pub(super) fn with_rules(self, rules: &Arc<Rules>) -> Candidate {
        Candidate { rules: rules.clone(), ..self }
    }

    /// The same candidate, with texts for the elements of a set after the first.
    pub(super) fn with_others(mut self, texts: &[String]) -> Candidate {
        if let Form::Fixed { text, others } = &mut self.form {
            let own = texts.iter().position(|other| other == text).map_or(0, |own| own + 1);
            let around = texts[own..].iter().chain(&texts[..own]);
            *others = around.filter(|other| *other != text).cloned().collect();
        }
        self
    }

    /// The text, if it is the same for each word and element.
    pub fn fixed_text(&self) -> Option<&str> {
        match &self.form {
            Form::Fixed { text, .. } => Some(text),
            _ => None,
        }
    }

    fn written(&self, word: &str, nth: Nth) -> String {
        match &self.form {
            Form::Fixed { text, others } => match nth.element.checked_sub(1) {
                Some(idx) if !others.is_empty() => others[(idx % others.len() as u64) as usize].clone(),
                _ => text.clone(),
            },
            Form::Text(slots) => filled(slots, word),
            Form::File { folder, slots } => {
                let name = filled(slots, word);
                match folder {
                    Some(folder) => folder.join(name.trim_start_matches('/')).to_string_lossy().into_owned(),
                    None => name.rsplit('/').next().unwrap_or_default().to_owned(),
                }
            }
            Form::Format { format, style, at_apply } => {
                witness::formatted_as(*format, *style, *at_apply, nth, word)
            }
            Form::Network { is_v6, bits } => network::written(*is_v6, *bits, nth),
            Form::Number { is_port, in_set } => {
                witness::number(*is_port, *in_set || nth.element > 0, nth).to_string()
            }
            Form::Bool => (nth.element + nth.variant).is_multiple_of(2).to_string(),
        }
    }
}

/// The element and the variant that decide whether a candidate fits.
pub(super) const FIRST: Nth = Nth::new(0, 0);

/// The default word as an expression.
const WORD: &str = "[a-z]{9}";
