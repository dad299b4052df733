//! Secrets that a provider spills are written nowhere: every place × every form × every output.
//!
//! Every secret text contains the word [`CANARY`], which is looked for in every form. The provider's messages
//! about them begin with a marker, so that a trial also fails if those messages are not written at all.

use std::path::Path;
use std::process::Command;
use std::{env, fs};

use base64::Engine as _;
use base64::alphabet::STANDARD;
use base64::engine::{DecodePaddingMode, GeneralPurpose, GeneralPurposeConfig};
use libtest_mimic::Trial;

use super::{Folder, Ran, leaky, suites, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("secrets/in_reports_cases_and_snapshots", in_reports),
        trial("secrets/in_a_trial", in_trial),
        trial("secrets/in_what_is_said_about_the_configuration", in_configure),
    ]
}

const CANARY: &str = "canary-";
const TOKEN: &str = "canary-token-4711";
const ENDPOINT: &str = "https://canary-endpoint.example?a=b&c=d";
const PASSWORD: &str = "canary-password-0815";
/// A number in the provider's configuration.
const TENANT: u32 = 660_117_449;

/// A suite of the provider in which every secret is set.
// Cases stay as they were found: smaller ones do not have every form.
fn suite(args: &[&str]) -> String {
    let own = env::current_exe().unwrap().to_str().unwrap().to_owned();
    let command: Vec<String> =
        [&own, leaky::WORD].into_iter().chain(args.iter().copied()).map(String::from).collect();
    let mut text = format!(
        "[provider]\ncommand = {command:?}\n\
         config = {{ token = {{ secret_env = \"TOKEN\" }}, endpoint = {{ secret_env = \"ENDPOINT\" }}, tenant = {TENANT} }}\n\
         [run]\ncases = 2\napply = true\nshrink = 0\n",
    );
    for leak in leaky::TYPES {
        text += &format!("[resource.leaky_{leak}.attr]\npassword = {{ values = [{PASSWORD:?}] }}\n");
        text += &format!("account = {{ values = [{}] }}\n", leaky::ACCOUNT);
    }
    text
}

fn run(folder: &Folder, command: &mut Command) -> Ran {
    folder.run(command.env("TOKEN", TOKEN).env("ENDPOINT", ENDPOINT))
}

fn check(folder: &Folder, provider: &[&str], options: &[&str]) -> Ran {
    folder.file("suites/acme.toml", &suite(provider));
    let mut check = folder.command(super::PROGRAM);
    check.args(["check", "--suite", "suites/acme.toml", "--strict", "-vv"]).args(options);
    run(folder, &mut check)
}

/// The markers of these types.
fn markers<'l>(leaks: &'l [&'l str]) -> impl Iterator<Item = String> {
    leaks.iter().map(|leak| format!("leak-{leak}"))
}

#[track_caller]
fn assert_spilled(text: &str, what: &str, leaks: &[&str]) {
    for marker in markers(leaks) {
        assert!(text.contains(&marker), "{marker} is missing from {what}:\n{text}");
    }
}

fn in_reports() {
    let folder = Folder::new();
    let formats = ["json", "junit", "sarif", "html", "markdown"];
    let reports = formats.map(|format| format!("--report={format}=reports/{format}"));
    let mut options = vec!["--transcripts", "out", "--snapshots", "shown", "--accept"];
    options.extend(reports.iter().map(String::as_str));
    let ran = check(&folder, &[], &options);
    clean(&ran);
    let mut written_reports = vec![("human", ran.out)];
    for format in formats {
        let report = fs::read_to_string(folder.path(&format!("reports/{format}"))).unwrap();
        assert_clean(&report);
        written_reports.push((format, report));
    }
    for (format, report) in written_reports {
        // Private data and objects that do not decode are not shown; they are only kept. People see few values.
        let mut shown = vec!["panic", "refusal", "status", "warning"];
        // Results for code scanning have no objects.
        shown.extend((format != "sarif").then_some("key"));
        assert_spilled(&report, format, &shown);
    }
    for place in ["out", ".tfconform"] {
        let written = written(&folder.path(place));
        let kept = leaky::TYPES
            .iter()
            .copied()
            .filter(|leak| place == "out" || !matches!(*leak, "refusal" | "path" | "private"));
        assert_spilled(&written, place, &kept.collect::<Vec<_>>());
        assert!(written.contains("secret-"), "no token stands in the files");
        assert_clean(&written);
    }
    let snapshots = written(&folder.path("shown"));
    assert_spilled(&snapshots, "the snapshots", &["key", "panic", "refusal", "status", "value", "warning"]);
    assert_clean(&snapshots);
}

fn in_trial() {
    let folder = Folder::new();
    folder.file("suites/acme.toml", &suite(&[]));
    let mut play = folder.command(env::current_exe().unwrap());
    play.env(suites::FOLDER, folder.path("suites")).env("TFCONFORM_PROGRAM", super::PROGRAM);
    let ran = run(&folder, &mut play);
    assert_spilled(&ran.out, "the trials", &["key", "panic", "refusal", "status", "value"]);
    clean(&ran);
    let written = written(&folder.path("target"));
    assert_spilled(&written, "the cases", &["garbled", "key", "panic", "status", "value"]);
    assert_clean(&written);
}

fn in_configure() {
    let folder = Folder::new();
    let ran = check(&folder, &[leaky::CONFIGURE], &[]);
    let said = ran.unwrapped();
    assert!(said.contains("ConfigureProvider failed: leak-configure"), "{}\n{}", ran.out, ran.err);
    clean(&ran);
}

#[track_caller]
fn clean(ran: &Ran) {
    assert_clean(&ran.out);
    assert_clean(&ran.err);
}

/// Expects no secret in any form, also not behind base64: values and opaque bytes travel so.
#[track_caller]
fn assert_clean(text: &str) {
    let lower = text.to_lowercase();
    let hex: String = CANARY.bytes().map(|byte| format!("{byte:02x}")).collect();
    let numbers = [TENANT, leaky::ACCOUNT].map(|number| number.to_string());
    for word in [CANARY, &hex].into_iter().chain(numbers.iter().map(String::as_str)) {
        if let Some(at) = lower.find(word) {
            panic!("{word} stands in …{}…", &lower[..at + 60.min(lower.len() - at)]);
        }
    }
    // The digits between those that depend on what is around.
    for base64 in ["Y2FuYXJ5", "NhbmFye", "jYW5hcn"] {
        assert!(!text.contains(base64), "{base64} stands in {text}");
    }
    for number in [TENANT, leaky::ACCOUNT] {
        let bytes: String = number.to_be_bytes().map(char::from).iter().collect();
        assert!(!text.contains(&bytes), "{number} is in the bytes");
    }
}

/// Every file below a folder as text, and again with all base64 decoded, a character for each byte.
fn written(folder: &Path) -> String {
    let lenient = GeneralPurposeConfig::new().with_decode_padding_mode(DecodePaddingMode::Indifferent);
    let base64 = GeneralPurpose::new(&STANDARD, lenient);
    let mut all = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all += &written(&path);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let decoded = text.split('"').filter_map(|piece| base64.decode(piece).ok());
        all.extend(decoded.map(|bytes| bytes.into_iter().map(char::from).collect::<String>() + "\n"));
        all += &text;
    }
    all
}
