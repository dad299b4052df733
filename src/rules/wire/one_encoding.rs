use bytes::Bytes;

use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, edit};
use crate::transcript::{DynamicValue, Encoded, Exchange, Form};
use crate::value::{AttributePath, state_json};

declare_rule! {
    /// Every value of a response is present, as MessagePack and nothing else.
    ///
    /// A value that is left out is read as null, so an unset field looks like an object that is gone;
    /// to send null, encode it. JSON is read only where there is no MessagePack, and cannot express
    /// unknowns; where both are present, engines and SDKs differ in which they read. A response that
    /// reports an error may leave its values out.
    "wire/one-encoding", Should,
    covers: ["WIRE-002", "WIRE-003"],
    title: None,
    fix: "send every value as MessagePack alone, null included",
    cites: "object wire format", "Overview": "MessagePack in preference to JSON";
    check: Check::Asked(check);
    fault: Fault {
        name: "wire/answers-in-json",
        about: "returns a wholly known object as JSON",
        injection: Injection::Answer(corrupt),
    };
    control: Fault {
        name: "wire/answers-in-messagepack",
        about: "returns every object as MessagePack",
        injection: Injection::Nothing("the conforming provider already sends only MessagePack"),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    if !asked.call.succeeded() || asked.call.is_deferred() {
        return findings.not_applicable("no values are required");
    }
    for (field, encoded) in context.answers(asked) {
        let odd = match encoded.form() {
            Form::MessagePack => continue,
            Form::Absent => "is left out, and read as null",
            Form::Empty => "is present without content, and read as null",
            Form::Json => "is JSON instead of MessagePack",
            Form::Both => "is both MessagePack and JSON",
        };
        let message = format!("the field {field} {odd}");
        findings.add(Finding::new(AttributePath::root(), message.as_str()).caused_by(message.as_str()));
    }
}

fn corrupt(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let (Some(schema), Some(response)) = (context.schema, edit::response_value(exchange)) else {
        return false;
    };
    let known = response.value().filter(|value| value.is_set());
    let Some(json) = known.and_then(|value| state_json::encode(value, schema.implied_type()).ok()) else {
        return false;
    };
    *response = Encoded::received(Some(DynamicValue { msgpack: Bytes::new(), json: Bytes::from(json) }));
    true
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Settings, judge};
    use crate::rule::example;
    use crate::transcript::{AnyCall, Diagnostic};

    /// How many findings there are in the example when the states of reads are sent this way.
    fn told(wire: Option<DynamicValue>, error: bool) -> usize {
        let mut transcript = example::lifecycle();
        let provider = example::schema();
        for exchange in &mut transcript.exchanges {
            let AnyCall::ReadResource(call) = &mut exchange.call else { continue };
            let Ok(response) = &mut call.outcome else { continue };
            response.new_state = Encoded::received(wire.clone());
            response.diagnostics.extend(error.then(|| Diagnostic::error("Armed", "")));
            exchange.call.decode(&provider);
        }
        judge(&[&RULE], &transcript, &Settings::default()).findings.len()
    }

    #[test]
    fn absent_and_empty_values_are_odd_unless_an_error_excuses_them() {
        assert!(told(None, false) > 0);
        assert!(told(Some(DynamicValue::default()), false) > 0);
        assert_eq!(told(None, true), 0);
    }
}
