//! Examples of each kind of constraint, and of the order.

use std::path::Path;

use super::*;
use crate::generate::candidates::{of_keys, permits, rules};
use crate::generate::facts::Span;
use crate::generate::witness::{Format, Nth};
use crate::value::{Number, Value};

fn owned(texts: &[&str]) -> Vec<String> {
    texts.iter().map(|text| (*text).to_owned()).collect()
}

fn range(min: i64, max: i64) -> Constraint {
    Constraint::Range { min: Some(Number::from_i64(min)), max: Some(Number::from_i64(max)) }
}

fn pattern(pattern: &str) -> Constraint {
    Constraint::Pattern(pattern.to_owned())
}

/// The first text for a string of which hard facts are known.
fn first(constraints: impl IntoIterator<Item = Constraint>) -> String {
    texts("anything", &Type::String, &hard(constraints)).remove(0)
}

#[test]
fn a_prefix_that_ends_in_a_letter_may_be_that_of_an_id() {
    let texts =
        |prefix: &str| texts("anything", &Type::String, &hard([Constraint::Prefix(prefix.to_owned())]));
    assert!(texts("peer").contains(&"peer-0a1b2c3d4e5f67890".to_owned()), "{:?}", texts("peer"));
    assert!(
        texts("peer").iter().position(|text| text.contains("peer-0a1b")) > Some(0),
        "the word comes first"
    );
    assert!(!texts("peer-").iter().any(|text| text.starts_with("peer--")), "{:?}", texts("peer-"));
}

#[test]
fn without_facts_the_name_or_the_default_word_comes_first() {
    let none = ValueFacts::default();
    for (name, expected) in [
        ("anything", WORD),
        ("role_arn", "arn:aws:iam::123456789012:role/tfchpqwxy"),
        ("engine_type", WORD),
        ("create_duration", "1h30m"),
    ] {
        assert_eq!(texts(name, &Type::String, &none)[0], expected, "{name}");
    }
    assert_eq!(texts("size", &Type::Number, &none)[..3], ["7", "1", "2"]);
    assert_eq!(texts("port", &Type::Number, &none)[0], "8080");
    assert_eq!(texts("enabled", &Type::Bool, &none), ["true", "false"]);
}

#[test]
fn each_constraint_is_satisfied() {
    let span = |min, max| Span::new(Some(min), Some(max));
    for (constraint, expected) in [
        (Constraint::OneOf(owned(&["", "B", "A"])), "B"),
        (Constraint::Bytes(span(12, 20)), "tfchpqwxyhpq"),
        (Constraint::Chars(span(2, 4)), "hpqw"),
        (pattern("^fs-[0-9a-f]{8}$"), "fs-bdfddaac"),
        (Constraint::NotPattern("^tfc".to_owned()), "7"),
        (Constraint::NoneOfChars("tfc".to_owned()), "badcbbbaa"),
        (Constraint::Prefix("vpc-".to_owned()), "vpc-tfchpqwxy"),
        (Constraint::Suffix(".example.com".to_owned()), "tfchpqwxy.example.com"),
        (Constraint::Contains("{username}".to_owned()), "tfchpqwxy{username}"),
        (Constraint::Format(Format::Ipv4), "192.0.2.4"),
        (Constraint::Literal("GMT".to_owned()), "GMT"),
        (Constraint::Layout("hh:mm".to_owned()), "04:30"),
        (Constraint::Characters("digits only".to_owned()), "571342000"),
        (Constraint::UrlSchemes(owned(&["ftp"])), "ftp://example.com/path"),
        (Constraint::PrefixLength(span(16, 28)), "10.0.0.0/16"),
        (range(60, 86_400), "60"),
        (Constraint::DivisibleBy(60), "60"),
    ] {
        let text = first([constraint.clone()]);
        match constraint {
            // Which letters they are is the matter of other tests.
            Constraint::Pattern(_) | Constraint::NoneOfChars(_) | Constraint::Characters(_) => {
                assert_eq!(text.len(), expected.len(), "{constraint:?}: {text}");
            }
            _ => assert_eq!(text, expected, "{constraint:?}"),
        }
    }
}

#[test]
fn constraints_of_several_kinds_hold_together() {
    let length = |min, max| Constraint::Chars(Span::new(Some(min), Some(max)));
    for (constraints, expected) in [
        (vec![Constraint::Prefix("/".to_owned()), length(1, 6)], "/hpqwx"),
        (vec![pattern("^[a-z][a-z0-9-]*[a-z0-9]$"), length(3, 63)], "tfchpqwxyh"),
        (vec![pattern("^[a-z]+$"), pattern("^.{12}$")], "tfchpqwxyhpq"),
        (vec![pattern("[0-9]"), pattern("[A-Z]"), length(8, 64)], ""),
        (vec![pattern("^a"), pattern("z$")], ""),
        (vec![pattern("^([a-z]+\\.)+[a-z]+$"), length(40, 50)], ""),
    ] {
        let facts = hard(constraints);
        let texts = texts("anything", &Type::String, &facts);
        assert!(!texts.is_empty(), "{facts:?}");
        if !expected.is_empty() {
            assert_eq!(texts[0], expected, "{facts:?}");
        }
    }
}

#[test]
fn numbers_are_members_or_ends_of_ranges_or_multiples() {
    let first = |constraints: Vec<Constraint>| texts("size", &Type::Number, &hard(constraints)).remove(0);
    assert_eq!(first(vec![Constraint::OneOf(owned(&["x", "16", "32"]))]), "16");
    assert_eq!(first(vec![range(60, 86_400)]), "60");
    assert_eq!(first(vec![range(100, 500), Constraint::DivisibleBy(60)]), "120");
    assert_eq!(
        first(vec![
            Constraint::Range { min: Some(Number::parse("0.5").unwrap()), max: None },
            Constraint::Whole
        ]),
        "1"
    );
    assert_eq!(texts("flag", &Type::Bool, &hard([Constraint::OneOf(owned(&["false"]))])), ["false"]);
}

#[test]
fn constraints_of_one_answer_may_be_alternatives() {
    let either = at_once([pattern("^GMT$"), pattern("^GMT[+-][0-9]{1,2}:[0-9]{2}$")]);
    assert_eq!(texts("zone", &Type::String, &either)[0], "GMT");
    assert_eq!(texts("zone", &Type::String, &either)[1].len(), "GMT+10:30".len());
    let both = at_once([pattern("^[a-z]"), pattern("[0-9]$")]);
    let texts_of_both = texts("zone", &Type::String, &both);
    assert!(texts_of_both[0].starts_with('t') && texts_of_both[0].ends_with(|c: char| c.is_ascii_digit()));
    // An empty text, or an address.
    let of_two_kinds = at_once([Constraint::OneOf(vec![String::new()]), Constraint::Format(Format::Ipv4)]);
    let found = texts("zone", &Type::String, &of_two_kinds);
    assert!(found.contains(&String::new()) && found.contains(&"192.0.2.4".to_owned()), "{found:?}");
    // What several answers say holds together, even if nothing does.
    assert!(texts("zone", &Type::String, &hard([pattern("^a$"), pattern("^b$")])).is_empty());
}

#[test]
fn what_was_accepted_comes_first_and_what_was_refused_is_left_out() {
    let mut facts = hard([Constraint::OneOf(owned(&["a", "b", "c"]))]);
    facts.good = owned(&["enum c"]);
    facts.bad.insert("enum a".to_owned());
    assert_eq!(texts("kind", &Type::String, &facts), ["c", "b"]);
    // The same text under another name was refused too.
    let mut facts = ValueFacts { good: owned(&["text fs\\-[a-z]{9}"]), ..ValueFacts::default() };
    facts.bad.insert("literal 7".to_owned());
    let found = texts("anything", &Type::String, &facts);
    assert_eq!(found[..2], ["fs-tfchpqwxy", WORD]);
    assert!(!found.contains(&"7".to_owned()));
}

#[test]
fn soft_facts_order_and_rule_nothing_out() {
    let soft =
        facts(Strength::Soft, [Constraint::OneOf(owned(&["a", "b"])), Constraint::Prefix("b".to_owned())]);
    let found = texts("anything", &Type::String, &soft);
    assert_eq!(found[..2], ["b", "a"]);
    assert!(found.contains(&WORD.to_owned()) && found.len() > 30);
}

#[test]
fn examples_in_descriptions_do_not_make_names_equal() {
    let said = |constraints: [Constraint; 2]| {
        let mut facts = facts(Strength::Soft, constraints);
        facts.facts.iter_mut().for_each(|fact| fact.evidence.answer = 0);
        facts
    };
    let example = || Constraint::Literal("my-bucket".to_owned());
    let facts = said([example(), Constraint::Format(Format::Json)]);
    assert_eq!(texts("display_name", &Type::String, &facts)[0], WORD);
    assert_eq!(texts("content", &Type::String, &facts)[0], format!("{{\"a\":\"{WORD}\"}}"));
    let facts = said([example(), Constraint::Chars(Span::new(None, Some(63)))]);
    assert_eq!(texts("bucket", &Type::String, &facts)[..2], [WORD, "my-bucket"]);
}

#[test]
fn elements_of_a_set_differ() {
    let facts = hard([Constraint::OneOf(owned(&["a", "b", "c"]))]);
    for (in_set, expected) in [(false, "aaaa"), (true, "abcb")] {
        let candidate = &candidates(&Place { in_set, ..place("kinds", &Type::String) }, &facts)[0];
        let texts = (0..4).map(|element| candidate.render(WORD, Nth::new(element, 0)));
        assert_eq!(texts.collect::<String>(), expected);
        assert!(!candidate.holds_word());
    }
}

#[test]
fn files_stay_in_the_scratch_folder_at_apply() {
    let facts = facts(
        Strength::Soft,
        [
            Constraint::Literal("/etc/passwd".to_owned()),
            Constraint::Literal("../other".to_owned()),
            Constraint::Suffix(".json".to_owned()),
            pattern("^/[a-z]+/\\.\\./[a-z]+$"),
        ],
    );
    for (scratch, folder) in [(Some(Path::new("/scratch")), "/scratch/"), (None, "")] {
        let place = Place { at_apply: true, scratch, ..place("output_path", &Type::String) };
        let found = candidates(&place, &facts);
        assert!(found.len() > 3);
        for candidate in found {
            let text = text(&candidate);
            let rest = text.strip_prefix(folder).unwrap_or(&text);
            assert!(!rest.contains('/') && rest != "..", "{text}");
        }
    }
}

#[test]
fn an_absolute_path_is_in_a_folder_of_ours_at_apply() {
    let absolute = Constraint::Format(Format::AbsolutePath);
    // As a provider says it whose path must begin with a slash.
    let prefix = Constraint::Prefix("/".to_owned());
    let (scratch, temporary) = (Some(Path::new("/scratch")), Some(Path::new("/temporary")));
    for facts in [absolute, prefix].map(|constraint| hard([constraint])) {
        for (scratch, temporary, folder) in [
            (scratch, temporary, "/scratch/"),
            (scratch, None, "/scratch/"),
            (None, temporary, "/temporary/"),
        ] {
            let place = Place { at_apply: true, scratch, temporary, ..place("volume_path", &Type::String) };
            let found = candidates(&place, &facts);
            assert!(!found.is_empty());
            assert!(found.iter().all(|candidate| text(candidate).starts_with(folder)), "{folder}");
        }
        let place = Place { at_apply: true, ..place("volume_path", &Type::String) };
        let found = candidates(&place, &facts);
        assert!(found.iter().all(|candidate| !text(candidate).starts_with('/')), "there is no such folder");
    }
}

#[test]
fn the_kind_of_a_key_is_told_by_its_name() {
    let facts = hard([Constraint::Format(Format::Pem)]);
    for (name, label) in [
        ("private_key", "BEGIN PRIVATE KEY"),
        ("rsa_private_key", "BEGIN RSA PRIVATE KEY"),
        ("cert_request_pem", "BEGIN CERTIFICATE REQUEST"),
        ("public_key", "BEGIN PUBLIC KEY"),
        ("ca_private_key_pem", "BEGIN PRIVATE KEY"),
        ("ca_bundle", "BEGIN CERTIFICATE-----"),
        ("tls", "BEGIN CERTIFICATE-----"),
    ] {
        let found = texts(name, &Type::String, &facts);
        assert!(found[0].contains(label), "{name}: {}", found[0]);
    }
}

#[test]
fn what_breaks_a_hard_constraint_is_not_permitted() {
    let facts = hard([range(1, 10), Constraint::Chars(Span::new(None, Some(3)))]);
    for (value, expected) in [
        (Value::number(7), true),
        (Value::number(11), false),
        (Value::string("7"), true),
        (Value::string("abc"), false),
        (Value::string("0007"), false),
        (Value::null(Type::Number), true),
        (Value::unknown(Type::String), true),
        (Value::list(Type::String, vec![Value::string("a long text")]), true),
    ] {
        assert_eq!(permits(&facts, &value), expected, "{value:?}");
        if value.ty().is_primitive() {
            assert_eq!(rules(value.ty(), &facts).permits(&value), expected, "{value:?}");
        }
    }
}

#[test]
fn what_is_said_of_keys_is_said_of_no_value() {
    let facts = hard([Constraint::Key(Box::new(pattern("^[a-z]+$")))]);
    assert!(permits(&facts, &Value::string("K1")));
    assert!(!permits(&of_keys(&facts), &Value::string("K1")));
    assert_eq!(texts("tags", &Type::String, &of_keys(&facts))[0], WORD.to_owned());
}
