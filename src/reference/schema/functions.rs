//! The functions that the provider declares.

use std::collections::BTreeMap;
use std::sync::Arc;

use crate::schema::{Function, Parameter};
use crate::value::Type;

/// One that can fail, one with variadic arguments of which some may be null, and one that takes anything.
pub fn functions() -> BTreeMap<String, Arc<Function>> {
    let repeat = Function {
        parameters: vec![parameter("text", Type::String), parameter("times", Type::Number)],
        summary: "A text several times over.".to_owned(),
        ..returning(Type::String)
    };
    let join = Function {
        parameters: vec![parameter("separator", Type::String)],
        variadic_parameter: Some(Parameter { allow_null_value: true, ..parameter("parts", Type::String) }),
        summary: "Texts in a row, without those that are null.".to_owned(),
        ..returning(Type::String)
    };
    let type_name = Function {
        parameters: vec![Parameter {
            allow_null_value: true,
            allow_unknown_values: true,
            ..parameter("value", Type::Dynamic)
        }],
        summary: "The type of a value, as one writes it.".to_owned(),
        ..returning(Type::String)
    };
    let named = [("repeat", repeat), ("join", join), ("type_name", type_name)];
    named.into_iter().map(|(name, function)| (name.to_owned(), Arc::new(function))).collect()
}

fn returning(ty: Type) -> Function {
    Function { return_type: Some(Ok(ty)), ..Function::default() }
}

fn parameter(name: &str, ty: Type) -> Parameter {
    Parameter {
        name: name.to_owned(),
        ty: Ok(ty),
        allow_null_value: false,
        allow_unknown_values: false,
        description: String::new(),
    }
}
