//! The walks of an engine, and what is asked in them.

use std::collections::BTreeMap;

use super::asked::Asked;

/// A walk in which providers are called.
#[derive(Clone, Copy, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub enum WalkKind {
    Validate,
    Plan,
    Apply,
}

impl WalkKind {
    pub const ALL: [WalkKind; 3] = [WalkKind::Validate, WalkKind::Plan, WalkKind::Apply];

    pub fn name(self) -> &'static str {
        match self {
            WalkKind::Validate => "validate",
            WalkKind::Plan => "plan",
            WalkKind::Apply => "apply",
        }
    }
}

/// What is asked in each walk of one run, in order.
#[derive(Default)]
pub struct Walks(BTreeMap<WalkKind, Vec<Asked>>);

impl Walks {
    pub fn add(&mut self, kind: WalkKind, asked: Asked) {
        self.0.entry(kind).or_default().push(asked);
    }

    pub fn of(&self, kind: WalkKind) -> &[Asked] {
        self.0.get(&kind).map_or(&[], Vec::as_slice)
    }
}
