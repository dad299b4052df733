//! A scenario as JSON: every configuration with its type and its bytes.

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use serde::{Deserialize, Serialize};
use serde_json::Value as Json;

use crate::scenario::{Intent, Node, Scenario};
use crate::schema::Kind;
use crate::transcript::{DriftKind, ScenarioLabel};
use crate::value::{Type, Value, msgpack};

#[derive(Debug, Serialize, Deserialize)]
pub(super) struct StoredScenario {
    nodes: Vec<StoredNode>,
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredNode {
    name: String,
    kind: Kind,
    type_name: String,
    steps: Vec<StoredIntent>,
}

#[derive(Debug, Serialize, Deserialize)]
#[serde(rename_all = "kebab-case")]
enum StoredIntent {
    Validate(StoredValue),
    Plan(StoredValue),
    Apply { unknown: Option<StoredValue>, config: StoredValue },
    Drift(DriftKind),
    Destroy,
    ReadData(StoredValue),
}

#[derive(Debug, Serialize, Deserialize)]
struct StoredValue {
    r#type: Json,
    msgpack: String,
    /// For people; not read back.
    #[serde(default)]
    reads: String,
}

impl StoredValue {
    fn of(value: &Value) -> StoredValue {
        StoredValue {
            r#type: value.ty().to_json(),
            msgpack: STANDARD.encode(msgpack::encode(value, value.ty())),
            reads: value.to_string(),
        }
    }

    fn read(self) -> Result<Value, String> {
        let ty = Type::from_json(&self.r#type).map_err(|error| format!("an intention's type: {error}"))?;
        let bytes = STANDARD.decode(&self.msgpack).map_err(|error| format!("an intention: {error}"))?;
        let decoded = msgpack::decode(&bytes, &ty);
        decoded.value.ok_or_else(|| "an intention does not decode".to_owned())
    }
}

impl StoredScenario {
    pub(super) fn of(scenario: &Scenario) -> StoredScenario {
        let intent = |intent: &Intent| match intent {
            Intent::Validate { config } => StoredIntent::Validate(StoredValue::of(config)),
            Intent::Plan { config } => StoredIntent::Plan(StoredValue::of(config)),
            Intent::Apply { unknown, config } => StoredIntent::Apply {
                unknown: unknown.as_ref().map(StoredValue::of),
                config: StoredValue::of(config),
            },
            Intent::Drift { kind } => StoredIntent::Drift(*kind),
            Intent::Destroy => StoredIntent::Destroy,
            Intent::ReadData { config } => StoredIntent::ReadData(StoredValue::of(config)),
        };
        let nodes = scenario.nodes.iter().map(|node| StoredNode {
            name: node.name.clone(),
            kind: node.kind,
            type_name: node.type_name.clone(),
            steps: node.steps.iter().map(intent).collect(),
        });
        StoredScenario { nodes: nodes.collect() }
    }

    pub(super) fn read(self, label: &ScenarioLabel) -> Result<Scenario, String> {
        let intent = |intent: StoredIntent| -> Result<Intent, String> {
            Ok(match intent {
                StoredIntent::Validate(config) => Intent::Validate { config: config.read()? },
                StoredIntent::Plan(config) => Intent::Plan { config: config.read()? },
                StoredIntent::Apply { unknown, config } => Intent::Apply {
                    unknown: unknown.map(StoredValue::read).transpose()?,
                    config: config.read()?,
                },
                StoredIntent::Drift(kind) => Intent::Drift { kind },
                StoredIntent::Destroy => Intent::Destroy,
                StoredIntent::ReadData(config) => Intent::ReadData { config: config.read()? },
            })
        };
        let mut nodes = Vec::new();
        for node in self.nodes {
            nodes.push(Node {
                name: node.name,
                kind: node.kind,
                type_name: node.type_name,
                steps: node.steps.into_iter().map(intent).collect::<Result<_, _>>()?,
            });
        }
        Ok(Scenario { label: label.clone(), nodes })
    }
}
