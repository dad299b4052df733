//! Runs that are planned on states made up from plans.

use super::Stage;
use crate::generate;
use crate::generate::synthesis;
use crate::lifecycle::{End, Played};
use crate::scenario::{Arguments, Block, EngineRun, Operation, ResourceAddress, Scenario};
use crate::schema::Kind;
use crate::transcript::{
    AnyCall, Call, Exchange, PlanResourceChangeRequest, PlanResourceChangeResponse, PriorOrigin, Purpose,
    ScenarioLabel,
};
use crate::value::{Type, Value};

const MACHINE: &str = "reference_everything";

/// A run with a machine of that kind; a change of the kind requires replacement.
fn run(stage: &Stage, arguments: &[(&str, Value)]) -> EngineRun {
    let schema = stage.schema.get(Kind::Resource, MACHINE).expect("the type is declared");
    let set = |config: Value, (name, value): &(&str, Value)| config.with_attribute(name, value.clone());
    let config = arguments.iter().fold(schema.empty_value(), set);
    let resolved = config.transform(&mut |_, value| match value.is_unknown() {
        true => Value::string("later"),
        false => value,
    });
    let address = ResourceAddress::new(Kind::Resource, MACHINE, "a");
    let arguments = Arguments::with_upstream(config, resolved);
    EngineRun::new(Operation::Synthesise, vec![Block::new(address, arguments)])
}

fn web(kind: &str) -> [(&str, Value); 2] {
    [("name", Value::string("web")), ("kind", Value::string(kind))]
}

fn plan(stage: &Stage, runs: Vec<EngineRun>) -> Played {
    let label = ScenarioLabel { type_name: MACHINE.to_owned(), ..ScenarioLabel::default() };
    stage.plan(&Scenario::new(label, runs))
}

/// The answered plans with this purpose.
fn plans<'p>(
    played: &'p Played,
    is_meant: impl Fn(&Exchange) -> bool + 'p,
) -> impl Iterator<Item = (&'p PlanResourceChangeRequest, &'p PlanResourceChangeResponse)> {
    let of = move |exchange: &'p Exchange| match &exchange.call {
        AnyCall::PlanResourceChange(Call { request, outcome: Ok(response) }) if is_meant(exchange) => {
            Some((request, response))
        }
        _ => None,
    };
    played.transcript.exchanges.iter().filter_map(of)
}

fn is_ordinary(exchange: &Exchange) -> bool {
    exchange.purpose == Purpose::Ordinary
}

fn is_null(value: &crate::transcript::Encoded) -> bool {
    value.value().is_some_and(Value::is_null)
}

#[test]
fn nothing_is_read_or_applied_whatever_the_scenario() {
    let stage = Stage::new();
    let options =
        generate::Options { seed: 3, cases: generate::Cases::Number(40), ..generate::Options::default() };
    for type_name in stage.schema.resources.keys() {
        let schema = stage.schema.get(Kind::Resource, type_name).expect("the type is declared").clone();
        for scenario in generate::scenarios(&schema, Kind::Resource, type_name, &options) {
            let played = stage.plan(&scenario);
            assert!(played.state.is_empty() && !played.leaves_something && !played.reached.applied);
            for exchange in &played.transcript.exchanges {
                let has_prior = match &exchange.call {
                    AnyCall::ValidateResourceConfig(_) => false,
                    AnyCall::UpgradeResourceState(_) => true,
                    AnyCall::PlanResourceChange(call) => !is_null(&call.request.prior_state),
                    call => panic!("{type_name}, {}: {}", scenario.label.about, call.rpc_name()),
                };
                let expected = if has_prior { PriorOrigin::Synthesised } else { PriorOrigin::None };
                assert_eq!(exchange.prior, expected, "{exchange:?}");
            }
        }
    }
}

#[test]
fn an_update_is_planned_on_what_was_planned_before_it() {
    let stage = Stage::new();
    let other = [("name", Value::string("web")), ("absent", Value::string("set"))];
    let played = plan(&stage, vec![run(&stage, &[("name", Value::string("web"))]), run(&stage, &other)]);
    assert_eq!(played.end, End::Done);
    let schema = &stage.schema.resources[MACHINE];
    let [create, update, destroy] = plans(&played, is_ordinary).collect::<Vec<_>>()[..] else {
        panic!("a create, an update and a destroy are planned");
    };
    let planned = create.1.planned_state.value().unwrap();
    let prior = update.0.prior_state.value().unwrap();
    assert!(!planned.is_wholly_known() && prior.is_wholly_known());
    assert_eq!(*prior, synthesis::state(&schema.block, planned));
    assert_eq!(update.0.prior_private, create.1.planned_private);
    assert!(update.0.prior_identity.as_ref().and_then(|identity| identity.value()).is_some());
    let after_update = synthesis::state(&schema.block, update.1.planned_state.value().unwrap());
    assert_eq!(*destroy.0.prior_state.value().unwrap(), after_update);
    assert!(is_null(&destroy.0.proposed_new_state));
}

#[test]
fn nothing_is_left_to_do_on_a_synthesised_state() {
    let stage = Stage::new();
    let played = plan(&stage, vec![run(&stage, &web("small"))]);
    let again = |exchange: &Exchange| matches!(exchange.purpose, Purpose::NothingChanged { .. });
    let [(request, response)] = plans(&played, again).collect::<Vec<_>>()[..] else {
        panic!("it is planned again once");
    };
    assert_eq!(request.prior_state.value(), response.planned_state.value());
}

#[test]
fn both_halves_of_a_replacement_are_planned() {
    let stage = Stage::new();
    let played = plan(&stage, vec![run(&stage, &web("small")), run(&stage, &web("large"))]);
    let create_half = |exchange: &Exchange| matches!(exchange.purpose, Purpose::ReplaceCreate { .. });
    let [(request, _)] = plans(&played, create_half).collect::<Vec<_>>()[..] else {
        panic!("the create half is planned once");
    };
    assert!(is_null(&request.prior_state));
}

#[test]
fn what_is_unknown_in_an_update_is_planned_before_it_is_known() {
    let stage = Stage::new();
    let unknown = [("name", Value::string("web")), ("absent", Value::unknown(Type::String))];
    let played = plan(&stage, vec![run(&stage, &[("name", Value::string("web"))]), run(&stage, &unknown)]);
    let updates = plans(&played, |exchange| is_ordinary(exchange) && exchange.prior.is_made_up());
    let configured: Vec<Value> =
        updates.map(|(request, _)| request.config.value().unwrap().member("absent")).collect();
    assert!(configured[0].is_unknown(), "{configured:?}");
    assert_eq!(configured[1], Value::string("later"));
}

#[test]
fn a_refused_destroy_plan_is_asked_for_again_and_ends_nothing() {
    let stage = Stage::with(&["apply/refuses-to-destroy"]);
    let played = plan(&stage, vec![run(&stage, &web("small"))]);
    assert_eq!(played.end, End::Done);
    let destroys = plans(&played, |exchange| is_ordinary(exchange) && exchange.prior.is_made_up());
    assert_eq!(destroys.count(), 2);
    assert!(played.state.is_empty());
}

#[test]
fn an_object_that_was_applied_is_never_replaced_by_a_synthesised_one() {
    let stage = Stage::new();
    let synthesised = run(&stage, &web("small"));
    let mut applied = synthesised.clone();
    applied.options.operation = Operation::Apply;
    let label = ScenarioLabel { type_name: MACHINE.to_owned(), ..ScenarioLabel::default() };
    let runs = vec![synthesised.clone(), applied, synthesised];
    let played = stage.play(&Scenario::new(label, runs));
    assert_eq!(played.end, End::Done);
    let exchanges = &played.transcript.exchanges;
    let first_apply = exchanges.iter().position(|exchange| exchange.call.rpc_name() == "ApplyResourceChange");
    let (before, after) = exchanges.split_at(first_apply.expect("it is applied"));
    assert!(before.iter().any(|exchange| exchange.prior == PriorOrigin::Synthesised));
    assert!(after.iter().all(|exchange| exchange.prior != PriorOrigin::Synthesised));
    assert!(played.state.is_empty() && !played.leaves_something);
}
