//! Transcripts, cases, and what must not be in them.

use std::fs;
use std::path::Path;
use std::time::{Duration, Instant};

use base64::Engine as _;
use base64::engine::general_purpose::STANDARD;
use libtest_mimic::Trial;
use serde_json::Value as Json;

use super::{Folder, PROGRAM, particular, printed, trial, trial_on_time, typed};

pub fn trials() -> Vec<Trial> {
    vec![
        trial("records/a_written_transcript_is_judged_as_it_was_live", judged_again),
        trial("records/the_first_calls_are_judged_as_they_were_live", start_judged_again),
        trial("records/a_file_is_judged_by_what_its_suite_said", suite_judged_again),
        trial("records/calls_before_a_failed_start_are_written", failed_start),
        trial("records/a_case_is_still_there_with_its_fault_and_fixed_without", replayed),
        trial("records/a_case_is_played_again_with_the_time_it_was_found_with", same_time),
        trial_on_time("records/a_case_is_of_no_use_to_another_provider", other_provider),
        trial("records/a_secret_is_written_nowhere", no_secret),
        trial("records/a_full_disk_costs_the_files_and_not_the_findings", full_disk),
        trial("records/folders_that_cannot_be_made_are_noted", no_folder),
    ]
}

fn same_time() {
    let folder = Folder::new();
    let check = "check --fault rpc/hangs --resource reference_plain --cases 1 --strict --timeout 0.5";
    let out = folder.tfconform(check).says(1, &["SHOULD  rpc/answers-in-time"]).out.clone();
    let line = printed(&out, "rpc/answers-in-time");
    let began = Instant::now();
    folder.run(&mut typed(&folder, &format!("{line} --times 1"))).says(1, &["still there"]);
    assert!(began.elapsed() < Duration::from_secs(30), "{:?}", began.elapsed());
    let out = folder.tfconform(&format!("{check} --no-cases")).says(1, &[]).out.clone();
    let line = printed(&out, "rpc/answers-in-time");
    assert!(line.contains(" --timeout 0.5"), "{line}");
}

const FAULT: &str = "check --fault plan/rewrites-configured-values --resource reference_plain --cases 5";

fn judged_again() {
    let folder = Folder::new();
    let ran = folder.tfconform(&format!("{FAULT} --format json --transcripts out"));
    let events = ran.says(1, &[]).out.lines().map(|line| serde_json::from_str::<Json>(line).unwrap());
    let n_must = events.filter(|event| event["event"] == "finding" && event["level"] == "must").count();
    assert!(n_must > 0);
    let mut judge = folder.command(PROGRAM);
    judge.arg("judge").args(folder.files("out", ".jsonl"));
    let counted = format!("findings      {n_must} must");
    folder.run(&mut judge).says(1, &[&counted, "MUST  plan/keeps-configured-values", "the run (exit 1)"]);

    let perfect = "check --resource reference_plain --cases 5 --transcripts perfect";
    folder.tfconform(perfect).says(0, &[]);
    let mut judge = folder.command(PROGRAM);
    judge.args(["judge", "--strict"]).args(folder.files("perfect", ".jsonl"));
    folder.run(&mut judge).says(0, &["findings      none", "conforms (exit 0)"]);

    folder.file("cut.jsonl", "{\"tfconform\": 1");
    folder.tfconform("judge cut.jsonl").fails(2, &["cut.jsonl:1: this is not a transcript"]);
}

fn start_judged_again() {
    for (fault, rule) in [
        ("schema/describes-the-process", "schema/stays-the-same"),
        ("schema/leaves-a-type-out-of-metadata", "schema/metadata-agrees"),
        ("schema/counts-groups-and-maps", "schema/groups-and-maps-are-not-counted"),
        ("validate/prepares-the-configuration --protocol 5", "validate/leaves-the-provider-as-configured"),
    ] {
        let folder = Folder::new();
        let check = "check --strict --resource reference_plain --cases 1 --format json --transcripts out";
        let ran = folder.tfconform(&format!("{check} --fault {fault}"));
        let summary: Json = serde_json::from_str(ran.says(1, &[rule]).out.lines().last().unwrap()).unwrap();
        let n_live: u64 = summary["findings"].as_object().unwrap().values().filter_map(Json::as_u64).sum();
        let mut judge = folder.command(PROGRAM);
        judge.args(["judge", "--strict"]).args(folder.files("out", ".jsonl"));
        judge.args(["--format", "json"]);
        let ran = folder.run(&mut judge);
        let summary: Json = serde_json::from_str(ran.says(1, &[rule]).out.lines().last().unwrap()).unwrap();
        let counts = summary["findings"].as_object().unwrap().values();
        assert_eq!(counts.filter_map(Json::as_u64).sum::<u64>(), n_live);
        let ran = folder.tfconform("judge --strict out/start.jsonl");
        ran.says(1, &["tfconform judge out/start.jsonl", rule]);
    }
}

fn suite_judged_again() {
    let folder = Folder::new();
    let suite = |known: &str| {
        format!(
            "[provider]\nreference = true\nfaults = [\"plan/fills-what-is-not-computed@*_legacy\"]\n\
             [run]\ncases = 3\nfail_on = \"tolerated\"\nresources = [\"*_legacy\"]\n{known}"
        )
    };
    let judge = || {
        let mut judge = folder.command(PROGRAM);
        folder.run(judge.arg("judge").args(folder.files("out", ".jsonl")))
    };
    folder.file("suites/acme.toml", &suite(""));
    let check = "check --suite suites/acme.toml --transcripts out";
    folder.tfconform(check).says(1, &["TOLERATED  plan/stays-null"]);
    judge().says(1, &["TOLERATED  plan/stays-null", "protocol 6, as terraform plays it"]);
    let known = "[[known]]\nrule = \"plan/stays-null\"\nreason = \"the SDK does it\"\n";
    folder.file("suites/acme.toml", &suite(known));
    folder.tfconform(check).says(0, &["  known         "]);
    judge().says(
        0,
        &[
            "  known         ",
            "plan/stays-null",
            "conforms, except for 1 finding that is known or allowed (exit 0)",
        ],
    );
    // Without options, the settings of the run apply.
    let mut strict = folder.command(PROGRAM);
    strict.args(["judge", "--strict"]).args(folder.files("out", ".jsonl"));
    folder.run(&mut strict).says(0, &["  known         "]);
}

fn failed_start() {
    let folder = Folder::new();
    folder.file("provider.hcl", &format!("word = \"{CANARY}\"\n"));
    let check = |transcripts: &str| {
        let mut command = folder.command(PROGRAM);
        command.args(["check", "--config", "provider.hcl", "--transcripts", transcripts, "--"]);
        folder.run(command.arg(std::env::current_exe().unwrap()).arg(particular::WORD))
    };
    check("out").says(3, &["ConfigureProvider failed: not today!"]);
    let mut bare = folder.command(PROGRAM);
    bare.args(["check", "--"]).arg(std::env::current_exe().unwrap()).arg(particular::WORD);
    let said = folder.run(&mut bare).unwrapped();
    assert!(said.contains("no made-up provider block works"), "{said}");
    assert!(said.contains("give it with `--config FILE`"), "{said}");
    let text = fs::read_to_string(folder.path("out/start.jsonl")).unwrap();
    assert!(text.contains("{\"ConfigureProvider\":") && text.contains("not today!"), "{text}");
    assert!(text.contains("secret-") && !text.contains(CANARY), "{text}");
    folder.tfconform("judge out/start.jsonl").says(0, &["conforms (exit 0)"]);
    let said = check("provider.hcl/out").says(3, &["not today!"]).unwrapped();
    assert!(said.contains("transcripts could not be written: provider.hcl/out"), "{said}");
}

fn replayed() {
    let folder = Folder::new();
    folder.tfconform(FAULT).says(1, &["tfconform replay"]);
    let cases = folder.files(".tfconform/cases", ".jsonl");
    let case = cases.iter().find(|file| file.to_string_lossy().contains("plan-keeps-configured-values"));
    let case = case.expect("a finding is kept").display();
    folder.tfconform(&format!("replay {case}")).says(1, &["plan/keeps-configured-values: still there"]);
    folder.tfconform(&format!("replay {case} --no-fault")).says(0, &["plan/keeps-configured-values: fixed"]);
    folder.tfconform(&format!("judge {case}")).says(1, &["MUST  plan/keeps-configured-values"]);
    let all = "replay --all .tfconform/cases";
    folder
        .tfconform(&format!("{all} --no-fault"))
        .says(0, &["plan-keeps-configured-values-", ": fixed\n", " fixed\n"]);
    folder.tfconform(all).says(1, &[": still there\n", "0 of "]);
    folder.tfconform("replay --all src").fails(2, &["src: this is no folder with cases"]);
    for command in ["replay", "issue", "graph", "reproduce"] {
        let said = ["there is no case `nosuch`", "plan-keeps-configured-values-"];
        folder.tfconform(&format!("{command} nosuch")).fails(2, &said);
    }
    folder.tfconform(&format!("replay {case} /bin/true")).fails(3, &["true: ended before the handshake"]);
    folder.tfconform(&format!("{FAULT} --transcripts out")).says(1, &[]);
    let transcript = folder.files("out", ".jsonl").remove(0);
    let ran = folder.tfconform(&format!("replay {}", transcript.display()));
    ran.fails(2, &["this is a transcript, not a case; use `tfconform judge`"]);
}

fn other_provider(time: &Path) {
    let folder = Folder::new();
    folder.tfconform(FAULT).says(1, &[]);
    let case = folder.files(".tfconform/cases", ".jsonl").remove(0);
    let ran = folder.tfconform(&format!("replay {} {}", case.display(), time.display()));
    // The type does not exist: no engine would get that far, and nothing may be called fixed.
    assert_ne!(ran.code, Some(0), "{}{}", ran.out, ran.err);
}

const CANARY: &str = "canary-7f3a9c";

fn no_secret() {
    let folder = Folder::new();
    folder.file("provider.hcl", &format!("provider \"reference\" {{\n  token = \"{CANARY}\"\n}}\n"));
    for format in ["human", "json", "junit"] {
        let ran = folder
            .tfconform(&format!("{FAULT} --config provider.hcl --transcripts out --format {format} -v"));
        ran.says(1, &[]);
        assert!(!ran.out.contains(CANARY) && !ran.err.contains(CANARY), "{}\n{}", ran.out, ran.err);
    }
    let files = [folder.files("out", ""), folder.files(".tfconform/cases", "")].concat();
    assert!(files.len() > 5);
    let start = fs::read_to_string(folder.path("out/start.jsonl")).unwrap();
    assert!(start.contains("secret-"), "{start}");
    for file in files {
        let text = fs::read_to_string(&file).unwrap();
        assert!(!text.contains(CANARY), "{}", file.display());
        // Values travel as base64 of their bytes: look inside.
        for bytes in text.split('"').filter_map(|piece| STANDARD.decode(piece).ok()) {
            assert!(!String::from_utf8_lossy(&bytes).contains(CANARY), "{}", file.display());
        }
    }
}

fn full_disk() {
    let folder = Folder::new();
    // Files are limited to 10 KiB, which fails like a full disk: some transcripts fit, and some do not.
    let script = format!("trap '' XFSZ; ulimit -f 10; exec {PROGRAM} {FAULT} --transcripts out");
    let ran = folder.run(folder.command("bash").args(["-c", &script]));
    let noted = "note transcripts could not be written: out: file too large";
    let unwrapped = ran.unwrapped();
    assert_eq!(unwrapped.matches(noted).count(), 1, "{}", ran.out);
    ran.says(1, &["MUST  plan/keeps-configured-values", "(exit 1)"]);
    // Existing files are complete.
    assert_eq!(folder.files("out", "").len(), folder.files("out", ".jsonl").len());
    let mut judge = folder.command(PROGRAM);
    judge.arg("judge").args(folder.files("out", ".jsonl"));
    folder.run(&mut judge).says(1, &["plan/keeps-configured-values"]);
}

fn no_folder() {
    let folder = Folder::new();
    folder.file("taken", "a file");
    let ran = folder.tfconform(&format!("{FAULT} --transcripts taken/out --cases-dir taken"));
    ran.says(
        1,
        &["transcripts could not be written: taken/out: ", "a case could not be kept: taken", "(exit 1)"],
    );
}
