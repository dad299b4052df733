//! Running one case.

use serde_json::Value as Json;
use tfconform::core::{self, Ignored, Problem};
use tfconform::engine::Engine;
use tfconform::schema;
use tfconform::value::{Answer, AttributePath, Type, Value, includes, msgpack, state_json};

use crate::case::{Case, STRIP_REMOVED};
use crate::json::{self, Error, Outcome, compare_errors};

/// Runs a case for each engine it applies to.
pub fn run(case: &Case) -> Outcome<()> {
    for engine in &case.engines {
        run_for(case, *engine).map_err(|problem| format!("{engine}: {problem}"))?;
    }
    Ok(())
}

fn run_for(case: &Case, engine: Engine) -> Outcome<()> {
    let value = |role| case.value(role);
    match case.function.as_str() {
        "assert_plan_valid" => {
            let (prior, config, planned) = (value("prior")?, value("config")?, value("planned")?);
            let block = &case.schema()?.block;
            errors(case, &core::assert_plan_valid(block, &prior, &config, &planned, engine))
        }
        "assert_object_compatible" => {
            let (planned, actual) = (value("planned")?, value("actual")?);
            compatibility(
                case,
                &core::assert_object_compatible(&case.schema()?.block, &planned, &actual, engine),
            )
        }
        "proposed_new" => {
            let (prior, config) = (value("prior")?, value("config")?);
            expect_value(case, &core::proposed_new(&case.schema()?.block, &prior, &config, engine))
        }
        "normalize_legacy" => {
            expect_value(case, &core::normalize_legacy(&case.schema()?.block, &value("input")?))
        }
        "ignore_changes" => ignore_changes(case),
        "requires_replace" => requires_replace(case, engine),
        "internal_validate" => {
            let found = schema::check(case.schema()?, engine).into_iter().map(Problem::from);
            errors(case, &found.collect::<Vec<_>>())
        }
        "implied_type" => {
            let expected = Type::from_json(case.member("type")?).map_err(|error| error.to_string())?;
            same(&expected, case.schema()?.implied_type())
        }
        "empty_value" => expect_value(case, &case.schema()?.empty_value()),
        "conforms" => conforms(case),
        "equals" => answer(case, value("a")?.equals(&value("b")?)),
        "raw_equals" => answer(case, (value("a")? == value("b")?).into()),
        "includes" => answer(case, includes(&value("unknown")?, &value("value")?)),
        "msgpack" => in_msgpack(case),
        "state_json" => in_state_json(case),
        STRIP_REMOVED => strip_removed(case, engine),
        other => Err(format!("{other:?} is not a function with vectors")),
    }
}

fn errors(case: &Case, found: &[Problem]) -> Outcome<()> {
    let expected = case.expected()?.get("errors").and_then(Json::as_array).ok_or("errors must be a list")?;
    let ty = case.schema()?.implied_type();
    let expected = expected.iter().map(|error| Error::parse(error, ty)).collect::<Outcome<Vec<Error>>>()?;
    compare_errors(&expected, &found.iter().map(|found| Error::of(found, ty)).collect::<Vec<Error>>())
}

/// Problems in a sensitive attribute may be expected one by one, or as the single vague error that
/// engines report.
fn compatibility(case: &Case, found: &[Problem]) -> Outcome<()> {
    errors(case, found).or_else(|problem| {
        errors(case, &core::as_engines_tell(&case.schema()?.block, found)).map_err(|_| problem)
    })
}

fn expect_value(case: &Case, actual: &Value) -> Outcome<()> {
    let ty = case.schema()?.implied_type();
    let expected = match case.expected()?.get("value").ok_or("a value is expected")? {
        Json::Null => Value::null(ty.clone()),
        json => json::value(json, Some(ty))?,
    };
    same(&expected, actual)
}

fn same<T: PartialEq + std::fmt::Debug>(expected: &T, actual: &T) -> Outcome<()> {
    if expected == actual { Ok(()) } else { Err(format!("expected {expected:?}, got {actual:?}")) }
}

/// The expected answer, alone or as the only member of an object.
fn answer(case: &Case, actual: Answer) -> Outcome<()> {
    let expected = case.expected()?;
    let expected = expected.as_object().and_then(|members| members.values().next()).unwrap_or(expected);
    let expected = match expected.as_str() {
        Some("true") => Answer::True,
        Some("false") => Answer::False,
        Some("unknown") => Answer::Unknown,
        _ => return Err(format!("{expected} is not an answer")),
    };
    same(&expected, &actual)
}

fn paths(json: &Json) -> Outcome<Vec<AttributePath>> {
    json.as_array().ok_or("paths must be a list")?.iter().map(json::path).collect()
}

fn ignore_changes(case: &Case) -> Outcome<()> {
    let ignored = match case.member("ignore")? {
        Json::String(all) if all == "all" => Ignored::All,
        Json::Array(paths) => {
            let path = |path: &Json| {
                let text = path.as_str().ok_or("an ignored path must be a text")?;
                text.parse::<AttributePath>().map_err(|error| error.to_string())
            };
            Ignored::Paths(paths.iter().map(path).collect::<Outcome<Vec<_>>>()?)
        }
        other => return Err(format!("{other} cannot be ignored")),
    };
    let (prior, config) = (case.value("prior")?, case.value("config")?);
    expect_value(case, &core::ignore_changes(&case.schema()?.block, &prior, &config, &ignored))
}

fn requires_replace(case: &Case, engine: Engine) -> Outcome<()> {
    let (prior, planned) = (case.value("prior")?, case.value("planned")?);
    let given = paths(case.argument("paths").ok_or("paths are missing")?)?;
    let result = core::requires_replace(&case.schema()?.block, &prior, &planned, &given, engine);
    match case.expected()?.get("paths") {
        Some(expected) => {
            same(&Vec::<Problem>::new(), &result.problems)?;
            let expected = paths(expected)?;
            let same_set = expected.iter().all(|path| result.kept.contains(path))
                && result.kept.iter().all(|path| expected.contains(path));
            if same_set { Ok(()) } else { Err(format!("expected {expected:?}, got {:?}", result.kept)) }
        }
        None => errors(case, &result.problems),
    }
}

/// Types do not conform at specific places; one error at the root represents them all.
fn conforms(case: &Case) -> Outcome<()> {
    let want = Type::from_json(case.argument("want").ok_or("the wanted type is missing")?)
        .map_err(|error| error.to_string())?;
    let expected = case.expected()?.get("errors").and_then(Json::as_array).ok_or("errors must be a list")?;
    same(&expected.is_empty(), &case.value("value")?.ty().conforms(&want))
}

fn value_and_type(case: &Case) -> Outcome<(Value, Type)> {
    let value = case.value("value")?;
    if let Some(schema) = &case.schema {
        return Ok((value, schema.implied_type().clone()));
    }
    let ty = case.line.get("values").and_then(|values| values.get("value")).and_then(|json| json.get("type"));
    let ty = Type::from_json(ty.ok_or("the value has no type")?).map_err(|error| error.to_string())?;
    Ok((value, ty))
}

fn in_msgpack(case: &Case) -> Outcome<()> {
    let (value, ty) = value_and_type(case)?;
    let bytes = json::bytes(case.member("bytes")?)?;
    same(&bytes, &msgpack::encode(&value, &ty))?;
    let decoded = msgpack::decode(&bytes, &ty);
    same(&Some(value), &decoded.value)
}

fn in_state_json(case: &Case) -> Outcome<()> {
    let (value, ty) = value_and_type(case)?;
    let expected = case.member("json")?;
    let encoded = state_json::encode(&value, &ty).map_err(|error| error.to_string())?;
    // As text, which is compared byte by byte, or as the JSON itself.
    if expected.as_str() != Some(&encoded) {
        same(expected, &serde_json::from_str(&encoded).map_err(|error| error.to_string())?)?;
    }
    same(&value, &state_json::decode(encoded.as_bytes(), &ty).map_err(|error| error.to_string())?)
}

fn strip_removed(case: &Case, engine: Engine) -> Outcome<()> {
    let read = |json: &Json| match json {
        Json::String(text) => serde_json::from_str(text).map_err(|error| format!("not JSON: {error}")),
        other => Ok(other.clone()),
    };
    // The format has no name for the state.
    let names = ["json", "state", "input", "value"];
    let state = names.into_iter().find_map(|name| case.argument(name)).ok_or("the state JSON is missing")?;
    let state = read(state)?;
    let expected = case.expected()?;
    let expected = read(names.into_iter().find_map(|name| expected.get(name)).unwrap_or(expected))?;
    let stripped = core::strip_removed(&state, &case.ty()?, engine).unwrap_or(state);
    same(&expected, &stripped)
}
