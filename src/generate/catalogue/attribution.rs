//! Which argument an error is about.

use std::collections::BTreeSet;
use std::ops::Range;
use std::sync::LazyLock;

use regex::Regex;

use super::compiled;
use super::key::leading;
use super::places::Places;
use super::sent::Sent;
use crate::generate::model::{NodeId, ROOT};
use crate::value::AttributePath;

/// What stands before the argument that an error is about, the most telling first.
static BEFORE_KEY: LazyLock<Vec<Regex>> = LazyLock::new(|| {
    let before = [
        r#"\bexpected (?:(?:the )?(?:value|length|type) of )?"?"#,
        r"\binvalid value for ",
        r#"\b(?:Attribute|Block|Path:) ["'`]?"#,
        r#"(?m)^["'`]"#,
        r#"\b(?:argument|attribute|field|key|property|parameter) ["'`]"#,
    ];
    before.iter().map(|expression| compiled(expression)).collect()
});
/// After the first so many stands the refused argument itself, never another one that plays a part.
const SURE: usize = 2;
/// The argument that a line begins with.
static LEADING: LazyLock<Regex> =
    LazyLock::new(|| compiled(r"(?m)^([a-z0-9_.]+)(?:: | (?:must|should|can|cannot|may|has to|needs|is)\b)"));

/// The words that a line begins with, up to what they demand: `Volume path must be`.
static SUBJECT: LazyLock<Regex> = LazyLock::new(|| {
    compiled(
        r"(?m)^(?i:the )?([A-Za-z0-9_.]+(?: [A-Za-z0-9_.]+){1,3}) (?:must|should|can|cannot|may|has to|needs|is)\b",
    )
});

/// The argument that an error is about; `None` if nothing tells.
///
/// The provider's own path counts, unless the text tells of a better one: a place inside, or near it where the last
/// steps of the path cannot be trusted. `raw` is the text with the values of the request: one of them may tell.
pub(super) fn attributed(
    wire: &AttributePath,
    raw: &str,
    places: &Places<'_>,
    sent: &Sent,
) -> Option<NodeId> {
    let at = places.of_wire(wire);
    let is_unreliable = n_reliable(wire) < wire.steps().len();
    for key in keys(raw) {
        if let Some(named) = places.absolute(key)
            && (places.holds(at, named) || (is_unreliable && places.are_siblings(at, named)))
        {
            return Some(named);
        }
    }
    let stated = ranges_after(&BEFORE_KEY[..SURE], raw).next().map(|range| &raw[range]);
    if is_unreliable {
        let reliable = AttributePath::new(wire.steps()[..n_reliable(wire)].iter().cloned());
        let around = places.of_wire(&reliable);
        if let Some(quoted) = quoted(stated, at, around, raw, places, sent) {
            return Some(quoted);
        }
    }
    // SDKv2 cuts its paths at sets.
    let is_cut = at != ROOT && places.is_set_of_objects(at);
    for key in keys(raw) {
        if is_cut && let Some(named) = places.inside(key, at).or_else(|| echoed(key, at, raw, places, sent)) {
            return Some(named);
        }
    }
    if is_cut
        && let Some(subject) = SUBJECT.captures_iter(raw).find_map(|found| places.in_prose(&found[1], at))
    {
        return Some(subject);
    }
    if is_unreliable
        && let Some(stated) = stated
        && places.all_inside(stated, at).next().is_none()
        && let Some(sibling) = places.sibling(stated, at)
    {
        return Some(sibling);
    }
    if at != ROOT {
        let inside =
            if places.is_set_of_objects(at) { sent.echoed(raw, Some(places.path(at))) } else { None };
        return inside.and_then(|path| places.absolute(path)).or(Some(at));
    }
    let named = keys(raw).find_map(|key| places.inside(key, ROOT));
    named.or_else(|| places.absolute(sent.echoed(raw, None)?))
}

/// Of several arguments with a name inside another, the only one whose value a text quotes.
fn echoed(name: &str, around: NodeId, raw: &str, places: &Places<'_>, sent: &Sent) -> Option<NodeId> {
    let mut found = places.all_inside(name, around).filter(|id| sent.is_echoed(raw, places.path(*id)));
    let first = found.next()?;
    found.next().is_none().then_some(first)
}

/// A text without the name of the argument that it is about, which may be the name of a format as well.
pub(super) fn unnamed(text: &str, at: Option<NodeId>, places: &Places<'_>) -> String {
    let Some(at) = at else { return text.to_owned() };
    let names = |range: &Range<usize>| {
        let key = &text[range.clone()];
        *key == *places.model.node(at).name || places.absolute(key) == Some(at)
    };
    let mut unnamed = text.to_owned();
    // From the end, so that the places before stay.
    let ranges: BTreeSet<(usize, usize)> = ranges(text).filter(names).map(|at| (at.start, at.end)).collect();
    for (start, end) in ranges.into_iter().rev() {
        unnamed.replace_range(start..end, "");
    }
    unnamed
}

fn keys(raw: &str) -> impl Iterator<Item = &str> {
    ranges(raw).map(move |range| &raw[range])
}

/// Where arguments may be named, the most telling place first.
fn ranges(raw: &str) -> impl Iterator<Item = Range<usize>> {
    let leading = LEADING.captures_iter(raw).filter_map(|found| Some(found.get(1)?.range()));
    ranges_after(&BEFORE_KEY, raw).chain(leading)
}

fn ranges_after<'r>(expressions: &'r [Regex], raw: &'r str) -> impl Iterator<Item = Range<usize>> {
    let before = expressions.iter().flat_map(move |before| before.find_iter(raw));
    let ranges = before.map(move |before| before.end()..before.end() + leading(&raw[before.end()..]).len());
    ranges.filter(|range| !range.is_empty())
}

/// The argument that a text quotes the value of, of those with the stated name inside another; of all of them if none
/// has that name, and the value is not that of the argument that the path leads to.
fn quoted(
    stated: Option<&str>,
    at: NodeId,
    around: NodeId,
    raw: &str,
    places: &Places<'_>,
    sent: &Sent,
) -> Option<NodeId> {
    match stated.filter(|name| places.all_inside(name, around).next().is_some()) {
        Some(name) => echoed(name, around, raw, places, sent),
        None if at == ROOT || sent.is_echoed(raw, places.path(at)) => None,
        None => places.absolute(sent.echoed(raw, Some(places.path(around)))?),
    }
}

/// How many steps of a path can be trusted; the others may be those of later siblings.
///
/// SDKv2 appends to paths that share memory. A path is only its own where the append had to take new memory, which
/// it does whenever the length before was a power of two.
fn n_reliable(wire: &AttributePath) -> usize {
    match wire.steps().len() {
        length @ 0..=2 => length,
        length => (1 << (length - 1).ilog2()) + 1,
    }
}
