use bytes::Bytes;
use serde_json::{Value as Json, json};

use crate::declare_rule;
use crate::rule::failed::{self, Change};
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, Shows, Speaker, edit,
};
use crate::transcript::{AnyCall, Diagnostic, Exchange};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// An update that worked before an import works after it.
    ///
    /// The object was updated to this configuration and back again, twice. Then it was imported, and the same update
    /// fails. Update needs something that Create knew and that neither the import nor the read after it returns: a
    /// revision, the ID of a parent, private data. Read it from the remote system, or have the import set it; users who
    /// import an object cannot change it otherwise. It is only a `should` if the update had worked once, because a remote
    /// system may refuse what it was told before.
    "import/updates-as-before", Must, behaviours: ["import/updated"],
    covers: ["IMPORT-011"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "have the import or Read set whatever Update needs",
    framework: "set it in `resp.State` or `resp.Private` of ImportState or Read",
    sdkv2: "call d.Set in Read for all that Update reads with d.Get",
    cites: "resource instance change lifecycle", "Import Behavior":
        "the remainder of the attributes";
    check: Check::Asked(check);
    fault: Fault {
        name: "import/refuses-updates",
        about: "refuses to plan a change of an object that it imported",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "import/warns-of-updates",
        about: "warns when it plans a change of an object that it imported",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let Some(update) = update(context, context.exchange) else {
        return findings.not_applicable("no object is updated");
    };
    let earlier = context.transcript.before(context.exchange.id, &context.exchange.instance);
    let before_import = earlier.skip_while(|other| !matches!(other.call, AnyCall::ImportResourceState(_)));
    // An apply shows that the plan was accepted, too.
    let is_same = |other: &Exchange| failed::applied(other) && self::update(context, other) == Some(update);
    // A remote system may refuse a request that it has seen, imported or not.
    let most = match before_import.filter(|other| is_same(other)).count() {
        0 => {
            return findings.not_applicable("the object was not imported, or not updated in this way before");
        }
        1 => Level::Should,
        _ => Level::Must,
    };
    if asked.failure.is_some() {
        return findings.inconclusive("the call has no answer");
    }
    let Some(error) = failed::first_error(asked.call) else { return };
    if !failed::is_plain(error) {
        return findings.not_applicable("the error is about the provider or the way to the remote system");
    }
    let message = format!("before the import the object could be updated in this way: {}", error.line());
    let cause = failed::cause(error, asked.call.type_name());
    findings.add(Finding::new(AttributePath::root(), message).caused_by(cause).at_most(most));
}

/// The configurations from which and to which an object is updated.
fn update<'t>(context: &Context<'t>, exchange: &'t Exchange) -> Option<(&'t Value, &'t Value)> {
    let to = updates_to(&exchange.call)?;
    let mut earlier = context.transcript.before(exchange.id, &exchange.instance);
    let (last, change) = earlier.find_map(|other| {
        let change = failed::change(&other.call);
        change.filter(|_| other.call.succeeded())
    })?;
    let from = last.config.value().filter(|_| change != Change::Delete)?;
    Some((from, to))
}

/// The configuration that an object which exists is to have.
fn updates_to(call: &AnyCall) -> Option<&Value> {
    let config = match call {
        AnyCall::PlanResourceChange(call) => {
            let request = &call.request;
            let (prior, proposed) = (request.prior_state.value()?, request.proposed_new_state.value()?);
            request.config.value().filter(|_| prior.is_set() && proposed.is_set())
        }
        call => {
            let (request, change) = failed::change(call)?;
            request.config.value().filter(|_| change == Change::Update)
        }
    };
    config.filter(|config| config.is_wholly_known())
}

/// In the private data of an object that was imported, for other processes.
const MARK: &str = "taken_over";

fn is_marked(private: &[u8]) -> bool {
    serde_json::from_slice::<Json>(private).is_ok_and(|private| private.get(MARK).is_some())
}

fn mark(private: &mut Bytes) -> bool {
    let mut marked = serde_json::from_slice(private).unwrap_or_else(|_| json!({}));
    marked[MARK] = Json::Bool(true);
    *private = Bytes::from(marked.to_string());
    true
}

/// What is done when a call plans to change an object that was imported. Before, imported objects are marked.
fn at_change(
    exchange: &mut Exchange,
    context: &mut FaultContext<'_>,
    act: impl FnOnce(&mut Exchange) -> bool,
) -> bool {
    let key = |object: &Value| Some(format!("taken over {}", object.attribute("id")?.as_str()?));
    match &mut exchange.call {
        AnyCall::ImportResourceState(call) => {
            let imported =
                call.outcome.as_mut().ok().and_then(|answer| answer.imported_resources.first_mut());
            let Some(imported) = imported else { return false };
            if let Some(key) = imported.state.value().and_then(key) {
                context.memory.remember(&key, "yes");
            }
            mark(&mut imported.private)
        }
        AnyCall::ReadResource(call) if is_marked(&call.request.private) => {
            call.outcome.as_mut().is_ok_and(|answer| mark(&mut answer.private))
        }
        AnyCall::PlanResourceChange(call) => {
            let request = &call.request;
            let (Some(prior), Some(proposed)) =
                (request.prior_state.value(), request.proposed_new_state.value())
            else {
                return false;
            };
            let is_change = prior.is_set() && proposed.is_set() && prior != proposed;
            let is_known = || key(prior).is_some_and(|key| context.memory.recall(&key).is_some());
            let is_imported = is_change && (is_marked(&request.prior_private) || is_known());
            is_imported && act(exchange)
        }
        _ => false,
    }
}

fn refuse(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let error = Diagnostic::error("409 Conflict", "The request names no revision of the object.");
    at_change(exchange, context, |exchange| edit::say(exchange, error))
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    at_change(exchange, context, |exchange| edit::say(exchange, edit::warning()))
}
