//! Calls that an answer reports an error of, as rules about errors see them.

use super::{Context, own_words};
use crate::transcript::{
    AnyCall, ApplyResourceChangeRequest, Cause, Diagnostic, Exchange, Phase, PlanResourceChangeRequest,
    Purpose,
};
use crate::value::Value;

/// What an apply is to do.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub enum Change {
    Create,
    Update,
    Delete,
}

impl Change {
    /// `None` where the values do not decode, or where there is nothing to do.
    pub fn of(request: &ApplyResourceChangeRequest) -> Option<Change> {
        let (prior, planned) = (request.prior_state.value()?, request.planned_state.value()?);
        match (prior.is_null(), planned.is_null()) {
            (true, false) => Some(Change::Create),
            (false, false) => Some(Change::Update),
            (false, true) => Some(Change::Delete),
            (true, true) => None,
        }
    }
}

/// What systems say that cannot be reached. No provider is to blame for it.
const UNREACHABLE: &[&str] = &[
    "connection refused",
    "connection reset by peer",
    "connection timed out",
    "no such host",
    "no route to host",
    "network is unreachable",
    "network is down",
    "i/o timeout",
    "dial tcp",
    "dial udp",
    "econnrefused",
    "enotfound",
    "getaddrinfo",
    "name or service not known",
    "name resolution",
    "could not resolve host",
    "failed to resolve",
    "failed to lookup address",
    "failed to establish a new connection",
    "tls handshake timeout",
];

/// Whether a message says that the remote system could not be reached.
pub fn is_unreachable(text: &str) -> bool {
    let text = text.to_lowercase();
    UNREACHABLE.iter().any(|words| text.contains(words))
}

/// What is said of a file that is not there. A configuration may name one that is made before the apply.
const NO_FILE: &[&str] =
    &["no such file or directory", "cannot find the file", "cannot find the path", "file does not exist"];

/// What remote systems say of objects that are not there.
const NO_OBJECT: &[&str] = &["not found", "does not exist", "doesn't exist"];

/// Whether an apply failed because something is missing that the configuration names. It may be made by then, so no
/// plan can refuse it.
///
/// What is said of an object that exists may be about that object itself.
pub fn lacks_what_it_names(change: Change, text: &str) -> bool {
    let text = text.to_lowercase();
    let says = |words: &[&str]| words.iter().any(|words| text.contains(words));
    says(NO_FILE) || (change == Change::Create && says(NO_OBJECT))
}

/// Errors with the same words have one cause, whatever the type is called.
pub fn cause(error: &Diagnostic, type_name: Option<&str>) -> Cause {
    let heading = error.heading();
    let message = match type_name {
        Some(name) if !name.is_empty() => heading.replace(name, "…"),
        _ => heading,
    };
    Cause { message: Some(message), ..Cause::default() }
}

/// Whether two errors say the same, but for names and numbers.
pub fn says_the_same(one: &Diagnostic, other: &Diagnostic) -> bool {
    let template = |error| cause(error, None).text(str::to_owned);
    template(one) == template(other)
}

/// The first error of an answer that neither blames the provider nor the way to the remote system.
pub fn plain_error(call: &AnyCall) -> Option<&Diagnostic> {
    first_error(call).filter(|error| is_plain(error))
}

/// Whether words of a provider neither blame itself nor the way to the remote system.
pub fn is_plain(said: &Diagnostic) -> bool {
    own_words(said).is_none() && !is_unreachable(&said.line())
}

pub fn first_error(call: &AnyCall) -> Option<&Diagnostic> {
    call.diagnostics().into_iter().find(|said| said.is_error())
}

/// The request of an apply, and what it is to do.
pub fn change(call: &AnyCall) -> Option<(&ApplyResourceChangeRequest, Change)> {
    let AnyCall::ApplyResourceChange(call) = call else { return None };
    Some((&call.request, Change::of(&call.request)?))
}

fn is_destroy_plan(request: &PlanResourceChangeRequest) -> bool {
    request.proposed_new_state.value().is_some_and(Value::is_null)
        && request.prior_state.value().is_some_and(Value::is_set)
}

/// Whether an exchange asks to destroy an object that exists: its plan, or the delete itself.
pub fn destroys(exchange: &Exchange) -> bool {
    let is_asked = match &exchange.call {
        AnyCall::PlanResourceChange(call) => is_destroy_plan(&call.request),
        call => matches!(change(call), Some((_, Change::Delete))),
    };
    is_asked && exchange.purpose == Purpose::Ordinary
}

/// Whether an exchange created or updated an object without an error.
pub fn applied(exchange: &Exchange) -> bool {
    exchange.call.succeeded() && matches!(change(&exchange.call), Some((_, Change::Create | Change::Update)))
}

/// By how much an exchange changes the number of objects of a type.
fn objects_added(exchange: &Exchange, type_name: &str) -> isize {
    let AnyCall::ApplyResourceChange(call) = &exchange.call else { return 0 };
    let Ok(response) = &call.outcome else { return 0 };
    let states = (call.request.prior_state.value(), response.new_state.value());
    match states {
        _ if call.request.type_name != type_name => 0,
        // It was destroyed before.
        _ if exchange.purpose == Purpose::Gone => 0,
        (Some(prior), Some(new)) => isize::from(new.is_set()) - isize::from(prior.is_set()),
        _ => 0,
    }
}

/// How many objects of its type existed while a call for an instance was in flight.
struct Beside {
    at_least: isize,
    at_most: isize,
}

impl Beside {
    /// What was asked for about other instances since the last apply for this one may have been in flight.
    fn of(exchanges: &[Exchange], at: usize, instance: &str, type_name: &str) -> Beside {
        let is_own = |other: &Exchange| other.instance == instance;
        let is_own_apply = |other: &Exchange| is_own(other) && change(&other.call).is_some();
        let applied = exchanges[..at].iter().rposition(is_own_apply).map_or(0, |last| last + 1);
        let asked = exchanges[..at].iter().skip(applied).position(is_own).map_or(at, |next| applied + next);
        let end =
            exchanges.iter().skip(at + 1).position(is_own).map_or(exchanges.len(), |next| at + 1 + next);
        let added = |other: &Exchange| objects_added(other, type_name);
        let in_flight = || exchanges[asked..at].iter().chain(&exchanges[at + 1..end]).map(added);
        let before = |to: usize| exchanges[..to].iter().map(added);
        Beside {
            at_least: before(asked).sum::<isize>() + in_flight().filter(|n| *n < 0).sum::<isize>(),
            at_most: before(applied).sum::<isize>()
                + exchanges[applied..asked]
                    .iter()
                    .map(added)
                    .chain(in_flight())
                    .filter(|n| *n > 0)
                    .sum::<isize>(),
        }
    }
}

impl Context<'_> {
    /// Whether an object may have been refused only because others of its type existed: some remote systems allow
    /// one, or a few. What fails now and then because others are created at the same time is created beside as
    /// many of them in a later run: that is not their limit.
    pub fn is_at_quota(&self) -> bool {
        let Some((request, Change::Create)) = change(&self.exchange.call) else { return false };
        let (exchanges, instance) = (&self.transcript.exchanges, &self.exchange.instance);
        let beside = |at: usize| Beside::of(exchanges, at, instance, &request.type_name);
        let at = self.exchange.id.0 as usize;
        let most = beside(at).at_most;
        let is_created_later = |(at, other): (usize, &Exchange)| {
            other.instance == *instance
                && objects_added(other, &request.type_name) > 0
                && beside(at).at_least >= most
        };
        most > 0 && !exchanges.iter().enumerate().skip(at + 1).any(is_created_later)
    }

    /// Whether destroying the same object was asked for another time, by the same call, and that failed too.
    pub fn fails_to_destroy_again(&self) -> bool {
        let (id, instance) = (self.exchange.id, &self.exchange.instance);
        let is_alike = |other: &&Exchange| {
            destroys(other)
                && other.call.rpc_name() == self.exchange.call.rpc_name()
                && first_error(&other.call).is_some()
        };
        let before = self.transcript.before(id, instance).take_while(|other| !applied(other));
        let after = self.transcript.exchanges.iter().skip(id.0 as usize + 1);
        let after = after.filter(|other| other.instance == *instance).take_while(|other| !applied(other));
        before.chain(after).any(|other| is_alike(&other))
    }

    /// Whether the same object was destroyed after all, by the same call, later in the scenario.
    pub fn is_destroyed_later(&self) -> bool {
        let after = self.transcript.exchanges.iter().skip(self.exchange.id.0 as usize + 1);
        let mut own = after.filter(|other| other.instance == self.exchange.instance);
        let is_alike = |other: &Exchange| {
            destroys(other)
                && other.call.rpc_name() == self.exchange.call.rpc_name()
                && other.call.succeeded()
        };
        own.by_ref().take_while(|other| !applied(other)).any(is_alike)
    }

    /// Whether the destruction of the object could not even be planned.
    pub fn fails_to_plan_destroy(&self) -> bool {
        let before = self.transcript.before(self.exchange.id, &self.exchange.instance);
        before.take_while(|other| !applied(other)).any(|other| {
            let is_plan = matches!(other.call, AnyCall::PlanResourceChange(_));
            is_plan && destroys(other) && first_error(&other.call).is_some()
        })
    }

    /// Whether an update was refused with these words that cannot be about its values: another one was refused
    /// with the same words, and both objects could be created as they were to be updated.
    pub fn refuses_every_update(&self, error: &Diagnostic) -> bool {
        let Some((request, Change::Update)) = change(&self.exchange.call) else { return false };
        let exchanges = &self.transcript.exchanges;
        let is_created = |config: &Value| {
            exchanges.iter().filter(|other| applied(other)).any(|other| {
                matches!(change(&other.call), Some((of, Change::Create))
                    if of.type_name == request.type_name && of.config.value() == Some(config))
            })
        };
        let others = exchanges.iter().filter_map(|other| match change(&other.call) {
            Some((of, Change::Update))
                if of.type_name == request.type_name && other.phase != Phase::Interrupted =>
            {
                Some((of.config.value()?, plain_error(&other.call)?))
            }
            _ => None,
        });
        let Some(config) = request.config.value().filter(|config| is_created(config)) else { return false };
        others
            .filter(|(other, said)| *other != config && says_the_same(said, error))
            .any(|(other, _)| is_created(other))
    }
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn errors_are_told_apart_by_their_words_alone() {
        let error = |summary: &str| Diagnostic::error(summary, "");
        assert!(says_the_same(&error("no server \"a\" in zone 1"), &error("no server \"b\" in zone 2")));
        assert!(!says_the_same(&error("no server"), &error("no disk")));
        let of_type = |name: &str| cause(&error(&format!("cannot create {name}")), Some(name));
        assert_eq!(of_type("acme_a"), of_type("acme_b"));
    }

    #[test]
    fn a_system_that_cannot_be_reached_is_recognized() {
        let text = "Post \"http://127.0.0.1:9\": dial tcp 127.0.0.1:9: connect: connection refused";
        assert!(is_unreachable(text) && !is_unreachable("the connection is not allowed"));
    }

    #[test]
    fn what_a_configuration_names_may_be_missing_until_the_apply() {
        let file = "Cannot read source\nopen tfcabcdef: no such file or directory";
        assert!([Change::Create, Change::Update].iter().all(|change| lacks_what_it_names(*change, file)));
        let object = "creating Thing: 404: Network tfcabcdef Not Found";
        assert!(lacks_what_it_names(Change::Create, object) && !lacks_what_it_names(Change::Update, object));
        assert!(!lacks_what_it_names(Change::Create, "400 Bad Request: there is no such option"));
    }
}
