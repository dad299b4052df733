//! The folders that an interpreter needs to see.

use std::ffi::OsStr;
use std::fs;
use std::io::Read as _;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use crate::files;
use crate::sandbox::can_be_shown;

/// Folders of programs that are part of an installation, which is the folder above.
const PROGRAM_FOLDERS: [&str; 3] = ["bin", "sbin", "shims"];
/// How many links or scripts may lead from a name to a program.
const MOST_STEPS: usize = 10;

/// A program as a shell finds it in a `PATH`; a name with a slash is not looked up.
pub(super) fn looked_for(name: &OsStr, path: &OsStr) -> Option<PathBuf> {
    if Path::new(name).components().count() != 1 {
        return Some(name.into());
    }
    let is_program = |file: &PathBuf| {
        fs::metadata(file).is_ok_and(|found| found.is_file() && found.permissions().mode() & 0o111 != 0)
    };
    std::env::split_paths(path).map(|folder| folder.join(name)).find(is_program)
}

/// The installations that a program belongs to: where it is found, where every link leads, and those of
/// the interpreter that a script names. Never a home folder.
pub(super) fn installations(program: &Path, path: &OsStr) -> Vec<PathBuf> {
    let mut folders = Vec::new();
    let mut next = Some(program.to_owned());
    for _ in 0..MOST_STEPS {
        let Some(program) = next else { break };
        folders.extend(installation(&program));
        next = match fs::read_link(&program) {
            Ok(target) => program.parent().map(|folder| folder.join(target)),
            Err(_) => named_by(&program, path),
        };
    }
    folders
}

/// The folder above `bin`, or else the program's own.
fn installation(program: &Path) -> Option<PathBuf> {
    let own = program.parent()?.canonicalize().ok()?;
    let is_part = own.file_name().is_some_and(|name| PROGRAM_FOLDERS.iter().any(|part| name == *part));
    let above = own.parent().filter(|_| is_part).map(Path::to_owned);
    above.into_iter().chain([own]).find(|folder| can_be_shown(folder))
}

/// The interpreter in the first line of a script, also after `env`.
fn named_by(script: &Path, path: &OsStr) -> Option<PathBuf> {
    let mut start = Vec::new();
    files::open(script).ok()?.take(256).read_to_end(&mut start).ok()?;
    let line = start.strip_prefix(b"#!")?.split(|byte| *byte == b'\n').next()?;
    let mut words = std::str::from_utf8(line).ok()?.split_whitespace();
    let first = words.next()?;
    if !first.ends_with("/env") {
        return Some(first.into());
    }
    looked_for(words.find(|word| !word.starts_with('-') && !word.contains('='))?.as_ref(), path)
}

#[cfg(test)]
mod tests {
    use super::*;
    use std::os::unix::fs::symlink;

    /// A folder of programs, each with its first line.
    fn folder(programs: &[(&str, &str)]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for (name, line) in programs {
            let file = root.join(name);
            fs::create_dir_all(file.parent().unwrap()).unwrap();
            fs::write(&file, line).unwrap();
            fs::set_permissions(&file, fs::Permissions::from_mode(0o755)).unwrap();
        }
        (folder, root)
    }

    #[test]
    fn an_interpreter_belongs_to_its_environment_and_to_what_is_behind_its_links() {
        let (_folder, root) = folder(&[("python/3.12/bin/python3.12", ""), (".venv/bin/acme", "#!x")]);
        symlink("../../python/3.12/bin/python3.12", root.join(".venv/bin/python3")).unwrap();
        let found = installations(&root.join(".venv/bin/python3"), "".as_ref());
        assert_eq!(found, [root.join(".venv"), root.join("python/3.12")]);
    }

    #[test]
    fn a_script_needs_the_interpreter_that_it_names() {
        let (_folder, root) = folder(&[("node/bin/node", ""), ("tool/run", "#!/usr/bin/env -S node\n")]);
        let path = root.join("node/bin").into_os_string();
        let found = installations(&root.join("tool/run"), &path);
        assert_eq!(found, [root.join("tool"), root.join("node")]);
        let direct = format!("#!{}\n", root.join("node/bin/node").display());
        fs::write(root.join("tool/run"), direct).unwrap();
        assert_eq!(installations(&root.join("tool/run"), "".as_ref()), found);
    }

    #[test]
    fn programs_are_looked_for_as_a_shell_does() {
        let (_folder, root) = folder(&[("b/acme", "")]);
        fs::create_dir_all(root.join("a/acme")).unwrap();
        let path = std::env::join_paths(["a", "b"].map(|name| root.join(name))).unwrap();
        assert_eq!(looked_for("acme".as_ref(), &path), Some(root.join("b/acme")));
        assert_eq!(looked_for("acne".as_ref(), &path), None);
        assert_eq!(looked_for("/x/acme".as_ref(), &path), Some("/x/acme".into()));
    }
}
