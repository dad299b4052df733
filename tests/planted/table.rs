//! The table of the faults.

use std::collections::BTreeSet;
use std::fs;
use std::path::Path;

use serde::Deserialize;

/// One mistake of an author; the file says what each key means.
#[derive(Clone, Debug, Deserialize)]
#[serde(deny_unknown_fields)]
pub struct Fault {
    pub name: String,
    pub providers: BTreeSet<String>,
    pub resource: String,
    pub kind: String,
    #[expect(dead_code, reason = "for readers of the table")]
    about: String,
    pub rules: BTreeSet<String>,
    pub missed: Option<String>,
}

/// Reads the table. A rule that does not exist is an error in it.
pub fn read() -> Vec<Fault> {
    #[derive(Deserialize)]
    struct Table {
        fault: Vec<Fault>,
    }
    let file = Path::new(env!("CARGO_MANIFEST_DIR")).join("tests/providers/faults.toml");
    let text = fs::read_to_string(&file).expect("the table is there");
    let table: Table = toml::from_str(&text).unwrap_or_else(|error| panic!("{}: {error}", file.display()));
    for fault in &table.fault {
        for rule in &fault.rules {
            let is_known = tfconform::rules::CATALOGUE.iter().any(|known| known.id == rule);
            assert!(is_known, "{}: {}: there is no rule {rule}", file.display(), fault.name);
        }
    }
    table.fault
}
