//! Functions, called over the wire.

use super::driver::Driver;
use crate::transcript::*;
use crate::value::{Type, Value};

async fn call(name: &str, arguments: &[Value]) -> AnyCall {
    let driver = Driver::new(if arguments.len() == 1 { 5 } else { 6 }, "reference_plain");
    let types = [("repeat", vec![Type::String, Type::Number]), ("type_name", vec![Type::Dynamic])];
    let types = types.into_iter().find(|(declared, _)| *declared == name).map(|(_, types)| types);
    let ty = |idx: usize| types.as_ref().and_then(|types| types.get(idx).cloned()).unwrap_or(Type::String);
    let arguments = arguments.iter().enumerate().map(|(idx, value)| Encoded::of(value.clone(), &ty(idx)));
    let request = CallFunctionRequest { name: name.to_owned(), arguments: arguments.collect() };
    driver.carried(AnyCall::CallFunction(Call::unanswered(request))).await
}

async fn result(name: &str, arguments: &[Value]) -> Value {
    let called = call(name, arguments).await;
    assert!(called.succeeded(), "{called:?}");
    let AnyCall::CallFunction(Call { outcome: Ok(response), .. }) = called else { panic!("no answer") };
    response.result.and_then(|result| result.value().cloned()).expect("a result that decodes")
}

/// The argument at fault.
async fn refused(name: &str, arguments: &[Value]) -> Option<i64> {
    let called = call(name, arguments).await;
    assert!(!called.succeeded() && called.failure().is_none(), "{called:?}");
    let AnyCall::CallFunction(Call { outcome: Ok(response), .. }) = called else { panic!("no answer") };
    assert!(response.result.is_none());
    response.error.expect("an error").argument
}

fn text(text: &str) -> Value {
    Value::string(text)
}

fn number(number: i64) -> Value {
    Value::number(number)
}

#[tokio::test]
async fn functions_have_results() {
    assert_eq!(result("repeat", &[text("ab"), number(3)]).await, text("ababab"));
    assert_eq!(
        result("join", &[text("-"), text("a"), Value::null(Type::String), text("b")]).await,
        text("a-b")
    );
    assert_eq!(result("join", &[text("-")]).await, text(""));
    assert_eq!(result("type_name", &[Value::list(Type::Bool, vec![])]).await, text("list(bool)"));
}

#[tokio::test]
async fn a_parameter_that_allows_unknown_values_takes_them() {
    let unknown = result("type_name", &[Value::unknown(Type::Dynamic)]).await;
    assert_eq!(unknown, Value::unknown(Type::String));
    assert_eq!(result("type_name", &[Value::unknown(Type::Number)]).await, text("number"));
}

#[tokio::test]
async fn an_error_names_the_argument_at_fault() {
    assert_eq!(refused("repeat", &[text("ab"), number(-1)]).await, Some(1));
    assert_eq!(refused("repeat", &[Value::null(Type::String), number(1)]).await, Some(0));
    assert_eq!(refused("repeat", &[text("ab"), Value::unknown(Type::Number)]).await, Some(1));
    assert_eq!(refused("join", &[text("-"), Value::unknown(Type::String)]).await, Some(1));
    assert_eq!(refused("repeat", &[text("ab")]).await, None);
    assert_eq!(refused("no_such", &[]).await, None);
}
