use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Shows, Speaker, edit, failed,
    own_words,
};
use crate::transcript::{AnyCall, Diagnostic, ExampleOrigin, Exchange};
use crate::value::{AttributePath, Value, may_become};

declare_rule! {
    /// The provider accepts the examples of its own documentation.
    ///
    /// Users begin with an example, and it is refused when it is validated or planned: the documentation or
    /// the provider is wrong. Correct the example in the file and line that the finding names, or accept
    /// what it shows. Argument names, values of enums and combinations of arguments are what changes most
    /// often after an example was written. Check the examples whenever the schema changes.
    "validate/accepts-examples", Advice,
    covers: ["VALIDATE-008"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "correct the example, or accept what it shows",
    cites: "registry documentation", "Provider Documentation":
        "an example of how the resource or data source is used";
    check: Check::Asked(check);
    fault: Fault {
        name: "validate/refuses-an-example",
        about: "refuses the name that the documentation gives an object",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "validate/warns-of-an-example",
        about: "warns about the name that the documentation gives an object",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some(example) = &context.transcript.scenario.example else {
        return findings.not_applicable("not an example of the documentation");
    };
    let is_first = || first(context, example).is_some_and(|first| first.id == context.exchange.id);
    if !example.problems.is_empty() {
        if !is_first() {
            return findings.not_applicable("the example is reported where it begins");
        }
        let problems = example.problems.join("; ");
        let message = format!("no engine accepts the example: {problems}");
        return findings.add(Finding::new(AttributePath::root(), message).caused_by(problems.as_str()));
    }
    if !is_as_written(context, example) {
        return findings.not_applicable("neither the validation nor the first plan of an example");
    }
    if asked.failure.is_some() {
        return findings.inconclusive("the call has no answer");
    }
    let Some(error) = failed::first_error(asked.call) else { return };
    if own_words(error).is_some() {
        return findings.not_applicable("the error is about the provider itself");
    }
    if example.is_partial {
        return findings.inconclusive("only a part of the example could be evaluated");
    }
    if failed::is_unreachable(&error.line()) {
        return findings.inconclusive("the remote system could not be reached");
    }
    let path = error.attribute.as_ref().map(|path| path.to_path()).unwrap_or_default();
    let is_known = config(asked.call)
        .is_some_and(|config| config.at(&path).is_some_and(|value| value.is_wholly_known()));
    if !is_known {
        return findings.inconclusive("what is not known yet may be the reason");
    }
    let message = format!("the example in {}:{} is refused: {}", example.file, example.line, error.line());
    let cause = failed::cause(error, asked.call.type_name());
    findings.add(Finding::new(path, message).caused_by(cause));
}

/// Whether an exchange asks about the example as it is written: it is validated, or planned with nothing there yet.
fn is_as_written(context: &Context<'_>, example: &ExampleOrigin) -> bool {
    let Some(config) = config(&context.exchange.call) else { return false };
    let first = first(context, example).and_then(|first| self::config(&first.call));
    context.exchange.instance == example.instance && first.is_some_and(|first| may_become(first, config))
}

/// The exchange in which the example is validated first.
fn first<'t>(context: &Context<'t>, example: &ExampleOrigin) -> Option<&'t Exchange> {
    let mut exchanges = context.transcript.exchanges.iter();
    exchanges.find(|other| other.instance == example.instance && config(&other.call).is_some())
}

/// The configuration of a validation, or of the plan of a new object.
fn config(call: &AnyCall) -> Option<&Value> {
    match call {
        AnyCall::ValidateResourceConfig(call) => call.request.config.value(),
        AnyCall::ValidateDataResourceConfig(call) => call.request.config.value(),
        AnyCall::PlanResourceChange(call) => {
            let is_new = call.request.prior_state.value().is_some_and(Value::is_null);
            call.request.config.value().filter(|config| is_new && config.is_set())
        }
        _ => None,
    }
}

/// The name of objects in the documentation.
const NAME: &str = "web";

fn complain(exchange: &mut Exchange, severity: i32) -> bool {
    let is_validated = !matches!(exchange.call, AnyCall::PlanResourceChange(_));
    let is_shown = config(&exchange.call).and_then(|config| config.attribute("name")?.as_str()) == Some(NAME);
    let error = Diagnostic::error("Reserved name", "This name is reserved.");
    let diagnostic = Diagnostic { severity, ..error.at(&AttributePath::root().attribute("name")) };
    is_validated && is_shown && edit::say(exchange, diagnostic)
}

fn refuse(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    complain(exchange, Diagnostic::ERROR)
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    complain(exchange, Diagnostic::WARNING)
}
