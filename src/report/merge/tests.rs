//! For any reports: merging does not depend on the order, and a written report is read back unchanged.

use std::time::Duration;

use proptest::collection::{btree_map, btree_set, vec};
use proptest::prelude::*;

use super::*;
use crate::generate::obligation::Theme;
use crate::judge::Tally;
use crate::lifecycle::Reached;
use crate::record::{Evidence, Masked, Reason};
use crate::report::coverage::{Counts, Coverage, Outcome, TypeCoverage, Unmet};
use crate::report::{Broken, Group, Notes, Occurrence, Places, Replays, RunLine};
use crate::rules::CATALOGUE;
use crate::snapshot::{Change, ChangeKind};
use crate::transcript::{DriftKind, Phase, ScenarioLabel};
use crate::value::strategy::typed_values;
use crate::value::tree::{Nothing, Tree, TreePath};
use crate::value::{AttributePath, PathStep, Value};

fn word() -> impl Strategy<Value = String> {
    proptest::sample::select(&["a", "b", "c"][..]).prop_map(str::to_owned)
}

fn count() -> impl Strategy<Value = u64> {
    0..5_u64
}

fn kind() -> impl Strategy<Value = Kind> {
    prop_oneof![Just(Kind::Resource), Just(Kind::DataSource)]
}

fn level() -> impl Strategy<Value = Level> {
    proptest::sample::select(&Level::ALL[..])
}

fn run() -> impl Strategy<Value = RunLine> {
    (word(), 0..3_u64, level()).prop_map(|(provider, seed, fail_on)| RunLine {
        provider,
        seed,
        fail_on,
        ..RunLine::default()
    })
}

fn tree() -> impl Strategy<Value = Tree> {
    typed_values(true).prop_map(|(_, value)| Tree::of(&value, &Nothing))
}

fn path() -> impl Strategy<Value = TreePath> {
    let phase = prop_oneof![
        word().prop_map(PathStep::Attribute),
        word().prop_map(PathStep::Key),
        (0..3_i64).prop_map(PathStep::Index),
        word().prop_map(|word| PathStep::Element(Value::string(&word))),
    ];
    vec(phase, 0..3).prop_map(|steps| TreePath::of(&AttributePath::new(steps), &Nothing))
}

fn occurrence() -> impl Strategy<Value = Occurrence> {
    let label = (word(), 0..3_u32).prop_map(|(type_name, number)| ScenarioLabel {
        type_name,
        number,
        ..ScenarioLabel::default()
    });
    let said = || (word(), tree());
    let evidence = (path(), word(), vec(said(), 0..2), prop::option::of(said()), vec(said(), 0..2));
    let evidence = evidence.prop_map(|(path, message, allowed, actual, objects)| Evidence {
        path,
        message,
        allowed,
        actual,
        objects: objects.into(),
        trigger: Default::default(),
        shows: None,
        fix: None,
        stderr: String::new(),
    });
    (level(), label, prop::option::of(Just(Phase::Create)), prop::option::of(kind()), evidence, word())
        .prop_map(|(level, scenario, phase, kind, evidence, rerun)| Occurrence {
            level,
            scenario,
            phase,
            kind,
            evidence: Masked::sample(evidence),
            rerun,
            ..Occurrence::default()
        })
}

fn places() -> impl Strategy<Value = Places> {
    vec((word(), 0..4_u32), 0..3).prop_map(|found| {
        let mut places = Places::default();
        found.iter().for_each(|(place, exchange)| places.put(place, *exchange));
        places
    })
}

fn replays() -> impl Strategy<Value = Option<Replays>> {
    prop::option::of((0..3_u32, 2..4_u32).prop_map(|(seen, of)| Replays { seen, of, beside: 0 }))
}

/// What was found at one attribute.
fn group() -> impl Strategy<Value = Group> {
    let rule = proptest::sample::select(&CATALOGUE[..2]);
    let reason = prop_oneof![
        Just(None),
        word().prop_map(|why| Some(Reason::Known(why))),
        word().prop_map(|id| Some(Reason::Sdk(id)))
    ];
    (rule, word(), word(), word(), reason, count(), occurrence(), places(), replays()).prop_map(
        |(rule, path, type_name, cause, reason, count, first, places, replays)| {
            let cause = Masked::sample(cause);
            let attributes = [(path, Broken { count, ..Broken::once(&first) })].into();
            Group { rule, type_name, cause, reason, attributes, first, places, replays, ..empty() }
        },
    )
}

/// A group of one finding without a place.
fn empty() -> Group {
    Group {
        engines: BTreeSet::new(),
        rule: CATALOGUE[0],
        level: Level::Must,
        kind: None,
        type_name: String::new(),
        path: String::new(),
        cause: Masked::default(),
        site: Masked::default(),
        nth: 1,
        count: 1,
        attributes: Default::default(),
        reason: None,
        handling: None,
        first: Occurrence::default(),
        replays: None,
        shrunk_in: None,
        places: Places::default(),
        follows: None,
        excuse: None,
    }
}

fn totals() -> impl Strategy<Value = Totals> {
    let tally = (count(), count()).prop_map(|(pass, fail)| Tally { pass, fail, ..Tally::default() });
    let time = || count().prop_map(Duration::from_millis);
    (count(), any::<bool>(), count(), time(), btree_map(word(), tally, 0..2), prop::option::of(time()))
        .prop_map(|(scenarios, is_lost, hung, waited, rules, provider_cpu)| Totals {
            scenarios,
            is_lost,
            hung,
            waited,
            rules,
            provider_cpu,
            wall: waited,
            harness_cpu: waited,
            ..Totals::default()
        })
}

fn type_line() -> impl Strategy<Value = TypeLine> {
    (kind(), word(), count(), any::<(bool, bool)>()).prop_map(|(kind, type_name, n, (planned, applied))| {
        let reached = Reached { planned, applied, ..Reached::default() };
        TypeLine { kind, type_name, scenarios: n, refused: n / 2, reached }
    })
}

fn refusal() -> impl Strategy<Value = Refusal> {
    (kind(), word(), word(), count()).prop_map(|(kind, type_name, message, scenarios)| Refusal {
        kind,
        type_name,
        rpc: None,
        message,
        by_engine: false,
        scenarios,
    })
}

fn notes() -> impl Strategy<Value = Notes> {
    let drift = proptest::sample::select(&DriftKind::ALL[..]);
    (vec(word(), 0..3), vec((drift, count(), word()), 0..3), vec((word(), count()), 0..3), vec(word(), 0..3))
        .prop_map(|(said, impossible, left, concluded)| {
            let mut notes = Notes::default();
            said.into_iter().for_each(|note| notes.say(note));
            impossible.iter().for_each(|(kind, count, why)| notes.impossible(*kind, *count, why));
            left.iter().for_each(|(name, count)| notes.left(name, *count, [format!("{name}-{count}")]));
            notes.extend(concluded);
            notes
        })
}

fn snapshots() -> impl Strategy<Value = Snapshots> {
    let kind = prop_oneof![Just(ChangeKind::New), Just(ChangeKind::Changed)];
    let change = (word(), kind, word()).prop_map(|(file, kind, text)| Change {
        file: file.into(),
        kind,
        about: Default::default(),
        texts: [String::new(), text],
    });
    (btree_set(word(), 0..3), vec(change, 0..3), any::<bool>()).prop_map(|(unchanged, changes, accepted)| {
        Snapshots { unchanged: unchanged.into_iter().map(PathBuf::from).collect(), changes, accepted }
    })
}

fn coverage() -> impl Strategy<Value = Coverage> {
    let counts = (count(), count(), count()).prop_map(|(accepted, refused, blocked)| Counts {
        accepted,
        refused,
        blocked,
        ..Counts::default()
    });
    let theme = prop::sample::select(&Theme::ALL[..]);
    let of_type = (word(), btree_map(theme, counts, 0..3), count(), vec(word(), 0..2));
    let of_type = of_type.prop_map(|(type_name, themes, count, obligations)| TypeCoverage {
        kind: Kind::Resource,
        type_name,
        learning: None,
        themes,
        behaviours: BTreeMap::new(),
        unmet: vec![Unmet { outcome: Outcome::Blocked, reason: String::new(), count, obligations }],
    });
    (vec(of_type, 0..3), prop::collection::btree_set(word(), 0..3)).prop_map(|(types, never_met)| {
        let never_met = if types.is_empty() { Default::default() } else { never_met };
        let types = types.into_iter().map(|ty| Coverage { types: vec![ty], never_met: never_met.clone() });
        types.reduce(Coverage::merge).unwrap_or_default()
    })
}

fn report() -> impl Strategy<Value = Report> {
    let parts = (run(), vec(group(), 0..4), totals(), vec(type_line(), 0..4), vec(refusal(), 0..4), notes());
    let reasons = btree_map(word(), btree_map(word(), count(), 0..2), 0..2);
    let others = (reasons, prop::option::of(snapshots()), any::<bool>(), prop::option::of(word()));
    (parts, others, coverage()).prop_map(|(parts, others, coverage)| {
        let (inconclusive, snapshots, unusable, nothing_applied) = others;
        let (run, groups, totals, per_type, refusals, notes) = parts;
        let report = Report {
            run,
            groups,
            totals,
            per_type,
            coverage,
            refusals,
            notes,
            inconclusive,
            snapshots,
            unusable,
            sandbox_failed: nothing_applied.is_some(),
            nothing_applied,
        };
        // Groups, types and refusals are there once each.
        let provider_cpu = report.totals.provider_cpu;
        let mut report = report.merge(Report::default());
        report.totals.provider_cpu = provider_cpu;
        report
    })
}

proptest! {
    #![proptest_config(ProptestConfig::with_cases(64))]

    #[test]
    fn merging_does_not_depend_on_the_order(one in report(), other in report(), third in report()) {
        prop_assert_eq!(one.clone().merge(other.clone()), other.clone().merge(one.clone()));
        let left = one.clone().merge(other.clone()).merge(third.clone());
        prop_assert_eq!(left, one.merge(other.merge(third)));
    }

    #[test]
    fn a_report_is_read_back_as_it_was_written(report in report()) {
        let written = serde_json::to_string(&report).unwrap();
        prop_assert_eq!(serde_json::from_str::<Report>(&written).unwrap(), report);
    }
}

#[test]
fn a_report_of_a_rule_that_is_gone_is_refused() {
    let group = empty();
    let written = serde_json::to_string(&Report { groups: vec![group], ..Report::default() }).unwrap();
    let error = serde_json::from_str::<Report>(&written.replace(CATALOGUE[0].id, "gone/gone")).unwrap_err();
    assert!(error.to_string().contains("there is no rule `gone/gone`"), "{error}");
}
