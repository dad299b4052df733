//! What the README claims.

use std::collections::{BTreeMap, BTreeSet};

use libtest_mimic::Trial;
use tfconform::provider::handshake;
use tfconform::provider::launch::QUICK;
use tfconform::sandbox::INHERITED;

use super::{Checked, Folder, repository, time, trial};

const README: &str = include_str!("../../README.md");
/// Where the keys of suites are declared.
const KEYS: [&str; 3] = [
    include_str!("../../src/suite/keys.rs"),
    include_str!("../../src/suite/require.rs"),
    include_str!("../../src/suite/known.rs"),
];

pub fn trials() -> Vec<Trial> {
    let mut trials = vec![
        trial("readme/its_exit_codes_are_the_program_s", exit_codes),
        trial("readme/its_suite_keys_are_those_of_the_parser", suite_keys),
        trial("readme/its_suite_parses", suites_parse),
        trial("readme/every_option_it_names_exists", options_exist),
        trial("readme/its_environment_is_the_provider_s", environment),
        trial("readme/it_names_what_is_not_covered", not_covered),
        trial("readme/its_rust_is_the_package_s", rust),
        trial("readme/its_excerpts_are_of_these_files", excerpts),
    ];
    for (n, block) in blocks().into_iter().filter(|block| block.marker.is_some()).enumerate() {
        let code = block.marker.expect("it is marked");
        let needs_time = block.lines.iter().any(|line| line.contains("terraform-provider-"));
        let missing = needs_time && time().is_none();
        let trial = Trial::test(format!("readme/commands_{}", n + 1), move || run(&block, code));
        trials.push(match missing {
            true => trial.with_kind("needs terraform-provider-time").with_ignored_flag(true),
            false => trial,
        });
    }
    trials
}

/// The commands of a fenced block.
struct Block {
    /// The exit code of each, if `<!-- run: N -->` is before the block.
    marker: Option<i32>,
    lines: Vec<String>,
    /// What they print, if a block of text follows `$` lines; omissions are `…`.
    output: Vec<Vec<String>>,
}

fn blocks() -> Vec<Block> {
    let mut blocks: Vec<Block> = Vec::new();
    let mut lines = README.lines();
    let mut marker = None;
    let mut is_waiting = false;
    while let Some(line) = lines.next() {
        if let Some(code) = line.strip_prefix("<!-- run: ").and_then(|rest| rest.strip_suffix(" -->")) {
            marker = Some(code.parse().expect("an exit code"));
        }
        let Some(language) = line.strip_prefix("```").filter(|language| !language.is_empty()) else {
            continue;
        };
        let body: Vec<&str> = lines.by_ref().take_while(|line| !line.starts_with("```")).collect();
        let commands: Vec<String> = match language {
            "sh" => body.iter().map(|line| (*line).to_owned()).collect(),
            "console" => body.iter().filter_map(|line| line.strip_prefix("$ ").map(str::to_owned)).collect(),
            "text" if is_waiting => {
                let parts = body.split(|line| *line == "…").filter(|part| !part.is_empty());
                let parts = parts.map(|part| part.iter().map(|line| (*line).to_owned()).collect());
                blocks.last_mut().expect("it waits for its output").output = parts.collect();
                is_waiting = false;
                continue;
            }
            _ => continue,
        };
        is_waiting = language == "console";
        let without_comment = |line: String| line.split("  #").next().unwrap_or_default().trim().to_owned();
        let lines = commands.into_iter().map(without_comment).filter(|line| !line.is_empty()).collect();
        blocks.push(Block { marker: marker.take(), lines, output: Vec::new() });
    }
    assert!(!is_waiting, "what a command prints follows it");
    blocks
}

/// Runs commands one after the other, as a user in a folder with only a provider, and compares what they
/// print with what the README shows.
fn run(block: &Block, code: i32) -> Checked {
    let folder = Folder::new();
    if let Some(time) = time() {
        for name in ["terraform-provider-acme", "terraform-provider-time"] {
            std::os::unix::fs::symlink(&time, folder.path(name))?;
        }
    }
    folder.file("suites/acme.toml", &suite_example());
    let mut printed = String::new();
    for line in &block.lines {
        let line = line.replace("cargo run --release -- ", "tfconform ");
        let bin = std::path::Path::new(super::PROGRAM).parent().ok_or("the program has a folder")?;
        let path = format!("{}:{}", bin.display(), std::env::var("PATH")?);
        let ran = folder.run(folder.command("bash").args(["-c", &line]).env("PATH", path));
        if ran.code != Some(code) {
            return Err(format!("{line}: exit {:?}\n{}\n{}", ran.code, ran.out, ran.err).into());
        }
        printed += &ran.out;
    }
    let printed: Vec<String> = printed.lines().filter_map(redacted).collect();
    let mut rest = &printed[..];
    for part in &block.output {
        let shown: Vec<String> = part.iter().filter_map(|line| redacted(line)).collect();
        let at = rest.windows(shown.len()).position(|lines| lines == shown);
        let Some(at) = at else {
            let unlike: Vec<&String> = shown.iter().filter(|line| !printed.contains(line)).collect();
            let (shown, printed) = (shown.join("\n"), printed.join("\n"));
            return Err(format!(
                "the README shows\n{shown}\n\nand not what is printed:\n{printed}\n\nmissing lines: {unlike:#?}"
            )
            .into());
        };
        rest = &rest[at + shown.len()..];
    }
    Ok(())
}

/// A line without what differs between runs and machines (seconds, memory, the year, and how many attributes of a
/// time differ from another time) and without alignment. `None` for an object's row of a year, which may be the next year's.
fn redacted(line: &str) -> Option<String> {
    let is_year = |word: &str| word.len() == 4 && word.starts_with("20") && word.parse::<u16>().is_ok();
    if line.contains(" = ") && line.split(' ').next_back().is_some_and(is_year) {
        return None;
    }
    let words: Vec<&str> = line.split_whitespace().collect();
    // The parts of the time at which it was run.
    let is_time = ["day = ", "hour = ", "minute = ", "month = "].iter().any(|part| line.contains(part));
    if let (Some(part @ ("planned" | "final")), true) = (words.first().copied(), is_time) {
        return Some(format!("{part} …"));
    }
    let is_unit = |word: &str| ["s", "s;", "MiB", "attributes"].contains(&word);
    let shown = words.iter().enumerate().map(|(idx, word)| match words.get(idx + 1) {
        Some(next) if is_unit(next) => "…",
        _ if is_year(word) => "YEAR",
        _ => word,
    });
    Some(shown.collect::<Vec<_>>().join(" "))
}

/// The first TOML block that is a suite.
fn suite_example() -> String {
    toml_blocks().into_iter().find(|text| text.starts_with("[provider]")).expect("the README shows a suite")
}

fn toml_blocks() -> Vec<String> {
    let parts = README.split("```toml\n").skip(1);
    parts.map(|part| part.split("```").next().unwrap_or_default().to_owned()).collect()
}

fn suites_parse() {
    let is_of_cargo = |text: &String| text.contains("[[test]]") || text.contains("[dev-dependencies]");
    let suites: Vec<String> = toml_blocks().into_iter().filter(|text| !is_of_cargo(text)).collect();
    assert!(!suites.is_empty());
    for text in suites {
        // Part of a suite becomes a suite by adding a provider.
        let whole = match text.contains("[provider]") {
            true => text,
            false => format!("{text}\n[provider]\nname = \"acme\"\n"),
        };
        tfconform::suite::Suite::parse(std::path::Path::new("README.md"), &whole).unwrap();
    }
}

fn exit_codes() {
    let ran = Folder::new().tfconform("list exit-codes");
    let listed: Vec<(String, String)> = ran
        .out
        .lines()
        .map(|line| line.trim().split_once("  ").expect("a code and its meaning"))
        .map(|(code, meaning)| (code.to_owned(), meaning.trim().to_owned()))
        .collect();
    assert_eq!(rows("## Levels and exit codes", 2, |code| code.parse::<u8>().is_ok()), listed);
}

/// The first two cells of the table rows below a heading whose first cell passes `fit`.
fn rows(heading: &str, n_cells: usize, fit: impl Fn(&str) -> bool) -> Vec<(String, String)> {
    let section = README.split(heading).nth(1).expect("the heading is there");
    let section = section.split("\n## ").next().unwrap_or_default();
    let cells = |line: &str| -> Vec<String> {
        line.trim_matches('|').split(" | ").map(|cell| cell.trim().to_owned()).collect()
    };
    let rows = section.lines().filter(|line| line.starts_with("| ")).map(cells);
    rows.filter(|cells| cells.len() >= n_cells && fit(&cells[0]))
        .map(|cells| (cells[0].clone(), cells[1].clone()))
        .collect()
}

fn suite_keys() {
    let documented: BTreeSet<String> = rows("## Suite files", 2, |cell| cell.starts_with('`'))
        .into_iter()
        .map(|(key, _)| key.trim_matches('`').to_owned())
        .collect();
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

/// The program takes the options of every command line in a block, and every option named elsewhere belongs
/// to some subcommand.
fn options_exist() {
    let folder = Folder::new();
    let mut known: BTreeSet<String> = BTreeSet::new();
    let mut of = BTreeMap::new();
    let nested = "report merge";
    let subcommands =
        ["check", "explain", "list", "judge", "replay", "reproduce", "schema", "reference", nested];
    for subcommand in subcommands {
        let help = folder.tfconform(&format!("{subcommand} --help"));
        help.says(0, &[]);
        let listed = help.out.lines().map(str::trim_start).filter(|line| line.starts_with('-'));
        // The text after the names may mention other options.
        let names = listed.map(|line| line.split("  ").next().unwrap_or_default());
        let taken: BTreeSet<String> = names.flat_map(options).collect();
        known.extend(taken.iter().cloned());
        of.insert(subcommand, taken);
    }
    for line in blocks().into_iter().flat_map(|block| block.lines) {
        for part in line.split(" && ") {
            let part = part.replace("cargo run --release -- ", "tfconform ");
            let Some(words) = part.trim().strip_prefix("tfconform ") else { continue };
            let (words, _) = words.split_once(" -- ").unwrap_or((words, ""));
            let is_nested = words.starts_with(nested);
            let subcommand =
                if is_nested { nested } else { words.split_whitespace().next().expect("a subcommand") };
            let missing: Vec<String> = options(words).difference(&of[subcommand]).cloned().collect();
            assert_eq!(missing, Vec::<String>::new(), "{line}");
        }
    }
    // In prose and tables, every piece of code that is not another program's command.
    let mut prose = String::new();
    for part in README.split("```").step_by(2) {
        let code = part.split('`').skip(1).step_by(2);
        let ours = code.filter(|code| !code.starts_with("cargo "));
        ours.for_each(|code| prose.extend([code, "\n"]));
    }
    let named = options(&prose);
    // Those of `cargo test`.
    let filters = ["--exact", "--skip", "--ignored", "--list", "--test", "--nocapture"].map(str::to_owned);
    let unknown: BTreeSet<&String> =
        named.iter().filter(|option| !known.contains(*option) && !filters.contains(option)).collect();
    assert_eq!(unknown, BTreeSet::new());
    assert!(named.len() > 20, "{named:?}");
}

/// Every variable that is inherited or set is named.
fn environment() {
    let section = README
        .split("The environment of a provider that tfconform starts has")
        .nth(1)
        .expect("the README says so");
    let section = section.split("\n## ").next().unwrap_or_default();
    let (cookie, _) = handshake::COOKIE;
    let names = INHERITED.map(|(name, _)| name).into_iter().chain(QUICK.map(|(name, _)| name));
    let names = names.chain(handshake::PORTS.map(|(name, _)| name));
    let names = names.chain([cookie, handshake::PROTOCOL_VERSIONS, handshake::SOCKET_DIR]);
    for name in names.chain([handshake::CLIENT_CERT, "HOME", "TMPDIR", "CHECKPOINT_DISABLE"]) {
        let is_named = [format!("`{name}`"), format!("`{name}=")].iter().any(|code| section.contains(code));
        assert!(is_named, "{name} is not in the README");
    }
}

/// The entries without coverage are those that it names.
fn not_covered() {
    let section = README.split("## What is not there yet").nth(1).expect("the heading is there");
    let listed = Folder::new().tfconform("list contract").out;
    let reasons: Vec<&str> =
        listed.lines().filter_map(|line| Some(line.split_once("(nobody yet) ")?.1)).collect();
    assert_eq!(reasons.len(), 3, "the README says three: {reasons:?}");
    for what in reasons.iter().map(|reason| reason.trim_end_matches(" are not played")) {
        assert!(section.contains(what), "{what} is not in the README");
    }
}

fn rust() {
    let version = env!("CARGO_PKG_RUST_VERSION");
    assert!(README.contains(&format!("a Rust toolchain, {version} or later")), "{version}");
}

/// An excerpt of a file is in that file, line for line.
fn excerpts() {
    let mut n_excerpts = 0;
    for part in README.split("<!-- from: ").skip(1) {
        let (file, rest) = part.split_once(" -->\n```text\n").expect("a block of text follows");
        let (excerpt, _) = rest.split_once("```").expect("the block ends");
        let text = std::fs::read_to_string(repository().join(file)).unwrap();
        assert!(text.contains(excerpt), "{file} does not hold:\n{excerpt}");
        n_excerpts += 1;
    }
    assert!(n_excerpts > 0);
}
