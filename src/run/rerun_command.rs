//! The commands that reproduce a finding, quoted for a shell.

use std::path::{Path, PathBuf};

use super::RunOptions;
use crate::engine::Engine;
use crate::generate::Cases;
use crate::process::shell_word;
use crate::record::{self, Origin};
use crate::sandbox::Openness;
use crate::suite;

/// Replays a kept case. One in the usual folder is named by its ID.
pub(super) fn replay(file: &Path, origin: &Origin) -> String {
    let case = record::id(file).unwrap_or_else(|| file.display().to_string());
    let mut words = vec!["tfconform".to_owned(), "replay".to_owned(), case];
    words.extend(opening_words(origin));
    line(&words)
}

/// Plays the scenarios of a type again, for somebody who has the provider and not the case.
pub(crate) fn check_type(origin: &Origin, engine: Engine, seed: u64, address: &str) -> String {
    let mut origin = origin.clone();
    // Others have the program in another folder. A command begins with an interpreter, which they have, too.
    if origin.folder.is_none() {
        let name = origin.program.as_deref().and_then(Path::file_name);
        origin.program = name.map(|name| Path::new(".").join(name));
    }
    let near = |file: &PathBuf| {
        if file.is_relative() {
            return file.clone();
        }
        let here = std::env::current_dir().ok();
        let inside = here.and_then(|here| file.strip_prefix(here).ok().map(Path::to_owned));
        inside.or_else(|| file.file_name().map(PathBuf::from)).unwrap_or_else(|| file.clone())
    };
    (origin.suite, origin.config) = (origin.suite.as_ref().map(near), origin.config.as_ref().map(near));
    let mut options = vec!["--seed".to_owned(), seed.to_string()];
    if engine != Engine::default() {
        options.extend(["--engine".to_owned(), engine.name().to_owned()]);
    }
    if let Some(suite) = &origin.suite {
        return line(&by_suite(&origin, suite, &options, address));
    }
    let (named, command) = provider(&origin);
    let mut words = vec!["tfconform".to_owned(), "check".to_owned()];
    words.extend(named);
    words.extend(options);
    if !address.is_empty() {
        words.extend(["--resource".to_owned(), address.to_owned()]);
    }
    if let Some(protocol) = origin.wanted_protocol {
        words.extend(["--protocol".to_owned(), protocol.to_string()]);
    }
    if let Some(file) = &origin.config {
        words.extend(["--config".to_owned(), file.display().to_string()]);
    }
    words.extend(opening_words(&origin));
    words.extend(command);
    line(&words)
}

/// Judges a transcript again.
pub(super) fn judge(file: &Path) -> String {
    line(&["tfconform".to_owned(), "judge".to_owned(), file.display().to_string()])
}

/// Plays the scenarios of a type, or of all types if `None`, again.
///
/// `cases` is what each type got in the run.
pub(super) fn check(options: &RunOptions, cases: Cases, protocol: u8, type_name: &str) -> String {
    let origin = &options.origin;
    let share = cases.scarce().map(|share| ["--cases".to_owned(), share.to_string()]);
    if let Some(suite) = &origin.suite {
        let said: Vec<String> = options.said.iter().cloned().chain(share.into_iter().flatten()).collect();
        return line(&by_suite(origin, suite, &said, type_name));
    }
    let (named, command) = provider(origin);
    let mut words = vec!["tfconform".to_owned(), "check".to_owned()];
    words.extend(named);
    let mut add = |option: &str, value: String| words.extend([option.to_owned(), value]);
    add("--seed", options.seed.to_string());
    if !type_name.is_empty() {
        add("--resource", type_name.to_owned());
    }
    let default = suite::Run::default();
    if options.cases != default.cases {
        add("--cases", options.cases.to_string());
    }
    if let Some([option, share]) = share {
        add(&option, share);
    }
    for (option, time, default) in [
        ("--timeout", options.timeout, default.timeout),
        ("--start-timeout", options.start_timeout, default.start_timeout),
    ] {
        if time != default {
            add(option, time.as_secs_f64().to_string());
        }
    }
    if options.parallelism != default.parallelism {
        add("--parallelism", options.parallelism.to_string());
    }
    if options.generate.walk_length != default.walk_length {
        add("--walk-length", options.generate.walk_length.to_string());
    }
    if options.engine != default.engine.first() {
        add("--engine", options.engine.name().to_owned());
    }
    let is_unlike = origin.is_reference() && protocol != suite::REFERENCE_PROTOCOL;
    if options.program.protocol.is_some() || is_unlike {
        add("--protocol", protocol.to_string());
    }
    if let Some(file) = &origin.config {
        add("--config", file.display().to_string());
    }
    words.extend(opening_words(origin));
    words.extend(command);
    line(&words)
}

/// The command that plays a suite, or one type of it, with its overridden keys.
fn by_suite(origin: &Origin, suite: &Path, said: &[String], type_name: &str) -> Vec<String> {
    let (named, command) = if origin.replaced { provider(origin) } else { Default::default() };
    let mut words = ["tfconform", "check", "--suite"].map(str::to_owned).to_vec();
    words.push(suite.display().to_string());
    words.extend(named);
    words.extend(said.iter().cloned());
    if !type_name.is_empty() {
        words.extend(["--resource".to_owned(), type_name.to_owned()]);
    }
    words.extend(command);
    words
}

/// The words that select the provider: those that go first, and the command line that goes last.
fn provider(origin: &Origin) -> (Vec<String>, Vec<String>) {
    let (mut words, mut command) = (Vec::new(), Vec::new());
    match (&origin.program, &origin.reattached) {
        (Some(program), _) if origin.folder.is_none() => {
            words.push(program.display().to_string());
        }
        (Some(program), _) => {
            command.extend(["--".to_owned(), program.display().to_string()]);
            command.extend(origin.args.clone());
        }
        (None, Some(json)) => words.extend(["--reattach".to_owned(), json.clone()]),
        (None, None) => {
            words.extend(origin.faults.iter().flat_map(|fault| ["--fault".to_owned(), fault.clone()]));
        }
    }
    (words, command)
}

/// The options without which the provider could not reach what it reached, or create objects.
fn opening_words(origin: &Origin) -> Vec<String> {
    let opening = match origin.opened {
        Openness::Nothing => None,
        Openness::Network => Some("--network"),
        Openness::Everything => Some("--no-sandbox"),
    };
    let apply = (origin.applied && origin.open).then_some("--apply");
    opening.into_iter().chain(apply).map(str::to_owned).collect()
}

/// Words quoted for a shell.
fn line(words: &[String]) -> String {
    words.iter().map(|word| shell_word(word)).collect::<Vec<_>>().join(" ")
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn words_reach_a_program_as_they_are() {
        let words = ["plain/word-1", "two words", "it's", "$HOME", "{\"a\":[*]}", "", "~", "a\nb"];
        let words = words.map(str::to_owned);
        let script = format!("printf '%s\\0' {}", line(&words));
        let output = std::process::Command::new("sh").args(["-c", &script]).output().unwrap();
        let echoed = String::from_utf8(output.stdout).unwrap();
        assert_eq!(echoed.split_terminator('\0').collect::<Vec<_>>(), words);
        assert_eq!(line(&words[..1]), "plain/word-1");
    }

    #[test]
    fn a_command_goes_last_and_a_program_first() {
        let of = |program: &str, folder: Option<&str>, args: &[&str]| {
            let args = args.iter().map(|arg| (*arg).to_owned()).collect();
            let (program, folder) = (Some(program.into()), folder.map(Into::into));
            let (first, last) = provider(&Origin { program, folder, args, ..Origin::default() });
            (line(&first), line(&last))
        };
        assert_eq!(of("/bin/my acme", None, &[]), ("'/bin/my acme'".to_owned(), String::new()));
        let of = |program: &str, args: &[&str]| of(program, Some("/project"), args);
        assert_eq!(of("python3", &["-m", "it's"]), (String::new(), r"-- python3 -m 'it'\''s'".to_owned()));
        assert_eq!(of("acme", &[]), (String::new(), "-- acme".to_owned()));
        assert_eq!(of("/bin/acme", &[]), (String::new(), "-- /bin/acme".to_owned()));
    }

    #[test]
    fn somebody_without_the_case_is_told_what_the_run_was_told() {
        let of = |origin: Origin, engine| check_type(&origin, engine, 7, "data.acme_image");
        let program = Origin { program: Some("/home/me/acme".into()), ..Origin::default() };
        let check = "tfconform check ./acme --seed 7 --resource data.acme_image";
        assert_eq!(of(program.clone(), Engine::Terraform), check);
        let configured = Origin {
            config: Some("acme.tf".into()),
            wanted_protocol: Some(5),
            opened: Openness::Network,
            ..program.clone()
        };
        assert_eq!(
            of(configured, Engine::OpenTofu),
            "tfconform check ./acme --seed 7 --engine opentofu --resource data.acme_image --protocol 5 --config \
             acme.tf --network"
        );
        let args = vec!["acme.py".to_owned()];
        let command = Origin {
            program: Some("/usr/bin/python3".into()),
            folder: Some("/project".into()),
            args,
            ..Origin::default()
        };
        let expected = "tfconform check --seed 7 --resource data.acme_image -- /usr/bin/python3 acme.py";
        assert_eq!(of(command, Engine::Terraform), expected);
        let suite = Origin { suite: Some("suites/acme.toml".into()), ..program.clone() };
        let expected = "tfconform check --suite suites/acme.toml --seed 7 --resource data.acme_image";
        assert_eq!(of(suite, Engine::Terraform), expected);
        let elsewhere = Origin { suite: Some("/home/me/suites/acme.toml".into()), ..program };
        let expected = "tfconform check --suite acme.toml --seed 7 --resource data.acme_image";
        assert_eq!(of(elsewhere, Engine::Terraform), expected, "nobody else has my home");
    }

    #[test]
    fn a_suite_is_played_by_its_name() {
        let suite = Path::new("/my project/suites/a.toml");
        let origin = Origin { program: Some("/bin/acme".into()), ..Origin::default() };
        let check = "tfconform check --suite '/my project/suites/a.toml'";
        assert_eq!(line(&by_suite(&origin, suite, &[], "")), check);
        let replaced = Origin { replaced: true, ..origin };
        let said = ["--seed", "7"].map(str::to_owned);
        let expected = format!("{check} /bin/acme --seed 7 --resource acme_net");
        assert_eq!(line(&by_suite(&replaced, suite, &said, "acme_net")), expected);
    }

    #[test]
    fn a_word_that_was_needed_is_said_again() {
        let origin = |applied, open| Origin { applied, open, ..Origin::default() };
        let file = Path::new("my cases/a.jsonl");
        assert_eq!(replay(file, &origin(true, true)), "tfconform replay 'my cases/a.jsonl' --apply");
        assert_eq!(replay(file, &origin(true, false)), "tfconform replay 'my cases/a.jsonl'");
        assert_eq!(replay(file, &origin(false, true)), "tfconform replay 'my cases/a.jsonl'");
        let networked = Origin { opened: Openness::Network, ..origin(true, true) };
        assert_eq!(replay(file, &networked), "tfconform replay 'my cases/a.jsonl' --network --apply");
    }
}
