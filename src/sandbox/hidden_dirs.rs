//! Folders hidden from what runs in a sandbox, and exceptions.

use std::collections::VecDeque;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

use super::ipc::HiddenDir;

/// The user's home folders, symlinks resolved, each once.
pub fn homes() -> Vec<PathBuf> {
    let named = env::var_os("HOME").map(PathBuf::from);
    let user = nix::unistd::User::from_uid(nix::unistd::geteuid()).ok().flatten();
    existing(named.into_iter().chain(user.map(|user| user.dir)))
}

/// All folders to hide, symlinks resolved, each once.
pub fn hidden() -> Vec<PathBuf> {
    let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let fixed = ["/run", "/var/run", TMP].map(PathBuf::from);
    existing(homes().into_iter().chain(runtime).chain(fixed))
}

/// Programs expect to be able to write there.
const TMP: &str = "/tmp";

fn existing(paths: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = paths.filter_map(|path| path.canonicalize().ok()).collect();
    paths.retain(|path| path.is_dir());
    paths.sort();
    paths.dedup();
    paths
}

/// Decides which folders are hidden: not `/`, nothing inside a folder that is already hidden, and
/// nothing that must itself stay readable. All paths have symlinks resolved.
///
/// The error is a folder that would have to be hidden but is in the scratch folder.
pub fn to_hide(hidden: &[PathBuf], scratch: &Path, keeps: &[PathBuf]) -> Result<Vec<HiddenDir>, PathBuf> {
    let mut dirs: Vec<&Path> = Vec::new();
    for path in hidden {
        if path.starts_with(scratch) {
            return Err(path.clone());
        }
        let nested = dirs.iter().any(|dir| path.starts_with(dir));
        if path.parent().is_some() && !nested && !keeps.contains(path) {
            dirs.push(path);
        }
    }
    let writable = |path: &Path| Path::new(TMP).canonicalize().is_ok_and(|tmp| path == tmp);
    Ok(dirs.into_iter().map(|path| HiddenDir { path: path.into(), writable: writable(path) }).collect())
}

/// What has to be shown again because it is in a hidden folder.
pub fn kept(keeps: Vec<PathBuf>, dirs: &[HiddenDir]) -> Vec<OsString> {
    keeps.into_iter().filter(|path| is_hidden(path, dirs)).map(PathBuf::into_os_string).collect()
}

/// Whether a folder can be shown without revealing what must be hidden: it is not a home, and not
/// the parent of a hidden folder. The path has symlinks resolved.
pub fn can_be_shown(folder: &Path, hidden: &[PathBuf]) -> bool {
    let lies_in_hidden = hidden.iter().any(|hidden| folder.starts_with(hidden));
    let holds_hidden = hidden.iter().any(|hidden| hidden.starts_with(folder));
    !(lies_in_hidden && holds_hidden)
}

/// As many symlinks as Linux follows.
const MOST_LINKS: usize = 40;

/// The symlinks that lead to a path from the root, in the order in which the system follows them:
/// the path of each (symlinks resolved) and its target.
pub fn links(path: &Path) -> Vec<(PathBuf, PathBuf)> {
    let mut links = Vec::new();
    let mut at = PathBuf::new();
    let mut rest: VecDeque<OsString> = path.iter().map(OsString::from).collect();
    while let Some(name) = rest.pop_front() {
        if Path::new(&name).components().next() == Some(Component::ParentDir) {
            at.pop();
            continue;
        }
        at.push(name);
        if let Ok(target) = fs::read_link(&at) {
            target.iter().rev().for_each(|name| rest.push_front(name.into()));
            links.push((at.clone(), target));
            at.pop();
        }
        if links.len() >= MOST_LINKS {
            break;
        }
    }
    links
}

/// Whether the path is in a hidden folder.
pub fn is_hidden(path: &Path, dirs: &[HiddenDir]) -> bool {
    dirs.iter().any(|dir| path.starts_with(&dir.path))
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> Vec<PathBuf> {
        paths.iter().map(PathBuf::from).collect()
    }

    fn found(hidden: &[&str], scratch: &str, keeps: &[&str]) -> Result<Vec<String>, PathBuf> {
        let dirs = to_hide(&paths(hidden), Path::new(scratch), &paths(keeps))?;
        Ok(dirs.into_iter().map(|dir| dir.path.into_string().unwrap()).collect())
    }

    #[test]
    fn each_folder_is_hidden_once() {
        let hidden = ["/home/jo", "/run", "/run/user/7", "/tmp"];
        assert_eq!(found(&hidden, "/tmp/s", &["/home/jo/bin"]).unwrap(), ["/home/jo", "/run", "/tmp"]);
    }

    #[test]
    fn a_folder_that_must_stay_readable_is_not_hidden() {
        assert_eq!(found(&["/", "/home/jo"], "/tmp/s", &["/home/jo"]).unwrap(), [""; 0]);
    }

    #[test]
    fn a_scratch_folder_that_holds_a_hidden_one_is_refused() {
        assert_eq!(found(&["/home/jo"], "/home", &[]), Err("/home/jo".into()));
        assert_eq!(found(&["/tmp"], "/tmp", &[]), Err("/tmp".into()));
    }

    #[test]
    fn a_home_is_never_shown_nor_what_is_hidden_and_holds_one() {
        let hidden = paths(&["/home/jo", "/tmp", "/tmp/ci/home"]);
        let can_be_shown = |path: &str| can_be_shown(Path::new(path), &hidden);
        for path in ["/home/jo/project", "/tmp/project", "/usr", "/home", "/"] {
            assert!(can_be_shown(path), "{path}");
        }
        for path in ["/home/jo", "/tmp", "/tmp/ci", "/tmp/ci/home"] {
            assert!(!can_be_shown(path), "{path}");
        }
    }

    #[test]
    fn links_are_followed_to_the_end() {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        for name in ["env/bin", "v1.2/bin"] {
            fs::create_dir_all(root.join(name)).unwrap();
        }
        let link = |target: &str, name: &str| std::os::unix::fs::symlink(target, root.join(name)).unwrap();
        link("v1.2", "v1");
        link("../../v1/bin/python", "env/bin/python");
        link("python", "env/bin/python3");
        fs::write(root.join("v1.2/bin/python"), "").unwrap();
        let found = links(&root.join("env/bin/python3"));
        let expected =
            [("env/bin/python3", "python"), ("env/bin/python", "../../v1/bin/python"), ("v1", "v1.2")];
        assert_eq!(found, expected.map(|(at, target)| (root.join(at), target.into())));
        link("loop", "loop");
        assert_eq!(links(&root.join("loop")).len(), MOST_LINKS);
    }

    #[test]
    fn only_what_is_hidden_is_shown_again() {
        let dirs = to_hide(&paths(&["/home/jo"]), Path::new("/tmp/s"), &[]).unwrap();
        let keeps = paths(&["/home/jo/bin", "/usr/bin", "/home/joan"]);
        assert_eq!(kept(keeps, &dirs), ["/home/jo/bin"]);
    }
}
