//! What is played after an error of the provider.

use super::Stage;
use crate::calls::Rpc;
use crate::lifecycle::{End, Played};
use crate::rule::failed::{Change, change};
use crate::scenario::{Arguments, Block, EngineRun, Operation, ResourceAddress, Scenario};
use crate::schema::Kind;
use crate::transcript::{AnyCall, Exchange, PriorOrigin, Purpose, ScenarioLabel};
use crate::value::{Type, Value};

const MACHINE: &str = "reference_everything";

/// A machine with these arguments.
pub(super) fn config(stage: &Stage, arguments: &[(&str, &str)]) -> Value {
    let schema = stage.schema.get(Kind::Resource, MACHINE).expect("the type is declared");
    let set = |config: Value, (name, text): &(&str, &str)| config.with_attribute(name, Value::string(text));
    arguments.iter().fold(schema.empty_value(), set)
}

fn run(operation: Operation, arguments: Arguments) -> EngineRun {
    EngineRun::new(operation, vec![Block::new(ResourceAddress::new(Kind::Resource, MACHINE, "a"), arguments)])
}

pub(super) fn apply(config: Value) -> EngineRun {
    run(Operation::Apply, Arguments::known(config))
}

/// The same with one argument unknown at first.
pub(super) fn apply_unknown(config: Value, name: &str) -> EngineRun {
    let unknown = config.with_attribute(name, Value::unknown(Type::String));
    run(Operation::Apply, Arguments::with_upstream(unknown, config))
}

pub(super) fn play(stage: &Stage, runs: Vec<EngineRun>) -> Played {
    let label = ScenarioLabel { type_name: MACHINE.to_owned(), ..ScenarioLabel::default() };
    stage.play(&Scenario::new(label, runs))
}

/// What the applies were to do, `!` where they failed; those of what is gone are left out.
fn applies(played: &Played) -> String {
    let one = |exchange: &Exchange| {
        let (_, change) = change(&exchange.call).filter(|_| exchange.purpose == Purpose::Ordinary)?;
        let failed = if exchange.call.succeeded() { "" } else { "!" };
        let what = match change {
            Change::Create => "create",
            Change::Update => "update",
            Change::Delete => "delete",
        };
        Some(format!("{what}{failed}"))
    };
    played.transcript.exchanges.iter().filter_map(one).collect::<Vec<_>>().join(" ")
}

fn refused_in(played: &Played) -> Option<Rpc> {
    match &played.end {
        End::Refused { rpc, .. } => Some(*rpc),
        End::Done => None,
        other => panic!("{other:?}"),
    }
}

#[test]
fn a_refused_update_is_tried_again_then_replaced_and_changed_back() {
    let stage = Stage::with(&["apply/refuses-updates"]);
    let [one, other] = ["one", "other"].map(|absent| config(&stage, &[("name", "web"), ("absent", absent)]));
    let played = play(&stage, vec![apply(one), apply(other)]);
    assert_eq!(refused_in(&played), Some(Rpc::ApplyResourceChange));
    assert_eq!(applies(&played), "create update! update! delete create update! delete");
    assert!(played.state.is_empty() && !played.leaves_something);
}

#[test]
fn the_configuration_after_a_refused_create_is_played() {
    let stage = Stage::with(&["apply/refuses-to-create"]);
    let with_option = config(&stage, &[("name", "web"), ("absent", "option")]);
    let played = play(&stage, vec![apply(with_option), apply(config(&stage, &[("name", "web")]))]);
    assert_eq!(refused_in(&played), Some(Rpc::ApplyResourceChange));
    assert_eq!(applies(&played), "create! create! create delete");
}

/// As an engine would: the object is tainted, so that the next plan is that of a new one.
#[test]
fn what_a_failed_create_left_behind_is_replaced_and_nothing_else_is_asked_of_it() {
    let stage = Stage::with(&["apply/refuses-to-create"]);
    let create = apply(config(&stage, &[("name", "web"), ("absent", "option")]));
    let again = EngineRun { changes_nothing: true, ..create.clone() };
    let played = play(&stage, vec![create, again]);
    let exchanges = &played.transcript.exchanges;
    assert!(exchanges.iter().any(|exchange| exchange.prior == PriorOrigin::Failed), "it is read");
    let expects_nothing = |exchange: &&Exchange| matches!(exchange.purpose, Purpose::NothingChanged { .. });
    assert_eq!(exchanges.iter().filter(expects_nothing).count(), 0);
    assert!(applies(&played).starts_with("create! create!"), "{}", applies(&played));
}

#[test]
fn a_destroy_that_is_refused_is_asked_for_again_and_ends_nothing() {
    let stage = Stage::with(&["apply/refuses-to-destroy"]);
    let played = play(&stage, vec![apply(config(&stage, &[("name", "web")]))]);
    assert_eq!(played.end, End::Done);
    // Nothing is left behind that can be deleted without a plan.
    assert_eq!(applies(&played), "create delete");
    assert!(played.state.is_empty());
    let destroys = |exchange: &&Exchange| {
        matches!(&exchange.call, AnyCall::PlanResourceChange(call)
            if call.request.proposed_new_state.value().is_some_and(Value::is_null))
    };
    let processes: Vec<u32> =
        played.transcript.exchanges.iter().filter(destroys).map(|exchange| exchange.process).collect();
    assert!(processes.len() == 2 && processes[0] != processes[1], "{processes:?}");
}

#[test]
fn an_error_of_a_probe_ends_nothing() {
    for fault in ["read/fails-when-gone", "apply/refuses-to-delete-twice"] {
        let stage = Stage::with(&[fault]);
        let played = play(&stage, vec![apply(config(&stage, &[("name", "web")]))]);
        assert_eq!(played.end, End::Done, "{fault}");
        let gone = |exchange: &&Exchange| exchange.purpose == Purpose::Gone;
        let rpcs: Vec<&str> = played
            .transcript
            .exchanges
            .iter()
            .filter(gone)
            .map(|exchange| exchange.call.rpc_name())
            .collect();
        assert_eq!(rpcs, ["ReadResource", "ApplyResourceChange"], "{fault}");
    }
}

#[test]
fn what_is_refused_with_unknown_values_is_played_with_known_ones() {
    for (fault, rpc) in [
        ("plan/refuses-unknowns", Rpc::PlanResourceChange),
        ("validate/refuses-unknowns", Rpc::ValidateResourceConfig),
    ] {
        let stage = Stage::with(&[fault]);
        let config = config(&stage, &[("name", "web"), ("absent", "one")]);
        let played = play(&stage, vec![apply_unknown(config, "absent")]);
        assert_eq!(refused_in(&played), Some(rpc), "{fault}");
        assert_eq!(applies(&played), "create delete", "{fault}");
    }
}

#[test]
fn a_data_source_that_is_refused_with_unknown_values_is_read_with_known_ones() {
    let stage = Stage::with(&["validate/refuses-unknowns"]);
    let address = ResourceAddress::new(Kind::DataSource, "reference_lookup", "a");
    let schema = stage.schema.get(Kind::DataSource, "reference_lookup").expect("the type is declared");
    let known = schema.empty_value().with_attribute("query", Value::string("all"));
    let unknown = known.with_attribute("query", Value::unknown(Type::String));
    let block = Block::new(address, Arguments::with_upstream(unknown, known));
    let played = play(&stage, vec![EngineRun::new(Operation::Apply, vec![block])]);
    assert_eq!(refused_in(&played), Some(Rpc::ValidateDataResourceConfig));
    assert!(played.reached.read);
}

#[test]
fn an_update_that_unknown_values_turn_into_a_replacement_is_played_both_ways() {
    let stage = Stage::new();
    let [one, other] = ["one", "other"]
        .map(|absent| config(&stage, &[("name", "web"), ("kind", "small"), ("absent", absent)]));
    let played = play(&stage, vec![apply(one), apply_unknown(other, "kind")]);
    assert_eq!(played.end, End::Done);
    assert_eq!(applies(&played), "create update delete create delete");
}

#[test]
fn after_a_plan_that_an_engine_rejects_the_next_run_is_played_unless_all_are_rejected() {
    // How many creates were planned, of so many runs.
    let planned = |faults: &[&str], names: &[&str]| {
        let stage = Stage::with(faults);
        let runs = names.iter().map(|name| apply(config(&stage, &[("name", name)])));
        let played = play(&stage, runs.collect());
        let is_plan = |exchange: &&Exchange| {
            exchange.call.rpc_name() == "PlanResourceChange" && exchange.purpose == Purpose::Ordinary
        };
        (played.transcript.exchanges.iter().filter(is_plan).count(), played.end)
    };
    let rejected = ["plan/rewrites-configured-values"];
    let (n_planned, end) = planned(&rejected, &["a", "b"]);
    assert!(n_planned == 2 && matches!(end, End::Stopped { .. }), "{n_planned}, {end:?}");
    assert_eq!(planned(&rejected, &["name"; 9]).0, 6, "it does not go on for ever");
}

#[test]
fn after_an_object_that_is_gone_the_next_run_creates_another_unless_all_are_gone() {
    let created = |names: &[&str]| {
        let stage = Stage::with(&["read/loses-the-object"]);
        let runs = names.iter().map(|name| apply(config(&stage, &[("name", name)])));
        let played = play(&stage, runs.collect());
        assert!(matches!(played.end, End::Stopped { rpc: Some(Rpc::ReadResource), .. }), "{:?}", played.end);
        applies(&played)
    };
    assert_eq!(created(&["a"]), "create");
    assert_eq!(created(&["a", "b"]), "create create");
    assert_eq!(created(&["name"; 9]), ["create"; 6].join(" "), "it does not go on for ever");
}
