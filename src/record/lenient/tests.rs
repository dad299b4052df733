use super::*;
use crate::schema::{Attribute, Block, NestedBlock, Nesting};
use crate::value::Type;

/// Replaces what is secret, and nothing else.
struct Stars;

impl Parts for Stars {
    fn text(&mut self, place: Place<'_>, _: &str) -> Option<String> {
        place.is_secret().then(|| "*".to_owned())
    }

    fn number(&mut self, place: Place<'_>, _: &Number) -> Option<Number> {
        place.is_secret().then(|| Number::from_i64(0))
    }

    fn bool(&mut self, place: Place<'_>, _: bool) -> Option<bool> {
        place.is_secret().then_some(false)
    }

    fn key(&mut self, place: Place<'_>, key: &str) -> Option<String> {
        (place.is_secret() && !place.declares(key)).then(|| "*".to_owned())
    }
}

fn block() -> Block {
    let inner = Block::new(
        vec![
            Attribute::typed("open", Type::Bool).optional(),
            Attribute::typed("pin", Type::Number).optional().sensitive(),
        ],
        vec![],
    );
    let attributes = vec![
        Attribute::typed("name", Type::String).optional(),
        Attribute::typed("words", Type::map(Type::String)).optional().sensitive(),
        Attribute::typed("on", Type::Bool).optional().sensitive(),
    ];
    Block::new(attributes, vec![NestedBlock::new("part", Nesting::List, inner)])
}

#[track_caller]
fn assert_json(text: &str, expected: &str) {
    let block = block();
    let rewritten = json(text.as_bytes(), Place::object(Some(&block)), &mut Stars);
    assert_eq!(String::from_utf8(rewritten.bytes).unwrap(), expected);
}

#[test]
fn json_is_followed_wherever_it_leads() {
    let plain = r#"{"name": "a", "part": [{"open": true}], "words": null}"#;
    assert_json(plain, plain);
    assert_json(r#"{"extra": [1, {"b": "c"}]}"#, r#"{"extra": [0, {"*": "*"}]}"#);
    assert_json(r#"{"words": {"k": "v"}, "on": true}"#, r#"{"words": {"*": "*"}, "on": false}"#);
    assert_json(r#"{"part": [{"pin": 7}, {"pin": "7"}]}"#, r#"{"part": [{"pin": 0}, {"pin": "*"}]}"#);
    // Twice the same name, and something else where objects belong.
    assert_json(r#"{"on":true,"on":1}"#, r#"{"on":false,"on":0}"#);
    assert_json(r#"{"part": {"x": {"open": "y"}}}"#, r#"{"part": {"x": {"*": "*"}}}"#);
    assert_json(r#"{"part": "whole"}"#, r#"{"part": "*"}"#);
    // No JSON.
    assert_json(r#"{"on": NaN, "name": NaN}"#, r#"{"on": null, "name": NaN}"#);
    assert_json(r#"{"words": {"k": "cut"#, r#"{"words": {"*": "*""#);
    assert_json(r#"{"on":true}{"on":true}"#, r#"{"on":false}{"on":false}"#);
}

fn packed(json: &serde_json::Value, out: &mut Vec<u8>) {
    use serde_json::Value as Json;
    match json {
        Json::Null => rmp::encode::write_nil(out).unwrap(),
        Json::Bool(value) => rmp::encode::write_bool(out, *value).unwrap(),
        Json::Number(number) => drop(rmp::encode::write_sint(out, number.as_i64().unwrap()).unwrap()),
        Json::String(text) => rmp::encode::write_str(out, text).unwrap(),
        Json::Array(items) => {
            rmp::encode::write_array_len(out, items.len() as u32).unwrap();
            items.iter().for_each(|item| packed(item, out));
        }
        Json::Object(members) => {
            rmp::encode::write_map_len(out, members.len() as u32).unwrap();
            for (name, item) in members {
                rmp::encode::write_str(out, name).unwrap();
                packed(item, out);
            }
        }
    }
}

fn bytes(json: &serde_json::Value) -> Vec<u8> {
    let mut out = Vec::new();
    packed(json, &mut out);
    out
}

#[test]
fn messagepack_is_followed_wherever_it_leads() {
    use serde_json::json;
    let block = block();
    let root = Place::object(Some(&block));
    let rewritten = |bytes: &[u8]| msgpack(bytes, root, &mut Stars);
    for (before, after) in [
        (json!({"name": "a", "part": [{"open": true}]}), json!({"name": "a", "part": [{"open": true}]})),
        (json!({"name": "a", "extra": [1, {"b": true}]}), json!({"name": "a", "extra": [0, {"*": false}]})),
        (json!({"words": {"k": "v"}, "on": true}), json!({"words": {"*": "*"}, "on": false})),
        (json!({"part": [{"pin": 7}, {"pin": [7]}]}), json!({"part": [{"pin": 0}, {"pin": [0]}]})),
        (json!({"part": {"x": "y"}}), json!({"part": {"*": "*"}})),
        (json!(["a", 1]), json!(["*", 0])),
    ] {
        assert_eq!(rewritten(&bytes(&before)), Rewritten { bytes: bytes(&after), dropped_from: None });
    }
    // NaN is the fault itself; a refinement may begin like the secret.
    let mut odd = vec![0x82, 0xa2, b'o', b'n', 0xcb];
    odd.extend(f64::NAN.to_be_bytes());
    odd.extend([0xa5, b'w', b'o', b'r', b'd', b's', 0xc7, 3, 0x0c, 0x81, 1, 0xc2]);
    let mut expected = odd[..odd.len() - 6].to_vec();
    expected.extend([0xd4, 0, 0]);
    assert_eq!(rewritten(&odd), Rewritten { bytes: expected, dropped_from: None });
    // Nobody can tell where the rest belongs.
    let cut = [0x82, 0xa2, b'o', b'n', 0xc3, 0xa4, b'p', b'a', b'r', b't', 0xc1, b's', b'e', b'c'];
    let kept = [0x82, 0xa2, b'o', b'n', 0xc2, 0xa4, b'p', b'a', b'r', b't'];
    assert_eq!(rewritten(&cut), Rewritten { bytes: kept.to_vec(), dropped_from: Some(10) });
}

#[test]
fn names_in_the_type_of_a_dynamic_value_are_masked_as_keys_are() {
    let inner = Block::new(
        vec![
            Attribute::typed("any", Type::Dynamic).optional(),
            Attribute::typed("words", Type::Dynamic).optional().sensitive(),
        ],
        vec![],
    );
    // With any type inside, a map of blocks says its type itself.
    let block = Block::new(vec![], vec![NestedBlock::new("part", Nesting::Map, inner)]);
    let part = Type::object([("any", Type::Bool), ("words", Type::object([("told", Type::String)]))]);
    let ty = Type::object([("label", part)]);
    let text = renamed_in(&ty, &block);
    assert!(text.contains("label") && text.contains("any") && text.contains("words"), "{text}");
    assert!(text.contains(r#"{"*":"string"}"#) && !text.contains("told"), "{text}");
}

/// The type as it is shown in a dynamic value at the only block.
fn renamed_in(ty: &Type, block: &Block) -> String {
    let mut bytes = Vec::new();
    rmp::encode::write_map_len(&mut bytes, 1).unwrap();
    rmp::encode::write_str(&mut bytes, "part").unwrap();
    rmp::encode::write_array_len(&mut bytes, 2).unwrap();
    rmp::encode::write_bin(&mut bytes, ty.to_json_text().as_bytes()).unwrap();
    rmp::encode::write_nil(&mut bytes).unwrap();
    let rewritten = msgpack(&bytes, Place::object(Some(block)), &mut Stars);
    String::from_utf8_lossy(&rewritten.bytes).into_owned()
}
