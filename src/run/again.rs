//! The commands that show a finding again, quoted for a shell.

use std::path::Path;

use super::Options;
use crate::record::Origin;

/// Plays a kept case.
pub(super) fn replay(file: &Path, origin: &Origin) -> String {
    let mut words = vec!["tfconform".to_owned(), "replay".to_owned(), file.display().to_string()];
    words.extend(word_to_apply(origin));
    line(&words)
}

/// Plays the scenarios of a type, or of all types where none is named, once more.
pub(super) fn check(options: &Options, type_name: &str) -> String {
    let origin = &options.origin;
    let mut words = vec!["tfconform".to_owned(), "check".to_owned()];
    match (&origin.program, &origin.reattached) {
        // Whoever needs an interpreter knows how to start it; the arguments go last.
        (Some(_), _) if !origin.args.is_empty() => {}
        (Some(program), _) => words.push(program.display().to_string()),
        (None, Some(json)) => words.extend(["--reattach".to_owned(), json.clone()]),
        (None, None) => {
            words.extend(origin.faults.iter().flat_map(|fault| ["--fault".to_owned(), fault.clone()]));
        }
    }
    words.extend(["--seed".to_owned(), options.seed.to_string()]);
    if !type_name.is_empty() {
        words.extend(["--resource".to_owned(), type_name.to_owned()]);
    }
    words.extend(word_to_apply(origin));
    line(&words)
}

/// The user's word, where it was needed to make objects.
fn word_to_apply(origin: &Origin) -> Option<String> {
    (origin.applied && origin.open).then(|| "--apply".to_owned())
}

/// Words as a shell takes them apart again.
fn line(words: &[String]) -> String {
    words.iter().map(|word| quoted(word)).collect::<Vec<_>>().join(" ")
}

fn quoted(word: &str) -> String {
    let is_plain = |c: char| c.is_ascii_alphanumeric() || "_-+=:,./@%".contains(c);
    if !word.is_empty() && word.chars().all(is_plain) {
        return word.to_owned();
    }
    format!("'{}'", word.replace('\'', r"'\''"))
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
    fn a_word_that_was_needed_is_said_again() {
        let origin = |applied, open| Origin { applied, open, ..Origin::default() };
        let file = Path::new("my cases/a.jsonl");
        assert_eq!(replay(file, &origin(true, true)), "tfconform replay 'my cases/a.jsonl' --apply");
        assert_eq!(replay(file, &origin(true, false)), "tfconform replay 'my cases/a.jsonl'");
        assert_eq!(replay(file, &origin(false, true)), "tfconform replay 'my cases/a.jsonl'");
    }
}
