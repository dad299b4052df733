mod planted;

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;

use super::*;
use crate::judge::{Judgement, Settings, verdicts};
use crate::rule::example;
use crate::rules::CATALOGUE;
use crate::scenario::{Arguments, Block, EngineRun, Operation, ResourceAddress};
use crate::schema::Kind;
use crate::transcript::AnyCall;

fn written(transcript: &Transcript) -> String {
    let mut out = Vec::new();
    let masker = Masker::new(vec!["named secret".to_owned()]);
    let (judgement, settings) = (Judgement::default(), RunSettings::default());
    write(&mut out, &MaskedJudgement::new(&masker, transcript, &judgement, &settings), None).unwrap();
    String::from_utf8(out).unwrap()
}

fn read_back(text: &str) -> Recorded {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), text).unwrap();
    read(file.path()).unwrap()
}

#[test]
fn a_written_transcript_is_judged_as_the_live_one() {
    let transcript = example::lifecycle();
    let recorded = read_back(&written(&transcript));
    let verdicts = |transcript: &Transcript| verdicts(CATALOGUE, transcript, &Settings::default());
    assert_eq!(verdicts(&recorded.transcript), verdicts(&transcript));
}

#[test]
fn a_case_holds_the_schema_of_every_block() {
    let mut transcript = example::lifecycle();
    // The run ended before the block was asked about.
    transcript.exchanges.clear();
    let schema = transcript.subject.resource(example::THING).unwrap();
    let address = ResourceAddress::new(Kind::Resource, example::THING, "a");
    let block = Block::new(address, Arguments::known(schema.empty_value()));
    let run = EngineRun::new(Operation::Plan, vec![block]);
    let scenario = Masked::sample(Scenario::new(ScenarioLabel::default(), vec![run]));
    let kept_for = Masked::sample(KeptFor {
        rule: "plan/conforms".to_owned(),
        path: String::new(),
        cause: String::new(),
        answered: String::new(),
        found: None,
    });
    let (masker, origin) = (Masker::new(Vec::new()), Origin::default());
    let (judgement, settings) = (Judgement::default(), RunSettings::default());
    let case = Case { scenario: &scenario, kept_for: &kept_for, origin: &origin };
    let mut out = Vec::new();
    write(&mut out, &MaskedJudgement::new(&masker, &transcript, &judgement, &settings), Some(case)).unwrap();
    let recorded = read_back(&String::from_utf8(out).unwrap());
    assert!(recorded.transcript.subject.resource(example::THING).is_some());
}

#[test]
fn a_written_transcript_holds_no_secret() {
    let mut transcript = example::lifecycle();
    if let AnyCall::ValidateResourceConfig(call) = &mut transcript.exchanges[5].call {
        call.outcome = Ok(crate::transcript::DiagnosticsResponse {
            diagnostics: vec![crate::transcript::Diagnostic::error(
                "named secret",
                "it was once a named secret",
            )],
        });
    }
    let text = written(&transcript);
    let mut encodings = vec![text.clone()];
    // Values travel as base64 of their bytes: look inside.
    for piece in text.split('"') {
        encodings.extend(STANDARD.decode(piece).map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
    }
    let secret = example::SECRET;
    for encoding in encodings {
        assert!(!encoding.contains(secret) && !encoding.contains("named secret"), "{encoding}");
    }
}

#[test]
fn a_key_that_anybody_can_read_is_played_again_as_it_is() {
    let masker = Masker::new(Vec::new());
    let (to_play, to_judge) = (masker.secrets_to_play([].into()), masker.secrets(&example::lifecycle()));
    let keys: Vec<String> = crate::generate::published_keys().collect();
    assert!(keys.iter().any(|key| key.contains("PRIVATE KEY")), "{keys:?}");
    for key in keys {
        assert_eq!(to_play.token(&key), key);
        assert!(to_judge.token(&key).starts_with("secret-"));
        let other = key.replacen('M', "N", 1);
        assert!(to_play.token(&other).starts_with("secret-"));
    }
}

#[test]
fn a_file_that_is_not_a_transcript_is_named_with_its_line() {
    let file = tempfile::NamedTempFile::new().unwrap();
    std::fs::write(file.path(), "{\"tfconform\":\n").unwrap();
    let error = read(file.path()).unwrap_err().to_string();
    assert!(error.contains(":1: this is not a transcript"), "{error}");
    std::fs::write(file.path(), "").unwrap();
    assert!(read(file.path()).unwrap_err().to_string().contains("the file is empty"));
}

#[test]
fn people_read_the_same_words_for_every_secret() {
    let masker = Masker::new(vec!["tok\"en".to_owned(), "token".to_owned(), "abc".to_owned()]);
    let shown = |text: &str| masker.shown(text).into_inner();
    assert_eq!(shown("a token, and tok\"en"), "a (sensitive value), and (sensitive value)");
    // As Go's `%q` and JSON write it.
    assert_eq!(shown(r#"token: "tok\"en""#), r#"(sensitive value): "(sensitive value)""#);
    // Three letters are a secret only as a whole value; elsewhere they match by chance.
    assert_eq!((shown("abc"), shown("abcd")), ("(sensitive value)".to_owned(), "abcd".to_owned()));
    assert_eq!(shown("value"), "value");
}

#[test]
fn what_a_process_writes_may_tell_of_another_scenario() {
    let transcript = example::lifecycle();
    let masker = Masker::new(Vec::new());
    let said = format!("panic: {}", example::SECRET);
    assert_eq!(*masker.shown(&said), said);
    for exchange in &transcript.exchanges {
        masker.learn(&exchange.call, &transcript.subject);
    }
    assert_eq!(*masker.shown(&said), "panic: (sensitive value)");
    let output = format!("{said}\n").repeat(20_000);
    let shown = masker.shown_output(&output).into_inner();
    let (first, rest) = shown.split_once('\n').unwrap();
    assert!("panic: (sensitive value)".ends_with(first), "{first}");
    assert_eq!(rest.replace("panic: (sensitive value)\n", ""), "");
}
