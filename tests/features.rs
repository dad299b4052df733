//! The test providers have every feature that a rule may meet.
//!
//! A feature that no provider has is never judged, and a rule that is not exercised looks like one that
//! passes. The schema shows some features; others show only in what a provider does, and are looked for
//! in the transcripts of a run. The Go modules' own tests, with `terraform` if it is on the machine, cover
//! import and upgrades from older versions once more. They take a minute or two to compile, so they run with
//! `TFCONFORM_GO_TESTS=all`.

use std::collections::BTreeMap;
use std::path::{Path, PathBuf};
use std::process::{Command, ExitCode};
use std::sync::Arc;

use libtest_mimic::{Arguments, Failed, Trial};
use tfconform::record;
use tfconform::report::{Exit, human};
use tfconform::schema::{Attribute, Block, NestedBlock, Nesting, Schema};
use tfconform::session;
use tfconform::suite::{Located, Suite, locate};
use tfconform::transcript::{AnyCall, DriftKind, Exchange, Purpose};
use tfconform::value::{Data, Number, Type, Value};

/// A resource type, and what it did.
struct Subject {
    schema: Arc<Schema>,
    has_identity: bool,
    exchanges: Vec<Exchange>,
}

type Feature = (&'static str, fn(&Subject) -> bool);

const BOTH: &[Feature] = &[
    ("a list block", |s| has_block(s, |block| block.nesting == Nesting::List)),
    ("a set block", |s| has_block(s, |block| block.nesting == Nesting::Set)),
    ("a block in a block", |s| has_block(s, |block| !block.block.block_types.is_empty())),
    ("a set of objects with optional and computed members", has_set_with_computed_members),
    ("a map", |s| has_type(s, |ty| matches!(ty, Type::Map(_)))),
    ("a number with a fraction", |s| answers(s, |number| !number.is_integer())),
    ("a number beyond 64 bits of floating point", |s| {
        answers(s, |number| {
            number.is_integer() && number.to_i64().is_none_or(|number| number.abs() > 1 << 53)
        })
    }),
    ("a sensitive attribute", |s| has_attribute(s, |attribute| attribute.sensitive)),
    ("a default", |s| s.exchanges.iter().any(fills_what_nobody_configured)),
    ("a spelling that does not matter", |s| s.exchanges.iter().any(keeps_the_form)),
    ("a path that requires replacement", |s| s.exchanges.iter().any(requires_replacement)),
    ("timeouts", |s| {
        let block = &s.schema.block;
        block.block_type("timeouts").is_some() || block.attribute("timeouts").is_some()
    }),
    ("a version of 2 or more", |s| s.schema.version >= 2),
    ("private data", |s| s.exchanges.iter().any(returns_private_data)),
];

/// The nesting modes that only some SDKs can declare.
const REFERENCE: &[Feature] = &[
    ("a single block", |s| has_block(s, |block| block.nesting == Nesting::Single)),
    ("a group block", |s| has_block(s, |block| block.nesting == Nesting::Group)),
    ("a map block", |s| has_block(s, |block| block.nesting == Nesting::Map)),
];

const SIX: &[Feature] = &[
    ("a single attribute", |s| has_nested(s, Nesting::Single)),
    ("a list attribute", |s| has_nested(s, Nesting::List)),
    ("a set attribute", |s| has_nested(s, Nesting::Set)),
    ("a map attribute", |s| has_nested(s, Nesting::Map)),
    ("a write-only attribute", |s| has_attribute(s, |attribute| attribute.write_only)),
    ("an identity", |s| s.has_identity),
    ("a dynamic attribute", |s| has_type(s, |ty| *ty == Type::Dynamic)),
];

/// Scenarios of each type: enough for drift that only changes the spelling to have its turn.
const CASES: usize = 20;

/// Modules of `tests/providers` with tests of their own.
const MODULES: [&str; 5] = ["framework", "sdkv2", "mux", "zoosdk", "zoofw"];

fn has_block(subject: &Subject, holds: fn(&NestedBlock) -> bool) -> bool {
    fn any(block: &Block, holds: fn(&NestedBlock) -> bool) -> bool {
        block.block_types.iter().any(|nested| holds(nested) || any(&nested.block, holds))
    }
    any(&subject.schema.block, holds)
}

fn has_attribute(subject: &Subject, holds: impl Fn(&Attribute) -> bool) -> bool {
    subject.schema.block.any_attribute(&holds)
}

fn has_type(subject: &Subject, holds: impl Fn(&Type) -> bool) -> bool {
    has_attribute(subject, |attribute| attribute.nested_attributes().is_none() && holds(&attribute.ty()))
}

fn has_nested(subject: &Subject, nesting: Nesting) -> bool {
    has_attribute(subject, |attribute| {
        attribute.nested_attributes().is_some_and(|nested| nested.nesting == nesting)
    })
}

fn has_set_with_computed_members(subject: &Subject) -> bool {
    let both = |attribute: &Attribute| attribute.optional && attribute.computed;
    has_attribute(subject, |attribute| {
        attribute
            .nested_attributes()
            .is_some_and(|nested| nested.nesting == Nesting::Set && nested.attributes.iter().any(both))
    }) || has_block(subject, |nested| {
        nested.nesting == Nesting::Set
            && nested.block.attributes.iter().any(|attribute| attribute.optional && attribute.computed)
    })
}

/// Whether a new state holds such a number.
fn answers(subject: &Subject, holds: impl Fn(&Number) -> bool) -> bool {
    subject.exchanges.iter().any(|exchange| {
        let AnyCall::ApplyResourceChange(call) = &exchange.call else { return false };
        let Some(state) = call.outcome.as_ref().ok().and_then(|answer| answer.new_state.value()) else {
            return false;
        };
        let mut found = false;
        state.walk(&mut |_, value| {
            found |= matches!(value.data(), Data::Number(number) if holds(number));
            true
        });
        found
    })
}

/// Whether a planned create has a value that the configuration leaves out.
fn fills_what_nobody_configured(exchange: &Exchange) -> bool {
    let AnyCall::PlanResourceChange(call) = &exchange.call else { return false };
    let Ok(answer) = &call.outcome else { return false };
    let prior = call.request.prior_state.value();
    let (Some(config), Some(planned)) = (call.request.config.value(), answer.planned_state.value()) else {
        return false;
    };
    prior.is_some_and(Value::is_null)
        && !planned.is_null()
        && config.attributes().any(|(name, configured)| {
            let planned = planned.member(name);
            configured.is_null() && planned.ty().is_primitive() && !planned.is_null() && !planned.is_unknown()
        })
}

/// Whether a read returns the state unchanged although the object is now spelled differently.
fn keeps_the_form(exchange: &Exchange) -> bool {
    let Purpose::AfterDrift(drift) = &exchange.purpose else { return false };
    let AnyCall::ReadResource(call) = &exchange.call else { return false };
    drift.kind == DriftKind::Respell
        && call.outcome.as_ref().is_ok_and(|answer| {
            let state = answer.new_state.value();
            state.is_some_and(|state| !state.is_null()) && state == call.request.current_state.value()
        })
}

fn requires_replacement(exchange: &Exchange) -> bool {
    let AnyCall::PlanResourceChange(call) = &exchange.call else { return false };
    call.outcome.as_ref().is_ok_and(|answer| !answer.requires_replace.is_empty())
}

fn returns_private_data(exchange: &Exchange) -> bool {
    match &exchange.call {
        AnyCall::PlanResourceChange(call) => {
            call.outcome.as_ref().is_ok_and(|answer| !answer.planned_private.is_empty())
        }
        AnyCall::ApplyResourceChange(call) => {
            call.outcome.as_ref().is_ok_and(|answer| !answer.private.is_empty())
        }
        _ => false,
    }
}

/// Plays a suite, and reads its transcripts; by resource type.
fn subjects(name: &str) -> Result<BTreeMap<String, Subject>, Failed> {
    let folder = tempfile::tempdir()?;
    let file = repository().join("suites").join(format!("{name}.toml"));
    let mut suite = Suite::read(&file)?;
    suite.run.cases = tfconform::generate::Cases::Number(CASES);
    suite.run.transcripts = Some(folder.path().to_owned());
    let outcome = session::play_trial(&suite, None)?;
    if outcome.exit != Exit::Conforms {
        let report = human::print(&outcome.report, outcome.exit, &human::Style::default());
        return Err(report.into());
    }
    let mut subjects: BTreeMap<String, Subject> = BTreeMap::new();
    for entry in std::fs::read_dir(folder.path().join(name).join("provider"))? {
        let transcript = record::read(&entry?.path())?.transcript;
        let type_name = transcript.scenario.type_name.clone();
        let Some(schema) = transcript.subject.resource(&type_name).cloned() else { continue };
        let has_identity = transcript.subject.identity(&type_name).is_some();
        let subject = subjects.entry(type_name).or_insert_with(|| Subject {
            schema,
            has_identity,
            exchanges: Vec::new(),
        });
        subject.exchanges.extend(transcript.exchanges);
    }
    Ok(subjects)
}

fn has_all(suite: &str, features: &[&[Feature]]) -> Result<(), Failed> {
    let subjects = subjects(suite)?;
    let missing: Vec<&str> = features
        .iter()
        .copied()
        .flatten()
        .filter(|(_, has)| !subjects.values().any(has))
        .map(|(name, _)| *name)
        .collect();
    if missing.is_empty() { Ok(()) } else { Err(format!("no type has {}", missing.join(", or ")).into()) }
}

fn provider(suite: &'static str, features: &'static [&'static [Feature]]) -> Trial {
    let file = repository().join("suites").join(format!("{suite}.toml"));
    let located = Suite::read(&file).map(|suite| locate(&suite.provider, &repository()));
    let missing = match located {
        Ok(Located::Missing { why }) => Some(why),
        _ => None,
    };
    let is_missing = missing.is_some();
    Trial::test(suite, move || has_all(suite, features))
        .with_kind(missing.unwrap_or_default())
        .with_ignored_flag(is_missing)
}

fn repository() -> PathBuf {
    Path::new(env!("CARGO_MANIFEST_DIR")).to_owned()
}

fn is_installed(program: &str) -> bool {
    Command::new(program).arg("version").output().is_ok_and(|output| output.status.success())
}

/// A Go module's own tests.
fn module(name: &'static str) -> Trial {
    let missing = match std::env::var_os("TFCONFORM_GO_TESTS") {
        None => Some("TFCONFORM_GO_TESTS=all runs it"),
        Some(_) => (!is_installed("go")).then_some("needs Go"),
    };
    let body = move || {
        let mut command = Command::new("go");
        // With the flags that the providers are built with, so that nothing is compiled twice.
        command
            .args(["test", "-trimpath", "-vet=off", "./..."])
            .current_dir(repository().join("tests/providers").join(name));
        if is_installed("terraform") {
            command.env("TF_ACC", "1").env("CHECKPOINT_DISABLE", "1");
        }
        let output = command.output()?;
        let said = [output.stdout, output.stderr].concat();
        if output.status.success() { Ok(()) } else { Err(String::from_utf8_lossy(&said).into_owned().into()) }
    };
    Trial::test(format!("go/{name}"), body)
        .with_kind(missing.unwrap_or_default())
        .with_ignored_flag(missing.is_some())
}

fn main() -> ExitCode {
    if let Some(code) = tfconform::role::play_if_asked() {
        return code;
    }
    // The modules take longest, and mostly wait for `terraform`.
    let mut trials: Vec<Trial> = MODULES.map(module).into();
    trials.extend([
        provider("reference", &[BOTH, REFERENCE, SIX]),
        provider("reference-5", &[BOTH, REFERENCE]),
        provider("fwfix", &[BOTH, SIX]),
        provider("sdkfix", &[BOTH]),
    ]);
    let mut arguments = Arguments::from_args();
    arguments.test_threads.get_or_insert(2 * std::thread::available_parallelism().map_or(2, usize::from));
    libtest_mimic::run(&arguments, trials).exit_code()
}
