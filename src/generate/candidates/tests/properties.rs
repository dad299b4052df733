//! What holds for all facts.

use proptest::prelude::*;

use super::*;
use crate::generate::candidates::go_regex::GoRegex;
use crate::generate::candidates::slots::{expression, filled};
use crate::generate::candidates::walk::{only, walks};
use crate::generate::candidates::{FIRST, permits};
use crate::generate::facts::Span;
use crate::generate::witness::{Format, Nth, word};
use crate::value::{Number, Value};

fn spans(most: u64) -> impl Strategy<Value = Span> {
    (0..most, 0..most).prop_map(|(a, b)| Span::new(Some(a.min(b)), Some(a.max(b))))
}

/// Expressions as validators have them.
const PATTERNS: &[&str] = &[
    "^[a-z][a-z0-9-]{1,61}[a-z0-9]$",
    "[0-9]",
    "^[A-Z]",
    "^(GMT|GMT[+-][0-9]{1,2}:[0-9]{2})$",
    "^arn:[\\w-]+:([a-zA-Z0-9\\-])+:.*$",
    "^([a-z]+(-[a-z]+)*\\.)+[a-z]{2,6}$",
    "^\\d{12}$",
    "^[[:alpha:]][[:alnum:]_]*$",
    "^(?i)sg-[0-9a-f]{8,17}$",
    "[^\\s]",
    "^.{3,}$",
    "^(([a-z]{2}){2}){1,3}$",
    "^/(?:[\\w.]+/)*[\\w.]+$",
    "\\.json$",
    "^$|^[0-9]+$",
    "(?=look)around",
];

fn constraints() -> impl Strategy<Value = Constraint> {
    let texts = || prop::collection::vec("[a-c1-3/.-]{0,4}", 1..4);
    let number = || prop::option::of((-50i64..200).prop_map(Number::from_i64));
    prop_oneof![
        texts().prop_map(Constraint::OneOf),
        texts().prop_map(Constraint::NoneOf),
        spans(80).prop_map(Constraint::Bytes),
        spans(80).prop_map(Constraint::Chars),
        (number(), number()).prop_map(|(min, max)| Constraint::Range { min, max }),
        (-3i64..90).prop_map(Constraint::DivisibleBy),
        prop::sample::select(PATTERNS).prop_map(|text| Constraint::Pattern(text.to_owned())),
        prop::sample::select(PATTERNS).prop_map(|text| Constraint::NotPattern(text.to_owned())),
        "[a-e0-3 /.]{1,3}".prop_map(Constraint::NoneOfChars),
        Just(Constraint::Whole),
        prop::sample::select(&Format::ALL).prop_map(Constraint::Format),
        "[a-z/.-]{1,5}".prop_map(Constraint::Literal),
        "[a-z/.-]{1,5}".prop_map(Constraint::Prefix),
        "[a-z/.-]{1,5}".prop_map(Constraint::Suffix),
        "[a-z/.-]{1,5}".prop_map(Constraint::Contains),
        "(yyyy|2006|hh|15|[:. -])(mm|01|[:. -]){0,3}".prop_map(Constraint::Layout),
        "[a-z ]{0,20}(digits|upper|special|letters)".prop_map(Constraint::Characters),
        Just(Constraint::UrlSchemes(vec!["https".to_owned(), "ftp".to_owned()])),
        spans(140).prop_map(Constraint::PrefixLength),
        spans(5).prop_map(Constraint::Count),
        Just(Constraint::Unique),
    ]
}

fn facts_of_any_kind() -> impl Strategy<Value = ValueFacts> {
    let fact = (constraints(), any::<bool>(), 0u32..4).prop_map(|(constraint, is_hard, answer)| Fact {
        constraint,
        strength: if is_hard { Strength::Hard } else { Strength::Soft },
        evidence: Evidence { answer, ..Evidence::default() },
    });
    prop::collection::vec(fact, 0..5).prop_map(|known| {
        let mut facts = ValueFacts::default();
        known.into_iter().for_each(|fact| {
            facts.add(fact);
        });
        facts
    })
}

fn value(ty: &Type, text: &str) -> Value {
    match ty {
        Type::Number => Value::number(Number::parse(text).unwrap()),
        Type::Bool => Value::bool(text.parse().unwrap()),
        _ => Value::string(text),
    }
}

fn words() -> impl Strategy<Value = String> {
    any::<u32>().prop_map(|salt| word("place", u64::from(salt), FIRST))
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(96))]

    #[test]
    fn every_candidate_satisfies_what_is_demanded(
        facts in facts_of_any_kind(),
        ty in prop::sample::select(&[Type::String, Type::Number, Type::Bool]),
        name in prop::sample::select(&["anything", "role_arn", "engine_type", "port", "ttl", "file"]),
        in_set in any::<bool>(),
    ) {
        let place = Place { in_set, ..place(name, &ty) };
        for candidate in candidates(&place, &facts) {
            for (element, variant) in [(0, 0), (1, 0), (3, 1)] {
                let text = candidate.render(super::super::SAMPLES[0], Nth::new(element, variant));
                prop_assert!(permits(&facts, &value(&ty, &text)), "{}: {text}", candidate.name());
            }
        }
    }

    #[test]
    fn a_name_stands_for_one_candidate(facts in facts_of_any_kind(), at_apply in any::<bool>()) {
        let place = Place { at_apply, ..place("anything", &Type::String) };
        for candidate in candidates(&place, &facts) {
            let named = Candidate::named(candidate.name(), &place);
            let named = named.ok_or_else(|| TestCaseError::fail(candidate.name().to_owned()))?;
            prop_assert_eq!(named.name(), candidate.name());
            prop_assert_eq!(text(&named), text(&candidate));
        }
    }

    #[test]
    fn different_words_make_different_texts_where_there_is_room(
        facts in facts_of_any_kind(), one in words(), other in words(),
    ) {
        prop_assume!(one != other);
        for candidate in candidates(&place("anything", &Type::String), &facts) {
            let [first, second] = [&one, &other].map(|word| candidate.render(word, FIRST));
            if first.contains(one.as_str()) {
                prop_assert_ne!(first, second);
            } else if !candidate.holds_word() {
                prop_assert_eq!(first, second);
            }
        }
    }

    #[test]
    fn walks_match_their_expression(
        pattern in "\\^?([a-z]|[0-9]|\\[a-f\\]|\\[\\[:upper:\\]\\]|\\\\d|\\\\w|\\.|(\\([a-z]\\|x-?\\[0-9\\]\\)))([+*?]|\\{2,5\\})?(-[a-z]\\+)?\\$?",
        word in words(),
        span in (0usize..12, 12usize..40),
    ) {
        let Some(regex) = GoRegex::parse(&pattern) else { return Ok(()) };
        for slots in walks(regex.hir(), &(span.0..=span.1), "") {
            let text = filled(&slots, &word);
            prop_assert!(regex.matches(&text), "{pattern}: {text}");
            prop_assert!((span.0..=span.1).contains(&text.chars().count()), "{pattern}: {text}");
            let again = GoRegex::parse(&expression(&slots)).and_then(|regex| only(regex.hir()));
            prop_assert_eq!(Some(slots), again);
        }
    }
}

#[test]
fn walks_find_texts_for_the_expressions_of_validators() {
    for pattern in PATTERNS.iter().filter(|pattern| !pattern.contains("(?=")) {
        let regex = GoRegex::parse(pattern).unwrap();
        let texts: Vec<String> =
            walks(regex.hir(), &(0..=100), "").iter().map(|slots| filled(slots, WORD)).collect();
        assert!(texts.iter().any(|text| regex.matches(text)), "{pattern}: {texts:?}");
    }
}
