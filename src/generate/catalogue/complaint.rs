//! Errors of one answer, made comparable.

use super::attribution::{attributed, unnamed};
use super::places::Places;
use super::sent::Sent;
use super::unwrap::unwrapped;
use crate::calls::Diagnostic;
use crate::generate::model::NodeId;
use crate::value::AttributePath;

/// One error.
#[derive(Debug)]
pub(super) struct Complaint {
    /// The argument that it is about.
    pub at: Option<NodeId>,
    /// The provider's own path.
    pub wire: AttributePath,
    pub summary: String,
    pub detail: String,
    /// The summary and the detail, with values of the request.
    pub raw: String,
    /// Without them.
    pub text: String,
    /// Without the name of the argument either.
    pub unnamed: String,
}

/// The errors of an answer in an order that does not depend on theirs, without repeats.
pub(super) fn complaints(diagnostics: &[Diagnostic], places: &Places<'_>, sent: &Sent) -> Vec<Complaint> {
    let mut complaints = Vec::new();
    for diagnostic in diagnostics.iter().filter(|diagnostic| diagnostic.is_error()) {
        let wire = diagnostic.attribute.as_ref().map(|path| path.to_path()).unwrap_or_default();
        for (summary, detail) in unwrapped(&diagnostic.summary, &diagnostic.detail) {
            let raw = if detail.is_empty() { summary.clone() } else { format!("{summary}\n{detail}") };
            let at = attributed(&wire, &raw, places, sent);
            let text = sent.stripped(&raw, at.map(|id| places.path(id)));
            let unnamed = unnamed(&text, at, places);
            complaints.push(Complaint { at, wire: wire.clone(), summary, detail, raw, text, unnamed });
        }
    }
    // SDKv2 visits its schema in random order.
    let order = |one: &Complaint| {
        (one.at.map(|id| places.path(id)), one.summary.clone(), one.detail.clone(), one.wire.to_string())
    };
    complaints.sort_by_cached_key(|one| order(one));
    complaints.dedup_by(|b, a| (a.at, &a.summary, &a.detail) == (b.at, &b.summary, &b.detail));
    complaints
}

impl Complaint {
    /// The text without numbers: the same for the same complaint.
    pub fn template(&self) -> String {
        let mut template = String::new();
        for c in self.text.chars() {
            match c {
                '0'..='9' if template.ends_with('#') => {}
                '0'..='9' => template.push('#'),
                c => template.push(c),
            }
        }
        template
    }
}
