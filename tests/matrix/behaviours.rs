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
use tfconform::scenario::Scenario;
use tfconform::schema::{Kind, ProviderSchema};
use tfconform::transcript::Subject;

const TYPE: &str = "reference_plain";
const PROTOCOL: u8 = 6;

/// Fails unless the fault is found in its behaviours, and in nothing else but random walks.
pub fn is_found_there_alone(one: &BehaviourFault) -> Result<(), Failed> {
    let rule = CATALOGUE.iter().find(|rule| rule.id == one.breaks).ok_or("there is no such rule")?;
    let types = Offered::Features;
    let schema = Arc::new(types.provider(PROTOCOL, &types.definitions(PROTOCOL)));
    let of_type = schema.get(Kind::Resource, TYPE).ok_or("there is no such type")?;
    let options =
        generate::Options { seed: 1, cases: Cases::Auto, apply: true, ..generate::Options::default() };
    let mut found = BTreeSet::new();
    for scenario in generate::scenarios(of_type, Kind::Resource, TYPE, &options) {
        // No process can be killed here.
        if !scenario.has_mishap() && finds(rule, one.fault.name, &scenario, &schema)? {
            found.insert(scenario.label.kind.clone());
        }
    }
    let expected: BTreeSet<String> = one.behaviours.iter().map(|name| (*name).to_owned()).collect();
    found.retain(|kind| kind != "walk/random");
    match found == expected {
        true => Ok(()),
        false => Err(format!("it is found in {found:?}, not in {expected:?}").into()),
    }
}

/// Whether a scenario finds a fault, by the rule that it breaks.
fn finds(
    rule: &'static Rule,
    fault: &str,
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
        engine: Engine::default(),
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
    let settings = Settings { engine: Engine::default(), ..Settings::default() };
    Ok(!judge::judge(&[rule], &played.transcript, &settings).findings.is_empty())
}
