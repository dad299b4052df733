use std::collections::BTreeMap;
use std::sync::Arc;

use crate::calls::Side;
use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, edit};
use crate::schema::{Block, Found, Place, Schema};
use crate::transcript::{AnyCall, Diagnostic, Exchange, Field, RpcFailure, Subject};
use crate::value::{AttributePath, PathStep, Value};

declare_rule! {
    /// A sensitive value shows nowhere but in attributes that are sensitive.
    ///
    /// Engines hide what the schema declares sensitive or write-only, and nothing else: the same value in
    /// a diagnostic, in an `id` or in the message of a panic is printed in clear on the terminal and in
    /// the logs of every pipeline. Name the attribute in a message, not its value; remove credentials from
    /// URLs and from errors of a client library before passing them on; and declare an attribute that is
    /// derived from a sensitive one sensitive too.
    "rpc/keeps-secrets", Should,
    covers: ["DIAG-004", "WO-005"],
    title: None,
    fix: "name the attribute in messages instead of its value, or declare it sensitive",
    cites: "plugin protocol", "Schema.Attribute.sensitive": "the value is not to be shown to users";
    check: Check::Asked(check);
    fault: Fault {
        name: "rpc/quotes-a-secret",
        about: "quotes a sensitive value in a warning about an apply",
        injection: Injection::Answer(quote_secret),
    };
    control: Fault {
        name: "rpc/quotes-a-value",
        about: "quotes a value that is not sensitive in a warning about an apply",
        injection: Injection::Answer(quote_value),
    };
}

/// A shorter value is found elsewhere by chance.
const SHORTEST: usize = 8;
/// The same for a value that the provider made: it may be an ordinary word.
const SHORTEST_MADE: usize = 12;

/// Sensitive texts, each with the name of its attribute.
type Secrets = BTreeMap<String, String>;

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let subject = context.subject();
    let said = said(asked);
    if !said.is_empty() {
        let upto = &context.transcript.exchanges[..=context.exchange.id.0 as usize];
        let secrets = secrets(upto, subject);
        for (what, text) in said {
            if let Some(name) = shown_in(&secrets, &text) {
                let message = format!("{what} shows the value of the sensitive attribute `{name}`");
                findings
                    .add(Finding::new(AttributePath::root(), message).caused_by(format!("{what}: {name}")));
            }
        }
    }
    // A stored state was shown before; its raw form does not say at which places.
    let is_stored = matches!(asked.call, AnyCall::UpgradeResourceState(_) | AnyCall::MoveResourceState(_));
    let of_type = subject.schema_of(asked.call);
    let holds_secret = |schema: &&Arc<Schema>| schema.block.holds_secret();
    if asked.failure.is_none()
        && !is_stored
        && of_type.is_some()
        && of_type.into_iter().chain(&subject.schema.provider).any(|schema| holds_secret(&schema))
    {
        check_objects(context, findings);
    }
}

/// Looks at what is new in the answer: what it repeats from the request was shown before.
fn check_objects(context: &Context<'_>, findings: &mut Findings) {
    let subject = context.subject();
    let secrets = secrets(std::slice::from_ref(context.exchange), subject);
    if secrets.is_empty() {
        return;
    }
    objects(&context.exchange.call, subject, &mut |side, role, block, value| {
        if side == Side::Request {
            return;
        }
        each_open_text(value, block, &mut |path, text| {
            if let Some(name) = shown_in(&secrets, text) {
                let message = format!("shows the value of the sensitive attribute `{name}`");
                findings.add(Finding::new(path.up_to_set(), message).actual(role, value).caused_by(name));
            }
        });
    });
}

/// What a user would be shown of this answer besides its objects, with a name for each.
fn said(asked: &Asked<'_>) -> Vec<(&'static str, String)> {
    let diagnostics = asked.diagnostics.iter();
    let mut said: Vec<(&str, String)> =
        diagnostics.map(|said| ("a diagnostic", format!("{}\n{}", said.summary, said.detail))).collect();
    said.extend(asked.failure.and_then(|failure| match failure {
        RpcFailure::Crashed(report) => {
            report.go_panic.as_ref().map(|panic| ("the message of a panic", panic.message.clone()))
        }
        RpcFailure::Status { message, .. } => Some(("a gRPC status", message.clone())),
        _ => None,
    }));
    said
}

/// The name of the attribute whose value is in a text, as it is or in quotes.
fn shown_in<'s>(secrets: &'s Secrets, text: &str) -> Option<&'s str> {
    let quoted = |secret: &str| {
        let quoted = serde_json::Value::from(secret).to_string();
        text.contains(&quoted[1..quoted.len() - 1])
    };
    let shown = secrets.iter().find(|(secret, _)| text.contains(secret.as_str()) || quoted(secret));
    shown.map(|(_, name)| name.as_str())
}

/// The sensitive texts in the provider block and in some exchanges that are worth looking for, without those
/// that one of them or another request has at an open place too.
fn secrets(exchanges: &[Exchange], subject: &Subject) -> Secrets {
    let mut secrets = Secrets::new();
    let mut add = |block: &Block, value: &Value, is_configured: bool, name: &dyn Fn(Place<'_>) -> String| {
        block.each_secret(value, &mut |place, found| {
            if let Found::Value(value) = found
                && let Some(text) = value.as_str()
                && is_telling(text, is_configured)
            {
                secrets.entry(text.to_owned()).or_insert_with(|| name(place));
            }
        });
    };
    for exchange in exchanges {
        objects(&exchange.call, subject, &mut |_, role, block, value| {
            if let Some(block) = block {
                add(block, value, role == "config", &|place| place.name().to_owned());
            }
        });
    }
    let provider = subject.config.as_ref().zip(subject.schema.provider.as_ref());
    if let Some((config, schema)) = provider {
        add(&schema.block, config, true, &|place| format!("provider.{}", place.name()));
    }
    if secrets.is_empty() {
        return secrets;
    }
    if let Some((config, schema)) = provider {
        each_open_text(config, Some(&schema.block), &mut |_, text| {
            secrets.retain(|secret, _| !text.contains(secret));
        });
    }
    for exchange in exchanges {
        objects(&exchange.call, subject, &mut |side, _, block, value| {
            if side == Side::Request {
                each_open_text(value, block, &mut |_, text| {
                    secrets.retain(|secret, _| !text.contains(secret))
                });
            }
        });
    }
    secrets
}

fn is_telling(text: &str, is_configured: bool) -> bool {
    let has = |is: fn(&u8) -> bool| text.bytes().any(|byte| is(&byte));
    let is_made_up = text.len() >= SHORTEST_MADE && has(u8::is_ascii_digit) && has(u8::is_ascii_alphabetic);
    is_made_up || (is_configured && text.len() >= SHORTEST)
}

/// Visits the objects of a call; without a block, as for an identity, everything is open.
fn objects<'c>(
    call: &'c AnyCall,
    subject: &'c Subject,
    visit: &mut dyn FnMut(Side, &'static str, Option<&'c Block>, &'c Value),
) {
    let addressed = call.address().map_or("", |address| address.name);
    call.fields(&mut |side, field| {
        let Field::Value { name, declared, value } = field else { return };
        let block = declared.schema(&subject.schema, addressed).map(|schema| &schema.block);
        if let Some(value) = value.value() {
            visit(side, name, block, value);
        }
    });
}

/// Visits the texts and the keys of maps at places that are not sensitive.
fn each_open_text(value: &Value, block: Option<&Block>, visit: &mut dyn FnMut(&AttributePath, &str)) {
    value.walk(&mut |path, inner| {
        if block.is_some_and(|block| block.is_sensitive(path)) {
            return false;
        }
        if let Some(PathStep::Key(key)) = path.steps().last() {
            visit(path, key);
        }
        if let Some(text) = inner.as_str() {
            visit(path, text);
        }
        true
    });
}

/// The first sensitive text, or the first other text, that was configured for an apply.
fn configured(exchange: &Exchange, context: &FaultContext<'_>, is_sensitive: bool) -> Option<String> {
    let AnyCall::ApplyResourceChange(call) = &exchange.call else { return None };
    let block = &context.schema?.block;
    let config = call.request.config.value()?;
    let mut texts = Vec::new();
    match is_sensitive {
        true => block.each_secret(config, &mut |_, found| {
            if let Found::Value(value) = found {
                texts.extend(value.as_str().map(str::to_owned));
            }
        }),
        false => each_open_text(config, Some(block), &mut |_, text| texts.push(text.to_owned())),
    }
    texts.into_iter().find(|text| is_telling(text, true))
}

fn quote_secret(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let secret = configured(exchange, context, true);
    secret.is_some_and(|secret| quote(exchange, &secret))
}

fn quote_value(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let value = configured(exchange, context, false);
    value.is_some_and(|value| quote(exchange, &value))
}

fn quote(exchange: &mut Exchange, text: &str) -> bool {
    let detail = format!("The service did not accept {text:?} at once.");
    edit::say(exchange, Diagnostic { detail, ..edit::warning() })
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Settings, judge};
    use crate::rule::example;
    use crate::schema::Attribute;
    use crate::transcript::{CrashReport, ExitKind, GoPanic, Transcript};
    use crate::value::Type;

    /// The places and messages of what is found in the example, once its apply was changed.
    fn found(change: impl Fn(&mut Exchange)) -> Vec<String> {
        let mut transcript: Transcript = example::lifecycle();
        let exchanges = transcript.exchanges.iter_mut();
        exchanges
            .filter(|exchange| exchange.call.rpc_name() == "ApplyResourceChange")
            .take(1)
            .for_each(change);
        let judgement = judge(&[&RULE], &transcript, &Settings::default());
        let findings = judgement.findings.iter().map(|found| &found.finding);
        findings.map(|finding| format!("{} {}", finding.path, finding.message)).collect()
    }

    fn with_state(exchange: &mut Exchange, change: impl Fn(&Value) -> Value) {
        if let AnyCall::ApplyResourceChange(call) = &mut exchange.call
            && let Ok(response) = &mut call.outcome
        {
            let state = change(response.new_state.value().unwrap());
            response.new_state = crate::transcript::Encoded::of(state.clone(), state.ty());
        }
    }

    #[test]
    fn an_id_that_holds_a_secret_is_found_once() {
        let id = format!("things/{}", example::SECRET);
        let found = found(|exchange| {
            with_state(exchange, |state| state.with_attribute("id", Value::string(&id)));
        });
        assert_eq!(found, ["id shows the value of the sensitive attribute `secret`"]);
    }

    #[test]
    fn the_provider_block_has_secrets_too() {
        let schema = || Schema {
            version: 0,
            block: Block::new(
                vec![
                    Attribute::typed("token", Type::String).optional().sensitive(),
                    Attribute::typed("endpoint", Type::String).optional(),
                ],
                vec![],
            ),
        };
        let found = |endpoint: &str, id: &str| {
            let config = Value::object([
                ("endpoint", Value::string(endpoint)),
                ("token", Value::string("correct horse")),
            ]);
            let mut transcript = example::lifecycle();
            let mut provider = (*transcript.subject.schema).clone();
            provider.provider = Some(Arc::new(schema()));
            transcript.subject = Arc::new(Subject {
                schema: Arc::new(provider),
                config: Some(config),
                ..(*transcript.subject).clone()
            });
            let is_apply = |exchange: &&mut Exchange| exchange.call.rpc_name() == "ApplyResourceChange";
            let apply = transcript.exchanges.iter_mut().find(is_apply).unwrap();
            with_state(apply, |state| state.with_attribute("id", Value::string(id)));
            let judgement = judge(&[&RULE], &transcript, &Settings::default());
            judgement.findings.iter().map(|found| found.finding.message.clone()).collect::<Vec<_>>()
        };
        let message = "shows the value of the sensitive attribute `provider.token`";
        assert_eq!(found("https://a.example", "things/correct horse"), [message]);
        assert_eq!(found("https://correct horse@a.example", "things/correct horse"), Vec::<String>::new());
        assert_eq!(found("https://a.example", "things/1"), Vec::<String>::new());
    }

    #[test]
    fn so_are_a_panic_and_a_status_that_do() {
        let message = format!("no such key {:?}", example::SECRET);
        let panic = GoPanic { message: message.clone(), frame: None, location: None };
        let report =
            CrashReport { exit: ExitKind::Code(2), stderr_tail: String::new(), go_panic: Some(panic) };
        let crashed = RpcFailure::Crashed(report);
        let status = RpcFailure::Status { code: 2, name: "Unknown".to_owned(), message };
        for (failure, what) in [(crashed, "the message of a panic"), (status, "a gRPC status")] {
            let found = found(|exchange| exchange.call.fail(failure.clone()));
            assert_eq!(found, [format!("(root) {what} shows the value of the sensitive attribute `secret`")]);
        }
    }

    #[test]
    fn a_value_that_is_configured_openly_too_is_no_secret() {
        let configured = |exchange: &mut Exchange| {
            if let AnyCall::ApplyResourceChange(call) = &mut exchange.call {
                let config = call.request.config.value().unwrap();
                let config = config.with_attribute("note", Value::string(example::SECRET));
                call.request.config = crate::transcript::Encoded::of(config.clone(), config.ty());
            }
            with_state(exchange, |state| state.with_attribute("id", Value::string(example::SECRET)));
        };
        assert_eq!(found(configured), Vec::<String>::new());
    }

    #[test]
    fn ordinary_words_and_short_values_are_no_secrets() {
        assert!(is_telling("tfckczmzm", true) && is_telling("9f86d081884c7d65", false));
        for (text, is_configured) in [("hunter2", true), ("us-east-1", false), ("high-availability", false)] {
            assert!(!is_telling(text, is_configured), "{text}");
        }
    }
}
