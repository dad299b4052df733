//! Private folders for sockets, whose paths are short enough for one.

use std::env;
use std::fs::Permissions;
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};

use tempfile::TempDir;

use super::confinement::User;

/// The longest path of a folder in which folders for sockets are created, in bytes.
///
/// A socket's path has at most 103 bytes on macOS and 107 on Linux. We add 17 for the folder, and
/// go-plugin adds `/plugin` and up to ten digits.
const LONGEST_ROOT: usize = 103 - 17 - 17;

/// A private folder for the sockets of one process; dropping it removes it.
#[derive(Debug)]
pub struct SocketDir {
    _dir: TempDir,
    seen: PathBuf,
}

impl SocketDir {
    /// Creates one in `root`, by default the system's folder for temporary files. If that path is too long
    /// for sockets, it is created in `/tmp` instead.
    pub fn new(root: Option<&Path>) -> io::Result<Self> {
        let system = env::temp_dir();
        let root = root.unwrap_or(&system);
        let is_short = root.as_os_str().len() <= LONGEST_ROOT;
        let dir = create(if is_short { root } else { Path::new("/tmp") })?;
        let seen = dir.path().to_owned();
        Ok(Self { _dir: dir, seen })
    }

    /// Creates one in `root`, a folder whose path is `seen` for the process, and gives it to the user that the
    /// process runs as.
    pub(crate) fn seen_in(root: &Path, seen: &Path, user: Option<User>) -> io::Result<Self> {
        let dir = create(root)?;
        if let Some(User { user, group }) = user {
            std::os::unix::fs::chown(dir.path(), Some(user), Some(group))?;
        }
        let seen = dir.path().file_name().map_or_else(|| seen.to_owned(), |name| seen.join(name));
        Ok(Self { _dir: dir, seen })
    }

    /// Its path, as the process sees it.
    pub fn seen(&self) -> &Path {
        &self.seen
    }
}

fn create(root: &Path) -> io::Result<TempDir> {
    let mut builder = tempfile::Builder::new();
    builder.prefix("tfconform-").permissions(Permissions::from_mode(0o700)).tempdir_in(root)
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_path_that_is_too_long_for_a_socket_is_not_used() {
        let root = tempfile::tempdir().unwrap();
        let short = SocketDir::new(Some(root.path())).unwrap();
        assert!(short.seen().starts_with(root.path()) && short.seen().is_dir());
        let long = root.path().join("x".repeat(LONGEST_ROOT));
        std::fs::create_dir(&long).unwrap();
        let elsewhere = SocketDir::new(Some(&long)).unwrap();
        let socket = elsewhere.seen().join("plugin1234567890");
        assert!(socket.as_os_str().len() <= 103, "{}", socket.display());
        std::os::unix::net::UnixListener::bind(socket).unwrap();
        let gone = elsewhere.seen().to_owned();
        drop(elsewhere);
        assert!(!gone.exists());
    }

    #[test]
    fn a_process_may_see_it_at_another_path() {
        let root = tempfile::tempdir().unwrap();
        let dir = SocketDir::seen_in(root.path(), Path::new("/s"), None).unwrap();
        let name = dir.seen().strip_prefix("/s").unwrap().to_owned();
        assert!(root.path().join(name).is_dir());
    }
}
