//! Values through their classes, in many places at once: if the provider refuses a step, each place is
//! tried by itself.

use super::arranged::Arranged;
use super::{Act, DraftStep, ScenarioDraft, draft};
use crate::generate::obligation::{Obligation, ObligationKind};
use crate::generate::shape::Shape;
use crate::generate::spec::{ConfigSpec, TypeGenerator};
use crate::generate::target::{Target, is_for_new_objects};
use crate::generate::universe::of_node;

/// Which single values.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
pub(in crate::generate) enum Scope {
    All,
    /// Those that are not in every configuration, through the first classes only: a change of the others may
    /// replace the object each time, and an update may treat a value otherwise.
    Optional,
}

/// The most places of one step.
const PLACES: usize = 40;

/// Classes of one scenario.
const CLASSES: usize = 5;

pub(super) fn values(scope: Scope, n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let targets = at.targets();
    let places = match scope {
        Scope::All => &targets.values,
        // They would be the same.
        Scope::Optional if targets.optional_values.len() == targets.values.len() => return None,
        Scope::Optional => &targets.optional_values,
    };
    let window = Window::nth(n, [places.as_slice()].into_iter(), at)?;
    if scope == Scope::Optional && window.classes.start > 0 {
        return None;
    }
    let what = if scope == Scope::All { "every argument" } else { "every optional argument" };
    let is_everywhere = scope == Scope::All && window.is_first && !at.is_one_by_one;
    let how = if is_everywhere { How::Everywhere } else { How::Set };
    let arranged = Arranged::of(&window.places, |place| place.id, &at.minimal, at);
    Some(window.draft(what, &arranged, how, at))
}

pub(super) fn containers(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let window = Window::nth(n, at.targets().containers.iter().map(Vec::as_slice), at)?;
    let arranged = Arranged::of(&window.places, |place| place.id, at.everything(), at);
    let mut draft = window.draft("every collection and object", &arranged, How::Set, at);
    // Most of what is in them is null otherwise.
    let mut typical = DraftStep::reach(ConfigSpec::plain(arranged.shape));
    typical.parts = arranged.joint.iter().map(|place| (place.id, set(place, at))).collect();
    draft.steps.insert(1, typical);
    Some(draft)
}

/// The same values as above, each in an object that is created with it. An object that is replaced is created as one
/// that is new.
pub(super) fn created(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let targets = at.targets();
    let groups = std::iter::once(&targets.values).chain(&targets.containers).map(Vec::as_slice);
    let window = Window::nth(n, groups, at)?;
    let arranged = Arranged::of(&window.places, |place| place.id, &at.minimal, at);
    Some(window.draft("every argument of a new object", &arranged, How::AtCreate, at))
}

/// The nth class in every place that can have it, of which there may be `PLACES`, with typical values elsewhere. Other
/// scenarios combine it with classes of other types, so this is needed only where one of those got in the way.
pub(super) fn everywhere(n: usize, at: &TypeGenerator<'_>) -> Option<ScenarioDraft> {
    let (targets, class) =
        (at.targets(), *at.targets().unusual_classes().get(n).filter(|_| at.is_one_by_one)?);
    let places: Vec<(&Target, usize)> = targets
        .values
        .iter()
        .map(|place| &targets.places[*place])
        .filter_map(|place| Some((place, place.unusual().find(|idx| place.classes[*idx] == class)?)))
        .take(PLACES)
        .collect();
    let arranged = Arranged::of(&places, |(place, _)| place.id, &at.minimal, at);
    let classes = arranged.joint.iter().map(|(place, idx)| (place.path.as_str(), *idx as u64));
    let step = DraftStep::reach(ConfigSpec::plain(arranged.shape.clone()).with_classes(classes));
    let step = step.config([Obligation::whole(ObligationKind::Everywhere(class))]);
    let minimal = DraftStep::reach(ConfigSpec::plain(at.minimal.clone()));
    let steps = [minimal].into_iter().chain((!arranged.joint.is_empty()).then_some(step));
    Some(draft(&format!("every argument: {}", class.about()), steps))
}

/// A place that was set.
fn set(place: &Target, at: &TypeGenerator<'_>) -> Vec<Obligation> {
    vec![of_node(at, place.id, ObligationKind::Set)]
}

/// Some classes of some places.
struct Window<'t> {
    places: Vec<&'t Target>,
    /// Positions among the unusual classes of each place.
    classes: std::ops::Range<usize>,
    /// How many classes the place with most of them has.
    n_classes: usize,
    /// Whether there are no places before.
    is_first: bool,
}

impl<'t> Window<'t> {
    /// The n-th of all windows: the first classes of every chunk of places of every group come first.
    fn nth<'a>(
        n: usize,
        groups: impl Iterator<Item = &'a [usize]>,
        at: &'t TypeGenerator<'_>,
    ) -> Option<Window<'t>> {
        let all = &at.targets().places;
        let n_classes = |places: &[usize]| {
            places.iter().map(|place| all[*place].unusual().count()).max().unwrap_or_default()
        };
        let chunks: Vec<&[usize]> = groups.flat_map(|group| group.chunks(at.joint(PLACES))).collect();
        let most = chunks.iter().map(|places| n_classes(places)).max()?;
        let at_once = at.at_once(CLASSES);
        let windows = (0..most).step_by(at_once).flat_map(|first| {
            let has_more = move |(_, places): &(usize, &&[usize])| n_classes(places) > first;
            chunks.iter().enumerate().filter(has_more).map(move |(idx, places)| (first, idx, *places))
        });
        let (first, idx, places) = windows.into_iter().nth(n)?;
        let n_classes = n_classes(places);
        Some(Window {
            places: places.iter().map(|place| &all[*place]).collect(),
            classes: first..(first + at_once).min(n_classes),
            n_classes,
            is_first: idx == 0,
        })
    }

    fn draft(
        &self,
        what: &str,
        arranged: &Arranged<&Target>,
        how: How,
        at: &TypeGenerator<'_>,
    ) -> ScenarioDraft {
        let joint = |nth| step(&arranged.shape, &arranged.joint, nth, how);
        let alone = if how == How::Everywhere { How::Set } else { how };
        let apart =
            |nth| arranged.apart.iter().filter_map(move |(place, shape)| step(shape, &[place], nth, alone));
        // The parts of a refused step are tried next to what was accepted last, which must not exclude them.
        let steps = self.classes.clone().filter_map(joint).chain(self.classes.clone().flat_map(apart));
        let minimal = DraftStep::reach(ConfigSpec::plain(at.minimal.clone()));
        let (first, end) = (self.classes.start + 1, self.classes.end);
        let about = format!("{what}: values {first} to {end} of {}", self.n_classes);
        draft(&about, [minimal].into_iter().chain(steps))
    }
}

/// How values of a class are tried.
#[derive(Clone, Copy, Debug, PartialEq, Eq)]
enum How {
    Set,
    /// Set, in every place that can have one.
    Everywhere,
    AtCreate,
}

/// The nth unusual class of each place that has as many; nothing if none has.
fn step(shape: &Shape, places: &[&Target], nth: usize, how: How) -> Option<DraftStep> {
    let (mut classes, mut parts, mut everywhere) = (Vec::new(), Vec::new(), Vec::new());
    for place in places {
        let Some(idx) = place.unusual().nth(nth) else { continue };
        let class = place.classes[idx];
        if how == How::AtCreate && !is_for_new_objects(class) {
            continue;
        }
        classes.push((place.path.as_str(), idx as u64));
        let kind = if how == How::AtCreate { ObligationKind::Created } else { ObligationKind::Class };
        parts.push((place.id, vec![Obligation::of(&place.schema_path, kind(class))]));
        if how == How::Everywhere {
            everywhere.push(Obligation::whole(ObligationKind::Everywhere(class)));
        }
    }
    if classes.is_empty() {
        return None;
    }
    let spec = ConfigSpec::plain(shape.clone()).with_classes(classes);
    let act = if how == How::AtCreate { Act::Create(spec) } else { Act::Reach(spec) };
    Some(DraftStep { parts, ..act.step().config(everywhere) })
}
