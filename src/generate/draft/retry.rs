//! Single steps of a scenario, each as a scenario of its own.

use super::{Act, DraftStep, ScenarioDraft};
use crate::generate::obligation::Obligation;

impl ScenarioDraft {
    /// The steps that meet something `wanted`, each as a scenario of its own. It begins with the last step
    /// before it that makes the object. A scenario that would be the whole draft again is left out.
    pub fn one_by_one(&self, wanted: impl Fn(&Obligation) -> bool) -> Vec<ScenarioDraft> {
        let is_wanted = |step: &DraftStep| step.obligations().any(&wanted);
        let wanted = self.steps.iter().enumerate().filter(|(_, step)| is_wanted(step));
        let alone = wanted.map(|(idx, step)| {
            let before = self.steps[..idx].iter().rev().find(|before| before.leaves_object());
            let before = before.filter(|_| step.needs_object());
            before.into_iter().chain([step]).cloned().collect::<Vec<_>>()
        });
        // A step with parts has fewer of them now.
        let is_new = |steps: &Vec<DraftStep>| {
            steps.len() < self.steps.len() || steps.iter().any(|step| !step.parts.is_empty())
        };
        alone.filter(is_new).map(|steps| ScenarioDraft { steps, ..self.clone() }).collect()
    }

    pub fn obligations(&self) -> impl Iterator<Item = &Obligation> {
        self.steps.iter().flat_map(DraftStep::obligations)
    }
}

impl DraftStep {
    fn obligations(&self) -> impl Iterator<Item = &Obligation> {
        let meets = [&self.meets.config, &self.meets.change, &self.meets.together];
        let parts = self.parts.iter().map(|(_, met)| met);
        meets.into_iter().chain(parts).flatten()
    }

    /// Whether it does something to an object that is there.
    fn needs_object(&self) -> bool {
        matches!(self.act, Act::Drift(_) | Act::DriftAt(_))
            || self.obligations().any(|met| met.kind.needs_object())
    }

    /// Whether there is an object afterwards.
    fn leaves_object(&self) -> bool {
        use Act::{Create, Reach, ReachAfter, ReachAfterUnknown};
        matches!(self.act, Reach(_) | Create(_) | ReachAfter(..) | ReachAfterUnknown(_))
    }
}
