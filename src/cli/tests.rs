//! Every option of `check`, with and without a suite: it has its effect, or a clear error says why not.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use clap::Parser as _;

use super::args::{self, Args, Command};
use super::check::asked;
use super::overrides::Overrides;
use crate::session::Part;
use crate::suite::{Selectors, Suite};

/// Every key that an option replaces has a value other than its default here.
const KEYS: &str = "config = { region = \"eu\" }\nexamples = \"none\"\nsources = \"none\"\nprotocol = 5\n\
    [run]\nresources = [\"acme_*\"]\ncases = 3\nseed = 9\ntimeout = 1\nstart_timeout = 2\njobs = 5\nparallelism = 5\nwalk_length = 5\n\
    engine = \"opentofu\"\nfail_on = \"should\"\nbaseline = \"then\"\nlearned = \"known\"\ncases_dir = \"kept\"\ntranscripts = \"out\"\n\
    reports = [\"junit=kept.xml\"]\nshrink = 5\nmax_processes = 5\nmax_memory = 50\nmax_file_size = 5\nmax_scratch = 55\n";
const REFERENCE: &str = "[provider]\nreference = true\nfaults = [\"plan/rewrites-configured-values\"]\n";
const COMMAND: &str = "[provider]\ncommand = [\"acme\"]\n";
const DEMANDING: &str = "[require]\napplied = \"90%\"\n";

/// What a command line asks for.
fn keys(suite: &Suite, part: &Part) -> BTreeMap<&'static str, String> {
    let (provider, run) = (&suite.provider, &suite.run);
    let named = [
        provider.path.as_ref().map(|_| "path".to_owned()),
        provider.command.as_ref().map(|words| words.join(" ")),
        provider.reattach.as_ref().map(|_| "reattach".to_owned()),
        provider.reference.then(|| "reference".to_owned()),
    ];
    BTreeMap::from([
        ("provider", named.into_iter().flatten().collect::<Vec<_>>().join(", ")),
        ("provider.config", format!("{:?}", provider.config)),
        ("provider.examples", provider.examples.to_string()),
        ("provider.sources", provider.sources.to_string()),
        ("provider.faults", provider.faults.join(" ")),
        ("provider.protocol", format!("{:?}", provider.protocol)),
        ("run.apply", format!("{:?}", run.apply)),
        ("run.network", run.network.to_string()),
        ("run.sandbox", run.sandbox.to_string()),
        ("run.cases", run.cases.to_string()),
        ("run.engine", run.engine.to_string()),
        ("run.fail_on", run.fail_on.name().to_owned()),
        ("run.deny", selectors(&run.deny)),
        ("run.warn", selectors(&run.warn)),
        ("run.allow", selectors(&run.allow)),
        ("run.jobs", format!("{:?}", run.jobs)),
        ("run.parallelism", run.parallelism.to_string()),
        ("run.walk_length", run.walk_length.to_string()),
        ("run.max_processes", run.max_processes.to_string()),
        ("run.max_memory", format!("{:?}", run.max_memory)),
        ("run.max_file_size", run.max_file_size.to_string()),
        ("run.max_scratch", run.max_scratch.to_string()),
        ("run.one_process", run.one_process.to_string()),
        ("run.resources", run.resources.join(" ")),
        ("run.baseline", format!("{:?}", run.baseline)),
        ("run.strict_baseline", run.strict_baseline.to_string()),
        ("run.learned", format!("{:?}", run.learned)),
        ("run.seed", run.seed.to_string()),
        ("run.max_time", format!("{:?}", run.max_time)),
        ("run.shrink", run.shrink.to_string()),
        ("run.start_timeout", format!("{:?}", run.start_timeout)),
        ("run.timeout", format!("{:?}", run.timeout)),
        ("run.transcripts", format!("{:?}", run.transcripts)),
        ("run.reports", run.reports.iter().map(ToString::to_string).collect::<Vec<_>>().join(" ")),
        ("require", suite.require.to_string()),
        ("shard", part.shard.map(|shard| shard.to_string()).unwrap_or_default()),
        ("cases", format!("{:?}", part.cases_dir)),
    ])
}

/// Those of the suite, and those of the command line.
fn selectors(selectors: &Selectors) -> String {
    format!("{:?} {:?}", selectors.in_suite, selectors.in_command)
}

fn ask(words: &[&str]) -> Result<BTreeMap<&'static str, String>, String> {
    let args = Args::try_parse_from(["tfconform", "check"].iter().chain(words));
    let Command::Check(check) = args.map_err(|error| error.to_string())?.command else {
        unreachable!("check was asked for")
    };
    asked(&check).map(|(suite, part)| keys(&suite, &part)).map_err(|failed| failed.message)
}

/// Files for command lines to name.
struct Files {
    _folder: tempfile::TempDir,
    program: String,
    suites: Vec<String>,
}

impl Files {
    fn new() -> Files {
        let folder = tempfile::tempdir().unwrap();
        let file = |name: &str, text: &str| {
            let path = folder.path().join(name);
            std::fs::create_dir_all(path.parent().unwrap()).unwrap();
            std::fs::write(&path, text).unwrap();
            path.display().to_string()
        };
        let suites = [("reference", REFERENCE), ("command", COMMAND)]
            .map(|(name, provider)| file(&format!("suites/{name}.toml"), &format!("{provider}{KEYS}")));
        Files { program: file("program", ""), suites: suites.to_vec(), _folder: folder }
    }

    /// The command line, without a suite and with each suite.
    fn lines<'l>(&'l self, words: &[&'l str]) -> Vec<(&'static str, Vec<&'l str>)> {
        let with = |suite: &'l String| [&["--suite", suite.as_str()], words].concat();
        let settings = ["no suite", "reference", "command"];
        let lines = std::iter::once(words.to_vec()).chain(self.suites.iter().map(with));
        settings.into_iter().zip(lines).collect()
    }
}

/// An option, the words for it, what it changes, and where it is refused, with the message.
type Row<'r> = (&'r str, Vec<&'r str>, &'r [(&'r str, &'r str)], Option<(&'r str, &'r str)>);

#[test]
fn every_option_of_check_has_its_effect_with_and_without_a_suite() {
    const RUNNING: &str =
        r#"{"ns/a":{"Protocol":"grpc","ProtocolVersion":6,"Addr":{"Network":"unix","String":"/s"}}}"#;
    let files = Files::new();
    let said = |words: &'static str| words.split(' ').collect::<Vec<_>>();
    let rows: Vec<Row<'_>> = vec![
        ("path", vec![&files.program], &[("provider", "path"), ("provider.faults", "")], None),
        ("command", said("-- sh x"), &[("provider", "sh x"), ("provider.faults", "")], None),
        ("reattach", vec!["--reattach", RUNNING], &[("provider", "reattach"), ("provider.faults", "")], None),
        ("resource", said("--resource a --resource b"), &[("run.resources", "a b")], None),
        ("cases", said("--cases 7"), &[("run.cases", "7")], None),
        ("seed", said("--seed 0x10"), &[("run.seed", "16")], None),
        ("config", said("--config a.hcl"), &[("provider.config", "File(\"a.hcl\")")], None),
        ("examples", said("--examples docs"), &[("provider.examples", "docs")], None),
        ("sources", said("--sources repository"), &[("provider.sources", "repository")], None),
        ("apply", said("--apply"), &[("run.apply", "Some(true)")], None),
        ("no_apply", said("--no-apply"), &[("run.apply", "Some(false)")], None),
        ("network", said("--network"), &[("run.network", "true")], None),
        ("no_sandbox", said("--no-sandbox"), &[("run.sandbox", "false")], None),
        ("timeout", said("--timeout 0.5"), &[("run.timeout", "500ms")], None),
        ("max_time", said("--max-time 7"), &[("run.max_time", "Some(7s)")], None),
        ("shrink", said("--shrink 7"), &[("run.shrink", "7")], None),
        ("start_timeout", said("--start-timeout 7"), &[("run.start_timeout", "7s")], None),
        ("jobs", said("--jobs 3"), &[("run.jobs", "Some(3)")], None),
        ("parallelism", said("--parallelism 3"), &[("run.parallelism", "3")], None),
        ("walk_length", said("--walk-length 3"), &[("run.walk_length", "3")], None),
        ("engine", said("--engine strict"), &[("run.engine", "strict")], None),
        ("strict", said("--strict"), &[("run.fail_on", "advice")], None),
        ("fail_on", said("--fail-on tolerated"), &[("run.fail_on", "tolerated")], None),
        (
            "deny",
            said("--deny read/* --deny plan/*@a"),
            &[("run.deny", "[] [\"read/*\", \"plan/*@a\"]")],
            None,
        ),
        ("warn", said("--warn read/*"), &[("run.warn", "[] [\"read/*\"]")], None),
        ("allow", said("--allow read/conforms"), &[("run.allow", "[] [\"read/conforms\"]")], None),
        (
            "fault",
            said("--fault plan/counts-calls"),
            &[("provider.faults", "plan/counts-calls")],
            Some(("command", "only the reference provider has faults")),
        ),
        ("protocol", said("--protocol 6"), &[("provider.protocol", "Some(6)")], None),
        ("baseline", said("--baseline a.toml"), &[("run.baseline", "Some(\"a.toml\")")], None),
        ("strict_baseline", said("--strict-baseline"), &[("run.strict_baseline", "true")], None),
        ("learned", said("--learned a.learned"), &[("run.learned", "Some(\"a.learned\")")], None),
        ("one_process", said("--one-process"), &[("run.one_process", "true")], None),
        ("max_processes", said("--max-processes 9"), &[("run.max_processes", "9")], None),
        ("max_memory", said("--max-memory 90"), &[("run.max_memory", "Some(90)")], None),
        ("max_file_size", said("--max-file-size 9"), &[("run.max_file_size", "9")], None),
        ("max_scratch", said("--max-scratch 99"), &[("run.max_scratch", "99")], None),
        ("cases_dir", said("--cases-dir c"), &[("cases", "Some(\"c\")")], None),
        ("no_cases", said("--no-cases"), &[("cases", "None")], None),
        (
            "require",
            said("--require applied=80%,planned=3,scenarios=9"),
            &[("require", "planned=3,applied=80%,scenarios=9")],
            None,
        ),
        ("transcripts", said("--transcripts t"), &[("run.transcripts", "Some(\"t\")")], None),
        ("report", said("--report json=a --report html=b"), &[("run.reports", "json=a html=b")], None),
        ("shard", said("--shard 2/3"), &[("shard", "2/3")], None),
    ];
    for (option, words, changes, refused) in &rows {
        for ((setting, plain), (_, line)) in files.lines(&[]).into_iter().zip(files.lines(words)) {
            match (ask(&line), refused) {
                (Err(said), Some((at, why))) if *at == setting => assert!(said.contains(why), "{said}"),
                (Ok(asked), _) => {
                    let mut expected = ask(&plain).unwrap();
                    expected.extend(changes.iter().map(|(key, value)| (*key, (*value).to_owned())));
                    assert_eq!(asked, expected, "{option} with {setting}");
                }
                (Err(said), _) => panic!("{option} with {setting}: {said}"),
            }
        }
    }
    // The suite itself and how output is written are not keys of a suite.
    let others = [
        "suite",
        "format",
        "no_github",
        "verbose",
        "statistics",
        "quiet",
        "snapshots",
        "accept",
        "coverage",
        "write_baseline",
    ];
    let tried: BTreeSet<&str> = rows.iter().map(|(option, ..)| *option).chain(others).collect();
    let command = args::command();
    let check = command.find_subcommand("check").unwrap();
    let options: BTreeSet<&str> = check.get_arguments().map(|arg| arg.get_id().as_str()).collect();
    assert_eq!(tried, options);
}

#[test]
fn the_command_line_and_require_can_contradict_each_other() {
    let folder = tempfile::tempdir().unwrap();
    let file = folder.path().join("acme.toml");
    std::fs::write(&file, format!("{COMMAND}{DEMANDING}")).unwrap();
    let suite = file.to_str().unwrap();
    let said = ask(&["--suite", suite, "--no-apply"]).unwrap_err();
    let why = "acme.toml:4: `require.applied` requires objects to be created, and --no-apply forbids it";
    assert!(said.ends_with(why), "{said}");
    let said = ask(&["--require", "applied=1", "--no-apply"]).unwrap_err();
    assert_eq!(said, "--require applied requires objects to be created, and --no-apply forbids it");
    for (wrong, why) in [
        ("applied", "has no amount"),
        ("applied=-1", "neither a number from 0 on nor a share"),
        ("applied=101%", "neither a number from 0 on nor a share"),
        ("scenarios=5%", "is not a number"),
        ("read=1", "is none of planned, applied and scenarios"),
    ] {
        let said = ask(&["--require", wrong]).unwrap_err();
        assert!(said.contains(why), "{wrong}: {said}");
    }
    // `[require]` does not apply to a part.
    assert!(ask(&["--suite", suite, "--no-apply", "--resource", "acme_a"]).is_ok());
}

#[test]
fn help_names_the_key_of_every_option_that_replaces_one_and_its_default() {
    let keys = Path::new(env!("CARGO_MANIFEST_DIR")).join("docs/suites.md");
    let keys = std::fs::read_to_string(keys).unwrap();
    let mut command = args::command();
    let help = command.find_subcommand_mut("check").unwrap().render_long_help().to_string();
    let help = help.split_whitespace().collect::<Vec<_>>().join(" ");
    for row in Overrides::table() {
        assert!(help.contains(&format!("[key: {}", row.key)), "{} is not in\n{help}", row.key);
        assert!(keys.contains(&format!("| `{}` |", row.key)), "{} is not in docs/suites.md", row.key);
    }
    assert!(
        help.contains("[key: run.cases, default: auto]") && help.contains("[key: run.timeout, default: 30]"),
        "{help}"
    );
}

#[test]
fn times_have_units() {
    let seconds = |text| super::overrides::seconds(text).map(|time| time.as_secs_f64());
    for (text, expected) in [("90", 90.0), ("0.5", 0.5), ("90s", 90.0), ("1.5m", 90.0), ("2h", 7200.0)] {
        assert_eq!(seconds(text), Ok(expected), "{text}");
    }
    for text in ["", "0", "0s", "-1", "m", "3 minutes", "NaN", "1e400"] {
        assert!(seconds(text).is_err(), "{text}");
    }
}

#[test]
fn given_options_are_repeated_except_types_and_folders() {
    let words = "--cases 7 --seed 8 --timeout 0.5 --engine opentofu --fault a --fault b --one-process --strict --require planned=1";
    let line = format!("check --resource a --cases-dir c --transcripts t --report html=r {words}");
    let args = Args::try_parse_from(["tfconform"].into_iter().chain(line.split(' '))).unwrap();
    let Command::Check(check) = args.command else { unreachable!("check was asked for") };
    let said = check.tested.overrides.said();
    let sorted = |words: &mut dyn Iterator<Item = &str>| {
        let mut words: Vec<String> = words.map(str::to_owned).collect();
        words.sort();
        words
    };
    assert_eq!(sorted(&mut said.iter().map(String::as_str)), sorted(&mut words.split(' ')));
}
