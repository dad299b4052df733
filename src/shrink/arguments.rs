//! Fewer arguments, and simpler ones.

use std::collections::BTreeSet;

use super::About;
use super::config::{absent, each, is_optional, rewritten};
use crate::generate::facts::PresenceRule;
use crate::scenario::{Arguments, Block, ResourceAddress, Scenario};
use crate::schema::Member;
use crate::value::{AttributePath, Type, Value};

/// An argument or a nested block type of a block, by its schema path.
#[derive(Clone, Debug, PartialEq, Eq, PartialOrd, Ord)]
pub(super) struct Place {
    pub block: ResourceAddress,
    pub path: String,
}

/// What is set in a scenario and may be left out, in all runs together: the outermost first, blocks before
/// attributes. What the provider is known to demand is not among it.
pub(super) fn spare(scenario: &Scenario, about: &About<'_>, is_meant: impl Fn(&Block) -> bool) -> Vec<Place> {
    let mut found: BTreeSet<((usize, bool), Place)> = BTreeSet::new();
    for block in scenario.blocks().filter(|block| is_meant(block)) {
        let Some(schema) = about.schema_of(block) else { continue };
        each(&schema.block, &block.arguments.set(), &mut |path, member, _| {
            let is_demanded = about.is_of_type(&block.address) && about.usual.demanded.contains(path);
            if is_optional(member) && !is_demanded {
                let order = (path.split('.').count(), matches!(member, Member::Attribute(_)));
                found.insert((order, Place { block: block.address.clone(), path: path.to_owned() }));
            }
        });
    }
    found.into_iter().map(|(_, place)| place).collect()
}

/// The scenario without some arguments, except those that others ask for.
pub(super) fn without(scenario: &Scenario, about: &About<'_>, gone: &BTreeSet<Place>) -> Scenario {
    let gone = still_gone(scenario, about, gone);
    let of_block = |block: &Block| {
        let is_gone =
            |path: &str| gone.contains(&Place { block: block.address.clone(), path: path.to_owned() });
        let Some(schema) = about.schema_of(block) else { return block.arguments.clone() };
        let unset = |config: &Value| {
            rewritten(&schema.block, config, &mut |path, member, _| is_gone(path).then(|| absent(member)))
        };
        let references =
            |at: &AttributePath| !prefixes(&at.schema_path().to_string()).any(|path| is_gone(&path));
        block.arguments.map(unset).with_references(|reference| references(&reference.at))
    };
    with_arguments(scenario, of_block)
}

/// `disk.size` begins with `disk` and `disk.size`.
pub(super) fn prefixes(path: &str) -> impl Iterator<Item = String> + '_ {
    let ends = path.match_indices('.').map(|(at, _)| at).chain([path.len()]);
    ends.map(|end| path[..end].to_owned())
}

/// Without those that must stay because of what stays, as far as the provider's rules are known.
fn still_gone(scenario: &Scenario, about: &About<'_>, gone: &BTreeSet<Place>) -> BTreeSet<Place> {
    let mut gone = gone.clone();
    if about.usual.rules.is_empty() {
        return gone;
    }
    // Each run has to be accepted, and what is left out of one is left out of all.
    loop {
        let own = scenario.blocks().filter(|block| about.is_of_type(&block.address));
        let back: BTreeSet<Place> = own.flat_map(|block| asked_back(block, about, &gone)).collect();
        if back.is_empty() {
            return gone;
        }
        gone.retain(|place| !back.contains(place));
    }
}

/// What the rules ask for in a block, of what is to be left out; with what contains it.
fn asked_back(block: &Block, about: &About<'_>, gone: &BTreeSet<Place>) -> Vec<Place> {
    let Some(schema) = about.schema_of(block) else { return Vec::new() };
    let mut set = BTreeSet::new();
    each(&schema.block, &block.arguments.set(), &mut |path, _, _| {
        set.insert(path.to_owned());
    });
    let place = |path: &str| Place { block: block.address.clone(), path: path.to_owned() };
    let is_gone = |path: &str| prefixes(path).any(|path| gone.contains(&place(&path)));
    let stays = |path: &str| set.contains(path) && !is_gone(path);
    let asked = about.usual.rules.iter().flat_map(|rule| asked_for(rule, &set, &stays));
    let back = asked.filter(|path| set.contains(path) && is_gone(path));
    back.flat_map(|path| prefixes(&path).map(|path| place(&path)).collect::<Vec<_>>())
        .filter(|place| gone.contains(place))
        .collect()
}

/// The arguments that a rule asks for, of those that are set.
fn asked_for(rule: &PresenceRule, set: &BTreeSet<String>, stays: &dyn Fn(&str) -> bool) -> Vec<String> {
    match rule {
        PresenceRule::Required(path) => vec![path.clone()],
        PresenceRule::AtLeastOne(paths) if !paths.iter().any(|path| stays(path)) => {
            paths.iter().find(|path| set.contains(*path)).cloned().into_iter().collect()
        }
        PresenceRule::Together(path, others) if stays(path) => others.iter().cloned().collect(),
        PresenceRule::When { path, then, .. } if stays(path) => asked_for(then, set, stays),
        _ => Vec::new(),
    }
}

/// The scenario with the usual value at some schema paths of the type under test. What comes from elsewhere stays.
pub(super) fn with_usual(
    scenario: &Scenario,
    about: &About<'_>,
    is_meant: &dyn Fn(&str) -> bool,
) -> Scenario {
    with_plain(scenario, about, |block, path, _, value| {
        let usual = about.usual_value(block, path).filter(|usual| *usual != value && is_meant(path))?;
        Some(usual.clone())
    })
}

/// The schema paths with a value that is not the usual one.
pub(super) fn unusual(scenario: &Scenario, about: &About<'_>) -> Vec<String> {
    let mut found = BTreeSet::new();
    with_plain(scenario, about, |block, path, _, value| {
        if about.usual_value(block, path).is_some_and(|usual| usual != value) {
            found.insert(path.to_owned());
        }
        None
    });
    found.into_iter().collect()
}

/// The scenario with as few elements as may be in the collections at some schema paths.
pub(super) fn with_few(scenario: &Scenario, about: &About<'_>, is_meant: &dyn Fn(&str) -> bool) -> Scenario {
    with_plain(scenario, about, |_, path, member, value| {
        is_meant(path).then(|| fewer(member, value)).flatten()
    })
}

/// The schema paths of collections that may have fewer elements.
pub(super) fn long(scenario: &Scenario, about: &About<'_>) -> Vec<String> {
    let mut found = BTreeSet::new();
    with_plain(scenario, about, |_, path, member, value| {
        if fewer(member, value).is_some() {
            found.insert(path.to_owned());
        }
        None
    });
    found.into_iter().collect()
}

/// The first of the elements; as many as there must be.
fn fewer(member: Member<'_>, value: &Value) -> Option<Value> {
    let fewest = match member {
        Member::Attribute(_) => 1,
        Member::Block(nested) => usize::try_from(nested.min_items).unwrap_or(0).max(1),
    };
    match value.ty() {
        Type::List(_) | Type::Set(_) => {
            let elements = value.elements().filter(|elements| elements.len() > fewest)?;
            Value::of_elements(value.ty(), elements[..fewest].to_vec())
        }
        Type::Map(_) => {
            let entries = value.entries().filter(|entries| entries.len() > fewest)?;
            let first = entries.iter().take(fewest).map(|(key, value)| (key.as_ref(), value.clone()));
            Value::of_entries(value.ty(), first)
        }
        _ => None,
    }
}

/// The scenario with something else in place of arguments, of which nothing comes from elsewhere.
fn with_plain(
    scenario: &Scenario,
    about: &About<'_>,
    mut change: impl FnMut(&Block, &str, Member<'_>, &Value) -> Option<Value>,
) -> Scenario {
    let mut scenario = scenario.clone();
    for block in scenario.runs.iter_mut().flat_map(|run| &mut run.blocks) {
        let Some(schema) = about.schema_of(block) else { continue };
        let others = elsewhere(&block.arguments);
        let is_plain = |path: &str| !others.iter().any(|other| touches(other, path));
        let change = std::cell::RefCell::new(&mut change);
        let old = block.clone();
        block.arguments = old.arguments.map(|config| {
            rewritten(&schema.block, config, &mut |path, member, value| {
                if is_plain(path) { (change.borrow_mut())(&old, path, member, value) } else { None }
            })
        });
    }
    scenario
}

/// The schema paths of what comes from elsewhere.
fn elsewhere(arguments: &Arguments) -> Vec<String> {
    let referred = arguments.references().iter().map(|reference| reference.at.schema_path().to_string());
    let upstream = arguments.upstream().into_iter().map(|upstream| upstream.at.schema_path().to_string());
    referred.chain(upstream).collect()
}

/// Whether one place is the other, around it or inside it.
pub(super) fn touches(one: &str, other: &str) -> bool {
    let holds = |outer: &str, inner: &str| {
        outer.is_empty()
            || inner.strip_prefix(outer).is_some_and(|rest| rest.is_empty() || rest.starts_with('.'))
    };
    holds(one, other) || holds(other, one)
}

/// The scenario with the arguments of an earlier run at some names; what comes from elsewhere stays.
pub(super) fn unchanged(scenario: &Scenario, run: usize, names: &[(usize, String)]) -> Scenario {
    let mut scenario = scenario.clone();
    let (before, now) = scenario.runs.split_at_mut(run);
    let (Some(before), Some(now)) = (before.last(), now.first_mut()) else { return scenario };
    for (idx, name) in names {
        let block = &mut now.blocks[*idx];
        let Some(earlier) = before.blocks.iter().find(|earlier| earlier.address == block.address) else {
            continue;
        };
        let is_plain = |arguments: &Arguments| !elsewhere(arguments).iter().any(|other| touches(other, name));
        if is_plain(&block.arguments) && is_plain(&earlier.arguments) {
            let old = earlier.arguments.resolved().member(name);
            block.arguments = block.arguments.map(|config| config.with_attribute(name, old.clone()));
        }
    }
    scenario
}

/// The scenario with other arguments in each block.
pub(super) fn with_arguments(scenario: &Scenario, change: impl Fn(&Block) -> Arguments) -> Scenario {
    let mut scenario = scenario.clone();
    for block in scenario.runs.iter_mut().flat_map(|run| &mut run.blocks) {
        block.arguments = change(block);
    }
    scenario
}
