//! Where the faults are found that only some planning behaviours show: each scenario of a type is played alone,
//! in processes that have seen nothing else.

use std::collections::BTreeSet;
use std::sync::Arc;

use libtest_mimic::Failed;
use tfconform::engine::Engine;
use tfconform::generate::{self, Cases};
use tfconform::judge::{self, Settings};
use tfconform::lifecycle::{self, Options};
use tfconform::provider::client::Client;
use tfconform::provider::pool::{Member, NoProcess, Pool};
use tfconform::reference::Offered;
use tfconform::reference::serve::{Behaviour, DriftInjector, in_memory, store_below};
use tfconform::rule::Rule;
use tfconform::rules::CATALOGUE;
use tfconform::rules::behaviours::BehaviourFault;
use tfconform::rules::planned_private::PrivateFault;
use tfconform::scenario::Scenario;
use tfconform::schema::{Kind, ProviderSchema};
use tfconform::transcript::Subject;

const TYPE: &str = "reference_plain";
/// One with a text that the provider may choose.
const CHOOSING_TYPE: &str = "reference_versioned";
const PROTOCOL: u8 = 6;

/// Fails unless the fault is found in its behaviours, and in nothing else but random walks.
pub fn is_found_there_alone(one: &BehaviourFault) -> Result<(), Failed> {
    let rule = CATALOGUE.iter().find(|rule| rule.id == one.breaks).ok_or("there is no such rule")?;
    let mut found = found_in(TYPE, &[rule], one.fault.name, Engine::default())?;
    let expected: BTreeSet<String> = one.behaviours.iter().map(|name| (*name).to_owned()).collect();
    found.retain(|kind| kind != "walk/random");
    match found == expected {
        true => Ok(()),
        false => Err(format!("it is found in {found:?}, not in {expected:?}").into()),
    }
}

/// Fails unless the fault is found as the engine that hands planned private data on and as no other, and the control
/// breaks no rule.
pub fn is_found_by_planned_private(one: &PrivateFault) -> Result<(), Failed> {
    let rule = CATALOGUE.iter().find(|rule| rule.id == one.breaks).ok_or("there is no such rule")?;
    if found_in(CHOOSING_TYPE, &[rule], one.fault.name, Engine::Terraform)?.is_empty() {
        return Err("it is not found".into());
    }
    for (fault, engine) in [(&one.fault, Engine::OpenTofu), (&one.control, Engine::Terraform)] {
        let found = found_in(CHOOSING_TYPE, CATALOGUE, fault.name, engine)?;
        if !found.is_empty() {
            return Err(format!("{} breaks a rule as {engine}, in {found:?}", fault.name).into());
        }
    }
    Ok(())
}

/// The kinds of scenarios in which a fault breaks one of these rules.
fn found_in(
    type_name: &str,
    rules: &[&'static Rule],
    fault: &str,
    engine: Engine,
) -> Result<BTreeSet<String>, Failed> {
    let types = Offered::Features;
    let schema = Arc::new(types.provider(PROTOCOL, &types.definitions(PROTOCOL)));
    let of_type = schema.get(Kind::Resource, type_name).ok_or("there is no such type")?;
    let options =
        generate::Options { seed: 1, cases: Cases::Auto, apply: true, ..generate::Options::default() };
    let mut found = BTreeSet::new();
    for scenario in generate::scenarios(of_type, Kind::Resource, type_name, &options) {
        // No process can be killed here.
        if !scenario.has_mishap() && finds(rules, fault, engine, &scenario, &schema)? {
            found.insert(scenario.label.kind.clone());
        }
    }
    Ok(found)
}

/// Whether a fault breaks one of these rules in a scenario.
fn finds(
    rules: &[&'static Rule],
    fault: &str,
    engine: Engine,
    scenario: &Scenario,
    schema: &Arc<ProviderSchema>,
) -> Result<bool, String> {
    let folder = tempfile::tempdir().map_err(|error| error.to_string())?;
    let behaviour = Behaviour {
        protocol: PROTOCOL,
        seed: 1,
        store: store_below(folder.path()),
        faults: vec![fault.to_owned()],
        types: Offered::Features,
        log: None,
    };
    let subject = Subject {
        name: "reference".to_owned(),
        protocol: PROTOCOL,
        engine,
        schema: Arc::clone(schema),
        config: None,
    };
    let injector = DriftInjector::of(&behaviour);
    let start = move |number| -> tfconform::provider::transport::BoxFuture<'static, Result<Member, String>> {
        let behaviour = behaviour.clone();
        Box::pin(async move {
            let client = Client::new(in_memory(&behaviour)?);
            Ok(Member { number, client, handle: Box::new(NoProcess) })
        })
    };
    let pool: Pool<String> = Pool::new(2, Box::new(start));
    let runtime = tokio::runtime::Builder::new_current_thread().enable_time().build();
    let runtime = runtime.map_err(|error| error.to_string())?;
    let (subject, options) = (Arc::new(subject), Options::new(true));
    let playing = lifecycle::play(scenario, &subject, &pool, Some(&injector), &options, 0);
    let played = runtime.block_on(playing);
    let settings = Settings { engine, ..Settings::default() };
    Ok(!judge::judge(rules, &played.transcript, &settings).findings.is_empty())
}
