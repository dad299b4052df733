//! A finding as shown to people, without secrets.

use std::sync::Arc;

use serde::{Deserialize, Serialize};

use super::masked::Masked;
use super::masker::{Masker, Secrets};
use super::trigger::Trigger;
use super::words::Words;
use crate::judge::WeighedFinding;
use crate::schema::Block;
use crate::transcript::{CrashReport, Declared, Exchange, Field, RpcFailure, Subject, Transcript};
use crate::value::tree::{Hide, SENSITIVE, Tree, TreePath};
use crate::value::{AttributePath, Value};

/// What a finding shows.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct Evidence {
    pub path: TreePath,
    pub message: String,
    /// What would have been right: where it comes from, and the value.
    pub allowed: Vec<(String, Tree)>,
    pub actual: Option<(String, Tree)>,
    /// What an engine shows, in words, where it is not what it shows of every breach of the rule.
    #[serde(default)]
    pub shows: Option<String>,
    /// What to do, if the values tell it: the sentence with places for names; see [`Fix`](crate::rule::Fix).
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub fix: Option<String>,
    /// The objects of the exchange, by role. Findings of one exchange share them.
    pub objects: Arc<[(String, Tree)]>,
    /// What the user wrote until then.
    #[serde(default)]
    pub trigger: Arc<Trigger>,
    /// The end of standard error, if the process ended.
    pub stderr: String,
}

/// The objects of one block without secrets: those of its sensitive attributes, and those elsewhere.
pub(super) struct Guarded<'s> {
    secrets: &'s Secrets<'s>,
    /// `None` if nothing in it is sensitive.
    block: Option<&'s Block>,
}

impl Hide for Guarded<'_> {
    fn in_place_of(&self, _: &Value, at: &AttributePath) -> Option<String> {
        let is_sensitive = self.block.is_some_and(|block| block.is_sensitive(at));
        is_sensitive.then(|| SENSITIVE.to_owned())
    }

    fn text(&self, text: &str) -> String {
        self.secrets.shown_inside(text)
    }
}

impl<'s> Guarded<'s> {
    pub(super) fn of(block: Option<&'s Block>, secrets: &'s Secrets<'s>) -> Guarded<'s> {
        Guarded { secrets, block: block.filter(|block| block.holds_secret()) }
    }
}

/// What all findings of an exchange show.
#[derive(Clone, Debug)]
pub(super) struct Scene {
    objects: Arc<[(String, Tree)]>,
    trigger: Arc<Trigger>,
}

impl Scene {
    pub(super) fn of(exchange: &Exchange, transcript: &Transcript, secrets: &Secrets<'_>) -> Scene {
        let subject = &transcript.subject;
        let Some(schema) = subject.schema_of(&exchange.call) else {
            return Scene { objects: Arc::default(), trigger: Arc::default() };
        };
        let guarded = Guarded::of(Some(&schema.block), secrets);
        Scene {
            objects: objects(exchange, subject, &guarded).into(),
            trigger: Arc::new(Trigger::of(exchange, transcript, &schema.block, &guarded)),
        }
    }
}

impl Masked<Evidence> {
    /// The same without what it shares with other findings of the exchange.
    #[must_use]
    pub fn without_objects(&self) -> Masked<Evidence> {
        let Evidence { path, message, allowed, actual, shows, fix, .. } = (**self).clone();
        Masked::new(Evidence { path, message, allowed, actual, shows, fix, ..Evidence::default() })
    }
}

impl Evidence {
    /// What a finding about an exchange shows.
    pub(super) fn of(
        weighed: &WeighedFinding,
        exchange: &Exchange,
        subject: &Subject,
        (secrets, words): (&Secrets<'_>, &Words),
        scene: &Scene,
    ) -> Masked<Evidence> {
        let finding = &weighed.finding;
        let block = subject.schema_of(&exchange.call).map(|schema| &schema.block);
        let guarded = Guarded::of(block, secrets);
        // In a whole object the places are hidden that are sensitive.
        let is_secret = finding.sensitive && !finding.path.is_root();
        let is_hidden = is_secret || block.is_some_and(|block| block.is_sensitive(&finding.path));
        let said = |role: &str, value: &Value| {
            let tree = match is_hidden {
                true => Tree::leaf(SENSITIVE),
                false => Tree::at(value, &finding.path, &guarded),
            };
            (role.to_owned(), tree)
        };
        Masked::new(Evidence {
            path: TreePath::of(&finding.path, &guarded),
            message: words.shown(&secrets.shown(&finding.message)),
            allowed: finding.allowed.iter().map(|(role, value)| said(role, value)).collect(),
            actual: finding.actual.as_ref().map(|(role, value)| said(role, value)),
            shows: finding.shows.as_ref().map(|shows| words.shown(&secrets.shown(shows))),
            fix: finding.fix.map(|fix| fix.0.to_owned()),
            objects: Arc::clone(&scene.objects),
            trigger: Arc::clone(&scene.trigger),
            stderr: secrets.shown_output(stderr(exchange)),
        })
    }

    /// What a process that ended left behind, with no single call to blame.
    pub fn of_crash(message: &str, report: &CrashReport, masker: &Masker) -> Masked<Evidence> {
        Masked::new(Evidence {
            message: masker.shown(message).into_inner(),
            stderr: masker.shown_output(&report.stderr_tail).into_inner(),
            ..Evidence::default()
        })
    }
}

/// The objects of the request, then those of the answer. Identities have no block, and what the
/// configuration says about the provider is not compared.
fn objects(exchange: &Exchange, subject: &Subject, hide: &dyn Hide) -> Vec<(String, Tree)> {
    let addressed = exchange.call.address().map_or("", |address| address.name);
    let mut objects = Vec::new();
    exchange.call.fields(&mut |_, field| {
        let Field::Value { name, declared, value } = field else { return };
        let is_compared =
            declared != Declared::ProviderMeta && declared.schema(&subject.schema, addressed).is_some();
        if let Some(value) = value.value().filter(|_| is_compared) {
            objects.push((spoken(name).to_owned(), Tree::of(value, hide)));
        }
    });
    objects
}

/// The protocol's name of a field, as written in a sentence.
pub(super) fn spoken(role: &str) -> &str {
    match role {
        "prior_state" => "prior state",
        "current_state" => "current state",
        "config" => "configuration",
        "proposed_new_state" => "proposed new state",
        "planned_state" => "planned state",
        "new_state" => "new state",
        "upgraded_state" => "upgraded state",
        other => other,
    }
}

fn stderr(exchange: &Exchange) -> &str {
    match exchange.call.failure() {
        Some(RpcFailure::Crashed(report)) => &report.stderr_tail,
        _ => "",
    }
}
