use crate::declare_rule;
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, Shows, Speaker, edit,
    failed,
};
use crate::schema::{Block, Schema};
use crate::transcript::{AnyCall, Diagnostic, Exchange, Phase};
use crate::value::{AttributePath, Type};

declare_rule! {
    /// What the provider created it can destroy.
    ///
    /// The object was created or updated without an error, and destroying it fails each time, in
    /// another process too: its destroy plan, or the delete. The configuration is not to blame, for none
    /// is sent. A user can neither destroy the object nor replace it, and has to remove it from the state
    /// by hand. Plan modification code must return early when the plan is null, and Delete must work
    /// with the state and the private data alone. An error that names an argument by which the object
    /// is protected, such as `deletion_protection`, is a weaker finding.
    "apply/destroys-what-it-created", Must, presumes: Applied,
    covers: ["PLAN-056", "APPLY-033"],
    shows: Shows::words_of(Speaker::Provider),
    fix: "let destroy plan and Delete work with the state and private data alone",
    framework: "begin ModifyPlan with `if req.Plan.Raw.IsNull() { return }`, and use `req.State` alone in Delete",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "to make remote objects match the Final Planned State";
    check: Check::Asked(check);
    fault: Fault {
        name: "apply/refuses-to-destroy",
        about: "reports an error when the destruction of an object is planned",
        injection: Injection::Answer(refuse),
    };
    control: Fault {
        name: "apply/warns-on-destroying",
        about: "warns when the destruction of an object is planned",
        injection: Injection::Answer(warn),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    if !failed::destroys(context.exchange) {
        return findings.not_applicable("nothing is destroyed");
    }
    if context.exchange.phase == Phase::Interrupted {
        return findings.not_applicable("it was interrupted");
    }
    if asked.failure.is_some() {
        return findings.inconclusive("the destroy has no answer");
    }
    if failed::first_error(asked.call).is_none() {
        return;
    }
    let Some(error) = failed::plain_error(asked.call) else {
        return findings
            .inconclusive("the error is about the provider itself, or the way to the remote system");
    };
    if context.is_destroyed_later() {
        return findings.inconclusive("the object could be destroyed later: it may have been in use");
    }
    if !context.fails_to_destroy_again() {
        return findings.inconclusive("destroying the object did not fail another time");
    }
    let exchanges = context.transcript.before(context.exchange.id, &context.exchange.instance);
    let mut applies = exchanges.filter(|exchange| matches!(exchange.call, AnyCall::ApplyResourceChange(_)));
    let is_sound = applies.find(|exchange| !failed::destroys(exchange)).is_some_and(failed::applied);
    let schema = asked.call.type_name().and_then(|name| context.subject().resource(name));
    let is_protected = schema.is_some_and(|schema| names_a_switch(schema, error));
    // What a failed create left behind, or the user protected, may well need more than a delete.
    let most = if is_sound && !is_protected { Level::Must } else { Level::Should };
    let what = match context.exchange.prior.is_made_up() {
        true => "the destruction of an object as it was planned is refused",
        false => "the object exists and cannot be destroyed",
    };
    let message = format!("{what}: {}", error.line());
    let cause = failed::cause(error, asked.call.type_name());
    findings.add(Finding::new(AttributePath::root(), message).caused_by(cause).at_most(most));
}

/// Whether an error names an argument that is on or off, with underscores or blanks between its words.
fn names_a_switch(schema: &Schema, error: &Diagnostic) -> bool {
    let text = format!("{} {}", error.summary, error.detail).to_lowercase().replace(['_', '-'], " ");
    let names = |block: &Block| {
        let switches = block
            .attributes
            .iter()
            .filter(|attribute| (attribute.optional || attribute.required) && attribute.ty() == Type::Bool);
        switches.into_iter().any(|attribute| text.contains(&attribute.name.replace('_', " ")))
    };
    names(&schema.block) || schema.block.block_types.iter().any(|nested| names(&nested.block))
}

fn on_destroy_plan(exchange: &mut Exchange, diagnostic: Diagnostic) -> bool {
    let is_plan = matches!(exchange.call, AnyCall::PlanResourceChange(_));
    is_plan && failed::destroys(exchange) && edit::say(exchange, diagnostic)
}

fn refuse(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    on_destroy_plan(exchange, Diagnostic::error("Cannot destroy", "The configuration is missing."))
}

fn warn(exchange: &mut Exchange, _: &mut FaultContext<'_>) -> bool {
    on_destroy_plan(exchange, edit::warning())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Settings, judge};
    use crate::rule::example;

    /// What is found if some of the deletes of the example fail, counted from 0.
    fn found(fails: impl Fn(usize, usize) -> bool) -> usize {
        let mut transcript = example::lifecycle();
        let is_delete = |exchange: &&mut Exchange| {
            matches!(exchange.call, AnyCall::ApplyResourceChange(_)) && failed::destroys(exchange)
        };
        let instance = transcript.exchanges.iter_mut().rfind(is_delete).expect("it deletes").instance.clone();
        let own = |exchange: &&mut Exchange| is_delete(exchange) && exchange.instance == instance;
        let last = transcript.exchanges.iter_mut().rfind(own).unwrap().clone();
        // The same delete, three times in all.
        for _ in 0..2 {
            let id = crate::transcript::ExchangeId(transcript.exchanges.len() as u32);
            transcript.exchanges.push(Exchange { id, ..last.clone() });
        }
        let n = transcript.exchanges.iter_mut().filter(own).count();
        for (idx, exchange) in transcript.exchanges.iter_mut().filter(own).enumerate() {
            if fails(idx, n) {
                edit::say(exchange, Diagnostic::error("409 Conflict", "It is in use."));
            }
        }
        judge(&[&RULE], &transcript, &Settings::default()).findings.len()
    }

    #[test]
    fn an_object_that_is_destroyed_in_the_end_was_in_use() {
        assert!(found(|idx, n| idx + 3 >= n) > 0);
        assert_eq!(found(|idx, n| idx + 3 >= n && idx + 1 < n), 0);
    }
}
