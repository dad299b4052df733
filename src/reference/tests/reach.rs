//! Whether every fault can act in some type.

use super::driver::{Driver, Stored, unanswered};
use crate::core::generated_config;
use crate::reference::schema::definitions;
use crate::reference::{change_remotely, faults};
use crate::rule::{Injection, edit};
use crate::rules::behaviours::BEHAVIOUR_FAULTS;
use crate::rules::planned_private::PRIVATE_FAULTS;
use crate::schema::Schema;
use crate::transcript::*;
use crate::value::{Literal, Type, Value};

/// A configuration in which everything that can be set is set; `variant` distinguishes two of them.
fn rich(driver: &Driver, variant: i64) -> Value {
    driver.config(literal_of(driver.schema(), variant))
}

fn literal_of(schema: &Schema, variant: i64) -> Literal {
    block_literal(&schema.block, variant)
}

fn block_literal(block: &crate::schema::Block, variant: i64) -> Literal {
    let attributes = block.attributes.iter().filter_map(|attribute| attribute_literal(attribute, variant));
    let blocks = block.block_types.iter().map(|nested| {
        use crate::schema::Nesting;
        let inner = || block_literal(&nested.block, variant);
        let literal = match nested.nesting {
            Nesting::List => Literal::List(vec![inner(), inner()]),
            Nesting::Set => Literal::List(vec![inner(), block_literal(&nested.block, variant + 1)]),
            Nesting::Map => Literal::Object(vec![("k".to_owned(), inner())]),
            Nesting::Single | Nesting::Group | Nesting::Invalid(_) => inner(),
        };
        (nested.name.clone(), literal)
    });
    Literal::Object(attributes.chain(blocks).collect())
}

fn attribute_literal(attribute: &crate::schema::Attribute, variant: i64) -> Option<(String, Literal)> {
    let left_out =
        ["absent", "choice", "alias", "path", "level", "quotas", "note"].contains(&attribute.name.as_str());
    if !attribute.is_configurable() || left_out {
        return None;
    }
    let literal = match attribute.nested_attributes() {
        // As the documentation names an object.
        None if attribute.name == "name" => Literal::from("web"),
        None if attribute.name == "region" => Literal::from("a"),
        None if ["body", "manifest"].contains(&attribute.name.as_str()) => {
            Literal::from(format!("{{ \"n\": {variant} }}"))
        }
        None => plain_literal(&attribute.ty(), variant),
        Some(nested) => {
            let inner = || {
                let members = nested.attributes.iter().filter_map(|inner| attribute_literal(inner, variant));
                Literal::Object(members.collect())
            };
            match attribute.ty() {
                Type::List(_) => Literal::List(vec![inner(), inner()]),
                Type::Set(_) => Literal::List(vec![inner()]),
                Type::Map(_) => Literal::Object(vec![("k".to_owned(), inner())]),
                _ => inner(),
            }
        }
    };
    Some((attribute.name.clone(), literal))
}

fn plain_literal(ty: &Type, variant: i64) -> Literal {
    match ty {
        Type::String | Type::Dynamic => Literal::from(format!("Some text {variant}")),
        Type::Number => Literal::from(variant),
        Type::Bool => Literal::from(variant % 2 == 0),
        Type::List(element) | Type::Set(element) => {
            Literal::List(vec![plain_literal(element, variant), plain_literal(element, variant + 1)])
        }
        Type::Map(element) => Literal::Object(vec![("k".to_owned(), plain_literal(element, variant))]),
        Type::Tuple(tuple) => {
            Literal::List(tuple.elements().iter().map(|ty| plain_literal(ty, variant)).collect())
        }
        Type::Object(object) => Literal::Object(
            object
                .attributes()
                .iter()
                .map(|(name, ty)| (name.to_string(), plain_literal(ty, variant)))
                .collect(),
        ),
    }
}

/// A life with every kind of call, whatever the answers.
fn live(driver: &Driver) {
    let (first, second) = (rich(driver, 1), rich(driver, 3));
    let unknown = driver.schema().block.block_types.first().map_or_else(
        || first.clone(),
        |nested| first.with_attribute(&nested.name, Value::unknown(nested.implied_type())),
    );
    let unknown = unknown.with_attribute("name", Value::unknown(Type::String));
    let null = driver.schema().null();
    driver.validate(&first);
    driver.validate(&unknown);
    driver.plan(None, &unknown);
    let Some(created) = apply(driver, None, &first) else { return };
    if let Ok(json) = crate::value::state_json::encode(&created.state, driver.schema().implied_type()) {
        let _ = driver.upgrade(driver.schema().version, &json);
        let _ = driver.upgrade(0, "{\"title\":\"a\"}");
        let _ = driver.upgrade(0, &json);
        let _ = driver.upgrade(0, "{}");
    }
    upgrade_without_choices(driver, &created);
    driver.plan(Some(&created), &first);
    // Each of two processes is asked twice.
    for _ in 0..4 {
        read(driver, &created);
        driver.plan(Some(&created), &first);
    }
    driver.plan(Some(&created), &unknown);
    let updated = apply(driver, Some(&created), &second).unwrap_or(created);
    let few = driver.config(Literal::Object(
        match literal_of(driver.schema(), 3) {
            Literal::Object(members) => members,
            _ => Vec::new(),
        }
        .into_iter()
        .filter(|(name, _)| ["name", "region", "body"].contains(&name.as_str()))
        .collect(),
    ));
    let updated = apply(driver, Some(&updated), &few).unwrap_or(updated);
    for kind in [DriftKind::Change, DriftKind::AddElement, DriftKind::Respell] {
        let protocol = driver.reference().protocol();
        // Not every type has a spelling to change.
        let _ =
            change_remotely(driver.folder.path(), protocol, &driver.type_name, &updated.state, kind, None);
        read(driver, &updated);
    }
    import(driver, &updated);
    driver.plan(Some(&updated), &second);
    // Once in each of two processes.
    bring_to_twin(driver, &updated);
    bring_to_twin(driver, &updated);
    // One of two processes imported it.
    for read in [read(driver, &updated), read(driver, &updated)].into_iter().flatten() {
        driver.validate(&generated_config(&driver.schema().block, &read));
    }
    driver.plan(Some(&updated), &few);
    driver.plan(Some(&updated), &few);
    let plan = driver.plan(Some(&updated), &null);
    for _ in 0..4 {
        driver.apply(Some(&updated), &null, &plan);
    }
    read(driver, &updated);
    ask(driver);
}

fn apply(driver: &Driver, prior: Option<&Stored>, config: &Value) -> Option<Stored> {
    let plan = driver.plan(prior, config);
    let response = driver.apply(prior, config, &plan);
    let state = response.new_state.value().filter(|state| state.is_set())?.clone();
    Some(Stored { state, private: response.private, identity: response.new_identity })
}

fn import(driver: &Driver, stored: &Stored) {
    let id = stored.state.attribute("id").and_then(Value::as_str).unwrap_or_default().to_owned();
    let by_identity = stored.identity.clone().map(|identity| (String::new(), Some(identity)));
    for (id, identity) in [(id, None)].into_iter().chain(by_identity) {
        let type_name = driver.type_name.clone();
        let request = ImportResourceStateRequest { type_name, id, capabilities: None, identity };
        driver.call(AnyCall::ImportResourceState(Call { request, outcome: unanswered() }));
    }
}

/// Has the state upgraded as a release stored it that did not have the arguments that the provider may choose.
fn upgrade_without_choices(driver: &Driver, stored: &Stored) {
    let block = &driver.schema().block;
    let lacking = edit::each_attribute(block, &stored.state, |attribute, value| {
        let is_chosen = attribute.optional && attribute.computed;
        is_chosen.then(|| Value::null(value.ty().clone()))
    });
    if let Ok(json) = crate::value::state_json::encode(&lacking, driver.schema().implied_type()) {
        let _ = driver.upgrade(driver.schema().version, &json);
    }
}

/// Moves an object to the other name of its type, if it has one, and reads it there.
fn bring_to_twin(driver: &Driver, stored: &Stored) {
    let Some(twin) = definitions(6).get(&driver.type_name).and_then(|definition| definition.twin) else {
        return;
    };
    let ty = driver.schema().implied_type();
    let json = crate::value::state_json::encode(&stored.state, ty).expect("a state is known");
    let request = MoveResourceStateRequest {
        source_provider_address: "registry.terraform.io/hashicorp/reference".to_owned(),
        source_type_name: driver.type_name.clone(),
        source_schema_version: driver.schema().version,
        source_state: RawState { json: json.into(), ..RawState::default() },
        target_type_name: twin.to_owned(),
        source_private: stored.private.clone(),
        source_identity: RawState::default(),
        source_identity_schema_version: 0,
    };
    let (moved, _) = driver.call(AnyCall::MoveResourceState(Call { request, outcome: unanswered() }));
    let AnyCall::MoveResourceState(Call { outcome: Ok(response), .. }) = moved else { return };
    for _ in 0..2 {
        let request = ReadResourceRequest {
            type_name: twin.to_owned(),
            current_state: Encoded::of(stored.state.clone(), ty),
            private: response.target_private.clone(),
            provider_meta: None,
            capabilities: None,
            current_identity: None,
        };
        driver.call(AnyCall::ReadResource(Call { request, outcome: unanswered() }));
    }
}

fn read(driver: &Driver, stored: &Stored) -> Option<Value> {
    let request = ReadResourceRequest {
        type_name: driver.type_name.clone(),
        current_state: Encoded::of(stored.state.clone(), driver.schema().implied_type()),
        private: stored.private.clone(),
        provider_meta: None,
        capabilities: None,
        current_identity: stored.identity.clone(),
    };
    let (read, _) = driver.call(AnyCall::ReadResource(Call { request, outcome: unanswered() }));
    let AnyCall::ReadResource(Call { outcome: Ok(response), .. }) = read else { return None };
    response.new_state.value().filter(|state| state.is_set()).cloned()
}

/// The calls that concern no managed resource.
fn ask(driver: &Driver) {
    let provider = driver.reference().schema().clone();
    for (name, schema) in &provider.data_sources {
        let config = match literal_of(schema, 1).of(schema.implied_type()) {
            config if config.is_set() => Encoded::of(config, schema.implied_type()),
            _ => continue,
        };
        let request = ValidateDataResourceConfigRequest { type_name: name.clone(), config: config.clone() };
        driver.call(AnyCall::ValidateDataResourceConfig(Call { request, outcome: unanswered() }));
        let request = ReadDataSourceRequest {
            type_name: name.clone(),
            config,
            provider_meta: None,
            capabilities: None,
        };
        driver.call(AnyCall::ReadDataSource(Call { request, outcome: unanswered() }));
    }
    let schema = provider.provider.as_ref().expect("the provider has a schema");
    let config = Encoded::of(literal_of(schema, 1).of(schema.implied_type()), schema.implied_type());
    for config in [config.clone(), Encoded::of(schema.empty_value(), schema.implied_type())] {
        let request = ValidateProviderConfigRequest { config };
        driver.call(AnyCall::ValidateProviderConfig(Call { request, outcome: unanswered() }));
    }
    let request = ConfigureProviderRequest { terraform_version: String::new(), config, capabilities: None };
    driver.call(AnyCall::ConfigureProvider(Call { request, outcome: unanswered() }));
    driver.call(AnyCall::GetProviderSchema(Call {
        request: GetProviderSchemaRequest {},
        outcome: unanswered(),
    }));
    driver.call(AnyCall::GetMetadata(Call { request: GetMetadataRequest {}, outcome: unanswered() }));
}

/// Controls that do what the conforming answer already does.
const IDLE: [&str; 1] = ["read/keeps-the-case"];

#[test]
fn every_fault_finds_something_to_act_on() {
    let idle: Vec<&str> = faults()
        .filter(|fault| matches!(fault.injection, Injection::Answer(_) | Injection::Call(..)))
        // One object is not enough for these, or they need a plan in two steps.
        .filter(|fault| BEHAVIOUR_FAULTS.iter().all(|one| one.fault.name != fault.name))
        .filter(|fault| {
            PRIVATE_FAULTS.iter().all(|one| ![one.fault.name, one.control.name].contains(&fault.name))
        })
        .filter(|fault| {
            !IDLE.contains(&fault.name)
                && ![6, 5].into_iter().any(|protocol| {
                    definitions(protocol).keys().any(|type_name| {
                        let driver = Driver::armed(protocol, type_name, &[fault.name]);
                        live(&driver);
                        driver.n_committed() > 0
                    })
                })
        })
        .map(|fault| fault.name)
        .collect();
    assert_eq!(idle, Vec::<&str>::new());
}
