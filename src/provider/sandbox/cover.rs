//! Which folders are hidden, and what is shown in them all the same.

use std::env;
use std::ffi::OsString;
use std::path::{Path, PathBuf};

use super::talk::Cover;

/// The folders of the user, without links, each once.
pub fn homes() -> Vec<PathBuf> {
    let named = env::var_os("HOME").map(PathBuf::from);
    let user = nix::unistd::User::from_uid(nix::unistd::geteuid()).ok().flatten();
    existing(named.into_iter().chain(user.map(|user| user.dir)))
}

/// All folders to hide, without links, each once.
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

/// Decides which folders are hidden: not `/`, nothing in what is hidden already,
/// and nothing that must stay readable itself. All paths are without links.
///
/// Errs with a folder that would have to be hidden and lies in the scratch folder.
pub fn covers(hidden: &[PathBuf], scratch: &Path, keeps: &[PathBuf]) -> Result<Vec<Cover>, PathBuf> {
    let mut covers: Vec<&Path> = Vec::new();
    for path in hidden {
        if path.starts_with(scratch) {
            return Err(path.clone());
        }
        let nested = covers.iter().any(|cover| path.starts_with(cover));
        if path.parent().is_some() && !nested && !keeps.contains(path) {
            covers.push(path);
        }
    }
    let writable = |path: &Path| Path::new(TMP).canonicalize().is_ok_and(|tmp| path == tmp);
    Ok(covers.into_iter().map(|path| Cover { path: path.into(), writable: writable(path) }).collect())
}

/// What has to be shown again because it lies in a hidden folder.
pub fn kept(keeps: Vec<PathBuf>, covers: &[Cover]) -> Vec<OsString> {
    let hidden = |path: &PathBuf| covers.iter().any(|cover| path.starts_with(&cover.path));
    keeps.into_iter().filter(hidden).map(PathBuf::into_os_string).collect()
}

#[cfg(test)]
mod tests {
    use super::*;

    fn paths(paths: &[&str]) -> Vec<PathBuf> {
        paths.iter().map(PathBuf::from).collect()
    }

    fn covered(hidden: &[&str], scratch: &str, keeps: &[&str]) -> Result<Vec<String>, PathBuf> {
        let covers = covers(&paths(hidden), Path::new(scratch), &paths(keeps))?;
        Ok(covers.into_iter().map(|cover| cover.path.into_string().unwrap()).collect())
    }

    #[test]
    fn each_folder_is_hidden_once() {
        let hidden = ["/home/jo", "/run", "/run/user/7", "/tmp"];
        assert_eq!(covered(&hidden, "/tmp/s", &["/home/jo/bin"]).unwrap(), ["/home/jo", "/run", "/tmp"]);
    }

    #[test]
    fn a_folder_that_must_stay_readable_is_not_hidden() {
        assert_eq!(covered(&["/", "/home/jo"], "/tmp/s", &["/home/jo"]).unwrap(), [""; 0]);
    }

    #[test]
    fn a_scratch_folder_that_holds_a_hidden_one_is_refused() {
        assert_eq!(covered(&["/home/jo"], "/home", &[]), Err("/home/jo".into()));
        assert_eq!(covered(&["/tmp"], "/tmp", &[]), Err("/tmp".into()));
    }

    #[test]
    fn only_what_is_hidden_is_shown_again() {
        let covers = covers(&paths(&["/home/jo"]), Path::new("/tmp/s"), &[]).unwrap();
        let keeps = paths(&["/home/jo/bin", "/usr/bin", "/home/joan"]);
        assert_eq!(kept(keeps, &covers), ["/home/jo/bin"]);
    }
}
