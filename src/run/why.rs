//! Asks about one type, and keeps every question, to show why a provider refuses it.

use std::sync::Arc;

use super::audience::{Audience, Leftovers};
use super::clock::{Clock, Part};
use super::launch::RunError;
use super::questions::{Question, Questions};
use super::stage::Stage;
use super::{RunOptions, judge, work};
use crate::learn::Stop;
use crate::lifecycle::Remote;
use crate::record::Masker;
use crate::report::events::{Consumer, Event, Expected};
use crate::scenario::Operation;
use crate::schema::Kind;
use crate::transcript::Subject;

/// What was asked about a type, and what came of it.
pub struct Asked {
    pub kind: Kind,
    pub type_name: String,
    pub subject: Arc<Subject>,
    /// Those about the type itself.
    pub questions: Vec<Question>,
    /// The furthest stage that a configuration reached.
    pub reached: Option<Operation>,
    pub stop: Option<Stop>,
    /// Whether objects may be created.
    pub applies: bool,
    /// What is known of an argument: its schema path, who said it, and in which words.
    pub known: Vec<(String, String, String)>,
    pub notes: Vec<String>,
    pub masker: Arc<Masker>,
}

/// Asks about each selected type as a run does before it plays scenarios.
///
/// Fails if the provider cannot be used, or the user interrupted.
pub async fn why(
    options: RunOptions,
    remote: Option<Arc<dyn Remote>>,
    consumer: &dyn Consumer,
) -> Result<Vec<Asked>, RunError> {
    let options = Arc::new(options);
    let mut started = options.started().await?;
    if let Some(unusable) = started.unusable.take() {
        started.pool.close().await;
        started.stock.close().await;
        return Err(unusable);
    }
    if let Some(why) = &started.refused {
        return Err(RunError::Make(why.clone()));
    }
    let (settings, masker) = (options.settings(), Arc::clone(&options.masker));
    let work = work(&options, &started.subject);
    if let Some(why) = super::why_no_work(&options, &started.subject) {
        return Err(RunError::Suite(why));
    }
    let started = Arc::new(started);
    let questions = Questions::default();
    let mut stage = Stage::new(&options, options.cases.among(work.len()), &started, remote);
    stage.questions = Some(questions.clone());
    let clock = Clock::new(std::time::Instant::now(), options.max_time);
    // Nothing comes after the search.
    stage.deadline = clock.deadline(Part::Shrink);
    let audience = Audience { settings: &settings, masker: &masker, consumer };
    let line = judge::run_line(&stage.subject, options.engine, &settings);
    consumer.consume(Event::RunStarted { run: &line, expected: Expected::default() });
    let lessons = stage.learn(&work, &started, &audience, &Leftovers::default()).await;
    consumer.consume(Event::PlayEnded);
    started.pool.close().await;
    started.stock.close().await;
    if options.interruption.is_set() {
        return Err(options.interrupted());
    }
    let mut all = questions.take();
    for question in &mut all {
        question.scenario = masker.scenario(&question.scenario, &stage.subject.schema).into_inner();
    }
    let asked = work.into_iter().map(|(kind, type_name)| {
        let is_own = |question: &&Question| question.kind == kind && question.type_name == type_name;
        let questions = all.iter().filter(is_own).cloned().collect();
        let learned = lessons.types.get(&(kind, type_name.clone()));
        let said = learned.into_iter().flat_map(|learned| &learned.facts.values).flat_map(|(path, known)| {
            let words = known.facts.iter().filter(|fact| !fact.evidence.seen.is_empty());
            words.map(|fact| (path.clone(), fact.evidence.via.clone(), fact.evidence.seen.clone()))
        });
        Asked {
            known: said.collect(),
            reached: learned.and_then(|learned| learned.reached),
            stop: learned.and_then(|learned| learned.stop.clone()),
            kind,
            type_name,
            subject: Arc::clone(&stage.subject),
            questions,
            applies: options.apply,
            notes: started.note.iter().cloned().chain(stage.examples.note_on_repository()).collect(),
            masker: Arc::clone(&masker),
        }
    });
    Ok(asked.collect())
}
