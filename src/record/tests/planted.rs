//! Secrets of every type, planted at every secret place of random schemas, never get into a file.

use std::sync::Arc;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use bytes::Bytes;
use proptest::prelude::*;
use serde_json::Value as Json;

use super::written;
use crate::engine::Engine;
use crate::schema::strategy::{blocks, configs};
use crate::schema::{Attribute, Block, Place, ProviderSchema, Rewrite, Schema};
use crate::transcript::*;
use crate::value;
use crate::value::{AttributePath, Data, Number, Type, Value, state_json};

/// Puts a secret at every place that must not be shown.
#[derive(Default)]
struct Planting {
    secrets: Vec<String>,
}

const FIRST: i64 = 730_319_000;

impl Rewrite for Planting {
    fn value(&mut self, place: Place<'_>, value: &Value) -> Value {
        if !place.is_secret() {
            return value.clone();
        }
        let n = self.secrets.len();
        let (text, planted) = match value.data() {
            Data::String(_) => (format!("canary-{n}"), Value::string(&format!("canary-{n}"))),
            Data::Number(_) => ((FIRST + n as i64).to_string(), Value::number(FIRST + n as i64)),
            _ => return value.clone(),
        };
        self.secrets.push(text);
        planted
    }

    fn key(&mut self, place: Place<'_>, key: &str) -> String {
        // A key that may be a word is looked for at its place alone, and a wrong byte moves that.
        if place.is_secret() { format!("canary-key-0-{key}") } else { key.to_owned() }
    }
}

/// Calls about one object, in which it is also a stored state, and its bytes are `spoilt`.
fn transcript(block: Block, object: &Value, said: &str, spoilt: Vec<u8>) -> Transcript {
    let schema = Schema { version: 0, block };
    let json = state_json::encode(&object.unknowns_as_nulls(), schema.implied_type()).unwrap_or_default();
    let mut bytes = Encoded::received(Some(DynamicValue { msgpack: spoilt.into(), json: Bytes::new() }));
    bytes.decode(schema.implied_type());
    let type_name = "thing".to_owned();
    let response = DiagnosticsResponse { diagnostics: vec![Diagnostic::error(said, said)] };
    let validate = Call::<ValidateResourceConfig> {
        request: ValidateResourceConfigRequest {
            type_name: type_name.clone(),
            config: Encoded::of(object.clone(), schema.implied_type()),
            capabilities: None,
        },
        outcome: Ok(response.clone()),
    };
    let again = Call::<ValidateResourceConfig> {
        request: ValidateResourceConfigRequest { config: bytes, ..validate.request.clone() },
        outcome: Ok(response),
    };
    let upgrade = Call::<UpgradeResourceState>::unanswered(UpgradeResourceStateRequest {
        type_name: type_name.clone(),
        version: 0,
        raw_state: RawState { json: json.into(), ..RawState::default() },
    });
    // The type that it is moved to is not declared at all.
    let moved = Call::<MoveResourceState>::unanswered(MoveResourceStateRequest {
        source_provider_address: "registry.terraform.io/x/x".to_owned(),
        source_type_name: type_name.clone(),
        source_schema_version: 0,
        source_state: upgrade.request.raw_state.clone(),
        target_type_name: "other".to_owned(),
        source_private: Bytes::new(),
        source_identity: RawState::default(),
        source_identity_schema_version: 0,
    });
    let calls = [
        AnyCall::ValidateResourceConfig(validate),
        AnyCall::ValidateResourceConfig(again),
        AnyCall::UpgradeResourceState(upgrade),
        AnyCall::MoveResourceState(moved),
    ];
    let exchanges = calls.into_iter().enumerate().map(|(id, call)| Exchange {
        id: ExchangeId(id as u32),
        phase: Phase::Validate,
        purpose: Purpose::Ordinary,
        instance: "thing.a".to_owned(),
        process: 1,
        prior: PriorOrigin::None,
        call,
        took: std::time::Duration::ZERO,
    });
    let schema =
        ProviderSchema { resources: [(type_name, Arc::new(schema))].into(), ..ProviderSchema::default() };
    let subject = Subject {
        name: "x".to_owned(),
        protocol: 6,
        engine: Engine::Terraform,
        schema: Arc::new(schema),
        config: None,
    };
    Transcript {
        subject: Arc::new(subject),
        scenario: ScenarioLabel::default(),
        exchanges: exchanges.collect(),
    }
}

/// The exchanges of a file as text, with what is behind base64, a character for each byte.
fn readable(file: &str) -> String {
    let lines: Vec<&str> = file.lines().skip(1).collect();
    let text = lines.join("\n");
    let decoded = text.split('"').filter_map(|piece| STANDARD.decode(piece).ok());
    let decoded: String =
        decoded.map(|bytes| bytes.into_iter().map(char::from).collect::<String>()).collect();
    text + &decoded
}

#[track_caller]
fn assert_none(secrets: &[String], file: &str) {
    let text = readable(file);
    for secret in secrets {
        assert!(!text.contains(secret), "{secret} is in {text}");
        if let Ok(number) = secret.parse::<u32>() {
            let bytes: String = number.to_be_bytes().map(char::from).iter().collect();
            assert!(!text.contains(&bytes), "{secret} is in {text}");
        }
    }
    assert!(!text.contains("canary"), "{text}");
}

proptest! {
    #[test]
    fn planted_secrets_are_in_no_file(
        (block, object) in blocks().prop_flat_map(|block| (Just(block.clone()), configs(&block, true))),
        spoil in any::<prop::sample::Index>(),
        byte in any::<u8>(),
        cuts in any::<bool>(),
    ) {
        let mut planting = Planting::default();
        let object = Place::object(Some(&block)).rewrite(&object, &mut planting);
        let mut bytes = crate::value::msgpack::encode(&object, block.implied_type());
        let at = spoil.index(bytes.len());
        if cuts {
            bytes.truncate(at);
        } else {
            bytes[at] = byte;
        }
        let said = planting.secrets.join(" and ");
        assert_none(&planting.secrets, &written(&transcript(block, &object, &said, bytes)));
    }
}

fn guarded() -> Block {
    let attributes = vec![
        Attribute::typed("armed", Type::Bool).optional().sensitive(),
        Attribute::typed("name", Type::String).optional(),
        Attribute::typed("pin", Type::Number).optional().sensitive(),
    ];
    Block::new(attributes, vec![])
}

#[test]
fn numbers_and_bools_are_masked_at_their_places() {
    let block = guarded();
    let object = value!({ armed: true, name: "pin 7", pin: 7 }).of(block.implied_type());
    let (mut pins, mut armed) = (Vec::new(), Vec::new());
    for _ in 0..64 {
        let file = written(&transcript(block.clone(), &object, "pin 7 is true", vec![0xc1]));
        let line: Json = serde_json::from_str(file.lines().nth(3).unwrap()).unwrap();
        let request = &line["call"]["UpgradeResourceState"]["request"];
        let stored = STANDARD.decode(request["raw_state"]["json"].as_str().unwrap()).unwrap();
        let stored: Json = serde_json::from_slice(&stored).unwrap();
        // One digit is found everywhere, and is left alone elsewhere.
        assert_eq!(stored["name"], "pin 7");
        pins.push(stored["pin"].to_string());
        armed.push(stored["armed"].as_bool().unwrap());
        let reads = serde_json::from_str::<Json>(file.lines().nth(1).unwrap()).unwrap();
        let reads = reads["call"]["ValidateResourceConfig"]["request"]["config"]["reads"].to_string();
        assert!(reads.contains(&format!("pin = {}", pins.last().unwrap())), "{reads}");
    }
    assert!(!pins.contains(&"7".to_owned()), "{pins:?}");
    // Which of the two it is depends on the key of the run.
    assert!(armed.contains(&true) && armed.contains(&false), "{armed:?}");
}

#[test]
fn a_diagnostic_about_a_sensitive_attribute_does_not_show_its_value() {
    let block = guarded();
    let object = value!({ armed: true, name: "a", pin: 7 }).of(block.implied_type());
    let bytes = crate::value::msgpack::encode(&object, block.implied_type());
    let mut transcript = transcript(block, &object, "pin 7 of 17 while armed is true", bytes);
    let text = written(&transcript);
    assert!(text.contains("pin 7 of 17 while armed is true"), "{text}");
    for exchange in &mut transcript.exchanges {
        if let AnyCall::ValidateResourceConfig(call) = &mut exchange.call {
            let diagnostics = &mut call.outcome.as_mut().unwrap().diagnostics;
            let said = diagnostics.remove(0);
            diagnostics.push(said.at(&AttributePath::root().attribute("pin")));
        }
    }
    let text = written(&transcript);
    assert!(!text.contains("pin 7") && !text.contains("is true"), "{text}");
    assert!(text.contains(" of 17 while armed is "), "{text}");
}

#[test]
fn what_nobody_can_read_is_left_out_and_the_file_says_so() {
    let block = guarded();
    let object = value!({ armed: true, name: "a", pin: 7 }).of(block.implied_type());
    let mut bytes = vec![0x83, 0xa3, b'p', b'i', b'n', 7, 0xa5];
    bytes.extend(b"extra\xc1\xa7unknown");
    let file = written(&transcript(block, &object, "", bytes));
    let line: Json = serde_json::from_str(file.lines().nth(2).unwrap()).unwrap();
    let config = &line["call"]["ValidateResourceConfig"]["request"]["config"];
    let withheld = config["withheld"].as_str().unwrap();
    assert!(withheld.contains("from offset 12 on"), "{withheld}");
    let kept = STANDARD.decode(config["msgpack"].as_str().unwrap()).unwrap();
    // The name of what is not declared may be the key of a secret map.
    let has_extra = kept.windows(5).any(|bytes| bytes == b"extra");
    assert!(kept.starts_with(b"\x83\xa3pin") && !has_extra, "{kept:?}");
    let read = super::read_back(&file);
    assert!(written(&read.transcript).contains(withheld), "it says so again when it is judged");
}

#[test]
fn a_number_that_equals_a_secret_one_is_masked_elsewhere_too() {
    let masker = super::Masker::new(Vec::new());
    let block = guarded();
    let object = value!({ armed: true, name: "4711.0 and 17", pin: 4711 }).of(block.implied_type());
    let transcript = transcript(block, &object, "pin=4711", vec![0xc0]);
    let secrets = masker.secrets(&transcript);
    assert_eq!(*secrets.shown("pin=4711, 47111"), "pin=(sensitive value), 47111");
    assert!(secrets.is_secret_number(&Number::from_i64(4711)));
    assert!(!secrets.is_secret_number(&Number::from_i64(17)));
}
