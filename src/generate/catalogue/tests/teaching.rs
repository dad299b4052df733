//! What is concluded from the words of SDKs.

use super::*;

#[test]
fn values_are_constrained_as_the_sdks_say() {
    let number = |n: i64| Some(Number::from_i64(n));
    let range = |min, max| Constraint::Range { min, max };
    for (text, path, expected) in [
        (
            "expected mode to be one of [\"X\" \"Y\"], got tfcabcdef",
            at("mode"),
            vec![hard("mode", Constraint::OneOf(texts(&["X", "Y"])))],
        ),
        (
            "expected mode to be one of [X], got tfcabcdef",
            at("mode"),
            vec![hard("mode", Constraint::OneOf(texts(&["X"])))],
        ),
        (
            "expected mode to be one of [X Y], got tfcabcdef",
            at("mode"),
            vec![soft("mode", Constraint::OneOf(texts(&["X", "Y", "X Y"])))],
        ),
        (
            "expected mode to not be any of [\"x\"], got x",
            at("mode"),
            vec![hard("mode", Constraint::NoneOf(texts(&["x"])))],
        ),
        (
            "expected length of name to be in the range (1 - 64), got ",
            at("name"),
            vec![hard("name", Constraint::Bytes(Span::new(Some(1), Some(64))))],
        ),
        (
            "expected \"name\" to not be an empty string or whitespace",
            at("name"),
            vec![hard("name", Constraint::Bytes(Span::new(Some(1), None)))],
        ),
        ("expected size to be at least (60), got 7", at("size"), vec![hard("size", range(number(60), None))]),
        (
            "expected size to be in the range (1 - 2.5), got 7",
            at("size"),
            vec![hard("size", range(number(1), Number::parse("2.5").ok()))],
        ),
        (
            "expected a to be a valid port number, got: x",
            at("a"),
            vec![hard("a", range(number(1), number(65535)))],
        ),
        (
            "expected size to be divisible by 60, got: 7",
            at("size"),
            vec![hard("size", Constraint::DivisibleBy(60))],
        ),
        (
            "expected value of a to match regular expression \"^x\\\\d+\\\"$\", got y",
            at("a"),
            vec![hard("a", Constraint::Pattern("^x\\d+\"$".to_owned()))],
        ),
        (
            "Invalid\nAttribute a value must match regular expression '^x\\d+$', got: y",
            at("a"),
            vec![hard("a", Constraint::Pattern("^x\\d+$".to_owned()))],
        ),
        (
            "expected value of a to not contain any of \"/ \\\\\", got y",
            at("a"),
            vec![hard("a", Constraint::NoneOfChars("/ \\".to_owned()))],
        ),
        (
            "Too many list items\nAttribute names supports 1 item maximum, but config has 2 declared.",
            at("names"),
            vec![hard("names", Constraint::Count(Span::new(None, Some(1))))],
        ),
        (
            "Invalid Attribute Value\nAttribute names set must contain at least 2 elements and at most 5 elements, got: 1",
            at("names"),
            vec![hard("names", Constraint::Count(Span::new(Some(2), Some(5))))],
        ),
        (
            "\"policy\" contains an invalid JSON: bad",
            at("policy"),
            vec![hard("policy", Constraint::Format(Format::Json))],
        ),
        (
            "name: cannot parse '' as boolean: bad",
            at("name"),
            vec![hard("name", Constraint::Format(Format::Bool))],
        ),
        (
            "expected \"a\" to have a url with schema of: \"http,https\", got x",
            at("a"),
            vec![hard("a", Constraint::UrlSchemes(texts(&["http", "https"])))],
        ),
        (
            "expected \"a\" to contain a network Value with between 16 and 28 significant bits, got: 8",
            at("a"),
            vec![hard("a", Constraint::PrefixLength(Span::new(Some(16), Some(28))))],
        ),
        ("Attribute must be a whole number, got 1.5", at("size"), vec![hard("size", Constraint::Whole)]),
        ("Attribute must be a list", at("names"), vec![Edit::SetIfUnset("names".to_owned())]),
        (
            "Invalid Attribute Value\nAttribute size value must be at least sum of min_upper + min_lower, got: 1",
            at("size"),
            vec![Edit::Relation {
                path: "size".to_owned(),
                bound: RelationBound::AtLeast,
                of: RelationOf::Sum,
                others: texts(&["min_upper", "min_lower"]),
            }],
        ),
    ] {
        assert_eq!(edits(text, &path, &empty()), expected, "{text}");
    }
}

#[test]
fn keys_of_maps_are_told_from_their_values() {
    let path = at("tags").key("keyone");
    let config = Value::object([("tags", Value::map(Type::String, [("keyone", Value::string("valueone"))]))]);
    let one_of = || Constraint::OneOf(texts(&["X"]));
    let key = || Constraint::Key(Box::new(one_of()));
    let text = |got: &str| format!("Invalid\nAttribute tags value must be one of: [\"X\"], got: \"{got}\"");
    assert_eq!(edits(&text("keyone"), &path, &config), [hard("tags", key())]);
    assert_eq!(edits(&text("valueone"), &path, &config), [hard("tags", one_of())]);
    assert_eq!(edits(&text("other"), &path, &config), [soft("tags", key()), soft("tags", one_of())]);
    let lengths =
        "Bad map value length\nMap value lengths should be in the range (1 - 8): keyone => x (length = 9)";
    let bytes = Constraint::Bytes(Span::new(Some(1), Some(8)));
    assert_eq!(edits(lengths, &path, &config), [hard("tags", bytes.clone())]);
    let lengths = lengths.replace("value", "key");
    assert_eq!(edits(&lengths, &path, &config), [hard("tags", Constraint::Key(Box::new(bytes)))]);
}

#[test]
fn rules_of_presence_name_schema_paths() {
    let exactly = |paths: &[&str]| PresenceRule::exactly_one(&set(paths)).map(rule).to_vec();
    let alias = root().attribute("hosts").index(0).attribute("alias");
    for (text, path, expected) in [
        (
            "Missing required argument\nThe argument \"rule.0.name\" is required, but no definition was found.",
            root(),
            vec![rule(PresenceRule::Required("rule.name".to_owned()))],
        ),
        (
            "Invalid combination of arguments\n\"a\": only one of `a,rule.0.cidr` can be specified, but `a` were specified.",
            at("a"),
            exactly(&["a", "rule.cidr"]),
        ),
        ("\"a\": conflicts with b", at("a"), vec![rule(PresenceRule::AtMostOne(set(&["a", "b"])))]),
        (
            "Missing required argument\n\"a\": all of `a,b` must be specified",
            at("a"),
            vec![rule(PresenceRule::Together("a".to_owned(), set(&["b"])))],
        ),
        (
            "Invalid Attribute Combination\n2 attributes specified when one (and only one) of [hosts[0].alias.<.address] is required",
            alias.clone(),
            exactly(&["hosts.address", "hosts.alias"]),
        ),
        (
            "Invalid Attribute Combination\nAt least one attribute out of [hosts[0].alias.<.<.<.name,<.<.<.mode] must be specified",
            alias,
            vec![rule(PresenceRule::AtLeastOne(set(&["hosts.alias", "mode", "name"])))],
        ),
        (
            "Invalid Attribute Combination\nAttribute \"b\" must be specified when \"a\" is specified",
            at("a"),
            vec![rule(PresenceRule::Together("a".to_owned(), set(&["b"])))],
        ),
        (
            "Invalid Attribute Combination\nThese attributes must be configured together: [a,b]",
            at("a"),
            vec![
                rule(PresenceRule::Together("a".to_owned(), set(&["b"]))),
                rule(PresenceRule::Together("b".to_owned(), set(&["a"]))),
            ],
        ),
        // What cannot be set is no alternative.
        (
            "Missing Attribute Configuration\nAt least one of these attributes must be configured: [id,a]",
            root(),
            vec![rule(PresenceRule::AtLeastOne(set(&["a"])))],
        ),
        ("Invalid or unknown key", at("id"), vec![rule(PresenceRule::Forbidden("id".to_owned()))]),
    ] {
        assert_eq!(edits(text, &path, &empty()), expected, "{text}");
    }
}

#[test]
fn the_refused_value_is_no_member_of_its_list() {
    let config = Value::object([("mode", Value::string("fast"))]);
    let refused = edits("must be one of: 'fast', 'slow'", &at("mode"), &config);
    assert_eq!(refused, [soft("mode", Constraint::OneOf(texts(&["slow"])))]);
    // Another's value may well be one.
    let config = Value::object([(
        "names",
        Value::list(Type::String, vec![Value::string("fast"), Value::string("tfcabcdef")]),
    )]);
    let text = "expected names.1 to be one of [\"fast\" \"slow\"], got tfcabcdef";
    let found = edits(text, &at("names").index(1), &config);
    assert_eq!(found, [hard("names", Constraint::OneOf(texts(&["fast", "slow"])))]);
}

#[test]
fn identifiers_grow_by_what_is_missing() {
    let missing = "parsing ID: the ID was missing the `resourceGroups` element";
    let pad = "the number of path segments is not divisible by 2 in \"x\"";
    let literal = |text: &str| soft("name", Constraint::Literal(text.to_owned()));
    for (sent, text, expected) in [
        ("tfcabcdef", missing, "/resourceGroups/example"),
        ("/subscriptions/example", missing, "/subscriptions/example/resourceGroups/example"),
        ("/subscriptions/", pad, "/subscriptions/example"),
    ] {
        let config = Value::object([("name", Value::string(sent))]);
        assert_eq!(edits(text, &at("name"), &config), [literal(expected)], "{text}");
    }
}

#[test]
fn evidence_names_the_entries_and_their_words() {
    let lesson = one("expected size to be at least (60), got 7", &at("size"), &empty());
    assert_eq!(lesson.evidence.via, "V05");
    assert_eq!(lesson.evidence.seen, "expected size to be at least (60)");
    assert_eq!(lesson.template, "expected size to be at least (#), got #");
    let sent = Value::object([("name", Value::string("tfcabcdef"))]);
    let unknown = one("\"tfcabcdef\" lacks its \"realm\"", &at("name"), &sent);
    assert_eq!((unknown.edits, unknown.evidence.seen.as_str()), (vec![], "\"\" lacks its \"realm\""));
    let faulty = one("Value Conversion Error\nmust be one of: 'a', 'b'", &at("size"), &empty());
    assert_eq!((faulty.edits, faulty.evidence.via.as_str()), (vec![Edit::ProviderAtFault], ""));
}
