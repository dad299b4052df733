use bytes::Bytes;

use crate::declare_rule;
use crate::rule::{Asked, Check, Context, Fault, FaultContext, Findings, Injection, edit, example};
use crate::transcript::{AnyCall, Exchange, Purpose};
use crate::value::AttributePath;

declare_rule! {
    /// An object that was moved to another type is found by the read, and not replaced.
    ///
    /// After a move comes a read, with nothing but the values and the private data that the move
    /// returned, and then a plan. If the read finds nothing, another object is created, and the first
    /// stays behind in the remote system; a replacement destroys what the user wanted to keep. Move
    /// whatever the read needs to find the object, and every value whose change requires replacement.
    "move/keeps-the-object", Should, behaviours: ["instances/moved-across-types"],
    covers: ["MOVE-007"],
    title: None,
    fix: "move whatever the read needs to find the object, and what must not change",
    cites: "resource instance change lifecycle", "UpgradeResourceState":
        "should not change the meaning of the data";
    check: Check::Asked(check);
    fault: Fault {
        name: "move/is-not-found",
        about: "does not find an object in the first read after it was moved",
        injection: Injection::Answer(lose),
    };
    control: Fault {
        name: "move/drops-private-data",
        about: "moves an object without its private data",
        injection: Injection::Answer(drop_private),
    };
}

fn check(context: &Context<'_>, _: &Asked<'_>, findings: &mut Findings) {
    let Purpose::Moved { .. } = context.purpose() else {
        return findings.not_applicable("the object was not moved to another type just before");
    };
    if let Ok(read) = context.read() {
        if read.new.is_null() && read.response.deferred.is_none() {
            let message = "the object was moved without an error, but the read does not find it";
            findings.report(AttributePath::root(), message);
        }
    } else if let Ok(planned) = context.planned() {
        if planned.response.deferred.is_some() {
            return findings.not_applicable("the plan was deferred");
        }
        let message = "moved with the configuration it was created with, the object is replaced";
        planned.report_replacement(context.engine, "moved", message, findings);
    } else {
        findings.not_applicable("it is neither read nor planned");
    }
}

/// What tells the read after a move from other reads: the move is made in a process of its own.
const MARK: &[u8] = example::MOVED;

fn lose(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    match &mut exchange.call {
        AnyCall::MoveResourceState(call) => {
            if let Ok(response) = &mut call.outcome {
                response.target_private = Bytes::from_static(MARK);
            }
            false
        }
        AnyCall::ReadResource(call) if call.request.private == MARK => {
            edit::read_state(exchange, context, |schema, _, _| Some(schema.null()))
        }
        _ => false,
    }
}

fn drop_private(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    let AnyCall::MoveResourceState(call) = &mut exchange.call else { return false };
    let Ok(response) = &mut call.outcome else { return false };
    !std::mem::take(&mut response.target_private).is_empty()
}
