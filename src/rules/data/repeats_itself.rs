use crate::declare_rule;
use crate::rule::{Check, Context, DataRead, Fault, FaultContext, Finding, Findings, Injection, edit};
use crate::transcript::{AnyCall, Exchange, Purpose};
use crate::value::{Type, Value};

declare_rule! {
    /// Reading a data source twice gives the same result.
    ///
    /// A data source is read in each plan, and perhaps again in the apply. A result that
    /// differs although nothing has changed, because of a timestamp or the order of a list,
    /// shows as a change in everything that uses it. Sort what the remote system returns in no
    /// fixed order, and do not derive an `id` from the clock. An attribute that does change on
    /// its own can be declared volatile.
    "data/repeats-itself", Should,
    covers: ["DATA-005"],
    title: None,
    fix: "sort what comes in no fixed order, and derive nothing in {attributes} from the clock",
    framework: "sort what has no order before `resp.State.Set`",
    sdkv2: "derive the ID from the arguments, not from the clock",
    cites: "planning behaviors", "Default Planning Behavior":
        "eagerly perform this action during the planning phase";
    check: Check::DataRead(check);
    fault: Fault {
        name: "data/counts-reads",
        about: "returns a different string for a computed attribute each time a data source is read",
        injection: Injection::Answer(count),
    };
    control: Fault {
        name: "data/forgets-to-count",
        about: "returns the same string for a computed attribute each time a data source is read",
        injection: Injection::Answer(constant),
    };
}

fn check(context: &Context<'_>, read: &DataRead<'_>, findings: &mut Findings) {
    let Purpose::Repeat { of } = context.purpose() else {
        return findings.not_applicable("not asked before");
    };
    let Some(AnyCall::ReadDataSource(first)) = context.earlier(*of).map(|exchange| &exchange.call) else {
        return findings.not_applicable("not asked before");
    };
    let Ok(first) = &first.outcome else { return findings.inconclusive("the first read has no answer") };
    let Some(before) = first.state.value() else {
        return findings.inconclusive("the first result does not decode");
    };
    for (path, before, now) in context.changes(&read.schema.block, before, read.state) {
        findings.add(
            Finding::new(path, "the second read differs from the first")
                .allow("first read", &before)
                .actual("second read", &now)
                .guarded(&read.schema.block),
        );
    }
}

fn stamp(exchange: &mut Exchange, context: &FaultContext<'_>, text: &str) -> bool {
    edit::data_state(exchange, context, |schema, config, state| {
        let attribute = edit::first_attribute(schema, config, |attribute, config| {
            attribute.computed && attribute.ty() == Type::String && config.is_null()
        })?;
        Some(state.with_attribute(&attribute.name, Value::string(text)))
    })
}

fn count(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let text = format!("read {}", context.memory.count("data/counts-reads"));
    stamp(exchange, context, &text)
}

fn constant(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    stamp(exchange, context, "read")
}
