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

/// The files that a file names by their paths: every `use` of `crate::` or `super::`, in full.
///
/// What a folder's `mod.rs` passes on is not followed, and a file may name the folders that it is in.
fn named_files(inside: &Path, code: &str, files: &BTreeSet<PathBuf>) -> BTreeSet<PathBuf> {
    let parent: Vec<String> = {
        let module = inside.with_extension("");
        let module = if module.ends_with("mod") { module.parent().unwrap().to_owned() } else { module };
        module.iter().map(|part| part.to_str().unwrap().to_owned()).collect()
    };
    let flat: String = code.lines().map(str::trim).collect::<Vec<_>>().join(" ");
    let mut found = BTreeSet::new();
    for statement in flat.split("use ").skip(1).filter_map(|rest| rest.split_once(';').map(|(path, _)| path))
    {
        for path in expanded(statement) {
            let mut path: Vec<&str> = path.split("::").collect();
            let mut base: Vec<String> = match path[0] {
                "crate" => Vec::new(),
                "super" => parent[..parent.len() - 1].to_vec(),
                _ => continue,
            };
            path.remove(0);
            while path.first() == Some(&"super") {
                base.pop();
                path.remove(0);
            }
            for name in path {
                base.push(name.to_owned());
                let stem: PathBuf = base.iter().collect();
                let of_module = [stem.with_extension("rs"), stem.join("mod.rs")];
                found.extend(of_module.into_iter().filter(|file| files.contains(file)));
            }
        }
    }
    let is_around = |file: &PathBuf| {
        let folder = if file.ends_with("mod.rs") {
            file.parent().unwrap().to_owned()
        } else {
            file.with_extension("")
        };
        inside.starts_with(folder)
    };
    found.retain(|file| file != inside && !is_around(file));
    found
}

/// Every path of a `use`: `a::{b, c::d}` is `a::b` and `a::c::d`.
fn expanded(statement: &str) -> Vec<String> {
    let Some((before, rest)) = statement.split_once('{') else {
        return vec![statement.split(" as ").next().unwrap_or_default().trim().to_owned()];
    };
    let (mut depth, mut part, mut paths) = (0, String::new(), Vec::new());
    for c in rest.chars() {
        match c {
            '{' => depth += 1,
            '}' if depth == 0 => break,
            '}' => depth -= 1,
            ',' if depth == 0 => {
                paths.extend(expanded(&format!("{}{}", before.trim(), part.trim())));
                part.clear();
                continue;
            }
            _ => {}
        }
        part.push(c);
    }
    paths.extend(expanded(&format!("{}{}", before.trim(), part.trim())));
    paths
}

#[test]
fn no_files_use_each_other() {
    let code = code();
    let files: BTreeSet<PathBuf> = code.iter().map(|(inside, _, _)| inside.clone()).collect();
    let mut graph = petgraph::graph::DiGraph::<&PathBuf, ()>::new();
    let nodes: BTreeMap<&PathBuf, _> = files.iter().map(|file| (file, graph.add_node(file))).collect();
    let mut n_uses = 0;
    for (inside, _, code) in &code {
        for named in named_files(inside, code, &files) {
            graph.add_edge(nodes[inside], nodes[&named], ());
            n_uses += 1;
        }
    }
    assert!(n_uses > 500, "only {n_uses} uses were found");
    let circles: Vec<Vec<&PathBuf>> = petgraph::algo::tarjan_scc(&graph)
        .into_iter()
        .filter(|circle| circle.len() > 1)
        .map(|circle| circle.into_iter().map(|node| graph[node]).collect())
        .collect();
    assert_eq!(circles, Vec::<Vec<&PathBuf>>::new());
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
