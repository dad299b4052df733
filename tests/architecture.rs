//! The documentation of `src/lib.rs` is true: its code map names every module, no module uses one of a
//! higher layer, and those it calls plain functions do no I/O.

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

/// Every file of `src` with its module and its code, without tests and comments.
fn code() -> Vec<(PathBuf, String, String)> {
    let mut files = Vec::new();
    rust_files(&root().join("src"), &mut files);
    let mut all = Vec::new();
    for file in files {
        let inside = file.strip_prefix(root().join("src")).unwrap();
        let module = inside.iter().next().unwrap().to_str().unwrap().trim_end_matches(".rs").to_owned();
        let name = inside.file_name().unwrap().to_str().unwrap();
        let is_test = matches!(name, "tests.rs" | "strategy.rs" | "samples.rs" | "matrix.rs")
            || inside.iter().any(|part| part == "tests");
        if is_test {
            continue;
        }
        let text = fs::read_to_string(&file).unwrap();
        let code = text.split("#[cfg(test)]\nmod tests {").next().unwrap_or(&text);
        let code = code.lines().filter(|line| !line.trim_start().starts_with("//"));
        all.push((inside.to_owned(), module, code.collect::<Vec<_>>().join("\n")));
    }
    all
}

/// The modules that code uses: every `crate::name`.
fn uses(code: &str) -> BTreeSet<String> {
    let mut found = BTreeSet::new();
    for line in code.lines() {
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
    let mut crossings = BTreeSet::new();
    for (inside, module, code) in code() {
        let Some(own) = layers.get(&module) else { continue };
        for used in uses(&code) {
            if layers.get(&used).is_some_and(|layer| layer > own) {
                crossings.insert(format!("{} ({module}, layer {own}) uses {used}", inside.display()));
            }
        }
    }
    assert_eq!(crossings, BTreeSet::new());
}

/// The modules that the documentation says do no I/O.
fn plain() -> BTreeSet<String> {
    let text = fs::read_to_string(root().join("src/lib.rs")).unwrap();
    let text = text.replace("\n//! ", " ");
    let (_, rest) = text.split_once("The others are plain functions: ").expect("it says so");
    let (named, _) = rest.split_once(" do no I/O").expect("it says so");
    named.split('`').skip(1).step_by(2).map(str::to_owned).collect()
}

#[test]
fn plain_functions_leave_the_world_alone() {
    const WORLD: [&str; 10] = [
        "async ",
        "std::env",
        "std::fs",
        "std::io",
        "std::net",
        "std::thread",
        "process::Command",
        "SystemTime",
        "Instant",
        "tokio",
    ];
    let plain = plain();
    assert!(plain.len() > 5 && plain.is_subset(&modules()), "{plain:?}");
    let mut found = BTreeSet::new();
    for (inside, _, code) in code().into_iter().filter(|(_, module, _)| plain.contains(module)) {
        let words = WORLD.into_iter().filter(|word| code.contains(word));
        found.extend(words.map(|word| format!("{}: {word}", inside.display())));
    }
    assert_eq!(found, BTreeSet::new());
}
