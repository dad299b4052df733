//! What a person or a CI job reads.
//!
//! One model for every printer: a run builds it, `judge` builds it from files, it can be
//! written, read back and [merged](Report::merge). It is built from [`events`], in which
//! everything is masked; values in it are trees, which each printer lays out.

use std::collections::BTreeMap;
use std::path::PathBuf;

use serde::{Deserialize, Serialize};

use crate::generate::Cases;
use crate::rule::Level;
use crate::sdk::Modules;
use crate::snapshot::Change;
use crate::suite::Policy;

mod align;
mod at_the_end;
mod broken;
pub mod collect;
mod consequences;
pub mod coverage;
pub mod events;
pub mod exit;
mod family;
mod fix;
pub mod foreign;
pub mod github;
pub mod graph;
mod group;
pub mod html;
pub mod human;
pub mod issue;
pub mod json;
pub mod junit;
pub mod markdown;
mod merge;
mod notes;
mod out;
mod printers;
pub mod progress;
mod refusals;
mod replays;
pub mod sarif;
mod sections;
mod stages;
mod statistics;
mod totals;
mod unite;

#[cfg(test)]
mod samples;
#[cfg(test)]
mod tests;

pub use at_the_end::AtTheEnd;
pub use broken::Broken;
pub use consequences::Places;
pub use coverage::Coverage;
pub use exit::Exit;
pub use family::Family;
pub use group::{Effort, Excuse, Group, GroupKey, Occurrence, first_in, rank};
pub use notes::Notes;
pub use out::{Printer, print};
pub use printers::{in_file, printer};
pub use refusals::{RefusedAt, Step};
pub use replays::{Confirmation, Replays};
pub use sections::Sections;
pub use stages::{NotJudged, Stage};
pub use statistics::RuleCount;
pub use totals::{Parts, Refusal, Totals, TypeLine, Types};

/// The result of a run.
#[derive(Clone, Debug, Default, PartialEq, Serialize, Deserialize)]
pub struct Report {
    pub run: RunLine,
    /// Most serious first, then as they appear in scenarios, so that a cause comes before what follows from
    /// it; the same order on every run.
    pub groups: Vec<Group>,
    pub totals: Totals,
    /// How far each type got; by kind, then by name.
    pub per_type: Vec<TypeLine>,
    /// What became of the obligations of the types.
    pub coverage: Coverage,
    /// Per type, why it was not judged further, most common message first.
    pub refusals: Vec<Refusal>,
    /// What a user should know about the run as a whole.
    pub notes: Notes,
    /// By rule, why it could not judge, and how often.
    pub inconclusive: BTreeMap<String, BTreeMap<String, u64>>,
    /// The result of snapshots, if they were asked for.
    pub snapshots: Option<Snapshots>,
    /// The provider could not be configured, or not be called after that; a note says why.
    pub unusable: bool,
    /// Why nothing was applied or read, if the whole run was to do neither.
    pub nothing_applied: Option<String>,
    /// Whether that is only because the machine refuses the sandbox something: nobody decided it.
    #[serde(default)]
    pub sandbox_failed: bool,
}

/// What a provider showed, compared with files.
#[derive(Clone, Debug, Default, PartialEq, Eq, Serialize, Deserialize)]
pub struct Snapshots {
    /// The files that hold what was shown.
    pub unchanged: Vec<PathBuf>,
    /// The others, by file.
    pub changes: Vec<Change>,
    /// Whether the files were updated.
    pub accepted: bool,
}

/// What was run.
#[derive(Clone, Debug, Default, PartialEq, Eq, PartialOrd, Ord, Serialize, Deserialize)]
pub struct RunLine {
    pub provider: String,
    /// The program, as the user named it.
    pub program: String,
    /// Major protocol version.
    pub protocol: u8,
    /// Several with commas.
    pub engine: String,
    pub seed: u64,
    pub cases: Cases,
    pub applied: bool,
    /// The lowest level at which a finding fails the run.
    pub fail_on: Level,
    /// What the user decided about rules, whatever the level of their findings.
    #[serde(default)]
    pub policy: Policy,
    /// What the program was built of.
    #[serde(default, skip_serializing_if = "Modules::is_empty")]
    pub modules: Modules,
    /// Digest of the names of the resource types and data sources that the provider declares; empty if it is not known.
    #[serde(default)]
    pub types_digest: String,
    /// Which part of a run it is, as `1/4`; `None` if it is all of it.
    #[serde(default, skip_serializing_if = "Option::is_none")]
    pub shard: Option<String>,
}

impl RunLine {
    /// As in "as terraform plays it".
    pub(crate) fn played_as(&self) -> String {
        match self.engine.contains(',') {
            true => format!("as {} play it", self.engine.replace(',', " and ")),
            false => format!("as {} plays it", self.engine),
        }
    }
}

impl Report {
    /// How many findings there are at a level or above, without known ones.
    pub fn at_least(&self, level: Level) -> u64 {
        self.groups.iter().filter(|group| group.fails(level)).map(|group| group.count).sum()
    }
}
