use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Check, Context, Enforced, Fault, Findings, Injection, Since};
use crate::schema::{Function, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// Functions and parameters have identifiers as names, and no two parameters have the same name.
    ///
    /// A function is called by its name, and parameters are named in messages to the user. Terraform
    /// refuses a provider with any other name; OpenTofu does not check. Watch for the variadic
    /// parameter: its name must differ from all others.
    "schema/functions-are-named", Must,
    covers: ["SCHEMA-050"],
    title: Some("Failed to load plugin schemas"),
    enforced: Enforced::by_terraform(Since::Always),
    fix: "give the function and its parameters identifiers as names, each parameter its own",
    cites: "configuration schema", "schema loading": "names are valid identifiers, and unique";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/names-a-function-with-a-digit-first",
        about: "declares a function whose name begins with a digit",
        injection: Injection::Schema(digit),
    };
    control: Fault {
        name: "schema/names-a-function-with-a-hyphen",
        about: "declares a function whose name has a hyphen",
        injection: Injection::Schema(hyphen),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_refused(provider, findings, "SCHEMA-050");
}

fn digit(provider: &mut ProviderSchema) -> bool {
    declare(provider, "1-armed")
}

fn hyphen(provider: &mut ProviderSchema) -> bool {
    declare(provider, "one-armed")
}

fn declare(provider: &mut ProviderSchema, name: &str) -> bool {
    let function = Function { return_type: Some(Ok(Type::String)), ..Function::default() };
    provider.functions.insert(name.to_owned(), Arc::new(function)).is_none()
}
