use crate::declare_rule;
use crate::rule::{Check, Context, Crash, Fault, Findings, Injection, Shows, edit};
use crate::schema::{Attribute, AttributeKind, InvalidKind, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// Every type in a schema is written in the JSON form of types.
    ///
    /// The form is a name such as `"string"`, or an array such as `["list","string"]` or
    /// `["object",{"a":"number"}]`; "any" is spelt `"dynamic"`. An engine panics on anything else
    /// while it loads the provider, and the user sees a crash of the engine. SDKs write the form;
    /// where you write it by hand, watch for object types that list optional attributes which they do
    /// not declare.
    "schema/types-can-be-read", Must,
    covers: ["SCHEMA-002"],
    shows: Shows::crash(&[Crash {
        engine: "terraform 1.11.4",
        words: "invalid primitive type name …",
    }]),
    fix: "write the type in its JSON form, such as \"string\" or [\"list\",\"string\"]",
    cites: "plugin protocol", "Schema": "an attribute's type is type JSON";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/invents-a-type",
        about: "declares an attribute of a type that does not exist",
        injection: Injection::Schema(invent),
    };
    control: Fault {
        name: "schema/declares-any-type",
        about: "declares a dynamic attribute",
        injection: Injection::Schema(any),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_declared(provider, findings, |declared| {
        declared.problem.covers == "SCHEMA-002"
            && declared.kind != "function"
            && !declared.problem.is_missing_block()
    });
}

fn invent(provider: &mut ProviderSchema) -> bool {
    let error = Type::parse(br#""any""#).expect_err("no type has this name");
    let kind = AttributeKind::Invalid(InvalidKind::Type(error));
    edit::declare(provider, Attribute::of(edit::ARMED, kind).optional())
}

fn any(provider: &mut ProviderSchema) -> bool {
    edit::declare(provider, Attribute::typed(edit::ARMED, Type::Dynamic).optional())
}
