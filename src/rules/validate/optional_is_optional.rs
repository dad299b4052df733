use super::config;
use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, Speaker, edit, failed,
    named,
};
use crate::schema::Schema;
use crate::transcript::{Diagnostic, Exchange, OptionalArgument};
use crate::value::{SchemaPath, Value};

declare_rule! {
    /// An optional argument can be set, and can be left out.
    ///
    /// The schema declares the argument as optional, and yet no configuration was accepted that sets it, or none that
    /// leaves it out. Documentation and editors tell users something else than the provider, and a module cannot pass
    /// on null. Declare as required what is always needed and as computed what users may not set; a default of your
    /// own that does not pass your own validation needs another value.
    "validate/optional-is-optional", Advice,
    covers: ["VALIDATE-008"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "declare {attributes} as required or as computed, as the provider treats it",
    cites: "plugin protocol", "Schema.Attribute": "optional: the argument may be set or left out";
    check: Check::Asked(check);
    fault: Fault {
        name: "validate/demands-an-option",
        about: "refuses every configuration that leaves an optional argument out",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "validate/recommends-an-option",
        about: "warns about every configuration that leaves an optional argument out",
        injection: Injection::Answer(warn),
    };
}

/// With these an error is about a combination of arguments, or about a value.
const CONDITIONS: [&str; 13] = [
    "if", "when", "where", "while", "unless", "with", "without", "only", "either", "or", "one", "both",
    "instead",
];

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let label = &context.transcript.scenario;
    let Some(argument) = &label.optional else {
        return findings.not_applicable("not a test of an optional argument");
    };
    let config = config(asked.call).filter(|config| config.is_wholly_known());
    let Some(config) = config.filter(|_| asked.call.type_name() == Some(&*label.type_name)) else {
        return findings.not_applicable("not the validation of a configuration with everything known");
    };
    if has(config, &argument.path) != argument.is_set {
        return findings.not_applicable("another configuration is validated");
    }
    if asked.failure.is_some() {
        return findings.inconclusive("the call has no answer");
    }
    let Some(error) = failed::first_error(asked.call) else { return };
    if !failed::is_plain(error) {
        return findings.not_applicable("the error is about the provider itself");
    }
    let Some(schema) = context.subject().schema_of(asked.call) else {
        return findings.inconclusive("the type has no schema");
    };
    if !is_about_it_alone(error, argument, schema) {
        return findings.inconclusive("the error may be about other arguments too, or about a value");
    }
    let what = if argument.is_set { "when it is set" } else { "when it is left out" };
    let message = format!("optional in the schema, and refused {what}: {}", error.line());
    let cause = failed::cause(error, asked.call.type_name());
    findings.add(Finding::new(argument.path.clone().into(), message).caused_by(cause));
}

/// Whether the argument is set anywhere.
fn has(config: &Value, argument: &SchemaPath) -> bool {
    let mut found = false;
    config.walk(&mut |path, value| {
        found |= !value.is_null() && path.schema_path() == *argument;
        !found
    });
    found
}

/// Whether an error names the argument, and neither another one nor a condition.
fn is_about_it_alone(error: &Diagnostic, argument: &OptionalArgument, schema: &Schema) -> bool {
    let own: Vec<&str> = argument.path.names().collect();
    let named = named::arguments(error, schema);
    let is_named = own.last().is_some_and(|name| named.contains(name));
    let text = format!("{} {}", error.summary, error.detail).to_lowercase();
    let mut words = text.split(|letter: char| !letter.is_alphanumeric());
    is_named && named.iter().all(|name| own.contains(name)) && !words.any(|word| CONDITIONS.contains(&word))
}

fn complain(exchange: &mut Exchange, context: &FaultContext<'_>, severity: i32) -> bool {
    let Some(option) = context.schema.and_then(edit::first_option) else { return false };
    let is_left_out = config(&exchange.call).is_some_and(|config| config.member(&option.name).is_null());
    let error = Diagnostic::error(
        "Missing required argument",
        &format!("The argument \"{}\" is required, but no definition was found.", option.name),
    );
    is_left_out && edit::say(exchange, Diagnostic { severity, ..error })
}

fn refuse(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    complain(exchange, context, Diagnostic::ERROR)
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    complain(exchange, context, Diagnostic::WARNING)
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::schema::{Attribute, Block};
    use crate::value::Type;

    #[test]
    fn an_error_about_a_combination_says_nothing_of_the_argument_alone() {
        let text = |name: &str| Attribute::typed(name, Type::String).optional();
        let schema = Schema { version: 0, block: Block::new(vec![text("note"), text("kms_key")], vec![]) };
        let argument = OptionalArgument { path: SchemaPath::named_by("note"), is_set: true };
        let is_alone =
            |detail: &str| is_about_it_alone(&Diagnostic::error("Invalid", detail), &argument, &schema);
        assert!(is_alone("Can't configure a value for \"note\"."));
        assert!(is_alone("The argument \"note\" is required."));
        for other in [
            "\"note\" cannot be set when the mode is manual",
            "\"note\": conflicts with kms_key",
            "Only one of `note` may be there",
            "the size is too small",
        ] {
            assert!(!is_alone(other), "{other}");
        }
    }
}
