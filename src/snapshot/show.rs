//! What transcripts show of a type.

use std::collections::BTreeSet;

use super::common::{VOLATILE, common};
use super::hidden::Hidden;
use super::print::print;
use crate::core::{Circumstances, choose_action, requires_replace};
use crate::lifecycle::{End, Played};
use crate::schema::{Block, Schema};
use crate::transcript::{
    AnyCall, ApplyResourceChangeResponse, Diagnostic, Encoded, Exchange, PlanResourceChangeRequest,
    PlanResourceChangeResponse, Purpose, Subject, WirePath,
};
use crate::value::tree::Tree;
use crate::value::{AttributePath, Value};

/// One thing that was shown.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Fact {
    label: String,
    tree: Tree,
    /// What it is compared with: only differences are printed.
    than: Option<Than>,
}

/// The latest earlier fact with this label, and the name to print for it.
#[derive(Clone, Copy, Debug, PartialEq)]
struct Than {
    label: &'static str,
    called: &'static str,
}

impl Than {
    fn the(label: &'static str) -> Option<Than> {
        Some(Than { label, called: label })
    }
}

/// Things that were shown under one heading, in order.
#[derive(Clone, Debug, PartialEq)]
pub(super) struct Scene {
    heading: String,
    facts: Vec<Fact>,
}

const CONFIG: &str = "config";
const PLAN: &str = "plan";
const PLANNED: &str = "planned";
const CREATE: &str = "planned create";
const NEW: &str = "new state";
const READ: &str = "read state";
const IDENTITY: &str = "identity";
/// Comes before the call that an error is of.
pub(super) const ERROR: &str = "error of ";

impl Scene {
    pub fn new(heading: &str, facts: impl IntoIterator<Item = (String, Tree)>) -> Scene {
        let facts = facts.into_iter().map(|(label, tree)| Fact { label, tree, than: None });
        Scene { heading: heading.to_owned(), facts: facts.collect() }
    }

    /// What a scenario showed, with every call in order.
    pub fn of(played: &Played, hidden: &Hidden<'_>) -> Scene {
        let transcript = &played.transcript;
        let subject = &transcript.subject;
        let mut watcher = Watcher { subject, hidden, facts: Vec::new(), config: None, said: BTreeSet::new() };
        for exchange in &transcript.exchanges {
            watcher.watch(exchange);
        }
        match &played.end {
            End::Stopped { rpc: Some(rpc), why, .. } => {
                watcher.text(&format!("an engine stops after {rpc}"), why);
            }
            End::Stopped { rpc: None, why, .. } => watcher.text("an engine stops", why),
            End::Lost { why } => watcher.text("the provider could not be started again", why),
            // The provider's message is already there.
            End::Done | End::Refused { .. } => {}
        }
        Scene { heading: transcript.scenario.about.clone(), facts: watcher.facts }
    }

    /// What two showings of a scene have in common. If they diverge, the rest is volatile.
    pub fn common(&self, other: &Scene) -> Scene {
        let same = |(one, other): &(&Fact, &Fact)| one.label == other.label && one.than == other.than;
        let both = self.facts.iter().zip(&other.facts).take_while(same);
        let mut facts: Vec<Fact> =
            both.map(|(one, other)| Fact { tree: common(&one.tree, &other.tree), ..one.clone() }).collect();
        if facts.len() < self.facts.len().max(other.facts.len()) {
            facts.push(Fact { label: "from here on".to_owned(), tree: Tree::leaf(VOLATILE), than: None });
        }
        Scene { heading: self.heading.clone(), facts }
    }

    pub fn print(&self, out: &mut String) {
        out.push_str(&format!("# {}\n\n", self.heading));
        // Earlier steps only prepare the last one, unless it was not reached.
        let last = self.facts.iter().rposition(|fact| fact.label == CONFIG).unwrap_or(0);
        for (idx, fact) in self.facts.iter().enumerate() {
            if idx >= last || !fact.is_routine() {
                fact.print(&self.facts[..idx], out);
            }
        }
        if self.facts.is_empty() {
            out.push_str("nothing\n");
        }
    }
}

impl Fact {
    /// Whether every completed step has one.
    fn is_routine(&self) -> bool {
        [PLAN, PLANNED, CREATE, NEW, READ, IDENTITY].contains(&self.label.as_str())
    }

    fn print(&self, before: &[Fact], out: &mut String) {
        out.push_str(&format!("{}: ", self.label));
        let than = self.than.and_then(|than| {
            let fact = before.iter().rev().find(|fact| fact.label == than.label)?;
            Some((&fact.tree, than.called))
        });
        match (than, &self.tree) {
            // Another configuration that looks the same.
            (Some((than, called)), tree) if than == tree && self.label == CONFIG => {
                out.push_str(&format!("{called}, but for sensitive values"));
            }
            (Some((than, called)), tree) if than == tree => out.push_str(&format!("same as {called}")),
            (Some((Tree::Object(than), called)), Tree::Object(members)) => {
                let differing = members.iter().filter(|member| !than.contains(member)).cloned();
                out.push_str(&format!("{called}, but "));
                // Show what became null, which an object would leave out.
                print(&Tree::Map(differing.collect()), 0, out);
            }
            (_, tree) => print(tree, 0, out),
        }
        out.push('\n');
    }
}

/// Writes down what the calls of one scenario show.
struct Watcher<'w> {
    subject: &'w Subject,
    hidden: &'w Hidden<'w>,
    facts: Vec<Fact>,
    /// The one that was shown last.
    config: Option<Encoded>,
    /// Diagnostics about that configuration: a provider repeats them at every call.
    said: BTreeSet<(String, String)>,
}

impl Watcher<'_> {
    fn watch(&mut self, exchange: &Exchange) {
        let subject = self.subject;
        let schema = subject.schema_of(&exchange.call).map(|schema| &**schema);
        match &exchange.call {
            // What an engine writes follows from what was read.
            AnyCall::ValidateResourceConfig(_) if matches!(exchange.purpose, Purpose::Generated { .. }) => {}
            AnyCall::ValidateResourceConfig(call) => self.config(&call.request.config, schema),
            AnyCall::ValidateDataResourceConfig(call) => self.config(&call.request.config, schema),
            AnyCall::PlanResourceChange(call) => {
                if let (Ok(response), Some(schema)) = (&call.outcome, schema) {
                    self.plan(&exchange.purpose, &call.request, response, schema);
                }
            }
            AnyCall::ApplyResourceChange(call) => {
                if let (Ok(response), false) = (&call.outcome, is_null(&call.request.planned_state)) {
                    self.apply(response, schema);
                }
            }
            AnyCall::ReadResource(call) => {
                if let (Ok(response), Purpose::NothingChanged { .. }) = (&call.outcome, &exchange.purpose) {
                    self.value(READ, &response.new_state, schema, Than::the(NEW));
                }
            }
            AnyCall::ReadDataSource(call) => {
                if let (Ok(response), Purpose::Ordinary) = (&call.outcome, &exchange.purpose) {
                    self.value("state", &response.state, schema, Than::the(CONFIG));
                }
            }
            // The others show nothing that a user would see.
            _ => {}
        }
        self.diagnostics(exchange);
    }

    /// Every configuration is validated first, and again before it is used.
    fn config(&mut self, config: &Encoded, schema: Option<&Schema>) {
        if self.config.as_ref() == Some(config) {
            return;
        }
        let before = Than { label: CONFIG, called: "the one before" };
        let than = self.config.is_some().then_some(before);
        self.config = Some(config.clone());
        self.said.clear();
        self.value(CONFIG, config, schema, than);
    }

    fn plan(
        &mut self,
        purpose: &Purpose,
        request: &PlanResourceChangeRequest,
        response: &PlanResourceChangeResponse,
        schema: &Schema,
    ) {
        match purpose {
            Purpose::Ordinary if !is_null(&request.config) => {
                if let Some(action) = self.action(request, response, &schema.block) {
                    self.fact(PLAN, Tree::Leaf(action), None);
                }
                let than = match is_null(&request.prior_state) {
                    true => Than { label: CONFIG, called: CONFIG },
                    false => Than { label: NEW, called: "prior state" },
                };
                self.value(PLANNED, &response.planned_state, Some(schema), Some(than));
            }
            Purpose::ReplaceCreate { .. } => {
                self.value(CREATE, &response.planned_state, Some(schema), Than::the(CONFIG));
            }
            // Destroy plans show nothing, and other plans repeat one that was shown.
            Purpose::Ordinary
            | Purpose::Repeat { .. }
            | Purpose::FinalPlan { .. }
            | Purpose::NothingChanged { .. }
            | Purpose::RoundTrip { .. }
            | Purpose::AfterDrift(_)
            | Purpose::Imported { .. }
            | Purpose::Generated { .. }
            | Purpose::Moved { .. }
            | Purpose::Gone
            | Purpose::UpgradeOf(_) => {}
        }
    }

    /// What an engine would do, and the paths that force replacement.
    fn action(
        &self,
        request: &PlanResourceChangeRequest,
        response: &PlanResourceChangeResponse,
        block: &Block,
    ) -> Option<String> {
        let engine = self.subject.engine;
        let (prior, planned) = (request.prior_state.value()?, response.planned_state.value()?);
        let paths: Vec<AttributePath> = response.requires_replace.iter().map(|path| path.to_path()).collect();
        let kept = requires_replace(block, prior, planned, &paths, engine).kept;
        let action = choose_action(block, prior, planned, &kept, Circumstances::default(), engine);
        let mut kept: Vec<String> = kept.iter().map(|path| self.hidden.text(&path.to_string())).collect();
        kept.sort();
        let because =
            if kept.is_empty() { String::new() } else { format!(", because of {}", kept.join(", ")) };
        Some(format!("{action}{because}"))
    }

    fn apply(&mut self, response: &ApplyResourceChangeResponse, schema: Option<&Schema>) {
        let plans = |fact: &&Fact| fact.label == PLANNED || fact.label == CREATE;
        let is_replacement = self.facts.iter().rfind(plans).is_some_and(|fact| fact.label == CREATE);
        self.value(
            NEW,
            &response.new_state,
            schema,
            Than::the(if is_replacement { CREATE } else { PLANNED }),
        );
        if let Some(identity) = &response.new_identity {
            self.value(IDENTITY, identity, None, Than::the(IDENTITY));
        }
    }

    /// Warnings and errors, once for each configuration; and failures instead of an answer.
    fn diagnostics(&mut self, exchange: &Exchange) {
        let rpc = exchange.call.rpc_name();
        let told = |diagnostic: &Diagnostic| {
            let summary = self.hidden.said(exchange, self.subject, &diagnostic.summary);
            let text = one_line(&summary, diagnostic.attribute.as_ref(), self.hidden);
            // An error ends the scenario, and then the call matters.
            let label = if diagnostic.is_error() { format!("{ERROR}{rpc}") } else { severity(diagnostic) };
            (label, text)
        };
        // Their order has no meaning, and the SDKs leave it to chance.
        let told: BTreeSet<(String, String)> = exchange.call.diagnostics().into_iter().map(told).collect();
        for (label, text) in told {
            if self.said.insert((label.clone(), text.clone())) {
                self.fact(&label, Tree::Leaf(text), None);
            }
        }
        if let Some(failure) = exchange.call.failure() {
            self.text(&format!("no answer to {rpc}"), &failure.to_string());
        }
    }

    /// The first line of a text.
    fn text(&mut self, label: &str, text: &str) {
        // Masked first: part of a secret of several lines could not be found any more.
        let shown = self.hidden.text(text);
        self.fact(label, Tree::leaf(shown.lines().next().unwrap_or_default()), None);
    }

    fn value(&mut self, label: &str, value: &Encoded, schema: Option<&Schema>, than: Option<Than>) {
        let tree = match value.value() {
            Some(value) => self.hidden.value(value, schema.map(|schema| &schema.block)),
            None => Tree::leaf("(does not decode)"),
        };
        self.fact(label, tree, than);
    }

    fn fact(&mut self, label: &str, tree: Tree, than: Option<Than>) {
        self.facts.push(Fact { label: label.to_owned(), tree, than });
    }
}

fn is_null(value: &Encoded) -> bool {
    value.value().is_some_and(Value::is_null)
}

fn severity(diagnostic: &Diagnostic) -> String {
    match diagnostic.severity {
        Diagnostic::WARNING => "warning".to_owned(),
        other => format!("message of severity {other}"),
    }
}

/// The summary, and the place it is about.
fn one_line(summary: &str, attribute: Option<&WirePath>, hidden: &Hidden<'_>) -> String {
    let summary = summary.split_whitespace().collect::<Vec<_>>().join(" ");
    match attribute {
        Some(path) if !path.0.is_empty() => {
            format!("{summary} ({})", hidden.text(&path.to_path().to_string()))
        }
        _ => summary,
    }
}
