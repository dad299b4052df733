use std::sync::Arc;

use crate::declare_rule;
use crate::rule::{Check, Context, Crash, Fault, Findings, Injection, Shows};
use crate::schema::{Function, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// Every parameter of a function, and its result, has a type.
    ///
    /// A function without a result makes an engine panic while it loads the provider; a type that
    /// cannot be read is an error in Terraform and a panic in OpenTofu, and so, in OpenTofu alone, is
    /// a description that is neither plain text nor Markdown. Where any type is allowed, declare the
    /// dynamic one.
    "schema/functions-have-types", Must,
    covers: ["SCHEMA-052", "SCHEMA-002"],
    shows: Shows::title_of("invalid declaration for function").or_crash(&[Crash {
        engine: "terraform 1.11.4",
        words: "runtime error: invalid memory address or nil pointer dereference",
    }]),
    fix: "declare a type for every parameter and the result, dynamic where any is allowed",
    cites: "plugin protocol", "Function": "every function declares its result";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/returns-nothing",
        about: "declares a function without a result",
        injection: Injection::Schema(nothing),
    };
    control: Fault {
        name: "schema/returns-anything",
        about: "declares a function whose result is dynamic",
        injection: Injection::Schema(anything),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_declared(provider, findings, |declared| {
        declared.kind == "function" && matches!(declared.problem.covers, "SCHEMA-002" | "SCHEMA-052")
    });
}

fn nothing(provider: &mut ProviderSchema) -> bool {
    declare(provider, Function::default())
}

fn anything(provider: &mut ProviderSchema) -> bool {
    declare(provider, Function { return_type: Some(Ok(Type::Dynamic)), ..Function::default() })
}

fn declare(provider: &mut ProviderSchema, function: Function) -> bool {
    provider.functions.insert("armed".to_owned(), Arc::new(function)).is_none()
}
