use crate::declare_rule;
use crate::rule::{Check, Context, Fault, FaultContext, Finding, Findings, Injection, Read, edit};
use crate::transcript::{AnyCall, Exchange, Purpose};
use crate::value::{Type, Value};

declare_rule! {
    /// Reading twice gives the same state.
    ///
    /// A read has no effects, so a second one finds what the first one found. If it does not,
    /// plans flicker: a change is shown, and gone the next time. Look for lists that the
    /// remote system returns in no fixed order, for timestamps, caches, and reads that write.
    /// An attribute that does change on its own can be declared volatile.
    "read/repeats-itself", Should, presumes: Applied,
    covers: ["READ-011"],
    title: None,
    fix: "sort what comes in no fixed order, and write nothing while reading {attributes}",
    framework: "use a set for what has no order, or sort it before `resp.State.Set`",
    sdkv2: "use TypeSet for what has no order, or sort it before `d.Set`",
    cites: "resource instance change lifecycle", "ReadResource":
        "to detect any such external changes and describe them";
    check: Check::Read(check);
    fault: Fault {
        name: "read/counts-reads",
        about: "reads a different number for a computed attribute each time it reads the same state",
        injection: Injection::Answer(count),
    };
    control: Fault {
        name: "read/mentions-reads",
        about: "warns when it reads the same state again",
        injection: Injection::Answer(mention),
    };
}

fn check(context: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    let Purpose::Repeat { of } = context.purpose() else {
        return findings.not_applicable("not asked before");
    };
    let Some(AnyCall::ReadResource(first)) = context.earlier(*of).map(|exchange| &exchange.call) else {
        return findings.not_applicable("not asked before");
    };
    let Ok(first) = &first.outcome else { return findings.inconclusive("the first read has no answer") };
    let Some(before) = first.new_state.value() else {
        return findings.inconclusive("the state that was read first does not decode");
    };
    for (path, before, now) in context.changes(&read.schema.block, before, read.new) {
        findings.add(
            Finding::new(path, "the second read differs from the first")
                .allow("first read", &before)
                .actual("second read", &now)
                .guarded(&read.schema.block),
        );
    }
}

/// How often the state of a request was read before.
fn times_read(exchange: &Exchange, context: &mut FaultContext<'_>) -> u64 {
    let AnyCall::ReadResource(call) = &exchange.call else { return 0 };
    call.request
        .current_state
        .value()
        .map_or(0, |current| context.memory.count(&format!("read/repeats-itself {current}")))
}

fn count(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let times = times_read(exchange, context);
    times > 0
        && edit::read_state(exchange, context, |schema, _, new| {
            let attribute = edit::first_attribute(schema, new, |attribute, value| {
                let is_number = attribute.ty() == Type::Number && value.is_set();
                attribute.computed && !attribute.optional && is_number
            })?;
            Some(new.with_attribute(&attribute.name, Value::number(1_000 + times as i64)))
        })
}

fn mention(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    times_read(exchange, context) > 0 && edit::say(exchange, edit::warning())
}
