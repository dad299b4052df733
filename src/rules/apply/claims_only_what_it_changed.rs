use crate::declare_rule;
use crate::rule::edit::ApplyScene;
use crate::rule::failed::{self, Change};
use crate::rule::{
    Asked, Check, Context, Fault, FaultContext, Finding, Findings, Injection, Level, differences, edit,
};
use crate::transcript::{AnyCall, Diagnostic, Encoded, Exchange, PlanResourceChangeRequest};
use crate::value::{AttributePath, Value};

declare_rule! {
    /// After a failed update the state holds only the changes that were made.
    ///
    /// What an apply returns with its error is stored. If that is what was planned, the next plan finds
    /// nothing to do although the change was never made, unless the read before it happens to notice.
    /// Return the object as it really is. In the plugin framework set the state only when the remote
    /// system has changed; SDKv2 stores the planned values after an error unless `d.Partial(true)` is
    /// called before it is returned.
    "apply/claims-only-what-it-changed", Must, presumes: Applied,
    covers: ["APPLY-014"],
    title: None,
    fix: "return the object as it really is when an update fails, not as it was planned",
    framework: "in Update, call `resp.State.Set` only for what the remote system has changed",
    sdkv2: "call `d.Partial(true)` before Update returns an error",
    cites: "resource instance change lifecycle", "ApplyResourceChange":
        "the New State must describe the partially updated object";
    check: Check::Asked(check);
    fault: Fault {
        name: "apply/claims-what-it-refuses",
        about: "refuses each update when it is applied, and returns the planned state",
        injection: Injection::Call(leave_undone, claim),
    };
    control: Fault {
        name: "apply/updates-with-a-remark",
        about: "warns when it has updated an object",
        injection: Injection::Answer(remark),
    };
}

fn check(context: &Context<'_>, asked: &Asked<'_>, findings: &mut Findings) {
    let (AnyCall::ApplyResourceChange(call), Some((request, Change::Update))) =
        (asked.call, failed::change(asked.call))
    else {
        return findings.not_applicable("nothing is updated");
    };
    let Ok(response) = &call.outcome else { return findings.inconclusive("the update has no answer") };
    let Some(error) = failed::first_error(asked.call) else { return };
    let values = (request.prior_state.value(), response.new_state.value());
    let (Some(prior), Some(claimed)) = values else {
        return findings.inconclusive("a state does not decode");
    };
    if claimed.is_null() || claimed == prior {
        return;
    }
    let block = asked.call.type_name().and_then(|name| context.subject().resource(name));
    let Some(block) = block.map(|schema| &schema.block) else { return };
    let later = Later::of(context);
    if let Some(read) = later.next_read() {
        for (path, was, claims) in differences(prior, claimed) {
            if read.at(&path).is_some_and(|now| now == was && now != claims) {
                let message = "the update failed, and its state has a value that the next read does not find";
                let finding = Finding::new(path, message).allow("next read", &was);
                // The next plan makes good for it, because it reads first.
                findings.add(finding.actual("new state", &claims).guarded(block).at_most(Level::Should));
            }
        }
        return;
    }
    if later.is_planned_as_done(request.config.value()) {
        let is_undone = context.refuses_every_update(error);
        let message = format!("the update failed, and the next plan has nothing to do: {}", error.line());
        let cause = failed::cause(error, asked.call.type_name());
        // Where only some updates fail, this one may have been made.
        let most = if is_undone { Level::Must } else { Level::Should };
        findings.add(Finding::new(AttributePath::root(), message).caused_by(cause).at_most(most));
    }
}

/// What was asked about the object after a failed update, until the next apply.
struct Later<'t>(Vec<&'t Exchange>);

impl<'t> Later<'t> {
    fn of(context: &Context<'t>) -> Later<'t> {
        let after = &context.transcript.exchanges[context.exchange.id.0 as usize + 1..];
        let instance = &context.exchange.instance;
        let of_object = after.iter().filter(|exchange| exchange.instance == *instance);
        let is_apply = |exchange: &&Exchange| matches!(exchange.call, AnyCall::ApplyResourceChange(_));
        Later(of_object.take_while(|exchange| !is_apply(exchange)).collect())
    }

    /// The state that a read found, if that is not what it was given.
    fn next_read(&self) -> Option<&'t Value> {
        self.0.iter().find_map(|exchange| match &exchange.call {
            AnyCall::ReadResource(call) => {
                let response = call.outcome.as_ref().ok().filter(|_| exchange.call.succeeded())?;
                let (given, read) = (call.request.current_state.value()?, response.new_state.value()?);
                (read.is_set() && read != given).then_some(read)
            }
            _ => None,
        })
    }

    /// Whether the same configuration is planned, and nothing is left to do.
    fn is_planned_as_done(&self, config: Option<&Value>) -> bool {
        let is_same =
            |request: &PlanResourceChangeRequest| config.is_some() && request.config.value() == config;
        let is_done = |request: &PlanResourceChangeRequest, planned: &Encoded| {
            planned.value().is_some_and(Value::is_set) && planned.value() == request.prior_state.value()
        };
        self.0.iter().any(|exchange| match &exchange.call {
            AnyCall::PlanResourceChange(call) => {
                let planned = call.outcome.as_ref().ok().filter(|_| exchange.call.succeeded());
                is_same(&call.request)
                    && planned.is_some_and(|answer| is_done(&call.request, &answer.planned_state))
            }
            _ => false,
        })
    }
}

fn is_update(scene: &ApplyScene<'_>) -> bool {
    scene.prior.is_set() && scene.planned.is_set()
}

fn leave_undone(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::leave_undone(exchange, context, is_update)
}

fn claim(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    let error = Diagnostic::error("504 Gateway Timeout", "The service did not answer.");
    edit::refuse(exchange, context, is_update, error)
        && edit::applied_state(exchange, context, |apply, _| Some(apply.planned.unknowns_as_nulls()))
}

fn remark(exchange: &mut Exchange, context: &mut FaultContext<'_>) -> bool {
    edit::applied_scene(exchange, context).is_some_and(|scene| is_update(&scene))
        && edit::say(exchange, edit::warning())
}
