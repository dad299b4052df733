//! The scratch folder of a run.

use std::ffi::OsStr;
use std::fs::{self, File, Permissions};
use std::io;
use std::os::unix::fs::PermissionsExt as _;
use std::path::{Path, PathBuf};
use std::sync::{Mutex, MutexGuard, PoisonError};
use std::thread;
use std::time::{Duration, Instant};

use nix::fcntl::{Flock, FlockArg};
use tempfile::TempDir;

use super::SessionError;
use crate::scenario::existing_files;

/// How the names of folders begin that are removed after the run.
const PREFIX: &str = "tfconform-run-";

/// How long a folder's removal is tried while something writes to it, and how long after a try the next one comes.
const WRITERS_END: Duration = Duration::from_secs(2);
const BETWEEN_TRIES: Duration = Duration::from_millis(20);

/// The folder of a run. Dropping it removes it, unless it is kept.
pub struct Scratch {
    path: PathBuf,
    is_kept: bool,
    /// Held as long as we live: a folder whose lock is free belongs to a run that was killed.
    _lock: Option<Flock<File>>,
}

impl Scratch {
    pub fn path(&self) -> &Path {
        &self.path
    }
}

impl Drop for Scratch {
    fn drop(&mut self) {
        if !self.is_kept {
            // Nothing can be done about a failure; the next run tries again.
            let _ = remove(&self.path);
        }
    }
}

/// A folder that is removed after the run; if `$TFCONFORM_SCRATCH` is set, it is created there and kept.
/// Those of runs that were killed are removed.
///
/// Fails with the variable and the path if that folder cannot be used.
pub fn scratch() -> Result<Scratch, SessionError> {
    let named = |variable: &str| std::env::var_os(variable).filter(|folder| !folder.is_empty());
    let unusable = |variable: &str, folder: &OsStr, error: io::Error| {
        let problem = io::Error::from(error.kind());
        SessionError::Usage(format!("{variable}: {}: {problem}", Path::new(folder).display()))
    };
    if let Some(folder) = named("TFCONFORM_SCRATCH") {
        let made = fs::create_dir_all(&folder).and_then(|()| kept(Path::new(&folder)));
        return made.map_err(|error| unusable("TFCONFORM_SCRATCH", &folder, error));
    }
    let root = std::env::temp_dir();
    sweep(&root);
    let made = locked(&root).map_err(|error| match named("TMPDIR") {
        Some(folder) => unusable("TMPDIR", &folder, error),
        None => SessionError::Prepare(error),
    })?;
    made_here().push(made.path().to_owned());
    Ok(made)
}

/// The folders to remove if the process ends at once. Those of runs that have ended are gone already.
static MADE_HERE: Mutex<Vec<PathBuf>> = Mutex::new(Vec::new());

fn made_here() -> MutexGuard<'static, Vec<PathBuf>> {
    MADE_HERE.lock().unwrap_or_else(PoisonError::into_inner)
}

/// Removes every scratch folder of the process, as far as it can: some may still be written to.
pub(super) fn remove_all() {
    for folder in made_here().drain(..) {
        let _ = remove(&folder);
    }
}

fn kept(root: &Path) -> io::Result<Scratch> {
    let folder = tempfile::Builder::new().prefix("tfconform-").tempdir_in(root)?;
    Ok(Scratch { path: folder.keep(), is_kept: true, _lock: None })
}

/// Writes the files that arguments may name.
pub(super) fn write_existing_files(folder: &Path) -> io::Result<()> {
    for file in existing_files::all() {
        let path = folder.join(&file.path);
        fs::create_dir_all(path.parent().unwrap_or(folder))?;
        fs::write(path, file.content)?;
    }
    Ok(())
}

/// A folder that gets its name once it is locked, so that no sweep finds it without its lock.
fn locked(root: &Path) -> io::Result<Scratch> {
    let folder: TempDir = tempfile::Builder::new().prefix(".tfconform-").tempdir_in(root)?;
    let lock = Flock::lock(File::open(folder.path())?, FlockArg::LockExclusiveNonblock);
    let name = folder.path().file_name().map(|name| name.to_string_lossy().into_owned());
    let name = name.unwrap_or_default().replace(".tfconform-", PREFIX);
    let path = root.join(name);
    fs::rename(folder.path(), &path)?;
    // It is not where it would be removed.
    let _ = folder.keep();
    // A file system without locks does without the sweep, too.
    Ok(Scratch { path, is_kept: false, _lock: lock.ok() })
}

/// Removes the folders of runs that were killed, as far as they are ours.
fn sweep(root: &Path) {
    for entry in fs::read_dir(root).into_iter().flatten().flatten() {
        let is_ours = entry.file_name().to_string_lossy().starts_with(PREFIX);
        let is_folder = entry.file_type().is_ok_and(|kind| kind.is_dir());
        if !is_ours || !is_folder {
            continue;
        }
        let path = entry.path();
        if File::open(&path).is_err_and(|error| error.kind() == io::ErrorKind::PermissionDenied) {
            // What ran there may have closed it.
            let _ = fs::set_permissions(&path, Permissions::from_mode(0o700));
        }
        let lock = File::open(&path).map(|folder| Flock::lock(folder, FlockArg::LockExclusiveNonblock));
        // If it cannot be opened or removed, it is somebody else's.
        if let Ok(Ok(_lock)) = lock {
            let _ = remove(&path);
        }
    }
}

/// Removes a folder, even if it holds folders that may not be read, or if something that is about to end still writes
/// to it.
fn remove(folder: &Path) -> io::Result<()> {
    let tries_end = Instant::now() + WRITERS_END;
    loop {
        match remove_once(folder) {
            Err(error) if error.kind() == io::ErrorKind::DirectoryNotEmpty && Instant::now() < tries_end => {
                thread::sleep(BETWEEN_TRIES);
            }
            result => return result,
        }
    }
}

fn remove_once(folder: &Path) -> io::Result<()> {
    match fs::remove_dir_all(folder) {
        Err(error) if error.kind() == io::ErrorKind::PermissionDenied => {
            open_up(folder)?;
            fs::remove_dir_all(folder)
        }
        result => result,
    }
}

/// Makes a folder and those in it readable and writable for their owner.
fn open_up(folder: &Path) -> io::Result<()> {
    fs::set_permissions(folder, Permissions::from_mode(0o700))?;
    for entry in fs::read_dir(folder)?.flatten() {
        if entry.file_type().is_ok_and(|kind| kind.is_dir()) {
            open_up(&entry.path())?;
        }
    }
    Ok(())
}

#[cfg(test)]
mod tests {
    use super::*;

    #[test]
    fn a_sweep_removes_what_nobody_holds_whatever_is_in_it() {
        let root = tempfile::tempdir().unwrap();
        let living = locked(root.path()).unwrap();
        fs::write(living.path().join("file"), "").unwrap();
        let (dead, foreign) = (root.path().join("tfconform-run-dead"), root.path().join("tfconform-other"));
        fs::create_dir_all(dead.join("closed/inner")).unwrap();
        fs::create_dir(&foreign).unwrap();
        for closed in [dead.join("closed"), dead.clone()] {
            fs::set_permissions(closed, Permissions::from_mode(0o000)).unwrap();
        }
        sweep(root.path());
        assert!(!dead.exists() && foreign.exists() && living.path().join("file").exists());
        let path = living.path().to_owned();
        drop(living);
        assert!(!path.exists());
        assert_eq!(fs::read_dir(root.path()).unwrap().count(), 1);
    }

    #[test]
    fn a_folder_is_removed_although_something_still_writes_to_it() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("folder");
        fs::create_dir(&folder).unwrap();
        let writing = {
            let folder = folder.clone();
            thread::spawn(move || {
                let stop = Instant::now() + WRITERS_END / 8;
                let mut n = 0;
                while Instant::now() < stop && fs::write(folder.join(n.to_string()), "").is_ok() {
                    n += 1;
                }
                n
            })
        };
        thread::sleep(BETWEEN_TRIES);
        remove(&folder).unwrap();
        assert!(writing.join().unwrap() > 0 && !folder.exists());
    }

    #[test]
    fn folders_that_may_not_be_read_are_removed() {
        let root = tempfile::tempdir().unwrap();
        let folder = root.path().join("folder");
        fs::create_dir_all(folder.join("a/b/c")).unwrap();
        for closed in ["a/b", "a"] {
            fs::set_permissions(folder.join(closed), Permissions::from_mode(0o000)).unwrap();
        }
        open_up(&folder).unwrap();
        for opened in ["a", "a/b"] {
            assert_eq!(fs::metadata(folder.join(opened)).unwrap().permissions().mode() & 0o777, 0o700);
        }
        remove(&folder).unwrap();
        assert!(!folder.exists());
    }
}
