use crate::declare_rule;
use crate::rule::{Check, Context, Fault, Findings, Injection, edit};
use crate::schema::{Attribute, ProviderSchema};
use crate::value::Type;

declare_rule! {
    /// No block declares two attributes, or two nested block types, with the same name.
    ///
    /// Engines silently keep the last one, so that the other one has no effect. The usual cause is
    /// a list of attributes that is put together from shared parts.
    "schema/names-are-given-once", Should,
    covers: ["SCHEMA-004"],
    title: None,
    fix: "declare the name once in its block",
    cites: "configuration schema", "internal validation": "name defined as both";
    check: Check::Schema(check);
    fault: Fault {
        name: "schema/gives-a-name-twice",
        about: "declares two attributes with the same name",
        injection: Injection::Schema(twice),
    };
    control: Fault {
        name: "schema/gives-two-names",
        about: "declares two attributes with different names",
        injection: Injection::Schema(apart),
    };
}

fn check(context: &Context<'_>, provider: &ProviderSchema, findings: &mut Findings) {
    context.report_declared(provider, findings, |declared| {
        declared.problem.covers == "SCHEMA-004" && !declared.problem.refused
    });
}

fn twice(provider: &mut ProviderSchema) -> bool {
    declare(provider, edit::ARMED)
}

fn apart(provider: &mut ProviderSchema) -> bool {
    declare(provider, "armed_too")
}

fn declare(provider: &mut ProviderSchema, second: &str) -> bool {
    edit::resource_schema(provider, |schema| {
        for name in [edit::ARMED, second] {
            schema.block.attributes.push(Attribute::typed(name, Type::String).optional());
        }
        true
    })
}
