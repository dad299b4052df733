//! What the documents claim.

use std::collections::{BTreeMap, BTreeSet};
use std::path::Path;

use libtest_mimic::Trial;
use tfconform::provider::handshake;
use tfconform::provider::launch::QUICK;
use tfconform::sandbox::INHERITED;

use super::markdown::{Document, documents};
use super::{Folder, repository, trial, walk};

/// Where the keys of suites are declared.
const KEYS: [&str; 3] = [
    include_str!("../../src/suite/keys.rs"),
    include_str!("../../src/suite/require.rs"),
    include_str!("../../src/suite/known.rs"),
];

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("documents/the_readme_is_short", short),
        trial("documents/their_links_lead_somewhere", links),
        trial("documents/their_exit_codes_are_the_program_s", exit_codes),
        trial("documents/their_suite_keys_are_those_of_the_parser", suite_keys),
        trial("documents/their_suites_parse", suites_parse),
        trial("documents/every_option_they_name_exists", options_exist),
        trial("documents/their_environment_is_the_provider_s", environment),
        trial("documents/they_name_what_is_not_covered", not_covered),
        trial("documents/their_rust_is_the_package_s", rust),
        trial("documents/their_excerpts_are_of_these_files", excerpts),
    ];
    trials.extend(documents().iter().filter_map(walk::trial_of));
    trials
}

/// A reader has five minutes for it; the rest is in `docs/`.
fn short() {
    let n_words = Document::read("README.md").text.split_whitespace().count();
    assert!(n_words < 1_800, "{n_words} words");
}

fn links() {
    let mut n_links = 0;
    for document in documents() {
        let folder = Path::new(&document.name).parent().unwrap();
        for link in document.links().filter(|link| !link.contains("://")) {
            let (file, anchor) = link.split_once('#').unwrap_or((link, ""));
            let target = match file {
                "" => repository().join(&document.name),
                file => repository().join(folder).join(file),
            };
            assert!(target.exists(), "{}: {link} leads nowhere", document.name);
            if !anchor.is_empty() {
                let target = target.canonicalize().unwrap();
                let name = target.strip_prefix(repository().canonicalize().unwrap()).unwrap();
                let anchors = Document::read(name.to_str().unwrap()).anchors();
                let is_there = anchors.iter().any(|known| known == anchor);
                assert!(is_there, "{}: {link} leads to no heading of {anchors:?}", document.name);
            }
            n_links += 1;
        }
    }
    assert!(n_links > 30, "{n_links}");
}

fn suites_parse() {
    let is_of_cargo = |text: &str| text.contains("[[test]]") || text.contains("[dev-dependencies]");
    let mut n_suites = 0;
    for document in documents() {
        for block in document.blocks() {
            if block.language != "toml" || is_of_cargo(&block.text) {
                continue;
            }
            // Part of a suite becomes a suite by adding a provider.
            let whole = match block.text.contains("[provider]") {
                true => block.text,
                false => format!("{}\n[provider]\nname = \"acme\"\n", block.text),
            };
            tfconform::suite::Suite::parse(Path::new(&document.name), &whole).unwrap();
            n_suites += 1;
        }
    }
    assert!(n_suites > 4, "{n_suites}");
}

fn exit_codes() {
    let ran = Folder::new().tfconform("list exit-codes");
    let listed: Vec<(String, String)> = ran
        .out
        .lines()
        .map(|line| line.trim().split_once("  ").expect("a code and its meaning"))
        .map(|(code, meaning)| (code.to_owned(), meaning.trim().to_owned()))
        .collect();
    let rows = Document::read("docs/reports.md").rows("## Exit codes", |code| code.parse::<u8>().is_ok());
    assert_eq!(rows, listed);
}

fn suite_keys() {
    let rows = Document::read("docs/suites.md").rows("# Suites", |cell| cell.starts_with('`'));
    let documented: BTreeSet<String> =
        rows.into_iter().map(|(key, _)| key.trim_matches('`').to_owned()).collect();
    let mut parsed = BTreeSet::new();
    for (name, section) in [
        ("Provider", "provider"),
        ("Run", "run"),
        ("Require", "require"),
        ("Remote", "remote"),
        ("Resource", "resource.TYPE"),
        ("AttributeHints", "resource.TYPE.attr.PATH"),
        ("Known", "known"),
    ] {
        let body = KEYS.concat();
        let body = body.split(&format!("pub struct {name} {{\n")).nth(1).expect("the struct is there");
        let fields = body.split("\n}").next().unwrap_or_default().lines();
        for field in fields.filter_map(|line| line.trim().strip_prefix("pub ")?.split(':').next()) {
            // `type` is a keyword in Rust; `attr` is the section below.
            match field {
                "type_name" => parsed.insert(format!("{section}.type")),
                "attr" => continue,
                field => parsed.insert(format!("{section}.{field}")),
            };
        }
    }
    assert_eq!(documented, parsed);
}

/// The options of a text: whole words that begin with two dashes.
fn options(text: &str) -> BTreeSet<String> {
    let is_part = |letter: char| letter.is_ascii_alphanumeric() || letter == '-';
    let words = text.split(|letter| !is_part(letter));
    let options = words.filter(|word| word.strip_prefix("--").is_some_and(|name| !name.is_empty()));
    options.map(str::to_owned).collect()
}

/// The subcommands of the program, as its help lists them.
fn subcommands(folder: &Folder) -> Vec<String> {
    let help = folder.tfconform("--help").out;
    let (_, list) = help.split_once("\nCommands:\n").expect("the help lists commands");
    let list = list.lines().take_while(|line| !line.is_empty());
    // A line that begins further to the right continues the one above.
    let names = list.filter_map(|line| line.strip_prefix("  ")?.split(' ').next());
    let names = names.filter(|name| !name.is_empty() && *name != "help").map(str::to_owned);
    names.chain([NESTED.to_owned()]).collect()
}

/// The subcommand of a subcommand.
const NESTED: &str = "report merge";

/// Options of other programs: `cargo test`, `ci/install.sh` and `ci/providers.sh`.
const OTHERS: [&str; 9] =
    ["--exact", "--skip", "--ignored", "--list", "--test", "--nocapture", "--from", "--sha256", "--released"];

/// The program takes the options of every command line in a block, and every option named elsewhere belongs
/// to some subcommand.
fn options_exist() {
    let folder = Folder::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut of = BTreeMap::new();
    for subcommand in subcommands(&folder) {
        let help = folder.tfconform(&format!("{subcommand} --help"));
        help.says(0, &[]);
        let listed = help.out.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        // The text after the names may mention other options.
        let names = listed.map(|line| line.split("  ").next().unwrap_or_default());
        let taken: BTreeSet<String> = names.flat_map(options).collect();
        known.extend(taken.iter().cloned());
        of.insert(subcommand, taken);
    }
    let mut named = BTreeSet::new();
    for document in documents() {
        let blocks = document.blocks().into_iter();
        for line in blocks.flat_map(|block| walk::commands(&block.language, &block.text)) {
            for part in line.split(" && ") {
                let Some(words) = part.trim().strip_prefix("tfconform ") else { continue };
                let (words, _) = words.split_once(" -- ").unwrap_or((words, ""));
                let is_nested = words.starts_with(NESTED);
                let subcommand =
                    if is_nested { NESTED } else { words.split_whitespace().next().expect("a subcommand") };
                let missing: Vec<String> = options(words).difference(&of[subcommand]).cloned().collect();
                assert_eq!(missing, Vec::<String>::new(), "{}: {line}", document.name);
            }
        }
        // In prose and tables, every piece of code that is not another program's command.
        let ours = document.code_spans().filter(|code| !code.contains("cargo "));
        let of_document: BTreeSet<String> = ours.flat_map(options).collect();
        let is_unknown = |option: &&String| !known.contains(*option) && !OTHERS.contains(&option.as_str());
        let unknown: BTreeSet<&String> = of_document.iter().filter(is_unknown).collect();
        assert_eq!(unknown, BTreeSet::new(), "{}", document.name);
        named.extend(of_document);
    }
    assert!(named.len() > 20, "{named:?}");
}

/// Every variable that is inherited or set is named.
fn environment() {
    let document = Document::read("docs/safety.md");
    let section = document.section("## The environment");
    let (cookie, _) = handshake::COOKIE;
    let names = INHERITED.map(|(name, _)| name).into_iter().chain(QUICK.map(|(name, _)| name));
    let names = names.chain(handshake::PORTS.map(|(name, _)| name));
    let names = names.chain([cookie, handshake::PROTOCOL_VERSIONS, handshake::SOCKET_DIR]);
    for name in names.chain([handshake::CLIENT_CERT, "HOME", "TMPDIR", "CHECKPOINT_DISABLE"]) {
        let is_named = [format!("`{name}`"), format!("`{name}=")].iter().any(|code| section.contains(code));
        assert!(is_named, "{name} is not in {}", document.name);
    }
}

/// The entries without coverage are those that they name.
fn not_covered() {
    let text = Document::read("docs/not-yet.md").text;
    let listed = Folder::new().tfconform("list contract").out;
    let reasons: Vec<&str> =
        listed.lines().filter_map(|line| Some(line.split_once("(nobody yet) ")?.1)).collect();
    assert_eq!(reasons.len(), 4, "the document says four: {reasons:?}");
    for what in reasons.iter().map(|reason| reason.trim_end_matches(" are not played")) {
        assert!(text.contains(what), "{what} is not in the document");
    }
}

fn rust() {
    let wanted = format!("a Rust toolchain, {} or later", env!("CARGO_PKG_RUST_VERSION"));
    assert!(Document::read("README.md").text.contains(&wanted), "{wanted}");
}

/// An excerpt of a file is in that file, line for line.
fn excerpts() {
    let mut n_excerpts = 0;
    for block in documents().iter().flat_map(Document::blocks) {
        let Some(("from", file)) = block.marker.as_ref().map(|(key, file)| (key.as_str(), file)) else {
            continue;
        };
        let text = std::fs::read_to_string(repository().join(file)).unwrap();
        assert!(text.contains(&block.text), "{file} does not hold:\n{}", block.text);
        n_excerpts += 1;
    }
    assert!(n_excerpts > 0);
}
