//! A complaint read in the light of the request.

use std::collections::BTreeSet;
use std::sync::LazyLock;

use regex::Regex;

use super::complaint::Complaint;
use super::message::{Matched, Message, Of, Tier};
use super::places::Places;
use super::sent::{Sent, is_announced_in};
use super::{compiled, key};
use crate::generate::facts::Strength;
use crate::generate::model::{NodeId, ROOT};
use crate::value::PathStep;

/// What conclusions are drawn from.
#[derive(Clone, Copy)]
pub(super) struct Reading<'r> {
    pub places: &'r Places<'r>,
    pub sent: &'r Sent,
    pub complaint: &'r Complaint,
}

/// A text to match, with and without values of the request, and without the name of the argument.
#[derive(Clone, Copy)]
pub(super) struct Body<'t> {
    pub raw: &'t str,
    pub text: &'t str,
    pub unnamed: &'t str,
}

/// An entry that matched.
pub(super) struct Hit<'t> {
    pub message: &'t Message,
    pub matched: Matched<'t>,
    pub body: Body<'t>,
}

static WORD: LazyLock<Regex> = LazyLock::new(|| compiled(r"[a-z0-9_]{2,}"));

impl<'t> Hit<'t> {
    pub fn strength(&self) -> Strength {
        match self.message.tier {
            Tier::Sdk => Strength::Hard,
            Tier::Family | Tier::Prose | Tier::Characters => Strength::Soft,
        }
    }

    pub fn group(&self, name: &str) -> Option<&'t str> {
        self.matched.group(name)
    }

    /// A list with the values of the request that are in it.
    pub fn raw_list(&self) -> Option<&'t str> {
        let raw = self.message.matched(self.body.raw).and_then(|matched| matched.group("list"));
        raw.or_else(|| self.group("list"))
    }
}

impl<'r> Reading<'r> {
    /// The schema path that the complaint is about.
    pub fn path(&self) -> Option<&'r str> {
        self.complaint.at.map(|id| self.places.path(id))
    }

    /// The value that was refused.
    pub fn refused(&self) -> Option<&'r str> {
        self.sent.refused(self.path()?, &self.complaint.wire, &self.complaint.raw)
    }

    /// The argument that a text names: by its whole path in the words of an SDK, by its name in prose.
    pub fn named(&self, text: &str, hit: &Hit<'_>) -> Option<NodeId> {
        let near = || {
            let near = self.places.near(text, self.complaint.at.unwrap_or(ROOT));
            near.or_else(|| self.places.inside(text, ROOT))
        };
        match hit.message.tier {
            Tier::Sdk => self.places.relative(text, &self.complaint.wire).or_else(near),
            _ => near(),
        }
    }

    /// The configurable arguments in a list, by schema path.
    pub fn named_in(&self, list: &str, hit: &Hit<'_>) -> BTreeSet<String> {
        let named = key::split(list).into_iter().filter_map(|text| self.named(text, hit));
        named
            .filter(|id| self.places.is_configurable(*id))
            .map(|id| self.places.path(id).to_owned())
            .collect()
    }

    /// The arguments near the complaint's that its prose mentions, by schema path.
    pub fn mentioned(&self, text: &str) -> BTreeSet<&'r str> {
        let at = self.complaint.at.unwrap_or(ROOT);
        let words = WORD.find_iter(text).filter_map(|word| self.places.near(word.as_str(), at));
        let named = words.filter(|id| Some(*id) != self.complaint.at && self.places.is_configurable(*id));
        named.map(|id| self.places.path(id)).collect()
    }

    /// Where the provider's path ends in a key of ours: whether the key was refused, or the value.
    pub fn refused_in_map(&self) -> Of {
        let Some(PathStep::Key(key)) = self.complaint.wire.steps().last() else { return Of::Values };
        if !self.complaint.at.is_some_and(|at| self.places.is_map(at)) {
            return Of::Values;
        }
        let is_announced = |text: &str| is_announced_in(&self.complaint.raw, text);
        let is_value = self.refused().is_some_and(is_announced);
        match (is_announced(key), is_value) {
            (true, false) => Of::Keys,
            (false, true) => Of::Values,
            _ => Of::Either,
        }
    }
}
