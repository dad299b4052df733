//! The trials: each plays sequences in both ways, and compares.

mod asked;
mod behaviours;
mod clouds;
mod compare;
mod dice;
mod graphs;
mod objects;
mod order;
mod ours;
mod real;
mod reasons;
mod tally;
mod verdicts;
mod walks;
mod world;

use std::fmt::Write as _;
use std::sync::{Arc, Mutex, PoisonError};

use libtest_mimic::{Failed, Trial};
use tempfile::TempDir;
use tfconform::engine::Engine;
use tfconform::reference::Offered;
use tfconform::reference::serve::{Behaviour, store_below};
use tfconform::scenario::Scenario;
use tfconform::schema::ProviderSchema;

use compare::Figures;
use order::Order;
use real::Real;
use reasons::REASONS;
use walks::WalkKind;

pub use tally::{Compared, report as report_verdicts};

/// The engines, as their programs name themselves.
const ENGINES: [(&str, Engine); 4] = [
    ("terraform 1.11.4", Engine::Terraform111),
    ("terraform 1.15.9", Engine::Terraform115),
    ("terraform 1.16.0-rc2", Engine::Terraform),
    ("tofu 1.12.6", Engine::OpenTofu112),
];

/// Behaviours that are played by default.
const FEW: [&str; 2] = ["ignore/drift", "instances/moved"];

/// What the title of a sequence ends with whose blocks are in a module.
const IN_A_MODULE: &str = "-in-a-module";

/// Objects of each type that an engine plays at once.
const OBJECTS: usize = 6;

/// Worlds that it does.
const WORLDS: usize = 6;

/// Clouds that it does.
const CLOUDS: usize = 4;

/// How many differences of one kind a trial shows.
const SHOWN: usize = 2;

/// What all trials of an engine found, by its name and version.
pub type Found = Arc<Mutex<std::collections::BTreeMap<&'static str, Figures>>>;

pub fn trials(found: &Found, verdicts: &Compared) -> Vec<Trial> {
    let everything = std::env::var_os("TFCONFORM_ORACLE").is_some_and(|which| which == "all");
    let seeds = std::env::var("TFCONFORM_SEEDS").ok().and_then(|seeds| seeds.parse().ok()).unwrap_or(1);
    let mut trials = vec![Trial::test("verdicts/lists", verdicts::lists_are_current)];
    for (name, engine) in ENGINES {
        let real = crate::engines::find(name).map(|program| Real { program, engine, in_module: false });
        let features = Arc::new(Offered::Features.provider(6, &Offered::Features.definitions(6)));
        trials.extend(verdicts::trials(name, &real, &features, verdicts, everything));
        for protocol in [6, 5] {
            let [features, world] = [Offered::Features, Offered::World]
                .map(|types| (types, Arc::new(types.provider(protocol, &types.definitions(protocol)))));
            let sequences = (1..=seeds).flat_map(|seed| sequences(&features.1, &world.1, seed));
            for (title, n, scenario) in sequences {
                let in_module = title.ends_with(IN_A_MODULE);
                let of_world = title.starts_with("clouds");
                let (types, schema) = if of_world { world.clone() } else { features.clone() };
                let is_played = protocol == 6 && (!title.contains('/') || FEW.contains(&&*title));
                let why = match (&real, behaviours::impossible(&scenario, engine, in_module)) {
                    (Err(why), _) => Some(why.clone()),
                    (_, Some(why)) => Some(why.to_owned()),
                    (Ok(_), None) if !is_played && !everything => {
                        Some("TFCONFORM_ORACLE=all plays it".to_owned())
                    }
                    (Ok(_), None) => None,
                };
                let (real, found) = (real.clone(), Arc::clone(found));
                let title = format!("{}/protocol-{protocol}/{title}", name.replace(' ', "-"));
                let trial = Trial::test(title, move || {
                    let real = Real { in_module, ..real? };
                    let figures = compared(&real, &scenario, protocol, (types, &schema))?;
                    judged(Figures { n_sequences: n, ..figures }, name, &found)
                });
                trials.push(match why {
                    Some(why) => trial.with_kind(why).with_ignored_flag(true),
                    None => trial,
                });
            }
        }
    }
    trials
}

/// What is played with one seed: its title, how many sequences it stands for, and the scenario.
fn sequences(features: &ProviderSchema, world: &ProviderSchema, seed: u64) -> Vec<(String, usize, Scenario)> {
    let mut all = vec![
        (format!("objects-{seed}"), 1, objects::sequence(features, seed, OBJECTS)),
        (format!("graphs-{seed}"), WORLDS, graphs::sequence(features, seed, WORLDS, graphs::EVERYTHING)),
        (format!("targets-{seed}"), WORLDS, graphs::sequence(features, seed, WORLDS, graphs::TARGETS)),
        (format!("clouds-{seed}"), CLOUDS, clouds::sequence(world, seed, CLOUDS)),
    ];
    // Another seed has other values for the same behaviours.
    if seed == 1 {
        let behaviours = behaviours::all(features, seed);
        let imports = behaviours.iter().filter(|(name, _)| name.starts_with("import/"));
        all.extend(imports.map(|(name, scenario)| (format!("{name}{IN_A_MODULE}"), 1, scenario.clone())));
        all.extend(behaviours.into_iter().map(|(name, scenario)| (name, 1, scenario)));
    }
    all
}

/// Plays a sequence in both ways, each with a remote system of its own, and compares.
fn compared(
    real: &Real,
    scenario: &Scenario,
    protocol: u8,
    (types, schema): (Offered, &Arc<ProviderSchema>),
) -> Result<Figures, String> {
    let folders = [TempDir::with_prefix("oracle-"), TempDir::with_prefix("oracle-")];
    let [ours, theirs] = folders.map(|folder| folder.map_err(|error| error.to_string()));
    let (ours, theirs) = (ours?, theirs?);
    let behaviour = |folder: &TempDir| Behaviour {
        protocol,
        seed: 1,
        store: store_below(folder.path()),
        faults: Vec::new(),
        types,
        log: None,
    };
    let attempts = ours::play(scenario, &behaviour(&ours), real.engine, schema)?;
    let theirs = real::play(real, &attempts, &behaviour(&theirs), schema)?;
    assert_eq!(attempts.len(), theirs.len(), "the engine is to play what we play");
    let (mut figures, mut order) = (Figures::default(), Order::default());
    for (number, (attempt, theirs)) in (1..).zip(attempts.iter().zip(&theirs)) {
        compare::run(&mut figures, number, attempt, theirs);
        order.go_on(&attempt.run);
        for (who, walks) in [("we", &attempt.asked), ("the engine", theirs)] {
            let broken = order.broken(walks.of(WalkKind::Apply));
            figures.disordered.extend(broken.iter().map(|what| format!("run {number}, {who}: {what}")));
        }
        order.settle(theirs.of(WalkKind::Plan));
    }
    figures.n_objects = scenario.runs[0].blocks.len();
    Ok(figures)
}

fn judged(figures: Figures, engine: &'static str, found: &Found) -> Result<(), Failed> {
    let shown = |(sort, alike): (&String, &Vec<String>)| {
        let few: Vec<&str> = alike.iter().take(SHOWN).map(String::as_str).collect();
        format!("{} times {sort}, such as\n{}", alike.len(), few.join("\n"))
    };
    let disordered = figures.disordered.iter().take(SHOWN).cloned();
    let shown: Vec<String> = figures.unexplained.iter().map(shown).chain(disordered).collect();
    found.lock().unwrap_or_else(PoisonError::into_inner).entry(engine).or_default().add(figures);
    if shown.is_empty() { Ok(()) } else { Err(shown.join("\n").into()) }
}

/// What was compared, as a table for each engine.
pub fn report(found: &Found) -> String {
    let mut text = String::new();
    for (engine, figures) in found.lock().unwrap_or_else(PoisonError::into_inner).iter() {
        let Figures { n_sequences, n_objects, n_asked, n_same, .. } = figures;
        let _ = writeln!(
            text,
            "{engine}: {n_sequences} sequences with {n_objects} objects; {n_same} of {n_asked} calls are the \
             same; {} differ without a reason",
            figures.unexplained.values().map(Vec::len).sum::<usize>() + figures.disordered.len()
        );
        for reason in REASONS {
            let n = figures.explained.get(reason.name).copied().unwrap_or_default();
            let _ = writeln!(text, "  {n:>6}  {}: {}", reason.name, reason.why);
        }
    }
    text
}
