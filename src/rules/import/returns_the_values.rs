use crate::declare_rule;
use crate::rule::{
    Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, Read, Shows, edit,
};
use crate::schema::{Block, Member, TIMEOUTS};
use crate::transcript::{AnyCall, Encoded, Exchange, ExchangeId, Purpose};
use crate::value::{AttributePath, Type, Value};

declare_rule! {
    /// The read after an import returns the values that the object has.
    ///
    /// The provider returned these values for the object before, and with the same configuration the plan after
    /// the import changes them. Read them from the remote system, in the form that the create and the read
    /// after it return; where the remote system tells them in another form, plan what means the same as no change.
    /// What no read can know, such as a password, may be null after an import; the next plan sets it again.
    "import/returns-the-values", Must, behaviours: ["import/by-id", "import/by-identity", "import/of-every-argument"],
    covers: ["IMPORT-012"],
    shows: Shows::IMPORT_CHANGE,
    fix: "return {attributes} in Read as Create does, also where the prior state has nothing",
    framework: "set every attribute in Read from what the remote system answers, not from the prior state",
    sdkv2: "call d.Set for every argument in Read, not only for those that Create does not know",
    cites: "resource instance change lifecycle", "Import Behavior":
        "the remainder of the attributes";
    check: Check::Read(check);
    fault: Fault {
        name: "import/returns-another-value",
        about: "returns a configured string in upper case from the first read after an import",
        injection: Injection::Answer(capitalise),
    };
    control: Fault {
        name: "import/returns-the-id-alone",
        about: "returns nothing but the ID from an import, and everything from the read after it",
        injection: Injection::Answer(import_the_id),
    };
}

fn check(context: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    let Purpose::Imported { by } = context.purpose() else {
        return findings.not_applicable("the object was not imported just before");
    };
    if read.response.deferred.is_some() || read.new.is_null() {
        return findings.not_applicable("the read returns no object");
    }
    let (Some(object), Some(planned)) = (before(context, *by), planned(context)) else {
        return findings.not_applicable("the object was not known before, or nothing was planned with it");
    };
    let imported = imported(context, *by);
    let reads_nothing = imported.is_some_and(|imported| imported == read.new);
    for (path, had, came) in context.differences(object, read.new) {
        let is_kept =
            planned.at(&path).is_none_or(|planned| planned.is_unknown() || planned.equals(&came).is_true());
        if is_kept || is_unknowable(&read.schema.block, &path, &came) {
            continue;
        }
        let is_as_imported = imported.is_some_and(|imported| imported.at(&path).as_ref() == Some(&came));
        // A flag that only the provider looks at, such as `force_destroy`, has the import's own default. So has everything
        // where there is nothing to read.
        let is_default = is_as_imported && (reads_nothing || came.ty() == &Type::Bool);
        let (message, most) = told(&had, &came, is_default);
        let finding = Finding::new(path, message).allow("before the import", &had).actual("after it", &came);
        findings.add(finding.at_most(most).guarded(&read.schema.block));
    }
}

/// What is wrong with a value that the next plan changes, and how much it matters.
fn told(had: &Value, came: &Value, is_default: bool) -> (&'static str, Level) {
    let is_nothing = |value: &Value| value.is_null() || value.elements().is_some_and(<[Value]>::is_empty);
    // What is inside of a set may be what no read can know.
    let is_one_value = came.children().is_empty();
    match (is_nothing(had), is_nothing(came)) {
        (_, true) => {
            ("the read after the import returns nothing, and the next plan sets it again", Level::Should)
        }
        (true, false) => {
            ("the read after the import returns a value that the object did not have", Level::Should)
        }
        (false, false) => {
            let level = if is_one_value && !is_default { Level::Must } else { Level::Should };
            ("the read after the import returns another value, and the next plan changes it", level)
        }
    }
}

/// Whether it is not the user's, or no read can know it: timeouts are nothing that a remote system has, and it tells no
/// secrets.
fn is_unknowable(block: &Block, path: &AttributePath, came: &Value) -> bool {
    let is_of_timeouts = path.names().next() == Some(TIMEOUTS);
    match block.find(path) {
        Some(Member::Attribute(attribute)) => {
            !attribute.is_configurable() || is_of_timeouts || (came.is_null() && attribute.is_secret())
        }
        Some(Member::Block(_)) => is_of_timeouts,
        None => true,
    }
}

/// What the import returned.
fn imported<'t>(context: &Context<'t>, import: ExchangeId) -> Option<&'t Value> {
    let AnyCall::ImportResourceState(call) = &context.earlier(import)?.call else { return None };
    call.outcome.as_ref().ok()?.imported_resources.first()?.state.value()
}

/// The object as the provider returned it last before the import.
fn before<'t>(context: &Context<'t>, import: ExchangeId) -> Option<&'t Value> {
    let mut earlier = context.transcript.before(import, &context.exchange.instance);
    let state = earlier.find_map(|exchange| match &exchange.call {
        AnyCall::ReadResource(call) => call.outcome.as_ref().ok()?.new_state.value(),
        AnyCall::ApplyResourceChange(call) => call.outcome.as_ref().ok()?.new_state.value(),
        _ => None,
    });
    state.filter(|state| state.is_set())
}

/// What is planned with the object and its own configuration next.
fn planned<'t>(context: &Context<'t>) -> Option<&'t Value> {
    let mut later = context.transcript.after(context.exchange.id, &context.exchange.instance);
    later.find_map(|exchange| match &exchange.call {
        AnyCall::PlanResourceChange(call) if matches!(exchange.purpose, Purpose::Imported { .. }) => {
            call.outcome.as_ref().ok()?.planned_state.value()
        }
        _ => None,
    })
}

fn capitalise(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    super::finds_the_object::is_first_read(exchange, context)
        && edit::read_state(exchange, context, |schema, _, read| edit::capitalise(&schema.block, read))
}

fn import_the_id(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let Some(schema) = context.schema else { return false };
    let AnyCall::ImportResourceState(call) = &mut exchange.call else { return false };
    let Some(imported) =
        call.outcome.as_mut().ok().and_then(|response| response.imported_resources.first_mut())
    else {
        return false;
    };
    let Some(id) = imported.state.value().and_then(|state| state.attribute("id")).cloned() else {
        return false;
    };
    let stub = schema.empty_value().with_attribute("id", id);
    imported.state = Encoded::of(stub, schema.implied_type());
    true
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn what_is_lost_matters_less_than_what_is_wrong() {
        let level = |had: Value, came: Value, is_default| told(&had, &came, is_default).1;
        let (text, null) = (|text: &str| Value::string(text), || Value::null(Type::String));
        assert_eq!(level(text("a"), text("b"), false), Level::Must);
        assert_eq!(level(text("a"), text("b"), true), Level::Should);
        assert_eq!(level(text("a"), null(), false), Level::Should);
        assert_eq!(level(null(), text("a"), false), Level::Should);
        let set = |text: &str| Value::set(Type::String, vec![Value::string(text)]);
        assert_eq!(level(set("a"), set("b"), false), Level::Should);
    }
}
