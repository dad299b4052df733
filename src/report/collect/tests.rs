//! The report does not depend on the order in which scenarios end.

use std::time::Duration;

use super::*;
use crate::calls::Rpc;
use crate::judge::{Settings, judge};
use crate::lifecycle::Reached;
use crate::record::{Masker, Recorded, RunSettings};
use crate::report::Family;
use crate::report::events::send_judged;
use crate::rule::example;
use crate::suite::{Handling, Selector};
use crate::transcript::Diagnostic;

/// A play of the example in which the provider returns a diagnostic without a severity.
fn recorded(number: u32, stop: Stop) -> Recorded {
    let mut transcript = example::lifecycle();
    transcript.scenario.number = number;
    for diagnostics in transcript.exchanges.iter_mut().filter_map(|exchange| exchange.call.diagnostics_mut())
    {
        let said = Diagnostic::error(&format!("said in scenario {number}"), "");
        diagnostics.push(Diagnostic { severity: 0, ..said });
    }
    let ended = Ended {
        cut: [].into(),
        kind: Kind::Resource,
        reached: Reached { planned: number > 1, ..Reached::default() },
        stop,
        leaves_something: number == 2,
        left: Vec::new(),
        impossible: Vec::new(),
        hung: (number == 3).then(|| Duration::from_secs(1)),
        credits: Vec::new(),
    };
    Recorded {
        transcript,
        settings: RunSettings::default(),
        ended: Some(Masked::sample(ended)),
        scenario: None,
        beside: Vec::new(),
        kept_for: None,
        origin: None,
    }
}

fn report<'r>(recorded: impl IntoIterator<Item = &'r Recorded>) -> Report {
    report_of(RunLine::default(), recorded)
}

fn report_of<'r>(run: RunLine, recorded: impl IntoIterator<Item = &'r Recorded>) -> Report {
    let masker = Masker::new(Vec::new());
    let collector = Collector::new(run, None);
    for recorded in recorded {
        let judgement = judge(CATALOGUE, &recorded.transcript, &Settings::default());
        send_judged(&MaskedJudgement::of_file(&masker, recorded, &judgement), &collector);
    }
    collector.into_report(|_| ())
}

#[test]
fn a_finding_has_what_the_user_decided_about_its_rule() {
    let rule = "rpc/diagnostics-have-a-severity";
    let handling = |decisions: [(Handling, &[Selector]); 3]| {
        let mut run = RunLine::default();
        run.policy.add(decisions);
        let report = report_of(run, [&recorded(1, Stop::Done)]);
        let group =
            report.groups.iter().find(|group| (group.rule.id, &*group.type_name) == (rule, "example_thing"));
        let group = group.expect("it is found");
        (group.handling, group.fails(Level::Must))
    };
    let selector = |text: &str| vec![text.parse::<Selector>().expect("a selector")];
    let (group, own) = (selector("rpc/*"), selector("rpc/diagnostics-have-a-severity@example_thing"));
    let none: &[Selector] = &[];
    let (deny, warn, allow) = (Handling::Deny, Handling::Warn, Handling::Allow);
    assert_eq!(handling([(deny, &group), (warn, none), (allow, none)]), (Some(deny), true));
    assert_eq!(handling([(deny, none), (warn, &group), (allow, none)]), (Some(warn), false));
    assert_eq!(handling([(deny, &group), (warn, none), (allow, &own)]), (Some(allow), false));
}

#[test]
fn the_report_does_not_depend_on_the_order_in_which_scenarios_end() {
    let refused = || Stop::Refused { rpc: Rpc::PlanResourceChange, message: "no".to_owned() };
    let played = [recorded(1, Stop::Done), recorded(2, refused()), recorded(3, refused())];
    let one = report(&played);
    assert_eq!(one, report(played.iter().rev()));
    let parts = played.iter().map(|recorded| report([recorded])).reduce(Report::merge);
    assert_eq!(Some(&one), parts.as_ref(), "nor does it matter how a run is divided");
    let groups: Vec<&Group> = one.groups.iter().collect();
    let [family] = &Family::all(&groups)[..] else { panic!("one cause: {groups:?}") };
    let group = family.first();
    assert_eq!((group.rule.id, group.first.scenario.number), ("rpc/diagnostics-have-a-severity", 1));
    assert_eq!((one.totals.scenarios, one.per_type[0].refused, one.refusals[0].scenarios), (3, 2, 2));
    assert!(one.totals.is_stuck && one.notes.lines().len() == 2, "{:?}", one.notes);
}
