use crate::declare_rule;
use crate::rule::edit::ApplyScene;
use crate::rule::emptiness::emptied;
use crate::rule::{
    Check, Context, Fault, FaultContext, Finding, Findings, Fix, Injection, Read, Shows, edit,
};
use crate::transcript::{AnyCall, Exchange, Purpose};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// A read directly after an apply sees the change that the apply made.
    ///
    /// The apply returned the new value of an argument, and the read returns the one from before
    /// the update, or nothing after a create. This is no normalization: what the user wants was
    /// not sent to the remote system, or was not stored there. An update that leaves an argument out of its
    /// request is the usual cause; a second request that fails, and whose error nobody looks at, is
    /// another one. Keeping the state's value in Read would hide it from users.
    "read/sees-the-change", Must, presumes: Applied,
    covers: ["READ-005", "APPLY-001"],
    shows: Shows::CHANGE,
    fix: "send {attributes} in Create and in Update, and check what the remote system answers",
    framework: "set the argument in the request of Create and of Update, and return what a read after it returns",
    sdkv2: "set the argument in the request of Create and of Update, and end both with a read",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "make remote objects match the Final Planned State";
    check: Check::Read(check);
    fault: Fault {
        name: "apply/loses-updates",
        about: "returns the new value of an argument that is updated, and stores the old one",
        injection: Injection::Call(store_old, answer_new),
    };
    control: Fault {
        name: "apply/warns-of-updates",
        about: "warns about every update that it makes",
        injection: Injection::Answer(warn),
    };
}

/// What became of an argument that an apply was to set.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(super) enum Lost {
    /// It is as it was before the update.
    Update,
    /// There is nothing after the create.
    Create,
}

impl Lost {
    fn message(self) -> &'static str {
        match self {
            Lost::Update => {
                "the read returns the value from before the update: Update did not send the new one, or it was not stored"
            }
            Lost::Create => {
                "the read returns nothing: Create did not send the value, it was not stored, or Read leaves it out"
            }
        }
    }

    fn fix(self) -> Fix {
        match self {
            Lost::Update => Fix("send {attributes} in Update, and check what the remote system answers"),
            Lost::Create => Fix(
                "send {attributes} in Create and set it in Read; if the remote system never returns it, keep the state's value",
            ),
        }
    }
}

fn check(context: &Context<'_>, read: &Read<'_>, findings: &mut Findings) {
    if !matches!(context.purpose(), Purpose::NothingChanged { .. }) {
        return findings.not_applicable("it is not the first read after an apply");
    }
    if read.response.deferred.is_some() || read.new.is_null() {
        return findings.not_applicable("the read returns no object");
    }
    let block = &read.schema.block;
    for (path, current, new) in context.changes(block, read.current, read.new) {
        let is_reported = context.was_upgraded(&path) || context.is_harmless_emptiness(&path, &current, &new);
        if let Some(lost) = lost(context, &path, &current, &new).filter(|_| !is_reported) {
            let finding = Finding::new(path, lost.message()).allow("current state", &current);
            findings.add(finding.actual("new state", &new).mended_by(Some(lost.fix())).guarded(block));
        }
    }
}

/// Whether a change that the apply just before made is what a read does not see.
pub(super) fn lost(
    context: &Context<'_>,
    path: &AttributePath,
    current: &Value,
    new: &Value,
) -> Option<Lost> {
    let Purpose::NothingChanged { after } = context.purpose() else { return None };
    let exchange = context.earlier(*after)?;
    let (config, prior) = applied(exchange)?;
    let wanted = config.at(path).filter(|value| value.is_wholly_known() && !value.is_null())?;
    if new == current || emptied(current).is_null() || is_respelt(current, new) {
        return None;
    }
    if prior.is_null() {
        return new.is_null().then_some(Lost::Create);
    }
    // What is applied again may have been lost before, or the remote system spells it so: what tells is the value from
    // before the first apply that wanted this one.
    let mut prior = prior;
    for earlier in context.transcript.before(exchange.id, &exchange.instance) {
        match applied(earlier).filter(|_| earlier.call.succeeded()) {
            Some((config, before)) if config.at(path).as_ref() == Some(&wanted) => prior = before,
            Some(_) => return (prior.at(path).as_ref() == Some(new)).then_some(Lost::Update),
            None => {}
        }
    }
    None
}

/// Whether two texts differ only in the case of letters and in what is neither letter nor digit.
fn is_respelt(one: &Value, other: &Value) -> bool {
    let bare = |text: &str| -> String {
        text.chars().filter(|c| c.is_alphanumeric()).flat_map(char::to_lowercase).collect()
    };
    one.as_str().zip(other.as_str()).is_some_and(|(one, other)| bare(one) == bare(other))
}

/// The configuration and the prior state of an apply that keeps an object.
fn applied(exchange: &Exchange) -> Option<(&Value, &Value)> {
    let AnyCall::ApplyResourceChange(apply) = &exchange.call else { return None };
    let config = apply.request.config.value().filter(|config| config.is_set())?;
    Some((config, apply.request.prior_state.value()?))
}

/// The argument that an update changes and the fault loses.
fn changed(apply: &ApplyScene<'_>) -> Option<String> {
    if !apply.keeps_object() || apply.prior.is_null() {
        return None;
    }
    let attribute = edit::first_attribute(apply.schema, apply.planned, |attribute, planned| {
        let prior = apply.prior.member(&attribute.name);
        let is_plain = attribute.optional && !attribute.computed && !attribute.write_only;
        is_plain && planned.as_str().is_some() && prior.as_str().is_some() && !is_respelt(&prior, planned)
    })?;
    Some(attribute.name.clone())
}

fn store_old(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::requested_plan(exchange, context, |apply, planned| {
        let name = changed(apply)?;
        Some(planned.with_attribute(&name, apply.prior.member(&name)))
    })
}

/// The update is answered as it was asked for. A read finds what is stored; in a recorded lifecycle, where nothing was
/// lost, it is made to find the old value.
fn answer_new(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let lost = edit::applied_scene(exchange, context).and_then(|apply| {
        let name = changed(&apply)?;
        let text = |object: &Value| Some(object.member(&name).as_str()?.to_owned());
        Some((place(apply.prior, &text(apply.planned)?), text(apply.prior)?))
    });
    if let Some((new, old)) = lost {
        context.memory.remember(&new, &old);
    }
    let is_answered = edit::applied_state(exchange, context, |apply, new| {
        let name = changed(apply)?;
        new.is_set().then(|| new.with_attribute(&name, apply.planned.member(&name)))
    });
    // A provider is not told what a read is for.
    let is_recorded = !matches!(exchange.purpose, Purpose::Ordinary);
    let memory = context.memory.clone();
    let is_read = is_recorded
        && edit::read_state(exchange, context, |schema, current, new| {
            new.is_set().then(|| {
                edit::each_attribute(&schema.block, new, |attribute, value| {
                    let is_lost = attribute.optional && current.member(&attribute.name) == *value;
                    let old = value
                        .as_str()
                        .filter(|_| is_lost)
                        .and_then(|text| memory.recall(&place(new, text)))?;
                    Some(Value::string(old))
                })
            })
        });
    is_answered || is_read
}

/// What a value of an object is remembered by.
fn place(object: &Value, text: &str) -> String {
    format!("{} {text}", object.member("id"))
}

fn warn(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let is_update = edit::applied_scene(exchange, context)
        .is_some_and(|apply| apply.keeps_object() && !apply.prior.is_null());
    is_update && edit::say(exchange, edit::warning())
}

#[cfg(test)]
mod tests {
    use super::*;
    use crate::judge::{Settings, judge};
    use crate::rule::example;
    use crate::rules::read::keeps_the_form;
    use crate::transcript::Encoded;
    use crate::value::Type;

    /// The rules that are broken, and how, if the read after the create (0) or after the update (1) of the example
    /// returns this note.
    fn broken(nth: usize, note: Option<&str>) -> Vec<(&'static str, String)> {
        let mut transcript = example::lifecycle();
        let is_read = |exchange: &&mut Exchange| {
            matches!(exchange.purpose, Purpose::NothingChanged { .. })
                && exchange.call.rpc_name() == "ReadResource"
        };
        let read = transcript.exchanges.iter_mut().filter(is_read).nth(nth).expect("the example has it");
        let AnyCall::ReadResource(read) = &mut read.call else { unreachable!("a read") };
        let object = read.request.current_state.value().expect("it decodes").clone();
        let ty = object.ty().clone();
        let note = note.map_or(Value::null(Type::String), Value::string);
        let response = read.outcome.as_mut().expect("it is answered");
        response.new_state = Encoded::of(object.with_attribute("note", note), &ty);
        let judgement = judge(&[&RULE, &keeps_the_form::RULE], &transcript, &Settings::default());
        let findings = judgement.findings.iter();
        findings.map(|judged| (judged.rule.id, judged.finding.message.clone())).collect()
    }

    #[test]
    fn what_an_apply_lost_is_told_from_what_the_remote_system_spells_otherwise() {
        let lost = |lost: Lost| vec![(RULE.id, lost.message().to_owned())];
        let respelt =
            vec![(keeps_the_form::RULE.id, "nothing changed, but another value is read".to_owned())];
        assert_eq!(broken(0, None), lost(Lost::Create));
        assert_eq!(broken(0, Some("other")), respelt);
        // The object had drifted before it was updated.
        assert_eq!(broken(1, Some("drifted")), lost(Lost::Update));
        assert_eq!(broken(1, Some("CHANGED")), respelt);
        assert_eq!(broken(1, Some("other")), respelt);
        assert_eq!(broken(1, None), respelt, "an update is not undone by nothing");
        assert_eq!(broken(1, Some("changed")), []);
    }
}
