//! The trials, one for each rule and engine.

mod defects;
mod document;
mod play;
mod promise;

use std::path::Path;
use std::sync::Mutex;

use document::Document;
use libtest_mimic::{Failed, Trial};
use tfconform::rule::Rule;
use tfconform::rules::CATALOGUE;

/// Tried by default: one for each kind of thing that an engine shows.
const FEW: [&str; 6] = [
    "plan/keeps-configured-values",
    "plan/final-plan-agrees",
    "plan/repeats-itself",
    "apply/keeps-planned-values",
    "wire/elements-share-one-type",
    "schema/types-can-be-read",
];

/// Held while the document is written.
static WRITING: Mutex<()> = Mutex::new(());

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        Trial::test("document", is_current),
        Trial::test("promises", keeps_its_promises),
        Trial::test("few", || {
            let missing: Vec<_> = FEW.iter().filter(|id| tfconform::rules::find(id).is_none()).collect();
            if missing.is_empty() { Ok(()) } else { Err(format!("no such rules: {missing:?}").into()) }
        }),
    ];
    let document = Document::read();
    for engine in &document.engines {
        let program = crate::engines::find(engine);
        for rule in CATALOGUE.iter().copied() {
            let name = format!("{}/{}", engine.replace(' ', "-"), rule.id);
            let why = match &program {
                Err(why) => Some(why.clone()),
                Ok(_) if !is_tried(rule) => Some("TFCONFORM_LEVELS=all tries it".to_owned()),
                Ok(_) => None,
            };
            let (engine, program) = (engine.clone(), program.clone());
            let trial = Trial::test(name, move || shows_what_is_written(rule, &engine, &program?));
            trials.push(match why {
                Some(why) => trial.with_kind(why).with_ignored_flag(true),
                None => trial,
            });
        }
    }
    trials.extend(defects::trials());
    trials
}

/// What reports say that engines show is what they showed.
fn keeps_its_promises() -> Result<(), Failed> {
    let document = Document::read();
    let cells = document.engines.iter().flat_map(|engine| CATALOGUE.iter().map(move |rule| (engine, *rule)));
    let broken = cells.filter_map(|(engine, rule)| {
        let cell = document.cell(rule.id, engine)?;
        promise::broken(rule, engine, &cell)
    });
    let broken: Vec<String> = broken.collect();
    if broken.is_empty() { Ok(()) } else { Err(broken.join("\n").into()) }
}

fn is_tried(rule: &Rule) -> bool {
    std::env::var_os("TFCONFORM_LEVELS").is_some_and(|which| which == "all") || FEW.contains(&rule.id)
}

fn shows_what_is_written(rule: &'static Rule, engine: &str, program: &Path) -> Result<(), Failed> {
    let seen = play::seen(rule, program)?;
    if document::updates() {
        let _writing = WRITING.lock();
        Document::read().with(rule.id, engine, &seen).write();
        return Ok(());
    }
    let written = Document::read().cell(rule.id, engine);
    if written.as_ref() == Some(&seen) {
        return Ok(());
    }
    Err(format!("{engine} shows {seen}, and docs/levels.md says {}", written.unwrap_or_default()).into())
}

/// The document has a row for each rule, with its level and what reports say.
fn is_current() -> Result<(), Failed> {
    if document::updates() {
        let _writing = WRITING.lock();
        Document::read().write();
        return Ok(());
    }
    let document = Document::read();
    if document.text() == document.kept() {
        return Ok(());
    }
    Err("docs/levels.md is stale: run the test again with UPDATE_GENERATED=1".into())
}
