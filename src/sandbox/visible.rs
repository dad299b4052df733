//! What the machine's files look like from inside: a few folders of the system, what the caller
//! names, and nothing else.

use std::collections::VecDeque;
use std::env;
use std::ffi::OsString;
use std::fs;
use std::path::{Component, Path, PathBuf};

/// Programs, libraries and their configuration, as far as they exist.
const SYSTEM: [&str; 12] = [
    "/bin",
    "/etc",
    "/gnu/store",
    "/lib",
    "/lib32",
    "/lib64",
    "/libx32",
    "/nix/store",
    "/opt",
    "/sbin",
    "/usr",
    // Where openSUSE keeps the certificates that /etc links to.
    "/var/lib/ca-certificates",
];
/// Folders that show the system's own state: nothing in them can be named.
const NEVER: [&str; 2] = ["/proc", "/sys"];

/// What is visible. All paths are absolute, and their symlinks are resolved.
#[derive(Debug, Clone, Default, PartialEq, Eq)]
pub struct Visible {
    /// Files and folders.
    pub shown: Vec<PathBuf>,
    /// Folders to leave out of those.
    pub hidden: Vec<PathBuf>,
    /// Symlinks that lead to what is shown, and are not in it themselves: path and target.
    pub links: Vec<(PathBuf, PathBuf)>,
}

impl Visible {
    /// What is visible if these are to stay readable.
    ///
    /// The error is a folder that must stay hidden, but is in the scratch folder.
    pub fn new(keeps: &[PathBuf], scratch: &Path) -> Result<Self, PathBuf> {
        let hidden = hidden();
        if let Some(inside) = hidden.iter().find(|path| path.starts_with(scratch)) {
            return Err(inside.clone());
        }
        let wanted = SYSTEM.iter().map(PathBuf::from).chain(keeps.iter().cloned());
        Ok(Self::of(wanted, hidden))
    }

    fn of(wanted: impl Iterator<Item = PathBuf>, mut hidden: Vec<PathBuf>) -> Self {
        let (mut shown, mut links) = (Vec::new(), Vec::new());
        for path in wanted.filter_map(|path| std::path::absolute(path).ok()) {
            let Ok(real) = path.canonicalize() else { continue };
            if NEVER.iter().any(|never| real.starts_with(never)) {
                continue;
            }
            links.extend(self::links(&path));
            shown.push(real);
        }
        shown.sort();
        shown.dedup();
        let system: Vec<PathBuf> = SYSTEM.iter().map(PathBuf::from).collect();
        // What is in a folder of the system is seen there.
        let is_seen = |path: &PathBuf| system.iter().any(|folder| path.starts_with(folder) && path != folder);
        let lies_in_hidden = |path: &PathBuf| hidden.iter().any(|folder| path.starts_with(folder));
        shown.retain(|path| path.parent().is_some() && (!is_seen(path) || lies_in_hidden(path)));
        hidden.retain(|path| !shown.contains(path));
        let mut visible = Self { shown, hidden, links: Vec::new() };
        links.sort();
        links.dedup();
        links.retain(|(path, _)| !visible.is_shown(path));
        visible.links = links;
        Self {
            hidden: visible.hidden.iter().filter(|path| visible.is_inside(path)).cloned().collect(),
            ..visible
        }
    }

    /// Whether a path exists because it is in a folder that is shown, and not in one hidden there.
    fn is_shown(&self, path: &Path) -> bool {
        let depth = |folders: &[PathBuf]| {
            let around = folders.iter().filter(|folder| path.starts_with(folder));
            around.map(|folder| folder.components().count()).max()
        };
        depth(&self.shown) > depth(&self.hidden)
    }

    fn is_inside(&self, path: &Path) -> bool {
        self.shown.iter().any(|folder| path.starts_with(folder))
    }
}

/// The user's home folders, symlinks resolved, each once.
pub fn homes() -> Vec<PathBuf> {
    let named = env::var_os("HOME").map(PathBuf::from);
    let user = nix::unistd::User::from_uid(nix::unistd::geteuid()).ok().flatten();
    existing(named.into_iter().chain(user.map(|user| user.dir)))
}

/// All folders that are hidden wherever they are, symlinks resolved, each once.
pub fn hidden() -> Vec<PathBuf> {
    let runtime = env::var_os("XDG_RUNTIME_DIR").map(PathBuf::from);
    let fixed = ["/run", "/var/run", "/tmp"].map(PathBuf::from);
    existing(homes().into_iter().chain(runtime).chain(fixed))
}

fn existing(paths: impl Iterator<Item = PathBuf>) -> Vec<PathBuf> {
    let mut paths: Vec<PathBuf> = paths.filter_map(|path| path.canonicalize().ok()).collect();
    paths.retain(|path| path.is_dir());
    paths.sort();
    paths.dedup();
    paths
}

/// Whether a folder can be shown without revealing what must be hidden: it is not a home, and not
/// the parent of a hidden folder. The path has symlinks resolved.
pub fn can_be_shown(folder: &Path, hidden: &[PathBuf]) -> bool {
    let system = SYSTEM.iter().any(|system| folder == Path::new(system));
    system || !hidden.iter().any(|hidden| hidden.starts_with(folder))
}

/// As many symlinks as Linux follows.
const MOST_LINKS: usize = 40;

/// The symlinks that lead to a path from the root, in the order in which the system follows them:
/// the path of each (symlinks resolved) and its target.
fn links(path: &Path) -> Vec<(PathBuf, PathBuf)> {
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

#[cfg(test)]
mod tests {
    use super::*;

    /// A folder with links into it, its root, and how its paths are written.
    fn folder(folders: &[&str]) -> (tempfile::TempDir, PathBuf) {
        let folder = tempfile::tempdir().unwrap();
        let root = folder.path().canonicalize().unwrap();
        folders.iter().for_each(|name| fs::create_dir_all(root.join(name)).unwrap());
        (folder, root)
    }

    #[test]
    fn a_home_in_a_shown_folder_is_left_out_and_what_it_keeps_is_shown() {
        let (_folder, root) = folder(&["data/jo/bin", "data/ann", "elsewhere"]);
        let place = |name: &str| root.join(name);
        let wanted = ["data", "data/jo/bin", "missing"].map(place);
        let hidden = ["data/jo", "elsewhere"].map(place).to_vec();
        let visible = Visible::of(wanted.into_iter(), hidden);
        assert_eq!(visible.shown, ["data", "data/jo/bin"].map(place));
        assert_eq!(visible.hidden, [place("data/jo")]);
        assert!(visible.is_shown(&place("data/ann")) && visible.is_shown(&place("data/jo/bin/x")));
        assert!(!visible.is_shown(&place("data/jo/x")) && !visible.is_shown(&place("elsewhere")));
    }

    #[test]
    fn a_home_that_must_stay_readable_is_not_hidden() {
        let (_folder, root) = folder(&["jo"]);
        let visible = Visible::of([root.join("jo")].into_iter(), vec![root.join("jo")]);
        assert_eq!((visible.shown, visible.hidden), (vec![root.join("jo")], Vec::new()));
    }

    #[test]
    fn the_root_and_the_state_of_the_system_are_never_shown() {
        let visible = Visible::of(["/", "/proc/self", "/usr/bin"].map(PathBuf::from).into_iter(), Vec::new());
        assert_eq!(visible.shown, [""; 0].map(PathBuf::from));
    }

    #[test]
    fn a_scratch_folder_that_holds_a_hidden_one_is_refused() {
        let tmp = Path::new("/tmp").canonicalize().unwrap();
        assert_eq!(Visible::new(&[], &tmp), Err(tmp));
    }

    #[test]
    fn a_home_is_never_shown_nor_what_holds_a_hidden_folder() {
        let hidden: Vec<PathBuf> = ["/home/jo", "/opt/ann", "/tmp", "/tmp/ci/home"].map(PathBuf::from).into();
        let can_be_shown = |path: &str| can_be_shown(Path::new(path), &hidden);
        for path in ["/home/jo/project", "/tmp/project", "/usr", "/opt", "/srv/project"] {
            assert!(can_be_shown(path), "{path}");
        }
        for path in ["/home/jo", "/home", "/tmp", "/tmp/ci", "/tmp/ci/home", "/"] {
            assert!(!can_be_shown(path), "{path}");
        }
    }

    #[test]
    fn links_are_followed_to_the_end() {
        let (_folder, root) = folder(&["env/bin", "v1.2/bin"]);
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
        // Those in what is shown need not be made again.
        let visible = Visible::of([root.join("env"), root.join("env/bin/python3")].into_iter(), Vec::new());
        assert_eq!(visible.links, [(root.join("v1"), PathBuf::from("v1.2"))]);
    }
}
