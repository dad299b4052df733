//! Values at and beyond the bounds that were learned, each in a scenario of one run: the provider is expected to
//! refuse it, and nothing else may suffer from what it does instead.

use super::{DraftStep, ScenarioDraft, draft};
use crate::generate::spec::{ConfigSpec, TypeGenerator};
use crate::generate::universe::of_limit;

pub(super) fn at_limit(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let (place, limit) = *at.targets().limits.get(n)?;
    let target = &at.targets().places[place];
    let spec = ConfigSpec::plain(at.with(target.id)).at_limit(&target.path, &target.limits[limit]);
    let met = of_limit(at, (place, limit));
    let about = format!("{}: {}, at or beyond a limit", target.path, target.limits[limit]);
    let step = DraftStep::reach(spec).config([met]);
    Some(ScenarioDraft { is_at_limit: true, ..draft(&about, [step]) })
}
