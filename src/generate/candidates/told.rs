//! What the facts about a place propose.

use super::charset;
use super::go_regex::GoRegex;
use super::patterns;
use super::slots::fixed;
use super::walk::walks;
use super::words::TextShape;
use super::{Candidate, Place, layout, network, numbers};
use crate::generate::facts::{Constraint, Fact, Strength, ValueFacts};
use crate::generate::witness::{Format, n_styles};
use crate::value::{Number, Type};

/// Members of enums, then what matches patterns, literals, numbers of ranges, formats.
pub(super) fn told(place: &Place<'_>, facts: &ValueFacts) -> Vec<Candidate> {
    let mut sorted: Vec<&Fact> = facts.facts.iter().collect();
    sorted.sort_by_key(|fact| fact.strength != Strength::Hard);
    let known = || sorted.iter().map(|fact| &fact.constraint);
    let mut found = Vec::new();
    for constraint in known() {
        if let Constraint::OneOf(texts) = constraint {
            found.extend(texts.iter().map(|text| Candidate::fixed("enum", text, place)));
        }
    }
    // An empty member is legal, and the least telling.
    found.sort_by_key(|member: &Candidate| member.fixed_text() == Some(""));
    let is_text = *place.ty == Type::String;
    if is_text {
        found.extend(matching(place, facts, known().collect()));
    }
    let told = sorted.iter().filter(|fact| !is_text || !is_hearsay(fact));
    found.extend(told.filter_map(|fact| literal(fact, place)));
    let is_number = *place.ty == Type::Number;
    let is_like_number = known()
        .any(|c| matches!(c, Constraint::Range { .. } | Constraint::DivisibleBy(_) | Constraint::Whole));
    if is_number || (is_text && is_like_number) {
        found.extend(numbers::ends(facts).iter().map(|number| of_number(number, place)));
        found.extend(is_number.then(|| Candidate::number(place)));
        found.extend(numbers::usual().map(|number| of_number(&number, place)));
        found.push(Candidate::fixed("number", "1.5", place));
    }
    if *place.ty == Type::Bool {
        found.push(Candidate::bool(place));
        found.extend(["true", "false"].map(|text| Candidate::fixed("other", text, place)));
    }
    if is_text {
        known().for_each(|constraint| found.extend(formatted(place, constraint)));
    }
    found
}

/// Texts that a description or an example gives.
pub(super) fn examples(place: &Place<'_>, facts: &ValueFacts) -> Vec<Candidate> {
    facts.facts.iter().filter(|fact| is_hearsay(fact)).filter_map(|fact| literal(fact, place)).collect()
}

/// IDs as remote systems make them: a prefix that ends in a letter, a hyphen and hexadecimal digits.
pub(super) fn made_ids(place: &Place<'_>, facts: &ValueFacts) -> Vec<Candidate> {
    const DIGITS: &str = "0a1b2c3d4e5f67890";
    let prefixes = facts.facts.iter().filter_map(|fact| match &fact.constraint {
        Constraint::Prefix(prefix) if prefix.ends_with(char::is_alphanumeric) => Some(prefix),
        _ => None,
    });
    prefixes.map(|prefix| Candidate::fixed("literal", &format!("{prefix}-{DIGITS}"), place)).collect()
}

/// Values that examples of the documentation show.
pub(super) fn shown(place: &Place<'_>, facts: &ValueFacts) -> Vec<Candidate> {
    facts.facts.iter().filter(|fact| fact.is_of_example()).filter_map(|fact| literal(fact, place)).collect()
}

/// Whether a fact is neither from an answer nor sure, as what a description says.
pub(super) fn is_hearsay(fact: &Fact) -> bool {
    fact.evidence.answer == 0 && fact.strength == Strength::Soft
}

fn literal(fact: &Fact, place: &Place<'_>) -> Option<Candidate> {
    match &fact.constraint {
        Constraint::Literal(text) => Some(Candidate::fixed("literal", text, place)),
        _ => None,
    }
}

fn of_number(number: &Number, place: &Place<'_>) -> Candidate {
    Candidate::fixed("number", &number.to_string(), place)
}

/// Texts for patterns and for named characters.
fn matching(place: &Place<'_>, facts: &ValueFacts, known: Vec<&Constraint>) -> Vec<Candidate> {
    let shape = TextShape::of(facts);
    let expressions = known.iter().filter_map(|constraint| match constraint {
        Constraint::Pattern(pattern) => Some(pattern.as_str()),
        _ => None,
    });
    let mut texts = patterns::texts(&expressions.collect::<Vec<_>>(), &shape);
    for constraint in known {
        if let Constraint::Characters(prose) = constraint {
            let regexes = charset::expressions(prose).into_iter().filter_map(GoRegex::parse);
            texts.extend(
                regexes.filter_map(|r| walks(r.hir(), &shape.lengths[0], &shape.avoid).into_iter().next()),
            );
        }
    }
    texts.into_iter().map(|slots| Candidate::text(slots, place)).collect()
}

/// Texts of the formats that a constraint asks for.
fn formatted(place: &Place<'_>, constraint: &Constraint) -> Vec<Candidate> {
    match constraint {
        Constraint::Format(format) => styles(*format, place),
        // At apply such a path has to stay in a folder of ours.
        Constraint::Prefix(prefix) if prefix == "/" => styles(Format::AbsolutePath, place),
        Constraint::Layout(layout) => vec![Candidate::fixed("literal", &layout::rendered(layout), place)],
        Constraint::UrlSchemes(schemes) => {
            let url = |scheme: &String| fixed(&format!("{scheme}://example.com/path"));
            schemes.iter().map(|scheme| Candidate::text(url(scheme), place)).collect()
        }
        Constraint::PrefixLength(span) => {
            let lengths = network::lengths(*span).into_iter();
            lengths.map(|(is_v6, bits)| Candidate::network(is_v6, bits, place)).collect()
        }
        _ => Vec::new(),
    }
}

/// A format in all its styles. Of keys and certificates, the kind that the name tells comes first.
pub(super) fn styles(format: Format, place: &Place<'_>) -> Vec<Candidate> {
    // In a folder of the user's there are no files of ours.
    if format == Format::File && place.scratch.is_some() {
        return Vec::new();
    }
    if format == Format::AbsolutePath && place.at_apply && place.folder().is_none() {
        return Vec::new();
    }
    let mut styles: Vec<usize> = (0..n_styles(format, place.at_apply)).collect();
    if format == Format::Pem {
        let has = |part: &str| place.name.contains(part);
        let first = match () {
            () if has("cert_request") || has("csr") => 4,
            () if has("public_key") => 5,
            () if has("rsa") => 3,
            () if has("ec_private") => 2,
            () if has("key") => 1,
            () => 0,
        };
        styles.sort_by_key(|style| *style != first);
    }
    styles.into_iter().map(|style| Candidate::format(format, style, place)).collect()
}
