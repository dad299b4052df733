//! Which argument an error is about.

use super::*;

#[track_caller]
fn assert_about(text: &str, path: &AttributePath, config: &Value, expected: Option<&str>) {
    assert_eq!(one(text, path, config).path.as_deref(), expected, "{text}");
}

#[test]
fn the_path_counts_unless_the_text_names_a_better_one() {
    for (text, path, expected) in [
        // The path alone.
        ("must be good", root().attribute("name"), Some("name")),
        ("must be good", root().attribute("rule").index(0).attribute("cidr"), Some("rule.cidr")),
        ("must be good", root().attribute("tags").key("k"), Some("tags")),
        ("must be good", root().attribute("network").attribute("subnet"), Some("network.subnet")),
        ("must be good", root().attribute("network").key("subnet"), Some("network.subnet")),
        ("must be good", root().attribute("rule").index(0).attribute("unheard_of"), Some("rule")),
        // A path that is cut at a set.
        (
            "expected member.0.role to be one of [\"x\"], got y",
            root().attribute("member"),
            Some("member.role"),
        ),
        ("expected role to be one of [\"x\"], got y", root().attribute("member"), Some("member.role")),
        ("expected name to be one of [\"x\"], got y", root().attribute("member"), Some("member.name")),
        ("invalid value for role (must be good)", root().attribute("member"), Some("member.role")),
        ("The member role must be good", root().attribute("member"), Some("member.role")),
        ("Member Role is not good", root().attribute("member"), Some("member.role")),
        ("some role must be good", root().attribute("member"), Some("member")),
        (
            "Invalid\nAttribute member[Value({\"name\":\"a b\",\"role\":\"c\"})].role value must be good",
            root().attribute("member"),
            Some("member.role"),
        ),
        // No path at all.
        ("\"rule.0.port.0.from\": required field is not set", root(), Some("rule.port.from")),
        ("Invalid\nAttribute hosts[0].alias value must be good", root(), Some("hosts.alias")),
        ("Invalid value\nIt is bad. Path: network.subnet\nMore", root(), Some("network.subnet")),
        ("name: must be good", root(), Some("name")),
        // The rest is a key of ours, in the older spelling.
        ("\"tags.a.c\" must be good", root(), Some("tags")),
        ("\"alias\" must be good", root(), Some("hosts.alias")),
        ("must be good", root(), None),
        ("Name must be good", root(), None),
        ("name must be good", root(), Some("name")),
        // A text that names another argument is no reason to leave the path.
        ("\"mode\" must be good", root().attribute("name"), Some("name")),
        ("\"mode\" must be good", root().attribute("rule").index(0).attribute("cidr"), Some("rule.cidr")),
    ] {
        assert_about(text, &path, &empty(), expected);
    }
}

#[test]
fn the_last_step_of_a_path_counts_only_where_it_can_be_trusted() {
    // Three steps have memory of their own.
    let three = root().attribute("rule").index(0).attribute("name");
    assert_about("expected rule.0.cidr to be good", &three, &empty(), Some("rule.name"));
    let nested = Attribute::nested(
        "inner",
        Nesting::Single,
        vec![
            Attribute::typed("first", Type::String).optional(),
            Attribute::typed("second", Type::String).optional(),
        ],
    );
    let middle = Attribute::nested("middle", Nesting::Single, vec![nested.optional()]).optional();
    let outer = Attribute::nested("outer", Nesting::Single, vec![middle]).optional();
    let schema = Schema { version: 0, block: Block::new(vec![outer], vec![]) };
    let path = root().attribute("outer").attribute("middle").attribute("inner").attribute("first");
    let error = Diagnostic::error("expected outer.0.middle.0.inner.0.second to be good", "").at(&path);
    let about = |error| lessons(&[error], &empty(), &SchemaModel::new(&schema), 1)[0].path.clone();
    assert_eq!(about(error).as_deref(), Some("outer.middle.inner.second"));
    let error = Diagnostic::error("expected second to be good", "").at(&path);
    assert_eq!(about(error).as_deref(), Some("outer.middle.inner.second"));
    // A step before the last may be that of a later sibling, too.
    let sent = Value::object([(
        "outer",
        Value::object([(
            "middle",
            Value::object([("inner", Value::object([("second", Value::string("tfcabcdef"))]))]),
        )]),
    )]);
    let elsewhere = root().attribute("outer").attribute("middle").attribute("other").attribute("first");
    for text in ["expected second to be good, got tfcabcdef", "\"tfcabcdef\" is not good"] {
        let error = Diagnostic::error(text, "").at(&elsewhere);
        let path = lessons(&[error], &sent, &SchemaModel::new(&schema), 1)[0].path.clone();
        assert_eq!(path.as_deref(), Some("outer.middle.inner.second"), "{text}");
    }
    // An argument that plays a part is not the one that was refused.
    let error = Diagnostic::error("must be good if argument \"second\" is", "").at(&path);
    assert_eq!(about(error).as_deref(), Some("outer.middle.inner.first"));
}

#[test]
fn a_value_of_ours_tells_where_it_came_from() {
    let network = Value::object([("subnet", Value::string("tfcabcdef"))]);
    let config = Value::object([("name", Value::string("tfcqwerty")), ("network", network)]);
    assert_about("cannot use tfcabcdef here", &root(), &config, Some("network.subnet"));
    assert_about("cannot use tfcabcdef with tfcqwerty", &root(), &config, None);
    let twice = config.with_attribute("name", Value::string("tfcabcdef"));
    assert_about("cannot use tfcabcdef here", &root(), &twice, None);
}

#[test]
fn of_several_arguments_with_one_name_the_quoted_value_tells_which() {
    let mode = || Attribute::typed("mode", Type::String).optional();
    let key = NestedBlock::new("key", Nesting::List, Block::new(vec![mode()], vec![]));
    let store = NestedBlock::new("store", Nesting::Set, Block::new(vec![mode()], vec![key]));
    let schema = Schema { version: 0, block: Block::new(vec![], vec![store]) };
    let objects = |objects: Vec<Value>| Value::list(objects[0].ty().clone(), objects);
    let key = Value::object([("mode", Value::string("tfcabcdef"))]);
    let store = Value::object([("mode", Value::string("tfcqwerty")), ("key", objects(vec![key]))]);
    let config = Value::object([("store", Value::set(store.ty().clone(), vec![store]))]);
    let path = root().attribute("store");
    let about = |text: &str| {
        let error = Diagnostic::error(text, "").at(&path);
        lessons(&[error], &config, &SchemaModel::new(&schema), 1)[0].path.clone()
    };
    let expected = [
        ("expected mode to be one of [\"KMS\"], got tfcabcdef", "store.key.mode"),
        ("expected mode to be one of [\"S3\"], got tfcqwerty", "store.mode"),
        ("\"tfcabcdef\" is not a mode", "store.key.mode"),
        ("expected mode to be one of [\"S3\"]", "store"),
    ];
    for (text, path) in expected {
        assert_eq!(about(text).as_deref(), Some(path), "{text}");
    }
}

#[test]
fn values_of_ours_are_no_words_of_the_provider() {
    let name = root().attribute("name");
    let config = Value::object([("name", Value::string("https://example.com/path"))]);
    let lesson = one("\"https://example.com/path\" is not acceptable", &name, &config);
    assert_eq!((lesson.template.as_str(), lesson.edits), ("\"…\" is not acceptable", vec![]));
    for (sent, text, template) in [
        ("abc", "expected abc, got abc", "expected abc, got …"),
        ("x", "an x is bad: Value: \"x\"", "an x is bad: Value: \"…\""),
        ("http", "use https, http2 or http", "use https, http# or …"),
        ("tfcabcdef", "tfcabcdef-12 and (tfcabcdef)", "tfcabcdef-# and (…)"),
        ("a\"bcd", "bad: \"a\\\"bcd\" and a\"bcd", "bad: \"…\" and …"),
        ("mode", "set mode, got mode", "set mode, got …"),
    ] {
        let config = Value::object([("name", Value::string(sent))]);
        assert_eq!(one(text, &name, &config).template, template, "{text}");
    }
    let config = Value::object([("size", Value::number(8080))]);
    let lesson = one("must be from 8080 to 9090, got 8080", &root().attribute("size"), &config);
    assert_eq!(lesson.template, "must be from # to #, got …");
}
