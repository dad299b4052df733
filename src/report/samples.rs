//! Reports for the tests of the printers, built without a run.
//!
//! They have their own rules, so that rewording a rule changes no snapshot here.

use std::collections::BTreeSet;
use std::sync::Arc;
use std::time::Duration;

use super::coverage::{Became, Behaved, Counts, Learning, Outcome, TypeCoverage, Unmet};
use super::*;
use crate::calls::Rpc;
use crate::generate::obligation::Theme;
use crate::judge::Tally;
use crate::lifecycle::Reached;
use crate::record::{Evidence, Masked, Reason, ShownCall, Trigger};
use crate::rule::{Check, Citation, Enforced, Fault, Fix, Injection, Legacy, Presumes, Rule, Shows};
use crate::schema::Kind;
use crate::sdk::Modules;
use crate::snapshot::ChangeKind;
use crate::transcript::{Phase, PriorOrigin, ScenarioLabel};
use crate::value;
use crate::value::tree::{Nothing, SENSITIVE, Tree, TreePath};
use crate::value::{AttributePath, Literal, Type};

const NOTHING: Fault =
    Fault { name: "sample/nothing", about: "does nothing", injection: Injection::Answer(|_, _| false) };

const fn rule(id: &'static str, level: Level, title: Option<&'static str>, words: &'static str) -> Rule {
    Rule {
        id,
        level,
        legacy: Legacy::Kept,
        presumes: Presumes::Likely,
        behaviours: &[],
        covers: &["SAMPLE-001"],
        shows: Shows::title_or_nothing(title),
        enforced: Enforced::ALWAYS,
        fix: Fix("do what holds for {attributes}"),
        framework: None,
        sdkv2: None,
        cites: Citation {
            document: "resource instance change lifecycle",
            section: "PlanResourceChange",
            words,
        },
        text: " A sample holds.\n\n More about it.",
        check: Check::Plan(|_, _, _| {}),
        fault: NOTHING,
        control: NOTHING,
    }
}

static PRESERVES: Rule = rule(
    "plan/preserves-sample",
    Level::Must,
    Some("Provider produced invalid plan"),
    "any attribute that was non-null in the configuration must either preserve the exact configuration value \
     or return the corresponding attribute value from the prior state",
);
static ANSWERS: Rule =
    rule("rpc/answers-sample", Level::Must, Some("Plugin did not respond"), "a provider answers every call");
static STAYS: Rule = rule("plan/stays-sample", Level::Must, None, "null where it was left out");
static DESCRIBES: Rule = rule("schema/describes-sample", Level::Advice, None, "a description helps");
static IDLE: Rule = rule("read/idle-sample", Level::Must, None, "never asked");

pub fn tree(literal: Literal) -> Tree {
    Tree::of(&literal.of(&Type::Dynamic), &Nothing)
}

fn said(role: &str, literal: Literal) -> (String, Tree) {
    (role.to_owned(), tree(literal))
}

/// A finding whose evidence is not complete yet.
struct Found {
    first: Occurrence,
    path: AttributePath,
    evidence: Evidence,
}

fn group(rule: &'static Rule, count: u64, found: Found) -> Group {
    group_at(rule, rule.level, count, found)
}

fn group_at(rule: &'static Rule, level: Level, count: u64, found: Found) -> Group {
    let Found { first, path, evidence } = found;
    let evidence = Masked::sample(Evidence { path: TreePath::of(&path, &Nothing), ..evidence });
    let first = Occurrence { level, evidence, ..first };
    let broken = Broken { count, ..Broken::once(&first) };
    let mut group = Group {
        engines: BTreeSet::new(),
        rule,
        level,
        kind: first.kind,
        type_name: first.scenario.type_name.clone(),
        path: String::new(),
        cause: Masked::default(),
        site: Masked::default(),
        nth: 1,
        count,
        attributes: [(path.schema_path().to_string(), broken)].into(),
        reason: None,
        handling: None,
        first,
        replays: None,
        shrunk_in: None,
        places: Places::default(),
        follows: None,
        excuse: None,
    };
    group.settle();
    group
}

/// The same about another type.
pub fn about(type_name: &str, group: Group) -> Group {
    Group { type_name: type_name.to_owned(), ..group }
}

fn found(type_name: &str, number: u32, phase: Phase, rpc: &str, path: AttributePath, message: &str) -> Found {
    let first = Occurrence {
        scenario: ScenarioLabel {
            type_name: type_name.to_owned(),
            kind: "lifecycle".to_owned(),
            about: "everything on".to_owned(),
            number,
            seed: 24301,
            example: None,
            optional: None,
        },
        phase: Some(phase),
        prior: if phase == Phase::Create { PriorOrigin::None } else { PriorOrigin::Applied },
        exchange: 12,
        rpc: rpc.to_owned(),
        is_for_engines: true,
        kind: Some(Kind::Resource),
        instance: format!("{type_name}.a"),
        rerun: format!("tfconform replay cases/{type_name}-{number}.json"),
        ..Occurrence::default()
    };
    Found { first, path, evidence: Evidence { message: message.to_owned(), ..Evidence::default() } }
}

fn root() -> AttributePath {
    AttributePath::root()
}

/// A plan that changes what was configured, with all the objects of the exchange.
pub fn plan_finding() -> Group {
    let prior = value!({ "id": "b-1", "size": 3, "lifecycle": [{ "name": "web-old", "days": 30 }],
        "policy": null, "password": "(sensitive value)" });
    let config = value!({ "id": null, "size": null, "lifecycle": [{ "name": "web", "days": 30 }],
        "policy": null, "password": "(sensitive value)" });
    let proposed = value!({ "id": "b-1", "size": 3, "lifecycle": [{ "name": "web", "days": 30 }],
        "policy": null, "password": "(sensitive value)" });
    let planned = value!({ "id": "b-1", "size": unknown, "lifecycle": [{ "name": "WEB", "days": 30 }],
        "policy": null, "password": "(sensitive value)" });
    let mut found = found(
        "acme_bucket",
        7,
        Phase::Update,
        "PlanResourceChange",
        root().attribute("lifecycle").index(0).attribute("name"),
        "the planned value is neither the configured one nor that of the prior state",
    );
    found.evidence.allowed =
        vec![said("configuration", value!("web")), said("prior state", value!("web-old"))];
    found.evidence.actual = Some(said("planned state", value!("WEB")));
    found.evidence.objects = vec![
        said("prior state", prior),
        said("configuration", config),
        said("proposed new state", proposed),
        said("planned state", planned),
    ]
    .into();
    let config = |name: &str| tree(value!({ "lifecycle": [{ "name": name, "days": 30 }] }));
    found.evidence.trigger = Arc::new(Trigger {
        before: Some(config("web-old")),
        now: vec![config("web")],
        blocks: ["lifecycle".to_owned()].into(),
        drift: None,
        applied_in: None,
    });
    group(&PRESERVES, 112, found)
}

/// A create whose long value comes back changed in its middle, and whose prior state is null.
pub fn long_finding() -> Group {
    let long = |middle: &str| format!("{}{middle}{}", "abcdefghij".repeat(20), "0123456789".repeat(20));
    let (x, y) = (long("X"), long("Y"));
    let mut found = found(
        "acme_certificate_authority_with_a_long_name",
        3,
        Phase::Create,
        "PlanResourceChange",
        root().attribute("body"),
        "the planned value is not the configured one",
    );
    found.evidence.allowed = vec![said("configuration", value!(x.as_str()))];
    found.evidence.actual = Some(said("planned state", value!(y.as_str())));
    found.evidence.objects = vec![
        said("prior state", value!(null)),
        said("configuration", value!({ "body": (x.as_str()) })),
        said("planned state", value!({ "body": (y.as_str()) })),
    ]
    .into();
    let now = vec![tree(value!({ "body": (x.as_str()) }))];
    found.evidence.trigger = Arc::new(Trigger { now, ..Trigger::default() });
    group(&PRESERVES, 1, found)
}

/// A sensitive attribute: values are masked before they get here.
pub fn sensitive_finding() -> Group {
    let mut found = found(
        "acme_user",
        2,
        Phase::Create,
        "ApplyResourceChange",
        root().attribute("password"),
        "the new value is not the planned one",
    );
    found.evidence.allowed = vec![("planned state".to_owned(), Tree::leaf(SENSITIVE))];
    found.evidence.actual = Some(("new state".to_owned(), Tree::leaf(SENSITIVE)));
    let member = |name: &str, tree: Tree| (name.to_owned(), tree);
    let user = Tree::Object(vec![member("name", Tree::leaf("1")), member("password", Tree::leaf(SENSITIVE))]);
    found.evidence.objects =
        vec![("planned state".to_owned(), user.clone()), ("new state".to_owned(), user)].into();
    group(&PRESERVES, 1, found)
}

/// A panic, from a provider that tries to colour our terminal.
pub fn crash_finding() -> Group {
    let mut found = found(
        "acme_disk",
        1,
        Phase::PlanUnknown,
        "PlanResourceChange",
        root(),
        "the provider process ended (exit status 2): panic: runtime error: invalid memory address or nil pointer \
         dereference in main.(*disk).ModifyPlan at /src/disk.go:71; a fresh process ended in the same call",
    );
    found.evidence.stderr = "starting\nlistening\n\u{1b}[31mpanic: runtime error: invalid memory address or nil pointer \
        dereference\u{1b}[0m\n\ngoroutine 42 [running]:\nmain.(*disk).ModifyPlan(0xc000123456)\n\t/src/disk.go:71 \
        +0x1d\nmain.(*server).PlanResourceChange(0xc000123456)\n\t/src/server.go:12 +0x1d\ngoogle.golang.org/grpc.(*Server).handleStream\ncreated by main\n"
        .to_owned();
    let mut group = group(&ANSWERS, 1, found);
    group.cause = Masked::sample("main.(*disk).ModifyPlan".to_owned());
    group
}

pub fn tolerated_finding() -> Group {
    let mut found = found(
        "acme_legacy",
        1,
        Phase::Create,
        "PlanResourceChange",
        root().attribute("note"),
        "planned all the same",
    );
    found.evidence.allowed = vec![said("configuration", value!(null))];
    found.evidence.actual = Some(said("planned state", value!("")));
    group_at(&STAYS, Level::Tolerated, 1200, found)
}

/// Not about a type.
pub fn advice_finding() -> Group {
    let first = Occurrence {
        phase: Some(Phase::Start),
        exchange: 1,
        rpc: "GetProviderSchema".to_owned(),
        rerun: "tfconform check ./terraform-provider-acme".to_owned(),
        ..Occurrence::default()
    };
    let evidence = Evidence { message: "no description".to_owned(), ..Evidence::default() };
    let found = Found { first, path: root(), evidence };
    group(&DESCRIBES, 1, found)
}

pub fn sdk_finding() -> Group {
    let mut group = plan_finding();
    group.reason = Some(Reason::Sdk("plugin-go/large-whole-numbers".to_owned()));
    group
}

pub fn known_finding() -> Group {
    let mut group = plan_finding();
    group.reason = Some(Reason::Known("fixed in the next release".to_owned()));
    group
}

fn line(kind: Kind, type_name: &str, refused: u64, reached: Reached) -> TypeLine {
    TypeLine { kind, type_name: type_name.to_owned(), scenarios: 20, refused, reached }
}

/// The calls of a step.
pub fn calls() -> Vec<ShownCall> {
    let call = |number, rpc: &str| ShownCall {
        number,
        phase: Phase::Create,
        instance: "acme_bucket.a".to_owned(),
        rpc: rpc.to_owned(),
        asked: vec![("configuration".to_owned(), tree(value!({ "name": "a", "size": unknown })))],
        answered: Vec::new(),
        said: Vec::new(),
    };
    let planned = tree(value!({ "name": "a", "size": 3, "note": "a note that is too long for such a line" }));
    vec![
        ShownCall { answered: vec![("planned state".to_owned(), planned)], ..call(4, "PlanResourceChange") },
        ShownCall { said: vec!["error: no such disk".to_owned()], ..call(5, "ApplyResourceChange") },
    ]
}

/// A report with these findings; all of its types were played to the end.
pub fn report(groups: Vec<Group>) -> Report {
    let all = Reached { validated: true, planned: true, applied: true, read: false };
    let data = Reached { validated: true, read: true, ..Reached::default() };
    let managed = [
        "acme_bucket",
        "acme_certificate_authority_with_a_long_name",
        "acme_disk",
        "acme_legacy",
        "acme_old",
        "acme_user",
    ];
    let per_type = managed
        .iter()
        .map(|name| line(Kind::Resource, name, 0, all))
        .chain([line(Kind::DataSource, "acme_bucket", 0, data)])
        .collect();
    let mut report = Report {
        run: RunLine {
            shard: None,
            provider: "acme".to_owned(),
            program: "./terraform-provider-acme".to_owned(),
            protocol: 6,
            engine: "terraform".to_owned(),
            seed: 24301,
            cases: crate::generate::Cases::Number(20),
            applied: true,
            fail_on: Level::Must,
            policy: Policy::default(),
            modules: Modules::default(),
            types_digest: "5ca1ab1e5ca1ab1e".to_owned(),
        },
        per_type,
        ..Report::default()
    };
    let rules = [&PRESERVES, &ANSWERS, &STAYS, &DESCRIBES, &IDLE];
    report.totals = Totals {
        types: Types::of(&report.per_type),
        scenarios: 120,
        exchanges: 2160,
        wall: Duration::from_millis(4_250),
        parts: Parts {
            search: Duration::from_millis(500),
            play: Duration::from_secs(3),
            confirm: Duration::from_millis(200),
            shrink: Duration::from_millis(300),
        },
        provider_cpu: Some(Duration::from_millis(6_500)),
        harness_cpu: Duration::from_millis(750),
        provider_peak_memory: Some(41 << 20),
        harness_peak_memory: (22 << 20) + 1,
        ..Totals::default()
    };
    for rule in rules {
        let pass = if rule.id == IDLE.id { 0 } else { 100 };
        report.totals.rules.insert(rule.id.to_owned(), Tally { pass, not_applicable: 7, ..Tally::default() });
    }
    for group in &groups {
        *report.totals.findings.entry(group.level).or_default() += group.count;
        report.totals.rules.entry(group.rule.id.to_owned()).or_default().fail += group.count;
    }
    report.groups = groups;
    report
}

/// Every kind of finding at once.
pub fn everything() -> Report {
    report(vec![
        crash_finding(),
        plan_finding(),
        about("acme_disk", plan_finding()),
        long_finding(),
        sensitive_finding(),
        tolerated_finding(),
        about("acme_old", tolerated_finding()),
        advice_finding(),
    ])
}

/// A provider that was not applied and refuses most configurations.
pub fn refused() -> Report {
    let mut report = report(Vec::new());
    report.run.applied = false;
    report.per_type = (0..60)
        .map(|idx| {
            let reached = Reached { validated: idx >= 50, planned: idx >= 55, ..Reached::default() };
            line(Kind::Resource, &format!("acme_t{idx:02}"), if idx < 55 { 20 } else { 3 }, reached)
        })
        .collect();
    report.totals.types = Types::of(&report.per_type);
    report.totals.scenarios = report.per_type.iter().map(|line| line.scenarios).sum();
    for (idx, line) in report.per_type.iter().enumerate() {
        let (rpc, message) = match idx {
            0..40 => (
                Rpc::ValidateResourceConfig,
                format!("Missing required argument: The argument \"arg{idx}\" is required"),
            ),
            40..50 => (
                Rpc::ValidateResourceConfig,
                format!("Invalid value {}: \u{1b}[1mno\u{1b}[0m", ["a", "b", "c", "d", "e"][idx % 5]),
            ),
            50..55 => (
                Rpc::PlanResourceChange,
                format!("{} has no such region\nwith a second line", line.type_name),
            ),
            _ => continue,
        };
        let type_name = line.type_name.clone();
        report.refusals.push(Refusal {
            kind: line.kind,
            type_name,
            rpc: Some(rpc),
            message,
            by_engine: false,
            scenarios: 20,
        });
    }
    let reason = "the provider was not applied";
    report.inconclusive.entry(PRESERVES.id.to_owned()).or_default().insert(reason.to_owned(), 1200);
    report.inconclusive.entry(STAYS.id.to_owned()).or_default().insert(reason.to_owned(), 60);
    report.coverage = coverage();
    let why = "nothing was applied or read: the kernel refuses new namespaces".to_owned();
    report.notes.push(why.clone());
    report.nothing_applied = Some(why);
    report
}

/// What became of the obligations of two types.
fn coverage() -> Coverage {
    let counts = |accepted| Counts { accepted, refused: 12, infeasible: 2, blocked: 3, unplayed: 1 };
    let blocked = Unmet {
        outcome: Outcome::Blocked,
        reason: "CreateServer: quota \"…\" exceeded".to_owned(),
        count: 3,
        obligations: vec!["name: changed".to_owned(), "tags: emptied".to_owned(), "tags: grown".to_owned()],
    };
    let behaviours = |questions| {
        let is_refused = questions >= 40;
        let behaved = |became, reason: &str| Behaved { became, reason: reason.to_owned() };
        let replaced = match is_refused {
            true => behaved(Became::Refused, "CreateServer: quota \"…\" exceeded"),
            false => behaved(Became::Accepted, ""),
        };
        let imported = behaved(Became::Infeasible, "it declares no identity");
        [("replace/forced", replaced), ("import/by-identity", imported)]
            .into_iter()
            .map(|(name, behaved)| (name.to_owned(), behaved))
            .collect()
    };
    let of_type = |type_name: &str, kind, questions, accepted| TypeCoverage {
        kind,
        type_name: type_name.to_owned(),
        learning: Some(Learning {
            accepted: questions < 40,
            questions,
            arguments: 20,
            arguments_accepted: 19,
        }),
        themes: BTreeMap::from([(Theme::Set, counts(accepted)), (Theme::Value, counts(accepted / 2))]),
        behaviours: behaviours(questions),
        unmet: vec![blocked.clone()],
    };
    let types = vec![
        of_type("acme_thing1", Kind::Resource, 3, 1200),
        of_type("acme_thing2", Kind::Resource, 40, 0),
        of_type("acme_thing3", Kind::DataSource, 1, 20),
    ];
    Coverage { types, never_met: BTreeSet::from(["emoji".to_owned(), "2^63".to_owned()]) }
}

/// A change of a snapshot; `lines` of its text differ.
fn change(kind: ChangeKind, name: &str, lines: usize) -> Change {
    let text = |size: usize| {
        let line =
            |idx: usize| if idx < lines { format!("  size{idx} = {size}\n") } else { format!("  {idx}\n") };
        format!("# acme\n\nplanned: {{\n{}}}", (0..lines + 9).map(line).collect::<String>())
    };
    let about = |seed: u64| format!("{name}, seed {seed}, as terraform plays it, applied");
    let (mut texts, mut abouts) = ([text(1), text(2)], [about(1), about(1)]);
    match kind {
        ChangeKind::New => (texts[0], abouts[0]) = Default::default(),
        ChangeKind::Changed => abouts[1] = about(7),
        ChangeKind::Removed => (texts[1], abouts[1]) = Default::default(),
    }
    Change { kind, file: PathBuf::from(format!("snapshots/{name}.snap")), about: abouts, texts }
}

/// Snapshots of every kind.
pub fn snapshots() -> Report {
    let changes = vec![
        change(ChangeKind::New, "acme_bucket", 1),
        change(ChangeKind::Changed, "acme_disk", 40),
        change(ChangeKind::Removed, "acme_old", 1),
    ];
    let unchanged = vec![PathBuf::from("snapshots/provider.snap")];
    Report { snapshots: Some(Snapshots { unchanged, changes, accepted: false }), ..report(vec![]) }
}

/// The same, accepted.
pub fn accepted() -> Report {
    let mut report = snapshots();
    report.snapshots.as_mut().expect("there are some").accepted = true;
    report
}
