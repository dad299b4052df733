//! The functions of the configuration language that examples use most, of those that only compute.

use hcl::Template;
use hcl::Value;
use hcl::eval::{Context, Evaluate as _, Func, FuncArgs, FuncDef, ParamType};

/// Declares the functions. All others are left to engines.
pub(super) fn declare(context: &mut Context<'_>) {
    let any = || FuncDef::builder().param(ParamType::Any);
    let text = || FuncDef::builder().param(ParamType::String);
    let plain: [(&str, Func); 10] = [
        ("jsonencode", jsonencode),
        // What is JSON is YAML.
        ("yamlencode", jsonencode),
        ("jsondecode", jsondecode),
        ("tostring", tostring),
        ("tonumber", same),
        ("tobool", same),
        ("tolist", same),
        ("toset", same),
        ("tomap", same),
        ("sensitive", same),
    ];
    for (name, function) in plain {
        context.declare_func(name, any().build(function));
    }
    let texts: [(&str, Func); 5] = [
        ("upper", upper),
        ("lower", lower),
        ("trimspace", trimspace),
        ("base64encode", base64encode),
        ("base64decode", base64decode),
    ];
    for (name, function) in texts {
        context.declare_func(name, text().build(function));
    }
    let list = || ParamType::array_of(ParamType::Any);
    context.declare_func("join", text().param(list()).build(join));
    context.declare_func("concat", FuncDef::builder().variadic_param(list()).build(concat));
    context.declare_func("split", text().param(ParamType::String).build(split));
    context.declare_func("replace", text().param(ParamType::String).param(ParamType::String).build(replace));
    context.declare_func("format", text().variadic_param(ParamType::Any).build(format));
    let object = ParamType::object_of(ParamType::Any);
    context.declare_func("templatestring", text().param(object.clone()).build(templatestring));
    context.declare_func("merge", FuncDef::builder().variadic_param(object).build(merge));
}

fn same(args: FuncArgs) -> Result<Value, String> {
    args.into_values().into_iter().next().ok_or_else(|| "no argument".to_owned())
}

/// As engines write it: keys in order, and what HTML would interpret as escapes.
fn jsonencode(args: FuncArgs) -> Result<Value, String> {
    let mut json = serde_json::to_value(same(args)?).map_err(|error| error.to_string())?;
    json.sort_all_objects();
    let mut text = json.to_string();
    for (plain, escaped) in [('<', "\\u003c"), ('>', "\\u003e"), ('&', "\\u0026")] {
        text = text.replace(plain, escaped);
    }
    Ok(Value::from(text))
}

fn tostring(args: FuncArgs) -> Result<Value, String> {
    text_of(&same(args)?).map(Value::from)
}

fn text_of(value: &Value) -> Result<String, String> {
    match value {
        Value::String(text) => Ok(text.clone()),
        Value::Number(number) => Ok(number.to_string()),
        Value::Bool(value) => Ok(value.to_string()),
        _ => Err("not a text, a number or a bool".to_owned()),
    }
}

fn of_text(args: FuncArgs, change: fn(&str) -> String) -> Result<Value, String> {
    Ok(Value::from(change(&text_of(&same(args)?)?)))
}

fn upper(args: FuncArgs) -> Result<Value, String> {
    of_text(args, str::to_uppercase)
}

fn lower(args: FuncArgs) -> Result<Value, String> {
    of_text(args, str::to_lowercase)
}

fn trimspace(args: FuncArgs) -> Result<Value, String> {
    of_text(args, |text| text.trim().to_owned())
}

fn base64encode(args: FuncArgs) -> Result<Value, String> {
    use base64::Engine as _;
    of_text(args, |text| base64::engine::general_purpose::STANDARD.encode(text))
}

fn base64decode(args: FuncArgs) -> Result<Value, String> {
    use base64::Engine as _;
    let bytes = base64::engine::general_purpose::STANDARD.decode(text_of(&same(args)?)?);
    let text = String::from_utf8(bytes.map_err(|error| error.to_string())?);
    text.map(Value::from).map_err(|error| error.to_string())
}

fn jsondecode(args: FuncArgs) -> Result<Value, String> {
    serde_json::from_str(&text_of(&same(args)?)?).map_err(|error| error.to_string())
}

fn texts<const N: usize>(args: FuncArgs) -> Result<[String; N], String> {
    let texts: Vec<String> = args.into_values().iter().map(text_of).collect::<Result<_, _>>()?;
    texts.try_into().map_err(|_| "another number of arguments".to_owned())
}

fn split(args: FuncArgs) -> Result<Value, String> {
    let [separator, text] = texts(args)?;
    Ok(Value::from_iter(text.split(&separator)))
}

/// Without regular expressions, which are in slashes.
fn replace(args: FuncArgs) -> Result<Value, String> {
    let [text, from, to] = texts(args)?;
    match from.len() > 1 && from.starts_with('/') && from.ends_with('/') {
        true => Err("a regular expression".to_owned()),
        false => Ok(Value::from(text.replace(&from, &to))),
    }
}

/// A template, and what its names stand for.
fn templatestring(args: FuncArgs) -> Result<Value, String> {
    let mut args = args.into_values().into_iter();
    let (Some(text), Some(Value::Object(members))) = (args.next(), args.next()) else {
        return Err("not an object".to_owned());
    };
    let template: Template = text_of(&text)?.parse().map_err(|error: hcl::Error| error.to_string())?;
    let mut context = Context::new();
    declare(&mut context);
    members.into_iter().for_each(|(name, value)| context.declare_var(name, value));
    template.evaluate(&context).map(Value::from).map_err(|error| error.to_string())
}

/// With the verbs that examples use: `%s`, `%d`, `%v` and `%%`.
fn format(args: FuncArgs) -> Result<Value, String> {
    let mut args = args.into_values().into_iter();
    let pattern = text_of(&args.next().unwrap_or_default())?;
    let mut pieces = pattern.split('%');
    let mut text = pieces.next().unwrap_or_default().to_owned();
    while let Some(piece) = pieces.next() {
        match piece.split_at_checked(1) {
            Some(("s" | "d" | "v", rest)) => {
                text += &text_of(&args.next().ok_or("too few arguments")?)?;
                text += rest;
            }
            None => text = text + "%" + pieces.next().unwrap_or_default(),
            Some(_) => return Err("another verb".to_owned()),
        }
    }
    Ok(Value::from(text))
}

fn join(args: FuncArgs) -> Result<Value, String> {
    let args = args.into_values();
    let [separator, Value::Array(items)] = &args[..] else { return Err("not a list".to_owned()) };
    let items: Vec<String> = items.iter().map(text_of).collect::<Result<_, _>>()?;
    Ok(Value::from(items.join(&text_of(separator)?)))
}

fn concat(args: FuncArgs) -> Result<Value, String> {
    let lists = args.into_values().into_iter().flat_map(|list| match list {
        Value::Array(items) => items,
        other => vec![other],
    });
    Ok(Value::Array(lists.collect()))
}

fn merge(args: FuncArgs) -> Result<Value, String> {
    let mut all = hcl::Map::new();
    for object in args.into_values() {
        let Value::Object(members) = object else { return Err("not an object".to_owned()) };
        all.extend(members);
    }
    Ok(Value::Object(all))
}
