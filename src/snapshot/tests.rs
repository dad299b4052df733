//! Showings of the example, their texts, and the files.

use std::fs;

use super::*;
use crate::lifecycle::{End, Reached};
use crate::rule::example;
use crate::transcript::Transcript;

fn played(transcript: &Transcript, end: End) -> Played {
    Played {
        state: crate::scenario::State::default(),
        transcript: transcript.clone(),
        reached: Reached::default(),
        end,
        impossible: Vec::new(),
        leaves_something: false,
        credits: Vec::new(),
        walked: Vec::new(),
        walks: Vec::new(),
        by_parts: None,
    }
}

fn showing(transcript: &Transcript) -> Showing {
    let masker = Masker::new(vec!["named secret".to_owned()]);
    let subject = &transcript.subject;
    let name = subject.schema.resources.keys().next().unwrap().clone();
    Showing::of_type(subject, Kind::Resource, &name, &[played(transcript, End::Done)], &masker, "")
}

fn snapshot(name: &str, text: &str) -> Snapshot {
    Snapshot { name: name.to_owned(), about: format!("{name}, \"seed\" 1"), text: text.to_owned() }
}

/// Kind and file name of each change.
fn kinds(changes: &[Change]) -> Vec<(ChangeKind, String)> {
    let name = |change: &Change| change.file.file_name().unwrap().to_string_lossy().into_owned();
    changes.iter().map(|change| (change.kind, name(change))).collect()
}

#[test]
fn a_lifecycle_is_shown_without_its_secrets() {
    let transcript = example::lifecycle();
    let text = showing(&transcript).snapshot("seed 1").text;
    assert!(!text.contains(example::SECRET), "{text}");
    assert!(text.contains("(sensitive value)"), "{text}");
    insta::assert_snapshot!(text);
}

#[test]
fn the_provider_is_shown() {
    let subject = &example::lifecycle().subject;
    let showing =
        Showing::of_provider(subject, Some("engines refuse this provider"), &Masker::new(Vec::new()));
    insta::assert_snapshot!(showing.snapshot("seed 1").text);
}

#[test]
fn if_two_showings_diverge_the_rest_is_volatile() {
    let transcript = example::lifecycle();
    let mut shorter = transcript.clone();
    shorter.exchanges.truncate(shorter.exchanges.len() / 2);
    let text = showing(&transcript).common(&showing(&shorter)).snapshot("seed 1").text;
    assert!(text.trim_end().ends_with("from here on: [volatile]"), "{text}");
}

#[test]
fn names_with_a_meaning_in_a_path_are_escaped() {
    let names = ["acme_thing", "../../etc/x", "a/b", "", "provider"];
    let files = names.map(|name| file_name(Kind::Resource, name));
    assert_eq!(files[0], "acme_thing");
    assert!(
        files.iter().all(|file| !file.contains('/') && !file.contains("..") && !file.is_empty()),
        "{files:?}"
    );
    assert_eq!(files[4], "resource.provider");
    assert_ne!(file_name(Kind::Resource, "a/b"), file_name(Kind::Resource, "a:b"));
    assert_eq!(file_name(Kind::DataSource, "acme_thing"), "data.acme_thing");
}

#[test]
fn a_file_is_new_once_and_changed_when_its_text_is() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = Folder::new(scratch.path().join("deep/er"));
    let shown = [snapshot("a", "one\ntwo\n"), snapshot("b", "three")];
    let changes = folder.compare(&shown, true).unwrap();
    assert_eq!(
        kinds(&changes),
        [(ChangeKind::New, "a.snap".to_owned()), (ChangeKind::New, "b.snap".to_owned())]
    );
    folder.accept(&changes).unwrap();
    assert_eq!(folder.compare(&shown, true).unwrap(), []);
    // Another front matter, other line ends and another end of the file change nothing.
    let file = folder.file("a");
    fs::write(&file, "---\r\nsource: tests/x.rs\r\n---\r\none\r\ntwo\r\n\r\n").unwrap();
    assert_eq!(folder.compare(&shown, true).unwrap(), []);
    fs::write(&file, "---\nsource: tests/x.rs\n---\none\n two\n").unwrap();
    let changes = folder.compare(&shown, true).unwrap();
    assert_eq!(kinds(&changes), [(ChangeKind::Changed, "a.snap".to_owned())]);
    assert_eq!(changes[0].texts, ["one\n two".to_owned(), "one\ntwo".to_owned()]);
}

#[test]
fn only_files_of_ours_are_removed_and_only_where_all_was_shown() {
    let scratch = tempfile::tempdir().unwrap();
    let folder = Folder::new(scratch.path());
    folder.accept(&folder.compare(&[snapshot("gone", "x")], true).unwrap()).unwrap();
    fs::write(folder.file("foreign"), "---\nsource: src/lib.rs\n---\nx\n").unwrap();
    fs::write(scratch.path().join("notes.txt"), "x").unwrap();
    assert_eq!(folder.compare(&[], false).unwrap(), []);
    let changes = folder.compare(&[], true).unwrap();
    assert_eq!(kinds(&changes), [(ChangeKind::Removed, "gone.snap".to_owned())]);
    folder.accept(&changes).unwrap();
    assert!(!folder.file("gone").exists() && folder.file("foreign").exists());
}

#[test]
fn a_folder_that_cannot_be_written_to_is_named_with_the_file() {
    let scratch = tempfile::tempdir().unwrap();
    let no_folder = scratch.path().join("file");
    fs::write(&no_folder, "").unwrap();
    let folder = Folder::new(&no_folder);
    let error = folder.compare(&[], true).unwrap_err().to_string();
    assert!(error.starts_with(&format!("{}: ", no_folder.display())), "{error}");
    let folder = Folder::new(no_folder.join("below"));
    let change = Change {
        kind: ChangeKind::New,
        file: folder.file("a"),
        about: Default::default(),
        texts: Default::default(),
    };
    let error = folder.accept(&[change]).unwrap_err().to_string();
    assert!(error.contains("file/below/a.snap: "), "{error}");
}

#[test]
fn insta_reads_what_is_written_as_the_same_text() {
    let scratch = tempfile::tempdir().unwrap();
    let text = "# one\n\nconfig: {\n  a = \"---\"\n}\n---\nplan: create\n";
    let folder = Folder::new(scratch.path());
    folder.accept(&folder.compare(&[snapshot("a", text)], true).unwrap()).unwrap();
    let read = insta::Snapshot::from_file(&folder.file("a")).unwrap();
    assert_eq!(read.metadata().expression(), Some("a, \"seed\" 1"));
    assert_eq!(read.as_text().unwrap().to_string(), text.trim_end());
    let check = |text: &str| {
        insta::with_settings!({ snapshot_path => scratch.path(), prepend_module_to_snapshot => false }, {
            insta::assert_snapshot!("a", text);
        });
    };
    check(text);
    // And what insta writes we read.
    assert_eq!(folder.compare(&[snapshot("a", text)], true).unwrap(), []);
}
