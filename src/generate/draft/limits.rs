//! Values at and beyond the bounds that were learned, and optional arguments that were always refused or demanded, each
//! in a scenario of one run: the provider is expected to refuse it, and nothing else may suffer from what it does
//! instead.

use super::{DraftStep, ScenarioDraft, draft};
use crate::generate::contested::Contested;
use crate::generate::spec::{ConfigSpec, TypeGenerator};
use crate::generate::universe::of_limit;
use crate::transcript::OptionalArgument;
use crate::value::SchemaPath;

pub(super) fn at_limit(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let contested = at.contested();
    match contested.get(n) {
        Some(contested) => Some(optional(contested)),
        None => value(n - contested.len(), at),
    }
}

fn optional(contested: &Contested) -> ScenarioDraft {
    let met = contested.obligation.clone();
    let about = met.to_string();
    let argument = OptionalArgument { path: SchemaPath::named_by(&met.path), is_set: contested.is_set };
    let step = DraftStep::reach(ConfigSpec::contrary(contested.shape.clone())).config([met]);
    ScenarioDraft { is_at_limit: true, optional: Some(argument), ..draft(&about, [step]) }
}

fn value(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let (place, limit) = *at.targets().limits.get(n)?;
    let target = &at.targets().places[place];
    let spec = ConfigSpec::plain(at.with(target.id)).at_limit(&target.path, &target.limits[limit]);
    let met = of_limit(at, (place, limit));
    let about = format!("{}: {}, at or beyond a limit", target.path, target.limits[limit]);
    let step = DraftStep::reach(spec).config([met]);
    Some(ScenarioDraft { is_at_limit: true, ..draft(&about, [step]) })
}
