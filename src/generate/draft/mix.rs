//! Random combinations.

use super::{DraftStep, ScenarioDraft, draft};
use crate::generate::choices::{ChoiceKey, ChoicePurpose, Choices, Facet, Variation};
use crate::generate::model::NodeId;
use crate::generate::shape::Shape;
use crate::generate::spec::{ConfigSpec, TypeGenerator};

pub(super) fn mix(number: u64, at: &TypeGenerator<'_>) -> ScenarioDraft {
    let mixed = ConfigSpec { variation: Variation::Mixed, ..ConfigSpec::plain(at.minimal.clone()) };
    let mut choices = at.choices(number, &mixed);
    let spec = mixed.shaped(Shape::some(&at.model, &at.store, &mut choices));
    let n_optional = spec.shape.n_on();

    let (model, store, targets) = (&at.model, &at.store, at.targets());
    let toggles: Vec<NodeId> = targets
        .optional
        .iter()
        .copied()
        .filter(|id| !model.node(*id).deprecated && store.pinned(*id).is_none())
        .filter(|id| spec.shape.has(model, store, model.node(*id).parent))
        .collect();
    let changeable: Vec<usize> = targets
        .changeable
        .iter()
        .copied()
        .filter(|place| spec.shape.has(model, store, targets.places[*place].id))
        .collect();
    let n_candidates = toggles.len() + changeable.len();
    let mut steps = vec![DraftStep::reach_after_unknown(spec.clone())];
    if n_candidates == 0 {
        return draft(&format!("mix of {n_optional} optional"), steps);
    }
    let n_changes =
        1 + choices.pick(&of_scenario("changes", ChoicePurpose::Variant), n_candidates.min(2) as u64);
    let mut after = spec;
    for change in 0..n_changes {
        let key = format!("change[{change}]");
        let chosen = choices.pick(&of_scenario(&key, ChoicePurpose::Target), n_candidates as u64) as usize;
        after = match chosen.checked_sub(toggles.len()) {
            None if after.shape.is_on(toggles[chosen]) => after.shaped(after.shape.without(toggles[chosen])),
            None => after.shaped(after.shape.with(model, toggles[chosen])),
            Some(chosen) => {
                let target = &targets.places[changeable[chosen]];
                let key =
                    ChoiceKey { facet: Facet::Value, path: &target.path, purpose: ChoicePurpose::Class };
                let class = choices.pick(&key, target.classes.len() as u64);
                after.with_class(&target.path, u64::from(class != 1))
            }
        };
    }
    steps.push(DraftStep::reach_after_unknown(after));
    let s = if n_changes == 1 { "" } else { "s" };
    draft(&format!("mix of {n_optional} optional, then {n_changes} change{s}"), steps)
}

fn of_scenario(path: &str, purpose: ChoicePurpose) -> ChoiceKey<'_> {
    ChoiceKey { facet: Facet::Scenario, path, purpose }
}
