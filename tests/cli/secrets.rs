//! Secrets that a provider spills are written nowhere.
//!
//! Every secret contains the word [`CANARY`]. The provider's messages about them begin with a marker, so
//! that a trial also fails if those messages are not written at all.

use std::path::Path;
use std::{env, fs};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use libtest_mimic::Trial;

use super::{Folder, Ran, leaky, suites, trial};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("secrets/in_a_value", || everywhere("value", "leak-value")),
        trial("secrets/in_a_refusal", || everywhere("refusal", "leak-refusal")),
        trial("secrets/in_a_status", || everywhere("status", "leak-status")),
        trial("secrets/in_a_panic_and_on_stderr", || everywhere("panic", "leak-stderr")),
        trial("secrets/in_what_is_said_about_the_configuration", in_configure),
    ]
}

const CANARY: &str = "canary-";
const TOKEN: &str = "canary-token-4711";
const ENDPOINT: &str = "https://canary-endpoint.example";
const PASSWORD: &str = "canary-password-0815";

/// The command line of the provider.
fn command(leak: &str) -> Vec<String> {
    let own = env::current_exe().unwrap().to_str().unwrap().to_owned();
    vec![own, leaky::WORD.to_owned(), leak.to_owned()]
}

fn check(folder: &Folder, leak: &str, format: &str) -> Ran {
    folder.file("provider.hcl", &format!("provider \"leaky\" {{\n  token = \"{TOKEN}\"\n}}\n"));
    let mut check = folder.command(super::PROGRAM);
    check.args(["check", "--apply", "--cases", "4", "-v", "--config", "provider.hcl"]);
    check.args(["--transcripts", "out", "--format", format, "--"]).args(command(leak));
    folder.run(&mut check)
}

fn suite(folder: &Folder, leak: &str) -> Ran {
    let text = format!(
        "[provider]\ncommand = {:?}\n\
         config = {{ token = {{ secret_env = \"TOKEN\" }}, endpoint = {{ secret_env = \"ENDPOINT\" }} }}\n\
         [run]\ncases = 4\napply = true\n\
         [resource.leaky_{leak}.attr]\npassword = {{ values = [{PASSWORD:?}] }}\n",
        command(leak),
    );
    folder.file("suites/acme.toml", &text);
    let mut play = folder.command(env::current_exe().unwrap());
    play.env(suites::FOLDER, folder.path("suites")).env("TFCONFORM_PROGRAM", super::PROGRAM);
    folder.run(play.env("TOKEN", TOKEN).env("ENDPOINT", ENDPOINT))
}

fn everywhere(leak: &str, marker: &str) {
    for format in ["human", "json", "junit"] {
        let folder = Folder::new();
        let ran = check(&folder, leak, format);
        assert!(ran.out.contains(marker), "{marker} is missing from {format}:\n{}", ran.out);
        clean(&ran);
        let written = written(&folder.path("out")) + &written(&folder.path(".tfconform"));
        assert!(written.contains(marker), "{marker} is missing from the files");
        assert!(written.contains("secret-"), "no token stands in the files");
        assert!(!written.contains(CANARY), "{written}");
    }
    let folder = Folder::new();
    let ran = suite(&folder, leak);
    assert!(ran.out.contains(marker), "{marker} is missing from:\n{}", ran.out);
    clean(&ran);
    let written = written(&folder.path("target"));
    assert_eq!(written.contains(marker), leak != "refusal", "a refusal is no finding, all else is kept");
    assert!(!written.contains(CANARY), "{written}");
}

#[track_caller]
fn clean(ran: &Ran) {
    assert!(!ran.out.contains(CANARY) && !ran.err.contains(CANARY), "{}\n{}", ran.out, ran.err);
}

/// Every file below a folder as text, and again with all base64 decoded.
fn written(folder: &Path) -> String {
    let mut all = String::new();
    for entry in fs::read_dir(folder).into_iter().flatten() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            all += &written(&path);
            continue;
        }
        let text = fs::read_to_string(&path).unwrap();
        let decoded = text.split('"').filter_map(|piece| STANDARD.decode(piece).ok());
        all.extend(decoded.map(|bytes| String::from_utf8_lossy(&bytes).into_owned()));
        all += &text;
    }
    all
}

fn in_configure() {
    let folder = Folder::new();
    let ran = check(&folder, "configure", "human");
    let said = ran.unwrapped();
    assert!(said.contains("ConfigureProvider failed: leak-configure"), "{}\n{}", ran.out, ran.err);
    assert_eq!(ran.code, Some(3));
    clean(&ran);
}
