use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Finding, Findings, Injection, Read, Shows, edit};
use crate::rules::import::finds_the_object::is_first_read;
use crate::transcript::{AnyCall, DriftKind, Exchange, ExchangeId, Purpose};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// A read finds the object that an apply has just returned.
    ///
    /// Null says that the object is gone. It leaves the state, so the next plan creates another
    /// one, and nobody manages the first. Return null only when the remote system says "not
    /// found" of an object that it must know by now: not for a request that failed, for a lack
    /// of permissions, or for an object that is not visible yet. If values of the configuration
    /// make an object that is over at once, such as a number of days that overflows, refuse
    /// them in validation. An object is not missed if another one with the same `id` was deleted
    /// after it was created: where names are ids, both are one object.
    "read/finds-the-object", Must, presumes: Applied,
    covers: ["READ-004", "READ-005", "APPLY-030"],
    shows: Shows::CHANGE,
    fix: "return the object while it exists, and null only when it is known to be gone",
    framework: "call `resp.State.RemoveResource(ctx)` for “not found”, and for nothing else",
    sdkv2: "call `d.SetId(\"\")` for “not found”, and for nothing else",
    cites: "resource instance change lifecycle", "ReadResource":
        "to detect any such external changes and describe them";
    check: Check::Read(check);
    fault: Fault {
        name: "read/loses-the-object",
        about: "reads null while the object is as it is in the state",
        injection: Injection::Answer(lose),
    };
    control: Fault {
        name: "read/finds-the-object-late",
        about: "warns that an object was found only at the second try, and returns it",
        injection: Injection::Answer(find),
    };
}

fn check(context: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    let when = match context.purpose() {
        Purpose::NothingChanged { after } => when(context, *after),
        Purpose::AfterDrift(drift) if drift.kind == DriftKind::Respell => {
            "although only its spelling changed"
        }
        _ => return findings.not_applicable("the remote object may have changed"),
    };
    if read.response.deferred.is_some() {
        return findings.not_applicable("the read was deferred");
    }
    if !read.current.is_set() {
        return findings.not_applicable("there is no object");
    }
    if read.new.is_null() && is_deleted_with_another(context, read.current) {
        return findings.not_applicable("another object with the same id was deleted since");
    }
    if read.new.is_null() {
        findings.add(
            Finding::new(AttributePath::root(), format!("ReadResource says that the object is gone, {when}"))
                .allow("current state", read.current)
                .actual("new state", read.new)
                .guarded(&read.schema.block),
        );
    }
}

/// Whether another object with the same id was deleted after this one was created, such as the one that it replaces:
/// where a name is the id, both are one to the remote system.
fn is_deleted_with_another(context: &Context<'_>, object: &Value) -> bool {
    let type_name = context.exchange.call.type_name();
    let Some(id) = object.attribute("id").filter(|id| id.is_set()) else { return false };
    let has_id = |object: &Value| object.attribute("id") == Some(id);
    let earlier = context.transcript.exchanges.iter().take_while(|other| other.id < context.exchange.id);
    let mut is_deleted = false;
    for other in earlier {
        let AnyCall::ApplyResourceChange(call) = &other.call else { continue };
        let Ok(response) = &call.outcome else { continue };
        let (prior, new) = (call.request.prior_state.value(), response.new_state.value());
        let (Some(prior), Some(new), true) = (prior, new, other.call.type_name() == type_name) else {
            continue;
        };
        if prior.is_null() && has_id(new) {
            is_deleted = false;
        } else if has_id(prior) && new.is_null() {
            is_deleted = true;
        }
    }
    is_deleted
}

/// What was last done to an object to which nothing happened since.
fn when(context: &Context<'_>, after: ExchangeId) -> &'static str {
    match context.earlier(after).map(|exchange| &exchange.call) {
        Some(AnyCall::ApplyResourceChange(call)) => {
            match call.request.prior_state.value().is_some_and(Value::is_null) {
                true => "right after it was created",
                false => "right after it was updated",
            }
        }
        _ => "although nothing happened to it",
    }
}

fn lose(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    // What an import does not find is another rule's.
    let lost = !is_first_read(exchange, context)
        && edit::read_state(exchange, context, |schema, current, new| {
            (current.is_set() && current == new).then(|| schema.null())
        });
    if let (true, AnyCall::ReadResource(call)) = (lost, &mut exchange.call)
        && let Ok(response) = &mut call.outcome
    {
        response.new_identity = None;
    }
    lost
}

fn find(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    let AnyCall::ReadResource(call) = &exchange.call else { return false };
    let is_found =
        call.outcome.as_ref().is_ok_and(|response| response.new_state.value().is_some_and(Value::is_set));
    is_found && edit::say(exchange, edit::warning())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Settings, judge};
    use crate::rule::example;
    use crate::transcript::Encoded;

    /// How many findings there are if the first read says that the object is gone, with or without another object with
    /// its id that was deleted before.
    fn n_missed(is_another_deleted: bool) -> usize {
        let mut transcript = example::lifecycle();
        let apply = transcript.exchanges.iter().find_map(|exchange| match &exchange.call {
            AnyCall::ApplyResourceChange(call) => Some(call.clone()),
            _ => None,
        });
        let is_read = |exchange: &Exchange| {
            matches!(exchange.purpose, Purpose::NothingChanged { .. })
                && exchange.call.rpc_name() == "ReadResource"
        };
        let at = transcript.exchanges.iter().position(is_read).expect("the example has a read");
        let AnyCall::ReadResource(read) = &mut transcript.exchanges[at].call else { unreachable!("a read") };
        let object = read.request.current_state.clone();
        let ty = object.value().expect("it decodes").ty().clone();
        let null = Encoded::of(Value::null(ty.clone()), &ty);
        read.outcome.as_mut().expect("it is answered").new_state = null.clone();
        if is_another_deleted {
            let mut delete = apply.expect("the example has an apply");
            delete.request.prior_state = object;
            delete.outcome.as_mut().expect("it is answered").new_state = null;
            transcript.exchanges[at - 1].call = AnyCall::ApplyResourceChange(delete);
        }
        judge(&[&RULE], &transcript, &Settings::default()).findings.len()
    }

    #[test]
    fn an_object_is_not_missed_if_another_one_with_its_id_was_deleted() {
        assert_eq!(n_missed(false), 1);
        assert_eq!(n_missed(true), 0);
    }
}
