//! `why`: what was tried of a type, what the provider answered, and what would help.

use std::collections::BTreeSet;
use std::fmt::Write as _;
use std::io::IsTerminal as _;

use super::args::Why;
use super::check::suite_of;
use super::{Outcome, print};
use crate::generate::model::{Form, Presence, SchemaModel};
use crate::learn::{Answer, Stop};
use crate::report::Exit;
use crate::report::foreign::shown;
use crate::report::progress;
use crate::reproduction::{self, Launch, Setup};
use crate::run::{Asked, Question};
use crate::scenario::Operation;
use crate::schema::Kind;
use crate::session::{self, Part, signals};
use crate::transcript::Diagnostic;
use crate::value::Value;

/// The longest answer that is shown on one line, in characters.
const LONGEST: usize = 160;

/// How many arguments are proposed, and how many words about each.
const PROPOSED: usize = 5;
const WORDS: usize = 3;

pub(super) fn why(why: &Why) -> Outcome {
    let mut tested = why.tested.clone();
    tested.overrides.resource = vec![why.type_name.clone()];
    let (suite, ..) = suite_of(&tested)?;
    let part = Part { is_reduced: true, ..Part::default() };
    signals::watch(&part.interruption);
    let progress = progress::for_stderr(false, std::io::stderr().is_terminal());
    let asked = session::why(&suite, &part, progress.as_ref())?;
    let texts: Vec<String> = asked.iter().map(text).collect();
    print(&shown(&texts.join("\n")))?;
    Ok(if asked.iter().all(is_done) { Exit::Conforms } else { Exit::TooLittle })
}

/// Whether a configuration went as far as it may.
fn is_done(asked: &Asked) -> bool {
    let furthest = match (asked.kind, asked.applies) {
        (_, true) => Operation::Apply,
        (Kind::Resource, false) => Operation::Plan,
        (_, false) => Operation::Validate,
    };
    asked.reached == Some(furthest)
}

fn text(asked: &Asked) -> String {
    let name = asked.kind.qualified(&asked.type_name);
    let mut text = String::new();
    let n = asked.questions.len();
    let tried = if n == 1 {
        "1 configuration was tried".to_owned()
    } else {
        format!("{n} configurations were tried")
    };
    let how_far = match (asked.reached, is_done(asked)) {
        (Some(reached), true) => format!("one was {}", done(reached)),
        (Some(reached), false) => format!("one was {}, and none got further", done(reached)),
        (None, _) => "none was accepted".to_owned(),
    };
    let _ = writeln!(text, "{name}: {tried}; {how_far}");
    for note in &asked.notes {
        let _ = writeln!(text, "  {note}");
    }
    let _ = writeln!(text, "\nwhat was tried");
    let numbered: Vec<(usize, &Question)> = (1..).zip(&asked.questions).collect();
    for alike in numbered.chunk_by(|(_, one), (_, other)| row(one, asked) == row(other, asked)) {
        let [(first, question), ..] = alike else { continue };
        let number = match alike.len() {
            1 => first.to_string(),
            n => format!("{first}-{}", first + n - 1),
        };
        let (asks, answer) = row(question, asked);
        let _ = writeln!(text, "{number:>8}  {asks}");
        if let Some(answer) = answer {
            let _ = writeln!(text, "{:30}{answer}", "");
        }
    }
    let last = match is_done(asked) {
        true => asked
            .questions
            .iter()
            .rfind(|question| question.answer == Answer::Accepted && is_last(question, asked)),
        false => asked.questions.iter().rfind(|question| question.answer != Answer::Accepted),
    };
    if let Some(question) = last {
        let what =
            if is_done(asked) { "the last one that was accepted" } else { "the last one that was refused" };
        let _ = writeln!(text, "\n{what}\n\n{}", indented(&written(question, asked)));
    }
    if let Some(stop) = asked.stop.as_ref().filter(|_| !is_done(asked)) {
        let _ = writeln!(text, "\nwhat stopped it\n  {}", told(&stop.to_string(), asked));
        let _ = writeln!(text, "\nwhat would help\n{}", indented(&help(stop, last, asked)));
    }
    text
}

/// How far a question goes, what became of it and what it sets; and the answer.
fn row(question: &Question, asked: &Asked) -> (String, Option<String>) {
    let asks = format!("{:<9} {:<9} {}", step(question), verdict(&question.answer), sets(question));
    (asks, answer(&question.answer, asked))
}

fn is_last(question: &Question, asked: &Asked) -> bool {
    operation(question).is_some_and(|operation| Some(operation) >= asked.reached)
}

fn operation(question: &Question) -> Option<Operation> {
    question.scenario.runs.last().map(|run| run.options.operation)
}

fn done(operation: Operation) -> &'static str {
    match operation {
        Operation::Validate | Operation::Upgrade => "validated",
        Operation::Plan | Operation::Synthesise => "planned",
        Operation::Apply => "applied",
    }
}

/// How far a question goes.
fn step(question: &Question) -> &'static str {
    match operation(question) {
        Some(Operation::Plan | Operation::Synthesise) => "plan",
        Some(Operation::Apply) => "apply",
        _ => "validate",
    }
}

fn verdict(answer: &Answer) -> &'static str {
    match answer {
        Answer::Accepted => "accepted",
        Answer::Refused { .. } | Answer::OtherRefused => "refused",
        Answer::TooSlow => "too slow",
        Answer::Broken(_) => "broken",
    }
}

fn answer(answer: &Answer, asked: &Asked) -> Option<String> {
    match answer {
        Answer::Accepted | Answer::TooSlow => None,
        Answer::OtherRefused => Some("the provider refuses another object that it refers to".to_owned()),
        Answer::Broken(why) => Some(told(why, asked)),
        Answer::Refused { at, diagnostics } => {
            let words: Vec<String> = diagnostics.iter().map(Diagnostic::line).collect();
            Some(format!("not {}: {}", done(*at), told(&words.join("; "), asked)))
        }
    }
}

/// The arguments and blocks of the root that a question sets.
fn sets(question: &Question) -> String {
    let Some(block) = question.scenario.blocks().next() else { return String::new() };
    let config = block.arguments.unresolved();
    let is_set = |value: &Value| !value.is_null() && value.elements().is_none_or(|all| !all.is_empty());
    let named = |(name, value): (&str, &Value)| match value.is_unknown() {
        true => format!("{name} (unknown)"),
        false => name.to_owned(),
    };
    let mut names: BTreeSet<String> =
        config.attributes().filter(|(_, value)| is_set(value)).map(named).collect();
    names.extend(block.arguments.references().iter().map(|reference| reference.at.schema_path().to_string()));
    short(&names.into_iter().collect::<Vec<_>>().join(", "))
}

fn written(question: &Question, asked: &Asked) -> String {
    let subject = &asked.subject;
    let setup = Setup {
        name: &subject.name,
        launch: Launch::default(),
        schema: &subject.schema,
        config: None,
        applied: true,
    };
    let Some(run) = question.scenario.runs.last() else { return String::new() };
    reproduction::blocks(run, &setup).unwrap_or_else(|why| why.to_string()).trim().to_owned()
}

/// What a user can say or do.
fn help(stop: &Stop, last: Option<&Question>, asked: &Asked) -> String {
    let name = asked.kind.qualified(&asked.type_name);
    match stop {
        Stop::Outside(_) => "the provider needs something outside of it: start it with `remote.start` in a suite, let the \
            provider reach the services of this machine with `--network --apply`, or configure the provider with \
            `--config FILE`".to_owned(),
        Stop::TooSlow => format!("a longer `--timeout`, or leave it out of a suite:\n\n[{}]\nskip = \"it takes too long\"", key(asked)),
        Stop::Broken(_) => format!("this is a finding: `tfconform check … --resource '{name}'` shows it"),
        Stop::OurDefect(_) => "this is a defect of tfconform: please report it".to_owned(),
        Stop::Stuck { .. } | Stop::Contradictory | Stop::Budget { .. } | Stop::Cycle { .. } => hint(stop, last, asked),
    }
}

/// The table of a suite for the type.
fn key(asked: &Asked) -> String {
    let kind = if asked.kind == Kind::DataSource { "data" } else { "resource" };
    format!("{kind}.{}", asked.type_name)
}

/// Values of the arguments that the last complaint is about, to be filled in.
fn hint(stop: &Stop, last: Option<&Question>, asked: &Asked) -> String {
    let mut text =
        "say in a suite what the provider accepts, and try again with `--suite FILE`:\n\n".to_owned();
    let _ = writeln!(text, "[{}.attr]", key(asked));
    for path in complained_of(stop, last, asked) {
        let known = asked.known.iter().filter(|(of, ..)| *of == path);
        for (_, via, words) in known.take(WORDS) {
            let _ = writeln!(text, "# {via}: {}", told(words, asked));
        }
        let _ = writeln!(text, "\"{path}\" = {{ values = [\"…\"] }}");
    }
    text
}

/// The texts of the root that a question sets and its answer quotes.
fn quoted(question: &Question) -> Vec<String> {
    let (Answer::Refused { diagnostics, .. }, Some(block)) =
        (&question.answer, question.scenario.blocks().next())
    else {
        return Vec::new();
    };
    let said: String = diagnostics
        .iter()
        .map(|diagnostic| format!("{} {}", diagnostic.summary, diagnostic.detail))
        .collect();
    let is_quoted = |value: &Value| {
        value.as_str().is_some_and(|text| {
            let around = |quote: char| said.contains(&format!("{quote}{text}{quote}"));
            !text.is_empty() && ['"', '\'', '`'].into_iter().any(around)
        })
    };
    let config = block.arguments.resolved();
    config.attributes().filter(|(_, value)| is_quoted(value)).map(|(name, _)| name.to_owned()).collect()
}

/// The arguments whose values a complaint quotes, or those that it names, or else those that were set.
fn complained_of(stop: &Stop, last: Option<&Question>, asked: &Asked) -> Vec<String> {
    if let Stop::Stuck { path: Some(path), .. } = stop {
        return vec![path.clone()];
    }
    let quoted = last.map(quoted).unwrap_or_default();
    if !quoted.is_empty() {
        return quoted;
    }
    let Some(schema) = asked.subject.schema.get(asked.kind, &asked.type_name) else { return Vec::new() };
    let model = SchemaModel::new(schema);
    let can_be_set = model
        .ids()
        .map(|id| model.node(id))
        .filter(|node| node.presence != Presence::Never && matches!(node.form, Form::Leaf));
    let all: Vec<(String, String)> =
        can_be_set.map(|node| (node.path.clone(), node.name.to_string())).collect();
    let complaint = stop.to_string();
    let words: BTreeSet<&str> = complaint.split(|c: char| !c.is_alphanumeric() && c != '_').collect();
    let named: Vec<String> =
        all.iter().filter(|(_, name)| words.contains(name.as_str())).map(|(path, _)| path.clone()).collect();
    let of_last = || {
        let sets = last.map(sets).unwrap_or_default();
        let set: BTreeSet<&str> = sets.split(", ").collect();
        all.iter().filter(|(path, _)| set.contains(path.as_str())).map(|(path, _)| path.clone()).collect()
    };
    let mut found: Vec<String> = if named.is_empty() { of_last() } else { named };
    found.truncate(PROPOSED);
    found
}

fn indented(text: &str) -> String {
    let lines = text.trim_end().lines();
    lines
        .map(|line| if line.is_empty() { String::new() } else { format!("  {line}") })
        .collect::<Vec<_>>()
        .join("\n")
}

/// Somebody's words, without secrets, on one line.
fn told(text: &str, asked: &Asked) -> String {
    short(&asked.masker.shown(text))
}

/// Words on one line.
fn short(text: &str) -> String {
    let text = text.split_whitespace().collect::<Vec<_>>().join(" ");
    match text.char_indices().nth(LONGEST) {
        Some((end, _)) => format!("{}…", &text[..end]),
        None => text,
    }
}
