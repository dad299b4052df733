//! The code map in the documentation of `src/lib.rs` is true: it names every module, and no module
//! uses one of a higher layer.

use std::collections::{BTreeMap, BTreeSet};
use std::fs;
use std::path::{Path, PathBuf};

fn root() -> PathBuf {
    PathBuf::from(env!("CARGO_MANIFEST_DIR"))
}

/// Module → layer, from the table.
fn layers() -> BTreeMap<String, u32> {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    text.lines()
        .filter_map(|line| {
            let mut cells = line.strip_prefix("//! | ")?.split(" | ");
            let layer = cells.next()?.trim().parse().ok()?;
            let name = cells.next()?.trim().trim_start_matches("[`").split('`').next()?.to_owned();
            Some((name, layer))
        })
        .collect()
}

fn modules() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    text.lines()
        .filter_map(|line| Some(line.strip_prefix("pub mod ")?.trim_end_matches(';').to_owned()))
        .collect()
}

fn rust_files(folder: &Path, files: &mut Vec<PathBuf>) {
    for entry in fs::read_dir(folder).unwrap() {
        let path = entry.unwrap().path();
        if path.is_dir() {
            rust_files(&path, files);
        } else if path.extension().is_some_and(|extension| extension == "rs") {
            files.push(path);
        }
    }
}

/// The modules a file uses outside of its tests: every `crate::name`.
fn uses(text: &str) -> BTreeSet<String> {
    let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(text);
    let mut found = BTreeSet::new();
    for line in code.lines().filter(|line| !line.trim_start().starts_with("//")) {
        for (at, _) in line.match_indices("crate::") {
            let name: String =
                line[at + 7..].chars().take_while(|c| c.is_ascii_lowercase() || *c == '_').collect();
            found.insert(name);
        }
    }
    found
}

#[test]
fn the_code_map_names_every_module() {
    let mapped: BTreeSet<String> = layers().into_keys().collect();
    assert_eq!(mapped, modules());
}

#[test]
fn no_module_uses_a_higher_layer() {
    let layers = layers();
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    let mut crossings = BTreeSet::new();
    for file in files {
        let inside = file.strip_prefix(root().join("src")).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        let name = inside.file_name().unwrap().to_str().unwrap();
        let is_test = matches!(name, "tests.rs" | "strategy.rs" | "samples.rs" | "matrix.rs")
            || inside.iter().any(|part| part == "tests");
        let Some(own) = layers.get(&module).filter(|_| !is_test) else { continue };
        for used in uses(&fs::read_to_string(&file).unwrap()) {
            if layers.get(&used).is_some_and(|layer| layer > own) {
                crossings.insert(format!("{} ({module}, layer {own}) uses {used}", inside.display()));
            }
        }
    }
    assert_eq!(crossings, BTreeSet::new());
}
