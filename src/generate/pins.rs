//! Arguments whose values the user chose.

use std::collections::{BTreeMap, BTreeSet};

use serde_json::Value as Json;

use super::Options;
use super::model::{Form, NodeId, Presence, SchemaModel};
use super::store::StoreSnapshot;
use super::witness::Format;
use crate::schema::Schema;
use crate::value::{Data, Number, PathStep, Type, Value};

/// What a suite says about arguments, by schema path.
#[derive(Clone, Debug, Default)]
pub struct Pins {
    /// The values an argument may have, in order of preference. A pinned argument is set whenever
    /// its parent is.
    pub values: BTreeMap<String, Vec<Json>>,
    /// The formats of texts.
    pub formats: BTreeMap<String, Format>,
    /// Arguments that are never set.
    pub never: BTreeSet<String>,
}

/// Why a pin has no effect.
#[derive(Clone, Debug, PartialEq, Eq, thiserror::Error)]
pub enum PinProblem {
    #[error("{path:?} is not an argument of this type{}", hint(.nearest))]
    NoSuchArgument { path: String, nearest: Option<String> },
    #[error("{path:?} is a block: pin its arguments instead")]
    Block { path: String },
    #[error("{path:?} cannot be set in a configuration")]
    NotConfigurable { path: String },
    #[error("{path:?} is a {ty}, which {value} is not")]
    WrongType { path: String, ty: String, value: String },
    #[error("{path:?} is required, so it cannot be null")]
    Required { path: String },
    #[error("{path:?} is a {ty}, which has no format")]
    NoFormat { path: String, ty: String },
}

impl PinProblem {
    /// The schema path the suite named.
    pub fn path(&self) -> &str {
        match self {
            PinProblem::NoSuchArgument { path, .. }
            | PinProblem::Block { path }
            | PinProblem::NotConfigurable { path }
            | PinProblem::WrongType { path, .. }
            | PinProblem::Required { path }
            | PinProblem::NoFormat { path, .. } => path,
        }
    }
}

fn hint(nearest: &Option<String>) -> String {
    nearest.as_ref().map_or_else(String::new, |nearest| format!("; did you mean {nearest:?}?"))
}

impl Pins {
    /// Whether the user chose the value at a schema path, or one that it is part of.
    pub fn decide(&self, path: &str) -> bool {
        let holds = |pinned: &String| {
            path.strip_prefix(pinned.as_str()).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
        };
        self.values.keys().any(holds)
    }

    /// Whether a configuration decides otherwise than the user did.
    pub fn contradict(&self, config: &Value) -> bool {
        let mut is_otherwise = false;
        config.walk(&mut |at, value| {
            let path = at.schema_path().to_string();
            let is_member = matches!(at.steps().last(), Some(PathStep::Attribute(_)));
            is_otherwise |= is_member && self.never.contains(&path) && value.is_set();
            let chosen = self.values.get(&path).filter(|_| is_member);
            is_otherwise |= chosen.is_some_and(|values| {
                !values.iter().any(|json| from_json(json, value.ty()).as_ref() == Some(value))
            });
            !is_otherwise
        });
        is_otherwise
    }

    /// Every pin that has no effect on a type, in path order.
    pub fn problems(&self, model: &SchemaModel<'_>) -> Vec<PinProblem> {
        let mut problems = Vec::new();
        for path in self.values.keys().chain(&self.never).chain(self.formats.keys()) {
            let Some(id) = find(model, path) else {
                problems
                    .push(PinProblem::NoSuchArgument { path: path.clone(), nearest: nearest(model, path) });
                continue;
            };
            let node = model.node(id);
            let ty = node.ty.element().unwrap_or(&node.ty);
            if self.formats.contains_key(path) && !matches!(ty, Type::String | Type::Number | Type::Dynamic) {
                problems.push(PinProblem::NoFormat { path: path.clone(), ty: node.ty.to_string() });
                continue;
            }
            let Some(values) = self.values.get(path) else { continue };
            let path = path.clone();
            if matches!(model.node(id).form, Form::Block(_)) {
                problems.push(PinProblem::Block { path });
            } else if model.node(id).presence == Presence::Never {
                problems.push(PinProblem::NotConfigurable { path });
            } else if model.node(id).presence == Presence::Required && values.contains(&Json::Null) {
                problems.push(PinProblem::Required { path });
            } else if let Some(value) =
                values.iter().find(|json| from_json(json, &model.node(id).ty).is_none())
            {
                let (ty, value) = (model.node(id).ty.to_string(), value.to_string());
                problems.push(PinProblem::WrongType { path, ty, value });
            }
        }
        problems
    }

    /// The pinned values of a node that fit its type; `None` if nothing was pinned.
    pub(super) fn of(&self, model: &SchemaModel<'_>, id: NodeId) -> Option<Vec<Value>> {
        if self.values.is_empty() || matches!(model.node(id).form, Form::Block(_)) {
            return None;
        }
        let literals = self.values.get(&model.node(id).path)?;
        let values: Vec<Value> =
            literals.iter().filter_map(|json| from_json(json, &model.node(id).ty)).collect();
        (!values.is_empty()).then_some(values)
    }
}

/// What the user says about arguments without any effect, because nothing sets them or their values are decided
/// elsewhere: the path, and the key of the hint. In path order.
pub fn unused(schema: &Schema, options: &Options) -> Vec<(String, &'static str)> {
    let pins = &options.pins;
    if pins.values.is_empty() && pins.formats.is_empty() && pins.never.is_empty() {
        return Vec::new();
    }
    let model = SchemaModel::new(schema);
    let store = StoreSnapshot::new(&model, options, options.apply);
    let of_node = |id: NodeId| {
        let node = model.node(id);
        let may_be_set = node.presence != Presence::Never && store.is_open(node.parent);
        let unused = [
            ("format", pins.formats.contains_key(&node.path), store.is_open(id) && store.given(id).is_none()),
            ("never", pins.never.contains(&node.path), may_be_set),
            ("values", pins.values.contains_key(&node.path), store.is_open(id)),
        ];
        let unused = unused.into_iter().filter(|(_, is_said, has_effect)| *is_said && !has_effect);
        unused.map(|(key, ..)| (node.path.clone(), key)).collect::<Vec<_>>()
    };
    let mut unused: Vec<(String, &str)> = model.ids().flat_map(of_node).collect();
    unused.sort();
    unused
}

/// What stands for a word of the scenario in a text that the user chose.
pub(super) const WORD: &str = "{word}";

/// A value that the user chose, with a word of the scenario in every text that asks for one.
pub(super) fn filled(value: &Value, word: &str) -> Value {
    value.transform(&mut |_, value| match value.data() {
        Data::String(text) if text.contains(WORD) => Value::string(&text.replace(WORD, word)),
        _ => value,
    })
}

/// A list with its elements the other way round; `None` if that is no other list.
pub(super) fn permuted(value: &Value) -> Option<Value> {
    let (Type::List(element), elements) = (value.ty(), value.elements()?) else { return None };
    let reversed: Vec<Value> = elements.iter().rev().cloned().collect();
    (reversed != elements).then(|| Value::list(Type::clone(element), reversed))
}

fn find(model: &SchemaModel<'_>, path: &str) -> Option<NodeId> {
    model.ids().find(|id| model.node(*id).path == path)
}

fn nearest(model: &SchemaModel<'_>, path: &str) -> Option<String> {
    model
        .ids()
        .map(|id| &model.node(id).path)
        .map(|candidate| (strsim::damerau_levenshtein(candidate, path), candidate))
        .filter(|(distance, candidate)| *distance <= 1 + candidate.len() / 4)
        .min()
        .map(|(_, candidate)| candidate.clone())
}

/// A value from its JSON form; missing members of objects are null. `None` if it does not fit.
fn from_json(json: &Json, ty: &Type) -> Option<Value> {
    match (json, ty) {
        (Json::Null, _) => Some(Value::null(ty.clone())),
        (Json::Bool(value), Type::Bool | Type::Dynamic) => Some(Value::bool(*value)),
        (Json::Number(number), Type::Number | Type::Dynamic) => {
            Number::parse(&number.to_string()).ok().map(Value::number)
        }
        (Json::String(text), Type::String | Type::Dynamic) => Some(Value::string(text)),
        (Json::Array(items), Type::Dynamic) => {
            let items: Option<Vec<Value>> =
                items.iter().map(|item| from_json(item, &Type::Dynamic)).collect();
            items.map(Value::tuple)
        }
        (Json::Object(members), Type::Dynamic) => {
            let members: Option<Vec<(&String, Value)>> =
                members.iter().map(|(name, item)| Some((name, from_json(item, &Type::Dynamic)?))).collect();
            members.map(Value::object)
        }
        (Json::Array(items), Type::Tuple(tuple)) if items.len() == tuple.elements().len() => {
            let items: Option<Vec<Value>> =
                items.iter().zip(tuple.elements()).map(|(item, ty)| from_json(item, ty)).collect();
            items.map(Value::tuple)
        }
        (Json::Array(items), Type::List(element) | Type::Set(element)) => {
            let items: Option<Vec<Value>> = items.iter().map(|item| from_json(item, element)).collect();
            Value::of_elements(ty, items?)
        }
        (Json::Object(members), Type::Map(element)) => {
            let items: Option<Vec<Value>> = members.values().map(|item| from_json(item, element)).collect();
            Value::of_entries(ty, members.keys().zip(items?))
        }
        (Json::Object(members), Type::Object(object)) => {
            if members.keys().any(|name| object.get(name).is_none()) {
                return None;
            }
            let values: Option<Vec<Value>> = object
                .attributes()
                .iter()
                .map(|(name, ty)| from_json(members.get(name.as_ref()).unwrap_or(&Json::Null), ty))
                .collect();
            Some(Value::object_of(ty, values?))
        }
        _ => None,
    }
}

#[cfg(test)]
mod tests {
    use serde_json::json;

    use super::*;
    use crate::rule::example;

    #[test]
    fn a_pin_of_no_use_says_why() {
        let schema = example::schema();
        let model = SchemaModel::new(&schema.resources[example::THING]);
        let pins = Pins {
            values: [
                ("disk.size", json!([10])),
                ("disc.size", json!([10])),
                ("name", json!([["a"]])),
                ("one", json!([{}])),
                ("revision", json!([1])),
                ("single", json!([{ "mode": "a" }])),
            ]
            .into_iter()
            .map(|(path, values)| (path.to_owned(), values.as_array().unwrap().clone()))
            .collect(),
            never: ["nota".to_owned()].into(),
            ..Pins::default()
        };
        let problems: Vec<String> = pins.problems(&model).iter().map(ToString::to_string).collect();
        assert_eq!(
            problems,
            [
                r#""disc.size" is not an argument of this type; did you mean "disk.size"?"#,
                r#""name" is a string, which ["a"] is not"#,
                r#""one" is a block: pin its arguments instead"#,
                r#""revision" cannot be set in a configuration"#,
                r#""nota" is not an argument of this type; did you mean "note"?"#,
            ]
        );
    }

    #[test]
    fn a_null_or_a_format_that_does_not_fit_says_why() {
        let schema = example::schema();
        let model = SchemaModel::new(&schema.resources[example::THING]);
        let required = model.ids().find(|id| model.node(*id).presence == Presence::Required).unwrap();
        let required = model.node(required).path.clone();
        let formats = ["note", "enabled"].map(|path| (path.to_owned(), Format::Email));
        let pins = Pins { formats: formats.into(), ..pinned(&[(&required, json!([null]))]) };
        let problems: Vec<String> = pins.problems(&model).iter().map(ToString::to_string).collect();
        let expected = [
            format!("{required:?} is required, so it cannot be null"),
            "\"enabled\" is a bool, which has no format".to_owned(),
        ];
        assert_eq!(problems, expected);
    }

    #[test]
    fn a_null_leaves_the_argument_unset_when_its_turn_comes() {
        let all = sent(pinned(&[("note", json!(["a", null]))]), 4, "note");
        let first: Vec<bool> = all.iter().map(|values| values[0].is_null()).collect();
        assert_eq!(first, [false, true, false, true]);
    }

    #[test]
    fn what_is_said_of_an_argument_that_nothing_sets_is_unused() {
        let schema = example::schema();
        let of = |pins: Pins| {
            let options = Options { pins, ..Options::default() };
            let unused = unused(&schema.resources[example::THING], &options).into_iter();
            unused.map(|(path, key)| format!("{path} {key}")).collect::<Vec<_>>()
        };
        let values = pinned(&[("note", json!(["a"])), ("disk.size", json!([10]))]);
        assert_eq!(of(values.clone()), [""; 0]);
        assert_eq!(of(Pins { never: ["disk".to_owned()].into(), ..values.clone() }), ["disk.size values"]);
        let formats = BTreeMap::from([("note".to_owned(), Format::Email)]);
        assert_eq!(of(Pins { formats, ..values }), ["note format"]);
    }

    fn pinned(values: &[(&str, serde_json::Value)]) -> Pins {
        let values =
            values.iter().map(|(path, values)| ((*path).to_owned(), values.as_array().unwrap().clone()));
        Pins { values: values.collect(), ..Pins::default() }
    }

    /// Every value that scenarios of the example set for an argument, in order.
    fn sent(pins: Pins, cases: usize, argument: &str) -> Vec<Vec<Value>> {
        let schema = example::schema();
        let options = crate::generate::Options {
            pins,
            cases: crate::generate::Cases::Number(cases),
            apply: true,
            ..Default::default()
        };
        let scenarios = crate::generate::scenarios(
            &schema.resources[example::THING],
            crate::schema::Kind::Resource,
            example::THING,
            &options,
        );
        let of = |block: &crate::scenario::Block| block.arguments.resolved().member(argument);
        scenarios.map(|scenario| scenario.blocks().map(of).collect()).collect()
    }

    #[test]
    fn every_value_is_sent_one_scenario_after_the_other() {
        let pins = pinned(&[("name", json!(["a", "b", "c", "d"]))]);
        let first: Vec<String> =
            sent(pins, 8, "name").iter().map(|values| values[0].as_str().unwrap().to_owned()).collect();
        assert_eq!(first, ["a", "b", "c", "d", "a", "b", "c", "d"]);
    }

    #[test]
    fn a_word_is_the_same_within_a_scenario_and_no_other_has_it() {
        let pins = pinned(&[("name", json!(["{word}.example.com.", "{\"a\":[\"{word}\"]}"]))]);
        let mut words = std::collections::BTreeSet::new();
        let all = sent(pins, 24, "name");
        for values in &all {
            let of_scenario: BTreeSet<&str> = values
                .iter()
                .flat_map(|value| crate::scenario::words::of_text(value.as_str().unwrap()))
                .collect();
            assert_eq!(of_scenario.len(), 1, "{values:?}");
            words.extend(of_scenario.into_iter().map(str::to_owned));
        }
        assert_eq!(words.len(), all.len());
    }

    #[test]
    fn a_list_is_sent_in_another_order_too() {
        let pins = pinned(&[("ports", json!([[1, 2, 3]]))]);
        let numbers = |value: &Value| -> Vec<String> {
            let elements = value.elements().unwrap_or_default();
            elements.iter().map(|element| element.as_number().unwrap().to_string()).collect()
        };
        let all = sent(pins, 24, "ports");
        let orders: Vec<Vec<Vec<String>>> =
            all.iter().map(|values| values.iter().map(numbers).collect()).collect();
        let moved = vec![vec!["1", "2", "3"], vec!["3", "2", "1"], vec!["1", "2", "3"]];
        assert!(orders.iter().any(|values| values.windows(3).any(|steps| *steps == moved)), "{orders:?}");
    }
}
