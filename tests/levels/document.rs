//! `docs/levels.md`: a table with a row for each rule and a column for each engine.

use std::collections::BTreeMap;
use std::fmt::Write as _;
use std::fs;
use std::path::PathBuf;

use tfconform::rule::Enforced;
use tfconform::rules::CATALOGUE;

const TITLE: &str = "# What engines show of broken rules";
/// The columns before those of engines.
const OWN: [&str; 3] = ["Rule", "Level", "A report says"];
/// Of a new document.
const ENGINES: [&str; 1] = ["terraform 1.11.4"];

const ABOUT: &str = "\
Each rule's fault, armed in the reference provider and played under real engines: what the engine showed, \
next to what reports say that it shows and, where not every release does, since when. A title in quotes is that of an error. “a plan right after apply \
has changes” means that `plan -detailed-exitcode` ends with 2. The control of a fault, the nearest legal \
behaviour, shows nothing unless a note says so. “not played” is followed by the reason.

`TFCONFORM_LEVELS=all UPDATE_GENERATED=1 cargo test --test levels` writes this file.";

pub struct Document {
    pub engines: Vec<String>,
    /// By rule and engine.
    cells: BTreeMap<(String, String), String>,
    kept: String,
}

fn file() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR")).join("docs/levels.md")
}

pub fn updates() -> bool {
    std::env::var_os("UPDATE_GENERATED").is_some()
}

impl Document {
    pub fn read() -> Document {
        let kept = fs::read_to_string(file()).unwrap_or_default();
        let mut rows = kept.lines().filter_map(|line| line.strip_prefix("| ")?.strip_suffix(" |"));
        let columns = |row: &str| row.split(" | ").map(str::to_owned).collect::<Vec<_>>();
        let engines = match rows.next() {
            Some(head) => columns(head).split_off(OWN.len()),
            None => ENGINES.map(str::to_owned).to_vec(),
        };
        let mut cells = BTreeMap::new();
        for row in rows.map(columns) {
            for (engine, cell) in engines.iter().zip(row.iter().skip(OWN.len())) {
                let rule = row[0].trim_matches('`').to_owned();
                cells.insert((rule, engine.clone()), cell.clone());
            }
        }
        Document { engines, cells, kept }
    }

    pub fn cell(&self, rule: &str, engine: &str) -> Option<String> {
        self.cells.get(&(rule.to_owned(), engine.to_owned())).cloned()
    }

    /// The document with another cell.
    pub fn with(mut self, rule: &str, engine: &str, seen: &str) -> Document {
        self.cells.insert((rule.to_owned(), engine.to_owned()), seen.to_owned());
        self
    }

    /// The text on disk.
    pub fn kept(&self) -> &str {
        &self.kept
    }

    /// The text as it should be, apart from what engines show.
    pub fn text(&self) -> String {
        let mut text = format!("{TITLE}\n\n{ABOUT}\n\n");
        let mut row = |cells: Vec<String>| {
            writeln!(text, "| {} |", cells.join(" | ")).expect("a string takes all text");
        };
        let own = OWN.iter().map(|name| (*name).to_owned());
        row(own.chain(self.engines.iter().cloned()).collect());
        row(vec!["---".to_owned(); OWN.len() + self.engines.len()]);
        for rule in CATALOGUE {
            let since = match rule.enforced {
                Enforced::ALWAYS => String::new(),
                since => format!(" ({since})"),
            };
            let says = plain(&format!("{}{since}", rule.shows));
            let own = [format!("`{}`", rule.id), rule.level.to_string(), says];
            let seen = self
                .engines
                .iter()
                .map(|engine| self.cell(rule.id, engine).unwrap_or_else(|| "not tried".to_owned()));
            row(own.into_iter().chain(seen).collect());
        }
        text
    }

    pub fn write(&self) {
        fs::create_dir_all(file().parent().expect("it is in a folder")).unwrap();
        fs::write(file(), self.text()).unwrap();
    }
}

/// Text that fits into a cell.
pub fn plain(text: &str) -> String {
    let text = text.replace('|', "\\|");
    text.split_whitespace().collect::<Vec<_>>().join(" ")
}
