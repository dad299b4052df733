use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Finding, Findings, Injection, Read, Shows, edit};
use crate::transcript::{AnyCall, Exchange, Purpose};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// Reading an object that was just imported finds it.
    ///
    /// An engine always reads what an import returned, with nothing but the values that the
    /// import set. If Read needs more than the ID to find the object, such as a region or a
    /// parent, take it from the import ID and set it. Where the object does not exist, an error
    /// of the import itself is clearer than a read that finds nothing.
    "import/finds-the-object", Must, behaviours: ["import/by-id", "import/by-identity"],
    covers: ["IMPORT-010", "READ-012"],
    shows: Shows::title_of("Cannot import non-existent remote object"),
    fix: "set in the import whatever the read needs to find the object",
    cites: "resource instance change lifecycle", "ImportResourceState":
        "the minimal subset of attributes that ReadResource will need to do its work";
    check: Check::Read(check);
    fault: Fault {
        name: "import/is-not-found",
        about: "does not find an object in the first read after it was imported",
        injection: Injection::Answer(lose),
    };
    control: Fault {
        name: "import/is-found-with-a-warning",
        about: "warns in the first read of an object after it was imported",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    let Purpose::Imported { .. } = context.purpose() else {
        return findings.not_applicable("the object was not imported just before");
    };
    if read.response.deferred.is_some() {
        return findings.not_applicable("the read was deferred");
    }
    if read.new.is_null() {
        let root = AttributePath::root();
        findings.add(Finding::new(
            root,
            "the object was imported without an error, but the read does not find it",
        ));
    }
}

/// Whether this is the first read of an object that the process imported.
pub(in crate::rules) fn is_first_read(exchange: &Exchange, context: &mut FaultContext<'_>) -> bool {
    let id = |value: &Value| value.attribute("id").and_then(Value::as_str).map(str::to_owned);
    match &exchange.call {
        AnyCall::ImportResourceState(call) => {
            let imported =
                call.outcome.as_ref().ok().and_then(|response| response.imported_resources.first());
            if let Some(id) = imported.and_then(|imported| id(imported.state.value()?)) {
                context.memory.remember(&format!("imported {id}"), "yes");
            }
            false
        }
        AnyCall::ReadResource(call) => {
            let Some(id) = call.request.current_state.value().and_then(id) else { return false };
            let is_first = context.memory.recall(&format!("imported {id}")) == Some("yes");
            if is_first {
                context.memory.remember(&format!("imported {id}"), "read");
            }
            is_first
        }
        _ => false,
    }
}

fn lose(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    is_first_read(exchange, context)
        && edit::read_state(exchange, context, |schema, _, _| Some(schema.null()))
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    is_first_read(exchange, context) && edit::say(exchange, edit::warning())
}
