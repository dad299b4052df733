//! Arguments that change behind the provider's back.

use super::*;
use crate::generate::obligation::ObligationKind;
use crate::scenario::{NewValue, WorldChange};
use crate::value::{AttributePath, state_json};

fn schema() -> Schema {
    let text = |name: &str| Attribute::typed(name, Type::String);
    let inside = |name: &str, nesting| {
        NestedBlock::new(name, nesting, Block::new(vec![text("host").optional()], vec![]))
    };
    let attributes = vec![
        text("name").required(),
        text("id").computed(),
        text("note").optional(),
        Attribute { sensitive: true, ..text("password").optional() },
        Attribute::typed("size", Type::Number).optional(),
        Attribute::typed("labels", Type::set(Type::String)).optional(),
    ];
    let blocks = vec![
        inside("listener", Nesting::List),
        inside("rule", Nesting::Set),
        inside("timeouts", Nesting::Single),
    ];
    Schema { version: 0, block: Block::new(attributes, blocks) }
}

fn drifted(options: &Options) -> Vec<String> {
    let all = obligations(&schema(), Kind::Resource, "acme_thing", options);
    let drifted = all.into_iter().filter(|obligation| obligation.kind == ObligationKind::Drifted);
    drifted.map(|obligation| obligation.path.to_string()).collect()
}

#[test]
fn every_argument_drifts_to_which_a_path_leads() {
    let options = Options { cases: Cases::Auto, drifts: true, ..applied(0) };
    let mut expected = drifted(&options);
    expected.sort();
    assert_eq!(expected, ["listener.host", "name", "note", "size"]);
    for without in [Options { drifts: false, ..options.clone() }, Options { apply: false, ..options.clone() }]
    {
        assert_eq!(drifted(&without), [""; 0]);
    }
    let mut seen = Vec::new();
    for scenario in managed(&schema(), &options) {
        for run in &scenario.runs {
            for change in &run.before {
                let WorldChange::Drift { to: Some(NewValue { path, value }), .. } = change else { continue };
                let place: AttributePath = path.parse().unwrap();
                let before = run.blocks[0].arguments.resolved().at(&place).unwrap();
                let before = state_json::encode(&before, before.ty()).unwrap();
                let before: serde_json::Value = serde_json::from_str(&before).unwrap();
                assert!(!value.is_null() && before != *value, "{path}: {value}");
                assert!(!run.aims.change.is_empty());
                seen.push(place.schema_path().to_string());
            }
        }
    }
    seen.sort();
    assert_eq!(seen, expected);
}
