//! The functions that [`schema`](crate::reference::schema) declares.

use super::Answer;
use crate::calls::{CallFunction, CallFunctionRequest, CallFunctionResponse, Encoded, FunctionError};
use crate::reference::Reference;
use crate::schema::{Function, Parameter};
use crate::value::{Type, Value};

/// The longest string that is returned, in bytes.
const LONGEST: usize = 1 << 16;

impl Answer for CallFunction {
    fn answer(reference: &Reference, request: &CallFunctionRequest) -> CallFunctionResponse {
        match reference.function(request) {
            Ok(result) => {
                CallFunctionResponse { result: Some(Encoded::of(result, &Type::String)), error: None }
            }
            Err(error) => CallFunctionResponse { result: None, error: Some(error) },
        }
    }
}

impl Reference {
    fn function(&self, request: &CallFunctionRequest) -> Result<Value, FunctionError> {
        let missing = || error(None, format!("This provider has no function {:?}.", request.name));
        let declared = self.schema.functions.get(&request.name).ok_or_else(missing)?;
        let arguments = arguments(declared, &request.arguments)?;
        match (request.name.as_str(), &arguments[..]) {
            ("repeat", [text, times]) => repeat(text, times),
            ("join", [separator, parts @ ..]) => Ok(join(separator, parts)),
            ("type_name", [value]) => Ok(type_name(value)),
            // Faults may declare functions without an implementation.
            _ => Err(missing()),
        }
    }
}

/// The arguments, checked against the parameters in number and value.
fn arguments<'a>(declared: &Function, given: &'a [Encoded]) -> Result<Vec<&'a Value>, FunctionError> {
    let n_fixed = declared.parameters.len();
    if given.len() < n_fixed || (given.len() > n_fixed && declared.variadic_parameter.is_none()) {
        return Err(error(None, format!("{} arguments are given, {n_fixed} expected.", given.len())));
    }
    let parameters = declared.parameters.iter().chain(std::iter::repeat_with(|| {
        declared.variadic_parameter.as_ref().expect("there are no more arguments than parameters otherwise")
    }));
    let pairs = given.iter().zip(parameters).enumerate();
    pairs.map(|(idx, (argument, parameter))| allowed(idx, argument, parameter)).collect()
}

fn allowed<'a>(idx: usize, argument: &'a Encoded, parameter: &Parameter) -> Result<&'a Value, FunctionError> {
    let name = &parameter.name;
    match argument.value() {
        None => Err(error(Some(idx), format!("The argument {name} does not decode."))),
        Some(value) if value.is_null() && !parameter.allow_null_value => {
            Err(error(Some(idx), format!("The argument {name} must not be null.")))
        }
        Some(value) if !value.is_wholly_known() && !parameter.allow_unknown_values => {
            Err(error(Some(idx), format!("The argument {name} must be known.")))
        }
        Some(value) => Ok(value),
    }
}

fn repeat(text: &Value, times: &Value) -> Result<Value, FunctionError> {
    let text = text.as_str().unwrap_or_default();
    let times = times.as_number().and_then(|times| usize::try_from(times.to_i64()?).ok());
    match times.filter(|times| text.len().saturating_mul(*times) <= LONGEST) {
        Some(times) => Ok(Value::string(&text.repeat(times))),
        None => Err(error(Some(1), "The number of times must be whole, not negative and not so large.")),
    }
}

fn join(separator: &Value, parts: &[&Value]) -> Value {
    let parts: Vec<&str> = parts.iter().filter_map(|part| part.as_str()).collect();
    Value::string(&parts.join(separator.as_str().unwrap_or_default()))
}

/// An unknown may turn out to be of another type.
fn type_name(value: &Value) -> Value {
    match value.ty() {
        Type::Dynamic if value.is_unknown() => Value::unknown(Type::String),
        ty => Value::string(&ty.to_string()),
    }
}

fn error(argument: Option<usize>, text: impl Into<String>) -> FunctionError {
    FunctionError { text: text.into(), argument: argument.map(|idx| idx as i64) }
}
