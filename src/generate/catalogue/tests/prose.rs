//! What is concluded from the words of authors.

use super::*;

#[test]
fn prose_proposes() {
    let network = at("network").attribute("subnet");
    let at_least = |min| Constraint::Range { min: Some(Number::from_i64(min)), max: None };
    for (text, path, expected) in [
        ("must be one of: 'a', 'b'", at("mode"), vec![soft("mode", Constraint::OneOf(texts(&["a", "b"])))]),
        (
            "valid values are A, B or C",
            at("mode"),
            vec![soft("mode", Constraint::OneOf(texts(&["A", "B", "C"])))],
        ),
        (
            "mode must be ECPU or OCPU",
            at("mode"),
            vec![soft("mode", Constraint::OneOf(texts(&["ECPU", "OCPU"])))],
        ),
        (
            "invalid value for name (must be between 3 and 63 characters)",
            at("name"),
            vec![soft("name", Constraint::Bytes(Span::new(Some(3), Some(63))))],
        ),
        (
            "must be between 3 and 63",
            at("size"),
            vec![soft(
                "size",
                Constraint::Range { min: Some(Number::from_i64(3)), max: Some(Number::from_i64(63)) },
            )],
        ),
        ("must begin with custom-", at("name"), vec![soft("name", Constraint::Prefix("custom-".to_owned()))]),
        (
            "must begin with ACMECustom",
            at("name"),
            vec![soft("name", Constraint::Prefix("ACMECustom".to_owned()))],
        ),
        // What it must not begin with, and what is said of letters in general, is no prefix.
        ("must not begin with ACMECustom", at("name"), vec![]),
        ("must begin with an ASCII one", at("name"), vec![]),
        ("must be a valid IPv4 CIDR", at("a"), vec![soft("a", Constraint::Format(Format::Cidr4))]),
        (
            "must be a valid IPv4 address",
            network,
            vec![soft("network.subnet", Constraint::Format(Format::Ipv4))],
        ),
        (
            "only lowercase alphanumeric characters",
            at("name"),
            vec![soft("name", Constraint::Characters("only lowercase alphanumeric characters".to_owned()))],
        ),
        (
            "\"a\" is required when \"mode\" is \"fast\"",
            root(),
            vec![soft_rule(PresenceRule::When {
                path: "mode".to_owned(),
                is: "fast".to_owned(),
                then: Box::new(PresenceRule::Required("a".to_owned())),
            })],
        ),
        (
            "\"a\" must be set when \"b\" is set",
            root(),
            vec![soft_rule(PresenceRule::Together("b".to_owned(), set(&["a"])))],
        ),
        (
            "\"a\" cannot be set when \"b\" is specified",
            root(),
            vec![soft_rule(PresenceRule::AtMostOne(set(&["a", "b"])))],
        ),
        (
            "At least one rule must be specified",
            root(),
            vec![soft_rule(PresenceRule::AtLeastOne(set(&["rule"])))],
        ),
        (
            "One of 'mode' or 'name' must be specified",
            root(),
            vec![soft_rule(PresenceRule::AtLeastOne(set(&["mode", "name"])))],
        ),
        (
            "Either mode, name, or size is required",
            root(),
            vec![soft_rule(PresenceRule::AtLeastOne(set(&["mode", "name", "size"])))],
        ),
        // The text mentions one argument, and nothing else tells.
        ("Invalid\nvalue must be at least 5 if size is set", root(), vec![soft("size", at_least(5))]),
        // A block has no value.
        ("must be one of: 'a', 'b'", at("rule"), vec![]),
        ("one of a, b or c", at("mode"), vec![soft("mode", Constraint::OneOf(texts(&["a", "b", "c"])))]),
        (
            "valid values are FAST or SLOW.",
            at("mode"),
            vec![soft("mode", Constraint::OneOf(texts(&["FAST", "SLOW"])))],
        ),
        (
            "not available, available versions: [1.2, 1.3]",
            at("mode"),
            vec![soft("mode", Constraint::OneOf(texts(&["1.2", "1.3"])))],
        ),
        (
            "must begin with a lowercase letter",
            at("name"),
            vec![soft("name", Constraint::Characters("must begin with a lowercase letter".to_owned()))],
        ),
        ("must begin with a slash (/).", at("name"), vec![soft("name", Constraint::Prefix("/".to_owned()))]),
        ("must begin with a \"/\"", at("name"), vec![soft("name", Constraint::Prefix("/".to_owned()))]),
        ("must begin with vpc-", at("name"), vec![soft("name", Constraint::Prefix("vpc-".to_owned()))]),
        (
            "has host bits set, expected \"10.0.0.0/16\".",
            at("name"),
            vec![soft("name", Constraint::Literal("10.0.0.0/16".to_owned()))],
        ),
        (
            "must have 64 characters, has 9",
            at("name"),
            vec![soft("name", Constraint::Bytes(Span::new(Some(64), Some(64))))],
        ),
        (
            "must be greater than 0 and not more than 100, got 0",
            at("size"),
            vec![
                soft("size", at_least(1)),
                soft("size", Constraint::Range { min: None, max: Some(Number::from_i64(100)) }),
            ],
        ),
        (
            "must be an odd number >= 3",
            at("size"),
            vec![soft("size", Constraint::Whole), soft("size", at_least(3))],
        ),
        (
            "must have at least 2 elements",
            at("names"),
            vec![soft("names", Constraint::Count(Span::new(Some(2), None)))],
        ),
        (
            "the duration must be at least 1s",
            at("name"),
            vec![
                soft("name", Constraint::Format(Format::GoDuration)),
                soft("name", Constraint::Literal("1s".to_owned())),
            ],
        ),
        (
            "min_upper must be greater than min_lower",
            root(),
            vec![Edit::Relation {
                path: "min_upper".to_owned(),
                bound: RelationBound::Above,
                of: RelationOf::Sum,
                others: texts(&["min_lower"]),
            }],
        ),
        ("Available versions of x: 8.0.", at("mode"), vec![soft("mode", Constraint::OneOf(texts(&["8.0"])))]),
        // An argument is no format because of its name.
        (
            "Attribute hostname expected letters",
            at("hostname"),
            vec![soft("hostname", Constraint::Characters("expected letters".to_owned()))],
        ),
        ("must be a hostname", at("hostname"), vec![soft("hostname", Constraint::Format(Format::Hostname))]),
        // Only numbers have sums.
        ("'name' must be the same as 'mode'", root(), vec![]),
        // A condition is no demand.
        ("not allowed if 'mode' is set", root(), vec![]),
        // An argument is no format because of its name.
        ("invalid value for json (must be longer)", at("name"), vec![]),
    ] {
        assert_eq!(edits(text, &path, &empty()), expected, "{text}");
    }
}

#[test]
fn a_name_of_which_there_is_no_file_is_to_be_the_name_of_one() {
    let refused = |name: &str| {
        let config = Value::object([("a", Value::string(name))]);
        edits(&format!("Cannot read it\nopen {name}: no such file or directory"), &root(), &config)
    };
    assert_eq!(refused("tfcabcdef"), [soft("a", Constraint::Format(Format::File))]);
    // A file that is to be written in a folder that is missing.
    assert_eq!(refused("tfc/example/path"), []);
}
